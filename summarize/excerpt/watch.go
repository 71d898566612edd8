package excerpt

import (
	"bytes"
	"math"

	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/question"
)

// Bounds of the first pass.
const (
	maxTemplates   = 2048    // past them, lines have no template
	maxNumbered    = 1 << 16 // units of which it is known which template they have
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
	numbered int // units that bring their own number
	hits     int // of these, those with the path of a file
	code     int // units that look like a line of source
	redacted int // units with a placeholder
	hunks    int // headers of hunks of a diff
	titles   int // headings of a document
	fence    fence
	texts    int // units that are not blank

	learnt    int // units that were counted by template
	known     int // of these, those of a template that had come
	templates []template
	byHash    map[uint64]int32
	kinds     kinds
	sections  sections
	of        []int16 // the template of each of the first units, from 1; 0 for none
	shown     []byte  // the current unit as a page shows it
}

// template counts units that differ only in numbers, times and hexadecimal words.
type template struct {
	count    int
	text     string // for a gap; empty while only one unit has it
	failures int    // of the units that were looked at
	looked   int
	seen     int // in the second pass
}

func newWatched(q *question.Question) watched {
	return watched{question: q, unitsOf: make([]int, q.Len()), byHash: make(map[uint64]int32),
		kinds: newKinds()}
}

// Watch takes a unit in for the first time.
func (w *watched) Watch(u Unit) {
	w.units = max(w.units, u.N)
	w.bytes += int64(len(u.Text))
	if u.IsRecord {
		w.records++
	}
	shown := w.show(u)
	if prefix, label := labelLen(shown); label > 0 {
		w.sections.see(u.N, shown[:label])
		shown = shown[prefix:]
	}
	if w.question != nil {
		w.places = w.question.Find(w.places[:0], shown)
		for _, p := range w.places {
			w.unitsOf[p.Word]++
		}
	}
	if u.IsRecord {
		return
	}
	n := ownNumberLen(shown)
	if n > 0 {
		w.numbered++
		if last := shown[n-1]; last == ':' || last == '-' {
			w.hits++
		}
	}
	if text := bytes.TrimSpace(shown[n:]); len(text) > 0 {
		w.texts++
		w.fence.see(text)
		switch {
		case bytes.HasPrefix(text, []byte("@@ -")):
			w.hunks++
		case !w.fence.isOpen && isTitle(text):
			w.titles++
		}
		if looksLikeCode(text) {
			w.code++
		}
	}
	if bytes.Contains(shown, redacted) {
		w.redacted++
	}
	index := -1
	if w.learns() {
		w.learnt++
		w.kinds.add(shown)
		index = w.templateOf(shown, true)
	}
	for len(w.of) < min(u.N, maxNumbered) {
		w.of = append(w.of, int16(index+1))
	}
	if index < 0 {
		return
	}
	t := &w.templates[index]
	if t.count++; t.count == 2 {
		t.text = string(appendTemplate(nil, shown, longTemplate))
	}
	if t.count > 1 {
		w.known++
	}
	if t.looked < lookedAtOfOne {
		t.looked++
		if isFailure(lineclass.ErrorIn(shown)) {
			t.failures++
		}
	}
}

// show returns a unit as a page shows it. What it returns is lent until the next call.
func (w *watched) show(u Unit) []byte {
	if isPlain(u) {
		return u.Text
	}
	w.shown = appendShown(w.shown[:0], u)
	return w.shown
}

// learns reports whether templates and kinds are counted on: after some units only while enough of them come again.
func (w *watched) learns() bool {
	return w.learnt < learnAtLeast || w.known*leastKnown > w.learnt
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

// areRecords reports whether all units are records, so that a page numbers these and not lines.
func (w *watched) areRecords() bool { return w.records == w.units && w.units > 0 }

// bringNumbers reports whether most units bring their own number, as the lines of cat -n and grep -n do.
func (w *watched) bringNumbers() bool { return 5*w.numbered > 3*w.units }

// AreHits reports whether most units are hits of a search, as grep -n prints them.
func (w *watched) AreHits() bool { return 5*w.hits > 3*w.units }

// repeats returns the share of units that are of a template that repeats itself.
func (w *watched) repeats() float64 {
	n := 0
	for i := range w.templates {
		if w.templates[i].count >= leastRepeating {
			n += w.templates[i].count
		}
	}
	return float64(n) / float64(max(w.learnt, 1))
}

// isSource reports whether the response is source, in which a word for an error names something.
func (w *watched) isSource() bool { return 2*w.code > w.texts && w.repeats() < mostRepeat }

// Bounds of what a response is.
const (
	linesOfHunk  = 300 // of a diff, on average at most
	leastTitles  = 3   // of a document
	linesOfTitle = 100 // of a document, on average at most
)

// isDiff reports whether the response is a diff.
func (w *watched) isDiff() bool { return w.hunks*linesOfHunk > w.units }

// isDocument reports whether the response is a document with headings.
func (w *watched) isDocument() bool {
	return w.titles >= leastTitles && w.titles*linesOfTitle > w.units && w.repeats() < mostRepeat && !w.isSource()
}

// isQuoting reports whether lines of the response that read like a failure or a verdict are of source or of a text.
func (w *watched) isQuoting() bool { return w.isSource() || w.isDiff() || w.isDocument() }

// fence follows blocks of code in a document.
type fence struct{ isOpen bool }

func (f *fence) see(text []byte) {
	if bytes.HasPrefix(text, []byte("```")) || bytes.HasPrefix(text, []byte("~~~")) {
		f.isOpen = !f.isOpen
	}
}

// isTitle reports whether a line is a heading of Markdown.
func isTitle(text []byte) bool {
	n := 0
	for n < len(text) && text[n] == '#' {
		n++
	}
	return n > 0 && n <= 6 && n+1 < len(text) && text[n] == ' ' && text[n+1] != '!'
}

// looksLikeCode reports whether a line without the blanks around it ends or begins as those of source do.
func looksLikeCode(text []byte) bool {
	if bytes.IndexByte([]byte("{}();,[\\"), text[len(text)-1]) >= 0 {
		return true
	}
	for _, sign := range [...]string{"//", "/*", "* ", "#", "import ", "return", "}", ")", "@", "\"\"\""} {
		if bytes.HasPrefix(text, []byte(sign)) {
			return true
		}
	}
	return bytes.Contains(text, []byte(" = ")) || bytes.Contains(text, []byte(" := "))
}

// failures returns how many units report a failure, an estimate.
func (w *watched) failures() (n float64) {
	for i := range w.templates {
		if t := &w.templates[i]; t.failures > 0 {
			n += float64(t.count) * float64(t.failures) / float64(t.looked)
		}
	}
	return n
}

// rarity returns what a word of the question weighs in a unit that has it: nothing if all have it.
func (w *watched) rarity(word int) float64 {
	return w.question.Weight(word) * math.Log(float64(1+w.units)/float64(max(w.unitsOf[word], 1)))
}
