package summarize

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/formats"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/tabulate"
	"github.com/kfw-dev/kfw/summarize/worth"
)

// What a form of field tells, and how much of it each level adds. They order
// the steps in which detail is added; nothing else depends on them.
const (
	tellsLine       = 0.9
	shareOfNamed    = 0.44 // of 1: a name tells the same whatever the field, if it is not one of many that may be keys
	shareOfMore     = 0.5
	shareOfFull     = 0.3
	shareWhenRare   = 0.4
	slowdownOfLine  = 0.05 // the second most frequent line tells this much less
	slowdownOfWord  = 0.03
	tellsPhrase     = 0.5
	tellsMeasure    = 0.7
	shareOfSingle   = 0.5  // of a template that has one line
	shareOfNameless = 0.25 // and of one with no word but variables and signs
	shareOfWhere    = 0.4  // of where its first and last line are
	shareOfFewInOne = 0.5  // of how often each of few numbers in it came
	shareAround     = 0.5  // of a field that is not of the records
	tellsStatus     = 1.2  // of a short value around a text, as the exit code of what wrote it is, while there are few
	tellsFailure    = 1.8  // of one that names an error
	longestStatus   = 40   // bytes
	mostStatuses    = 16
	linesOfStatus   = 16 // of the text for each record around it, at least
	costOfStep      = 16 // bytes
	leastRows       = 3  // of a table among more lines than so many for each:
	linesOfRow      = 16
	maxCodes        = 16 // different numbers that may be codes, which are told with how often each came
	leastOfCode     = 10 // times that each of them came, on average
)

// endsTold is how much it tells what the first and the last record are, besides their identities, in so many bytes
// each, or of a line.
var endsTold = [...]struct {
	tells float64
	bytes int
}{{9, 50}, {1, 110}, {.9, 200}}

// step adds detail to the facts.
type step struct {
	tells float64
	of    subject
	index int         // of the field, the template or the phrase; of the ends, how many bytes
	level worth.Level // of the field or the template
}

// subject is what a step tells of.
type subject uint8

const (
	ofField subject = iota
	ofTemplate
	ofPhrase
	ofEnds
	ofTimes
	ofFirstWords
	ofLineLevels
	ofMeasure
	ofOutline
)

// factsWriter holds what writing facts needs, from call to call.
type factsWriter struct {
	steps            []step           // all there are, those that tell most first
	base             int              // the place of the records
	ofRecords        bool             // there are more of these than lines, or these tell more
	times            *fields.Timeline // of lines; nil where they are unknown
	areTimesPart     bool             // there may be others
	isHeaderDoubtful bool             // what is taken for the header may be a row, which is in no count
	hasStatus        bool             // few values are around a text that is told by its lines
	byCount          []int            // the templates, the most frequent first
	levels           []worth.Level
	templates        []worth.Level
	phrases          []*drain.Phrase  // the most frequent first
	isShown          []bool           // of them
	measures         []fields.Measure // that most lines have first
	measured         []bool           // those that are shown
	firstWords       []drain.FirstWord
	lineLevels       []lineclass.Level
	areAll           bool // every line begins with one of these
	outlined         outlined
	frequent         []fields.ValueCount
	text, best       []byte
}

// Facts returns the fullest JSON object of facts for which fits says yes, nil
// if there is none. It calls fits O(log n) times for n fields and templates.
// The result is lent until the next call of a method of s.
//
//	{"records":N,"at":path,"first":{path:value},"last":{path:value},"fields":{path:facts},"other_fields":[path],
//	 "around":{path:facts},"other_around":[path],"more_fields":n,
//	 "lines":N,"first":line,"last":line,"from":time,"to":time,"rows":N,"headers":N,"keys":{name:facts},"more_keys":n,
//	 "traces":N,"trace_lines":N,"hunks":N,"hunk_lines":N,"added":N,"removed":N,
//	 "levels":{level:lines},"first_words":{word:lines},"start":text,
//	 "templates":[{"n","line","first","last"}],"more_templates":n,"more_lines":n, (of a form that came late "n~" and "first~")
//	 "measures":{label:{"n","min","max","mean~"}},"words~":{words:lines}}
//
// Lines that have a shape are told by their outline: {"lines":N,"shape":name,"outline":[{"line","text"}],"more_outline":n}.
//
// Where the records are not the values that were added, or not all of them, "at" says where they are: the paths of
// "fields" begin there, and "around" has those of what is around them; {"records":n} if there are larger records at a
// place. Paths that have only their name in common are said together, "a.{b,c}" for a.b and a.c.
//
// The facts of a field are "path" (of cells that are called by a heading, in gjson syntax), "const", "values",
// "more_values" (how many are not shown), "top", "numerals" (how many strings are numbers, if not all), "distinct",
// "unit", "min", "max", "mean", "sum", "p50", "p95", "from", "to", "forms" (of texts: how many are of each),
// "more_forms" and "more_texts" (in no form), "folders~" (of paths: how many are in each, or end so), "example",
// "len" (least and greatest length of a string as written); and of what these are: "in" (how many records have it,
// when not all do; "in~" where some came before it was known what the records are), "n" (how many values, when
// elements of arrays), "types", "nulls" (instead, if all others are of one type and "values" does not say it) and
// "keys" (how many names "*" stands for). A name that ends in "~" is of an estimate; all else is exact.
func (s *Summary) Facts(fits func(facts []byte) bool) []byte {
	w := &s.facts
	s.addHeldTexts()
	s.settle()
	s.text.FoldForms()
	s.judgeKeys()
	s.places.JudgeLiterals()
	w.isHeaderDoubtful = s.isHeaderDoubtful()
	s.plan()
	try := func(steps int) bool {
		s.write(w.steps[:steps])
		if !fits(w.text) {
			return false
		}
		w.text, w.best = w.best, w.text
		return true
	}
	if !try(len(w.steps)) && tabulate.Search(len(w.steps), try) < 0 {
		return nil
	}
	return w.best
}

// plan puts the steps in order.
func (s *Summary) plan() {
	w := &s.facts
	w.steps, w.byCount = w.steps[:0], w.byCount[:0]
	w.base, w.ofRecords = structure.RootNode, s.text.Count == 0
	s.planOutline()
	if s.IsOutlined() {
		slices.SortStableFunc(w.steps, func(a, b step) int { return cmp.Compare(b.tells, a.tells) })
		return
	}
	if e := s.mainEnds(); e != nil {
		w.base, w.ofRecords = e.Base, !e.First.IsLine
		for _, end := range endsTold {
			w.steps = append(w.steps, step{tells: perByte(end.tells, end.bytes), index: end.bytes, of: ofEnds})
		}
	}
	w.hasStatus = s.hasStatus()
	if w.times, w.areTimesPart = s.text.LineTimes(); w.times != nil {
		length := len(w.times.FromText) + len(w.times.Latest()) + len(`"from":"","to":"",`)
		w.steps = append(w.steps, step{tells: perByte(worth.Time, length), of: ofTimes})
	}
	if w.firstWords, w.areAll = s.firstWords(); w.firstWords != nil {
		o := object{dst: append(w.text[:0], '{')}
		o.firstWords(w.firstWords, w.areAll)
		w.text = o.dst
		w.steps = append(w.steps, step{tells: perByte(worth.Few, len(o.dst)), of: ofFirstWords})
	}
	if w.lineLevels = s.text.Levels.Ranked(s.text.Count); w.lineLevels != nil {
		w.steps = append(w.steps,
			step{tells: perByte(worth.Few, len(`"levels":{},`)+len(w.lineLevels)*len(`"error":999,`)),
				of: ofLineLevels})
	}
	for id := range s.places.Fields {
		if f := &s.places.Fields[id]; f.CountsFolders() {
			f.Folders.Rank()
		}
		if s.isShown(id) && !s.places.IsInKeyOfMap(id) {
			s.planField(id)
		}
	}
	for i := range s.text.Templates.All {
		if t := &s.text.Templates.All[i]; !w.hasOutline() && t.Count > 0 && !s.isToldByKey(t) && !s.isToldElsewhere(t) {
			w.byCount = append(w.byCount, i)
		}
	}
	slices.SortStableFunc(w.byCount, func(a, b int) int {
		return cmp.Compare(s.text.Templates.All[b].Count, s.text.Templates.All[a].Count)
	})
	share := 1.
	if w.ofRecords {
		share = shareAround
	}
	for rank, i := range w.byCount {
		tells := share * tellsLine / (1 + slowdownOfLine*float64(rank))
		if s.text.Templates.All[i].Count == 1 && s.text.Out != nil {
			tells *= shareOfSingle
		}
		if !s.text.Templates.All[i].HasName() {
			tells *= shareOfNameless
		}
		line := perByte(tells, len(s.text.Templates.All[i].Text)+len(`{"n":99,"line":""},`))
		where := min(line, perByte(shareOfWhere*tells, len(`,"first":999,"last":999`))) // the line comes first
		w.steps = append(w.steps, step{tells: line, index: i, of: ofTemplate, level: worth.Basic},
			step{tells: where, index: i, of: ofTemplate, level: worth.More})
		if bytes := s.text.Templates.All[i].FewBytes(); bytes > 0 {
			w.steps = append(w.steps,
				step{tells: min(where, perByte(shareOfFewInOne*tells, bytes)), index: i, of: ofTemplate,
					level: worth.Full})
		}
	}
	w.phrases = nil
	if s.text.Out != nil && !w.hasOutline() {
		w.phrases = slices.DeleteFunc(s.places.WithoutFolders(s.text.Out.Phrases.Ranked(s.text.Count)),
			(*drain.Phrase).HasVerdict)
	}
	for rank, p := range w.phrases {
		tells := share * tellsPhrase / (1 + slowdownOfWord*float64(rank))
		w.steps = append(w.steps, step{tells: perByte(tells, len(p.Text)+len(`"":999,`)), index: rank, of: ofPhrase})
	}
	if w.measures = nil; !w.hasOutline() {
		w.measures = s.measures()
	}
	for rank := range w.measures {
		tells := share * tellsMeasure / float64(1+rank)
		w.steps = append(w.steps, step{tells: perByte(tells, fields.LengthOfMeasure), index: rank, of: ofMeasure})
	}
	slices.SortStableFunc(w.steps, func(a, b step) int { return cmp.Compare(b.tells, a.tells) })
}

// planField adds the steps of one field: how much each tells for what it costs.
func (s *Summary) planField(id int) {
	w := &s.facts
	f := &s.places.Fields[id]
	nested := math.Pow(worth.SharePerDepth, float64(s.depthOf(id)-1))
	// that there is a table is known of so many lines alone
	if s.table.Columns.IsNameless && s.jsonRecords() == 0 && !f.Named.IsKey {
		nested *= float64(s.table.Rows) / float64(s.text.Count)
	}
	if !s.places.IsUnder(id, w.base) {
		nested *= shareAround
	}
	tells, tellsName := nested*f.Tells(), shareOfNamed*nested
	switch {
	case id == s.textPlace:
		tells = 0
	case s.places.IsReasonOfError(id):
		tells = tellsFailure
	case !w.hasStatus || f.Named.IsKey || f.Named.IsColumn:
	case f.Errors > 0:
		tells = tellsFailure
	case f.Longest <= longestStatus:
		tells = max(tells, tellsStatus)
	}
	if f.Named.IsKey {
		if !f.Named.IsPair { // whose lines are not told otherwise
			tells = max(tells, nested*tellsLine)
		}
		tells /= 1 + slowdownOfLine*float64(s.keysBefore(f))
	} else {
		presence := shareWhenRare + (1-shareWhenRare)*float64(f.Records)/float64(s.recordsAround(id))
		tells *= presence
		if s.places.MayBeKey(id) {
			tellsName *= presence
		}
	}
	name := len(s.nameOf(id)) + len(`"",`)
	if !f.Named.IsKey { // whose name alone tells next to nothing
		w.steps = append(w.steps,
			step{tells: perByte(tellsName, len(s.places.LastName(id))+len(`,`)), index: id, level: worth.Named})
	}
	before := 0
	for l, share := range [...]float64{worth.Basic: 1, worth.More: shareOfMore, worth.Full: shareOfFull} {
		if share == 0 {
			continue
		}
		o := object{dst: append(w.text[:0], '{')}
		s.writeField(&o, f, id, worth.Level(l))
		w.text = o.dst
		cost := name + len(o.dst)
		if l > int(worth.Basic) && cost == before {
			share = 0 // it says no more
		}
		w.steps = append(w.steps, step{tells: perByte(share*tells, cost-before), index: id, level: worth.Level(l)})
		before = cost
	}
}

// hasStatus says whether there are few values around a text that is told by its lines.
func (s *Summary) hasStatus() bool {
	if s.jsonRecords() == 0 || s.text.Count < linesOfStatus*s.jsonRecords() {
		return false
	}
	around := 0
	for i := range s.places.Fields {
		if of := &s.places.Fields[i]; of.Seen.Counted > 0 && !of.Named.IsKey && !of.Named.IsColumn {
			around++
		}
	}
	return around <= mostStatuses
}

// perByte is what a step tells for what it costs, in bytes. A little is paid for every step.
func perByte(tells float64, cost int) float64 {
	return tells / math.Pow(float64(max(0, cost)+costOfStep), .6)
}

// recordsAround is how many records could have a place.
func (s *Summary) recordsAround(id int) int {
	switch e := s.mainEnds(); {
	case s.places.Fields[id].Named.IsKey:
		return 0 // so that it is always told in how many lines it is
	case e == nil:
		return s.jsonRecords() + s.table.Rows
	// the rows of tables among the lines are at the root, too
	case e.First.IsLine && !s.places.Fields[id].Named.IsColumn:
		base := s.places.BaseOf(id)
		if base == structure.RootNode {
			return s.places.Fields[base].Rows - s.table.Rows
		}
		return s.places.Fields[base].Rows
	case s.places.IsUnder(id, e.Base):
		return s.places.Fields[e.Base].Rows
	}
	return s.places.RowsOf(id)
}

// depthOf is how deep a place is in its record.
func (s *Summary) depthOf(id int) int {
	depth := s.places.Paths.Nodes[id].Depth
	if s.places.IsUnder(id, s.facts.base) {
		depth -= s.places.Paths.Nodes[s.facts.base].Depth
	}
	return max(1, depth)
}

// isShown says whether a place has facts of its own: an object or an array has
// those of what is in it.
func (s *Summary) isShown(id int) bool {
	f := &s.places.Fields[id]
	switch {
	case f.Named.IsKey:
		return s.isToldKey(f)
	case f.Named.IsColumn && f.Records <= s.table.Rows && !s.hasTable(): // and no record has it
		return false
	}
	return f.Seen.Counted > 0 || s.isAround(id) || f.Seen.Values > 0 && s.places.Paths.Nodes[id].Members == 0
}

// hasTable says whether so many of the lines are rows that they are told as a table, and do not read like rows by
// chance.
func (s *Summary) hasTable() bool {
	return s.table.Rows >= leastRows || s.table.Rows*linesOfRow >= s.text.Count
}

// isAround says whether larger records are at a place, which the records are in.
func (s *Summary) isAround(id int) bool {
	return s.places.Fields[id].Rows > 1 && id != s.facts.base && s.places.IsUnder(s.facts.base, id)
}

func (s *Summary) write(steps []step) {
	w := &s.facts
	w.levels = tabulate.Emptied(w.levels, len(s.places.Fields))
	w.templates = tabulate.Emptied(w.templates, len(s.text.Templates.All))
	w.isShown = tabulate.Emptied(w.isShown, len(w.phrases))
	w.measured = tabulate.Emptied(w.measured, len(w.measures))
	w.outlined.isShown = tabulate.Emptied(w.outlined.isShown, len(w.outlined.entries))
	templatesShown, endBytes, isTimed, withFirst, withLevels := 0, 0, false, false, false
	for _, st := range steps {
		switch st.of {
		case ofEnds:
			endBytes = max(endBytes, st.index)
		case ofTimes:
			isTimed = true
		case ofFirstWords:
			withFirst = true
		case ofLineLevels:
			withLevels = true
		case ofPhrase:
			w.isShown[st.index] = true
		case ofMeasure:
			w.measured[st.index] = true
		case ofOutline:
			w.outlined.isShown[st.index] = true
		case ofTemplate:
			if st.level == worth.Basic {
				templatesShown++
			}
			w.templates[st.index] = max(w.templates[st.index], st.level)
		case ofField:
			w.levels[st.index] = max(w.levels[st.index], st.level)
		}
	}
	o := object{dst: append(w.text[:0], '{')}
	if s.jsonRecords() > 0 || s.text.Count == 0 {
		records := s.jsonRecords()
		if e := s.mainEnds(); e != nil && !e.First.IsLine {
			records = e.Count
		}
		o.count("records", records)
		if w.base != structure.RootNode {
			o.key("at")
			o.dst = append(append(append(o.dst, '"'), s.places.Paths.Path(w.base)...), '"')
		}
		if w.ofRecords {
			s.writeEnds(&o, endBytes)
		}
		s.writeFields(&o)
	}
	switch {
	case s.IsOutlined():
		o.count("lines", s.text.Count)
		s.writeOutline(&o)
	case s.text.Count > 0:
		o.count("lines", s.text.Count)
		if !w.ofRecords {
			s.writeEnds(&o, endBytes)
		}
		if isTimed {
			l, mark := w.times, ""
			if w.areTimesPart {
				mark = "~"
			}
			o.text("from"+mark, jsonx.AppendCanonicalText(nil, l.FromText)) // there may be a tab in it
			o.text("to"+mark, jsonx.AppendCanonicalText(nil, l.Latest()))
		}
		if s.table.Rows > 0 && s.hasTable() {
			o.isEstimate = w.isHeaderDoubtful
			o.count("rows", s.table.Rows)
			o.isEstimate = false
			if s.table.Headers > 1 {
				o.count("headers", s.table.Headers)
			}
			if s.jsonRecords() == 0 {
				s.writeFields(&o)
			}
		}
		isKey := func(id int) bool { return s.places.Fields[id].Named.IsKey && s.isShown(id) }
		if omitted := s.writeFieldsThat(&o, "keys", "", isKey); omitted > 0 { // a key is never told by its name alone
			o.count("more_keys", omitted)
		}
		s.writeBlocks(&o)
		if withLevels {
			o.lineLevels(w.lineLevels)
		}
		if withFirst {
			o.firstWords(w.firstWords, w.areAll)
		}
		if s.writeOutline(&o); !w.hasOutline() {
			s.writeTemplates(&o, templatesShown)
		}
		o.measures(w.measures, w.measured)
		s.writePhrases(&o)
	}
	w.text = append(o.dst, '}')
}

func (s *Summary) writeFields(o *object) {
	of := func(records bool) func(int) bool {
		return func(id int) bool {
			return !s.places.Fields[id].Named.IsKey && s.isShown(id) && s.places.IsUnder(id, s.facts.base) == records
		}
	}
	omitted := s.writeFieldsThat(o, "fields", "other_fields", of(true))
	omitted += s.writeFieldsThat(o, "around", "other_around", of(false))
	further, exact, ok := s.places.Further.Count()
	switch {
	case !ok:
		o.count("more_fields~", omitted+sketch.MaxExact)
	case !exact:
		o.count("more_fields~", omitted+further)
	case omitted+further > 0:
		o.count("more_fields", omitted+further)
	}
}

// writeFieldsThat writes some of the fields: those with facts, and those of which only the name is told.
func (s *Summary) writeFieldsThat(o *object, nameOfFacts, nameOfNames string, isOurs func(id int) bool) (omitted int) {
	w := &s.facts
	names := 0
	isOpen := false
	for id, l := range w.levels {
		switch {
		case !isOurs(id):
		case l == worth.Absent:
			omitted++
		case l == worth.Named:
			names++
		default:
			if !isOpen {
				o.open(nameOfFacts)
				isOpen = true
			}
			o.open(ascii.LentString(s.nameOf(id)))
			s.writeField(o, &s.places.Fields[id], id, l)
			o.close()
		}
	}
	if isOpen {
		o.close()
	}
	if names == 0 {
		return omitted
	}
	o.key(nameOfNames)
	o.dst = append(o.dst, '[')
	for id, l := range w.levels {
		if isOurs(id) && l == worth.Named {
			s.writeNames(o, id, isOurs)
		}
	}
	o.dst[len(o.dst)-1] = ']'
	return omitted
}

// writeNames writes the name of a place, and with it those of its siblings that have only a name: "a.{b,c}".
func (s *Summary) writeNames(o *object, id int, isOurs func(int) bool) {
	w := &s.facts
	parent := s.places.Paths.Nodes[id].Parent
	canShare := func(id int) bool {
		return s.places.Paths.Nodes[id].Parent == parent && w.levels[id] == worth.Named && isOurs(id) &&
			!s.places.IsReserved(id)
	}
	siblings := 0
	for other := range w.levels {
		if canShare(other) {
			siblings++
		}
	}
	o.dst = append(o.dst, '"')
	if parent == structure.RootNode || parent == w.base || siblings < 2 || !canShare(id) {
		o.dst = append(append(o.dst, s.nameOf(id)...), '"', ',')
		return
	}
	o.dst = append(append(o.dst, s.nameOf(parent)...), '.', '{')
	for other := range w.levels {
		if canShare(other) {
			o.dst = append(append(o.dst, s.places.LastName(other)...), ',')
			w.levels[other] = worth.Absent // it has been said
		}
	}
	o.dst = append(o.dst[:len(o.dst)-1], '}', '"', ',')
}

// nameOf is the path of a place, as seen from the records when it is in them.
func (s *Summary) nameOf(id int) []byte {
	if s.places.IsUnder(id, s.facts.base) {
		return s.places.Relative(id, s.facts.base)
	}
	return s.places.Paths.Path(id)
}

// pathInCell is where the values at a place are in their record, as a gjson path, if that is in a cell that is called
// by a heading.
func (s *Summary) pathInCell(id int) []byte {
	in := id
	for s.places.Paths.Nodes[in].Cell == nil {
		if in == structure.RootNode {
			return nil
		}
		in = s.places.Paths.Nodes[in].Parent
	}
	path := bytes.Clone(s.places.Paths.Nodes[in].Cell)
	if row := s.places.Paths.Nodes[in].Parent; row != s.facts.base {
		path = slices.Concat(s.nameOf(row), []byte{'.'}, path)
	}
	return append(path, s.places.Paths.Path(id)[len(s.places.Paths.Path(in)):]...)
}

func (s *Summary) writeField(o *object, f *fields.Field, id int, l worth.Level) {
	if s.isAround(id) {
		o.count("records", f.Rows)
		return
	}
	o.isEstimate = f.Named.IsPair && s.arePairsCut || f.Named.IsColumn && s.facts.isHeaderDoubtful
	defer func() { o.isEstimate = false }()
	around := s.recordsAround(id)
	isInSome := f.Seen.IsConstant() && !f.Named.IsKey && f.Records > 1 && !f.IsLate && f.Seen.Values == f.Records &&
		f.Records != around
	if path := s.pathInCell(id); path != nil {
		o.key("path")
		o.dst = append(append(append(o.dst, '"'), path...), '"')
	}
	s.writeValues(o, f, isInSome, l)
	switch {
	case f.Records == around, isInSome:
	case f.IsLate:
		o.count("in~", min(f.Records, around))
	default:
		o.count("in", f.Records)
	}
	if f.Seen.Values != f.Records {
		o.count("n", f.Seen.Values)
	}
	switch {
	case f.Seen.IsOneTypeOrNull():
		if !f.Seen.HasFewValues() || f.Seen.RankOfNull() >= f.Seen.ValuesShown(l) {
			o.count("nulls", f.Seen.Types[jsonx.Null])
		}
	case f.Seen.TypesSeen() > 1 || f.Seen.Counted == 0:
		o.open("types")
		for k, n := range f.Seen.Types {
			if n > 0 {
				o.count(jsonx.Kind(k).String(), n)
			}
		}
		o.close()
	}
	o.distinct("keys", &f.Others, f.Seen.Values)
}

// writeValues writes what is known of the values of a field; isInSome says that all are the same one, which not all
// records have.
func (s *Summary) writeValues(o *object, f *fields.Field, isInSome bool, l worth.Level) {
	if f.Seen.Redacted > 0 {
		o.count("redacted", f.Seen.Redacted)
	}
	switch {
	case f.Seen.Counted == f.Seen.Redacted:
		if f.Seen.Counted > 0 && !f.Seen.IsConstant() {
			o.distinctValues(f)
		}
	case isInSome: // how many have it is how many it is in
		s.writeFrequent(o, f, 1, l)
	case f.Seen.IsConstant():
		name := "const"
		if f.Seen.IsBlurred {
			name = "const~"
		}
		o.key(name)
		if e := &f.Seen.Counts.Entries[0]; f.Named.IsKey && !e.Cut && formats.IsPlainNumber(jsonx.Inside(e.Text)) {
			o.dst = append(o.dst, jsonx.Inside(e.Text)...)
		} else {
			o.dst = e.AppendValue(o.dst)
		}
	case f.Seen.HasFewValues():
		shown := f.Seen.ValuesShown(l)
		if len(f.Seen.Counts.Entries) > 2 && (l >= worth.More || shown < len(f.Seen.Counts.Entries)) {
			o.distinctValues(f)
		}
		s.writeFrequent(o, f, shown, l)
		if f.HasNumbers() && l == worth.Full {
			o.unit(f.Written.Unit)
			o.numbers(f.Numbers, l)
		}
	case f.HasNumbers():
		if f.Written.HasNumerals() && f.NoNumerals() > 0 {
			o.count("numerals", f.Written.Numerals)
		}
		o.unit(f.Written.Unit)
		o.numbers(f.Numbers, l)
		if l >= worth.More {
			shown := 1
			if f.Seen.IsExact() && len(f.Seen.Counts.Entries) <= maxCodes &&
				leastOfCode*len(f.Seen.Counts.Entries) <= f.Seen.Counted {
				shown = fields.MaxFewValues
			}
			s.writeFrequent(o, f, shown, l)
		}
	case f.HasTimes() && f.Times.From.Dateless:
		o.text("min", f.Times.FromText)
		o.text("max", f.Times.ToText)
		if l >= worth.More {
			s.writeFrequent(o, f, 1, l)
		}
	case f.HasTimes():
		o.text("from", f.Times.FromText)
		o.text("to", f.Times.ToText)
		if l == worth.Full {
			o.distinctValues(f)
		}
	case f.AreForms():
		o.distinctValues(f)
		o.writeForms(f.Texts, [...]int{0, 0, 3, 8, 16}[l], l == worth.Full)
	case f.AreFolders():
		if f.Seen.ComesAgain() {
			s.writeFrequent(o, f, [...]int{0, 0, 3, 8, 16}[l], l)
			o.writeFolders(f.Folders, [...]int{0, 0, 0, 4, 8}[l])
			break
		}
		s.writeFrequent(o, f, [...]int{0, 0, 1, 3, 8}[l], l)
		o.writeFolders(f.Folders, [...]int{0, 0, 4, 8, 16}[l])
	default:
		s.writeFrequent(o, f, [...]int{0, 0, 3, 8, 16}[l], l)
		if l >= worth.More && f.Seen.IsUnique && mask.Hides(jsonx.Inside(f.Seen.Example.Text)) != mask.AllHidden {
			o.key("example")
			o.dst = f.Seen.Example.AppendValue(o.dst)
		}
		if l == worth.Full && f.Seen.Types[jsonx.String] > 0 && f.Seen.Redacted == 0 && !f.Seen.IsBlurred {
			o.key("len")
			o.dst = strconv.AppendInt(append(o.dst, '['), int64(f.Shortest), 10)
			o.dst = append(strconv.AppendInt(append(o.dst, ','), int64(f.Longest), 10), ']')
		}
	}
}

// writeFrequent writes at most shown of the most frequent values.
func (s *Summary) writeFrequent(o *object, f *fields.Field, shown int, l worth.Level) {
	w := &s.facts
	name := "values"
	if !f.Seen.HasFewValues() {
		o.distinctValues(f)
		name = "top"
		if f.Seen.Counts.Dropped {
			name = "top~"
		}
	}
	if f.Seen.IsBlurred {
		name = strings.TrimSuffix(name, "~") + "~"
	}
	w.frequent = f.Seen.Counts.Frequent(w.frequent[:0], f.Seen.Counted, s.text.Out != nil)
	w.frequent = withoutTwins(w.frequent)
	if f.Seen.Redacted > 0 {
		w.frequent = fields.WithoutRedacted(w.frequent)
	}
	if different, exact, known := f.Seen.Distinct.Count(); known && exact &&
		f.Seen.Counts.Dropped { // others are not known to have come again
		w.frequent = slices.DeleteFunc(w.frequent,
			func(e fields.ValueCount) bool { return e.Count > f.Seen.Counted-different+1 })
	}
	if !f.Seen.HasFewValues() && f.Seen.IsOneTypeOrNull() { // how many are null has been said
		w.frequent = slices.DeleteFunc(w.frequent, func(e fields.ValueCount) bool { return string(e.Text) == "null" })
	}
	shown = min(shown, len(w.frequent))
	for !f.Seen.HasFewValues() && shown > 0 && w.frequent[shown-1].Count == 1 {
		shown-- // they are not the most frequent
	}
	if shown == 0 {
		return
	}
	o.open(name)
	for _, e := range w.frequent[:shown] {
		o.comma()
		if f.Named.IsKey { // all are texts: none can be taken for a number
			o.dst = e.AppendValue(o.dst)
		} else {
			o.dst = e.AppendName(o.dst)
		}
		o.dst = strconv.AppendInt(append(o.dst, ':'), int64(e.Count), 10)
	}
	o.close()
	all := len(f.Seen.Counts.Entries)
	if f.Seen.Redacted > 0 {
		all = len(w.frequent)
	}
	if f.Seen.HasFewValues() && shown < all {
		o.count("more_values", all-shown)
	}
}

// withoutTwins leaves out a shortened value that looks like one before it.
func withoutTwins(entries []fields.ValueCount) []fields.ValueCount {
	kept := entries[:0]
	for _, e := range entries {
		if !e.Cut || !slices.ContainsFunc(kept,
			func(k fields.ValueCount) bool { return k.Cut && string(k.Text) == string(e.Text) }) {
			kept = append(kept, e)
		}
	}
	return kept
}

func (s *Summary) writeTemplates(o *object, shown int) {
	w := &s.facts
	if shown > 0 {
		start := s.startOf(func(i int) bool { return w.templates[i] != worth.Absent })
		if start.Of != nil {
			o.key("start")
			o.dst = append(start.Of.AppendWords(append(o.dst, '"'), 0, start.Words, false), '"')
		}
		o.key("templates")
		opening := byte('[')
		for _, i := range w.byCount {
			if w.templates[i] == worth.Absent {
				continue
			}
			t := &s.text.Templates.All[i]
			o.dst = append(o.dst, opening, '{')
			opening = ','
			n, first := "n", "first"
			if t.IsLate {
				n, first = "n~", "first~"
			}
			o.count(n, t.Count)
			o.key("line")
			o.dst = t.AppendLine(o.dst, start, w.templates[i] == worth.Full)
			if w.templates[i] > worth.Basic {
				o.count(first, t.First)
				if t.Last != t.First {
					o.count("last", t.Last)
				}
			}
			o.close()
		}
		o.dst = append(o.dst, ']')
	}
	if hidden := len(w.byCount) - shown; hidden > 0 {
		o.count("more_templates", hidden)
	}
	if s.text.Templates.Others > 0 {
		o.count("more_lines", s.text.Templates.Others)
	}
}

// writeBlocks writes how many lines are in no template because they belong to the one before.
func (s *Summary) writeBlocks(o *object) {
	b := &s.text.Blocks
	if b.Traces > 0 {
		o.count("traces", b.Traces)
		o.count("trace_lines", b.Frames)
	}
	if b.Hunks > 0 {
		o.count("hunks", b.Hunks)
		o.count("hunk_lines", b.Added+b.Removed+b.Same)
		o.count("added", b.Added)
		o.count("removed", b.Removed)
	}
}

// writePhrases writes in how many lines the most frequent words are.
func (s *Summary) writePhrases(o *object) {
	w := &s.facts
	if !slices.Contains(w.isShown, true) {
		return
	}
	o.open("words~")
	for i, p := range w.phrases {
		if w.isShown[i] {
			o.comma()
			o.dst = strconv.AppendInt(append(jsonx.AppendCanonicalString(o.dst, p.Text), ':'), int64(p.Count), 10)
		}
	}
	o.close()
}
