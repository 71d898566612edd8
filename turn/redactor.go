package turn

import (
	"strings"

	"github.com/kfw-dev/kfw/internal/wire"
	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

// Redactor takes out of a text what must not be seen. If it also has a method Pause(dst []byte)
// []byte, which appends what is held back unless it may begin a match, texts that follow each other
// are redacted as one, and Pause is called where another block begins. If it has a method Holds() bool, which reports
// whether something was held back, calls after the last text wait for that.
type Redactor interface {
	// Append redacts src, the next part of the text, and appends what no further part can change.
	Append(dst, src []byte) []byte
	// Flush ends the text, and appends the rest.
	Flush(dst []byte) []byte
}

// pauser is a Redactor that can pass on what it holds back of a text that something else
// interrupts, except what may be the beginning of a match. The text may go on after it.
type pauser interface {
	Pause(dst []byte) []byte
}

// holder is a Redactor that knows whether it holds something back.
type holder interface {
	Holds() bool
}

// redactors makes the redactors of a turn, and uses those again that are done.
type redactors struct {
	newRedactor func() Redactor               // nil if nothing is redacted
	arguments   func(arguments string) string // nil if arguments are shown as they are
	json        func(chunk string) string     // nil if a chunk can't be redacted
	spare       []Redactor
	scratch     []byte
}

// get returns a redactor for a new text.
func (r *redactors) get() Redactor {
	if n := len(r.spare); n > 0 {
		last := r.spare[n-1]
		r.spare = r.spare[:n-1]
		return last
	}
	return r.newRedactor()
}

// flush ends the text of a redactor, and keeps the redactor for another text.
func (r *redactors) flush(used Redactor, dst []byte) []byte {
	dst = used.Flush(dst)
	r.spare = append(r.spare, used)
	return dst
}

// add redacts text, the next part of a text, and appends what no further part can change.
func (r *redactors) add(with Redactor, dst []byte, text string) []byte {
	const piece = 64 << 10
	for len(text) > piece {
		r.scratch = append(r.scratch[:0], text[:piece]...)
		dst, text = with.Append(dst, r.scratch), text[piece:]
	}
	r.scratch = append(r.scratch[:0], text...)
	return with.Append(dst, r.scratch)
}

// drop ends the text of a redactor whose rest is not needed.
func (r *redactors) drop(used Redactor) { r.scratch = r.flush(used, r.scratch[:0]) }

// whole returns a text that comes in one piece, redacted. The result shares no memory with text.
func (r *redactors) whole(text string) string {
	if r.newRedactor == nil || text == "" {
		return strings.Clone(text)
	}
	used := r.get()
	return string(r.flush(used, r.add(used, nil, text)))
}

// chunk returns a chunk as it may be seen; nothing if it may not.
func (r *redactors) chunk(json string) string {
	if r.json != nil {
		json = r.json(json)
	} else if r.newRedactor != nil {
		return ""
	}
	if json = protocol.Joined(json); !wire.Valid(json) {
		return ""
	}
	return json
}

// shown returns the arguments of a call as they may be seen.
func (r *redactors) shown(arguments string) string {
	if r.arguments == nil || arguments == "" {
		return arguments
	}
	return r.arguments(arguments)
}
