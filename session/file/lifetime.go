package file

import (
	"errors"
	"io/fs"
	"time"

	"github.com/kfw-dev/kfw/session"
)

// blocksPerSweep is how many blocks one transaction removes, so that others need not wait long.
const blocksPerSweep = 64

// retire marks handles that can no longer be used. What a dead process was writing stays readable, incomplete, if it
// has a name, and is discarded if it has none. A handle that was not used for too long has expired.
func (c *connection) retire(now time.Time) error {
	dead, err := c.ownedByDead(
		"SELECT id, pid, process_start, machine, last_used_at FROM handle WHERE state = 'writing'", now)
	if err != nil {
		return err
	}
	at := now.UnixMilli()
	for _, id := range dead {
		err := c.exec(`UPDATE handle SET state = iif(number IS NULL, 'discarded', 'incomplete'),
			gone_at = iif(number IS NULL, ?1, NULL), last_used_at = ?1 WHERE id = ?2`, at, id)
		if err != nil {
			return err
		}
	}
	return c.exec(`UPDATE handle SET state = 'expired', gone_at = last_used_at + ttl_ms
		WHERE gone_at IS NULL AND state <> 'writing' AND last_used_at + ttl_ms <= ?`, at)
}

// retireEvery is how long it takes until a process that makes room looks again for what has expired since.
const retireEvery = time.Minute

var errStoreFull = errors.New("the store is full")

// withinStore is errStoreFull if the blocks take more than this many bytes, or than the file allows if that is 0.
func (c *connection) withinStore(most int64) error {
	var stored int64
	full, err := c.one([]any{&stored},
		"SELECT stored_bytes FROM session WHERE stored_bytes > iif(?1 > 0, ?1, store_max_bytes)", most)
	if err == nil && full {
		return errStoreFull
	}
	return err
}

// canFit reports whether the handles that are being written, which stay, leave room for a block of
// that many bytes of one of them if all others go. The block takes the place of the one in row, or
// of none if that is 0. most is as for withinStore.
func (c *connection) canFit(needed, row, most int64) (bool, error) {
	var id int64
	isTooMuch, err := c.one([]any{&id}, `SELECT 1 FROM session WHERE ?1 -
		(SELECT coalesce(sum(length(content)), 0) FROM block WHERE id = ?3) +
		(SELECT coalesce(sum(stored_bytes), 0) FROM handle WHERE gone_at IS NULL AND state = 'writing') >
		iif(?2 > 0, ?2, store_max_bytes)`, needed, most, row)
	return !isTooMuch, err
}

// makeRoom removes expired handles, or, if there are none, the least recently used handle. Those that are being
// written stay. Where they alone leave no room for a block of that many bytes in row, nothing is evicted, as it could
// not help.
func (f *Session) makeRoom(needed, row int64) error {
	evicted := false
	err := f.existing(func(c *connection) error {
		if _, _, due, err := c.toSweep(); err != nil || due {
			evicted = due // was gone already
			return err
		}
		return c.transaction(false, func() (err error) {
			now := time.Now()
			if now.Sub(f.retired) >= retireEvery { // it looks at all handles
				if err = c.retire(now); err != nil {
					return err
				}
				f.retired = now
				if _, _, evicted, err = c.toSweep(); err != nil || evicted {
					return err
				}
			}
			if canFit, err := c.canFit(needed, row, f.settings.StoreMax); err != nil || !canFit {
				return err
			}
			err = c.exec(`UPDATE handle SET state = 'evicted', gone_at = ? WHERE id =
				(SELECT id FROM handle WHERE gone_at IS NULL AND state <> 'writing' ORDER BY last_used_at, id LIMIT 1)`, now.UnixMilli())
			if err != nil {
				return err
			}
			_, _, evicted, err = c.toSweep()
			return err
		})
	})
	if err != nil {
		return err
	}
	if !evicted {
		return &session.Unusable{Path: f.path,
			Reason: "cannot keep more: what is being written takes all that its handles may take", Full: true}
	}
	return f.sweep()
}

// Remove removes the handles of these names, or none if one of them is not there: the error is a *Gone then.
func (f *Session) Remove(ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	err := f.existing(func(c *connection) error {
		return c.transaction(true, func() error {
			now := time.Now()
			if err := c.retire(now); err != nil {
				return err
			}
			for _, id := range ids {
				number, ok := session.HandleNumber(id)
				if !ok {
					return &session.Gone{ID: id, Reason: "unknown"}
				}
				gone, err := c.gone(number)
				if err != nil {
					return err
				}
				if gone != nil {
					return gone
				}
				err = c.exec("UPDATE handle SET state = 'removed', gone_at = ? WHERE number = ?", now.UnixMilli(),
					number)
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
	if errors.Is(err, fs.ErrNotExist) {
		return &session.Gone{ID: ids[0], Reason: "unknown"}
	}
	if err != nil {
		return err
	}
	return f.sweep()
}

// sweep removes the blocks of handles that are gone. Of those that had a name to be remembered, the row stays.
func (f *Session) sweep() error {
	for more := true; more; {
		err := f.existing(func(c *connection) error {
			if _, _, due, err := c.toSweep(); err != nil || !due {
				more = false
				return err
			}
			return c.transaction(false, c.sweepOne)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// toSweep returns a handle that is gone and has blocks, or a row that is no longer needed.
func (c *connection) toSweep() (id int64, state string, due bool, err error) {
	due, err = c.one([]any{&id, &state}, `SELECT id, state FROM handle
		WHERE gone_at IS NOT NULL AND (stored_bytes > 0 OR state = 'discarded') ORDER BY id LIMIT 1`)
	return id, state, due, err
}

func (c *connection) sweepOne() error {
	id, state, due, err := c.toSweep()
	if err != nil || !due {
		return err // another process was first
	}
	err = c.exec("DELETE FROM block WHERE id IN (SELECT id FROM block WHERE handle = ? LIMIT ?)", id, blocksPerSweep)
	if err != nil {
		return err
	}
	removed := c.changes()
	err = c.exec(`UPDATE handle SET asked = NULL, lines_of = NULL, lines = NULL
		WHERE id = ? AND (asked IS NOT NULL OR lines IS NOT NULL)`, id)
	if err != nil {
		return err
	}
	switch {
	case state != "discarded" && removed == 0:
		return session.ErrDamaged // it is said to have blocks
	case state == "discarded" && removed < blocksPerSweep:
		if err := c.exec("DELETE FROM handle WHERE id = ?", id); err != nil {
			return err
		}
	}
	return c.script("PRAGMA incremental_vacuum")
}
