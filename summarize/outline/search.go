package outline

import (
	"bytes"
	"math"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/facts"
)

const (
	tellsFirstHit   = 0.7
	tellsMoreHits   = 0.3 // for each power of ten of hits in the file
	tellsHit        = 0.3
	tellsDefinition = 0.7 // times what the declaration tells
	mostFiles       = 1024
)

// search is what grep -n, git grep and rg print: the path, the number of the line and the line; or the path as a
// heading over the lines that have their numbers.
type search struct {
	list
	unsettled
	path    []byte // of the file before
	entry   int    // the line of its entry
	of      *language
	hits    int // in the file
	told    int
	all     int
	heading line // what may be the path over the next lines
	buffer  []byte
	matched int // lines of this shape
	spaced  int // hits that begin with one blank, as messages about a file do
	files   []uint64
	isMixed bool // a file came again after another, or there are too many to know: hits are not counted
}

func newSearch() *search { return new(search) }

func (s *search) name() Shape { return Search }

func (s *search) outline() *list {
	s.count()
	if s.isMixed {
		for i := range s.list.all {
			s.list.all[i].Hits = 0
		}
	}
	return &s.list
}

func (s *search) totals(to []Total) []Total {
	if s.isMixed || len(s.files) == 0 {
		return to
	}
	return append(to, Total{facts.Files, len(s.files)})
}

func (s *search) reset() {
	s.list.reset()
	*s = search{list: s.list, path: s.path[:0], buffer: s.buffer, files: s.files[:0]}
}

func (s *search) isSure(lines int) bool {
	return 2*s.all >= leastLines && 10*s.matched >= 8*lines && 2*s.spaced < s.all
}

func (s *search) add(l *line) {
	if l.isBlank() {
		s.heading.text = nil
		return
	}
	if string(l.text) == "--" {
		s.matched++
		return
	}
	path, rest, isHit := cutHit(l.text)
	switch {
	case path != nil:
		s.matched++
		if !bytes.Equal(path, s.path) {
			s.begin(path)
		}
		if isHit {
			s.hit(l, rest)
		}
	case isHit && s.heading.text != nil: // the first one under it
		s.matched += 2
		s.begin(s.heading.text)
		s.entry = s.heading.number
		s.list.add(s.entry, s.heading.text, tellsFirstHit)
		s.heading.text = nil
		s.hit(l, rest)
	case rest != nil && s.entry > 0: // under the same heading
		s.matched++
		if isHit {
			s.hit(l, rest)
		}
	case mayBePath(l.text):
		s.buffer = append(s.buffer[:0], l.text...)
		s.heading = line{number: l.number, text: s.buffer}
	default:
		s.heading.text = nil
		s.list.stray(l)
	}
}

// cutHit cuts a line after its path and the number of the line. path is nil if it has none, and isHit is false in the
// lines around a hit, whose parts have "-" between them.
func cutHit(text []byte) (path, rest []byte, isHit bool) {
	if digits := ascii.LeadingDigits(text); digits > 0 && digits < len(text) &&
		(text[digits] == ':' || text[digits] == '-') {
		return nil, text[digits+1:], text[digits] == ':'
	}
	for at := 1; at < len(text); at++ {
		sign := text[at]
		if sign == ' ' || sign == '\t' {
			return nil, nil, false
		}
		if sign != ':' && sign != '-' {
			continue
		}
		digits := ascii.LeadingDigits(text[at+1:])
		end := at + 1 + digits
		if digits > 0 && end < len(text) && text[end] == sign && mayBePath(text[:at]) {
			return text[:at], text[end+1:], sign == ':'
		}
		if sign == ':' && at+1 < len(text) && (text[at+1] == ':' || text[at+1] == '/') {
			return nil, nil, false // a name in a file; a URL
		}
		if sign == ':' && digits == 0 && bytes.IndexByte(text[:at], '/') >= 0 && mayBePath(text[:at]) {
			return text[:at], text[at+1:], true // grep without -n
		}
	}
	return nil, nil, false
}

// mayBePath reports whether a text may be the path of a file: without blanks, with a folder or an ending.
func mayBePath(text []byte) bool {
	hasFolder := false
	for i, c := range text {
		switch c {
		case ' ', '\t', '"', '(', ')', '{', '}', '=', ';', ',', '<', '>', '|':
			return false
		case '/', '\\':
			hasFolder = true
		case '.':
			hasFolder = hasFolder || i > 0 && i+1 < len(text) && ascii.IsLetter(text[i+1])
		}
	}
	return hasFolder
}

// begin begins the hits of a file.
func (s *search) begin(path []byte) {
	s.count()
	hash := uint64(14695981039346656037) // FNV-1a
	for _, c := range path {
		hash = (hash ^ uint64(c)) * 1099511628211
	}
	for _, known := range s.files {
		s.isMixed = s.isMixed || known == hash
	}
	if !s.isMixed {
		if len(s.files) < mostFiles {
			s.files = append(s.files, hash)
		} else {
			s.isMixed = true
		}
	}
	s.path = append(s.path[:0], path...)
	s.of = languageOf(path)
	s.entry, s.hits, s.told = 0, 0, 0
}

// count puts into the entry of the file how many hits it has.
func (s *search) count() {
	if e := s.list.of(s.entry); e != nil && s.hits > 0 {
		e.Hits = s.hits
		e.Tells = tellsFirstHit + tellsMoreHits*math.Log10(float64(s.hits))
	}
}

// hit takes in a line that was found.
func (s *search) hit(l *line, rest []byte) {
	s.hits++
	s.all++
	if len(rest) > 1 && rest[0] == ' ' && rest[1] != ' ' {
		s.spaced++
	}
	if digits := ascii.LeadingDigits(rest); digits > 0 && digits < len(rest) && rest[digits] == ':' { // the column
		if rest = rest[digits+1:]; len(rest) > 1 && rest[0] == ' ' && rest[1] != ' ' {
			s.spaced++
		}
	}
	if s.entry == 0 {
		s.entry = l.number
		s.list.add(l.number, l.text, tellsFirstHit)
		return
	}
	tells := tellsHit
	if s.of != nil {
		body := ascii.TrimBlanks(rest)
		in := line{body: body, indent: len(rest) - len(body)}
		if len(body) > 0 {
			if declared, isImport := s.of.declares(&in); declared > 0 && !isImport {
				tells = tellsDefinition * declared
			}
		}
	}
	s.told++
	s.list.add(l.number, l.text, tells/(1+slowdownOfInFile*float64(s.told)))
}
