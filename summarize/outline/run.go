package outline

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/ascii"
)

const (
	linesOfReport  = 60   // after a mark of a failure, in which its messages are
	slowdownOfMore = 0.6  // the second line of a kind in one report tells so much less, and so on
	shareOfAfter   = 0.7  // of what a line tells, the next one that belongs to it
	failuresToHalf = 24.0 // the report of a failure after so many others tells half
)

// run is what builds and tests print: among lines that say what went well, reports of what failed.
type run struct {
	list
	unsettled
	strong  int // lines that only such runs have
	reports int
	since   int // lines since the last report began
	kinds   [len(marksOfRuns)]int
	after   int     // lines to come that belong to the one before,
	deeper  int     // if they are indented by more than so much
	tells   float64 // what they tell
}

// mark is how lines of a run begin, or what they have, that say what failed and why.
type mark struct {
	start      string // of the line, without its blanks
	has        string
	tells      float64
	after      int  // lines that belong to it: indented deeper,
	isAnywhere bool // or as deep
	isStrong   bool // no other text has it
	begins     bool // it begins a report
	inReport   bool // elsewhere it says nothing
}

// marksOfRuns are rows for each program: what it writes of failures, as its source has it.
var marksOfRuns = [...]mark{
	// pytest
	{start: "________", tells: 0.6, isStrong: true, begins: true},
	{start: "E   ", tells: 1, isStrong: true, inReport: true},
	{start: ">   ", tells: 0.5, inReport: true},
	{start: "FAILED ", has: "::", tells: 1.1, isStrong: true},
	{start: "ERROR ", has: "::", tells: 1.1, isStrong: true},
	// go test
	{start: "--- FAIL: ", tells: 1.2, after: 2, isStrong: true, begins: true},
	{start: "panic: ", tells: 1.4, begins: true},
	// cargo and rustc
	{start: "error[", tells: 1.2, after: 1, isStrong: true, begins: true},
	{start: "---- ", has: " stdout ----", tells: 0.6, isStrong: true, begins: true},
	{start: "thread '", has: "panicked at", tells: 1.2, after: 1, isStrong: true, isAnywhere: true},
	// Jest, Vitest, Mocha, AVA
	{start: "● ", tells: 1.1, isStrong: true, begins: true},
	{start: "✕ ", tells: 0.9, isStrong: true},
	{start: "Expected", tells: 0.9, inReport: true},
	{start: "Received", tells: 0.9, inReport: true},
	{start: "expect(", tells: 0.5, inReport: true},
	{start: "AssertionError", tells: 1, inReport: true},
	// TAP
	{start: "not ok ", tells: 1.2, after: 2, isStrong: true, begins: true},
	// plans of Terraform
	{start: "Plan: ", has: " to add", tells: 2, isStrong: true},
	{start: "# ", has: " will be destroyed", tells: 1.4, isStrong: true, begins: true},
	{start: "# ", has: " must be replaced", tells: 1.3, isStrong: true, begins: true},
	{start: "# ", has: " will be updated", tells: 1.2, isStrong: true, begins: true},
	{start: "~ ", has: " -> ", tells: 0.9, inReport: true},
}

const leastStrong = 2

func newRun() *run { return new(run) }

func (r *run) name() Shape               { return Run }
func (r *run) outline() *list            { return &r.list }
func (r *run) totals(to []Total) []Total { return to }
func (r *run) isSure(int) bool           { return r.strong >= leastStrong && r.reports > 0 }

func (r *run) reset() {
	r.list.reset()
	*r = run{list: r.list}
}

func (r *run) add(l *line) {
	r.since++
	if l.isBlank() {
		return
	}
	for i := range marksOfRuns {
		m := &marksOfRuns[i]
		if l.body[0] != m.start[0] || len(l.body) < len(m.start) || string(l.body[:len(m.start)]) != m.start ||
			m.has != "" && !bytes.Contains(l.body, []byte(m.has)) {
			continue
		}
		r.mark(l, i)
		return
	}
	switch {
	case r.after > 0 && l.indent > r.deeper:
		r.after--
		r.list.add(l.number, l.text, r.tells)
		r.tells *= shareOfAfter
	case r.isInReport() && isPlace(l.body):
		r.list.add(l.number, l.text, r.slowed(0.9, 0))
	}
}

func (r *run) isInReport() bool { return r.reports > 0 && r.since <= linesOfReport }

// mark takes in a line with a mark.
func (r *run) mark(l *line, index int) {
	m := &marksOfRuns[index]
	if m.isStrong {
		r.strong++
	}
	if m.begins {
		r.reports++
		r.since = 0
		r.kinds = [len(marksOfRuns)]int{}
	}
	if m.inReport && !r.isInReport() {
		return
	}
	tells := r.slowed(m.tells, r.kinds[index])
	if m.inReport { // others are of a failure each
		r.kinds[index]++
	}
	r.list.add(l.number, l.text, tells)
	r.after, r.deeper, r.tells = m.after, l.indent, tells*shareOfAfter
	if m.isAnywhere {
		r.deeper = -1
	}
}

// slowed is what a line tells after so many of its kind in the report.
func (r *run) slowed(tells float64, before int) float64 {
	return tells / (1 + slowdownOfMore*float64(before)) / (1 + float64(r.reports)/failuresToHalf)
}

// isPlace reports whether a line begins with a place in a file: "tide_test.go:12: height is 3".
func isPlace(body []byte) bool {
	at := bytes.IndexByte(body, ':')
	if at <= 0 || bytes.IndexByte(body[:at], ' ') >= 0 || strings.IndexByte("./", body[0]) < 0 && !isNameByte(body[0]) ||
		bytes.IndexByte(body[:at], '.') < 0 {
		return false
	}
	digits := ascii.LeadingDigits(body[at+1:])
	end := at + 1 + digits
	return digits > 0 && (end == len(body) || body[end] == ':')
}
