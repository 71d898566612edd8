package file

import (
	"cmp"
	"errors"
	"io/fs"
	"time"

	"github.com/kfw-dev/kfw/session"
)

const infoColumns = "id, number, origin, created_at, last_used_at + ttl_ms, chunks, bytes, state, redacted, format"

// infoRow is a row of infoColumns.
type infoRow struct {
	id, number, created, expires, bytes int64
	chunks                              int
	origin, state, redacted, format     string
}

func (r *infoRow) columns() []any {
	return []any{&r.id, &r.number, &r.origin, &r.created, &r.expires, &r.chunks, &r.bytes, &r.state, &r.redacted,
		&r.format}
}

func (r *infoRow) info() session.Info {
	return session.Info{
		ID: session.HandleID(r.number), From: r.origin,
		Created: time.UnixMilli(r.created), Expires: time.UnixMilli(r.expires),
		Chunks: r.chunks, Bytes: r.bytes, Redacted: r.redacted, Format: r.format, Complete: r.state == "complete",
		Died: r.state == "incomplete",
	}
}

// Handle returns the response of this name, and counts as a use of it. The error is a *Gone if it is not there.
func (f *Session) Handle(id string) (*session.Stored, error) {
	number, ok := session.HandleNumber(id)
	if !ok {
		return nil, &session.Gone{ID: id, Reason: "unknown"}
	}
	var r infoRow
	var gone *session.Gone
	err := f.existing(func(c *connection) error {
		return c.reading(false, func() error {
			now := time.Now()
			err := c.retire(now)
			if err != nil {
				return err
			}
			if gone, err = c.gone(number); gone != nil || err != nil {
				return err
			}
			_, err = c.one(r.columns(), "UPDATE handle SET last_used_at = ? WHERE number = ? RETURNING "+
				infoColumns, now.UnixMilli(), number)
			return err
		})
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &session.Gone{ID: id, Reason: "unknown"}
	}
	if err != nil {
		return nil, err
	}
	_ = f.sweep() // others' blocks are no reason to fail, and stay to be swept
	if gone != nil {
		return nil, gone
	}
	return f.stored(&r), nil
}

func (f *Session) stored(r *infoRow) *session.Stored { return session.NewStored(f, r.id, r.info()) }

// gone returns why the handle of this number cannot be read, nil if it can.
func (c *connection) gone(number int64) (*session.Gone, error) {
	var state string
	var at int64
	found, err := c.one([]any{&state, &at}, "SELECT state, coalesce(gone_at, 0) FROM handle WHERE number = ?", number)
	if err != nil {
		return nil, err
	}
	if !found || state == "discarded" {
		return &session.Gone{ID: session.HandleID(number), Reason: "unknown"}, nil
	}
	switch state {
	case "expired", "evicted", "removed":
		return &session.Gone{ID: session.HandleID(number), Reason: state, When: time.UnixMilli(at)}, nil
	}
	return nil, nil
}

// Handles returns the handles that can be read, the oldest first. For a file that is not there the error wraps
// fs.ErrNotExist.
func (f *Session) Handles() ([]session.Info, error) {
	var infos []session.Info
	err := f.existing(func(c *connection) error {
		return c.reading(false, func() error {
			infos = infos[:0]
			if err := c.retire(time.Now()); err != nil {
				return err
			}
			for row, err := range c.rows("SELECT " + infoColumns +
				" FROM handle WHERE gone_at IS NULL AND number IS NOT NULL ORDER BY number") {
				if err != nil {
					return err
				}
				var r infoRow
				if err := row.scan(r.columns()...); err != nil {
					return err
				}
				infos = append(infos, r.info())
			}
			return nil
		})
	})
	return infos, err
}

// LastHandle returns the name of the handle that was named last and can be read; empty if there is none. For a file
// that is not there the error wraps fs.ErrNotExist.
func (f *Session) LastHandle() (id string, err error) {
	err = f.existing(func(c *connection) error {
		return c.reading(false, func() error {
			if err := c.retire(time.Now()); err != nil {
				return err
			}
			var number int64
			found, err := c.one([]any{&number},
				"SELECT number FROM handle WHERE gone_at IS NULL AND number IS NOT NULL ORDER BY number DESC LIMIT 1")
			if found {
				id = session.HandleID(number)
			}
			return err
		})
	})
	return id, err
}

const nextBlock = `SELECT number, first_chunk, last_chunk, bytes, content FROM block
	WHERE handle = ? AND (last_chunk, number) > (?, ?) ORDER BY last_chunk, number LIMIT 1`

// Next implements session.Reader. A block that is not there was removed while it was being read, or the file is broken.
func (f *Session) Next(s *session.Stored, at session.Position, into []byte) (b session.Block, err error) {
	b.Content = into
	err = f.existing(func(c *connection) error {
		found, err := c.one([]any{&b.Number, &b.First, &b.Last, &b.Bytes, &b.Content}, nextBlock, s.Row(), at.LastChunk,
			at.Number)
		if err != nil || found {
			return err
		}
		number, _ := session.HandleNumber(s.Info().ID)
		gone, err := c.gone(number)
		if err == nil && gone != nil {
			err = gone
		}
		return cmp.Or(err, session.ErrDamaged)
	})
	return b, err
}
