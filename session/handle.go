package session

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
)

// Handle is a response on its way into the file. Nothing is on disk until a block is full or the handle is named. A
// full block is written while the next one is filled, so an error may come one block late. It is returned again by
// every later call, except Discard. A handle is to be ended by Commit or Discard.
type Handle struct {
	to       Writer
	origin   string
	redacted string
	format   string

	block     *blockWriter // that is being filled
	full      *blockWriter // the one before
	writes    chan pending // to the goroutine that does them, nil until the first one
	written   chan error   // what became of each
	isWriting bool         // one is being done: its block and what follows, up to sealed, are not to be touched

	id     int64 // of its row, 0 while nothing is on disk
	name   string
	sealed []byte // the packed block, for the moment of writing it

	content hash.Hash // of what was kept, if the handle is named by that; else nil
	isAgain bool      // what was kept is in the file under the same name

	chunks  int
	bytes   int64
	unsaved bool // something was kept since the last block was written or begun
	ended   bool
	err     error
}

// NewHandle returns a handle whose blocks w writes: see Session.NewHandle.
func NewHandle(w Writer, from, redacted string) *Handle {
	return &Handle{
		to: w, origin: from, redacted: redacted,
		block: newBlockWriter(), full: newBlockWriter(), written: make(chan error, 1),
	}
}

// ShownAs says in which format the response is shown, in the words of the caller, and returns the handle. It has no
// effect once a block is on disk.
func (h *Handle) ShownAs(format string) *Handle {
	h.format = format
	return h
}

// NamedByContent makes the name of the handle a hash of its content, and returns the handle. The
// same content then has the same name in every file, and a file stores it once. Call it before the
// first Keep. Content that is kept after Name does not count.
func (h *Handle) NamedByContent() *Handle {
	h.content = sha256.New()
	return h
}

// Keep adds a chunk: the bytes between the one before and this one, its own bytes, where it stood, and what kind it
// is, as the caller numbers kinds, from 0 to 63. Of a lead longer than 16 KiB only the end stays with the chunk; the
// rest is kept as if it had been given to Tail.
func (h *Handle) Keep(lead, source, path []byte, kind uint8) error {
	if more := len(lead) - maxLead; more > 0 {
		if err := h.Tail(lead[:more]); err != nil {
			return err
		}
		lead = lead[more:]
	}
	if err := h.writable(); err != nil {
		return err
	}
	if !h.block.isEmpty() && !h.block.fits(lead, source, path) {
		if err := h.finishBlock(); err != nil {
			return err
		}
	}
	h.block.addChunk(lead, source, path, kind)
	h.hash(lead, source)
	h.chunks++
	h.bytes += int64(len(lead) + len(source))
	h.unsaved = true
	return nil
}

// Tail adds bytes that belong to no chunk: those after the last one, or a piece of what lies between two.
func (h *Handle) Tail(lead []byte) error {
	if err := h.writable(); err != nil {
		return err
	}
	for len(lead) > 0 {
		n := min(len(lead), h.block.room())
		if n <= 0 {
			if err := h.finishBlock(); err != nil {
				return err
			}
			continue
		}
		h.block.addBetween(lead[:n])
		h.hash(lead[:n], nil)
		h.bytes += int64(n)
		h.unsaved = true
		lead = lead[n:]
	}
	return nil
}

func (h *Handle) hash(lead, source []byte) {
	if h.content != nil {
		_, _ = h.content.Write(lead) // it never fails
		_, _ = h.content.Write(source)
	}
}

// Name returns what the handle is called: h1, h2, ... When it returns, everything kept so far can be read by other
// processes, and is on disk.
func (h *Handle) Name() (string, error) {
	if err := h.settle(); err != nil {
		return "", err
	}
	if h.ended {
		if h.name == "" {
			return "", errors.New("handle: closed before it was named")
		}
		return h.name, nil
	}
	if h.name == "" || h.unsaved {
		h.begin(h.endBlock(), Write{Sync: true, Name: h.name == "", Number: h.contentNumber()})
		if err := h.settle(); err != nil {
			return "", err
		}
		h.unsaved = false
	}
	return h.name, nil
}

// Commit writes the rest and ends the handle. One that was never named and of which nothing is on disk leaves nothing
// there; one that was written without being named gets a name, so that it can be found.
func (h *Handle) Commit() error {
	if err := h.settle(); err != nil || h.ended {
		return err
	}
	if h.isAgain {
		return h.Discard()
	}
	if h.id != 0 {
		h.begin(h.endBlock(), Write{Sync: true, Name: h.name == "", Number: h.contentNumber(), Complete: true})
	}
	err := h.settle()
	h.end()
	return err
}

// Discard removes what was written and ends the handle. After Commit it does nothing. What could not be written is an
// error, unless a call before has returned that.
func (h *Handle) Discard() error {
	if h.ended {
		return nil
	}
	returned := h.err != nil
	err := h.settle()
	h.end()
	if returned {
		err = nil
	}
	if h.id == 0 {
		return err
	}
	return errors.Join(err, h.to.Discard(h.id))
}

func (h *Handle) end() {
	h.ended = true
	h.stop()
	h.block, h.full, h.sealed = new(blockWriter), nil, nil
}

func (h *Handle) writable() error {
	if h.ended && h.err == nil {
		return errors.New("handle: closed")
	}
	return h.err
}

// finishBlock has a full block written, and begins the next.
func (h *Handle) finishBlock() error {
	if err := h.settle(); err != nil {
		return err
	}
	full := h.endBlock()
	h.block, h.full = h.full, full
	h.block.reset(full.number + 1)
	h.begin(full, Write{})
	return nil
}

// pending is a write of a block.
type pending struct {
	Write
	block *blockWriter
}

// begin has a write done in the goroutine of the handle: SQLite and the compressor take much stack, which is there
// once.
func (h *Handle) begin(block *blockWriter, w Write) {
	if h.writes == nil {
		writes := make(chan pending)
		go func() {
			for p := range writes {
				h.written <- h.do(p.block, p.Write)
			}
		}()
		h.writes = writes
	}
	h.isWriting = true
	h.writes <- pending{w, block}
}

// stop lets the goroutine end.
func (h *Handle) stop() {
	if h.writes != nil {
		close(h.writes)
		h.writes = nil
	}
}

// settle waits until what has begun is written. Nothing is written after an error.
func (h *Handle) settle() error {
	if h.isWriting {
		h.err, h.isWriting = <-h.written, false
	}
	if h.err != nil {
		h.stop()
	}
	return h.err
}

// endBlock returns the block that is being filled, to be written as it is.
func (h *Handle) endBlock() *blockWriter {
	h.block.last, h.block.end = h.chunks, h.bytes
	return h.block
}

// do does a write. A block that grew since it was written is written over. Of a write that fails nothing came to be.
func (h *Handle) do(block *blockWriter, w Write) error {
	w.Handle, w.Origin, w.Redacted, w.Format = h.id, h.origin, h.redacted, h.format
	if h.sealed = h.sealed[:0]; !block.isEmpty() {
		h.sealed = block.seal(h.sealed)
		length := len(block.bytes)
		w.Block = &Block{Row: block.row, Number: int64(block.number), First: block.last - block.chunks + 1, Last: block.last,
			Offset: block.end - int64(length), Bytes: int64(length), Content: h.sealed}
	}
	written, err := h.to.Write(w)
	if err != nil {
		return err
	}
	h.id, block.row = written.Handle, written.Row
	if w.Name {
		h.name, h.isAgain = HandleID(written.Number), written.IsAgain
	}
	return nil
}

// The number of a handle that is named by its content: contentBits bits of a hash, with
// firstOfContent set, so that it never meets the sequential numbers.
const (
	contentBits    = 48
	firstOfContent = 1 << contentBits
)

// contentNumber returns the number of a handle that is named by its content, 0 of another.
func (h *Handle) contentNumber() int64 {
	if h.content == nil {
		return 0
	}
	sum := binary.BigEndian.Uint64(h.content.Sum(nil))
	return int64(firstOfContent | sum>>(64-contentBits))
}

// ErrRemoved is the error of a handle that somebody has removed while it was being written.
var ErrRemoved = errors.New("handle: it was removed while it was being written")

// Writer puts the blocks of one handle into a session.
type Writer interface {
	// Write does a write in one transaction. If it fails, nothing of it is there. Where the session is full, handles
	// that are expired or were not used for long make room.
	Write(w Write) (Written, error)

	// Discard removes what was written of the handle, unless it is complete.
	Discard(handle int64) error
}

// Write is a part of a handle, to be written in one transaction.
type Write struct {
	Handle                   int64 // as Written said; 0 for the first write, which makes the handle
	Origin, Redacted, Format string

	Block    *Block // nil for none
	Sync     bool   // what is written is on disk when the call returns
	Name     bool   // the handle gets a name
	Number   int64  // that of the name, which the content has; 0 for the next of the session
	Complete bool   // the handle ends
	Shown    *Shown // what it is recognized by from now on; nil for nothing
	Tokens   int    // go on the ledger as Session.Spend puts them there
	Command  string // for the ledger
}

// Written is what became of a write.
type Written struct {
	Handle  int64
	Row     int64 // see Block
	Number  int64 // of the handle's name, if it has got one
	IsAgain bool  // another handle of that content is there, and has the name
}

// Block is a part of a response.
type Block struct {
	Row         int64 // what the session finds it by, 0 for one that is new
	Number      int64 // within its handle, from 0
	First, Last int   // numbers of chunks; the last is one less than the first if no chunk ends in it
	Offset      int64 // of its first byte in the response
	Bytes       int64 // of the response that are in it
	Content     []byte
}
