package pipeline

import (
	"iter"
	"slices"

	"github.com/kfw-dev/kfw/internal/hidden"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// hiddenShown is the warning that counts what Visible has made visible.
const hiddenShown = "hidden characters made visible"

// Visible makes hidden characters in chunks visible: see package hidden. A warning of the chunk
// counts them.
func Visible(chunks iter.Seq2[split.Chunk, error]) iter.Seq2[split.Chunk, error] {
	return func(yield func(split.Chunk, error) bool) {
		var v visible
		isStart := true
		for c, err := range chunks {
			if err == nil {
				v.show(&c, isStart)
				isStart = isStart && c.Seq == 0 && len(c.Lead) == 0
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// visible holds the parts of a chunk in which something was hidden.
type visible struct {
	path, lead, source, inner []byte

	isPathCounted bool // chunks repeat the names on their way, so that only the first path counts
}

func (v *visible) show(c *split.Chunk, isStart bool) {
	isJSON := c.Kind == split.JSON || c.Kind == split.JSONPart
	count := 0
	part := func(to, text []byte, isStart, isJSON bool) (kept, shown []byte) {
		if !hidden.Has(text, isJSON) {
			return to, text
		}
		to, n := hidden.Show(to[:0], text, isStart, isJSON)
		if n == 0 {
			return to, text
		}
		count += n
		return to, to
	}
	hasEscapes, inner := isJSON || c.Inner != nil, 0
	if c.Inner != nil {
		v.inner, c.Inner = part(v.inner, c.Inner, false, isJSON)
		inner, count = count, 0
		hasEscapes = inner > 0 || !c.Notation.IsYAML() // which has none in most of its texts
	}
	v.lead, c.Lead = part(v.lead, c.Lead, isStart, false)
	v.source, c.Source = part(v.source, c.Source, isStart && len(c.Lead) == 0, hasEscapes)
	count = max(count, inner) // the same characters, in both
	before := count
	v.path, c.Path = part(v.path, c.Path, false, false)
	if count > before && v.isPathCounted {
		count = before
	}
	v.isPathCounted = v.isPathCounted || count > before
	if count > 0 {
		c.Warnings = append(slices.Clip(c.Warnings), split.Warning{What: hiddenShown, Count: count})
	}
}
