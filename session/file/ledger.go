package file

import (
	"cmp"
	"errors"
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/session"
)

// slicesOfGrant is in about how many entries a grant is drawn.
const slicesOfGrant = 8

// Allocate reserves what is asked, or what is left if that is less, for an invocation of command, which must be
// redacted already. The file is made if it is not there. What dead processes held is given back first. If less than
// least is left, the error is an *Exhausted; if the file's tokens are counted otherwise, an *OtherCounting.
func (f *Session) Allocate(asked, least int, command string) (*session.Grant, error) {
	if asked < 0 || least < 0 {
		return nil, errors.New("allocate: a number of tokens is negative")
	}
	me := self()
	var g *session.Grant
	var exhausted *session.Exhausted
	var counted string
	err := f.made(func(c *connection) error {
		return c.transaction(true, func() error {
			if _, err := c.one([]any{&counted}, "SELECT counting FROM session"); err != nil {
				return err
			}
			if f.settings.CountsOtherwise(counted) {
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
			g = session.NewGrant(&entry{f, id, aside}, session.Granted{Tokens: granted, Left: left, Total: account.Total,
				Aside: aside, Drawn: aside, Slices: slicesOfGrant})
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
	if f.settings.CountsOtherwise(counted) {
		return nil, &session.OtherCounting{Counting: counted}
	}
	if exhausted != nil {
		return nil, exhausted
	}
	return g, nil
}

// entry is the row of a grant. It implements session.Entry.
type entry struct {
	file       *Session
	invocation int64
	drawn      int
}

// Check implements session.Entry. A file that is not the one of its path any more has another budget.
func (e *entry) Check() error { return e.file.isSame() }

// Draw implements session.Entry.
func (e *entry) Draw(drawn int) error {
	err := e.file.existing(func(c *connection) error {
		return c.transaction(true, func() error {
			err := c.exec("UPDATE invocation SET drawn_tokens = ? WHERE id = ? AND ended_at IS NULL", drawn,
				e.invocation)
			if err != nil {
				return err
			}
			if c.changes() == 0 {
				return session.ErrTakenBack
			}
			return c.exec("UPDATE session SET used_tokens = used_tokens + ?", drawn-e.drawn)
		})
	})
	if err == nil {
		e.drawn = drawn
	}
	return err
}

// End implements session.Entry.
func (e *entry) End(spent, tokensIn int) error {
	return e.file.existing(func(c *connection) error {
		return c.transaction(true, func() error {
			err := c.exec(`UPDATE invocation SET ended_at = ?, drawn_tokens = ?, response_tokens = ?, saved_tokens = ?
				WHERE id = ? AND ended_at IS NULL`, time.Now().UnixMilli(), spent, tokensIn, tokensIn-spent, e.invocation)
			if err != nil || c.changes() == 0 {
				return err // taken back already, and what was drawn stays charged
			}
			return c.exec("UPDATE session SET used_tokens = max(0, used_tokens - ?), saved_tokens = saved_tokens + ?",
				e.drawn-spent, tokensIn-spent)
		})
	})
}

// Record puts on the ledger what something cost that was not paid from the session's tokens: a model's turn, as its
// provider tells it. command must be redacted already; in and out are tokens. The file is made if it is not there.
func (f *Session) Record(command string, in, out int) error {
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
	return c.exec("DELETE FROM invocation WHERE id <= ? AND ended_at IS NOT NULL", latest-session.Remembered)
}

// Status returns the account, and the last ten invocations and all held grants, the newest first.
// It never makes the file: for one that is not there the error wraps fs.ErrNotExist. What the dead
// and the expired held is given back first.
func (f *Session) Status() (session.Status, error) {
	var s session.Status
	err := f.existing(func(c *connection) error {
		return c.reading(true, func() error {
			if err := c.giveBack(time.Now()); err != nil {
				return err
			}
			account, err := c.account()
			if err != nil {
				return err
			}
			s = session.Status{Total: account.Total, Used: account.Used, Reserved: account.Reserved, Left: account.Left()}
			if _, err := c.one([]any{&s.Saved, &s.Counting}, "SELECT saved_tokens, counting FROM session"); err != nil {
				return err
			}
			if s.Total > 0 {
				s.Share = float64(s.Left) / float64(s.Total)
			}
			for row, err := range c.rows(`SELECT command, response_tokens, drawn_tokens, saved_tokens, started_at,
				id, granted_tokens, iif(ended_at IS NULL, coalesce(held_until, 0), 0) AS held
				FROM invocation WHERE held > 0 OR id IN (SELECT id FROM invocation ORDER BY id DESC LIMIT ?)
				ORDER BY id DESC`, session.Recent) {
				if err != nil {
					return err
				}
				var i session.Invocation
				var started, id, until int64
				var granted int
				err := row.scan(&i.Command, &i.TokensIn, &i.TokensOut, &i.Saved, &started, &id, &granted, &until)
				if err != nil {
					return err
				}
				i.Started = time.UnixMilli(started)
				if until > 0 {
					i.Held = session.Held{ID: session.GrantID(id), Tokens: granted, Until: time.UnixMilli(until)}
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
func (f *Session) History() (all []session.Invocation, err error) {
	err = f.existing(func(c *connection) error {
		return c.reading(false, func() error {
			for row, err := range c.rows(`SELECT command, response_tokens, drawn_tokens, saved_tokens, started_at
				FROM invocation WHERE ended_at IS NOT NULL AND held_until IS NULL AND granted_tokens > 0 ORDER BY id`) {
				if err != nil {
					return err
				}
				var i session.Invocation
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
func (f *Session) SetTotal(tokens int) error {
	if tokens < 0 {
		return errors.New("set: a number of tokens is negative")
	}
	return f.made(func(c *connection) error {
		return c.transaction(true, func() error { return c.exec("UPDATE session SET total_tokens = ?", tokens) })
	})
}

// Reset forgets what was written, except what invocations that still run have drawn, and what was shown: no response
// is an Earlier any more. Held grants stay held. For a file that is not there the error wraps fs.ErrNotExist.
func (f *Session) Reset() error {
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
		return a, session.ErrDamaged // never more to spend because of a broken number
	}
	return a, nil
}

// grantable gives back what the dead and the expired hold, and returns the account. If less than
// least is left, the other result says so.
func (c *connection) grantable(now time.Time, least int) (budget.Account, *session.Exhausted, error) {
	if err := c.giveBack(now); err != nil {
		return budget.Account{}, nil, err
	}
	account, err := c.account()
	if err != nil || account.Left() >= least {
		return account, nil, err
	}
	e := &session.Exhausted{Left: account.Left(), Total: account.Total, Reserved: account.Reserved}
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
