package pipeline

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/summarize"
)

// Frame is one thing that kfw says about a response: one line of JSON, or some lines of text. What is empty is left out.
type Frame struct {
	Seq        int // 1, 2, 3, ...
	Mode       budget.Mode
	First      int    // chunk numbers that it speaks for
	Last       int    //
	Path       []byte // of a raw chunk whose parent was opened
	Data       []byte // a raw chunk: JSON, or text when IsText
	IsText     bool
	Columns    []byte // JSON: see summarize.Table
	Rows       []byte
	Facts      []byte // JSON: see summarize.Summary
	Notable    []Notable
	Omitted    Omitted
	Handle     string
	Warnings   []Warning
	Error      *Failure
	Totals     *Totals
	NextOffset int // chunks to skip to get the next page
	Left       int // tokens left of the budget before this frame
	Final      bool

	Filtered bool // chunks before it may have been left out on request: even if it is raw it says its number

	onward bool // in handle_only: no frame speaks for what comes after, but the final one

	Text   []byte // as it is written
	Tokens int    // what that costs
}

// Omitted counts what a frame leaves out of the chunks it speaks for.
type Omitted struct {
	summarize.Omitted
	Notable kinds // of chunks that stand out and did not fit
	Kinds   int   // how many of them are told apart, 0 for none
}

// Totals are about the whole response.
type Totals struct {
	Chunks      int
	Bytes       int64 // as read
	Redactions  []RuleCount
	SessionLeft int  // tokens; -1 without a session
	Estimate    bool // the counts of tokens are one
}

// RuleCount is how often a rule matched.
type RuleCount struct {
	Rule  string
	Count int
}

// most keeps the n rules that matched most often, and the sum of the others.
func most(counts []RuleCount, n int) []RuleCount {
	if len(counts) <= n {
		return counts
	}
	sorted := slices.Clone(counts)
	slices.SortStableFunc(sorted, func(a, b RuleCount) int { return cmp.Compare(b.Count, a.Count) })
	other := 0
	for _, c := range sorted[n:] {
		other += c.Count
	}
	return append(sorted[:n], RuleCount{otherKinds, other})
}

// Encoding appends a frame as it is written.
type Encoding func(dst []byte, f *Frame) []byte

// AppendFrame appends f as one line of JSON. The keys stand in a fixed order; those that are empty are absent.
func AppendFrame(dst []byte, f *Frame) []byte {
	dst = append(dst, `{"seq":`...)
	dst = strconv.AppendInt(dst, int64(f.Seq), 10)
	dst = append(dst, `,"mode":"`...)
	dst = append(dst, f.Mode.String()...)
	dst = append(dst, '"')
	if f.First > 0 && (f.Mode != budget.Raw || f.Filtered) {
		dst = append(dst, `,"chunks":[`...)
		dst = strconv.AppendInt(dst, int64(f.First), 10)
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, int64(f.Last), 10)
		dst = append(dst, ']')
	}
	if len(f.Path) > 0 {
		dst = append(dst, `,"path":`...)
		dst = summarize.AppendString(dst, f.Path)
	}
	if f.Mode == budget.Raw && !f.Final {
		dst = append(dst, `,"data":`...)
		dst = appendData(dst, f.Data, f.IsText)
	}
	if len(f.Columns) > len("[]") {
		dst = append(dst, `,"columns":`...)
		dst = append(dst, f.Columns...)
	}
	if f.Rows != nil {
		dst = append(dst, `,"rows":`...)
		dst = append(dst, f.Rows...)
	}
	if f.Facts != nil {
		dst = append(dst, `,"facts":`...)
		dst = append(dst, f.Facts...)
	}
	if len(f.Notable) > 0 {
		dst = append(dst, `,"notable":[`...)
		for i, n := range f.Notable {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, `{"chunk":`...)
			dst = strconv.AppendInt(dst, int64(n.Chunk), 10)
			dst = append(dst, `,"why":`...)
			dst = summarize.AppendString(dst, n.Why)
			if n.IsPart {
				dst = append(dst, `,"fields":`...)
			} else {
				dst = append(dst, `,"data":`...)
			}
			dst = appendData(dst, n.Data, n.IsText)
			dst = append(dst, '}')
		}
		dst = append(dst, ']')
	}
	dst = f.Omitted.append(dst)
	if f.Handle != "" {
		dst = append(dst, `,"handle":`...)
		dst = summarize.AppendString(dst, f.Handle)
	}
	if len(f.Warnings) > 0 {
		dst = append(dst, `,"warnings":[`...)
		for i, w := range f.Warnings {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, '"')
			dst = append(w.append(dst), '"') // kfw's own words, which need no escapes
		}
		dst = append(dst, ']')
	}
	if f.Error != nil {
		dst = append(dst, `,"error":{"code":`...)
		dst = summarize.AppendString(dst, f.Error.Code)
		if f.Error.Message != "" {
			dst = append(dst, `,"message":`...)
			dst = summarize.AppendString(dst, f.Error.Message)
		}
		dst = append(dst, `,"exit":`...)
		dst = strconv.AppendInt(dst, int64(f.Error.Exit), 10)
		dst = append(dst, '}')
	}
	if t := f.Totals; t != nil {
		dst = append(dst, `,"totals":{"chunks":`...)
		dst = strconv.AppendInt(dst, int64(t.Chunks), 10)
		dst = append(dst, `,"bytes":`...)
		dst = strconv.AppendInt(dst, t.Bytes, 10)
		if len(t.Redactions) > 0 {
			dst = append(dst, `,"redactions":`...)
			dst = appendCounts(dst, t.Redactions)
		}
		if t.SessionLeft >= 0 {
			dst = append(dst, `,"session_left":`...)
			dst = strconv.AppendInt(dst, int64(t.SessionLeft), 10)
		}
		if t.Estimate {
			dst = append(dst, `,"tokens":"estimate"`...)
		}
		dst = append(dst, '}')
	}
	if f.NextOffset > 0 {
		dst = append(dst, `,"next_offset":`...)
		dst = strconv.AppendInt(dst, int64(f.NextOffset), 10)
	}
	dst = append(dst, `,"left":`...)
	dst = strconv.AppendInt(dst, int64(f.Left), 10)
	if f.Final {
		dst = append(dst, `,"is_final":true`...)
	}
	return append(dst, "}\n"...)
}

// append appends what was left out as the member of a frame, if anything was.
func (o *Omitted) append(dst []byte) []byte {
	counts, notable := o.counts(), o.Notable.told(o.Kinds)
	if len(counts) == 0 {
		return dst
	}
	dst = append(dst, `,"omitted":`...)
	if notable == nil {
		return appendCounts(dst, counts)
	}
	if dst = appendCounts(dst, counts[:len(counts)-1]); len(counts) > 1 {
		dst[len(dst)-1] = ','
	} else {
		dst = dst[:len(dst)-1]
	}
	return append(appendCounts(append(dst, `"notable":`...), notable), '}')
}

// counts are those that are not zero. What stands out is the last one.
func (o *Omitted) counts() (counts []RuleCount) {
	for _, c := range [...]RuleCount{
		{"rows", o.Rows}, {"after_row", o.After}, {"columns", o.Columns}, {"cells", o.Cells}, o.Notable.total(),
	} {
		if c.Count > 0 {
			counts = append(counts, c)
		}
	}
	return counts
}

// appendCounts appends an object of the counts that are not zero.
func appendCounts(dst []byte, counts []RuleCount) []byte {
	dst = append(dst, '{')
	first := true
	for _, c := range counts {
		if c.Count == 0 {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = summarize.AppendString(dst, c.Rule)
		dst = append(dst, ':')
		dst = strconv.AppendInt(dst, int64(c.Count), 10)
	}
	return append(dst, '}')
}

func appendData(dst, data []byte, isText bool) []byte {
	if isText {
		return summarize.AppendString(dst, data)
	}
	return append(dst, data...)
}
