package summarize

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/structure"
)

// Bounds of what is told of one record that stands out.
const (
	identities   = 2   // fields that say which record it is
	longIdentity = 60  // bytes
	longName     = 64  // bytes that are told of a name
	longSecond   = 28  // bytes, when there is one already
	ordinary     = 56  // bytes of other fields, their names included
	longOrdinary = 32  // bytes of one of them
	shortRow     = 200 // bytes of a row of a table that is told as it is
	alikeErrors  = 3   // of one form that are told
	manyAlike    = 8   // lines of one form, more than which need not each be told
	lessAlike    = 2   // by what a record tells less after others that stand out by the same, as a factor of their logarithm
)

// Notable is a record that stands out from the response.
type Notable struct {
	Seq    int    // number of its chunk
	Why    string // a short phrase that may name a field
	Kind   string // that phrase without what is of this record alone: a word for many
	Data   []byte // a line, or a JSON object of some fields of the record
	More   []byte // the same with more of them; nil for a line
	Of     int    // bytes at the beginning of Data that are a line which says of which record the line is
	IsText bool
	Again  bool // it is told already, word for word
	Alike  bool // an error of which others of its form tell most
}

// Notables returns the records that stand out most from all that was added, the most telling first, and how many
// more had been found when they gave way to better ones, an estimate.
func (s *Summary) Notables() (notables []Notable, more int) {
	if s.out == nil {
		return nil, 0
	}
	s.addHeldTexts()
	s.settle()
	s.foldForms()
	o := s.out
	o.isOver = true
	s.weighAll()
	s.judgeEarly()
	ids := map[int][]int{}
	told := map[string]bool{} // lines
	errors := map[fields.TextForm]int{}
	s.addFailures()
	for _, r := range s.failuresFirst(s.inOrder()) {
		if _, known := ids[r.base]; !known {
			ids[r.base] = s.identities(r.base)
		}
		kind, detail := s.why(r)
		isShort := r.filled == 0 || len(r.line.Of(r.bytes)) <= shortRow
		n := Notable{Seq: r.seq, Why: kind + detail, Kind: kind, IsText: r.isLine && isShort}
		if n.IsText {
			if n.Data = slices.Clone(r.line.Of(r.bytes)); s.isOwned(r) {
				n.Data = append(append(slices.Clone(r.identity.Of(r.bytes)), '\n'), n.Data...)
				n.Of = r.identity.To - r.identity.From + len("\n")
			}
			n.Again = told[string(n.Data)]
			told[string(n.Data)] = true
		} else {
			n.Data = s.appendTelling(nil, r, ids[r.base], ordinary, longOrdinary)
			n.More = s.appendTelling(nil, r, ids[r.base], maxRowLen, maxCellLen)
		}
		if form, ok := s.formOfMany(r); ok && r.telling().by == byError {
			errors[form]++
			n.Alike = errors[form] > alikeErrors
		}
		notables = append(notables, n)
	}
	return notables, o.crowded
}

// isOwned reports whether a line says which record a row is of, by all that has come.
func (s *Summary) isOwned(r *row) bool {
	switch {
	case r.identity.To == 0:
		return false
	case r.owner.number > 0:
		return s.owns(r.owner)
	}
	return s.out.identity.tellsApart(r.record) && s.out.identity.comesAlone(r.name)
}

// formOfMany returns the form of the text that a record has, or of a line that is one of many.
func (s *Summary) formOfMany(r *row) (form fields.TextForm, ok bool) {
	if r.isLine && r.filled == 0 && r.form >= 0 {
		return fields.TextForm{Place: structure.RootNode, Form: r.form}, s.templates.All[r.form].Count > manyAlike
	}
	return r.text.TextForm, r.text.Bytes > 0
}

// inOrder are the candidates that stand out, the most telling first. Each one tells less after others that stand out by
// the same.
func (s *Summary) inOrder() (ordered []*row) {
	type sameness struct {
		by    reasonKind
		place int
	}
	type group struct {
		told int     // of the rows that stand out by the same
		less float64 // that another one tells
	}
	type grouped struct {
		*row
		*group
	}
	groups := map[sameness]*group{}
	var rest []grouped
	for _, r := range s.out.candidates[:s.out.used] {
		if r.score <= 0 {
			continue
		}
		why := r.telling()
		by := sameness{why.by, why.place}
		if groups[by] == nil {
			groups[by] = new(group)
		}
		rest = append(rest, grouped{r, groups[by]})
	}
	for len(rest) > 0 {
		best, most := 0, math.Inf(-1)
		for i, r := range rest {
			if score := r.score - r.less; score > most {
				best, most = i, score
			}
		}
		r := rest[best]
		r.told++
		r.less = lessAlike * math.Log(float64(1+r.told))
		ordered = append(ordered, r.row)
		rest = slices.Delete(rest, best, best+1)
	}
	return ordered
}

// why says by what a record stands out: of which kind that is, and what is of this record alone.
func (s *Summary) why(r *row) (kind, detail string) {
	why := r.telling()
	f := &s.fields[why.place]
	name, isKey := "", f.IsKey && !f.IsPair // which the line begins with
	if (!r.isLine || why.place != structure.RootNode) && !isKey {
		name = string(appendPlain(nil, s.pathIn(r, why.place)))
	}
	switch why.by {
	case byNumber:
		switch {
		case isKey:
			return "number far out", ""
		case name == "":
			return "number far out", ": " + strconv.FormatFloat(why.number, 'f', -1, 64)
		}
		return "far out: " + name, ""
	case byFew:
		return "rare number", ": " + strconv.FormatFloat(why.number, 'f', -1, 64)
	case byNumberInText:
		return "number far out in " + name, ": " + strconv.FormatFloat(why.number, 'f', -1, 64)
	case byField:
		if isKey {
			return "rare name", ""
		}
		return "rare field", " " + name
	case byType:
		if isKey {
			return "rare value", ""
		}
		if why.isText {
			return "text in " + name, ""
		}
		return why.kind.String() + " in " + name, ""
	case byForm:
		if name != "" {
			return "rare form of " + name, ""
		}
		return "rare form", ""
	case byLength:
		return "long number", ""
	case byTrace:
		return "rare trace", ""
	case byOutcome:
		return lineclass.OutcomeNames[why.n], ""
	case byMisfit:
		return "no row of the table", ""
	case byGap:
		before := string(why.before.Of(r.bytes))
		if name == "" {
			return "numbers jump", " from " + before + " to " + string(why.text.Of(r.bytes))
		}
		return "jump of " + name, " from " + before
	case byTime:
		from := " from " + string(appendPlain(nil, why.before.Of(r.bytes)))
		if name != "" {
			return "jump of " + name, from
		}
		return "time jumps", from
	case byError:
		if name != "" {
			return "error in " + name, ""
		}
		return "error", ""
	case byWords:
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

// telling returns the reason that is shown for a record: an error that is marked as one, else the
// best. A rare trace is an error by itself.
func (r *row) telling() *reason {
	if r.reasons[0].by == byTrace {
		return &r.reasons[0]
	}
	best := &r.reasons[0]
	for i := range r.reasons {
		switch why := &r.reasons[i]; {
		case why.score <= 0:
		case why.by == byError && why.isMarked:
			return why
		case why.by == byOutcome:
			best = why
		}
	}
	return best
}

// pathIn is the path of a place as it is told of a record: as seen from that, but of those that are not where most are the whole path, as
// it says which they are.
func (s *Summary) pathIn(r *row, place int) []byte {
	if e := s.mainEnds(); e != nil && e.base != r.base && !e.first.isLine && s.paths.Nodes[r.base].Depth > 0 {
		return s.paths.Path(place)
	}
	return s.relative(place, r.base)
}

// relative is the path of a place as seen from a record, the inside of a JSON string.
func (s *Summary) relative(place, base int) []byte {
	if place == base {
		return s.paths.Path(structure.RootNode)
	}
	path := s.paths.Path(place)
	if base == structure.RootNode {
		return path
	}
	prefix := s.paths.Path(base)
	if len(path) > len(prefix) && string(path[:len(prefix)]) == string(prefix) {
		path = path[len(prefix):]
		if path[0] == '.' {
			path = path[1:]
		}
	}
	return path
}

// identities returns the places that tell records apart: of nearly all records, and different in nearly all. What is
// called a name or an id comes first, and one time at most is among them. Long ones are told where there are no others, and where
// one is missing, what is different most often.
func (s *Summary) identities(base int) []int {
	places, nearly := s.identitiesUpTo(longIdentity, base)
	if len(places) == 0 {
		places, _ = s.identitiesUpTo(maxCellLen, base)
	}
	if nearly != structure.NoNode {
		places = append(places, nearly)
	}
	return places[:min(len(places), identities)]
}

// identitiesUpTo returns those whose values are no longer, and the best of the places that tell less.
func (s *Summary) identitiesUpTo(longest, base int) (places []int, nearly int) {
	rows := s.fields[base].Rows
	nearly = structure.NoNode
	hasTime, named := false, 0
	for id := range s.fields {
		f := &s.fields[id]
		if f.IsKey || !s.isShown(id) || !s.isIn(id, base) || f.Longest > longest || f.Values > f.Records {
			continue
		}
		if f.Types[jsonx.String]+f.Types[jsonx.Number] < f.Values || float64(f.Records) < fields.LeastShare*float64(rows) {
			continue
		}
		if f.Numbers != nil && f.HasFractions() {
			continue
		}
		isTime := f.HasTimes()
		switch {
		case f.MayIdentify() && isIdentifier(s.paths.Nodes[id].Name):
			places = slices.Insert(places, named, id)
			named++
		case f.MayIdentify() && !(isTime && hasTime):
			places = append(places, id)
			hasTime = hasTime || isTime
		case nearly == structure.NoNode || f.Fresh > s.fields[nearly].Fresh:
			nearly = id
		}
	}
	return places, nearly
}

// isIdentifier says whether a field is called a name or an id, and no more.
func isIdentifier(name []byte) bool {
	return lineclass.IsWord(name, "name") || lineclass.IsWord(name, "id")
}

// isIn says whether a place is in the record at base, and in no array in it.
func (s *Summary) isIn(place, base int) bool {
	for ; place != base; place = s.paths.Nodes[place].Parent {
		if place == structure.RootNode || string(s.paths.Nodes[place].Name) == structure.ElementName {
			return false
		}
	}
	return true
}

// appendTelling appends a JSON object: the values by which a record stands out, what says which record it is, and ordinary fields of
// so many bytes at most, none of which is longer than that.
func (s *Summary) appendTelling(dst []byte, r *row, ids []int, most, longest int) []byte {
	o := object{dst: append(dst, '{')}
	var told [maxReasons + identities + maxCells]int
	done := told[:0]
	add := func(place int, text []byte) {
		if len(text) > 0 && place != s.textPlace && !slices.Contains(done, place) { // a text is told by its lines
			o.key(ascii.LentString(s.pathIn(r, place)))
			o.dst = append(o.dst, text...)
			done = append(done, place)
		}
	}
	strong := 0.0 // the reason by which more than an identity stands out
	for i := range r.reasons {
		w := &r.reasons[i]
		if strong == 0 && !s.fields[w.place].MayIdentify() {
			strong = w.score
		}
		if w.score > 0 && (i == 0 || i < 3 && w.score > strong/2) {
			add(w.place, w.text.Of(r.bytes))
		}
	}
	if len(r.reasons) > 0 && r.telling().by == byError { // what the error is
		for _, c := range r.cells {
			if r.text.Bytes > 0 && c.place == r.text.Place {
				add(c.place, c.text.Of(r.bytes))
			}
		}
	}
	if r.key.To > 0 {
		o.key("@key")
		o.dst = append(o.dst, r.key.Of(r.bytes)...)
	}
	hasKey := r.key.To > 0
	for i, id := range ids {
		isSought := i == 0 || s.fields[ids[0]].HasTimes() && s.fields[id].MayIdentify() // a time alone does not say which it is
		mayBeLong := !hasKey && (isSought || len(r.reasons) == 0)
		for _, c := range r.cells {
			if c.place == id && (mayBeLong || c.text.To-c.text.From <= longSecond) {
				add(id, c.text.Of(r.bytes))
				break
			}
		}
	}
	if name := s.nameIn(r, ids); !hasKey && name != structure.NoNode {
		text := r.cells[name].text.Of(r.bytes)
		if len(text) > longName {
			text = append(append([]byte{'"'}, jsonx.CutInside(jsonx.Inside(text), longName)...), jsonx.Ellipsis+`"`...)
		}
		add(r.cells[name].place, text)
	}
	before := len(o.dst)
	for _, c := range r.cells {
		f := &s.fields[c.place]
		text := c.text.Of(r.bytes)
		cost := len(text) + len(s.pathIn(r, c.place)) + len(`,"":`)
		saysNothing := f.IsConstant() || string(text) == "null" || string(text) == `""`
		if saysNothing || len(text) > longest || len(o.dst)-before+cost > most {
			continue
		}
		add(c.place, text)
	}
	return append(o.dst, '}')
}

// nameIn returns which cell of a row says best in words which record it is, when no identity does: of the texts that are no times the one
// whose field has most different ones. It is structure.NoNode when there is none.
func (s *Summary) nameIn(r *row, ids []int) (at int) {
	isText := func(place int) bool {
		f := &s.fields[place]
		return f.Types[jsonx.String] > 0 && f.Numbers == nil && !f.HasTimes()
	}
	if slices.ContainsFunc(ids, func(id int) bool { return isText(id) && s.fields[id].MayIdentify() }) {
		return structure.NoNode
	}
	at = structure.NoNode
	for i, c := range r.cells {
		f := &s.fields[c.place]
		if !isText(c.place) || f.IsConstant() || c.text.To-c.text.From <= len(`""`) || r.bytes[c.text.From] != '"' {
			continue
		}
		if at == structure.NoNode || f.Fresh > s.fields[r.cells[at].place].Fresh {
			at = i
		}
	}
	return at
}

// writeEnds writes the first and the last record, or line.
func (s *Summary) writeEnds(o *object, most int) {
	e := s.mainEnds()
	if e == nil {
		return
	}
	ids := s.identities(e.base)
	for _, end := range []struct {
		name string
		row  *row
	}{{"first", &e.first}, {"last", e.last}} {
		switch {
		case end.name == "last" && e.count < 2, end.row.seq <= s.told && !end.row.isLine:
		case end.row.isLine:
			line := end.row.line.Of(end.row.bytes)
			shown := jsonx.WholeWords(line, most)
			if len(shown) == 0 {
				break
			}
			if len(shown) < len(line) {
				shown = append(bytes.Clone(shown), jsonx.Ellipsis...)
			}
			o.key(end.name)
			o.dst = jsonx.AppendCanonicalString(o.dst, shown)
		case len(end.row.cells) > 0:
			before := len(o.dst)
			o.key(end.name)
			r := *end.row
			r.reasons = nil
			o.dst = s.appendTelling(o.dst, &r, ids, most, longOrdinary)
			if bytes.HasSuffix(o.dst, []byte("{}")) { // each value is null, or what all have
				o.dst = o.dst[:before]
			}
		}
	}
}

// mainEnds are those of the place with most records, or of the lines if these are more; nil when there is no such place.
func (s *Summary) mainEnds() (main *ends) {
	if s.out == nil {
		return nil
	}
	var lines *ends
	for i := range s.out.ends[:s.out.places] {
		switch e := &s.out.ends[i]; {
		case e.first.isLine:
			lines = e
		case main == nil || e.count > main.count:
			main = e
		}
	}
	if lines != nil && (main == nil || lines.count > main.count && !s.opened.isOfFew(s.lines, main.count)) {
		main = lines
	}
	if main != nil && main.count < 2 && s.records > 1 {
		return nil
	}
	return main
}
