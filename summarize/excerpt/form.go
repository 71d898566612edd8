package excerpt

import "bytes"

// form is what the units of a section look like, counted.
type form struct {
	seen     int
	texts    int // units that are not blank
	numbered int // units that bring their own number
	hits     int // of these, those with the path of a file
	code     int // units that look like a line of source
	hunks    int // headers of hunks of a diff
	titles   int // headings of a document
	fence    fence
	learnt   int     // units that were counted by template
	again    int     // of these, those of a template that had come
	ofKind   int     // of these, those of a kind that had come
	failures float64 // units that report a failure, an estimate
}

// add takes in another form: the two are of one section now.
func (f *form) add(other *form) {
	f.seen += other.seen
	f.texts += other.texts
	f.numbered += other.numbered
	f.hits += other.hits
	f.code += other.code
	f.hunks += other.hunks
	f.titles += other.titles
	f.fence = other.fence
	f.learnt += other.learnt
	f.again += other.again
	f.ofKind += other.ofKind
	f.failures += other.failures
}

// see counts what a unit looks like.
func (f *form) see(shown []byte) {
	f.seen++
	n := ownNumberLen(shown)
	if n > 0 {
		f.numbered++
		if last := shown[n-1]; last == ':' || last == '-' {
			f.hits++
		}
	}
	text := bytes.TrimSpace(shown[n:])
	if len(text) == 0 {
		return
	}
	f.texts++
	f.fence.see(text)
	switch {
	case bytes.HasPrefix(text, []byte("@@ -")):
		f.hunks++
	case !f.fence.isOpen && isTitle(text):
		f.titles++
	}
	if looksLikeCode(text) {
		f.code++
	}
}

// learns reports whether templates and kinds are counted on: after some units only while enough of them come again.
func (f *form) learns() bool {
	return f.learnt < learnAtLeast || f.again*leastKnown > f.learnt
}

// bringNumbers reports whether most units bring their own number, as the lines of cat -n and grep -n do.
func (f *form) bringNumbers() bool { return 5*f.numbered > 3*f.seen }

// areHits reports whether most units are hits of a search, as grep -n prints them.
func (f *form) areHits() bool { return 5*f.hits > 3*f.seen }

// repeats returns the share of units whose template came before.
func (f *form) repeats() float64 { return float64(f.again) / float64(max(f.learnt, 1)) }

// isRepeating reports whether most units are of templates, or of kinds, that come again. Kinds are coarser, so more of
// them must.
func (f *form) isRepeating() bool {
	return f.repeats() > mostRepeat ||
		(!f.isQuoting() || f.areHits()) && float64(f.ofKind) > mostOfKinds*float64(f.learnt)
}

// isSource reports whether the units are source, in which a word for an error names something.
func (f *form) isSource() bool { return 2*f.code > f.texts && f.repeats() < mostRepeat }

// Bounds of what the units of a section are.
const (
	linesOfHunk  = 300 // of a diff, on average at most
	leastTitles  = 3   // of a document
	linesOfTitle = 100 // of a document, on average at most
)

// isDiff reports whether the units are a diff.
func (f *form) isDiff() bool { return f.hunks*linesOfHunk > f.seen }

// isDocument reports whether the units are a document with headings.
func (f *form) isDocument() bool {
	return f.titles >= leastTitles && f.titles*linesOfTitle > f.seen && f.repeats() < mostRepeat && !f.isSource()
}

// isQuoting reports whether units that read like a failure or a verdict are of source or of a text.
func (f *form) isQuoting() bool { return f.isSource() || f.isDiff() || f.isDocument() }

// areFewFailures reports whether a failure is news: not most units report one, and they do not quote it.
func (f *form) areFewFailures() bool {
	return f.failures <= fewFailures*float64(f.learnt) && !f.isQuoting()
}

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
	at := bytes.IndexByte(text, '=')
	for at > 0 && at+1 < len(text) {
		if text[at+1] == ' ' && (text[at-1] == ' ' || text[at-1] == ':' && at > 1 && text[at-2] == ' ') {
			return true
		}
		next := bytes.IndexByte(text[at+1:], '=')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return false
}
