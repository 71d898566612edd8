package pipeline

import (
	"iter"

	"github.com/kfw-dev/kfw/pipeline/split"
)

// Keep stores every chunk in the handle before it passes it on. An error of the handle is the last thing it yields.
func Keep(chunks iter.Seq2[split.Chunk, error], h Handle) iter.Seq2[split.Chunk, error] {
	return func(yield func(split.Chunk, error) bool) {
		for c, err := range chunks {
			if err == nil {
				if err = keep(h, c); err != nil {
					yield(split.Chunk{}, err)
					return
				}
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

func keep(h Handle, c split.Chunk) error {
	if c.Seq > 0 {
		return h.Keep(c.Lead, c.Source, c.Path, c.StoredKind())
	}
	if len(c.Lead) > 0 {
		return h.Tail(c.Lead)
	}
	return nil
}
