package mcp

import (
	"bytes"
	"io"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/spool"
)

const (
	// maxHeld is how much of a list of content is held so that its texts are redacted as one, in bytes. A longer list
	// is held part by part, and a longer text is redacted alone.
	maxHeld = 128 << 10
	// maxContext is how long a text may be that is looked at again with the next part, in bytes: the first one, which
	// may be the header of a table, and the last one.
	maxContext = 4 << 10
)

// held is where the first pass writes to. It holds back a list of content: what is redacted in a text depends on the
// texts around it.
type held struct {
	to     *spool.Spool
	redact func(texts []string, before int) ([]string, error)

	isHolding bool
	inText    bool // what is written is a text that was not redacted
	bytes     []byte
	texts     []heldText
	first     string // of the list, if it is short
	last      string
}

// heldText is a text that waits.
type heldText struct {
	from, to int // in bytes, with its quotes
	text     string
	measure  func() io.Writer // nil if it is not measured
}

// Write implements io.Writer.
func (h *held) Write(b []byte) (int, error) {
	if !h.isHolding {
		return h.to.Write(b)
	}
	h.bytes = append(h.bytes, b...)
	if len(h.bytes) > maxHeld && !h.inText {
		if err := h.flush(); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// reset forgets what is held.
func (h *held) reset() {
	*h = held{to: h.to, redact: h.redact, bytes: h.bytes[:0], texts: h.texts[:0]}
}

// list holds what of writes, which is a list of content or is in one that is held.
func (h *held) list(of func() error) error {
	if h.isHolding {
		return of()
	}
	h.isHolding = true
	if err := of(); err != nil {
		return err
	}
	if err := h.flush(); err != nil {
		return err
	}
	h.reset()
	return nil
}

// rewrite takes the next value of the editor, a string, as a text of the list. alone redacts a text that is too long to
// wait for others.
func (h *held) rewrite(e *jsonx.Editor, measure func() io.Writer, alone func(io.Reader) io.Reader) error {
	var text []byte
	isLong := false
	h.inText = true // its first quote stays with it
	err := e.Rewrite(func(in io.Reader) io.Reader {
		begin, err := io.ReadAll(io.LimitReader(in, maxHeld+1))
		if isLong = len(begin) > maxHeld; isLong && err == nil {
			err = h.flush()
			h.isHolding = false
		}
		switch {
		case err != nil:
			return broken{err}
		case isLong:
			return alone(io.MultiReader(bytes.NewReader(begin), in))
		}
		text = begin
		h.texts = append(h.texts, heldText{from: len(h.bytes) - 1, measure: measure})
		return bytes.NewReader(text)
	})
	h.inText, h.isHolding = false, true
	if err != nil || isLong {
		return err
	}
	one := &h.texts[len(h.texts)-1]
	one.to, one.text = len(h.bytes), string(text)
	return nil
}

// broken is a reader that has failed.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// flush passes on what is held, with its texts redacted.
func (h *held) flush() error {
	var texts []string
	for _, context := range []string{h.first, h.last} {
		if context != "" && len(h.texts) > 0 {
			texts = append(texts, context)
		}
	}
	before := len(texts)
	for _, one := range h.texts {
		texts = append(texts, one.text)
	}
	if len(texts) > 0 {
		h.keepContext(texts[before:])
		var err error
		if texts, err = h.redact(texts, before); err != nil {
			return err
		}
	}
	at := 0
	for i, one := range h.texts {
		redacted := texts[before+i]
		if _, err := h.to.Write(h.bytes[at:one.from]); err != nil {
			return err
		}
		if err := jsonx.WriteChanged(h.to, h.bytes[one.from:one.to], redacted); err != nil {
			return err
		}
		at = one.to
		if one.measure == nil {
			continue
		}
		if to := one.measure(); redacted != "" {
			if _, err := io.WriteString(to, redacted); err != nil {
				return err
			}
		}
	}
	_, err := h.to.Write(h.bytes[at:])
	h.bytes, h.texts = h.bytes[:0], h.texts[:0]
	return err
}

// keepContext remembers the texts that are looked at again with those that follow.
func (h *held) keepContext(texts []string) {
	short := func(text string) string {
		if len(text) > maxContext {
			return ""
		}
		return text
	}
	if h.first == "" {
		h.first = short(texts[0])
	}
	h.last = short(texts[len(texts)-1])
}
