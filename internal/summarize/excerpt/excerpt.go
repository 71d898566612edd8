// Package excerpt chooses what a reader gets of a response that does not fit: one excerpt in the order of the response.
//
// The response comes in twice, unit by unit: lines, or records of JSON. The first pass (Watch) counts
// templates, failures, and the units that have each word of the question. The second pass (Choose)
// gives each unit a worth, and two bounded pools keep the best: one of units that the question asks
// for, one of all others. Compose takes units from both by worth for each byte until the room is used,
// and returns them in the order of the response, with the gaps between them.
//
// Three things always hold. A unit is shown as it is, and cut only at an ellipsis. The lines shown and
// the lines of the gaps add up to the response. Memory does not grow with the response. The same
// response, question and room give the same page.
package excerpt

import (
	"cmp"

	"github.com/kfw-dev/kfw/internal/summarize/question"
)

// Unit is one line of a response, or one record. Its bytes are lent for the call.
type Unit struct {
	N        int    // its number, from 1, one more than that of the unit before
	Number   int    // that is shown, where only some units of a response were chosen; N if 0
	Text     []byte // without the end of the line; a record as JSON
	Path     []byte // where a record stood, if its parent was opened
	IsRecord bool
	GoesOn   bool // more of the line that the unit before is of
}

// number returns the number that is shown.
func (u *Unit) number() int { return cmp.Or(u.Number, u.N) }

// Excerpt is a page under way.
type Excerpt struct {
	watched
	chooser
}

// New returns a page for an answer of so many tokens to a question, which may be nil. It leaves out what the reader was
// shown before by a memory, which may be nil. In the first pass it calls ended, which may be nil, when a section has
// ended.
func New(q *question.Question, tokens int, memory Memory, ended func()) *Excerpt {
	p := &Excerpt{watched: newWatched(q, ended)}
	p.chooser = newChooser(&p.watched, tokens, memory)
	return p
}
