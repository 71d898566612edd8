package drain

import "github.com/kfw-dev/kfw/internal/summarize/mask"

// MaxKnownLines is how many lines are remembered, by the last bits of their hash.
const MaxKnownLines = 512

// LeastRepeated is how often a form has come at least, for lines of it to be remembered.
const LeastRepeated = 4

// KnownLines remembers lines as they read with their variables masked. Most lines of a log are one of a few then, in
// which nothing can be new but paths, ids and numbers.
type KnownLines struct{ All []KnownLine }

// KnownLine is what is remembered of a line: its form and its level. A line whose hash leads to the same slot takes its
// place.
type KnownLine struct {
	KnownForm
	Level int8 // index of its level

	HasKeys, HasAddresses bool // it has a name and its value, or an address
	IsMatched             bool // others like it are recognized
}

// KnownForm is what form a line has, with its variables masked.
type KnownForm struct {
	Hash    uint64 // of its words; 0 for none
	Form    int16  // index of its template
	changes int    // of templates when it was learnt: it may be more like a later one
	frees   int    // words of its form that were free
	counted int    // of its words, each one of few in its place
	words   [maxFewPlaces]wordOfFew
}

// IsOf says whether that is still the form of the current line.
func (k *KnownForm) IsOf(m *mask.Line, t *Templates) bool { return k.Hash == m.Hash && k.Holds(t) }

// Holds says whether it still is the form of that line.
func (k *KnownForm) Holds(t *Templates) bool {
	return k.changes == t.changes && k.frees == t.All[k.Form].frees
}

// NoWords is a line for texts none of whose variables is looked at.
var NoWords mask.Line

// Join counts the current line among those of the form.
func (k *KnownForm) Join(m *mask.Line, t *Templates, seq int) {
	t.All[k.Form].joinAgain(m, k.words[:k.counted], seq)
}

// KnownFormOf returns what is to be remembered of the current line, which has that form.
func (t *Templates) KnownFormOf(m *mask.Line, form int) KnownForm {
	of := &t.All[form]
	k := KnownForm{Hash: m.Hash, Form: int16(form), changes: t.changes, frees: of.frees}
	for i := range of.Words {
		if few := of.Words[i].FewWords; few != nil {
			k.words[k.counted] = wordOfFew{uint8(i), uint8(few.index(m.Words[i].Hash))}
			k.counted++
		}
	}
	return k
}

// wordOfFew is where a word is counted: in which place of its form, and which of the few there.
type wordOfFew struct{ word, index uint8 }

// Slot returns where a line is remembered if it is.
func (k *KnownLines) Slot(hash uint64) *KnownLine { return &k.All[hash%MaxKnownLines] }
