package summarize

import "github.com/kfw-dev/kfw/internal/summarize/structure"

// mostBases is how many places are looked at that may be where the records are.
const mostBases = 8

// bases are places with records, in the order in which the first record came.
type bases []base

// base is a place with so many records.
type base struct{ place, count int }

// at returns the base of a place; nil if there are too many.
func (b *bases) at(place int) *base {
	for i := range *b {
		if one := &(*b)[i]; one.place == place {
			return one
		}
	}
	if len(*b) == mostBases {
		return nil
	}
	*b = append(*b, base{place: place})
	return &(*b)[len(*b)-1]
}

// set sets how many records a place has.
func (b *bases) set(place, count int) {
	if one := b.at(place); one != nil {
		one.count = count
	}
}

// add counts a record of a place.
func (b *bases) add(place int) {
	if one := b.at(place); one != nil {
		one.count++
	}
}

// mainBase returns where most records are, or the root if there are more lines. ok is false if there are hardly any.
func (s *Summary) mainBase() (main base, areLines, ok bool) {
	for _, one := range s.values.bases {
		if one.count > main.count {
			main = one
		}
	}
	if n := s.text.Count; n > main.count && !s.values.opened.isOfFew(n, main.count) {
		main, areLines = base{structure.RootNode, n}, true
	}
	return main, areLines, main.count > 1 || main.count == s.records && main.count > 0
}
