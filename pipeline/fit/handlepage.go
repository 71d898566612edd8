package fit

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/query"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/summarize"
)

// LeastPage returns the smallest budget that a page works with, in tokens.
func (o *Options) LeastPage() int {
	const most = math.MaxInt64
	frame := encode.Frame{Seq: most, Mode: budget.HandleOnly, First: most, Last: most, Handle: longestHandle,
		Left: most, SaysLeft: true,
		Filtered: o.Filtered}
	return o.Least() + o.Cost(o.Encoding.Append(nil, &frame))
}

// Page yields kept chunks as they are, as many as fit, and says in the final frame where the next page starts. If the
// first chunk does not fit even alone, the page says as much of it as there is room for, what would show it, and goes
// on after it. chunks are numbered as in the response; name is its handle.
//
// A page knows no phases. If the caller or the session do not allow raw frames, use Response.
func Page(chunks iter.Seq2[split.Chunk, error], name string, o *Options) iter.Seq2[encode.Frame, error] {
	return func(yield func(encode.Frame, error) bool) {
		plan := *o
		plan.Plan = Digest // which has no phases
		p := &page{reporter: newReporter(&plan, knownName(name), yield), name: name, reserve: o.Least()}
		p.verbatim = verbatim{isOpen: o.Encoding.IsVerbatim() && !o.Filtered, atStart: true}
		var failed error
		for c, err := range chunks {
			if failed = err; err != nil || p.isFull(c) {
				break
			}
			if p.add(c); p.stopped {
				return
			}
		}
		p.finish(failed)
	}
}

// AllowsRaw reports whether the caller and the session allow raw frames.
func (o *Options) AllowsRaw() bool { return o.Budget.Allowed(o.Budget.Tokens) == budget.Raw }

// knownName is the name of a handle that is there already.
type knownName string

func (n knownName) Name() (string, error) { return string(n), nil }

// page is a page under way.
type page struct {
	reporter
	name    string // of the handle
	reserve int    // tokens that other frames leave to the final one
	last    int    // number of the last chunk that is on the page, or is held for it; in an order, the place of it
	sent    int    // how many are
	bytes   int64  // of these
	cut     bool   // there are more

	verbatim verbatim

	// As a verbatim encoding shows them, chunks are held until it is known how many fit.
	ends  []pageEnd
	first split.Chunk // the first of them, with bytes of its own
}

// pageEnd is the end of a chunk in what is held of a page.
type pageEnd struct {
	seq    int
	length int   // of the text
	isLine bool  // the chunk ends its last line itself
	bytes  int64 // of the page up to there
}

// isFull reports whether a chunk is not for this page.
func (p *page) isFull(c split.Chunk) bool {
	p.cut = p.cut || c.Seq > 0 && (p.Limit > 0 && p.sent == p.Limit || p.sent > 0 && p.allowed() > budget.Raw)
	return p.cut
}

// add takes one chunk, or what stands between chunks.
func (p *page) add(c split.Chunk) {
	p.notices.between.Add(c.Warnings)
	switch {
	case p.verbatim.isOpen:
		p.hold(c)
	case c.Seq > 0:
		p.show(c)
	}
}

// show writes a chunk as a raw frame.
func (p *page) show(c split.Chunk) {
	value, isText, warnings := p.present.Present(c)
	frame := encode.Frame{Mode: budget.Raw, First: c.Seq, Last: c.Seq, Warnings: warnings,
		Raw:      encode.Raw{Path: c.Path, Data: value, IsText: isText},
		Selected: encode.Selected{Names: p.Names, Begins: p.sent == 0}}
	if p.sent > 0 && c.Rank == 0 {
		frame.Gap = c.Seq - p.last - 1
	}
	if p.send(&frame, p.left-p.reserve) {
		p.take(c)
		return
	}
	if p.cut = true; p.sent == 0 && !p.stopped {
		p.showPart(c, p.needs(frame))
		p.take(c)
	}
}

// take counts a chunk that is on the page.
func (p *page) take(c split.Chunk) {
	p.notices.take()
	p.last = cmp.Or(c.Rank, c.Seq)
	p.bytes += int64(len(c.Source))
	p.sent++
}

// hold holds a chunk until it is known how many fit.
func (p *page) hold(c split.Chunk) {
	if p.sent == 0 && c.Seq > 1 {
		c.Lead = c.Lead[len(split.EndOfLine(c.Lead)):] // the rest is of the chunk before
	}
	p.verbatim.add(c)
	if c.Seq == 0 {
		return
	}
	if p.take(c); p.sent == 1 {
		p.first = split.Chunk{Seq: c.Seq, Kind: c.Kind, Path: bytes.Clone(c.Path), Source: bytes.Clone(c.Source),
			Inner: bytes.Clone(c.Inner)}
	}
	isLine := bytes.HasSuffix(c.Source, []byte("\n"))
	p.ends = append(p.ends, pageEnd{c.Seq, len(p.verbatim.text), isLine, p.bytes})
	p.cut = !p.verbatim.fits(p.Options, p.left, false)
}

// cutHeld writes of the chunks that are held as many as fit, with the line that says where the next page begins. If not
// even the first one fits, it says as much of that as there is room for.
func (p *page) cutHeld() {
	fits := func(n int) bool { return p.Cost(p.textUpTo(p.ends[n-1])) <= p.left-p.reserve }
	n := sort.Search(len(p.ends), func(i int) bool { return !fits(i + 1) })
	end := p.ends[max(n, 1)-1]
	p.cut, p.sent, p.last, p.bytes = true, max(n, 1), end.seq, end.bytes
	text := p.textUpTo(end)
	if n > 0 {
		frame := encode.Frame{Mode: budget.Raw, First: p.ends[0].seq, Last: end.seq, Source: text}
		p.send(&frame, p.left-p.reserve)
		return
	}
	need := p.Cost(text) + p.reserve
	p.verbatim.end()
	p.showPart(p.first, need)
}

// textUpTo returns what is held up to the end of a chunk, as whole lines.
func (p *page) textUpTo(end pageEnd) []byte {
	text := p.verbatim.text[:end.length:end.length]
	if !end.isLine {
		text = append(text, '\n')
	}
	return text
}

// needs returns a budget in which a frame is the first of a page, and not a much larger one than
// that takes: a frame that says how many tokens were left costs more in a larger budget.
func (p *page) needs(frame encode.Frame) (tokens int) {
	frame.Seq, frame.Filtered, frame.SaysLeft = 1, p.Filtered, true
	for {
		frame.Left = tokens
		least := p.Cost(p.Encoding.Append(nil, &frame)) + p.reserve
		if least <= tokens {
			return tokens
		}
		tokens = least
	}
}

// showPart says of a chunk that does not fit alone, and needs a larger budget, as much as there is
// room for: as a table, or as a summary, or by name.
func (p *page) showPart(c split.Chunk, need int) {
	labelled, blobs := p.labelled(c)
	value, isText, _ := p.present.Present(labelled)
	raw := encode.Frame{Mode: budget.Raw, First: c.Seq, Last: c.Seq,
		Raw: encode.Raw{Path: c.Path, Data: value, IsText: isText}}
	raw.Omitted.Blobs = blobs
	what := fmt.Sprintf("chunk %d does not fit: --budget %d shows it whole", c.Seq, need)
	hints := []string{what + inParts(c), what, ""}
	w := window{facts: summarize.NewSummary()}
	for _, hint := range hints {
		w.empty()
		warning := split.Warning{What: hint}
		w.gather(&raw, "", "")
		p.notices.due = split.Warnings{}
		if hint != "" {
			p.notices.due.Kept = []split.Warning{warning}
		}
		room := p.left - p.reserve
		frame, ok := p.table(&w, room)
		if ok = ok && p.send(&frame, room); !ok && !p.stopped {
			frame, ok = p.summary(&w, room)
			ok = ok && p.send(&frame, room)
		}
		if ok || p.stopped {
			p.notices.due = split.Warnings{} // the frame has it
			return
		}
	}
	for _, hint := range hints {
		frame := encode.Frame{First: c.Seq, Last: c.Seq}
		if hint != "" {
			frame.Warnings = []split.Warning{{What: hint}}
		}
		if p.sayHandle(frame, p.left-p.reserve) || p.stopped {
			return
		}
	}
}

// finish writes the final frame.
func (p *page) finish(failed error) {
	if p.stopped {
		return
	}
	final := encode.Frame{Final: true, Error: p.failure(failed)}
	if p.verbatim.isOpen {
		whole := encode.Frame{Final: true, Whole: true, Source: p.verbatim.text, Error: final.Error}
		if !p.cut && p.Cost(p.Encoding.Append(nil, &whole)) <= p.left {
			p.notices.response.Take(&p.notices.due)
			p.notices.response.Take(&p.notices.between)
			p.notices.notify(p.Options, p.verbatim.invalid)
			p.sendFinal(&whole, failed)
			return
		}
		if p.sent > 0 {
			p.cutHeld()
		}
	}
	goesOn := p.last > 0 && (p.cut || failed != nil)
	if !goesOn {
		p.notices.take()
	}
	final.Warnings = append(slices.Clip(p.Standing), p.notices.due.All()...)
	final.Totals = &encode.Totals{Chunks: p.sent, Bytes: p.bytes, SessionLeft: p.Budget.sessionLeft(),
		Estimate: p.Estimate}
	if goesOn {
		final.Handle, final.NextOffset = p.name, p.last
	}
	p.shrink(&final, p.left)
	p.sendFinal(&final, failed)
}

func (p *page) sendFinal(frame *encode.Frame, failed error) {
	if !p.send(frame, p.left) {
		failed = cmp.Or(failed, ErrNoFinal)
	}
	if failed != nil && !p.stopped {
		p.yield(encode.Frame{}, failed)
	}
}

// Counted yields the final frame of kfw expand --count. As text it is the number alone, unless the
// response has a warning.
func Counted(chunks int, bytes int64, o *Options) iter.Seq2[encode.Frame, error] {
	return func(yield func(encode.Frame, error) bool) {
		p := &page{reporter: newReporter(o, knownName(""), yield)}
		frame := encode.Frame{Final: true, Warnings: o.Standing, Totals: &encode.Totals{Chunks: chunks, Bytes: bytes,
			SessionLeft: o.Budget.sessionLeft(), Estimate: o.Estimate}}
		if o.Encoding.IsVerbatim() && len(o.Standing) == 0 {
			frame.Whole, frame.Source = true, fmt.Appendln(nil, chunks)
		}
		p.sendFinal(&frame, nil)
	}
}

// inParts says how to page through the largest array of a chunk, if it has one.
func inParts(c split.Chunk) string {
	if c.Kind != split.JSON {
		return ""
	}
	path, elements := query.LargestArray(gjson.ParseBytes(c.Content()))
	if elements < 2 {
		return ""
	}
	if len(c.Path) > 0 {
		path = append(append(bytes.Clone(c.Path), '.'), path...)
	}
	return fmt.Sprintf(", --at %s its %d elements", encode.QuotedForShell(string(path)), elements)
}
