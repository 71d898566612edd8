package outline

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/facts"
)

const (
	tellsSubject  = 0.8
	tellsChanged  = 0.3 // how many files a commit changed
	tellsMoved    = 0.5
	commitsToHalf = 25 // the commit after so many others tells half
)

// commitReader reads the headers and messages of commits as git log prints them.
type commitReader struct {
	last partOfCommit
	seen int
}

// partOfCommit is what a line is of a commit.
type partOfCommit uint8

const (
	notOfCommit partOfCommit = iota
	ofHash                   // "commit 1b2c..."
	ofHeader                 // "Author: ...", and the blank line after these
	ofSubject                // the first line of the message
	ofMessage
)

// add takes in a line, and returns what it is of a commit.
func (c *commitReader) add(l *line) partOfCommit {
	hash, isCommit := bytes.CutPrefix(l.text, []byte("commit "))
	switch {
	case isCommit && leadingHex(hash) >= 7:
		c.last = ofHash
		c.seen++
	case c.last == notOfCommit:
	case l.isBlank():
		return notOfCommit // which part comes next is seen in the next line
	case c.last <= ofHeader && l.indent == 0 && bytes.IndexByte(l.text, ':') > 0:
		c.last = ofHeader
	case bytes.HasPrefix(l.text, []byte("    ")):
		if c.last >= ofSubject {
			c.last = ofMessage
		} else {
			c.last = ofSubject
		}
	default:
		c.last = notOfCommit
	}
	return c.last
}

// leadingHex returns how many hexadecimal digits a text begins with, if they are a word of their own.
func leadingHex(text []byte) (n int) {
	for n < len(text) && ascii.IsHexDigit(text[n]) {
		n++
	}
	if n < len(text) && text[n] != ' ' {
		return 0
	}
	return n
}

// commits is what git log prints without diffs: each commit in several lines.
type commits struct {
	list
	unsettled
	reader commitReader
	parts  int // lines of commits
	moved  int // files that a line of its own says are new, renamed or deleted
}

func newCommits() *commits { return new(commits) }

func (c *commits) name() Shape    { return Commits }
func (c *commits) outline() *list { return &c.list }

func (c *commits) totals(to []Total) []Total { return append(to, Total{facts.Commits, c.reader.seen}) }

func (c *commits) reset() {
	c.list.reset()
	*c = commits{list: c.list}
}

func (c *commits) isSure(lines int) bool { return c.reader.seen >= 2 && 2*c.parts >= lines }

func (c *commits) add(l *line) {
	part := c.reader.add(l)
	if part != notOfCommit {
		c.parts++
	}
	switch {
	case part == ofSubject:
		c.list.add(l.number, l.body, tellsSubject/(1+float64(c.reader.seen)/commitsToHalf))
	case part == ofHeader && !isHeaderOfGit(l.text):
		c.list.stray(l)
	case part != notOfCommit || l.isBlank():
	case part == notOfCommit && isStat(l.text): // git log --stat
		c.parts++
	case bytes.HasPrefix(l.text, []byte(" rename ")), bytes.HasPrefix(l.text, []byte(" create mode ")),
		bytes.HasPrefix(l.text, []byte(" delete mode ")), bytes.HasPrefix(l.text, []byte(" mode change ")):
		c.parts++
		c.moved++
		c.list.add(l.number, l.body, tellsMoved/(1+float64(c.moved)/10))
	case part == notOfCommit && bytes.Contains(l.text, []byte(" changed, ")):
		c.parts++
		c.list.add(l.number, l.body, tellsChanged/(1+float64(c.reader.seen)/commitsToHalf))
	default:
		c.list.stray(l)
	}
}

// isHeaderOfGit reports whether a line between the hash and the message is one that git writes.
func isHeaderOfGit(text []byte) bool {
	name, _, _ := bytes.Cut(text, []byte{':'})
	switch string(name) {
	case "Author", "AuthorDate", "Commit", "CommitDate", "Date", "Merge", "Reflog", "Reflog message", "Notes", "gpg":
		return true
	}
	return false
}

// isStat reports whether a line says how much of a file a commit changed: " go.mod | 3 ++-".
func isStat(text []byte) bool {
	at := bytes.Index(text, []byte(" | "))
	if at <= 0 || text[0] != ' ' {
		return false
	}
	rest := ascii.TrimBlanks(text[at+len(" | "):])
	return bytes.HasPrefix(rest, []byte("Bin ")) || ascii.LeadingDigits(rest) > 0
}

// oneline is what git log --oneline prints: the beginning of a hash and the subject. All there is of it is its lines.
type oneline struct {
	list
	unsettled
	hashes int
}

func newOneline() *oneline { return new(oneline) }

func (o *oneline) name() Shape               { return Commits }
func (o *oneline) outline() *list            { return &o.list }
func (o *oneline) totals(to []Total) []Total { return append(to, Total{facts.Commits, o.hashes}) }
func (o *oneline) reset()                    { o.hashes = 0 }
func (o *oneline) isSure(lines int) bool     { return 10*o.hashes >= 9*lines }

func (o *oneline) add(l *line) {
	body := bytes.TrimLeft(l.text, "*|\\/ ") // of --graph
	n := leadingHex(body)
	if n < 7 || n > 40 || n+2 >= len(body) || ascii.IsDigit(body[n+1]) || bytes.Contains(body, []byte("  ")) {
		return // cells of a table have gaps between them
	}
	o.hashes++
}
