package session

import (
	"fmt"
	"io"
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

// Stored is a response that is in a session, as far as it was there when it was asked for.
type Stored struct {
	from Reader
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

// Info describes the handle as it was when it was asked for. Chunks and WriteTo give back as much.
func (s *Stored) Info() Info { return s.info }

// Chunks yields the chunks from number offset+1 on. Their first block is found in the index of the session; nothing
// before it is read. Bytes between chunks come in their place, those after the last chunk as far as they are in its
// block. An error is the last thing yielded. No transaction is open while a chunk is looked at.
func (s *Stored) Chunks(offset int) iter.Seq2[Chunk, error] {
	offset = max(offset, 0)
	return func(yield func(Chunk, error) bool) {
		var reader blockReader
		// The first block whose last chunk comes after the offset.
		at := Position{LastChunk: offset, Number: math.MaxInt64}
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
					yield(Chunk{}, Damaged(s.from.Path()))
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
	at := Position{LastChunk: -1}
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

// Position is that of a block in the order of its handle. The order holds while the last block grows.
type Position struct {
	LastChunk int
	Number    int64
}

// Reader reads the blocks of handles.
type Reader interface {
	// Path is that of the session.
	Path() string

	// Next returns the block after a position. Its content may be in the memory of into. The error is a *Gone if the
	// handle has been removed.
	Next(s *Stored, at Position, into []byte) (Block, error)
}

// NewStored returns the response in a row of a session.
func NewStored(from Reader, row int64, info Info) *Stored { return &Stored{from, row, info} }

// Row is what the session finds it by.
func (s *Stored) Row() int64 { return s.row }

// load unpacks the block after a position, moves the position there, and returns the number of the
// block's first chunk.
func (s *Stored) load(reader *blockReader, at *Position) (first int, err error) {
	block, err := s.from.Next(s, *at, reader.content)
	if err != nil {
		return 0, err
	}
	reader.content, at.LastChunk, at.Number = block.Content, block.Last, block.Number
	if reader.open(block.Content, block.Bytes) != nil {
		return 0, Damaged(s.from.Path())
	}
	return block.First, nil
}
