package truth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Judge returns what is false of what kfw said, a line for each statement.
func Judge(r *Response, said []Said, isText bool) []string {
	j := judge{Response: r, isText: isText}
	switch {
	case !isText:
		j.rawFrames(said)
	case said[0].Page == nil:
		j.rawText(said)
	}
	finals := 0
	for i := range said {
		s := &said[i]
		if s.Mode == "handle_only" && s.Last == 0 && !s.IsFinal { // it speaks for the rest
			s.Last = len(r.Chunks)
		}
		if s.IsFinal {
			finals++
			j.final(s)
		}
		j.blobs(s)
		j.in(s)
	}
	if isWhole := isText && len(said) == 1 && said[0].Mode == "raw"; isWhole {
		j.ended(&said[0])
	} else if finals != 1 {
		j.says("final frames: %d", finals)
	}
	return j.false
}

type judge struct {
	*Response
	isText bool
	of     *Said
	false  []string
}

func (j *judge) says(format string, args ...any) {
	where := ""
	if j.of != nil {
		where = fmt.Sprintf("%s of %d to %d: ", j.of.Mode, j.of.First, j.of.Last)
	}
	j.false = append(j.false, where+fmt.Sprintf(format, args...))
}

// try reports whether check finds nothing false.
func (j *judge) try(check func()) bool {
	before := len(j.false)
	check()
	isTrue := len(j.false) == before
	j.false = j.false[:before]
	return isTrue
}

// either runs checks until one finds all true. If there is none, it keeps the faults of the last.
func (j *judge) either(checks ...func()) {
	for _, check := range checks[:len(checks)-1] {
		if j.try(check) {
			return
		}
	}
	checks[len(checks)-1]()
}

// rawFrames judges the chunks that are shown as they are.
func (j *judge) rawFrames(said []Said) {
	hasLess := slices.ContainsFunc(said, func(s Said) bool { return s.omits("blobs") > 0 })
	for i := range said {
		s := &said[i]
		for k, data := range s.Raw {
			at := s.First + k
			if at < 1 || at > len(j.Chunks) ||
				!j.isChunk(at, j.Chunks, data) && !(j.AsIs != nil && !hasLess && j.isChunk(at, j.AsIs, data)) {
				j.says("raw chunk %d: %s", at, data)
			}
		}
	}
}

// isChunk reports whether data, JSON, is the chunk of a number.
func (j *judge) isChunk(at int, of []string, data string) bool {
	if !j.isRecord(at) {
		return gjson.Parse(data).String() == of[at-1]
	}
	return compact(data) == compact(of[at-1])
}

// blobs judges how many blobs a frame is said to leave out.
func (j *judge) blobs(s *Said) {
	first, last := s.First, s.Last
	if s.IsFinal {
		first, last = 1, len(j.Chunks)
	}
	blobs := 0
	for chunk, n := range j.Blobs {
		if first <= chunk && chunk <= last {
			blobs += n
		}
	}
	if n := s.omits("blobs"); n > 0 && n != blobs {
		j.says("%d blobs of chunks %d to %d are left out, of %d", n, first, last, blobs)
	}
}

// ownWord is what a text has a backslash before, as a line of kfw's own begins with it.
var ownWord = regexp.MustCompile(`(^|[\n\v\f\r\x{85}\x{2028}\x{2029}])(\\*kfw:)`)

// rawText judges what a text shows of the response byte for byte: its beginning and its end.
func (j *judge) rawText(said []Said) {
	input := string(j.Input)
	if len(j.Redacted) > 0 { // of which only the chunks are known
		input = strings.Join(j.Chunks, "\n") + "\n"
	}
	if j.AsIs != nil && string(j.Input) != strings.Join(said[0].Raw, "") { // not all is shown
		input = strings.Join(j.Chunks, "\n") + "\n"
	}
	input = ownWord.ReplaceAllString(input, `$1\$2`)
	for i := range said {
		s := &said[i]
		raw := strings.Join(s.Raw, "")
		isLast := i == len(said)-1 || i+1 < len(said) && said[i+1].First == 1 && said[i+1].Last == len(j.Chunks) &&
			i > 0
		switch {
		case raw == "" || s.Mode != "raw", j.IsUneven && j.areChunks(s):
		case i == 0 && !strings.HasPrefix(input, raw):
			j.says("the beginning is not that of the response: %q", raw)
		case i > 0 && j.areChunks(s):
		case i > 0 && isLast && !strings.HasSuffix(input, raw):
			j.says("the end is not that of the response: %q", raw)
		case i > 0 && !strings.Contains(input, raw):
			j.says("raw lines are not in the response: %q", raw)
		}
		if i == 0 && j.IsLines && i+1 < len(said) && said[i+1].Mode != "summary" && len(s.Raw) != said[i+1].First-1 {
			j.says("%d lines are raw, and then it says chunk %d", len(s.Raw), said[i+1].First)
		}
	}
}

// areChunks reports whether raw lines are chunks that follow each other: JSON, be its array where it may,
// or lines, in quotes if they have line breaks.
func (j *judge) areChunks(s *Said) bool {
	for i, line := range s.Raw {
		at := s.First - 1 + i
		line = strings.TrimSuffix(line, "\n")
		switch {
		case at >= len(j.Chunks):
			return false
		case j.isRecord(at+1) && compact(strings.TrimSpace(line)) == compact(j.Chunks[at]):
		case !j.isRecord(at+1) && (unmarked(line) == j.Chunks[at] || plain(line) == j.Chunks[at]):
		default:
			return false
		}
	}
	return true
}

// final judges the statements of the final frame.
func (j *judge) final(s *Said) {
	j.of = s
	if s.Chunks != len(j.Chunks) {
		j.says("totals: %d chunks, of %d", s.Chunks, len(j.Chunks))
	}
	if s.Page == nil && s.Bytes != len(j.Input) {
		j.says("totals: %d bytes, of %d", s.Bytes, len(j.Input))
	}
	left := maps.Clone(j.Redacted)
	for _, c := range s.Redactions {
		if c.Value == "other" {
			continue
		}
		if left[c.Value] != c.N {
			j.says("redacted %s: %d, of %d", c.Value, c.N, left[c.Value])
		}
		delete(left, c.Value)
	}
	isBare := s.Mode == "handle_only" && len(s.Redactions) == 0 // there was no room
	if len(left) > 0 && !isBare &&
		!slices.ContainsFunc(s.Redactions, func(c Count) bool { return c.Value == "other" }) {
		j.says("redacted, and not said: %v", left)
	}
	j.ended(s)
}

// ended judges how the response is said to have ended.
func (j *judge) ended(s *Said) {
	want := ""
	if j.Exit != 0 {
		want = fmt.Sprintf("driver_failed %d", j.Exit)
	} else if j.Fails {
		want = fmt.Sprintf("%s %d", LostSource, LostExit)
	}
	if s.Failed != want {
		j.says("it ended with %q, not %q", s.Failed, want)
	}
}

// in judges one frame.
func (j *judge) in(s *Said) {
	j.of = s
	if s.Last == 0 && s.First > 0 {
		s.Last = len(j.Chunks)
	}
	if s.HasTotals && s.First == 0 {
		s.First, s.Last = 1, len(j.Chunks)
	}
	if s.Last > len(j.Chunks) {
		j.says("there are %d chunks", len(j.Chunks))
		return
	}
	if s.Offset > 0 && s.Mode != "raw" && !s.IsFinal && s.Offset != s.First-1 {
		j.says("reads on from offset %d, and not %d", s.Offset, s.First-1)
	}
	if s.HasTable {
		j.table(s)
	}
	if s.Page != nil {
		j.page(s)
	}
	for _, w := range s.Warnings {
		j.warning(w)
	}
	for i := range s.Sections {
		j.in(&s.Sections[i])
	}
	if s.HasFacts {
		j.facts(s)
	}
	for i := range s.Notables {
		j.notable(s, &s.Notables[i])
	}
}

// compact returns JSON without blanks, and what is none as it is.
func compact(text string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) != nil {
		return text
	}
	return b.String()
}

// records returns the view that the facts of fields are of, and whether it is that of the records
// in a document.
func (j *judge) records(s *Said) (view View, isInner bool) {
	for _, f := range s.Facts {
		if f.Name == "at" {
			if at := gjson.Parse(f.Value).String(); at != j.At {
				j.says("records are at %s, not at %s", at, j.At)
			}
			return j.Inner, true
		}
	}
	if j.IsLines {
		return j.Rows.in(s.First, s.Last), false
	}
	return j.Records.in(s.First, s.Last), false
}

// facts judges a summary.
func (j *judge) facts(s *Said) {
	view, isInner := j.records(s)
	lines := s.Last - s.First + 1
	if !j.IsLines {
		lines = j.countIn(s, j.Texts)
	}
	shown := 0
	for _, f := range s.Facts {
		n := int(gjson.Parse(f.Value).Int())
		is := func(want int) {
			if n != want {
				j.says("%s: %s, of %d", f.Name, f.Value, want)
			}
		}
		switch f.Name {
		case "records":
			is(len(view))
		case "lines":
			is(lines)
		case "rows":
			is(len(view))
		case "headers":
			is(j.countIn(s, j.Headers))
		case "traces":
			if s.IsFinal {
				is(j.Traces)
			}
		case "trace_lines":
			if s.IsFinal {
				is(j.Framed)
			}
		case "from", "from~", "to", "to~":
			j.timeOf(s, f)
		case "levels":
			j.levels(s, f)
		case "verdicts":
			j.verdicts(s, f)
		case "more_fields":
			shown = n
		case "hits":
			hits, _ := j.hits(s)
			is(hits)
		case "commits":
			commits := 0
			for chunk := s.First; chunk <= s.Last; chunk++ {
				if aCommit.MatchString(j.text(chunk)) {
					commits++
				}
			}
			is(commits)
		case "files":
			if hits, files := j.hits(s); hits > 0 {
				is(files)
			} else if s.IsFinal {
				is(j.Total[f.Name])
			}
		case "added", "removed":
			if s.IsFinal {
				is(j.Total[f.Name])
			}
		}
	}
	isComplete := slices.ContainsFunc(s.Facts, func(f Fact) bool { return f.Name == "records" }) // of JSON
	if isComplete && !isInner {
		j.moreFields(s, view, shown)
	}
	for i := range s.Fields {
		j.field(s, view, &s.Fields[i], false)
	}
	for i := range s.Around {
		j.field(s, j.Around, &s.Around[i], false)
	}
	keys := j.Keys.in(s.First, s.Last)
	for i := range s.Keys {
		j.field(s, keys, &s.Keys[i], true)
	}
	for i := range s.Unclear {
		of := &s.Unclear[i]
		var checks []func()
		if j.hasField(view, of.Name) {
			checks = append(checks, func() { j.field(s, view, of, false) })
		}
		if len(keys.at(j.keyName(of.Name))) > 0 {
			checks = append(checks, func() { j.field(s, keys, of, true) })
		}
		if s.Page != nil && len(j.Around.at(of.Name)) > 0 { // no line comes before these on a page
			checks = append(checks, func() { j.field(s, j.Around, of, false) })
		}
		if len(checks) == 0 {
			j.says("%s: %s: there is no such field, name or label", of.Name, factsText(of.Facts))
			continue
		}
		j.either(checks...)
	}
	j.templates(s)
}

func factsText(facts []Fact) string {
	var b strings.Builder
	for _, f := range facts {
		fmt.Fprintf(&b, "%s %s%v, ", f.Name, f.Value, f.Counts)
	}
	return strings.TrimSuffix(b.String(), ", ")
}

// countIn counts the chunks of a set that a frame speaks for.
func (j *judge) countIn(s *Said, set map[int]bool) (n int) {
	for chunk := range set {
		if s.First <= chunk && chunk <= s.Last {
			n++
		}
	}
	return n
}

// moreFields judges how many fields are not told, of a response whose fields are all known.
func (j *judge) moreFields(s *Said, view View, more int) {
	all := view.paths()
	named := map[string]bool{}
	for _, of := range slices.Concat(s.Fields, s.Unclear) {
		named[of.Name] = true
	}
	for _, name := range s.OtherFields {
		for _, path := range expanded(name) {
			if !all[path] {
				j.says("other_fields: there is no %s", path)
			}
			named[path] = true
		}
	}
	if len(named)+more != len(all) && len(s.Around) == 0 {
		j.says("more_fields: %d beside %d, of %d", more, len(named), len(all))
	}
}

// expanded returns the paths of a.{b,c}.
func expanded(name string) (paths []string) {
	before, list, found := strings.Cut(name, "{")
	if !found {
		return []string{name}
	}
	for last := range strings.SplitSeq(strings.TrimSuffix(list, "}"), ",") {
		paths = append(paths, before+last)
	}
	return paths
}

// has reports whether a record has a value; of an object or an array only the beginning may be said.
func (r *Record) has(f Fact) bool {
	said := gjson.Parse(f.Value)
	if (said.IsObject() || said.IsArray()) && len(f.Value) > len("{}") {
		for _, v := range recordOfJSON(f.Name, said) {
			isCut := strings.Contains(v.Path, "…") || strings.Contains(v.Raw, "…")
			if !isCut && !slices.ContainsFunc(r.Values, func(of Value) bool {
				return of.Path == v.Path && isValue(v.Raw,
					of.Raw)
			}) {
				return false
			}
		}
		return true
	}
	return slices.ContainsFunc(r.Values, func(v Value) bool { return v.Path == f.Name && isValue(f.Value, v.Raw) })
}

// recordOfJSON returns the scalars in a value that stands at a path.
func recordOfJSON(path string, value gjson.Result) (all []Value) {
	if !value.IsObject() && !value.IsArray() || len(value.Raw) <= len("{}") {
		return []Value{{path, value.Raw}}
	}
	value.ForEach(func(name, member gjson.Result) bool {
		at := path + "[]"
		if value.IsObject() {
			at = path + "." + name.String()
		}
		all = append(all, recordOfJSON(at, member)...)
		return true
	})
	return all
}

// isCutOf reports whether a text is a line, or the beginning of one and an ellipsis; what is cut out
// of the middle has one on each side.
func isCutOf(text, line string) bool {
	if text == line {
		return true
	}
	parts := strings.Split(text, "…")
	if len(parts) < 2 || !strings.HasPrefix(line, parts[0]) {
		return false
	}
	rest := line
	for _, part := range parts {
		part = strings.TrimPrefix(part, " ")
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return true
}

// isValue reports whether said is a value, JSON, or the beginning of it.
func isValue(said, raw string) bool {
	if said == raw {
		return true
	}
	a, b := gjson.Parse(said), gjson.Parse(raw)
	switch {
	case a.Type == gjson.String && b.Type == gjson.String:
		return isCutOf(a.String(), b.String())
	case a.IsArray() || a.IsObject():
		return strings.Contains(said, "…") || compact(said) == compact(raw)
	}
	return false
}

// aCommit is how a commit begins in git log.
var aCommit = regexp.MustCompile(`^commit [0-9a-f]{7,40}\b`)
