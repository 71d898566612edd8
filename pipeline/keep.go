package pipeline

import (
	"iter"

	"github.com/kfw-dev/kfw/redact"
)

// Keep stores every chunk in the handle before it passes it on. An error of the handle is the last thing it yields.
func Keep(chunks iter.Seq2[Chunk, error], h Handle) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		for c, err := range chunks {
			if err == nil {
				if err = keep(h, c); err != nil {
					yield(Chunk{}, err)
					return
				}
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

func keep(h Handle, c Chunk) error {
	if c.Seq > 0 {
		kind := uint8(c.Kind)
		if c.Inner != nil {
			kind |= innerKind
		}
		return h.Keep(c.Lead, c.Source, c.Path, kind)
	}
	if len(c.Lead) > 0 {
		return h.Tail(c.Lead)
	}
	return nil
}

// innerKind is set in the kind of a chunk as it is kept, when it stood in a string.
const innerKind = 1 << 2

// Kept returns a chunk as a handle has it, redacted again, since a rule may be newer than what was kept. Of a part alone nothing
// can be said that was not said then. What it returns is lent until the buffers are used again.
func Kept(rules *redact.Values, path, source []byte, kind uint8, buffers *KeptBuffers) Chunk {
	c := Chunk{Path: path, Source: source, Kind: Kind(kind &^ innerKind)}
	if kind&innerKind != 0 {
		buffers.inner = appendUnescaped(buffers.inner[:0], source)
		buffers.clean = appendRedacted(buffers.clean[:0], &buffers.around, rules, path, buffers.inner, c.Kind)
		c.Inner = buffers.clean
		return c
	}
	switch c.Kind {
	case JSON:
		buffers.clean = rules.Append(buffers.clean[:0], source, redact.JSON)
		buffers.strings.values = func() *redact.Values { return rules }
		c.Source = buffers.strings.redact(buffers.clean)
	case Text:
		buffers.clean = rules.Append(buffers.clean[:0], source, redact.Lines)
		c.Source = buffers.clean
	}
	return c
}

// KeptBuffers are those of Kept.
type KeptBuffers struct {
	inner, clean, around []byte
	strings              inStrings
}
