package fit

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"
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
	seen    seen
	cut     bool // there are more chunks than the limit
	whole   whole
	blobs   blobs
	units   units
	nonText nonText

	// What is known of a response that does not fit; nil while it may.
	page   *excerpt.Excerpt
	asked  *question.Question
	worker worker
	views  *summarize.Summary // of the section under way
	viewed int                // units of it
}

// whole is a response as it is shown if it fits: byte for byte, or as raw frames, with the blobs in them.
type whole struct {
	verbatim verbatim
	raw      window
}

// respondWhenEnded yields the frames of a response when that has ended.
func respondWhenEnded(chunks iter.Seq2[split.Chunk, error], clean Source, h Namer, o *Options,
	yield func(encode.Frame, error) bool) {
	d := &digest{reporter: newReporter(o, h, yield), units: units{kept: spool.New("")}}
	d.whole.verbatim = verbatim{isOpen: o.Encoding.IsVerbatim(), atStart: true}
	if !o.Encoding.IsVerbatim() {
		d.whole.raw.held.arena = make([]byte, 0, min(o.Budget.Tokens*bytesPerToken, mostReserved))
	}
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
	if c.Seq == 0 {
		d.notices.between.Add(c.Warnings)
		d.notices.response.Add(c.Warnings)
		d.hold(c, false)
		return
	}
	d.notices.take()
	d.notices.response.Add(c.Warnings)
	if d.seen.count++; d.seen.count == 1 {
		d.seen.first = c.Seq
	}
	goesOn := c.GoesOn() && c.Seq == d.seen.last+1 // the part before may have been left out by a filter
	d.seen.last = c.Seq
	d.hold(c, goesOn)
	_, first, isOpen := d.blobs.label(&c, goesOn)
	if !isOpen {
		d.addUnit(c, first, goesOn)
	}
}

// hold holds a chunk as it is shown if the response fits. If what is held does not fit any more, all units that came
// so far are watched.
func (d *digest) hold(c split.Chunk, goesOn bool) {
	if d.page != nil {
		return
	}
	w, isText := &d.whole, d.Encoding.IsVerbatim()
	switch {
	case isText:
		w.verbatim.add(c)
	case c.Seq > 0:
		value, isText, _ := d.present.Present(c) // the final frame has the warnings
		w.raw.gather(&encode.Frame{Mode: budget.Raw, First: c.Seq, Last: c.Seq,
			Raw: encode.Raw{Path: c.Path, Data: value, IsText: isText, GoesOn: goesOn, Top: c.Top}}, "", "")
	}
	if isText && !w.verbatim.fits(d.Options, d.left, false) || !isText && !d.rawFits(&w.raw, d.left, d.next) {
		d.beginPage()
	}
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

// beginPage gives up to show the response whole. It begins a page, and watches the units that came so far.
func (d *digest) beginPage() {
	d.whole = whole{}
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

// The smallest section that gets facts, beside its lines.
const (
	leastViewed = 8   // units
	mostTold    = 256 // and one in so many of all units so far
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

// The room for the facts of a section is known only at the end of the response. So they are written in several lengths,
// each for a smaller room than the one before.
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

// finish writes the response, or its page.
func (d *digest) finish(failed error, clean Source) {
	mayFit, held := d.page == nil, d.whole
	frame, isWhole := encode.Frame{}, false
	if mayFit && !d.Again {
		frame, isWhole = d.showWhole(failed, clean)
	}
	if !isWhole {
		if d.page == nil {
			d.beginPage()
		}
		d.worker.wait()
		if d.showTable(failed, clean) {
			frame = d.end(failed, clean)
		} else {
			frame = d.frame(failed, clean)
		}
	}
	if d.whole = held; mayFit && d.Again && d.isBetterWhole(&frame) {
		if whole, ok := d.showWhole(failed, clean); ok {
			frame = whole
		}
	}
	if !d.send(&frame, d.left) {
		failed = cmp.Or(failed, ErrNoFinal)
	} else if frame.Excerpt != nil && frame.Excerpt.Page != nil {
		for _, one := range frame.Excerpt.Page.Shown {
			d.Memory.Show(one.N, one.Text)
		}
	}
	if failed = cmp.Or(failed, d.handle.err); failed != nil && !d.stopped {
		d.yield(encode.Frame{}, failed)
	}
}

// isBetterWhole reports whether a response that fits is shown whole, though the reader was shown lines of it: the page
// leaves out others, too, or costs as much.
func (d *digest) isBetterWhole(frame *encode.Frame) bool {
	page := frame.Excerpt.Page
	return page == nil || page.Missing > 0 ||
		d.cost(frame) >= d.cost(&encode.Frame{Final: true, Whole: true, Source: d.whole.verbatim.text})
}

// showWhole shows the response as it is if the mode allows that and it fits, and reports whether it does. It returns
// the final frame, which shows what is left to show.
func (d *digest) showWhole(failed error, clean Source) (final encode.Frame, ok bool) {
	if d.seen.count > 0 && d.mode() > budget.Raw {
		return final, false
	}
	if !d.Encoding.IsVerbatim() {
		return d.showRaw(failed, clean)
	}
	final = encode.Frame{Final: true, Whole: true, Source: d.whole.verbatim.text, Error: d.failure(failed)}
	if final.Error != nil && !d.fits(&final, d.left) {
		final.Error.Message = ""
	}
	if d.cut || !d.fits(&final, d.left) {
		return final, false
	}
	d.notices.notify(d.Options, d.whole.verbatim.invalid)
	return final, true
}

// showRaw writes the response as raw frames if they fit, and reports whether it did. It returns the final frame.
func (d *digest) showRaw(failed error, clean Source) (final encode.Frame, ok bool) {
	w, least := &d.whole.raw, d.final(failed, clean)
	d.shrink(&least, 0)
	if w.count > 0 && !d.sayRaw(w, d.left-d.costLater(&least, w.count)) {
		return final, false
	}
	return d.end(failed, clean), true
}

// end returns the final frame of a response that was shown whole.
func (d *digest) end(failed error, clean Source) encode.Frame {
	frame := d.final(failed, clean)
	frame.Mode = d.mode()
	warnings := frame.Warnings
	frame.Warnings = d.Standing
	d.shrink(&frame, min(d.left, envelopeOfFinal))
	if frame.Warnings = warnings; !d.fits(&frame, d.left) {
		d.shrink(&frame, d.left)
	}
	return frame
}

// final begins the final frame.
func (d *digest) final(failed error, clean Source) encode.Frame {
	frame := encode.Frame{Final: true, Error: d.failure(failed), Totals: &encode.Totals{Chunks: d.seen.count,
		Bytes: clean.BytesRead(), SessionLeft: d.Budget.sessionLeft(), Estimate: d.Estimate}}
	for rule, count := range clean.Counts() {
		frame.Totals.Redactions = append(frame.Totals.Redactions, encode.RuleCount{Rule: rule, Count: count})
	}
	frame.Warnings = append(slices.Clip(d.Standing), d.notices.due.All()...)
	if d.cut {
		frame.Handle, _ = d.handle.name()
		frame.NextOffset = d.seen.last
	}
	return frame
}

// frame returns the frame of a page, which is all that is written, or what ends a table.
func (d *digest) frame(failed error, clean Source) encode.Frame {
	name, _ := d.handle.name()
	frame := d.final(failed, clean)
	frame.Mode, frame.First, frame.Last = budget.HandleOnly, d.seen.first, d.seen.last
	frame.Handle, frame.Excerpt = name, &encode.Excerpt{Noun: d.units.noun()}
	frame.Omitted.Blobs = d.blobs.count
	if d.units.err != nil {
		frame.Warnings = append(frame.Warnings, split.Warning{
			What: "the lines shown are of the beginning: the rest could not be kept for a second look"})
	}
	switch isBare := d.mode() == budget.HandleOnly; {
	case isBare && frame.Error != nil:
		frame.Error.Message = ""
	case isBare:
	case d.nonText.is():
		d.nameMedia(&frame)
	case d.seen.count > 0:
		d.compose(&frame)
	}
	d.fitHead(&frame)
	return frame
}

// nameMedia says of a response that is no text what it is.
func (d *digest) nameMedia(frame *encode.Frame) {
	frame.Excerpt.Media = blob.MediaOf(d.nonText.head)
	frame.Warnings = slices.Clip(d.Standing)
	if !d.Encoding.IsVerbatim() {
		frame.Warnings = append(frame.Warnings, split.Warning{What: "no text (" + frame.Excerpt.Media + ")"})
	}
}

// compose adds to a frame the facts and the excerpt that fit beside its first lines.
func (d *digest) compose(frame *encode.Frame) {
	probe := *frame
	probe.Mode = budget.Summary
	probe.Excerpt = &encode.Excerpt{Noun: frame.Excerpt.Noun,
		Page: &excerpt.Page{From: math.MaxInt32, To: math.MaxInt32}}
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
	if n, what := d.page.Known(frame.Excerpt.Noun); n > 0 {
		frame.Warnings = append(frame.Warnings, split.Warning{What: what, Count: n})
	}
	wide := room
	for range mostTries {
		before := frame.Excerpt.Page
		d.show(frame, d.page.Compose(excerpt.Room{Tokens: wide, Facts: forFacts, Measure: d.measure, Layout: d.Encoding,
			Noun: frame.Excerpt.Noun}))
		left := d.left - d.cost(frame)
		switch {
		case left < 0 && before != nil:
			d.show(frame, before)
			return
		case left < 0: // by most counters the sum for the lines is what all cost, or more
			wide += float64(left - 1)
			d.show(frame, nil)
		case float64(left) < full*room:
			return
		default: // lines cost less together than alone
			wide += float64(left)
		}
	}
}

// show puts a page into a frame, or takes it out if it is nil.
func (d *digest) show(frame *encode.Frame, page *excerpt.Page) {
	frame.Excerpt.Page, frame.Mode = page, budget.HandleOnly
	if !page.IsEmpty() {
		frame.Mode = budget.Strictest(budget.Summary, d.mode())
	}
}

// Bounds of composing a page.
const (
	mostTries = 5
	full      = 0.04 // of the room may be left
)

// measure counts a part of a page.
func (d *digest) measure(text []byte) float64 {
	if len(text) == 0 { // a layout may have nothing for a part
		return 0
	}
	return budget.Measure(d.Counter, text)
}

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

// factsFor returns the facts that say most in so much room, as a page has them.
func (d *digest) factsFor(room float64) []byte {
	told := encode.Told{AreHits: d.page.AreHits(), Verdicts: d.page.Verdicts()}
	if d.costOf(&told) > room {
		told.Verdicts = nil
	}
	told.Tree = d.views.Facts(func(tree *facts.Tree) bool {
		trial := told
		trial.Tree = tree
		return d.costOf(&trial) <= room
	})
	if told.Tree == nil || !tellsLines(told.Tree) {
		usual := d.page.Usual()
		n := sort.Search(len(usual), func(i int) bool {
			told.Usual = usual[:i+1]
			return d.costOf(&told) > room
		})
		told.Usual = usual[:n]
	}
	return d.Encoding.AppendFacts(nil, &told)
}

// costOf returns what facts cost.
func (d *digest) costOf(told *encode.Told) (cost float64) {
	for line := range bytes.Lines(d.Encoding.AppendFacts(nil, told)) {
		cost += d.measure(line)
	}
	return cost
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
	d.show(frame, nil)
	d.shrink(frame, d.left)
}
