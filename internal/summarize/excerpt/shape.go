package excerpt

import "bytes"

// shape counts what the units of a section look like.
type shape struct {
	seen         int
	texts        int // units that are not blank
	numbered     int // units with a number of their own: a place in a file, or one more than lastNumber
	lastNumber   int // the last line number that stood in a unit
	hits         int // of these, those with the path of a file
	matched      int // of these, those that are no context
	columns      int // of these, those with a column after the line, as compilers write it
	paths        paths
	code         int // units that look like a line of source
	declarations int
	changes      changes
	commits      int // that git log prints
	titles       int // headings of a document
	fence        fence
	learnt       int     // units that were counted by template
	again        int     // of these, those of a template that had come
	ofKind       int     // of these, those of a kind that had come
	heads        int     // of these, those whose first word was new
	failures     float64 // units that report a failure, an estimate
}

// add takes in another shape: the two sections are joined.
func (s *shape) add(other *shape) {
	s.seen += other.seen
	s.texts += other.texts
	s.numbered += other.numbered
	s.hits += other.hits
	s.matched += other.matched
	s.columns += other.columns
	for hash := range other.paths.known {
		s.paths.add(hash)
	}
	s.code += other.code
	s.declarations += other.declarations
	s.changes.files += other.changes.files
	s.changes.added += other.changes.added
	s.changes.removed += other.changes.removed
	s.changes.lines += other.changes.lines
	s.commits += other.commits
	s.titles += other.titles
	s.fence = other.fence
	s.learnt += other.learnt
	s.again += other.again
	s.ofKind += other.ofKind
	s.heads += other.heads
	s.failures += other.failures
}

// paths are the different paths of hits.
type paths struct {
	known map[uint64]bool
	last  uint64
	isCut bool // there are more
}

// see takes in the path of a hit.
func (p *paths) see(path []byte) {
	if hash := hashOf(path); hash != p.last {
		p.last = hash
		p.add(hash)
	}
}

func (p *paths) add(hash uint64) {
	if p.known == nil {
		p.known = make(map[uint64]bool)
	}
	if p.known[hash] || len(p.known) < mostFiles {
		p.known[hash] = true
	} else {
		p.isCut = true
	}
}

// see counts what a unit looks like.
func (s *shape) see(shown []byte) {
	s.seen++
	n := ownNumberLen(shown)
	if number := OwnNumber(shown); number > 0 {
		if s.lastNumber == 0 || number == s.lastNumber+1 {
			s.numbered++
		}
		s.lastNumber = number
	} else if n > 0 {
		s.numbered++
		if last := shown[n-1]; last == ':' || last == '-' {
			s.hits++
			s.paths.see(pathOf(shown[:n]))
			if last == ':' {
				s.matched++
				if numberBetween(shown, n-1) > 0 {
					s.columns++
				}
			}
		}
	}
	text := bytes.TrimSpace(shown[n:])
	if len(text) == 0 {
		return
	}
	s.texts++
	s.fence.see(text)
	switch {
	case !s.fence.isOpen && isTitle(text):
		s.titles++
	}
	if looksLikeCode(text) {
		s.code++
	}
}

// learns reports whether templates and kinds are still counted. They are for the first units, then only while enough of
// them come again.
func (s *shape) learns() bool {
	return s.learnt < learnAtLeast || s.again*leastKnown > s.learnt || s.isRepeating()
}

// bringNumbers reports whether most units bring their own number, as the lines of cat -n and grep -n do.
func (s *shape) bringNumbers() bool { return 5*s.numbered > 3*s.seen }

// areHits reports whether most units are hits of a search, as grep -n prints them.
func (s *shape) areHits() bool { return 5*s.hits > 3*s.seen }

// repeats returns the share of units whose template came before.
func (s *shape) repeats() float64 { return float64(s.again) / float64(max(s.learnt, 1)) }

// isRepeating reports whether most units are of templates, or of kinds, that come again. Kinds are coarser, so more of
// them must.
func (s *shape) isRepeating() bool {
	return s.repeats() > mostRepeat || s.haveFewHeads() ||
		(!s.isQuoting() || s.areHits()) && float64(s.ofKind) > mostOfKinds*float64(s.learnt)
}

// isSource reports whether the units are source, in which a word for an error names something.
func (s *shape) isSource() bool {
	return 2*(s.code+s.declarations) > s.texts &&
		(s.declarations*unitsOfDeclaration > s.texts || s.repeats() < mostRepeat && !s.haveFewHeads())
}

// haveFewHeads reports whether nearly all units begin with one of few words.
func (s *shape) haveFewHeads() bool { return s.heads*unitsOfHead < s.learnt }

// unitsOfHead is how many units there are for each word that they begin with, on average, where these are few.
const unitsOfHead = 50

// Bounds of what the units of a section are.
const (
	unitsOfDeclaration = 50  // of source, on average at most, though they repeat
	leastTitles        = 3   // of a document
	linesOfTitle       = 100 // of a document, on average at most
)

// isDiff reports whether most units are lines of the hunks of a diff.
func (s *shape) isDiff() bool { return 2*s.changes.lines > s.seen }

// isDocument reports whether the units are a document with headings.
func (s *shape) isDocument() bool {
	return s.titles >= leastTitles && s.titles*linesOfTitle > s.seen && s.repeats() < mostRepeat && !s.isSource()
}

// isQuoting reports whether the units are source, a diff or a document: what reads like a failure there is quoted.
func (s *shape) isQuoting() bool { return s.isSource() || s.isDiff() || s.isDocument() }

// areFewFailures reports whether a failure is news: not most units report one, and they do not quote it.
func (s *shape) areFewFailures() bool {
	return s.failures <= fewFailures*float64(s.learnt) && !s.isQuoting()
}

// fence follows blocks of code in a document.
type fence struct{ isOpen bool }

func (s *fence) see(text []byte) {
	if bytes.HasPrefix(text, []byte("```")) || bytes.HasPrefix(text, []byte("~~~")) {
		s.isOpen = !s.isOpen
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

// looksLikeCode reports whether a trimmed line begins or ends as lines of source do.
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
