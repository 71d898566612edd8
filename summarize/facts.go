package summarize

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/summarize/fields"
	"github.com/kfw-dev/kfw/internal/summarize/formats"
	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/summarize/tabulate"
	"github.com/kfw-dev/kfw/internal/summarize/worth"
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
	shareOfSingle   = 0.5  // of a template that has one line
	shareOfNameless = 0.25 // and of one with no word but variables and signs
	shareOfWhere    = 0.4  // of where its first and last line are
	shareOfFewInOne = 0.5  // of how often each of few numbers in it came
	shareAround     = 0.5  // of a field that is not of the records
	tellsFailure    = 1.8  // of one that names an error
	costOfStep      = 16   // bytes
	leastRows       = 3    // of a table among more lines than so many for each:
	linesOfRow      = 16
	maxCodes        = 16 // different numbers that may be codes, which are shown with how often each came
	leastOfCode     = 10 // times that each of them came, on average
)

// step adds detail to the facts.
type step struct {
	tells float64
	of    subject
	index int         // of the field or the template
	level worth.Level // of the field or the template
}

// subject is what a step tells of.
type subject uint8

const (
	ofField subject = iota
	ofTemplate
	ofTimes
	ofLineLevels
)

// teller chooses and writes the facts of a summary. What it needs for that is kept from call to call.
type teller struct {
	*Summary
	steps            []step           // all there are, those that tell most first
	base             int              // the place of the records
	ofRecords        bool             // there are more of these than lines, or these tell more
	times            *fields.Timeline // of lines; nil where they are unknown
	areTimesPart     bool             // there may be others
	isHeaderDoubtful bool             // what is taken for the header may be a row, which is in no count
	byCount          []int            // the templates, the most frequent first
	levels           []worth.Level
	templates        []worth.Level
	lineLevels       []lineclass.Level
	frequent         []fields.ValueCount
	trial, best      facts.Tree
}

// Facts returns the most facts for which fits says yes, nil if it says yes to none. Facts that say more for their cost
// come first. It calls fits O(log n) times for n fields and templates.
// The result is lent until the next call of a method of s.
//
// If the records stand inside the values that were added, facts.At is the path to them. The paths of facts.Fields begin
// there; facts.Around has the fields beside them. Members of one object share a path: "a.{b,c}" is a.b and a.c.
func (s *Summary) Facts(fits func(*facts.Tree) bool) *facts.Tree {
	w := &s.teller
	s.lines.settle()
	s.text.Templates.Fold(&s.text.Line)
	s.lines.judgeKeys()
	s.places.JudgeLiterals()
	w.isHeaderDoubtful = w.headerMayBeRow()
	w.plan()
	try := func(steps int) bool {
		w.write(w.steps[:steps])
		if !fits(&w.trial) {
			return false
		}
		w.trial, w.best = w.best, w.trial
		return true
	}
	if !try(len(w.steps)) && tabulate.Search(len(w.steps), try) < 0 {
		return nil
	}
	return &w.best
}

// plan puts the steps in order.
func (s *teller) plan() {
	s.steps, s.byCount = s.steps[:0], s.byCount[:0]
	s.base, s.ofRecords = structure.RootNode, s.text.Count == 0
	if main, areLines, ok := s.mainBase(); ok {
		s.base, s.ofRecords = main.place, !areLines
	}
	if s.times, s.areTimesPart = s.text.LineTimes(); s.times != nil {
		length := len(s.times.FromText) + len(s.times.Latest()) + len(`"from":"","to":"",`)
		s.steps = append(s.steps, step{tells: perByte(worth.Time, length), of: ofTimes})
	}
	if s.lineLevels = s.text.Levels.Ranked(s.text.Count); s.lineLevels != nil {
		s.steps = append(s.steps,
			step{tells: perByte(worth.Few, len(`"levels":{},`)+len(s.lineLevels)*len(`"error":999,`)),
				of: ofLineLevels})
	}
	for id := range s.places.Fields {
		if s.isShown(id) && !s.places.IsInKeyOfMap(id) {
			s.planField(id)
		}
	}
	for i := range s.text.Templates.All {
		if t := &s.text.Templates.All[i]; t.Count > 0 && !s.lines.isShownByKey(t) {
			s.byCount = append(s.byCount, i)
		}
	}
	slices.SortStableFunc(s.byCount, func(a, b int) int {
		return cmp.Compare(s.text.Templates.All[b].Count, s.text.Templates.All[a].Count)
	})
	share := 1.
	if s.ofRecords {
		share = shareAround
	}
	for rank, i := range s.byCount {
		tells := share * tellsLine / (1 + slowdownOfLine*float64(rank))
		if s.text.Templates.All[i].Count == 1 && s.isWhole() {
			tells *= shareOfSingle
		}
		if !s.text.Templates.All[i].HasName() {
			tells *= shareOfNameless
		}
		line := perByte(tells, len(s.text.Templates.All[i].Text)+len(`{"n":99,"line":""},`))
		where := min(line, perByte(shareOfWhere*tells, len(`,"first":999,"last":999`))) // the line comes first
		s.steps = append(s.steps, step{tells: line, index: i, of: ofTemplate, level: worth.Basic},
			step{tells: where, index: i, of: ofTemplate, level: worth.More})
		if bytes := s.text.Templates.All[i].FewBytes(); bytes > 0 {
			s.steps = append(s.steps,
				step{tells: min(where, perByte(shareOfFewInOne*tells, bytes)), index: i, of: ofTemplate,
					level: worth.Full})
		}
	}
	slices.SortStableFunc(s.steps, func(a, b step) int { return cmp.Compare(b.tells, a.tells) })
}

// costOf is what some facts cost as the first in an object, in bytes.
func (s *teller) costOf(add func(o tree)) int {
	s.trial.Reset()
	add(tree{&s.trial})
	return s.trial.Len() - len("}")
}

// planField adds the steps of one field: how much each tells for what it costs.
func (s *teller) planField(id int) {
	f := &s.places.Fields[id]
	nested := math.Pow(worth.SharePerDepth, float64(s.depthOf(id)-1))
	// that there is a table is known of so many lines alone
	if s.lines.table.Columns.IsNameless && s.jsonRecords() == 0 && !f.Named.IsKey {
		nested *= float64(s.lines.table.Rows) / float64(s.text.Count)
	}
	if !s.places.IsUnder(id, s.base) {
		nested *= shareAround
	}
	tells, tellsName := nested*f.Tells(), shareOfNamed*nested
	if s.places.IsReasonOfError(id) {
		tells = tellsFailure
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
		s.steps = append(s.steps,
			step{tells: perByte(tellsName, len(s.places.LastName(id))+len(`,`)), index: id, level: worth.Named})
	}
	before := 0
	for l, share := range [...]float64{worth.Basic: 1, worth.More: shareOfMore, worth.Full: shareOfFull} {
		if share == 0 {
			continue
		}
		cost := name + s.costOf(func(o tree) { s.writeField(o, f, id, worth.Level(l)) })
		if l > int(worth.Basic) && cost == before {
			share = 0 // it says no more
		}
		s.steps = append(s.steps, step{tells: perByte(share*tells, cost-before), index: id, level: worth.Level(l)})
		before = cost
	}
}

// perByte is how much a step tells for its cost in bytes. Each step costs a little more.
func perByte(tells float64, cost int) float64 {
	return tells / math.Pow(float64(max(0, cost)+costOfStep), .6)
}

// recordsAround is how many records could have a place.
func (s *teller) recordsAround(id int) int {
	switch main, areLines, ok := s.mainBase(); {
	case s.places.Fields[id].Named.IsKey:
		return 0 // so that it is always told in how many lines it is
	case !ok:
		return s.jsonRecords() + s.lines.table.Rows
	// the rows of tables among the lines are at the root, too
	case areLines && !s.places.Fields[id].Named.IsColumn:
		base := s.places.BaseOf(id)
		if base == structure.RootNode {
			return s.places.Fields[base].Rows - s.lines.table.Rows
		}
		return s.places.Fields[base].Rows
	case s.places.IsUnder(id, main.place):
		return s.places.Fields[main.place].Rows
	}
	return s.places.RowsOf(id)
}

// depthOf is how deep a place is in its record.
func (s *teller) depthOf(id int) int {
	depth := s.places.Paths.Nodes[id].Depth
	if s.places.IsUnder(id, s.base) {
		depth -= s.places.Paths.Nodes[s.base].Depth
	}
	return max(1, depth)
}

// isShown says whether a place has facts of its own: an object or an array has
// those of what is in it.
func (s *teller) isShown(id int) bool {
	f := &s.places.Fields[id]
	switch {
	case f.Named.IsKey:
		return s.lines.isShownKey(f)
	case f.Named.IsColumn && f.Records <= s.lines.table.Rows && !s.hasTable(): // and no record has it
		return false
	}
	return f.Seen.Counted > 0 || s.isAround(id) || f.Seen.Values > 0 && s.places.Paths.Nodes[id].Members == 0
}

// hasTable says whether so many of the lines are rows that they are shown as a table, and do not read like rows by
// chance.
func (s *teller) hasTable() bool {
	return s.lines.table.Rows >= leastRows || s.lines.table.Rows*linesOfRow >= s.text.Count
}

// isAround says whether larger records are at a place, which the records are in.
func (s *teller) isAround(id int) bool {
	return s.places.Fields[id].Rows > 1 && id != s.base && s.places.IsUnder(s.base, id)
}

func (s *teller) write(steps []step) {
	s.levels = tabulate.Emptied(s.levels, len(s.places.Fields))
	s.templates = tabulate.Emptied(s.templates, len(s.text.Templates.All))
	templatesShown, isTimed, withLevels := 0, false, false
	for _, st := range steps {
		switch st.of {
		case ofTimes:
			isTimed = true
		case ofLineLevels:
			withLevels = true
		case ofTemplate:
			if st.level == worth.Basic {
				templatesShown++
			}
			s.templates[st.index] = max(s.templates[st.index], st.level)
		case ofField:
			s.levels[st.index] = max(s.levels[st.index], st.level)
		}
	}
	s.trial.Reset()
	o := tree{&s.trial}
	if s.jsonRecords() > 0 || s.text.Count == 0 {
		records := s.jsonRecords()
		if main, areLines, ok := s.mainBase(); ok && !areLines {
			records = main.count
		}
		o.Count(facts.Records, records)
		if s.base != structure.RootNode {
			o.AddText(facts.At, s.places.Paths.Path(s.base))
		}
		s.writeFields(o)
	}
	if s.text.Count > 0 {
		o.Count(facts.LineCount, s.text.Count)
		if isTimed {
			o.AreEstimates = s.areTimesPart
			o.AddText(facts.LinesFrom, jsonx.AppendCanonicalText(nil, s.times.FromText)) // there may be a tab in it
			o.AddText(facts.LinesTo, jsonx.AppendCanonicalText(nil, s.times.Latest()))
			o.AreEstimates = false
		}
		if s.lines.table.Rows > 0 && s.hasTable() {
			o.AreEstimates = s.isHeaderDoubtful
			o.Count(facts.Rows, s.lines.table.Rows)
			o.AreEstimates = false
			if s.lines.table.Headers > 1 {
				o.Count(facts.Headers, s.lines.table.Headers)
			}
			if s.jsonRecords() == 0 {
				s.writeFields(o)
			}
		}
		isKey := func(id int) bool { return s.places.Fields[id].Named.IsKey && s.isShown(id) }
		if omitted := s.writeFieldsThat(o, facts.Keys, nil, isKey); omitted > 0 { // a key is never told by its name alone
			o.Count(facts.MoreKeys, omitted)
		}
		s.writeBlocks(o)
		if withLevels {
			o.lineLevels(s.lineLevels)
		}
		s.writeTemplates(o, templatesShown)
	}
}

func (s *teller) writeFields(o tree) {
	of := func(records bool) func(int) bool {
		return func(id int) bool {
			return !s.places.Fields[id].Named.IsKey && s.isShown(id) && s.places.IsUnder(id, s.base) == records
		}
	}
	omitted := s.writeFieldsThat(o, facts.Fields, facts.OtherFields, of(true))
	omitted += s.writeFieldsThat(o, facts.Around, facts.OtherAround, of(false))
	further, exact, ok := s.places.Further.Count()
	switch {
	case !ok:
		o.Count(facts.MoreFields, omitted+sketch.MaxExact)
		o.MakeEstimate()
	case !exact:
		o.Count(facts.MoreFields, omitted+further)
		o.MakeEstimate()
	case omitted+further > 0:
		o.Count(facts.MoreFields, omitted+further)
	}
}

// writeFieldsThat writes some of the fields: those with facts, and those of which only the name is shown.
func (s *teller) writeFieldsThat(o tree, withFacts, withoutFacts *facts.Kind, isOurs func(id int) bool) (omitted int) {
	names := 0
	isOpen := false
	for id, l := range s.levels {
		switch {
		case !isOurs(id):
		case l == worth.Absent:
			omitted++
		case l == worth.Named:
			names++
		default:
			if !isOpen {
				o.Open(withFacts)
				isOpen = true
			}
			o.OpenNamed(s.nameOf(id))
			s.writeField(o, &s.places.Fields[id], id, l)
			o.Close()
		}
	}
	if isOpen {
		o.Close()
	}
	if names == 0 {
		return omitted
	}
	o.Open(withoutFacts)
	for id, l := range s.levels {
		if isOurs(id) && l == worth.Named {
			s.writeNames(o, id, isOurs)
		}
	}
	o.Close()
	return omitted
}

// writeNames writes the name of a place, and with it those of its siblings that have only a name: "a.{b,c}".
func (s *teller) writeNames(o tree, id int, isOurs func(int) bool) {
	parent := s.places.Paths.Nodes[id].Parent
	canShare := func(id int) bool {
		return s.places.Paths.Nodes[id].Parent == parent && s.levels[id] == worth.Named && isOurs(id) &&
			!s.places.IsReserved(id)
	}
	siblings := 0
	for other := range s.levels {
		if canShare(other) {
			siblings++
		}
	}
	o.AddItem()
	o.Text = append(o.Text, '"')
	if parent == structure.RootNode || parent == s.base || siblings < 2 || !canShare(id) {
		o.Text = append(append(o.Text, s.nameOf(id)...), '"')
		return
	}
	o.Text = append(append(o.Text, s.nameOf(parent)...), '.', '{')
	for other := range s.levels {
		if canShare(other) {
			o.Text = append(append(o.Text, s.places.LastName(other)...), ',')
			s.levels[other] = worth.Absent // it has been said
		}
	}
	o.Text = append(o.Text[:len(o.Text)-1], '}', '"')
}

// nameOf is the path of a place, as seen from the records when it is in them.
func (s *teller) nameOf(id int) []byte {
	if s.places.IsUnder(id, s.base) {
		return s.places.Relative(id, s.base)
	}
	return s.places.Paths.Path(id)
}

func (s *teller) writeField(o tree, f *fields.Field, id int, l worth.Level) {
	if s.isAround(id) {
		o.Count(facts.RecordsAround, f.Rows)
		return
	}
	o.AreEstimates = f.Named.IsPair && s.lines.arePairsCut || f.Named.IsColumn && s.isHeaderDoubtful
	defer func() { o.AreEstimates = false }()
	around := s.recordsAround(id)
	isInSome := f.Seen.IsConstant() && !f.Named.IsKey && f.Records > 1 && !f.IsLate && f.Seen.Values == f.Records &&
		f.Records != around
	s.writeValues(o, f, id, isInSome, l)
	switch {
	case f.Records == around, isInSome:
	case f.IsLate:
		o.Count(facts.In, min(f.Records, around))
		o.MakeEstimate()
	default:
		o.Count(facts.In, f.Records)
	}
	if f.Seen.Values != f.Records {
		o.Count(facts.Count, f.Seen.Values)
	}
	switch {
	case f.Seen.IsOneTypeOrNull():
		if !f.Seen.ListsNull(l) {
			o.Count(facts.Nulls, f.Seen.Types[jsonx.Null])
		}
	case f.Seen.TypesSeen() > 1 || f.Seen.Counted == 0:
		o.Open(facts.Types)
		for k, n := range f.Seen.Types {
			if n > 0 {
				o.CountNamed([]byte(jsonx.Kind(k).String()), n)
			}
		}
		o.Close()
	}
	others := facts.Others
	if s.places.Paths.Nodes[s.places.Paths.Nodes[id].Parent].Members > 1 {
		others = facts.FurtherOthers
	}
	o.distinct(others, &f.Others, f.Seen.Values, 0)
}

// writeValues writes what is known of the values of a field; isInSome says that all are the same one, which not all
// records have.
func (s *teller) writeValues(o tree, f *fields.Field, id int, isInSome bool, l worth.Level) {
	if n := f.Seen.Placeholders - f.Seen.Blobs; n > 0 {
		o.Count(facts.Redacted, n)
	}
	if f.Seen.Blobs > 0 {
		o.Count(facts.Blobs, f.Seen.Blobs)
	}
	switch {
	case f.Seen.Counted == f.Seen.Placeholders:
		if f.Seen.Counted > 0 && !f.Seen.IsConstant() {
			o.distinctValues(f, l)
		}
	case isInSome: // how many have it is how many it is in
		s.writeFrequent(o, f, 1, l)
	case f.Seen.IsConstant():
		o.Add(facts.Const)
		if f.Seen.IsBlurred {
			o.MakeEstimate()
		}
		if e := &f.Seen.Counts.Entries[0]; f.Named.IsKey && !e.Cut && formats.IsPlainNumber(jsonx.Inside(e.Text)) {
			o.Text = append(o.Text, jsonx.Inside(e.Text)...)
		} else {
			o.Text = e.AppendValue(o.Text)
		}
	case f.Seen.HasFewValues():
		shown := f.Seen.ValuesShown(l)
		if len(f.Seen.Counts.Entries) > 2 && (l >= worth.More || shown < len(f.Seen.Counts.Entries)) {
			o.distinctValues(f, l)
		}
		s.writeFrequent(o, f, shown, l)
		if f.HasNumbers() && l == worth.Full {
			o.unit(f.Written.Unit)
			o.numbers(f.Numbers, l, f.AddUp(s.places.Paths.Path(id)))
		}
	case f.HasNumbers():
		if f.Written.HasNumerals() && f.NoNumerals() > 0 {
			o.Count(facts.Numerals, f.Written.Numerals)
		}
		o.unit(f.Written.Unit)
		o.numbers(f.Numbers, l, f.AddUp(s.places.Paths.Path(id)))
		if l >= worth.More {
			shown := 1
			if f.Seen.IsExact() && len(f.Seen.Counts.Entries) <= maxCodes &&
				leastOfCode*len(f.Seen.Counts.Entries) <= f.Seen.Counted {
				shown = fields.MaxFewValues
			}
			s.writeFrequent(o, f, shown, l)
		}
	case f.HasTimes() && f.Times.From.Dateless:
		o.AddText(facts.Min, f.Times.FromText)
		o.AddText(facts.Max, f.Times.ToText)
		if l >= worth.More {
			s.writeFrequent(o, f, 1, l)
		}
	case f.HasTimes():
		o.AddText(facts.Earliest, f.Times.FromText)
		o.AddText(facts.Latest, f.Times.ToText)
		if l == worth.Full {
			o.distinctValues(f, l)
		}
	case f.AreTemplates():
		o.distinctValues(f, l)
		o.writeTextTemplates(f.Texts, [...]int{0, 0, 3, 8, 16}[l], l == worth.Full)
	default:
		s.writeFrequent(o, f, [...]int{0, 0, 3, 5, 8}[l], l)
		if l >= worth.More && f.Seen.IsUnique &&
			mask.PlaceholdersIn(jsonx.Inside(f.Seen.Example.Text)) != mask.OnlyPlaceholder {
			o.Add(facts.Example)
			o.Text = f.Seen.Example.AppendValue(o.Text)
		}
		if l == worth.Full && f.Seen.Types[jsonx.String] > 0 && f.Seen.Placeholders == 0 && !f.Seen.IsBlurred {
			o.Add(facts.Length)
			o.Text = strconv.AppendInt(append(o.Text, '['), int64(f.Shortest), 10)
			o.Text = append(strconv.AppendInt(append(o.Text, ','), int64(f.Longest), 10), ']')
		}
	}
}

// writeFrequent writes at most shown of the most frequent values.
func (s *teller) writeFrequent(o tree, f *fields.Field, shown int, l worth.Level) {
	kind, isEstimate := facts.Values, f.Seen.IsBlurred
	if !f.Seen.HasFewValues() {
		o.distinctValues(f, l)
		kind, isEstimate = facts.Top, isEstimate || f.Seen.Counts.Dropped
	}
	s.frequent = f.Seen.Counts.Frequent(s.frequent[:0], f.Seen.Counted, s.isWhole())
	s.frequent = withoutTwins(s.frequent)
	if f.Seen.Placeholders > 0 {
		s.frequent = fields.WithoutPlaceholders(s.frequent)
	}
	if different, exact, known := f.Seen.Distinct.Count(); known && exact &&
		f.Seen.Counts.Dropped { // others are not known to have come again
		s.frequent = slices.DeleteFunc(s.frequent,
			func(e fields.ValueCount) bool { return e.Count > f.Seen.Counted-different+1 })
	}
	if !f.Seen.HasFewValues() && f.Seen.IsOneTypeOrNull() { // how many are null has been said
		s.frequent = slices.DeleteFunc(s.frequent, func(e fields.ValueCount) bool { return string(e.Text) == "null" })
	}
	shown = min(shown, len(s.frequent))
	for !f.Seen.HasFewValues() && shown > 0 && s.frequent[shown-1].Count == 1 {
		shown-- // they are not the most frequent
	}
	if shown == 0 {
		return
	}
	o.Open(kind)
	if isEstimate {
		o.MakeEstimate()
	}
	for _, e := range s.frequent[:shown] {
		o.AddItem()
		if f.Named.IsKey { // all are texts: none can be taken for a number
			o.Text = e.AppendValue(o.Text)
		} else {
			o.Text = e.AppendName(o.Text)
		}
		o.EndName()
		o.Number(e.Count)
	}
	o.Close()
	all := len(f.Seen.Counts.Entries)
	if f.Seen.Placeholders > 0 {
		all = len(s.frequent)
	}
	if f.Seen.HasFewValues() && shown < all {
		o.Count(facts.MoreValues, all-shown)
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

func (s *teller) writeTemplates(o tree, shown int) {
	if shown > 0 {
		o.Open(facts.Templates)
		for _, i := range s.byCount {
			if s.templates[i] == worth.Absent {
				continue
			}
			t := &s.text.Templates.All[i]
			o.OpenItem()
			o.AreEstimates = t.IsLate
			o.Count(facts.TemplateLines, t.Count)
			o.AreEstimates = false
			o.Add(facts.TemplateText)
			o.Text = t.AppendLine(o.Text, s.templates[i] == worth.Full)
			if s.templates[i] > worth.Basic {
				o.AreEstimates = t.IsLate
				o.Count(facts.TemplateFirst, t.First)
				o.AreEstimates = false
				if t.Last != t.First {
					o.Count(facts.TemplateLast, t.Last)
				}
			}
			o.Close()
		}
		o.Close()
	}
	if hidden := len(s.byCount) - shown; hidden > 0 {
		o.Count(facts.MoreTemplates, hidden)
	}
	if s.text.Templates.Others > 0 {
		o.Count(facts.MoreLines, s.text.Templates.Others)
	}
}

// writeBlocks writes how many lines are in no template because they belong to the one before.
func (s *teller) writeBlocks(o tree) {
	b := &s.text.Blocks
	if b.Traces > 0 {
		o.Count(facts.Traces, b.Traces)
		o.Count(facts.TraceLines, b.Frames)
	}
}
