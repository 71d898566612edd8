// Package encode writes frames: as lines of JSON, or as text for direct use in a prompt.
//
// A Frame comes in, the bytes that a reader sees are appended. Equal frames give equal bytes.
package encode

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/excerpt"
	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/summarize/tabulate"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// Frame is one thing that kfw says about a response: one line of JSON, or some lines of text. What is empty is left
// out.
type Frame struct {
	Seq        int // 1, 2, 3, ...
	Mode       budget.Mode
	First      int    // chunk numbers that it speaks for
	Last       int    //
	Raw               // a chunk as it is, in a raw frame
	Columns    []byte // JSON: see summarize.Table
	Rows       []byte
	Facts      *facts.Tree // see summarize.Summary; nil if there are none
	Notable    []Notable
	Omitted    Omitted
	Handle     string
	Warnings   []split.Warning
	Error      *Failure
	Totals     *Totals
	NextOffset int  // chunks to skip to get the next page
	Left       int  // tokens left of the budget before this frame
	SaysLeft   bool // the mode differs from that of the frame before; the final frame says it in any case
	Final      bool

	// Source is what a raw frame shows as text, if an encoding is verbatim: bytes of the response, in whole lines. The
	// final frame has what follows the last raw frame, if Whole.
	Source []byte
	// Whole says, in the final frame, that verbatim frames have shown the response byte for byte.
	Whole bool

	// Excerpt is, in the final frame by plan digest, the page of a response that did not fit.
	Excerpt *Excerpt

	Filtered bool // chunks before it may have been left out on request: even if it is raw it says its number
	Selected      // how Text writes it then

	Onward bool // in handle_only: no frame speaks for what comes after, but the final one

	Text   []byte // as it is written
	Tokens int    // what that costs
}

// Raw is a chunk as it is.
type Raw struct {
	Path   []byte // if its parent was opened
	Data   []byte // JSON, or text if IsText
	IsText bool
	GoesOn bool // the text is more of the line before
	Top    int  // number of the value at the top that it is or is in, from 1
}

// Omitted counts what a frame leaves out of the chunks it speaks for.
type Omitted struct {
	tabulate.Omitted
	Blobs   int   // that have a label in their place, at most
	Notable Kinds // of chunks that stand out and did not fit
	Kinds   int   // how many of them are distinguished, 0 for none
}

// Totals are about the whole response.
type Totals struct {
	Chunks      int
	Bytes       int64 // as read
	Redactions  []RuleCount
	SessionLeft int  // tokens, once this frame is charged; -1 without a session
	Blanks      int  // before that number
	Estimate    bool // the counts of tokens are one
}

// Failure is what a response ended with, as the final frame says it.
type Failure struct {
	Code    string
	Message string
	Exit    int // status of kfw
	Signal  int // number of the signal that ended the driver; 0 if it exited by itself, with whatever status
}

// DriverFailed is the code of a failure whose status is that of the driver: it may have said all that it had to say, as
// grep and diff have with status 1.
const DriverFailed = "driver_failed"

// RuleCount is how often a rule matched.
type RuleCount struct {
	Rule  string
	Count int
}

// MostFrequent keeps the n rules that matched most often, and the sum of the others.
func MostFrequent(counts []RuleCount, n int) []RuleCount {
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

// What --format calls the encodings, and what a handle remembers of how its response was shown.
const (
	FormatFrames = "frames"
	FormatText   = "text"
)

// Encoding is how frames are written.
type Encoding interface {
	// Append appends a frame as it is written.
	Append(dst []byte, f *Frame) []byte
	// IsVerbatim reports whether raw frames show Frame.Source, the bytes of the response, rather than Frame.Data.
	IsVerbatim() bool

	// Layout is how the parts of a page are written.
	excerpt.Layout
	// AppendFacts appends the facts of a section as its Layout has them: those that a page says.
	AppendFacts(dst []byte, section *SectionFacts) []byte
}

// JSON writes a frame as one line of JSON. The keys stand in a fixed order; those that are empty are absent.
type JSON struct{}

// IsVerbatim implements Encoding.
func (JSON) IsVerbatim() bool { return false }

// Append implements Encoding.
func (JSON) Append(dst []byte, f *Frame) []byte {
	dst = appendInt(dst, `{"seq":`, f.Seq)
	dst = appendJSON(dst, `,"mode":"`, f.Mode.String())
	dst = append(dst, '"')
	if f.First > 0 && (f.Mode != budget.Raw || f.Filtered || f.First < f.Last) {
		dst = appendInt(dst, `,"chunks":[`, f.First)
		dst = append(appendInt(dst, ",", f.Last), ']')
	}
	if len(f.Path) > 0 {
		dst = jsonx.AppendCanonicalString(append(dst, `,"path":`...), f.Path)
	}
	if f.Mode == budget.Raw && !f.Final {
		dst = AppendData(append(dst, `,"data":`...), f.Data, f.IsText)
	}
	if len(f.Columns) > len("[]") {
		dst = appendJSON(dst, `,"columns":`, f.Columns)
	}
	if f.Rows != nil {
		dst = appendJSON(dst, `,"rows":`, f.Rows)
	}
	if f.Facts != nil {
		dst = f.Facts.Append(append(dst, `,"facts":`...))
	}
	dst = appendNotables(dst, f.Notable)
	dst = f.Omitted.append(dst)
	if f.Handle != "" {
		dst = jsonx.AppendCanonicalString(append(dst, `,"handle":`...), f.Handle)
	}
	if f.Excerpt != nil {
		dst = appendSections(dst, f.Excerpt.Page)
	}
	dst = appendWarnings(dst, f.Warnings)
	if f.Error != nil {
		dst = f.Error.append(dst)
	}
	if f.Totals != nil {
		dst = f.Totals.append(dst)
	}
	if f.NextOffset > 0 {
		dst = appendInt(dst, `,"next_offset":`, f.NextOffset)
	}
	if f.SaysLeft || f.Final {
		dst = appendInt(dst, `,"left":`, f.Left)
	}
	if f.Final {
		dst = append(dst, `,"is_final":true`...)
	}
	return append(dst, "}\n"...)
}

// appendInt appends a number, and before it what leads to it: a key.
func appendInt[number int | int64](dst []byte, lead string, n number) []byte {
	return strconv.AppendInt(append(dst, lead...), int64(n), 10)
}

// appendJSON appends a value that is JSON already, behind its key.
func appendJSON[text string | []byte](dst []byte, lead string, value text) []byte {
	return append(append(dst, lead...), value...)
}

// appendNotables appends the chunks that stand out as the member of a frame, if there are any.
func appendNotables(dst []byte, notable []Notable) []byte {
	if len(notable) == 0 {
		return dst
	}
	dst = append(dst, `,"notable":[`...)
	for i, n := range notable {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendInt(dst, `{"chunk":`, n.Chunk)
		dst = jsonx.AppendCanonicalString(append(dst, `,"why":`...), n.Why)
		dst = AppendData(append(dst, `,"data":`...), n.Data, n.IsText)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// appendWarnings appends the warnings as the member of a frame, if there are any.
func appendWarnings(dst []byte, warnings []split.Warning) []byte {
	if len(warnings) == 0 {
		return dst
	}
	dst = append(dst, `,"warnings":[`...)
	for i, w := range warnings {
		if i > 0 {
			dst = append(dst, ',')
		}
		var room [128]byte
		dst = jsonx.AppendCanonicalString(dst, w.Append(room[:0]))
	}
	return append(dst, ']')
}

// append appends the error as the member of a frame.
func (e *Failure) append(dst []byte) []byte {
	dst = jsonx.AppendCanonicalString(append(dst, `,"error":{"code":`...), e.Code)
	if e.Message != "" {
		dst = jsonx.AppendCanonicalString(append(dst, `,"message":`...), e.Message)
	}
	return append(appendInt(dst, `,"exit":`, e.Exit), '}')
}

// append appends the totals as the member of a frame.
func (t *Totals) append(dst []byte) []byte {
	dst = appendInt(dst, `,"totals":{"chunks":`, t.Chunks)
	dst = appendInt(dst, `,"bytes":`, t.Bytes)
	if len(t.Redactions) > 0 {
		dst = appendCounts(append(dst, `,"redactions":`...), t.Redactions)
	}
	if t.SessionLeft >= 0 {
		dst = append(append(dst, `,"session_left":`...), "    "[:t.Blanks]...)
		dst = strconv.AppendInt(dst, int64(t.SessionLeft), 10)
	}
	if t.Estimate {
		dst = append(dst, `,"tokens":"estimate"`...)
	}
	return append(dst, '}')
}

// append appends what was left out as the member of a frame, if anything was.
func (o *Omitted) append(dst []byte) []byte {
	counts, notable := o.counts(), o.Notable.mostFrequent(o.Kinds)
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
		{"rows", o.Rows}, {"after_row", o.After}, {"columns", o.Columns}, {"cells", o.Cells}, {"blobs", o.Blobs}, o.Notable.total(),
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
		dst = jsonx.AppendCanonicalString(dst, c.Rule)
		dst = append(dst, ':')
		dst = strconv.AppendInt(dst, int64(c.Count), 10)
	}
	return append(dst, '}')
}

// AppendData appends the data of a chunk as JSON: a text as a canonical string, other data, which
// is JSON already, as it is.
func AppendData(dst, data []byte, isText bool) []byte {
	if isText {
		return jsonx.AppendCanonicalString(dst, data)
	}
	return append(dst, data...)
}
