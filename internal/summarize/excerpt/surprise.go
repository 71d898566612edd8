package excerpt

import (
	"math"

	"github.com/kfw-dev/kfw/internal/summarize/sketch"
)

// Bounds of surprise.
const (
	maxContexts    = 1 << 13
	maxPositions   = 16  // words past them are at one position
	leastAverage   = 4   // times that the average word came more often than one that surprises
	leastInContext = 10  // words that came in a context, before one that is new there surprises
	mostRare       = 512 // rare words that are counted in the second pass
)

// surprise finds words that hardly any unit has where most have one of few. A word is seen in its context: its position,
// and the word before it. It surprises as much as a new word is rare in that context, which is the logarithm of how
// many words came there for each new one: nothing where each unit has a word of its own, as identifiers are.
type surprise struct {
	words    []word // of a text in a record
	contexts []context
	counts   sketch.Counts
	shown    map[uint64]int // how many units with a rare word the second pass has seen
}

type context struct {
	hash       uint64
	all, fresh int32 // words, and those that were new when they came
}

func newSurprise() *surprise {
	return &surprise{contexts: make([]context, maxContexts), counts: sketch.NewCounts(), shown: make(map[uint64]int)}
}

// each calls do for each word of a text at a place, with its contexts and its hashes there.
func (s *surprise) each(place uint64, words []word, do func(in *context, word uint64)) {
	before := uint64(0)
	for i, w := range words {
		at := place + uint64(min(i, maxPositions))*sketch.PlaceFactor
		s.in(sketch.Mix(at+before), w.hash, do)
		if i > 0 {
			s.in(sketch.Mix(at), w.hash, do)
		}
		before = w.shape
	}
}

// in calls do for a word in the context with that hash, unless another one has its slot.
func (s *surprise) in(hash, word uint64, do func(in *context, word uint64)) {
	c := &s.contexts[hash%maxContexts]
	if c.hash != hash {
		if c.all >= leastInContext {
			return
		}
		*c = context{hash: hash}
	}
	do(c, sketch.Mix(word+hash*sketch.PlaceFactor))
}

// context returns the context with a hash; nil if there is none.
func (s *surprise) context(hash uint64) *context {
	if c := &s.contexts[hash%maxContexts]; c.hash == hash {
		return c
	}
	return nil
}

func (s *surprise) count(in *context, word uint64) {
	in.all++
	if s.counts.Add(word, 1) == 1 {
		in.fresh++
	}
}

// addWord counts a word at a place.
func (s *surprise) addWord(place uint64, word []byte) { s.in(place, sketch.Hash(word), s.count) }

// addText counts the words of a text at a place.
func (s *surprise) addText(place uint64, text []byte) {
	s.words = appendWords(s.words[:0], text)
	s.each(sketch.Mix(place), s.words, s.count)
}

// add counts the words of a unit, and reports whether the first one is new there.
func (s *surprise) add(words []word) (isNew bool) {
	head := s.head()
	before := head.fresh
	s.each(0, words, s.count)
	return head.fresh > before
}

// head returns the context of the first word.
func (s *surprise) head() *context { return &s.contexts[sketch.Mix(0)%maxContexts] }

// look returns how much the most surprising word of a unit surprises, in the second pass; less for each unit that had
// that word before.
func (s *surprise) look(words []word) (most float64) { return s.most(0, words) }

// ofText is look for a text at a place.
func (s *surprise) ofText(place uint64, text []byte) float64 {
	s.words = appendWords(s.words[:0], text)
	return s.most(sketch.Mix(place), s.words)
}

func (s *surprise) most(place uint64, words []word) (most float64) {
	s.each(place, words, func(in *context, word uint64) { most = max(most, s.of(in, word)) })
	return most
}

// ofWord returns how much a word at a place surprises.
func (s *surprise) ofWord(place uint64, word []byte) (of float64) {
	s.in(place, sketch.Hash(word), func(in *context, word uint64) { of = s.of(in, word) })
	return of
}

// of returns how much a word surprises; 0 if that is hardly.
func (s *surprise) of(in *context, word uint64) float64 {
	if in.all < leastInContext || in.all < leastAverage*in.fresh {
		return 0
	}
	average := float64(in.all) / float64(max(in.fresh, 1))
	came := s.counts.Count(word)
	if leastAverage*came > int(average) {
		return 0
	}
	return math.Log(average/float64(max(came, 1))) / s.nth(word, came)
}

// nth counts a unit with a rare word that came so often, and returns how many there were.
func (s *surprise) nth(word uint64, came int) float64 {
	if came == 1 || len(s.shown) == mostRare {
		return float64(came)
	}
	s.shown[word]++
	return float64(s.shown[word])
}
