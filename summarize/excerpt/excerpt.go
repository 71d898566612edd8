// Package excerpt chooses what a reader gets of a response that does not fit: one excerpt in the order of the response.
//
// The response comes in twice, unit by unit: lines, or records of JSON. In the first pass (Watch) an Excerpt counts what
// it has to know of all of it: templates, how many units have each word of the question, what failed. In the second
// (Choose) each unit gets a worth, and a bounded pool keeps the best. Append takes from the pool by worth for each
// token until the room is used, and writes what it took in order, each unit once, with the gaps between.
//
// It always holds that a unit is shown as it is, cut at an ellipsis only, that the lines shown and the lines of the
// gaps add up to the response, and that memory does not grow with it. The same response, question and room give the
// same page.
package excerpt

import "github.com/kfw-dev/kfw/summarize/question"

// Unit is one line of a response, or one record. Its bytes are lent for the call.
type Unit struct {
	N        int    // its number, from 1, one more than that of the unit before
	Number   int    // that is shown, where only some units of a response were chosen; N if 0
	Text     []byte // without the end of the line; a record as JSON
	Path     []byte // where a record stood, if its parent was opened
	IsRecord bool
	GoesOn   bool // more of the line that the unit before is of
}

// Excerpt is a page under way.
type Excerpt struct {
	watched
	chooser
}

// New returns a page for an answer of so many tokens to a question, which may be nil.
func New(q *question.Question, tokens int) *Excerpt {
	p := &Excerpt{watched: newWatched(q)}
	p.chooser = newChooser(&p.watched, tokens)
	return p
}
