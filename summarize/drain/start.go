package drain

import "bytes"

// CommonStart is what many of the templates that are shown begin with: the words of one of them, said once.
type CommonStart struct {
	Of    *Template // nil when there is none worth it
	Words int
}

// Begins says whether a template begins with it, and goes on.
func (c CommonStart) Begins(t *Template) bool {
	if c.Of == nil || len(t.Words) <= c.Words {
		return false
	}
	for i := range c.Words {
		if len(t.Word(i)) == 0 || !bytes.Equal(t.Word(i), c.Of.Word(i)) {
			return false
		}
	}
	return true
}
