package encode

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/hidden"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/excerpt"
	"github.com/kfw-dev/kfw/internal/summarize/tabulate"
)

// OwnPrefix begins every line of Text that is kfw's and not the response's.
const OwnPrefix = "kfw: "

// Text writes a frame for direct use in a prompt: a raw chunk as it stood in the response, a table as a header and
// rows with cells between tabs, facts as "key: value". A response that was shown whole is the redacted response byte
// for byte, with three exceptions: invalid UTF-8 is U+FFFD; what begins with "kfw:" at the start of a line or after a
// line break of any kind, or with backslashes before that, has a backslash more; and if the response did not end
// well, a last line says so. Lines that begin with "kfw: " are kfw's own. A chunk of a selection is a line that begins
// with its number: see Selected.
type Text struct {
	excerpt.Text // of a page

	program string // that reads on, as a shell reads it; empty for kfw
	session string // options of the commands that read on, each with a blank before it
	filters string // those that choose chunks

	tool    string // that reads on instead of a command; empty for none
	members string // of its arguments, JSON, each with a comma before it: those that choose chunks
}

// maxFilters is how many bytes of filters a command repeats: more of them cost more than they save.
const maxFilters = 200

// TextOf returns a Text whose commands that read on name a session file, unless session is empty,
// and repeat filters, which are options and their values. A path that cannot stand in a line is
// left out. Filters that cannot, or are longer than 200 bytes, are only mentioned.
func TextOf(session string, filters []string) (t Text) {
	if session != "" && isSeen(session) {
		t.session = " --session " + QuotedForShell(filepath.ToSlash(session)) // every shell reads it so, on Windows, too
	}
	for _, word := range filters {
		if !isSeen(word) || len(t.filters) > maxFilters {
			t.filters = ""
			break
		}
		t.filters += " " + QuotedForShell(word)
	}
	if len(t.filters) > maxFilters {
		t.filters = ""
	}
	return t
}

// isSeen reports whether people see all of a word in a line: it has no control character and
// nothing hidden.
func isSeen(word string) bool {
	isUnseen := func(r rune) bool { return !unicode.IsPrint(r) }
	_, n := hidden.Show(nil, []byte(word), false, false)
	return n == 0 && !strings.ContainsFunc(word, isUnseen)
}

// command appends the command that reads on after an offset, with the filters that the chunks of f
// were chosen by.
func (t Text) command(dst []byte, f *Frame, offset int) []byte {
	if t.tool != "" {
		return t.call(dst, f, offset)
	}
	dst = append(append(dst, t.expand()...), f.Handle...)
	dst = append(append(dst, t.session...), t.filters...)
	if offset > 0 {
		dst = append(dst, " --offset "...)
		dst = strconv.AppendInt(dst, int64(offset), 10)
	}
	if f.Filtered && t.filters == "" {
		dst = append(dst, sameFilters...)
	}
	return dst
}

// counted returns a number and the noun for so many.
func counted[N int | int64](n N, noun string) string {
	return strconv.FormatInt(int64(n), 10) + " " + nounFor(n, noun)
}

// nounFor returns a noun for so many, one that forms its plural with an s.
func nounFor[N int | int64](n N, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// ByTool returns the encoding that names a tool instead of commands: what reads on is a call of it. members are those
// of its arguments that choose chunks: JSON, each with a comma before it.
func (t Text) ByTool(name, members string) Text {
	t.tool, t.members = name, members
	return t
}

// call appends the call of the tool that reads on after an offset.
func (t Text) call(dst []byte, f *Frame, offset int) []byte {
	dst = append(append(dst, t.tool...), ` {"handle":"`...)
	dst = append(append(append(dst, f.Handle...), '"'), t.members...)
	if offset > 0 {
		dst = appendInt(dst, `,"offset":`, offset)
	}
	if e := f.Excerpt; e != nil && e.Noun != Record && !f.Filtered {
		if from, to := e.leftOut(); from > 0 {
			dst = fmt.Appendf(dst, `,"lines":"%d-%d"`, from, to)
		}
	}
	if dst = append(dst, '}'); f.Filtered && t.members == "" {
		dst = append(dst, sameFilters...)
	}
	return dst
}

// AsText ends a command by ByProgram. Without it the command reads the same, as frames.
const AsText = " --format text"

// ByProgram returns the encoding whose commands name this program, which may be in no directory of PATH, and read on as
// text: for a reader who gets the output in the place of what was read.
func (t Text) ByProgram(path string) Text {
	if isSeen(path) {
		t.program = QuotedForShell(filepath.ToSlash(path))
	}
	t.session += AsText
	return t
}

// Command returns the command that reads a handle from its beginning.
func (t Text) Command(handle string) string { return string(t.command(nil, &Frame{Handle: handle}, 0)) }

// expand begins a command that reads on.
func (t Text) expand() string { return cmp.Or(t.program, "kfw") + " expand " }

// IsVerbatim implements Encoding.
func (Text) IsVerbatim() bool { return true }

// QuotedForShell quotes a word as POSIX shells read it (POSIX.1-2024, Shell Command Language, 2.2.2), if it needs to
// be.
func QuotedForShell(word string) string {
	isLetter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	before, isPlain := rune(0), word != ""
	for _, r := range word {
		isPlain = isPlain && (isLetter(r) || strings.ContainsRune("-./+=:,@%", r) ||
			r == '~' && isLetter(before)) // as in short names of Windows; elsewhere a shell may put a home directory there
		before = r
	}
	if isPlain {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Append implements Encoding.
func (t Text) Append(dst []byte, f *Frame) []byte {
	switch {
	case f.Final && f.Whole:
		return appendWhole(dst, f)
	case f.Excerpt != nil:
		return t.appendPage(dst, f)
	case f.Final:
		return t.appendEnd(dst, f)
	case f.Source != nil:
		return append(dst, f.Source...)
	}
	for _, w := range f.Warnings {
		dst = appendOwn(dst, string(w.Append(nil)))
	}
	if f.Mode == budget.Raw && f.Filtered {
		return appendSelected(dst, f)
	}
	if f.Mode == budget.Raw {
		if len(f.Path) > 0 {
			dst = appendOwn(dst, "at "+string(f.Path))
		}
		return appendLine(dst, f.Data)
	}
	if f.Rows != nil {
		dst = appendOwn(dst, "table of "+f.chunks())
		dst = appendTable(dst, f)
	} else if f.Facts != nil {
		dst = appendOwn(dst, "summary of "+f.chunks())
		dst = appendFacts(dst, f.Facts)
	} else {
		what := f.chunks() + " are not shown"
		switch {
		case f.Onward:
			what = fmt.Sprintf("not shown from chunk %d on", f.First)
		case f.First == f.Last:
			what = f.chunks() + " is not shown"
		}
		dst = appendOwn(dst, what)
	}
	dst = appendNotable(dst, f.Notable)
	if f.Rows != nil && f.Omitted.Blobs > 0 && f.Omitted.Omitted == (tabulate.Omitted{}) {
		return dst // the labels say so, and the final frame names the handle
	}
	return t.appendLeftOut(dst, f)
}

// chunks says which chunks the frame is of.
func (f *Frame) chunks() string {
	if f.First == f.Last {
		return fmt.Sprintf("chunk %d", f.First)
	}
	return fmt.Sprintf("chunks %d to %d", f.First, f.Last)
}

// appendWhole appends the rest of a response that is shown whole, and why it did not end well.
func appendWhole(dst []byte, f *Frame) []byte {
	dst = append(dst, f.Source...)
	if f.Error == nil {
		return dst
	}
	if n := len(f.Source); n > 0 && f.Source[n-1] != '\n' {
		dst = append(dst, '\n')
	}
	return appendOwn(dst, f.Error.text())
}

// text is the failure in words.
func (e *Failure) text() string {
	if e.Code == DriverFailed {
		if e.Signal > 0 {
			return "ended by signal " + strconv.Itoa(e.Signal)
		}
		return "exit status " + strconv.Itoa(e.Exit)
	}
	said := "not whole: " + e.Code + " (exit " + strconv.Itoa(e.Exit) + ")"
	if e.Message != "" && e.Message != e.Code {
		said += ": " + e.Message
	}
	return said
}

func (t Text) appendEnd(dst []byte, f *Frame) []byte {
	if f.Facts != nil {
		of := "the only chunk"
		if f.Totals.Chunks != 1 {
			of = "all " + counted(f.Totals.Chunks, "chunk")
		}
		dst = appendOwn(dst, "summary of "+of)
		dst = appendFacts(dst, f.Facts)
	}
	dst = appendNotable(dst, f.Notable)
	for _, w := range f.Warnings {
		dst = appendOwn(dst, string(w.Append(nil)))
	}
	if f.Error != nil {
		dst = appendOwn(dst, f.Error.text())
	}
	if f.NextOffset > 0 {
		dst = appendTotals(dst, "page", f.Totals)
		return appendOwn(dst, string(t.command([]byte("more: "), f, f.NextOffset)))
	}
	return appendTotals(t.appendLeftOut(dst, f), "end", f.Totals)
}

// appendTotals appends the totals of a page.
func appendTotals(dst []byte, of string, all *Totals) []byte {
	if all == nil {
		return appendOwn(dst, of)
	}
	dst = append(append(append(dst, OwnPrefix...), of...), ": "...)
	dst = append(append(dst, counted(all.Chunks, "chunk")...), ", "...)
	dst = append(dst, counted(all.Bytes, "byte")...)
	for i, r := range all.Redactions {
		if dst = append(dst, ", "...); i == 0 {
			dst = append(dst, "redacted "...)
		}
		dst = strconv.AppendInt(dst, int64(r.Count), 10)
		dst = append(dst, ' ')
		dst = append(dst, r.Rule...)
	}
	if all.SessionLeft >= 0 {
		dst = append(append(dst, ", session left "...), "    "[:all.Blanks]...)
		dst = strconv.AppendInt(dst, int64(all.SessionLeft), 10)
	}
	if all.Estimate {
		dst = append(dst, ", tokens are an estimate"...)
	}
	return append(dst, '\n')
}

// sameFilters stands for filters that are not repeated: an offset counts what they choose from.
const sameFilters = " and the same filters"

func (t Text) appendLeftOut(dst []byte, f *Frame) []byte {
	out := f.Omitted.appendText(nil)
	if f.Handle == "" && len(out) == 0 {
		return dst
	}
	if f.Handle == "" { // no store keeps the response
		return appendOwn(dst, strings.TrimSuffix(string(out), "; "))
	}
	return appendOwn(dst, string(t.command(append(out, "all of it: "...), f, max(0, f.First-1))))
}

// appendText appends what was left out, with a semicolon after it, if anything was.
func (o *Omitted) appendText(dst []byte) []byte {
	rows, columns := RuleCount{nounFor(o.Rows, "row"), o.Rows}, RuleCount{nounFor(o.Columns, "column"), o.Columns}
	blobs := RuleCount{nounFor(o.Blobs, "blob"), o.Blobs}
	left := appendCounted(nil, []RuleCount{rows, columns, blobs, o.Notable.total()})
	if len(left) > 0 {
		dst = append(append(dst, left...), " left out"...)
		if notable := o.Notable.mostFrequent(o.Kinds); notable != nil {
			dst = appendCounted(append(dst, ": "...), notable)
		}
		dst = append(dst, "; "...)
	}
	if o.Cells > 0 {
		dst = append(append(dst, counted(o.Cells, "cell")...), " cut (…); "...)
	}
	return dst
}

// appendCounted appends those that are not zero.
func appendCounted(dst []byte, counts []RuleCount) []byte {
	between := ""
	for _, c := range counts {
		if c.Count > 0 {
			dst = fmt.Appendf(dst, "%s%d %s", between, c.Count, c.Rule)
			between = ", "
		}
	}
	return dst
}

// appendNotable appends a line for each record that stands out: its chunk, why, and the shown part of it.
func appendNotable(dst []byte, notable []Notable) []byte {
	for _, n := range notable {
		what := fmt.Appendf(nil, "chunk %d, %s: ", n.Chunk, n.Why)
		dst = appendOwn(dst, string(appendUnbroken(what, n.Data)))
	}
	return dst
}

// appendUnbroken appends data to a line; what has line feeds is shown as a JSON string.
func appendUnbroken(line, data []byte) []byte {
	if len(data) == 0 || bytes.ContainsAny(data, "\n\r") {
		return jsonx.AppendCanonicalString(line, data)
	}
	return append(line, data...)
}

func appendOwn(dst []byte, what string) []byte {
	dst = append(dst, OwnPrefix...)
	dst, _ = AppendVerbatim(dst, bytes.ReplaceAll([]byte(what), []byte{'\n'}, []byte{' '}), false)
	return append(dst, '\n')
}

// AppendVerbatim appends bytes of a response as Text shows them, and reports whether the next byte begins a line. Where
// a line begins, or what a reader may take for one, the words that lines of kfw's own begin with get a backslash.
// atStart says that source begins a line.
func AppendVerbatim(dst, source []byte, atStart bool) (_ []byte, endsLine bool) {
	endsLine = atStart
	if len(source) > 0 {
		endsLine = endsInBreak(source)
	}
	from := 0
	for at := 0; ; {
		next := bytes.Index(source[at:], ownWord)
		if next < 0 {
			return append(dst, source[from:]...), endsLine
		}
		at += next
		start := at
		for start > 0 && source[start-1] == '\\' { // quoted, once or more
			start--
		}
		if start == 0 && atStart || start > 0 && endsInBreak(source[:start]) {
			dst = append(append(dst, source[from:start]...), '\\')
			from = start
		}
		at += len(ownWord)
	}
}

// AppendWhole appends a text of a response that is shown whole, as AppendVerbatim does. Characters
// that people do not see are made visible, unless they are to be kept: see package hidden.
func AppendWhole(dst, text []byte, keepsHidden bool) []byte {
	if !keepsHidden && hidden.Has(text, false) {
		text, _ = hidden.Show(nil, text, true, false)
	}
	dst, _ = AppendVerbatim(dst, text, true)
	return dst
}

// ownWord is what a line begins with that could be taken for one of kfw's own.
var ownWord = []byte(OwnPrefix[:len("kfw:")])

// lineBreaks are those of Unicode (UAX 14, classes BK, CR, LF and NL), any of which a terminal or a model may take for
// the end of a line: LF, VT, FF, CR, NEL, LS and PS.
var lineBreaks = [...]string{"\n", "\v", "\f", "\r", "\u0085", "\u2028", "\u2029"}

// endsInBreak reports whether a text ends in a line break of any kind.
func endsInBreak(text []byte) bool {
	switch text[len(text)-1] { // the last byte of each
	case '\n', '\v', '\f', '\r', 0x85, 0xa8, 0xa9:
	default:
		return false // as mostly
	}
	for _, b := range lineBreaks {
		if bytes.HasSuffix(text, []byte(b)) {
			return true
		}
	}
	return false
}

// appendLine appends a line of the response. What has line feeds is shown as a JSON string.
func appendLine(dst, line []byte) []byte {
	if bytes.ContainsAny(line, "\n\r") {
		line = jsonx.AppendCanonicalString(nil, line)
	}
	dst, _ = AppendVerbatim(dst, line, true)
	return append(dst, '\n')
}
