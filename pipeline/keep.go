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
		return h.Keep(c.Lead, c.Source, c.Path, uint8(c.Kind))
	}
	if len(c.Lead) > 0 {
		return h.Tail(c.Lead)
	}
	return nil
}
