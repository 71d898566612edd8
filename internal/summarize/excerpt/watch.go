package excerpt

import (
	"bytes"
	"math"

	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
	"github.com/kfw-dev/kfw/internal/summarize/question"
)

// Bounds of the first pass.
const (
	maxTemplates   = 2048    // past them, lines have no template
	maxNumbered    = 1 << 16 // units whose template the second pass looks up instead of hashing again
	maxMentions    = 1 << 16 // units whose mention of an error it looks up instead of searching again
	lookedAtOfOne  = 32      // units of a template that are looked at: what is often said is not news
	longTemplate   = 120     // bytes
	longLine       = 200     // bytes: a longer one is opened into pieces
	learnAtLeast   = 2048    // units, before templates are counted only while that pays
	leastKnown     = 2       // one unit of so many has a template that came before, while that pays
	leastRepeating = 4       // units of a template that repeats itself
)

// watched holds the counts of the first pass.
type watched struct {
	question *question.Question
	unitsOf  []int // with each word of the question
	places   []question.Place

	units    int
	records  int
	bytes    int64
	redacted int // units with a placeholder
	sections sections
	ended    func() // called when a section has ended, before the first unit of the next one is taken in

	templates []template
	byHash    map[uint64]int32
	kinds     kinds
	related   related
	extremes  extremes
	surprise  *surprise
	inRecords records
	spans     spans
	files     files
	commits   commits
	of        []int16   // the template of each of the first units, from 1; 0 for none
	mentions  []mention // of the first units
	shown     []byte    // the current unit as a page shows it
	words     []word    // of it, without the number that it brings
	mention   mention   // of the current unit
}

// template counts units that differ only in numbers, times and hexadecimal words.
type template struct {
	count    int
	text     string // for a gap; empty while only one unit has it
	failures int    // of the units that were looked at
	looked   int
	verdict  verdict
	seen     int // in the second pass
	section  int // the one that inIt counts for, by which one began it
	inIt     int
}

// here returns how many units of a template the section has that began as the nth.
func (t *template) here(nth int) int {
	if t.section != nth {
		return 0
	}
	return t.inIt
}

func newWatched(q *question.Question, ended func()) watched {
	words := newSurprise()
	return watched{question: q, inRecords: records{surprise: words, question: q, objectsOf: make([]objectsOf, q.Len())},
		unitsOf: make([]int, q.Len()), byHash: make(map[uint64]int32), kinds: newKinds(),
		surprise: words,
		ended:    ended}
}

// Watch takes a unit in for the first time.
func (w *watched) Watch(u Unit) {
	w.units = max(w.units, u.N)
	w.bytes += int64(len(u.Text))
	u.IsRecord = u.IsRecord && !w.files.areUnderWay()
	shown := w.show(u)
	s, shown := w.enter(u, shown)
	if w.question != nil {
		w.places = w.question.Find(w.places[:0], shown)
		for _, p := range w.places {
			w.unitsOf[p.Word]++
		}
	}
	if u.IsRecord {
		w.records++
		w.inRecords.watch(u.Text)
		return
	}
	s.see(shown)
	if !u.GoesOn && (s.seen < learnAtLeast || 2*s.code > s.texts) {
		if w.spans.see(u.N, shown[ownNumberLen(shown):]) {
			s.declarations++
		}
	}
	if !u.GoesOn {
		w.files.see(u.N, shown, &s.changes)
	}
	if bytes.IndexByte(shown, redacted[0]) >= 0 && bytes.Contains(shown, redacted) {
		w.redacted++
	}
	index := -1
	w.mention = unknownMention
	part := w.commits.see(shown)
	if part == beginOfCommit {
		s.commits++
	}
	if s.learns() {
		index = w.learn(s, shown[ownNumberLen(shown):])
	}
	if part >= subjectOfCommit {
		w.mention = noMention
	}
	w.countVerdict(s, shown, index)
	for len(w.of) < min(u.N, maxNumbered) {
		w.of = append(w.of, int16(index+1))
	}
	for len(w.mentions) < min(u.N, maxMentions) {
		w.mentions = append(w.mentions, unknownMention)
	}
	if u.N <= len(w.mentions) {
		w.mentions[u.N-1] = w.mention
	}
}

// countVerdict counts a unit by how it says that a test or a step ended. Where templates are counted no more, that goes
// on only if some unit of the section said so.
func (w *watched) countVerdict(s *section, shown []byte, template int) {
	if template >= 0 {
		if t := &w.templates[template]; t.verdict.word != "" {
			s.verdicts.add(t.verdict)
		}
		return
	}
	if !s.learns() && len(s.verdicts) == 0 {
		return
	}
	if v := verdictOf(shown); v.word != "" {
		s.verdicts.add(v)
	}
}

// mention is whether a unit says that something failed.
type mention uint8

const (
	unknownMention mention = iota
	noMention
	aMention // a word for an error that nothing contradicts and nothing confirms
	aFailure
)

func mentionIn(text []byte) mention {
	switch m := lineclass.ErrorIn(text); {
	case m.End == 0:
		return noMention
	case m.IsMarked:
		return aFailure
	}
	return aMention
}

// enter returns the section of a unit, and what it shows without the label of the section.
func (w *watched) enter(u Unit, shown []byte) (*section, []byte) {
	prefix, label := 0, 0
	if !u.IsRecord {
		prefix, label = labelLen(shown)
	}
	isFirst := len(w.sections.all) == 0
	if isFirst || !u.IsRecord && !u.GoesOn && w.sections.begins(shown[:label], shown[prefix:]) {
		if !isFirst && w.ended != nil {
			w.ended()
		}
		w.sections.open(u.N, u.number(), shown[:label], shown[prefix:])
	}
	s := w.sections.last()
	s.to, s.last = u.N, u.number()
	return s, shown[prefix:]
}

// learn counts a unit by its template and its kind. It returns the index of the template, -1 if it has none.
func (w *watched) learn(s *section, shown []byte) int {
	s.learnt++
	w.words = appendWords(w.words[:0], shown)
	if w.kinds.add(w.words) > 1 {
		s.ofKind++
	}
	w.extremes.add(shown, w.words)
	if w.surprise.add(w.words) {
		s.heads++
	}
	index := w.templateOf(shown, true)
	if index < 0 {
		return -1
	}
	t := &w.templates[index]
	if t.count == 0 {
		t.verdict = verdictOf(shown)
	}
	t.section, t.inIt = w.sections.begun, t.here(w.sections.begun)+1
	if t.count++; t.count == 2 {
		t.text = string(appendTemplate(nil, shown, longTemplate))
	}
	if t.count > 1 {
		s.again++
	}
	if t.looked < lookedAtOfOne {
		t.looked++
		if w.mention = mentionIn(shown); w.mention == aFailure {
			t.failures++
			s.failures++
			w.related.fail(shown)
		} else {
			w.related.watch(shown)
		}
	} else {
		w.related.watch(shown)
		s.failures += float64(t.failures) / float64(t.looked)
	}
	return index
}

// show returns a unit as a page shows it. What it returns is lent until the next call.
func (w *watched) show(u Unit) []byte {
	if isPlain(u) {
		return u.Text
	}
	w.shown = appendShown(w.shown[:0], u)
	return w.shown
}

// templateOf returns the index of the template of a unit, -1 if it has none. isNew says that it may be a new one.
func (w *watched) templateOf(shown []byte, isNew bool) int {
	hash := templateHash(shown)
	index, found := w.byHash[hash]
	switch {
	case found:
		return int(index)
	case !isNew || len(w.templates) == maxTemplates:
		return -1
	}
	w.byHash[hash] = int32(len(w.templates))
	w.templates = append(w.templates, template{})
	return len(w.templates) - 1
}

// templateAgain returns the index of the template that unit n had in the first pass, -1 if it had none.
func (w *watched) templateAgain(n int, shown []byte) int {
	if n <= len(w.of) {
		return int(w.of[n-1]) - 1
	}
	return w.templateOf(shown[ownNumberLen(shown):], false)
}

// areRecords reports whether all units are records, so that a page numbers these and not lines.
func (w *watched) areRecords() bool { return w.records == w.units && w.units > 0 }

// AreHits reports whether most units of the current section are hits of a search, as grep -n prints them.
func (w *watched) AreHits() bool { return w.sections.last().areHits() }

// IsQuoting reports whether the current section is source, a diff or a document: nothing in it is counted.
func (w *watched) IsQuoting() bool {
	s := w.sections.last()
	return s.isQuoting() && !s.areHits() && !w.areRecords()
}

// rarity returns what a word of the question weighs in a unit that has it: nothing if all have it.
func (w *watched) rarity(word int) float64 {
	if w.inRecords.areFew() && w.areRecords() {
		return w.inRecords.rarity(word)
	}
	return w.question.Weight(word) * math.Log(float64(1+w.units)/float64(max(w.unitsOf[word], 1)))
}
