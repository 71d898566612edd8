package fit

import (
	"slices"

	"github.com/kfw-dev/kfw/pipeline/split"
)

// notices are the warnings of a response by where they belong.
type notices struct {
	due      split.Warnings // of chunks read, for the next frame
	between  split.Warnings // after the last chunk: the next page's, if this page ends there
	response split.Warnings // of the response itself, not of how it is shown
}

// take makes due what came between the chunks so far.
func (n *notices) take() { n.due.Take(&n.between) }

// notify gives away the warnings of a response that was shown byte for byte, since no frame has them. invalid is how
// many sequences of invalid UTF-8 were replaced in it.
func (n *notices) notify(o *Options, invalid int) {
	if o.Notify == nil {
		return
	}
	if invalid > 0 {
		n.response.Add([]split.Warning{{What: split.InvalidShown, Count: invalid}})
	}
	for _, w := range append(slices.Clip(o.Standing), n.response.All()...) {
		o.Notify(w)
	}
}
