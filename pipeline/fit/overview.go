package fit

import (
	"bytes"
	"math"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/spool"
	"github.com/kfw-dev/kfw/internal/summarize/excerpt"
	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/summarize/question"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/summarize"
)

// overview makes the page of a response that does not fit. The units of the response wait in a spool, in memory first
// and then in a file without a name, so that they can be read twice: what a page shows is chosen when all of the
// response is known.
type overview struct {
	reporter
	units   units
	line    []byte // of a value that is one
	isValue bool   // the last unit was a JSON value

	// What is known of a response that does not fit; nil while it may.
	page   *excerpt.Excerpt
	asked  *question.Question
	worker worker
	views  *summarize.Summary // of the section under way
	viewed int                // units of it
	from   int                // the index of the first one
	isCut  bool               // the views saw no more of it, as it looked like source or a text
}

func newOverview(r reporter) overview {
	return overview{reporter: r, units: units{kept: spool.New("")}}
}

// close frees what the overview holds.
func (o *overview) close() {
	o.worker.end()
	o.units.close()
}

// add takes in a unit: a chunk, or several.
func (o *overview) add(r structure.Record, c *split.Chunk) {
	u := unit{Record: r, index: o.units.count + 1}
	if !r.IsText && c.Kind == split.JSON && split.IsValid(c.Source) && !bytes.ContainsAny(c.Source, "\n\r") {
		u.source = c.Source
		if indent := c.Lead[1+bytes.LastIndexByte(c.Lead, '\n'):]; len(indent) > 0 && len(c.Source) <= longestIndented {
			o.line = append(append(o.line[:0], indent...), c.Source...)
			u.source = o.line
		}
	}
	isSameLine := o.isValue && u.source != nil && bytes.IndexByte(c.Lead, '\n') < 0
	o.units.areUneven = o.units.areUneven || isSameLine
	o.isValue = u.source != nil
	o.units.add(u)
	if o.page != nil {
		o.watch(u)
	}
}

// beginPage begins a page, unless one is under way, and watches the units that came so far.
func (o *overview) beginPage() {
	if o.page != nil {
		return
	}
	if o.Question != nil {
		o.asked = o.Question()
	}
	o.page = excerpt.New(o.asked, o.left, o.Memory, o.endSection)
	o.views = summarize.NewWholeSummary()
	o.worker = newWorker(o.views)
	for u := range o.units.all() {
		o.watch(u)
	}
}

// longestIndented is the longest value, in bytes, that is shown with the blanks before it.
const longestIndented = 64 << 10

func (o *overview) watch(u unit) {
	o.page.Watch(o.pageUnit(&u))
	if o.viewed++; o.viewed == 1 {
		o.from = u.index
	}
	if o.isCut = o.isCut || o.viewed >= leastQuoted && o.page.IsQuoting(); !o.isCut {
		o.worker.add(u.Record)
	}
}

// The smallest section that gets facts, beside its lines.
const (
	leastViewed = 8   // units
	viewedOneIn = 256 // and one in so many of all units so far
	leastQuoted = 512 // units after which the views see no more of source or a text
)

// endSection takes from the views what they found in a section that has ended.
func (o *overview) endSection() {
	o.worker.wait()
	if o.viewed >= max(leastViewed, o.units.count/viewedOneIn) {
		o.find()
	}
	o.viewed, o.isCut = 0, false
	o.views.Reset()
}

// viewAll shows the views all of the last section, if they saw no more of what only began like source or a text.
func (o *overview) viewAll() {
	o.worker.wait()
	if !o.isCut || o.page.IsQuoting() {
		return
	}
	o.isCut = false
	o.views.Reset()
	for u := range o.units.all() {
		if u.index >= o.from {
			o.worker.add(u.Record)
		}
	}
	o.worker.wait()
}

// The room for the facts of a section is known only at the end of the response. So they are written in several lengths,
// each for a smaller room than the one before.
const (
	detailsOfFacts = 3
	lessDetail     = 4 // times
)

// find gives the page what the views found in the current section.
func (o *overview) find() {
	var found excerpt.Facts
	room := float64(o.left) * o.shareOfFacts()
	for range detailsOfFacts {
		facts := o.factsFor(room)
		if len(found) == 0 || len(facts) < len(found[len(found)-1]) {
			found = append(found, facts)
		}
		room /= lessDetail
	}
	o.page.Tell(found)
}

// pageUnit returns the unit as a page shows it: a value among lines as it stood.
func (o *overview) pageUnit(u *unit) excerpt.Unit {
	shown := excerpt.Unit{N: u.Seq, Text: u.Value, Path: u.Path, IsRecord: !u.IsText, GoesOn: u.GoesOn}
	if o.Filtered { // numbers have gaps
		shown.N, shown.Number = u.index, u.Seq
	}
	if u.source != nil && o.units.texts > 0 {
		shown.Text = u.source
	}
	return shown
}

// compose adds to a frame the facts and the excerpt that fit beside its first lines.
func (o *overview) compose(frame *encode.Frame) {
	o.viewAll()
	probe := *frame
	probe.Mode = budget.Summary
	probe.Excerpt = &encode.Excerpt{Noun: frame.Excerpt.Noun,
		Page: &excerpt.Page{From: math.MaxInt32, To: math.MaxInt32}}
	room := float64(o.left - o.cost(&probe))
	if room <= 0 {
		return
	}
	forFacts := room * o.shareOfFacts()
	if o.Again { // they have been told
		forFacts = 0
	}
	if o.page.Sections() == 1 {
		o.page.Tell(excerpt.Facts{o.factsFor(forFacts)})
	} else {
		o.endSection()
	}
	for u := range o.units.all() {
		if u.Seq > o.shown.raw {
			o.page.Choose(o.pageUnit(&u))
		}
	}
	if n, what := o.page.Known(frame.Excerpt.Noun); n > 0 {
		frame.Warnings = append(frame.Warnings, split.Warning{What: what, Count: n})
	}
	wide := room
	for range mostTries {
		before := frame.Excerpt.Page
		o.show(frame, o.page.Compose(excerpt.Room{Tokens: wide, Facts: forFacts, Measure: o.measure, Layout: o.Encoding,
			Noun: frame.Excerpt.Noun, IsBrief: o.Plan == Live}))
		left := o.left - o.cost(frame)
		switch {
		case left < 0 && before != nil:
			o.show(frame, before)
			return
		case left < 0: // by most counters the sum for the lines is what all cost, or more
			wide += float64(left - 1)
			o.show(frame, nil)
		case float64(left) < full*room, o.Plan == Live:
			return
		default: // lines cost less together than alone
			wide += float64(left)
		}
	}
}

// show puts a page into a frame, or takes it out if it is nil.
func (o *overview) show(frame *encode.Frame, page *excerpt.Page) {
	frame.Excerpt.Page, frame.Mode = page, budget.HandleOnly
	if !page.IsEmpty() {
		frame.Mode = budget.Strictest(budget.Summary, o.mode())
	}
}

// Bounds of composing a page.
const (
	mostTries = 5
	full      = 0.04 // of the room may be left
)

// measure counts a part of a page.
func (o *overview) measure(text []byte) float64 {
	if len(text) == 0 { // a layout may have nothing for a part
		return 0
	}
	return budget.Measure(o.Counter, text)
}

// Shares of a page for facts. They say most of records, and less where the question names units.
const (
	factsOfRecords      = 0.6
	factsOfRecordsAsked = 0.4
	factsOfLines        = 0.3
	factsOfLinesAsked   = 0.15
)

// shareOfFacts returns the share of this page for facts.
func (o *overview) shareOfFacts() float64 {
	switch isAsked := o.asked.Len() > 0; {
	case o.units.areRecords() && isAsked:
		return factsOfRecordsAsked
	case o.units.areRecords():
		return factsOfRecords
	case isAsked:
		return factsOfLinesAsked
	}
	return factsOfLines
}

// factsFor returns the facts that say most in so much room, as a page has them.
func (o *overview) factsFor(room float64) []byte {
	section := encode.SectionFacts{AreHits: o.page.AreHits(), Totals: o.page.Totals(), Verdicts: o.page.Verdicts()}
	if o.costOf(&section) > room {
		section.Verdicts = nil
	}
	if !o.isCut && !o.page.IsQuoting() {
		section.Tree = o.views.Facts(func(tree *facts.Tree) bool {
			trial := section
			trial.Tree = tree
			return o.costOf(&trial) <= room
		})
	}
	return o.Encoding.AppendFacts(nil, &section)
}

// costOf returns what facts cost.
func (o *overview) costOf(section *encode.SectionFacts) (cost float64) {
	for line := range bytes.Lines(o.Encoding.AppendFacts(nil, section)) {
		cost += o.measure(line)
	}
	return cost
}
