package file

import (
	"errors"
	"time"

	"github.com/kfw-dev/kfw/session"
)

// NewHandle implements session.Session. Nothing is on disk until a block is full or the handle is named.
func (f *Session) NewHandle(from, redacted string) *session.Handle {
	return session.NewHandle(f, from, redacted)
}

// Write implements session.Writer.
func (f *Session) Write(w session.Write) (written session.Written, err error) {
	isFirst := w.Handle == 0
	for {
		err = f.made(func(c *connection) error {
			return c.transaction(w.Sync, func() (err error) {
				written, err = f.writeIn(c, w)
				return err
			})
		})
		if !errors.Is(err, errStoreFull) {
			break
		}
		row, content := int64(0), 0
		if w.Block != nil {
			row, content = w.Block.Row, len(w.Block.Content)
		}
		if err = f.makeRoom(int64(content), row); err != nil {
			break
		}
	}
	if err == nil && isFirst {
		_ = f.sweep() // others' blocks are no reason to fail, and stay to be swept
	}
	return written, err
}

// writeIn is Write within a transaction.
func (f *Session) writeIn(c *connection, w session.Write) (written session.Written, err error) {
	now := time.Now()
	if w.Handle == 0 {
		if w.Handle, err = f.insert(c, &w, now); err != nil {
			return written, err
		}
	}
	written.Handle = w.Handle
	if w.Block != nil {
		if written.Row, err = f.writeBlock(c, w.Handle, w.Block); err != nil {
			return written, err
		}
	}
	if w.Name {
		if err = c.giveName(&w, &written, now); err != nil {
			return written, err
		}
	}
	switch {
	case w.Shown != nil:
		return written, c.show(&w, now)
	case w.Complete:
		return written, c.exec("UPDATE handle SET state = 'complete', last_used_at = ? WHERE id = ?", now.UnixMilli(),
			w.Handle)
	}
	return written, nil
}

// Discard implements session.Writer.
func (f *Session) Discard(handle int64) error {
	err := f.existing(func(c *connection) error {
		return c.transaction(false, func() error {
			return c.exec("UPDATE handle SET state = 'discarded', gone_at = ? WHERE id = ? AND state = 'writing'",
				time.Now().UnixMilli(), handle)
		})
	})
	if err != nil {
		return err
	}
	return f.sweep()
}

func (f *Session) insert(c *connection, w *session.Write, now time.Time) (id int64, err error) {
	if err := c.retire(now); err != nil {
		return 0, err
	}
	me := self()
	err = c.exec(`INSERT INTO handle (origin, redacted, format, state, pid, process_start, machine, created_at,
		last_used_at, ttl_ms)
		SELECT ?1, ?2, ?3, 'writing', ?4, ?5, ?6, ?7, ?7, iif(?8 > 0, ?8, handle_ttl_ms) FROM session`,
		w.Origin, w.Redacted, w.Format, me.pid, me.start, me.machine, now.UnixMilli(), f.settings.TTL.Milliseconds())
	return c.inserted(), err
}

func (f *Session) writeBlock(c *connection, handle int64, b *session.Block) (row int64, err error) {
	if b.Row == 0 {
		err = c.exec(`INSERT INTO block (handle, number, first_chunk, last_chunk, byte_offset, bytes, content)
			SELECT id, ?, ?, ?, ?, ?, ? FROM handle WHERE id = ? AND state = 'writing'`,
			b.Number, b.First, b.Last, b.Offset, b.Bytes, b.Content, handle)
	} else {
		err = c.exec(`UPDATE block SET last_chunk = ?, bytes = ?, content = ?
			WHERE id = ? AND EXISTS (SELECT 1 FROM handle WHERE id = ? AND state = 'writing')`,
			b.Last, b.Bytes, b.Content, b.Row, handle)
	}
	if err != nil {
		return 0, err
	}
	if c.changes() == 0 {
		return 0, session.ErrRemoved
	}
	if row = b.Row; row == 0 {
		row = c.inserted()
	}
	return row, c.withinStore(f.settings.StoreMax)
}

// giveName gives a handle the next number of the file, or the one that its content has, unless another has that
// already: the other lives on then.
func (c *connection) giveName(w *session.Write, written *session.Written, now time.Time) (err error) {
	if w.Number == 0 {
		written.Number, err = c.nextNumber()
	} else {
		written.Number = w.Number
		var again int64
		written.IsAgain, err = c.one([]any{&again},
			"UPDATE handle SET last_used_at = ? WHERE number = ? AND gone_at IS NULL RETURNING id", now.UnixMilli(), w.Number)
		if err == nil && !written.IsAgain { // one that is gone may have it
			err = c.exec("UPDATE handle SET number = NULL WHERE number = ?", w.Number)
		}
	}
	if err != nil || written.IsAgain {
		return err
	}
	return c.exec("UPDATE handle SET number = ? WHERE id = ?", written.Number, w.Handle)
}

// nextNumber is that of the next handle with a name. A number is never given twice.
func (c *connection) nextNumber() (number int64, err error) {
	found, err := c.one([]any{&number}, "UPDATE session SET handles_named = handles_named + 1 RETURNING handles_named")
	if err == nil && !found {
		err = session.ErrDamaged
	}
	return number, err
}
