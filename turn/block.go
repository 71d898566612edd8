package turn

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

// block is a text, a refusal or a piece of reasoning, as far as it may be seen.
type block struct {
	in       *prose
	number   int
	kind     string // protocol.TextBlock, RefusalBlock or ReasoningBlock
	item     int    // the index of its key
	content  []byte // redacted
	sent     int    // bytes of content
	redactor Redactor
	heard    heard
	initial  string // what it is unless something else comes
	signed   string // the signature of a text
	halves   protocol.Halves
	closed   bool
	replaced bool // the provider said something else in the end
	cut      bool // a policy took back what was sent of it
	// It goes on with the block before it that has the same key, which something came after, or a finish reason.
	continues, goesOn bool
}

// heard is a hash of the text of a block before redaction, to compare it with the text that the end of the stream
// repeats.
type heard struct {
	hash  maphash.Hash
	bytes int
}

func (h *heard) add(text string) {
	h.hash.WriteString(text)
	h.bytes += len(text)
}

// continuedBy reports whether text begins with what was heard.
func (h *heard) continuedBy(text string) bool {
	if h.bytes > len(text) {
		return false
	}
	var begin maphash.Hash
	begin.SetSeed(h.hash.Seed())
	begin.WriteString(text[:h.bytes])
	return begin.Sum64() == h.hash.Sum64()
}

// write adds to a block, and sends what can be seen of it. A nil block takes in nothing.
func (b *block) write(text string) {
	if b == nil || text == "" || !b.in.core.grow(len(text)) {
		return
	}
	t := b.in.core
	text = b.halves.Join(text)
	t.lost(&b.halves)
	if b.initial != "" {
		before := b.initial
		if b.initial = ""; !strings.HasPrefix(text, before) && !strings.HasPrefix(before, text) {
			text = before + text
		}
	}
	if text == "" {
		return
	}
	b.in.writing = b
	b.heard.add(text)
	b.content = room(b.content, len(text))
	if t.redact.newRedactor == nil {
		b.content = append(b.content, text...)
		if b.sent+len(text) == len(b.content) {
			b.sent = len(b.content)
			b.emit(text)
			return
		}
	} else {
		if b.redactor == nil {
			b.redactor = b.firstRedactor()
		}
		b.content = t.redact.add(b.redactor, b.content, text)
	}
	b.send(false)
}

// room makes room for size more bytes by doubling: append grows by less, and copies more often.
func room(b []byte, size int) []byte {
	if cap(b)-len(b) >= size {
		return b
	}
	return slices.Grow(b, max(size, len(b)))
}

// firstRedactor returns the redactor that a block begins with: the one that the text before it left.
func (b *block) firstRedactor() Redactor {
	if c := b.carried(); c != nil && c.redactor != nil {
		r := c.redactor
		*c = carried{}
		return r
	}
	return b.in.core.redact.get()
}

// carried returns where the redactor of an ended text waits for the next one; nil for reasoning,
// whose parts are not joined.
func (b *block) carried() *carried {
	switch b.kind {
	case protocol.TextBlock:
		return &b.in.carried[0]
	case protocol.RefusalBlock:
		return &b.in.carried[1]
	}
	return nil
}

// pause sends the held text of a block that another one interrupts, except where it may begin a secret.
func (b *block) pause() {
	if b == nil || b.closed || b.redactor == nil {
		return
	}
	if r, ok := b.redactor.(pauser); ok {
		b.content = r.Pause(b.content)
		b.send(false)
	}
}

// send emits what is new in a block, unless all of it is meant without a last character that is not whole.
func (b *block) send(all bool) {
	end := len(b.content)
	for back := 1; !all && back < utf8.UTFMax && end-back >= b.sent; back++ {
		if c := b.content[end-back]; utf8.RuneStart(c) {
			if !utf8.FullRune(b.content[end-back:]) {
				end -= back
			}
			break
		}
	}
	if end == b.sent {
		return
	}
	text := string(b.content[b.sent:end])
	b.sent = end
	b.emit(text)
}

// emit emits text, the next part of a block.
func (b *block) emit(text string) {
	e := Event{Kind: TextDelta, Block: b.number, Choice: b.in.choice, Text: text}
	switch b.kind {
	case protocol.RefusalBlock:
		e.Kind, e.Item = RefusalDelta, b.in.items[b.item]
	case protocol.ReasoningBlock:
		g := b.in.group(b)
		e.Kind, e.Item, e.Part = ReasonDelta, g.id, g.part()
	default:
		e.Item = b.in.items[b.item]
	}
	b.in.core.emit(e)
}

// close ends a block. What is held back of it is sent, or goes on in the next text.
func (b *block) close() {
	if b.closed {
		return
	}
	if b.initial != "" {
		b.write(b.initial)
	}
	if rest := b.halves.End(); rest != "" {
		b.write(rest)
	}
	b.in.core.lost(&b.halves)
	b.closed = true
	waits := false
	if b.redactor != nil {
		waits = b.closeRedactor()
	}
	b.send(!waits)
	if b.kind == protocol.ReasoningBlock {
		g := b.in.group(b)
		ended := g.part()
		ended.Signed = g.signature != "" || g.redacted != ""
		ended.Signature, ended.Redacted, ended.Replaced = g.signature, g.redacted, b.replaced
		b.in.core.emit(Event{Kind: ReasonEnded, Block: b.number, Choice: b.in.choice, Item: g.id, Part: ended})
	}
}

// closeRedactor ends the redaction of a block. It reports whether the rest waits for the next text.
func (b *block) closeRedactor() (waits bool) {
	last := b.redactor
	b.redactor = nil
	r, pauses := last.(pauser)
	c := b.carried()
	if c == nil || !pauses {
		b.content = b.in.core.redact.flush(last, b.content)
		return false
	}
	b.in.flushCarried(c)
	b.content = r.Pause(b.content)
	*c = carried{b, last}
	return true
}

// restate takes in the whole of a block, of which some may have come already.
func (b *block) restate(text string) {
	if b.cut {
		return // what came before was taken back
	}
	text, b.initial = b.in.core.joined(text), ""
	if b.heard.continuedBy(text) {
		switch rest := text[b.heard.bytes:]; {
		case rest == "":
			return
		case !b.closed:
			b.write(rest)
			return
		}
	}
	if b.continues { // what it continues can't be taken back
		b.in.core.warn(warnRestated)
		return
	}
	b.heard = heard{}
	b.heard.add(text)
	if b.in.core.grow(len(text)) {
		b.replace(text)
	}
}

// replace has text as the content of a block. Only what it adds to the content is sent.
func (b *block) replace(text string) {
	redact := &b.in.core.redact
	if c := b.carried(); b.redactor == nil && c != nil && c.from == b {
		b.redactor = c.redactor
		*c = carried{}
	}
	if b.redactor != nil { // it may hold the beginning of a match that only the whole shows
		redact.drop(b.redactor)
		b.redactor = nil
	}
	said := redact.whole(text)
	if rest, more := strings.CutPrefix(said, string(b.content)); more {
		b.content = append(b.content, rest...)
		b.send(true)
		return
	}
	b.replaced = true
	b.in.core.warn(warnRestated)
	b.content = []byte(said)
	b.sent = len(b.content)
}

// takeBack takes the last n bytes that were sent out of a block. What its redactor holds goes with
// them.
func (b *block) takeBack(n int) {
	b.sent -= n
	b.content = b.content[:b.sent]
	b.redactor, b.cut = nil, true
	if c := b.carried(); c != nil && c.from == b {
		*c = carried{}
	}
}
