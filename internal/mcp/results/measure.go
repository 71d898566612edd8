package results

import (
	"bytes"
	"maps"
	"slices"

	"github.com/kfw-dev/kfw/pipeline/encode"
)

// mostMeasured is how much of a text is held to count its tokens, in bytes. A larger one is not shown whole as it is.
const mostMeasured = 1 << 20

// measured is what is known of a text.
type measured struct {
	tokens   int   // what it costs whole; if it is large, about that
	bytes    int64 //
	isLarge  bool  // it costs more than any policy shows whole
	isQuoted bool  // a line of it could be taken for one of kfw's own
}

// measure takes a text to find out what it costs. It holds no more of it than some policy shows whole.
type measure struct {
	f    *Filter
	buf  []byte
	text *measured
}

// begin measures the text that was written, and takes the next one.
func (m *measure) begin(text *measured) {
	m.end()
	m.text = text
}

// Write implements io.Writer.
func (m *measure) Write(b []byte) (int, error) {
	t := m.text
	t.bytes += int64(len(b))
	if t.isLarge {
		return len(b), nil
	}
	least, _ := m.f.Counter.Bounds(int(t.bytes))
	if t.isLarge = least > m.f.most || t.bytes > mostMeasured; t.isLarge {
		m.buf = m.buf[:0]
		return len(b), nil
	}
	m.buf = append(m.buf, b...)
	return len(b), nil
}

// end measures the text that was written.
func (m *measure) end() {
	if m.text == nil {
		return
	}
	if t := m.text; t.isLarge {
		t.tokens = int(t.bytes/4) + 1
	} else {
		t.tokens = m.f.cost(m.buf)
		t.isQuoted = !bytes.Equal(encode.AppendWhole(nil, m.buf, m.f.KeepsHidden), m.buf)
	}
	m.text, m.buf = nil, m.buf[:0]
}

func sortedKeys(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }
