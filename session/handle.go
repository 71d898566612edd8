package session

import (
	"errors"
	"strconv"
	"time"

	"github.com/klauspost/compress/zstd"
)

// Handle is a response on its way into the file. Nothing is on disk until a block is full or the handle is named.
// After an error every call returns it again, except Discard.
type Handle struct {
	file     *File
	origin   string
	redacted string

	block   blockWriter
	encoder *zstd.Encoder
	sealed  []byte // the compressed block, for the moment of writing it

	id      int64 // of its row, 0 while nothing is on disk
	name    string
	blockID int64 // of the row that has the unfinished block as it was, 0 for none
	number  int   // of the block
	chunks  int
	bytes   int64
	unsaved bool // something was kept that is not on disk
	ended   bool
	err     error
}

// NewHandle returns a handle for a response from there, a command or a file name, redacted already, of which this was
// taken out, in the words of the caller.
func (f *File) NewHandle(from, redacted string) *Handle {
	return &Handle{file: f, origin: from, redacted: redacted}
}

// Keep adds a chunk: the bytes between the one before and this one, its own bytes, where it stood, and what kind it is,
// as the caller numbers kinds, from 0 to 63. Of a lead longer than 16 KiB only the end stays with the chunk; the rest is
// kept as if it had been given to Tail.
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
		h.bytes += int64(n)
		h.unsaved = true
		lead = lead[n:]
	}
	return nil
}

// Name returns what the handle is called: h1, h2, ... When it returns, everything kept so far can be read by other
// processes, and is on disk.
func (h *Handle) Name() (string, error) {
	if h.err != nil {
		return "", h.err
	}
	if h.ended {
		if h.name == "" {
			return "", errors.New("handle: closed before it was named")
		}
		return h.name, nil
	}
	if h.name == "" || h.unsaved {
		if h.err = h.write(true, h.giveName); h.err != nil {
			return "", h.err
		}
	}
	return h.name, nil
}

// Commit writes the rest and ends the handle. One that was never named and of which nothing is on disk leaves nothing
// there; one that was written without being named gets a name, so that it can be found.
func (h *Handle) Commit() error {
	if h.err != nil || h.ended {
		return h.err
	}
	if h.id != 0 {
		h.err = h.write(true, func(c *connection) error {
			if err := h.giveName(c); err != nil {
				return err
			}
			return c.exec("UPDATE handle SET state = 'complete', last_used_at = ? WHERE id = ?", time.Now().UnixMilli(), h.id)
		})
	}
	h.end()
	return h.err
}

// Discard removes what was written and ends the handle. After Commit it does nothing.
func (h *Handle) Discard() error {
	if h.ended {
		return nil
	}
	h.end()
	if h.id == 0 {
		return nil
	}
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
	h.block, h.encoder, h.sealed = blockWriter{}, nil, nil
}

func (h *Handle) writable() error {
	if h.ended && h.err == nil {
		return errors.New("handle: closed")
	}
	return h.err
}

// finishBlock writes a full block and begins the next.
func (h *Handle) finishBlock() error {
	if h.err = h.write(false, nil); h.err != nil {
		return h.err
	}
	h.block.reset()
	h.blockID = 0
	h.number++
	return nil
}

// write puts the block as it is into the file, in one transaction with what else is to be done. A block that grew since
// it was written is written over.
func (h *Handle) write(sync bool, also func(*connection) error) error {
	first := h.id == 0
	h.sealed = h.sealed[:0]
	if !h.block.isEmpty() {
		if h.encoder == nil {
			var err error
			if h.encoder, err = newEncoder(); err != nil {
				return err
			}
		}
		h.sealed = h.block.seal(h.encoder, h.sealed)
	}
	for id, name, blockID := h.id, h.name, h.blockID; ; {
		err := h.file.made(func(c *connection) error {
			return c.transaction(sync, func() error {
				if first {
					if err := h.insert(c); err != nil {
						return err
					}
				}
				if err := h.writeBlock(c); err != nil {
					return err
				}
				if also != nil {
					return also(c)
				}
				return nil
			})
		})
		if err == nil {
			break
		}
		h.id, h.name, h.blockID = id, name, blockID // none of it came to be, and its ids may be another's
		if !errors.Is(err, errStoreFull) {
			return err
		}
		if err := h.file.makeRoom(); err != nil {
			return err
		}
	}
	h.unsaved = false
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
	err := c.exec(`INSERT INTO handle (origin, redacted, state, pid, process_start, machine, created_at, last_used_at, ttl_ms)
		SELECT ?1, ?2, 'writing', ?3, ?4, ?5, ?6, ?6, iif(?7 > 0, ?7, handle_ttl_ms) FROM session`,
		h.origin, h.redacted, me.pid, me.start, me.machine, now.UnixMilli(), h.file.settings.TTL.Milliseconds())
	if err != nil {
		return err
	}
	h.id = c.inserted()
	return nil
}

func (h *Handle) writeBlock(c *connection) error {
	if h.block.isEmpty() {
		return nil
	}
	length, last := len(h.block.bytes), h.chunks
	var err error
	if h.blockID == 0 {
		err = c.exec(`INSERT INTO block (handle, number, first_chunk, last_chunk, byte_offset, bytes, content)
			SELECT id, ?, ?, ?, ?, ?, ? FROM handle WHERE id = ? AND state = 'writing'`,
			h.number, last-h.block.chunks+1, last, h.bytes-int64(length), length, h.sealed, h.id)
	} else {
		err = c.exec(`UPDATE block SET last_chunk = ?, bytes = ?, content = ?
			WHERE id = ? AND EXISTS (SELECT 1 FROM handle WHERE id = ? AND state = 'writing')`,
			last, length, h.sealed, h.blockID, h.id)
	}
	if err != nil {
		return err
	}
	if c.changes() == 0 {
		return errors.New("handle: it was removed while it was being written")
	}
	if h.blockID == 0 {
		h.blockID = c.inserted()
	}
	return c.withinStore(h.file.settings.StoreMax)
}

// giveName takes the next number of the file. A number is never given twice.
func (h *Handle) giveName(c *connection) error {
	if h.name != "" {
		return nil
	}
	var number int64
	found, err := c.one([]any{&number}, "UPDATE session SET handles_named = handles_named + 1 RETURNING handles_named")
	if err != nil {
		return err
	}
	if !found {
		return errDamaged
	}
	if err := c.exec("UPDATE handle SET number = ? WHERE id = ?", number, h.id); err != nil {
		return err
	}
	h.name = handleID(number)
	return nil
}

func handleID(number int64) string { return "h" + strconv.FormatInt(number, 10) }

// handleNumber is the inverse of handleID. There is one spelling for each number.
func handleNumber(id string) (int64, bool) {
	if len(id) < 2 || id[0] != 'h' {
		return 0, false
	}
	number, err := strconv.ParseInt(id[1:], 10, 64)
	return number, err == nil && number > 0 && handleID(number) == id
}
