package summarize

import (
	"math/bits"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
)

const (
	maxKnownLines   = 512 // lines that are remembered, by the last bits of their hash
	maxKnownPhrases = 32  // frequent words, and pairs of them, in one of them
	lookAgain       = 16  // a line is looked at in full one time in so many at first,
	lookAgainShare  = 16  // then after that share of the times it came before,
	lookAgainMost   = 4096
)

// knownLines remembers lines as they read with their variables masked. Most lines of a log are one of a few then, in which
// nothing can be new but paths, ids and numbers.
type knownLines struct{ all []knownLine }

type knownLine struct {
	knownForm
	unseen  uint16 // times it came since its words were counted
	until   uint16 // what unseen may get to
	before  int    // times it came before
	phrases phrasesOfLine
	level   int8 // index of its level

	hasKeys, hasAddresses bool // it has a name and its value, or an address
}

// knownForm is what form a line has, with its variables masked.
type knownForm struct {
	hash    uint64 // of its words; 0 for none
	form    int16  // index of its template
	changes int    // of templates when it was learnt: it may be more like a later one
	frees   int    // words of its form that were free
	counted int    // of its words, each one of few in its place
	words   [maxFewPlaces]wordOfFew
}

// isOf says whether that is still the form of the line at hand.
func (k *knownForm) isOf(m *mask.Line, t *templates) bool { return k.hash == m.Hash && k.holds(t) }

// holds says whether it still is the form of that line.
func (k *knownForm) holds(t *templates) bool {
	return k.changes == t.changes && k.frees == t.all[k.form].frees
}

// noWords is a line for texts none of whose variables is looked at.
var noWords mask.Line

// join counts the line at hand among those of the form.
func (k *knownForm) join(m *mask.Line, t *templates, seq int) {
	t.all[k.form].joinAgain(m, k.words[:k.counted], seq)
}

// knownFormOf returns what is to be remembered of the line at hand, which has that form.
func (t *templates) knownFormOf(m *mask.Line, form int) knownForm {
	of := &t.all[form]
	k := knownForm{hash: m.Hash, form: int16(form), changes: t.changes, frees: of.frees}
	for i := range of.words {
		if few := of.words[i].fewWords; few != nil {
			k.words[k.counted] = wordOfFew{uint8(i), uint8(few.index(m.Words[i].Hash))}
			k.counted++
		}
	}
	return k
}

// wordOfFew is where a word is counted: in which place of its form, and which of the few there.
type wordOfFew struct{ word, index uint8 }

// phrasesOfLine are the phrases of a line that are counted.
type phrasesOfLine struct {
	count  int
	hasNew bool                    // a pair has not come often enough to be counted
	at     [maxKnownPhrases]uint8  // where, and
	hashes [maxKnownPhrases]uint32 // the end of whose hash, as another may have taken the place
}

// add notes where a phrase is counted; nowhere if at is negative.
func (p *phrasesOfLine) add(at int, hash uint64) {
	if at < 0 {
		return
	}
	if p.count < maxKnownPhrases {
		p.at[p.count], p.hashes[p.count] = uint8(at), uint32(hash)
	}
	p.count++
}

// slot returns where a line is remembered if it is.
func (k *knownLines) slot(hash uint64) *knownLine { return &k.all[hash%maxKnownLines] }

// remembered returns what is remembered of the line at hand, nil if that is nothing.
func (s *Summary) remembered() *knownLine {
	if s.out == nil {
		return nil
	}
	if k := s.out.known.slot(s.line.Hash); k.hash == s.line.Hash {
		return k
	}
	return nil
}

// knownLine returns what is remembered of the line at hand, nil if that is nothing, or if it is to be looked at again.
func (s *Summary) knownLine() *knownLine {
	if s.out == nil {
		return nil
	}
	k := s.out.known.slot(s.line.Hash)
	if !k.isOf(&s.line, &s.templates) || k.unseen == k.until {
		return nil
	}
	if k.unseen++; k.unseen%lookAgain == 1 && !s.line.IsRecognized {
		if mask.IsAsItIs(s.has) {
			s.out.matchers.LearnPlain(&s.line)
		} else {
			s.out.matchers.Learn(&s.line)
		}
	}
	return k
}

// recognize makes a line the one at hand, and says whether it is one that differs from a known one in its variables alone.
func (s *Summary) recognize(line []byte) bool {
	s.line.Take(line)
	switch {
	case s.out == nil:
		return false
	case mask.IsAsItIs(s.has):
		return s.line.RecognizePlain(s.out.matchers)
	}
	return s.line.Recognize(s.out.matchers)
}

// look returns what is remembered of the line at hand, nil if that is nothing: then it has been cut into words, which may be
// spared otherwise.
func (s *Summary) look() *knownLine {
	if s.line.IsRecognized {
		if known := s.knownLine(); known != nil {
			return known
		}
	}
	s.line.CutWords()
	return s.knownLine()
}

// uncounted returns how often the line at hand has come since its words were counted, this time included, and before that;
// and forgets it: they are counted now.
func (s *Summary) uncounted() (came, before int) {
	k := s.out.known.slot(s.line.Hash)
	if k.hash != s.line.Hash {
		return 1, 0
	}
	k.hash = 0
	return 1 + int(k.unseen), k.before
}

// learn remembers the line at hand, of that form, which came so many times, if nothing but its variables can make it stand out
// from now on.
func (s *Summary) learn(form, came int) {
	o, m := s.out, &s.line
	if form < 0 || m.Cut || s.templates.all[form].count < leastRepeated || o.seen.count > maxKnownPhrases || o.seen.hasNew {
		return
	}
	for i, times := range o.times {
		if times < leastRepeated && !m.Words[i].IsPath {
			return
		}
	}
	if start, end := lineclass.NextErrorWord(m.Line, 0); start < end { // "3 failed" is an error, "0 failed" is none
		return
	}
	if lineclass.HasFailureSign(ascii.TrimBlanks(m.Line)) || lineclass.OutcomeOf(m.Line) != lineclass.NoOutcome {
		return
	}
	k := o.known.slot(m.Hash)
	*k = knownLine{
		knownForm: s.templates.knownFormOf(m, form), phrases: o.seen,
		until: uint16(min(max(lookAgain-1, came/lookAgainShare), lookAgainMost)), before: came,
	}
}

// noteKnownWords counts the words of the line at hand, which is known. Of them only a path may be rare.
func (s *Summary) noteKnownWords(k *knownLine, t *template) {
	o := s.out
	for i := range k.phrases.count {
		o.phrases.countAgain(int(k.phrases.at[i]), k.phrases.hashes[i], s.lines)
	}
	o.lineWords += len(s.line.Words) - s.line.Paths
	if s.line.Paths == 0 {
		return
	}
	why := reason{by: byWords, n: len(s.line.Words)}
	for left := s.line.Variables; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		if w := &s.line.Words[i]; w.IsPath {
			s.noteWord(&why, i, 1, t)
			s.notePath(s.line.Line[w.From:w.To])
		}
	}
	if why.count > 0 {
		s.note(why)
	}
}
