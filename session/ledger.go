package session

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/kfw-dev/kfw/budget"
)

const (
	slicesOfGrant = 8    // a grant is drawn in about this many entries
	invocationMax = 1000 // ended ones that are remembered
	recentMax     = 10   // of them in a Status
)

// Exhausted is the error when a session has less left than an invocation needs. Nothing is recorded of it.
type Exhausted struct {
	Left, Total int // tokens
	Reserved    int // tokens that may come back
	Running     int // invocations that reserve some of them until they end
	Held        int // held grants that reserve the others
}

// Error implements error. It says what is left, and how much others reserve.
func (e *Exhausted) Error() string {
	said := fmt.Sprintf("session exhausted: %d of %d tokens left", e.Left, e.Total)
	var by []string
	switch e.Running {
	case 0:
	case 1:
		by = append(by, "a run that has not ended")
	default:
		by = append(by, fmt.Sprintf("%d runs that have not ended", e.Running))
	}
	switch e.Held {
	case 0:
	case 1:
		by = append(by, "a held grant")
	default:
		by = append(by, fmt.Sprintf("%d held grants", e.Held))
	}
	if len(by) == 0 {
		return said
	}
	return fmt.Sprintf("%s, %d reserved by %s", said, e.Reserved, strings.Join(by, " and "))
}

// OtherCounting is the error when an invocation counts tokens otherwise than those before it in the session: its
// amounts could not be added to theirs. Nothing is recorded of it.
type OtherCounting struct {
	Counting string // that of the session
}

// Error implements error.
func (e *OtherCounting) Error() string { return "the session counts by " + e.Counting }

// Grant is what one invocation may write. It belongs to the process that allocated it.
type Grant struct {
	file       *File
	invocation int64
	tokens     int
	left       int
	total      int
	aside      int // what is drawn from the start, for the end
	spent      int // what was written, or is about to be
	drawn      int // what the ledger says it was: never less
	closed     bool
}

// Allocate reserves what is asked, or what is left if that is less, for an invocation of command, which must be
// redacted already. The file is made if it is not there. What dead processes held is given back first. If less than
// least is left, the error is an *Exhausted; if the file's tokens are counted otherwise, an *OtherCounting.
func (f *File) Allocate(asked, least int, command string) (*Grant, error) {
	if asked < 0 || least < 0 {
		return nil, errors.New("allocate: a number of tokens is negative")
	}
	me := self()
	var g *Grant
	var exhausted *Exhausted
	var counted string
	err := f.made(func(c *connection) error {
		return c.transaction(true, func() error {
			if _, err := c.one([]any{&counted}, "SELECT counting FROM session"); err != nil {
				return err
			}
			if f.countsOtherwise(counted) {
				return nil
			}
			now := time.Now()
			account, tooFew, err := c.grantable(now, least)
			if exhausted = tooFew; err != nil || exhausted != nil {
				return err
			}
			left, granted := account.Left(), account.Grant(asked)
			aside := min(least, granted)
			err = c.exec(`INSERT INTO invocation (command, pid, process_start, machine, started_at, granted_tokens, drawn_tokens, counting)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, command, me.pid, me.start, me.machine, now.UnixMilli(), granted, aside, f.settings.Counting)
			if err != nil {
				return err
			}
			id := c.inserted()
			g = &Grant{file: f, invocation: id, tokens: granted, left: left, total: account.Total, aside: aside,
				drawn: aside}
			if err := c.exec("UPDATE session SET used_tokens = used_tokens + ?, counting = ?", aside,
				cmp.Or(counted, f.settings.Counting)); err != nil {
				return err
			}
			return c.forget(id)
		})
	})
	if err != nil {
		return nil, err
	}
	if f.countsOtherwise(counted) {
		return nil, &OtherCounting{counted}
	}
	if exhausted != nil {
		return nil, exhausted
	}
	return g, nil
}

func (f *File) countsOtherwise(counted string) bool {
	return counted != "" && f.settings.Counting != "" && counted != f.settings.Counting
}

// Tokens returns what was granted.
func (g *Grant) Tokens() int { return g.tokens }

// SessionLeft returns what the session had left when the grant was made, the grant included, in tokens.
func (g *Grant) SessionLeft() int { return g.left }

// SessionTotal returns what the session may write in all, in tokens.
func (g *Grant) SessionTotal() int { return g.total }

// Spend records that this many tokens are about to be written. When it returns they are on the ledger, on disk. They
// are drawn in slices, so that most calls find them there already.
func (g *Grant) Spend(tokens int) error { return g.spend(tokens, g.aside) }

// Last is Spend for what ends the output: it may use what was set aside for that when the grant was made, so it works
// on a full disk.
func (g *Grant) Last(tokens int) error { return g.spend(tokens, 0) }

func (g *Grant) spend(tokens, aside int) error {
	switch {
	case g.closed:
		return errors.New("spend: the grant is closed")
	case tokens < 0:
		return errors.New("spend: a number of tokens is negative")
	case tokens > g.tokens-g.spent:
		return fmt.Errorf("spend: %d tokens asked, %d left of the grant", tokens, g.tokens-g.spent)
	}
	if err := g.file.isSame(); err != nil {
		return err
	}
	if needed := min(g.tokens, g.spent+tokens+aside); needed > g.drawn {
		slice := (g.tokens + slicesOfGrant - 1) / slicesOfGrant
		if err := g.draw(min(g.tokens, max(needed, g.drawn+slice))); err != nil {
			return err
		}
	}
	g.spent += tokens
	return nil
}

func (g *Grant) draw(drawn int) error {
	err := g.file.existing(func(c *connection) error {
		return c.transaction(true, func() error {
			err := c.exec("UPDATE invocation SET drawn_tokens = ? WHERE id = ? AND ended_at IS NULL", drawn,
				g.invocation)
			if err != nil {
				return err
			}
			if c.changes() == 0 {
				return errors.New("spend: the grant was taken back: this process was taken to be dead")
			}
			return c.exec("UPDATE session SET used_tokens = used_tokens + ?", drawn-g.drawn)
		})
	})
	if err == nil {
		g.drawn = drawn
	}
	return err
}

// Close ends the invocation: what was spent stays on the ledger, exactly, and the rest goes back. tokensIn is what
// the response itself would have cost, in tokens; what was saved is the difference, which is negative for an
// invocation that only repeats. Closing again does nothing.
func (g *Grant) Close(tokensIn int) error {
	if g.closed {
		return nil
	}
	err := g.file.existing(func(c *connection) error {
		return c.transaction(true, func() error {
			err := c.exec(`UPDATE invocation SET ended_at = ?, drawn_tokens = ?, response_tokens = ?, saved_tokens = ?
				WHERE id = ? AND ended_at IS NULL`, time.Now().UnixMilli(), g.spent, tokensIn, tokensIn-g.spent, g.invocation)
			if err != nil || c.changes() == 0 {
				return err // taken back already, and what was drawn stays charged
			}
			return c.exec("UPDATE session SET used_tokens = max(0, used_tokens - ?), saved_tokens = saved_tokens + ?",
				g.drawn-g.spent, tokensIn-g.spent)
		})
	})
	if err == nil {
		g.closed = true
	}
	return err
}

// Record puts on the ledger what something cost that was not paid from the session's tokens: a model's turn, as its
// provider tells it. command must be redacted already; in and out are tokens. The file is made if it is not there.
func (f *File) Record(command string, in, out int) error {
	if in < 0 || out < 0 {
		return errors.New("record: a number of tokens is negative")
	}
	me := self()
	return f.made(func(c *connection) error {
		return c.transaction(true, func() error {
			now := time.Now().UnixMilli()
			err := c.exec(`INSERT INTO invocation (command, pid, process_start, machine, started_at, ended_at, granted_tokens,
				drawn_tokens, response_tokens) VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?)`, command, me.pid, me.start, me.machine, now, now, out, in)
			if err != nil {
				return err
			}
			return c.forget(c.inserted())
		})
	})
}

// forget removes the ended invocations that are too old to be remembered beside the latest one.
func (c *connection) forget(latest int64) error {
	return c.exec("DELETE FROM invocation WHERE id <= ? AND ended_at IS NOT NULL", latest-invocationMax)
}

// Status is the account of a session at one moment.
type Status struct {
	Total, Used, Reserved, Left int     // tokens
	Share                       float64 // of the total that is left, 0 to 1
	// tokens, of all invocations that ended: what their responses would have cost, less what was written
	Saved    int
	Counting string // what its tokens are counted by; empty if there are none yet
	Recent   []Invocation
}

// Invocation is one use of the session. Amounts are tokens; those of one that still runs are what it has drawn so far.
type Invocation struct {
	Command                    string
	TokensIn, TokensOut, Saved int
	Started                    time.Time
	Held                       Held // zero if it is not a held grant
}

// Status returns the account, and the last ten invocations and all held grants, the newest first.
// It never makes the file: for one that is not there the error wraps fs.ErrNotExist. What the dead
// and the expired held is given back first.
func (f *File) Status() (Status, error) {
	var s Status
	err := f.existing(func(c *connection) error {
		return c.reading(true, func() error {
			if err := c.giveBack(time.Now()); err != nil {
				return err
			}
			account, err := c.account()
			if err != nil {
				return err
			}
			s = Status{Total: account.Total, Used: account.Used, Reserved: account.Reserved, Left: account.Left()}
			if _, err := c.one([]any{&s.Saved, &s.Counting}, "SELECT saved_tokens, counting FROM session"); err != nil {
				return err
			}
			if s.Total > 0 {
				s.Share = float64(s.Left) / float64(s.Total)
			}
			for row, err := range c.rows(`SELECT command, response_tokens, drawn_tokens, saved_tokens, started_at,
				id, granted_tokens, iif(ended_at IS NULL, coalesce(held_until, 0), 0) AS held
				FROM invocation WHERE held > 0 OR id IN (SELECT id FROM invocation ORDER BY id DESC LIMIT ?)
				ORDER BY id DESC`, recentMax) {
				if err != nil {
					return err
				}
				var i Invocation
				var started, id, until int64
				var granted int
				err := row.scan(&i.Command, &i.TokensIn, &i.TokensOut, &i.Saved, &started, &id, &granted, &until)
				if err != nil {
					return err
				}
				i.Started = time.UnixMilli(started)
				if until > 0 {
					i.Held = Held{ID: grantID(id), Tokens: granted, Until: time.UnixMilli(until)}
				}
				s.Recent = append(s.Recent, i)
			}
			return nil
		})
	})
	return s, err
}

// History returns the invocations of the file that have ended and that a response paid for, the oldest first: the last
// thousand are known. It never makes the file: for one that is not there the error wraps fs.ErrNotExist.
func (f *File) History() (all []Invocation, err error) {
	err = f.existing(func(c *connection) error {
		return c.reading(false, func() error {
			for row, err := range c.rows(`SELECT command, response_tokens, drawn_tokens, saved_tokens, started_at
				FROM invocation WHERE ended_at IS NOT NULL AND held_until IS NULL AND granted_tokens > 0 ORDER BY id`) {
				if err != nil {
					return err
				}
				var i Invocation
				var started int64
				if err := row.scan(&i.Command, &i.TokensIn, &i.TokensOut, &i.Saved, &started); err != nil {
					return err
				}
				i.Started = time.UnixMilli(started)
				all = append(all, i)
			}
			return nil
		})
	})
	return all, err
}

// SetTotal changes what all invocations together may write. The file is made if it is not there.
func (f *File) SetTotal(tokens int) error {
	if tokens < 0 {
		return errors.New("set: a number of tokens is negative")
	}
	return f.made(func(c *connection) error {
		return c.transaction(true, func() error { return c.exec("UPDATE session SET total_tokens = ?", tokens) })
	})
}

// Reset forgets what was written, except what invocations that still run have drawn, and what was shown: no response
// is an Earlier any more. Held grants stay held. For a file that is not there the error wraps fs.ErrNotExist.
func (f *File) Reset() error {
	return f.existing(func(c *connection) error {
		return c.transaction(true, func() error {
			if err := c.giveBack(time.Now()); err != nil {
				return err
			}
			if err := c.forgetShown(); err != nil {
				return err
			}
			return c.exec(`UPDATE session SET saved_tokens = 0, used_tokens =
				(SELECT coalesce(sum(drawn_tokens), 0) FROM invocation WHERE ended_at IS NULL)`)
		})
	})
}

func (c *connection) account() (budget.Account, error) {
	var a budget.Account
	found, err := c.one([]any{&a.Total, &a.Used, &a.Reserved}, `SELECT total_tokens, used_tokens,
		(SELECT coalesce(sum(granted_tokens - drawn_tokens), 0) FROM invocation WHERE ended_at IS NULL) FROM session`)
	if err != nil {
		return a, err
	}
	if !found || a.Total < 0 || a.Used < 0 || a.Reserved < 0 {
		return a, errDamaged // never more to spend because of a broken number
	}
	return a, nil
}

// grantable gives back what the dead and the expired hold, and returns the account. If less than
// least is left, the other result says so.
func (c *connection) grantable(now time.Time, least int) (budget.Account, *Exhausted, error) {
	if err := c.giveBack(now); err != nil {
		return budget.Account{}, nil, err
	}
	account, err := c.account()
	if err != nil || account.Left() >= least {
		return account, nil, err
	}
	e := &Exhausted{Left: account.Left(), Total: account.Total, Reserved: account.Reserved}
	_, err = c.one([]any{&e.Running, &e.Held}, `SELECT count(*) FILTER (WHERE held_until IS NULL), count(held_until)
		FROM invocation WHERE ended_at IS NULL AND granted_tokens > drawn_tokens`)
	return account, e, err
}

// giveBack ends the invocations whose process is dead or whose time is over, and frees their tokens.
func (c *connection) giveBack(now time.Time) error {
	if err := c.releaseExpired(now); err != nil {
		return err
	}
	return c.releaseDead(now)
}

// releaseDead ends the invocations whose process is gone: what they drew stays charged, the rest is free again.
func (c *connection) releaseDead(now time.Time) error {
	dead, err := c.ownedByDead(`SELECT id, pid, process_start, machine, started_at FROM invocation
		WHERE ended_at IS NULL AND held_until IS NULL`, now)
	if err != nil {
		return err
	}
	for _, id := range dead {
		if err := c.exec("UPDATE invocation SET ended_at = ? WHERE id = ?", now.UnixMilli(), id); err != nil {
			return err
		}
	}
	return nil
}

// ownedByDead returns the ids of those rows of a query (id, pid, process_start, machine, time) whose process is gone.
func (c *connection) ownedByDead(query string, now time.Time) ([]int64, error) {
	var ids []int64
	for row, err := range c.rows(query) {
		if err != nil {
			return nil, err
		}
		var id, since int64
		var p process
		if err := row.scan(&id, &p.pid, &p.start, &p.machine, &since); err != nil {
			return nil, err
		}
		if p.gone(time.UnixMilli(since), now) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
