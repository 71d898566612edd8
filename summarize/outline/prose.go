package outline

import "bytes"

// prose is a text without headings: notes, a letter, a list of sentences. All there is of it is its lines.
type prose struct {
	list
	unsettled
	sentences int // lines that read like one
}

func newProse() *prose { return new(prose) }

func (p *prose) name() Shape               { return Text }
func (p *prose) outline() *list            { return &p.list }
func (p *prose) totals(to []Total) []Total { return to }
func (p *prose) reset()                    { p.sentences = 0 }
func (p *prose) isSure(lines int) bool     { return 2*p.sentences >= lines }

func (p *prose) add(l *line) {
	if !l.isBlank() && isProse(l.body) && isSentence(l.body) {
		p.sentences++
	}
}

// isSentence reports whether a line has at least six words, one of which is one that sentences are joined by.
func isSentence(body []byte) bool {
	if bytes.Count(body, []byte{' '}) < 5 {
		return false
	}
	for _, word := range [...]string{" the ", " of ", " and ", " that ", " is ", " der ", " und ", " die ", " de ", " la ",
		" que ", " et "} {
		if bytes.Contains(body, []byte(word)) {
			return true
		}
	}
	return false
}
