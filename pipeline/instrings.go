package pipeline

import (
	"bytes"
	"sync"

	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/summarize"
)

// inStrings redacts the JSON that is in the strings of a record once more, as what it is: the redaction of the response has seen a
// text with escapes. It is for one goroutine.
type inStrings struct {
	values                func() *redact.Values
	text, clean, redacted []byte
}

func newInStrings(rules *redact.Rules) inStrings {
	return inStrings{values: sync.OnceValue(rules.Values)}
}

// redact returns a JSON value without what is to be hidden in its strings: the value itself if that is nothing, or one that is lent
// until the next call.
func (x *inStrings) redact(value []byte) []byte {
	from := 0 // of what is not in redacted yet
	x.redacted = x.redacted[:0]
	for at := 0; at < len(value); {
		n := summarize.NextOpening(value[at:])
		if n < 0 {
			break
		}
		at += n
		end := at + quoted(value[at:])
		if !x.hides(value[at+1 : max(at+1, end-1)]) {
			at = end
			continue
		}
		x.redacted = summarize.AppendString(append(x.redacted, value[from:at]...), x.clean)
		from, at = end, end
	}
	if from == 0 {
		return value
	}
	x.redacted = append(x.redacted, value[from:]...)
	return x.redacted
}

// hides reports whether what is in a string is JSON that the rules take something out of. clean is that then.
func (x *inStrings) hides(inside []byte) bool {
	x.text = appendUnescaped(x.text[:0], inside)
	if !summarize.IsContainer(bytes.TrimRight(x.text, " \t\r\n")) {
		return false
	}
	x.clean = x.values().Append(x.clean[:0], x.text, redact.JSON)
	return !bytes.Equal(x.clean, x.text)
}
