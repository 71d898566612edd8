package fit

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/spool"
	"github.com/kfw-dev/kfw/pipeline/blob"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/summarize"
	"github.com/kfw-dev/kfw/summarize/excerpt"
	"github.com/kfw-dev/kfw/summarize/facts"
	"github.com/kfw-dev/kfw/summarize/outline"
	"github.com/kfw-dev/kfw/summarize/question"
	"github.com/kfw-dev/kfw/summarize/structure"
)

// digest is a response that is shown when it has ended: whole, if that fits, or as a page. Its units wait in a spool,
// in memory first and then in a file without a name, so that they can be read twice: what a page shows is chosen when
// all of the response is known.
type digest struct {
	reporter
	seen     seen
	cut      bool // there are more chunks than the limit
	verbatim verbatim
	blobs    blobs
	units    units
	nonText  nonText

	// What is known of a response that does not fit; nil while it may.
	page   *excerpt.Excerpt
	lines  []excerpt.Line // that it shows, for the memory
	asked  *question.Question
	worker worker
	views  *summarize.Summary // of the section under way
	viewed int                // units of it
}

// respondWhenEnded yields the only frame of a response when that has ended.
func respondWhenEnded(chunks iter.Seq2[split.Chunk, error], clean Source, h Namer, o *Options,
	yield func(encode.Frame, error) bool) {
	d := &digest{reporter: newReporter(o, h, yield), units: units{kept: spool.New("")},
		verbatim: verbatim{isOpen: true, atStart: true}}
	d.run(chunks, clean)
}

func (d *digest) run(chunks iter.Seq2[split.Chunk, error], clean Source) {
	defer func() { d.worker.end() }()
	defer d.units.close()
	var failed error
	for c, err := range chunks {
		if failed = err; err != nil {
			break
		}
		if d.cut = c.Seq > 0 && d.Limit > 0 && d.seen.count == d.Limit; d.cut {
			break
		}
		d.add(c)
		if d.Progress != nil && c.Seq%256 == 0 {
			d.Progress(Progress{d.seen.count, clean.BytesRead(), d.left, d.Budget.Tokens, d.mode()})
		}
	}
	if d.blobs.labeler.IsOpen() {
		c, _, first := d.blobs.end()
		d.addUnit(c, first, d.blobs.parts.goesOn)
	}
	if !d.cut {
		d.notices.take()
	}
	d.finish(failed, clean)
}

// add takes one chunk, or what stands between chunks.
func (d *digest) add(c split.Chunk) {
	if d.blobs.labeler.IsOpen() && c.Seq > 0 && !d.blobs.continues(&c) {
		open, _, first := d.blobs.end()
		d.addUnit(open, first, d.blobs.parts.goesOn)
	}
	if d.verbatim.isOpen {
		d.verbatim.add(c)
	}
	if c.Seq == 0 {
		d.notices.between.Add(c.Warnings)
		d.notices.response.Add(c.Warnings)
		d.bound()
		return
	}
	d.notices.take()
	d.notices.response.Add(c.Warnings)
	if d.seen.count++; d.seen.count == 1 {
		d.seen.first = c.Seq
	}
	goesOn := c.GoesOn() && c.Seq == d.seen.last+1 // the part before may have been left out by a filter
	d.seen.last = c.Seq
	_, first, isOpen := d.blobs.label(&c, goesOn)
	if !isOpen {
		d.addUnit(c, first, goesOn)
	}
	d.bound()
}

// addUnit takes in a unit: a chunk, or several from number first on whose blob has one label.
func (d *digest) addUnit(c split.Chunk, first int, goesOn bool) {
	value, isText, warnings := d.present.Present(c)
	d.notices.due.Add(warnings)
	d.nonText.see(c.Source, value)
	u := unit{Record: structure.Record{Seq: first, Top: c.Top, Path: c.Path, Value: value, IsText: isText,
		GoesOn: goesOn}}
	if !isText && c.Kind == split.JSON && split.IsValid(c.Source) && !bytes.ContainsAny(c.Source, "\n\r") {
		u.source = c.Source
	}
	u.index = d.units.count + 1
	d.units.add(u)
	if d.page != nil {
		d.watch(u)
	}
}

// bound gives up to show the response whole if it does not fit any more. All that came before is watched then.
func (d *digest) bound() {
	if d.page == nil && (!d.verbatim.isOpen || !d.verbatim.fits(d.Options, d.left, false)) {
		d.verbatim.end()
		d.beginPage()
	}
}

// beginPage begins a page, and watches the units that came so far.
func (d *digest) beginPage() {
	if d.Question != nil {
		d.asked = d.Question()
	}
	d.page = excerpt.New(d.asked, d.left, d.Memory, d.endSection)
	d.views = summarize.NewWatchfulSummary()
	d.worker = newWorker(d.views)
	for u := range d.units.all() {
		d.watch(u)
	}
}

func (d *digest) watch(u unit) {
	d.page.Watch(d.shown(&u))
	d.viewed++
	d.worker.add(u.Record)
}

// Bounds of a section that anything is said of beside what it shows.
const (
	leastViewed = 8   // units
	mostTold    = 256 // of all units so far, one of so many
)

// endSection takes from the views what they found in a section that has ended.
func (d *digest) endSection() {
	d.worker.wait()
	if d.viewed >= max(leastViewed, d.units.count/mostTold) {
		d.find()
	}
	d.viewed = 0
	d.views.Reset()
}

// How much room the facts of a section get is known at the end: they are told for so many rooms, each smaller than the
// one before.
const (
	detailsOfFacts = 3
	lessDetail     = 4 // times
)

// find gives the page what the views found in the current section.
func (d *digest) find() {
	var found excerpt.Facts
	room := float64(d.left) * d.shareOfFacts()
	for range detailsOfFacts {
		facts := d.factsFor(room)
		if len(found) == 0 || len(facts) < len(found[len(found)-1]) {
			found = append(found, facts)
		}
		room /= lessDetail
	}
	d.page.Tell(found)
	d.want()
}

// shown returns the unit as a page shows it: a value among lines as it stood.
func (d *digest) shown(u *unit) excerpt.Unit {
	shown := excerpt.Unit{N: u.Seq, Text: u.Value, Path: u.Path, IsRecord: !u.IsText, GoesOn: u.GoesOn}
	if d.Filtered { // numbers have gaps
		shown.N, shown.Number = u.index, u.Seq
	}
	if u.source != nil && d.units.texts > 0 {
		shown.Text = u.source
	}
	return shown
}

// finish writes the only frame: the response, or its page.
func (d *digest) finish(failed error, clean Source) {
	if d.page == nil && !d.Again && d.showWhole(failed) {
		return
	}
	if d.page == nil {
		if !d.Again {
			d.verbatim.end()
		}
		d.beginPage()
	}
	d.worker.wait()
	frame := d.frame(failed, clean)
	switch {
	case d.nonText.is():
		frame.Excerpt.Media, frame.Warnings = blob.MediaOf(d.nonText.head), slices.Clip(d.Standing)
	case d.mode() < budget.HandleOnly && d.seen.count > 0:
		d.compose(&frame)
	}
	d.fitHead(&frame)
	if d.isBetterWhole(&frame) && d.showWhole(failed) {
		return
	}
	if !d.send(&frame, d.left) {
		failed = cmp.Or(failed, ErrNoFinal)
	} else if frame.Excerpt.Body != nil {
		for _, line := range d.lines {
			d.Memory.Show(line.N, line.Text)
		}
	}
	if failed = cmp.Or(failed, d.handle.err); failed != nil && !d.stopped {
		d.yield(encode.Frame{}, failed)
	}
}

// isBetterWhole reports whether a response that fits is shown whole, though the reader was shown lines of it: the page
// leaves out others, too, or costs as much.
func (d *digest) isBetterWhole(page *encode.Frame) bool {
	return d.Again && d.verbatim.isOpen && (d.page.Missing() > 0 ||
		d.cost(page) >= d.cost(&encode.Frame{Final: true, Whole: true, Source: d.verbatim.text}))
}

// showWhole shows the response byte for byte if the mode allows that and it fits, and reports whether it did.
func (d *digest) showWhole(failed error) bool {
	if !d.verbatim.isOpen || d.cut || d.seen.count > 0 && d.mode() > budget.Raw {
		return false
	}
	frame := encode.Frame{Final: true, Whole: true, Source: d.verbatim.text, Error: d.failure(failed)}
	if frame.Error != nil && !d.fits(&frame, d.left) {
		frame.Error.Message = ""
	}
	if !d.fits(&frame, d.left) {
		return false
	}
	d.notices.notify(d.Options, d.verbatim.invalid)
	if !d.send(&frame, d.left) {
		failed = cmp.Or(failed, ErrNoFinal)
	}
	if failed != nil && !d.stopped {
		d.yield(encode.Frame{}, failed)
	}
	return true
}

// frame begins the frame of a page: what stands in its first lines.
func (d *digest) frame(failed error, clean Source) encode.Frame {
	name, _ := d.handle.name()
	frame := encode.Frame{Final: true, Mode: budget.Strictest(budget.Summary, d.mode()),
		First: d.seen.first, Last: d.seen.last, Handle: name,
		Error: d.failure(failed), Excerpt: &encode.Excerpt{Noun: d.units.noun()},
		Totals: &encode.Totals{Chunks: d.seen.count, Bytes: clean.BytesRead(), SessionLeft: d.Budget.sessionLeft(),
			Estimate: d.Estimate}}
	if d.cut {
		frame.NextOffset = d.seen.last
	}
	for rule, count := range clean.Counts() {
		frame.Totals.Redactions = append(frame.Totals.Redactions, encode.RuleCount{Rule: rule, Count: count})
	}
	frame.Warnings = append(slices.Clip(d.Standing), d.notices.due.All()...)
	if err := d.units.err; err != nil {
		frame.Warnings = append(frame.Warnings, split.Warning{
			What: "the lines shown are of the beginning: the rest could not be kept for a second look"})
	}
	if d.mode() == budget.HandleOnly && frame.Error != nil {
		frame.Error.Message = ""
	}
	d.notices.due = split.Warnings{}
	return frame
}

// compose adds to a frame the facts and the excerpt that fit beside its first lines.
func (d *digest) compose(frame *encode.Frame) {
	probe := *frame
	probe.Excerpt = &encode.Excerpt{Noun: frame.Excerpt.Noun, From: math.MaxInt32, To: math.MaxInt32}
	room := float64(d.left - d.cost(&probe))
	if room <= 0 {
		return
	}
	forFacts := room * d.shareOfFacts()
	if d.Again { // they have been told
		forFacts = 0
	}
	if d.page.Sections() == 1 {
		d.page.Tell(excerpt.Facts{d.factsFor(forFacts)})
		d.want()
	} else {
		d.endSection()
	}
	for u := range d.units.all() {
		d.page.Choose(d.shown(&u))
	}
	e := frame.Excerpt
	if n, what := d.page.Known(e.Noun); n > 0 {
		frame.Warnings = append(frame.Warnings, split.Warning{What: what, Count: n})
	}
	wide := room
	for range mostTries {
		body, from, to := d.page.Append(nil, excerpt.Room{Tokens: wide, Facts: forFacts, Measure: d.measure, Noun: e.Noun})
		before, lines := *e, d.lines
		e.Body, e.From, e.To, d.lines = body, from, to, d.page.Lines()
		left := d.left - d.cost(frame)
		switch {
		case left < 0 && before.Body != nil:
			*e, d.lines = before, lines
			return
		case left < 0: // by most counters the sum for the lines is what all cost, or more
			wide += float64(left - 1)
			e.Body, e.From, e.To, d.lines = nil, 0, 0, nil
		case float64(left) < full*room:
			return
		default: // lines cost less together than alone
			wide += float64(left)
		}
	}
}

// Bounds of composing a page.
const (
	mostTries = 5
	full      = 0.04 // of the room may be left
)

// measure counts a part of a page.
func (d *digest) measure(text []byte) float64 { return budget.Measure(d.Counter, text) }

// Shares of a page for facts. They say most of records, and less where the question names units.
const (
	factsOfRecords      = 0.6
	factsOfRecordsAsked = 0.4
	factsOfLines        = 0.3
	factsOfLinesAsked   = 0.15
)

// shareOfFacts returns the share of this page for facts.
func (d *digest) shareOfFacts() float64 {
	switch isAsked := d.asked.Len() > 0; {
	case d.units.areRecords() && isAsked:
		return factsOfRecordsAsked
	case d.units.areRecords():
		return factsOfRecords
	case isAsked:
		return factsOfLinesAsked
	}
	return factsOfLines
}

// factsFor returns the lines of the facts that say most in so much room.
func (d *digest) factsFor(room float64) (lines [][]byte) {
	verdicts := d.page.Verdicts()
	if cost := d.measure(verdicts); verdicts != nil && cost <= room {
		room -= cost
		lines = append(lines, verdicts)
	}
	left := room
	told := d.views.Facts(func(told *facts.Tree) bool {
		cost := 0.0
		for _, line := range encode.PageFacts(told, d.page.AreHits()) {
			cost += d.measure(line)
		}
		left = room - cost
		return cost <= room
	})
	lines = append(lines, encode.PageFacts(told, d.page.AreHits())...)
	if told != nil && tellsLines(told) {
		return lines
	}
	for _, usual := range d.page.Usual() {
		if left -= d.measure(usual); left < 0 {
			break
		}
		lines = append(lines, usual)
	}
	return lines
}

// tellsLines reports whether facts tell what most lines look like, or what is in them.
func tellsLines(told *facts.Tree) bool {
	for fact := range told.All() {
		if kind := fact.Kind(); kind == facts.Templates || kind == facts.Fields {
			return true
		}
	}
	return false
}

// want says which units stand out among all.
func (d *digest) want() {
	notables, _ := d.views.Notables()
	at := encode.PlaceOf(d.views.Facts(func(*facts.Tree) bool { return true }))
	for rank, n := range notables {
		want := excerpt.Want{Worth: max(2, 8-float64(rank)/2)}
		if !n.IsText && d.units.areRecords() {
			want.Text = encode.RecordLine(n.Fields, n.Data, at)
		}
		d.page.Want(n.Seq, want)
	}
	for _, e := range d.views.Entries() {
		want := excerpt.Want{Worth: ofOutline, Note: noteOf(e.Count)}
		if e.IsChange {
			want.Worth = ofChange
		}
		d.page.Want(e.Line, want)
	}
}

// What lines are worth that other parts of kfw found, on the scale of package excerpt.
const (
	ofOutline = 0.5 // a line that an outline has
	ofChange  = 3   // a file of a diff, with how much of it changed
)

// noteOf returns the note of an outline entry: the kind of a file, and the lines added and
// removed.
func noteOf(c outline.Count) string {
	var parts []string
	if c.Is != "" {
		parts = append(parts, c.Is)
	}
	if c.IsChange {
		parts = append(parts, fmt.Sprintf("+%d -%d", c.Added, c.Removed))
	}
	return strings.Join(parts, ", ")
}

// fitHead shortens the first lines of a frame until it fits.
func (d *digest) fitHead(frame *encode.Frame) {
	if d.cost(frame) <= d.left {
		return
	}
	frame.Excerpt.Body = nil
	d.shrink(frame, d.left)
}
