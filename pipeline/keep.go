package pipeline

import "iter"

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

// Kept returns a chunk of that source and kind as a handle has them. One that stood in a string is unescaped into the buffer.
func Kept(source []byte, kind uint8, buffer *[]byte) Chunk {
	c := Chunk{Source: source, Kind: Kind(kind &^ innerKind)}
	if kind&innerKind != 0 {
		*buffer = appendUnescaped((*buffer)[:0], source)
		c.Inner = *buffer
	}
	return c
}
