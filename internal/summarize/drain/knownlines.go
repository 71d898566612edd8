package drain

import "github.com/kfw-dev/kfw/internal/summarize/mask"

// MaxKnownLines is how many lines are remembered, by the last bits of their hash.
const MaxKnownLines = 512

// LeastRepeated is how often a template has come at least, for lines of it to be remembered.
const LeastRepeated = 4

// KnownLines remembers lines as they read with their variables masked. Most lines of a log are one of a few then, in
// which nothing can be new but paths, ids and numbers.
type KnownLines struct{ All []KnownLine }

// KnownLine is what is remembered of a line: its template and its level. A line whose hash leads to the same slot takes
// its place.
type KnownLine struct {
	KnownTemplate
	Level int8 // index of its level

	HasKeys, HasAddresses bool // it has a name and its value, or an address
	IsMatched             bool // others like it are recognized
}

// KnownTemplate is the template of a line with its variables masked.
type KnownTemplate struct {
	Hash     uint64 // of its words; 0 for none
	Template int16  // index of its template
	changes  int    // of templates when it was learnt: it may be more like a later one
	frees    int    // words of its template that were free
	counted  int    // of its words, each one of few in its place
	words    [maxFewPlaces]wordOfFew
}

// IsOf says whether that is still the template of the current line.
func (k *KnownTemplate) IsOf(m *mask.Line, t *Templates) bool { return k.Hash == m.Hash && k.Holds(t) }

// Holds says whether it still is the template of that line.
func (k *KnownTemplate) Holds(t *Templates) bool {
	return k.changes == t.changes && k.frees == t.All[k.Template].frees
}

// NoWords is a line for texts none of whose variables is looked at.
var NoWords mask.Line

// Join counts the current line among those of the template.
func (k *KnownTemplate) Join(m *mask.Line, t *Templates, seq int) {
	t.All[k.Template].joinAgain(m, k.words[:k.counted], seq)
}

// KnownTemplateOf returns what is to be remembered of the current line, which has that template.
func (t *Templates) KnownTemplateOf(m *mask.Line, template int) KnownTemplate {
	of := &t.All[template]
	k := KnownTemplate{Hash: m.Hash, Template: int16(template), changes: t.changes, frees: of.frees}
	for i := range of.Words {
		if few := of.Words[i].FewWords; few != nil {
			k.words[k.counted] = wordOfFew{uint8(i), uint8(few.index(m.Words[i].Hash))}
			k.counted++
		}
	}
	return k
}

// wordOfFew is where a word is counted: in which place of its template, and which of the few there.
type wordOfFew struct{ word, index uint8 }

// Slot returns where a line is remembered if it is.
func (k *KnownLines) Slot(hash uint64) *KnownLine { return &k.All[hash%MaxKnownLines] }
