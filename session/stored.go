package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"time"
)

// Gone is the error for a handle that is not there, or not any more.
type Gone struct {
	ID     string
	Reason string    // unknown, expired, evicted or removed
	When   time.Time // zero if unknown
}

// Error implements error.
func (e *Gone) Error() string {
	if e.When.IsZero() {
		return fmt.Sprintf("handle %q: %s", e.ID, e.Reason)
	}
	return fmt.Sprintf("handle %q: %s at %s", e.ID, e.Reason, e.When.UTC().Format(time.RFC3339))
}

// Info describes a handle.
type Info struct {
	ID       string
	From     string
	Created  time.Time
	Expires  time.Time // if it is not used until then
	Chunks   int
	Bytes    int64  // of the response
	Redacted string // what was taken out of it, as given to NewHandle
	Format   string // in which it was shown, as given to Handle.ShownAs; empty where that is not known
	Complete bool   // false while it is written, and for ever if its writer died
	Died     bool   // its writer, as far as that can be seen from here
}

// Stored is a response that is in the file, as far as it was there when it was asked for.
type Stored struct {
	file *File
	row  int64
	info Info
}

// Chunk is one chunk of a stored response, or bytes between chunks. Its bytes are valid until the next one.
type Chunk struct {
	Seq    int    // from 1; 0 for bytes that belong to no chunk, which are in Lead
	Lead   []byte // the bytes before it, as given to Handle.Keep
	Source []byte
	Path   []byte
	Kind   uint8
}

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

func (r *infoRow) info() Info {
	return Info{
		ID: handleID(r.number), From: r.origin,
		Created: time.UnixMilli(r.created), Expires: time.UnixMilli(r.expires),
		Chunks: r.chunks, Bytes: r.bytes, Redacted: r.redacted, Format: r.format, Complete: r.state == "complete",
		Died: r.state == "incomplete",
	}
}

// Handle returns the response of this name, and counts as a use of it. The error is a *Gone if it is not there.
func (f *File) Handle(id string) (*Stored, error) {
	number, ok := handleNumber(id)
	if !ok {
		return nil, &Gone{ID: id, Reason: "unknown"}
	}
	s := &Stored{file: f}
	var gone *Gone
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
			var r infoRow
			_, err = c.one(r.columns(), "UPDATE handle SET last_used_at = ? WHERE number = ? RETURNING "+
				infoColumns, now.UnixMilli(), number)
			s.row, s.info = r.id, r.info()
			return err
		})
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Gone{ID: id, Reason: "unknown"}
	}
	if err != nil {
		return nil, err
	}
	_ = f.sweep() // others' blocks are no reason to fail, and stay to be swept
	if gone != nil {
		return nil, gone
	}
	return s, nil
}

// gone returns why the handle of this number cannot be read, nil if it can.
func (c *connection) gone(number int64) (*Gone, error) {
	var state string
	var at int64
	found, err := c.one([]any{&state, &at}, "SELECT state, coalesce(gone_at, 0) FROM handle WHERE number = ?", number)
	if err != nil {
		return nil, err
	}
	if !found || state == "discarded" {
		return &Gone{ID: handleID(number), Reason: "unknown"}, nil
	}
	switch state {
	case "expired", "evicted", "removed":
		return &Gone{ID: handleID(number), Reason: state, When: time.UnixMilli(at)}, nil
	}
	return nil, nil
}

// Handles returns the handles that can be read, the oldest first. For a file that is not there the error wraps
// fs.ErrNotExist.
func (f *File) Handles() ([]Info, error) {
	var infos []Info
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
func (f *File) LastHandle() (id string, err error) {
	err = f.existing(func(c *connection) error {
		return c.reading(false, func() error {
			if err := c.retire(time.Now()); err != nil {
				return err
			}
			var number int64
			found, err := c.one([]any{&number},
				"SELECT number FROM handle WHERE gone_at IS NULL AND number IS NOT NULL ORDER BY number DESC LIMIT 1")
			if found {
				id = handleID(number)
			}
			return err
		})
	})
	return id, err
}

// Info describes the handle as it was when it was asked for. Chunks and WriteTo give back as much.
func (s *Stored) Info() Info { return s.info }

// Chunks yields the chunks from number offset+1 on. Their first block is found in the index of the file; nothing
// before it is read. Bytes between chunks come in their place, those after the last chunk as far as they are in its
// block. An error is the last thing yielded. No transaction is open while a chunk is looked at.
func (s *Stored) Chunks(offset int) iter.Seq2[Chunk, error] {
	offset = max(offset, 0)
	return func(yield func(Chunk, error) bool) {
		var reader blockReader
		// The first block whose last chunk comes after the offset.
		at := position{lastChunk: offset, number: math.MaxInt64}
		for seq := offset; seq < s.info.Chunks; {
			first, err := s.load(&reader, &at)
			if err != nil {
				yield(Chunk{}, err)
				return
			}
			seq = first - 1
			for {
				p, more, err := reader.next()
				if err != nil {
					yield(Chunk{}, s.file.explain(err))
					return
				}
				if !more || p.chunk && seq == s.info.Chunks {
					break
				}
				if !p.chunk {
					if seq >= offset && !yield(Chunk{Lead: p.lead}, nil) {
						return
					}
					continue
				}
				seq++
				if seq <= offset {
					continue
				}
				if !yield(Chunk{Seq: seq, Lead: p.lead, Source: p.source, Path: p.path, Kind: p.kind}, nil) {
					return
				}
			}
		}
	}
}

// WriteTo writes the exact bytes of the response: everything that Keep and Tail were given, in order.
func (s *Stored) WriteTo(w io.Writer) (int64, error) {
	var reader blockReader
	at := position{lastChunk: -1}
	var written int64
	for written < s.info.Bytes {
		if _, err := s.load(&reader, &at); err != nil {
			return written, err
		}
		n, err := w.Write(reader.bytes[:min(int64(len(reader.bytes)), s.info.Bytes-written)])
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// position is that of a block in the order of its handle. The order holds while the last block grows.
type position struct {
	lastChunk int
	number    int64
}

const nextBlock = `SELECT number, first_chunk, last_chunk, bytes, content FROM block
	WHERE handle = ? AND (last_chunk, number) > (?, ?) ORDER BY last_chunk, number LIMIT 1`

// load unpacks the block after a position, moves the position there, and returns the number of the
// block's first chunk.
func (s *Stored) load(reader *blockReader, at *position) (first int, err error) {
	err = s.file.existing(func(c *connection) error {
		var n int64
		found, err := c.one([]any{&at.number, &first, &at.lastChunk, &n, &reader.content}, nextBlock, s.row,
			at.lastChunk, at.number)
		if err != nil {
			return err
		}
		if !found {
			return s.whyMissing(c)
		}
		return reader.open(reader.content, n)
	})
	return first, err
}

// whyMissing is the reason for a block that is not there: it was removed while it was being read, or the file is
// broken.
func (s *Stored) whyMissing(c *connection) error {
	number, _ := handleNumber(s.info.ID)
	gone, err := c.gone(number)
	if err != nil {
		return err
	}
	if gone != nil {
		return gone
	}
	return errDamaged
}
