package summarize

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/facts"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/outline"
	"github.com/kfw-dev/kfw/summarize/structure"
)

// Notables returns the records that stand out most from all that was added, the most telling first, and how many
// more had been found when they gave way to better ones, an estimate.
func (s *Summary) Notables() (notables []outlier.Notable, more int) {
	if s.text.Out == nil {
		return nil, 0
	}
	s.strings.addHeldTexts()
	s.lines.settle()
	if s.IsOutlined() && s.shape() != outline.Text {
		return nil, 0 // what is rare in it is what it consists of
	}
	s.text.FoldForms()
	o := s.text.Out
	o.IsOver = true
	s.outliers.weighAll()
	s.outliers.judgeEarly()
	ids := map[int][]int{}
	told := map[string]bool{} // lines
	errors := map[fields.TextForm]int{}
	s.outliers.addFailures()
	shape := s.shape()
	hasShape := shape != outline.Lines
	for _, r := range s.text.FailuresFirst(s.text.InOrder()) {
		isOrdinary := hasShape && isOrdinary(r.Telling().By)
		if isOrdinary && shape != outline.Run {
			continue
		}
		if _, known := ids[r.Base]; !known {
			ids[r.Base] = s.outliers.identities(r.Base)
		}
		kind, detail := s.outliers.why(r)
		isShort := r.Filled == 0 || len(r.Line.Of(r.Bytes)) <= outlier.ShortRow
		n := outlier.Notable{Seq: r.Seq, Why: kind + detail, Kind: kind, IsText: r.IsLine && isShort}
		if n.IsText {
			if n.Data = slices.Clone(r.Line.Of(r.Bytes)); s.text.IsOwned(r) && shape != outline.Search {
				n.Data = append(append(slices.Clone(r.Identity.Of(r.Bytes)), '\n'), n.Data...)
				n.Of = r.Identity.To - r.Identity.From + len("\n")
			}
			n.Again = told[string(n.Data)]
			told[string(n.Data)] = true
		} else {
			n.Fields = s.outliers.telling(r, ids[r.Base], outlier.Ordinary, outlier.LongOrdinary)
			n.More = s.outliers.telling(r, ids[r.Base], outlier.MaxRowLen, outlier.MaxCellLen)
		}
		if form, ok := s.text.FormOfMany(r); ok && r.Telling().By == outlier.ByError {
			errors[form]++
			n.Alike = errors[form] > outlier.AlikeErrors
		}
		n.Alike = n.Alike || isOrdinary // what failed comes first
		notables = append(notables, n)
	}
	if hasShape && shape != outline.Run {
		return notables, 0 // most that gave way were ordinary
	}
	return notables, o.Crowded
}

// why says by what a record stands out: of which kind that is, and what is of this record alone.
func (s *outliers) why(r *outlier.Row) (kind, detail string) {
	why := r.Telling()
	f := &s.places.Fields[why.Place]
	name, isKey := "", f.Named.IsKey && !f.Named.IsPair // which the line begins with
	if (!r.IsLine || why.Place != structure.RootNode) && !isKey {
		name = string(outlier.AppendPlain(nil, s.pathIn(r, why.Place)))
	}
	switch why.By {
	case outlier.ByNumber:
		switch {
		case isKey:
			return "number far out", ""
		case name == "":
			return "number far out", ": " + strconv.FormatFloat(why.Number, 'f', -1, 64)
		}
		return "far out: " + name, ""
	case outlier.ByFew:
		return "rare number", ": " + strconv.FormatFloat(why.Number, 'f', -1, 64)
	case outlier.ByNumberInText:
		return "number far out in " + name, ": " + strconv.FormatFloat(why.Number, 'f', -1, 64)
	case outlier.ByField:
		if isKey {
			return "rare name", ""
		}
		return "rare field", " " + name
	case outlier.ByType:
		if isKey {
			return "rare value", ""
		}
		if why.IsText {
			return "text in " + name, ""
		}
		return why.Kind.String() + " in " + name, ""
	case outlier.ByForm:
		if name != "" {
			return "rare form of " + name, ""
		}
		return "rare form", ""
	case outlier.ByLength:
		return "long number", ""
	case outlier.ByTrace:
		return "rare trace", ""
	case outlier.ByOutcome:
		return lineclass.OutcomeNames[why.N], ""
	case outlier.ByMisfit:
		return "no row of the table", ""
	case outlier.ByGap:
		before := string(why.Before.Of(r.Bytes))
		if name == "" {
			return "numbers jump", " from " + before + " to " + string(why.Text.Of(r.Bytes))
		}
		return "jump of " + name, " from " + before
	case outlier.ByTime:
		from := " from " + string(outlier.AppendPlain(nil, why.Before.Of(r.Bytes)))
		if name != "" {
			return "jump of " + name, from
		}
		return "time jumps", from
	case outlier.ByError:
		if name != "" {
			return "error in " + name, ""
		}
		return "error", ""
	case outlier.ByWords:
		if name == "" {
			return "rare words", ""
		}
		return "rare words in " + name, ""
	}
	if isKey {
		return "rare value", ""
	}
	return "rare " + name, ""
}

// pathIn is the path of a place as it is told of a record: as seen from that, but of those that are not where most
// are the whole path, as it says which they are.
func (s *outliers) pathIn(r *outlier.Row, place int) []byte {
	if e := s.mainEnds(); e != nil && e.Base != r.Base && !e.First.IsLine && s.places.Paths.Nodes[r.Base].Depth > 0 {
		return s.places.Paths.Path(place)
	}
	return s.places.Relative(place, r.Base)
}

// identities returns the places that tell records apart: of nearly all records, and different in nearly all. What is
// called a name or an id comes first, and one time at most is among them. Long ones are told where there are no
// others, and where one is missing, what is different most often.
func (s *outliers) identities(base int) []int {
	places, nearly := s.identitiesUpTo(outlier.LongIdentity, base)
	if len(places) == 0 {
		places, _ = s.identitiesUpTo(outlier.MaxCellLen, base)
	}
	if nearly != structure.NoNode {
		places = append(places, nearly)
	}
	return places[:min(len(places), outlier.Identities)]
}

// identitiesUpTo returns those whose values are no longer, and the best of the places that tell less.
func (s *outliers) identitiesUpTo(longest, base int) (places []int, nearly int) {
	rows := s.places.Fields[base].Rows
	nearly = structure.NoNode
	hasTime, named := false, 0
	for id := range s.places.Fields {
		f := &s.places.Fields[id]
		if f.Named.IsKey || !s.teller.isShown(id) || !s.places.IsIn(id, base) || f.Longest > longest ||
			f.Seen.Values > f.Records {
			continue
		}
		if f.Seen.Types[jsonx.String]+f.Seen.Types[jsonx.Number] < f.Seen.Values ||
			float64(f.Records) < fields.LeastShare*float64(rows) {
			continue
		}
		if f.Numbers != nil && f.HasFractions() {
			continue
		}
		isTime := f.HasTimes()
		switch {
		case f.MayIdentify() && outlier.IsIdentifier(s.places.Paths.Nodes[id].Name):
			places = slices.Insert(places, named, id)
			named++
		case f.MayIdentify() && !(isTime && hasTime):
			places = append(places, id)
			hasTime = hasTime || isTime
		case nearly == structure.NoNode || f.Seen.Fresh > s.places.Fields[nearly].Seen.Fresh:
			nearly = id
		}
	}
	return places, nearly
}

// telling returns a tree of what addTelling adds.
func (s *outliers) telling(r *outlier.Row, ids []int, most, longest int) *facts.Tree {
	of := new(facts.Tree)
	s.addTelling(tree{of}, r, ids, most, longest)
	return of
}

// addTelling adds the values by which a record stands out, what says which record it is, and ordinary fields of so
// many bytes at most, none of which is longer than that.
func (s *outliers) addTelling(o tree, r *outlier.Row, ids []int, most, longest int) {
	begin, members := len(o.Text), 0
	var told [outlier.MaxReasons + outlier.Identities + outlier.MaxCells]int
	done := told[:0]
	add := func(place int, text []byte) {
		if len(text) > 0 && place != s.strings.textPlace && !slices.Contains(done, place) { // a text is told by its lines
			o.AddNamed(s.pathIn(r, place))
			o.Text = append(o.Text, text...)
			done = append(done, place)
			members++
		}
	}
	strong := 0.0 // the reason by which more than an identity stands out
	for i := range r.Reasons {
		w := &r.Reasons[i]
		if strong == 0 && !s.places.Fields[w.Place].MayIdentify() {
			strong = w.Score
		}
		if w.Score > 0 && (i == 0 || i < 3 && w.Score > strong/2) {
			add(w.Place, w.Text.Of(r.Bytes))
		}
	}
	if len(r.Reasons) > 0 && r.Telling().By == outlier.ByError { // what the error is
		for _, c := range r.Cells {
			if r.Text.Bytes > 0 && c.Place == r.Text.Place {
				add(c.Place, c.Text.Of(r.Bytes))
			}
		}
	}
	if r.Key.To > 0 {
		o.AddNamed([]byte("@key"))
		o.Text = append(o.Text, r.Key.Of(r.Bytes)...)
		members++
	}
	hasKey := r.Key.To > 0
	for i, id := range ids {
		// a time alone does not say which it is
		isSought := i == 0 || s.places.Fields[ids[0]].HasTimes() && s.places.Fields[id].MayIdentify()
		mayBeLong := !hasKey && (isSought || len(r.Reasons) == 0)
		for _, c := range r.Cells {
			if c.Place == id && (mayBeLong || c.Text.To-c.Text.From <= outlier.LongSecond) {
				add(id, c.Text.Of(r.Bytes))
				break
			}
		}
	}
	if name := s.places.NameIn(r, ids); !hasKey && name != structure.NoNode {
		text := r.Cells[name].Text.Of(r.Bytes)
		if len(text) > outlier.LongName {
			text = append(append([]byte{'"'}, jsonx.CutInside(jsonx.Inside(text), outlier.LongName)...),
				jsonx.Ellipsis+`"`...)
		}
		add(r.Cells[name].Place, text)
	}
	length := func() int { return len(o.Text) - begin + max(0, 2*members-1) } // with a colon and a comma for each
	before := length()
	for _, c := range r.Cells {
		f := &s.places.Fields[c.Place]
		text := c.Text.Of(r.Bytes)
		cost := len(text) + len(s.pathIn(r, c.Place)) + len(`,"":`)
		saysNothing := f.Seen.IsConstant() || string(text) == "null" || string(text) == `""`
		if saysNothing || len(text) > longest || length()-before+cost > most {
			continue
		}
		add(c.Place, text)
	}
}

// writeEnds writes the first and the last record, or line.
func (s *teller) writeEnds(o tree, most int) {
	e := s.outliers.mainEnds()
	if e == nil {
		return
	}
	ids := s.outliers.identities(e.Base)
	for _, end := range []struct {
		kind *facts.Kind
		row  *outlier.Row
	}{{facts.First, &e.First}, {facts.Last, e.Last}} {
		switch {
		case end.kind == facts.Last && e.Count < 2, end.row.Seq <= s.told && !end.row.IsLine:
		case end.row.IsLine:
			line := end.row.Line.Of(end.row.Bytes)
			shown := jsonx.WholeWords(line, most)
			if len(shown) == 0 {
				break
			}
			if len(shown) < len(line) {
				shown = append(bytes.Clone(shown), jsonx.Ellipsis...)
			}
			o.Add(end.kind)
			o.Text = jsonx.AppendCanonicalString(o.Text, shown)
		case len(end.row.Cells) > 0:
			before := o.Mark()
			o.Open(end.kind)
			r := *end.row
			r.Reasons = nil
			s.outliers.addTelling(o, &r, ids, most, outlier.LongOrdinary)
			o.Close()
			if o.IsEmptyAfter(before) { // each value is null, or what all have
				o.CutTo(before)
			}
		}
	}
}

// mainEnds are those of the place with most records, or of the lines if these are more; nil when there is no such
// place.
func (s *outliers) mainEnds() (main *outlier.Ends) {
	if s.text.Out == nil {
		return nil
	}
	var lines *outlier.Ends
	for i := range s.text.Out.Ends[:s.text.Out.Places] {
		switch e := &s.text.Out.Ends[i]; {
		case e.First.IsLine:
			lines = e
		case main == nil || e.Count > main.Count:
			main = e
		}
	}
	if lines != nil && (main == nil || lines.Count > main.Count && !s.values.opened.isOfFew(s.text.Count, main.Count)) {
		main = lines
	}
	if main != nil && main.Count < 2 && s.records > 1 {
		return nil
	}
	return main
}
