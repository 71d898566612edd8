package postgres

import (
	"errors"
	"io/fs"
	"time"

	"github.com/kfw-dev/kfw/session"
)

// NewHandle implements session.Session. Nothing is on the server until a block is full or the handle is named.
func (s *Session) NewHandle(from, redacted string) *session.Handle {
	w := &writer{s: s, token: newToken()}
	w.lease = lease{length: s.place.lease, renew: w.renew}
	return session.NewHandle(w, from, redacted)
}

// writer writes one handle. It implements session.Writer.
type writer struct {
	s     *Session
	token string
	lease lease
}

// Write implements session.Writer.
func (w *writer) Write(p session.Write) (written session.Written, err error) {
	s := w.s
	var number, first, last, offset, bytes any
	var content []byte
	var needed int64
	if b := p.Block; b != nil {
		number, first, last, offset, bytes, content = b.Number, int64(b.First), int64(b.Last), b.Offset, b.Bytes, b.Content
		needed = int64(len(content))
	}
	shown := session.Shown{}
	if p.Shown != nil {
		shown = *p.Shown
	}
	for {
		var state string
		var handle, name *int64
		sent := time.Now()
		keep := s.row
		if p.Sync {
			keep = s.synced
		}
		err = keep(`SELECT * FROM kfw.keep($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
			$19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29)`,
			s.made(s.settings.TTL.Milliseconds(), s.settings.StoreMax, w.token, s.place.lease.Milliseconds(), hostName(),
				p.Handle == 0, p.Origin, p.Redacted, p.Format, number, first, last, offset, bytes, content, p.Name,
				p.Number, p.Complete || p.Shown != nil, p.Shown != nil, shown.Result, shown.Call, shown.InPart, int64(p.Tokens),
				p.Command),
			&state, &handle, &name)
		switch {
		case err == nil && state == "removed":
			return written, session.ErrRemoved
		case err == nil:
			if p.Complete {
				w.lease.end()
			} else {
				w.lease.confirmed(sent)
			}
			return session.Written{Handle: int64(of(handle)), Row: 1, Number: int64(of(name)), IsAgain: state == "again"}, nil
		case code(err) != isFull:
			return written, err
		}
		var isRoom bool
		err := s.row("SELECT kfw.make_room($1, $2, $3, $4, $5, $6, $7)",
			s.named(s.settings.StoreMax, w.token, number, first, needed), &isRoom)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // a session that was not made is as full
			return written, err
		}
		if !isRoom {
			u := s.place.refused("cannot keep more: what is being written takes all that its handles may take", nil)
			u.Full = true
			return written, u
		}
	}
}

func (w *writer) renew() (isOwn bool, err error) {
	err = w.s.row("SELECT kfw.renew_handle($1, $2, $3, $4)", w.s.named(w.token, w.s.place.lease.Milliseconds()), &isOwn)
	return isOwn, err
}

// Discard implements session.Writer.
func (w *writer) Discard(int64) error {
	w.lease.end()
	return w.s.row("SELECT kfw.discard($1, $2, $3)", w.s.named(w.token))
}

// infoRow is a row of a handle: state, id, number and so on.
type infoRow struct {
	state, origin, redacted, format string
	id, number, chunks, bytes       int64
	created, expires                time.Time
}

func (r *infoRow) columns() []any {
	return []any{&r.state, &r.id, &r.number, &r.origin, &r.created, &r.expires, &r.chunks, &r.bytes, &r.redacted,
		&r.format}
}

func (r *infoRow) info() session.Info {
	return session.Info{ID: session.HandleID(r.number), From: r.origin, Created: r.created, Expires: r.expires,
		Chunks: int(r.chunks), Bytes: r.bytes, Redacted: r.redacted, Format: r.format, Complete: r.state == "complete",
		Died: r.state == "incomplete"}
}

func (s *Session) stored(r *infoRow) *session.Stored { return session.NewStored(s, r.id, r.info()) }

// Handle implements session.Session.
func (s *Session) Handle(id string) (*session.Stored, error) {
	number, ok := session.HandleNumber(id)
	if !ok {
		return nil, &session.Gone{ID: id, Reason: "unknown"}
	}
	var r infoRow
	var state string
	var gone, created, expires *time.Time
	var row, named, chunks, bytes *int64
	var origin, redacted, format *string
	err := s.row("SELECT * FROM kfw.handle($1, $2, $3)", s.named(number), &state, &gone, &row, &named, &origin, &created,
		&expires, &chunks, &bytes, &redacted, &format)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &session.Gone{ID: id, Reason: "unknown"}
	}
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, whyGone(id, state, gone)
	}
	r = infoRow{state: state, id: *row, number: *named, origin: *origin, created: *created, expires: *expires,
		chunks: *chunks, bytes: *bytes, redacted: *redacted, format: *format}
	return s.stored(&r), nil
}

// whyGone is the error for a handle in this state, which can't be read.
func whyGone(id, state string, at *time.Time) *session.Gone {
	if state == "discarded" || at == nil {
		return &session.Gone{ID: id, Reason: "unknown"}
	}
	return &session.Gone{ID: id, Reason: state, When: *at}
}

// Handles implements session.Session.
func (s *Session) Handles() (infos []session.Info, err error) {
	err = s.rows("SELECT * FROM kfw.handles($1, $2)", s.named(), func() { infos = nil },
		func(row rowValues) (bool, error) {
			var r infoRow
			err := row.scan(r.columns()...)
			infos = append(infos, r.info())
			return true, err
		})
	return infos, err
}

// LastHandle implements session.Session.
func (s *Session) LastHandle() (id string, err error) {
	infos, err := s.Handles()
	if len(infos) > 0 {
		id = infos[len(infos)-1].ID
	}
	return id, err
}

// Remove implements session.Session.
func (s *Session) Remove(ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	numbers := make([]int64, len(ids))
	for i, id := range ids {
		numbers[i], _ = session.HandleNumber(id) // there is no handle 0
	}
	var at *int64
	var state *string
	var gone *time.Time
	err := s.once("SELECT * FROM kfw.remove($1, $2, $3)", s.named(numbers), &at, &state, &gone)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &session.Gone{ID: ids[0], Reason: "unknown"}
	case err != nil:
		return err
	case at != nil:
		return whyGone(ids[*at-1], *state, gone)
	}
	for more := true; more && err == nil; {
		err = s.row("SELECT kfw.swept($1, $2)", s.named(), &more)
	}
	return err
}

// Next implements session.Reader.
func (s *Session) Next(of *session.Stored, at session.Position, into []byte) (b session.Block, err error) {
	isThere := false
	err = s.rows(`SELECT number, first_chunk, last_chunk, bytes, content FROM kfw.block
		WHERE handle = $1 AND (last_chunk, number) > ($2, $3) ORDER BY last_chunk, number LIMIT 1`,
		[]any{of.Row(), int64(at.LastChunk), at.Number}, func() { isThere = false },
		func(row rowValues) (bool, error) {
			isThere = true
			var content lent
			err := row.scan(&b.Number, &b.First, &b.Last, &b.Bytes, &content)
			b.Content = append(into[:0], content...)
			return false, err
		})
	if err == nil && !isThere {
		if _, err := s.Handle(of.Info().ID); err != nil {
			return b, err
		}
		return b, session.Damaged(s.Path())
	}
	return b, err
}
