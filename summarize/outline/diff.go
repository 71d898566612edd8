package outline

import (
	"bytes"
	"math"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/facts"
)

const (
	tellsFile        = 1.3
	tellsFileChange  = 0.25 // for each power of ten of lines that it adds and removes
	tellsFileIs      = 0.3  // that it is new, deleted or renamed
	tellsHunk        = 0.3
	tellsChange      = 0.5 // the first line that a hunk adds, and the first that it removes
	tellsDeclared    = 0.6 // a line that adds or removes a declaration
	leastHunks       = 1
	slowdownOfInFile = 0.15
)

// diff is what git diff, diff -u and the like print: files, in them hunks, in them lines that are added and removed.
type diff struct {
	list
	unsettled
	file     file
	files    int
	hunks    int
	inHunks  int // lines of hunks
	headers  int // lines about files
	old, new int // lines of the hunk that are to come
	commits  commitReader
}

// file is the current file of a diff.
type file struct {
	line           int // of its entry, 0 before it has one
	of             *language
	is             string
	added, removed int
	told           int // of its lines
	hasHunk        bool
	hasAdded       bool // of the hunk, one has been told,
	hasRemoved     bool // and one that it removes
	hasHeader      bool // a line has named both sides,
	isNamed        bool // and others the file
	oldName        line // the line that names the old side
	oldBuffer      []byte
}

func newDiff() *diff { return new(diff) }

func (d *diff) name() Shape { return Diff }

func (d *diff) outline() *list {
	d.count()
	return &d.list
}

func (d *diff) totals(to []Total) []Total {
	if d.commits.seen > 0 {
		to = append(to, Total{facts.Commits, d.commits.seen})
	}
	return append(to, Total{facts.Files, d.files})
}

func (d *diff) reset() {
	d.list.reset()
	*d = diff{list: d.list, file: file{oldBuffer: d.file.oldBuffer}}
}

func (d *diff) isSure(lines int) bool {
	return d.hunks >= leastHunks && 2*(d.inHunks+d.headers) >= lines
}

func (d *diff) add(l *line) {
	if d.old > 0 || d.new > 0 {
		if d.addToHunk(l) {
			return
		}
	}
	d.old, d.new = 0, 0
	text := l.text
	switch {
	case len(text) == 0:
	case d.commits.add(l) != notOfCommit:
		d.headers++
		switch d.commits.last {
		case ofSubject:
			d.list.add(l.number, l.body, tellsFile)
		}
	case bytes.HasPrefix(text, []byte("diff ")):
		d.begin()
		d.headers++
		d.file.hasHeader = true
		d.entry(l.number, text, "")
	case bytes.HasPrefix(text, []byte("--- ")):
		if d.file.isNamed { // a diff without lines that name both sides
			d.begin()
		}
		d.headers++
		d.file.oldBuffer = append(d.file.oldBuffer[:0], text...)
		d.file.oldName = line{number: l.number, text: d.file.oldBuffer}
	case bytes.HasPrefix(text, []byte("+++ ")):
		d.headers++
		d.nameBySides(l)
	case bytes.HasPrefix(text, []byte("@@ -")):
		d.beginHunk(l)
	case bytes.HasPrefix(text, []byte("Only in ")): // diff -r
		d.headers++
		d.list.add(l.number, text, d.slowed(tellsChange))
		d.file.told++
	case d.file.hasHeader && d.addHeader(l):
		d.headers++
	case d.file.hasHunk && (text[0] == ' ' || text[0] == '+' || text[0] == '-'): // the numbers of the hunk are wrong
		d.addToHunk(l)
	default:
		d.list.stray(l)
	}
}

// begin ends the file before, and begins one that is not named yet.
func (d *diff) begin() {
	d.count()
	f := &d.file
	*f = file{oldBuffer: f.oldBuffer}
}

// entry adds the entry of the current file, in place of the one that it has.
func (d *diff) entry(number int, text []byte, is string) {
	if d.file.line != 0 {
		d.list.dropLast(d.file.line)
	} else {
		d.files++
	}
	d.file.line = number
	if at := d.list.add(number, text, tellsFile); at >= 0 {
		d.list.all[at].Is = is
	}
}

// count puts into the entry of the file what is counted of it.
func (d *diff) count() {
	f := &d.file
	e := d.list.of(f.line)
	if e == nil {
		return
	}
	e.Is, e.IsChange, e.Added, e.Removed = f.is, true, f.added, f.removed
	e.Tells = tellsFile + tellsFileChange*math.Log10(float64(1+f.added+f.removed))
	if f.is != "" {
		e.Tells += tellsFileIs
	}
}

// addHeader takes in a line between the one that names both sides and the hunks, and reports whether it is one that
// diffs have there.
func (d *diff) addHeader(l *line) bool {
	f := &d.file
	isKnown := false
	for _, start := range headersOfDiff {
		isKnown = isKnown || bytes.HasPrefix(l.text, []byte(start))
	}
	isKnown = isKnown && bytes.Count(l.text, []byte(" mode ")) <= 1
	switch text := l.text; {
	case bytes.HasPrefix(text, []byte("new file")):
		f.is = "new"
	case bytes.HasPrefix(text, []byte("deleted file")):
		f.is = "deleted"
	case bytes.HasPrefix(text, []byte("rename from")):
		f.is = "renamed"
	case bytes.HasPrefix(text, []byte("rename to")):
		d.entry(l.number, text, f.is)
		f.of, f.isNamed = languageOf(text), true
	case bytes.HasPrefix(text, []byte("Binary files")), bytes.HasPrefix(text, []byte("GIT binary")):
		if f.is == "" {
			f.is = "binary"
		}
	}
	return isKnown
}

// headersOfDiff are what the lines about a file begin with in git's extended format.
var headersOfDiff = [...]string{
	"index ", "old mode", "new mode", "new file", "deleted file", "similarity index", "dissimilarity index", "rename from",
	"rename to", "copy from", "copy to", "Binary files", "GIT binary", "literal ", "delta ", "\\ No newline",
}

// nameBySides names the file by the old side, a new one by the new side.
func (d *diff) nameBySides(l *line) {
	f := &d.file
	if f.oldName.text == nil {
		return
	}
	none := []byte("/dev/null")
	f.of = languageOf(l.text)
	switch {
	case bytes.HasSuffix(f.oldName.text, none):
		f.is = "new"
	case bytes.HasSuffix(l.text, none):
		f.is, f.of = "deleted", nil
	}
	switch {
	case f.isNamed: // it is renamed
	case f.is == "new":
		d.entry(l.number, l.text, f.is)
	default:
		d.entry(f.oldName.number, f.oldName.text, f.is)
	}
	f.isNamed = true
	f.oldName.text = nil
}

// beginHunk reads how many lines a hunk has: "@@ -16,7 +16,8 @@ func main() {".
func (d *diff) beginHunk(l *line) {
	rest := l.text[len("@@ -"):]
	var ok bool
	if d.old, rest, ok = cutRange(rest); !ok || !bytes.HasPrefix(rest, []byte(" +")) {
		d.old = 0
		return
	}
	if d.new, _, ok = cutRange(rest[len(" +"):]); !ok {
		d.old, d.new = 0, 0
		return
	}
	d.hunks++
	d.headers++
	d.file.hasHunk, d.file.hasAdded, d.file.hasRemoved = true, false, false
	if at := bytes.LastIndex(l.text, []byte("@@ ")); at > 0 {
		d.file.told++
		d.list.add(l.number, l.text, d.slowed(tellsHunk))
	}
}

// slowed is what a line tells after others of its file.
func (d *diff) slowed(tells float64) float64 {
	return tells / (1 + slowdownOfInFile*float64(d.file.told))
}

// cutRange reads the second number of "16,7", 1 if there is none.
func cutRange(text []byte) (n int, rest []byte, ok bool) {
	digits := ascii.LeadingDigits(text)
	if digits == 0 {
		return 0, text, false
	}
	rest = text[digits:]
	if len(rest) == 0 || rest[0] != ',' {
		return 1, rest, true
	}
	rest = rest[1:]
	if digits = ascii.LeadingDigits(rest); digits == 0 || digits > 9 {
		return 0, rest, false
	}
	for _, c := range rest[:digits] {
		n = 10*n + int(c-'0')
	}
	return n, rest[digits:], true
}

// addToHunk takes in a line of a hunk, and reports whether it is one.
func (d *diff) addToHunk(l *line) bool {
	f := &d.file
	sign := byte(' ')
	if len(l.text) > 0 {
		sign = l.text[0]
	}
	told := &f.hasAdded
	isFlagged := false
	switch sign {
	case '+':
		d.new--
		f.added++
		isFlagged = hasFlag(l.text)
	case '-':
		d.old--
		f.removed++
		told = &f.hasRemoved
	case ' ', '\t': // a blank at the start may have been lost
		d.old, d.new = d.old-1, d.new-1
		d.inHunks++
		return true
	case '\\':
		d.inHunks++
		return true
	default:
		return false
	}
	d.inHunks++
	body := ascii.TrimBlanks(l.text[1:])
	if isClosing(body) {
		return true
	}
	tells := 0.
	if !*told {
		*told, tells = true, tellsChange
	}
	if f.of != nil {
		in := line{body: body, indent: len(l.text) - 1 - len(body)}
		if declared, isImport := f.of.declares(&in); declared > 0 && !isImport {
			tells = max(tells, tellsDeclared*declared)
		}
	}
	if isFlagged {
		tells = max(tells, tellsFlag)
	}
	if tells > 0 {
		d.list.add(l.number, l.text, d.slowed(tells))
		f.told++
	}
	return true
}
