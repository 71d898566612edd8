package file

import (
	"errors"
	"fmt"
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/session"
)

// Hold reserves what is asked, or what is left if that is less, until the grant is settled or
// released, or that time is over. command is what the ledger calls it, redacted already. The file
// is made if it is not there. The account is the one after the grant. If nothing is left, the error
// is an *Exhausted.
func (f *Session) Hold(asked int, hold time.Duration, command string) (session.Held, budget.Account, error) {
	if asked <= 0 || hold <= 0 {
		return session.Held{}, budget.Account{}, errors.New("hold: tokens and time must be positive")
	}
	me := self()
	var held session.Held
	var account budget.Account
	var exhausted *session.Exhausted
	err := f.made(func(c *connection) error {
		return c.transaction(true, func() (err error) {
			now := time.Now()
			if account, exhausted, err = c.grantable(now, 1); err != nil || exhausted != nil {
				return err
			}
			held = session.Held{Tokens: account.Grant(asked), Until: now.Add(hold)}
			err = c.exec(`INSERT INTO invocation (command, pid, process_start, machine, started_at, held_until,
				granted_tokens, counting) SELECT ?, ?, ?, ?, ?, ?, ?, counting FROM session`,
				command, me.pid, me.start, me.machine, now.UnixMilli(), held.Until.UnixMilli(), held.Tokens)
			if err != nil {
				return err
			}
			id := c.inserted()
			held.ID = session.GrantID(id)
			account.Reserved += held.Tokens
			return c.forget(id)
		})
	})
	if err == nil && exhausted != nil {
		err = exhausted
	}
	if err != nil {
		return session.Held{}, account, err
	}
	return held, account, nil
}

// Spend records tokens that were used without a grant, all of them, even if less is left. command
// is what the ledger calls it, redacted already. The file is made if it is not there. The account
// is the one after the entry.
func (f *Session) Spend(tokens int, command string) (budget.Account, error) {
	var account budget.Account
	if tokens < 0 {
		return account, errors.New("spend: a number of tokens is negative")
	}
	err := f.made(func(c *connection) error {
		return c.transaction(true, func() (err error) {
			if err = c.spend(tokens, command, time.Now()); err == nil {
				account, err = c.account()
			}
			return err
		})
	})
	return account, err
}

// spend is Spend within a transaction.
func (c *connection) spend(tokens int, command string, now time.Time) error {
	if err := c.giveBack(now); err != nil {
		return err
	}
	me := self()
	err := c.exec(`INSERT INTO invocation (command, pid, process_start, machine, started_at, ended_at,
		granted_tokens, drawn_tokens, counting) SELECT ?1, ?2, ?3, ?4, ?5, ?5, 0, ?6, counting FROM session`,
		command, me.pid, me.start, me.machine, now.UnixMilli(), tokens)
	if err != nil {
		return err
	}
	if err := c.forget(c.inserted()); err != nil {
		return err
	}
	return c.use(tokens)
}

// Settle records the tokens that a held grant was used for, all of them, even if they are more than
// it. What it did not use is free again. The tokens of a grant that has expired are recorded as
// well, once, and late is true. command, which must be redacted already, takes the place of the one
// given to Hold. The account is the one after the entry. For a grant that can't be settled the
// error is a *NotHeld, for a file that is not there it wraps fs.ErrNotExist.
func (f *Session) Settle(id string, tokens int, command string) (late bool, account budget.Account, err error) {
	if tokens < 0 {
		return false, account, errors.New("settle: a number of tokens is negative")
	}
	err = f.existing(func(c *connection) error {
		return c.transaction(true, func() error {
			now := time.Now()
			g, err := c.held(id, now)
			if err != nil {
				return err
			}
			late = g.expired
			// The end of a grant that was settled never equals held_until: that is the mark of one
			// that has expired.
			ended := now.UnixMilli()
			if late {
				ended = max(ended, g.until+1)
			}
			err = c.exec("UPDATE invocation SET command = ?, drawn_tokens = ?, ended_at = ? WHERE id = ?",
				command, tokens, ended, g.number)
			if err != nil {
				return err
			}
			if err = c.use(tokens); err == nil {
				account, err = c.account()
			}
			return err
		})
	})
	return late, account, err
}

// Release gives a held grant back unused and returns its tokens. The account is the one after it.
// Errors are those of Settle; that a grant has expired is one of them.
func (f *Session) Release(id string) (tokens int, account budget.Account, err error) {
	err = f.existing(func(c *connection) error {
		return c.transaction(true, func() error {
			now := time.Now()
			g, err := c.held(id, now)
			if err != nil {
				return err
			}
			if g.expired {
				return &session.NotHeld{ID: id, Reason: "expired"}
			}
			if err := c.exec("UPDATE invocation SET ended_at = ? WHERE id = ?", now.UnixMilli(), g.number); err != nil {
				return err
			}
			tokens = g.tokens
			account, err = c.account()
			return err
		})
	})
	return tokens, account, err
}

// heldGrant is a row of the table invocation that Hold made and that is not settled.
type heldGrant struct {
	number  int64
	tokens  int
	until   int64 // milliseconds since 1970
	expired bool
}

// held gives back what the dead and the expired hold, then returns the grant with this ID. If it
// can't be settled, the error is a *NotHeld.
func (c *connection) held(id string, now time.Time) (heldGrant, error) {
	number, ok := session.GrantNumber(id)
	if !ok {
		return heldGrant{}, &session.NotHeld{Reason: "unknown"}
	}
	if err := c.giveBack(now); err != nil {
		return heldGrant{}, err
	}
	const none = -1
	g := heldGrant{number: number}
	var ended int64
	found, err := c.one([]any{&g.tokens, &g.until, &ended},
		`SELECT granted_tokens, coalesce(held_until, ?1), coalesce(ended_at, ?1)
		FROM invocation WHERE id = ?2`, none, number)
	switch {
	case err != nil:
		return heldGrant{}, err
	case !found, g.until == none && ended != none:
		return heldGrant{}, &session.NotHeld{ID: id, Reason: "unknown"}
	case g.until == none:
		return heldGrant{}, &session.NotHeld{ID: id, Reason: "running"}
	case ended != none && ended != g.until:
		return heldGrant{}, &session.NotHeld{ID: id, Reason: "settled"}
	}
	g.expired = ended == g.until
	return g, nil
}

// use adds tokens to those used. Where the sum has more than 64 bits, SQLite makes it a float, which
// is larger than session.MostUsed too.
func (c *connection) use(tokens int) error {
	return c.exec(fmt.Sprintf("UPDATE session SET used_tokens = min(used_tokens + ?, %d)", session.MostUsed), tokens)
}

// releaseExpired ends the held grants whose time is over, at the moment when it was.
func (c *connection) releaseExpired(now time.Time) error {
	return c.exec("UPDATE invocation SET ended_at = held_until WHERE ended_at IS NULL AND held_until <= ?",
		now.UnixMilli())
}
