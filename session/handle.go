package session

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"strconv"
	"time"
)

// Handle is a response on its way into the file. Nothing is on disk until a block is full or the handle is named. A
// full block is written while the next one is filled, so an error may come one block late. It is returned again by
// every later call, except Discard. A handle is to be ended by Commit or Discard.
type Handle struct {
	file     *File
	origin   string
	redacted string
	format   string

	block     *blockWriter // that is being filled
	full      *blockWriter // the one before
	writes    chan write   // to the goroutine that does them, nil until the first one
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

// NewHandle returns a handle for a response from there, a command or a file name, redacted already, of which this was
// taken out, in the words of the caller.
func (f *File) NewHandle(from, redacted string) *Handle {
	return &Handle{
		file: f, origin: from, redacted: redacted,
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
		h.begin(write{block: h.endBlock(), sync: true, also: h.giveName})
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
		h.begin(write{block: h.endBlock(), sync: true, also: func(c *connection) error {
			if err := h.giveName(c); err != nil {
				return err
			}
			return c.exec("UPDATE handle SET state = 'complete', last_used_at = ? WHERE id = ?",
				time.Now().UnixMilli(), h.id)
		}})
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
	return errors.Join(err, h.remove())
}

func (h *Handle) remove() error {
	err := h.file.existing(func(c *connection) error {
		return c.transaction(false, func() error {
			return c.exec("UPDATE handle SET state = 'discarded', gone_at = ? WHERE id = ? AND state = 'writing'",
				time.Now().UnixMilli(), h.id)
		})
	})
	if err != nil {
		return err
	}
	return h.file.sweep()
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
	h.begin(write{block: full})
	return nil
}

// write is to put a block as it is into the file, in one transaction with what else is to be done.
type write struct {
	block *blockWriter
	sync  bool
	also  func(*connection) error
}

// begin has a write done in the goroutine of the handle: SQLite and the compressor take much stack, which is there
// once.
func (h *Handle) begin(w write) {
	if h.writes == nil {
		writes := make(chan write)
		go func() {
			for w := range writes {
				h.written <- h.do(w)
			}
		}()
		h.writes = writes
	}
	h.isWriting = true
	h.writes <- w
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

// do does a write. A block that grew since it was written is written over.
func (h *Handle) do(w write) error {
	block := w.block
	first := h.id == 0
	h.sealed = h.sealed[:0]
	if !block.isEmpty() {
		h.sealed = block.seal(h.sealed)
	}
	for id, name, row := h.id, h.name, block.row; ; {
		err := h.file.made(func(c *connection) error {
			return c.transaction(w.sync, func() error {
				if first {
					if err := h.insert(c); err != nil {
						return err
					}
				}
				if err := h.writeBlock(c, block); err != nil {
					return err
				}
				if w.also != nil {
					return w.also(c)
				}
				return nil
			})
		})
		if err == nil {
			break
		}
		h.id, h.name, block.row = id, name, row // none of it came to be, and its ids may be another's
		if !errors.Is(err, errStoreFull) {
			return err
		}
		if err := h.file.makeRoom(int64(len(h.sealed)), row); err != nil {
			return err
		}
	}
	if first {
		_ = h.file.sweep() // others' blocks are no reason to fail, and stay to be swept
	}
	return nil
}

func (h *Handle) insert(c *connection) error {
	now := time.Now()
	if err := c.retire(now); err != nil {
		return err
	}
	me := self()
	err := c.exec(`INSERT INTO handle (origin, redacted, format, state, pid, process_start, machine, created_at,
		last_used_at, ttl_ms)
		SELECT ?1, ?2, ?3, 'writing', ?4, ?5, ?6, ?7, ?7, iif(?8 > 0, ?8, handle_ttl_ms) FROM session`,
		h.origin, h.redacted, h.format, me.pid, me.start, me.machine, now.UnixMilli(), h.file.settings.TTL.Milliseconds())
	if err != nil {
		return err
	}
	h.id = c.inserted()
	return nil
}

func (h *Handle) writeBlock(c *connection, block *blockWriter) error {
	if block.isEmpty() {
		return nil
	}
	length := len(block.bytes)
	var err error
	if block.row == 0 {
		err = c.exec(`INSERT INTO block (handle, number, first_chunk, last_chunk, byte_offset, bytes, content)
			SELECT id, ?, ?, ?, ?, ?, ? FROM handle WHERE id = ? AND state = 'writing'`,
			block.number, block.last-block.chunks+1, block.last, block.end-int64(length), length, h.sealed, h.id)
	} else {
		err = c.exec(`UPDATE block SET last_chunk = ?, bytes = ?, content = ?
			WHERE id = ? AND EXISTS (SELECT 1 FROM handle WHERE id = ? AND state = 'writing')`,
			block.last, length, h.sealed, block.row, h.id)
	}
	if err != nil {
		return err
	}
	if c.changes() == 0 {
		return errors.New("handle: it was removed while it was being written")
	}
	if block.row == 0 {
		block.row = c.inserted()
	}
	return c.withinStore(h.file.settings.StoreMax)
}

// giveName takes the next number of the file, or the one that the content has.
func (h *Handle) giveName(c *connection) error {
	if h.name != "" {
		return nil
	}
	if h.content != nil {
		return h.nameByContent(c)
	}
	number, err := c.nextNumber()
	if err != nil {
		return err
	}
	if err := c.exec("UPDATE handle SET number = ? WHERE id = ?", number, h.id); err != nil {
		return err
	}
	h.name = handleID(number)
	return nil
}

// The number of a handle that is named by its content: contentBits bits of a hash, with
// firstOfContent set, so that it never meets the sequential numbers.
const (
	contentBits    = 48
	firstOfContent = 1 << contentBits
)

// nameByContent gives the handle the number of its content, unless the file has that already: it lives on then.
func (h *Handle) nameByContent(c *connection) error {
	sum := binary.BigEndian.Uint64(h.content.Sum(nil))
	number := int64(firstOfContent | sum>>(64-contentBits))
	h.name = handleID(number)
	var again int64
	found, err := c.one([]any{&again}, "UPDATE handle SET last_used_at = ? WHERE number = ? AND gone_at IS NULL RETURNING id",
		time.Now().UnixMilli(), number)
	if err != nil {
		return err
	}
	if h.isAgain = found; found {
		return nil
	}
	if err := c.exec("UPDATE handle SET number = NULL WHERE number = ?", number); err != nil { // one that is gone
		return err
	}
	return c.exec("UPDATE handle SET number = ? WHERE id = ?", number, h.id)
}

// nextNumber is that of the next handle with a name. A number is never given twice.
func (c *connection) nextNumber() (number int64, err error) {
	found, err := c.one([]any{&number}, "UPDATE session SET handles_named = handles_named + 1 RETURNING handles_named")
	if err == nil && !found {
		err = errDamaged
	}
	return number, err
}

func handleID(number int64) string { return named('h', number) }

func handleNumber(id string) (int64, bool) { return numberOf('h', id) }

// named returns the ID of the thing with this number: a letter, then the number.
func named(letter byte, number int64) string { return string(letter) + strconv.FormatInt(number, 10) }

// numberOf is the inverse of named. There is one spelling for each number.
func numberOf(letter byte, id string) (int64, bool) {
	if len(id) < 2 || id[0] != letter {
		return 0, false
	}
	number, err := strconv.ParseInt(id[1:], 10, 64)
	return number, err == nil && number > 0 && named(letter, number) == id
}
