package places

import (
	"bytes"
	"math"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/surprise"
	"github.com/kfw-dev/kfw/summarize/value"
)

// IsRow says whether the array at the cursor is a row. The first one at a place tells for all.
func (s *Places) IsRow(c *jsonx.Cursor, place int) bool {
	n := &s.Paths.Nodes[place]
	if n.Cells == structure.NotKnown {
		n.Cells = structure.OfList
		if structure.IsRow(*c, string(n.Name) == structure.ElementName) {
			n.Cells = structure.OfRow
			cells, _ := structure.ScalarsOf(new(*c))
			n.Headings = s.headingsFor(cells, place)
		} else if boxes, name := structure.BoxesOf(*c); boxes > 0 {
			if n.Headings = s.headingsFor(boxes, place); n.Headings.Names != nil {
				n.Cells, n.Box = structure.OfRow, bytes.Clone(name)
			}
		}
	}
	return n.Cells == structure.OfRow
}

// headingsFor returns the headings of rows at a place that have so many cells: as many different strings in an array
// beside the rows that is called fields, columns or the like, or as the names of the objects in one anywhere before
// them.
func (s *Places) headingsFor(cells, place int) (found structure.Headings) {
	nodes := s.Paths.Nodes
	for in := nodes[place].Parent; in != structure.RootNode; in = nodes[in].Parent {
		if nodes[in].Headings.Names != nil {
			return found // what is in the cells of a row has no headings of its own
		}
	}
	beside := nodes[place].Parent
	if string(nodes[place].Name) == structure.ElementName {
		beside = nodes[beside].Parent
	}
	isFoundBeside := false
	for id := range s.Fields {
		n := &nodes[id]
		var names [][]byte
		array := id
		switch {
		case cells < structure.LeastCells, id == place:
		case n.Cells == structure.OfRow:
			names = s.stringsOfRow(id, cells)
		case string(n.Name) == structure.ElementName:
			array = n.Parent
			names = s.Fields[id].Seen.Strings(cells)
		case bytes.EqualFold(n.Name, []byte("name")) && string(nodes[n.Parent].Name) == structure.ElementName:
			array = nodes[n.Parent].Parent
			names = s.Fields[id].Seen.Strings(cells)
		}
		isBeside := nodes[array].Parent == beside
		isNamed := array != id && array != n.Parent
		switch {
		case names == nil || !nodes[array].AreHeadings || !isBeside && !isNamed:
		case found.Names == nil || isBeside && !isFoundBeside:
			found, isFoundBeside = structure.Headings{Names: names, Array: array, Source: nodes[array].Source}, isBeside
		case isBeside == isFoundBeside:
			return structure.Headings{} // which of them is not known
		}
	}
	return found
}

// stringsOfRow does the same for the cells of a row that came once.
func (s *Places) stringsOfRow(row, n int) (values [][]byte) {
	if s.Fields[row].Seen.Values != 1 || s.Paths.Nodes[row].Members != n {
		return nil
	}
	for i := range n {
		place := s.Paths.Find(row, structure.CellNames[i], false)
		if place == structure.NoNode {
			return nil // it has headings itself
		}
		cell := s.Fields[place].Seen.Strings(1)
		if cell == nil || slices.ContainsFunc(values, func(v []byte) bool { return bytes.Equal(v, cell[0]) }) {
			return nil
		}
		values = append(values, cell[0])
	}
	return values
}

// FoundCell remembers where in their row the cells of a column are that is called by a heading, in a member of that
// name if they are boxes.
func (s *Places) FoundCell(place, column int, box []byte) {
	n := &s.Paths.Nodes[place]
	if n.Cell != nil {
		return
	}
	if n.Cell = structure.CellNames[column]; box != nil {
		n.Cell = structure.AppendPathName(append(bytes.Clone(n.Cell), '.'), box, true)
	}
}

// fieldsOfVerdict are those that say how what a record is about ended.
var fieldsOfVerdict = [...]string{"status", "state", "outcome", "result", "conclusion", "verdict", "action"}

// Standing returns what the values of a record say of it as a whole: its level, and how what it is
// about ended.
func (s *Places) Standing(r *outlier.Row) lineclass.Standing {
	for _, c := range r.Cells {
		name, value := s.Paths.Nodes[c.Place].Name, c.Text.Of(r.Bytes)
		if len(value) < len(`"ok"`) || len(value) > 2+lineclass.LongestLevel+2 || value[0] != '"' {
			continue
		}
		value = jsonx.Inside(value)
		switch {
		case slices.ContainsFunc(lineclass.NamesOfLevel[:],
			func(of string) bool { return lineclass.IsWord(name, of) }) &&
			lineclass.IsLevelName(value):
			if lineclass.IsErrorWord(value) || lineclass.IsWord(value, "alert") {
				return lineclass.SaysError
			}
			return lineclass.SaysNoFailure
		case slices.ContainsFunc(fieldsOfVerdict[:], func(of string) bool { return lineclass.IsWord(name, of) }):
			for _, verdict := range [...]string{"ok", "pass", "passed", "success", "succeeded", "skipped", "skip",
				"ignored"} {
				if lineclass.IsWord(value, verdict) {
					return lineclass.SaysNoFailure
				}
			}
		}
	}
	return lineclass.SaysNothing
}

// IsReasonOfError reports whether a field has one text that says why something failed: it is in what
// has the name of an error, such as exception.message.
func (s *Places) IsReasonOfError(id int) bool {
	f := &s.Fields[id]
	if f.Named.IsKey || f.Named.IsColumn || f.Seen.Types[jsonx.String] == 0 || !f.Seen.IsConstant() {
		return false
	}
	parent := s.Paths.Nodes[id].Parent
	if parent == structure.RootNode || parent == structure.NoNode {
		return false
	}
	name := s.Paths.Nodes[parent].Name
	start, end := lineclass.NextErrorWord(name, 0)
	return start < end && !lineclass.IsNameOfCount(bytes.TrimLeft(name[end:], "_-"))
}

const leastKeys = 12 // members of an object whose names may be keys of a map

// MayBeKey says whether the name of a place may be a key of a map: its object is in a record and has many members.
func (s *Places) MayBeKey(id int) bool {
	n := &s.Paths.Nodes[id]
	return n.Depth > 1 && s.Paths.Nodes[n.Parent].Members >= leastKeys
}

// IsInKeyOfMap says whether a place is a rare one of more members than are told apart, or in one: the name is a key
// then, of which there are many.
func (s *Places) IsInKeyOfMap(id int) bool {
	const rare = 20 // one in so many
	for ; id != structure.RootNode; id = s.Paths.Nodes[id].Parent {
		parent := s.Paths.Nodes[id].Parent
		isMap := s.MayBeKey(id) && !s.Paths.IsOther(id) &&
			s.Paths.Find(parent, []byte(structure.OtherMemberName), false) != structure.NoNode
		if isMap && s.Fields[id].Records*rare <= s.Fields[parent].Seen.Values {
			return true
		}
	}
	return false
}

// IsReserved says whether the name of a place can't stand between braces.
func (s *Places) IsReserved(id int) bool {
	name := s.Paths.Nodes[id].Name
	return string(name) == structure.ElementName || bytes.ContainsAny(name, "{},")
}

// LastName is the last part of the path of a place, the inside of a JSON string.
func (s *Places) LastName(id int) []byte {
	path, parent := s.Paths.Path(id), s.Paths.Nodes[id].Parent
	if parent != structure.RootNode {
		path = path[len(s.Paths.Path(parent)):]
	}
	return bytes.TrimPrefix(path, []byte{'.'})
}

// IsUnder says whether a place is in the records at base, or is base.
func (s *Places) IsUnder(id, base int) bool {
	for id != base && id != structure.RootNode {
		id = s.Paths.Nodes[id].Parent
	}
	return id == base
}

// WithoutFolders leaves out of the phrases of lines what is told of a column of paths.
func (s *Places) WithoutFolders(all []*drain.Phrase) []*drain.Phrase {
	for id := range s.Fields {
		if l := s.Fields[id].Folders; l != nil {
			all = slices.DeleteFunc(all, l.Tells)
		}
	}
	return all
}

// SiblingsOf finds what is known of the members of a place; nil if that is nothing.
func (s *Places) SiblingsOf(parent int) *structure.Sibling {
	for i := range s.Siblings {
		if s.Siblings[i].Parent == parent {
			return &s.Siblings[i]
		}
	}
	return nil
}

// memberOf returns the place of a member that chunks are in, or the one that it shares with its siblings.
func (s *Places) memberOf(parent int, name []byte) int {
	if m := s.SiblingsOf(parent); m != nil && m.Shared != structure.NoNode {
		return m.Shared
	}
	return s.Grown(s.Paths.Member(parent, name))
}

// Share makes the place of a member that of all its siblings, with all that is known of it.
func (s *Places) Share(member int) int {
	node := &s.Paths.Nodes[member]
	if other := s.Paths.Find(node.Parent, []byte(structure.OtherMemberName), false); other != structure.NoNode {
		return other // it has stood for some already
	}
	name := sketch.Hash(node.Name)
	s.Paths.Rename(member, []byte(structure.OtherMemberName))
	s.Fields[member].Others.Add(name, &s.NameRoom)
	return member
}

// IsAlike says whether an object has about the same members as what stood at a place.
func (s *Places) IsAlike(place int, value []byte) bool {
	names, common := 0, 0
	for c := (jsonx.Cursor{Source: value, At: 1}); ; c.Take() {
		name, ok := c.Member()
		if !ok {
			return common >= structure.LeastAlike && 2*common >= names || common > 0 && common == names
		}
		names++
		if s.Paths.Find(place, name, false) != structure.NoNode {
			common++
		}
	}
}

// Relative is the path of a place as seen from a record, the inside of a JSON string.
func (s *Places) Relative(place, base int) []byte {
	if place == base {
		return s.Paths.Path(structure.RootNode)
	}
	path := s.Paths.Path(place)
	if base == structure.RootNode {
		return path
	}
	prefix := s.Paths.Path(base)
	if len(path) > len(prefix) && string(path[:len(prefix)]) == string(prefix) {
		path = path[len(prefix):]
		if path[0] == '.' {
			path = path[1:]
		}
	}
	return path
}

// IsIn says whether a place is in the record at base, and in no array in it.
func (s *Places) IsIn(place, base int) bool {
	for ; place != base; place = s.Paths.Nodes[place].Parent {
		if place == structure.RootNode || string(s.Paths.Nodes[place].Name) == structure.ElementName {
			return false
		}
	}
	return true
}

// NameIn returns which cell of a row says best in words which record it is, when no identity does: of the texts that
// are no times the one whose field has most different ones. It is structure.NoNode when there is none.
func (s *Places) NameIn(r *outlier.Row, ids []int) (at int) {
	isText := func(place int) bool {
		f := &s.Fields[place]
		return f.Seen.Types[jsonx.String] > 0 && f.Numbers == nil && !f.HasTimes()
	}
	if slices.ContainsFunc(ids, func(id int) bool { return isText(id) && s.Fields[id].MayIdentify() }) {
		return structure.NoNode
	}
	at = structure.NoNode
	for i, c := range r.Cells {
		f := &s.Fields[c.Place]
		if !isText(c.Place) || f.Seen.IsConstant() || c.Text.To-c.Text.From <= len(`""`) ||
			r.Bytes[c.Text.From] != '"' {
			continue
		}
		if at == structure.NoNode || f.Seen.Fresh > s.Fields[r.Cells[at].Place].Seen.Fresh {
			at = i
		}
	}
	return at
}

// WeighField says how much it tells that a record has a field that few have: little of a map most of whose keys are
// rare.
func (s *Places) WeighField(f *fields.Field, place int) float64 {
	if n := s.RowsOf(place); n < fields.LeastRecords || f.Records > max(1, n/outlier.RareFieldShare) ||
		s.IsInKeyOfMap(place) {
		return 0
	}
	around, rare := s.RareSiblings(place, f.Records)
	score := surprise.OfNew(around, rare) - math.Log(float64(f.Records))
	if isKeyOfMap := s.MayBeKey(place) && 2*rare >= s.Paths.Nodes[s.Paths.Nodes[place].Parent].Members; !isKeyOfMap {
		score += surprise.NewField
	}
	return score
}

// WeighKey says how much it tells that a line begins with a name that hardly any does: nothing where several are as
// rare.
func (s *Places) WeighKey(f *fields.Field) float64 {
	if f.Records > surprise.MostOfRare || f.Named.IsPair {
		return 0
	}
	usual, rare := s.usualKey()
	if usual < outlier.RareKeyShare || rare > outlier.MostRareKeys {
		return 0
	}
	return surprise.NewField + surprise.OfNew(usual, rare) - float64(f.Records-1)
}

// usualKey is how many lines begin with the name that most begin with, and how many names hardly any line begins with.
func (s *Places) usualKey() (usual, rare int) {
	for i := range s.Fields {
		if key := &s.Fields[i]; key.Named.IsKey && !key.Named.IsPair {
			usual = max(usual, key.Records)
			if key.Records <= surprise.MostOfRare {
				rare++
			}
		}
	}
	return usual, rare
}

// RareSiblings counts how often the object around a field came, and how many of its fields are as rare.
func (s *Places) RareSiblings(place, records int) (around, rare int) {
	parent := s.Paths.Nodes[place].Parent
	for id := range s.Fields {
		if s.Paths.Nodes[id].Parent == parent && id != structure.RootNode && !s.Paths.IsKeys(id) &&
			s.Fields[id].Records <= records {
			rare++
		}
	}
	return max(s.Fields[parent].Seen.Values, rare), rare
}

// RowsOf is how many records there are that may have a place.
func (s *Places) RowsOf(place int) int { return s.Fields[s.BaseOf(place)].Rows }

// BaseOf is the place of the records that a place is in.
func (s *Places) BaseOf(place int) int {
	for place > structure.RootNode && s.Fields[place].Rows == 0 {
		place = s.Paths.Nodes[place].Parent
	}
	return max(place, structure.RootNode)
}

// HasSomeKeys says whether some name has begun a few lines, but none enough for another to be rare.
func (s *Places) HasSomeKeys() bool {
	usual, _ := s.usualKey()
	return fields.LeastRecords <= usual && usual < outlier.RareKeyShare
}

// Bounds of places. More of them tell more of wide records, and take more memory.
const (
	MaxFields     = 256     // places with a field, those of names that lines begin with not counted
	RootMembers   = 192     // of a record, or of an element of an array: further ones share a place
	otherMembers  = 32      // of an object inside a record, so that a map of ids is one field
	RoomForValues = 400_000 // bytes for the values of all fields
	roomForNames  = 8 * sketch.DistinctSize
)

// AddFurther counts a place past the caps by its path: it is the same in each element of an array.
func (s *Places) AddFurther(path []byte) {
	hash := uint64(0)
	for len(path) > 0 {
		var name []byte
		name, path = s.CutPath(path)
		if _, isIndex := value.ParseDigits(name); isIndex {
			name = []byte{'#'}
		}
		hash = hash*sketch.PlaceFactor + sketch.Hash(name)
	}
	s.Further.Add(hash, &s.NameRoom)
}

// Step returns the place that a part of a path leads to, to a value of that kind, and whether that is the element of
// an array.
func (s *Places) Step(place int, name []byte, k jsonx.Kind, isFirst bool) (to int, isElement bool) {
	_, isElement = value.ParseDigits(name)
	switch {
	case isElement && isFirst: // of an array at the top: its elements are the records themselves
		return place, true
	case isElement:
		return s.Grown(s.Paths.Element(place)), true
	}
	return s.Paths.Folded(s.memberOf(place, name), k), false
}

// CutPath cuts the first part off a gjson path: the inside of a JSON string.
func (s *Places) CutPath(path []byte) (name, rest []byte) {
	s.NameBuf = s.NameBuf[:0]
	i := 0
	for ; i < len(path) && path[i] != '.'; i++ {
		if path[i] == '\\' && i+1 < len(path) {
			i++
		}
		s.NameBuf = append(s.NameBuf, path[i])
	}
	plain := len(s.NameBuf)
	s.NameBuf = jsonx.AppendCanonicalText(s.NameBuf, s.NameBuf[:plain])
	return s.NameBuf[plain:], path[min(i+1, len(path)):]
}

// Grown makes sure that a place has its field.
func (s *Places) Grown(place int) int {
	for len(s.Fields) <= place {
		s.Fields = append(s.Fields, fields.Field{})
	}
	return place
}

// IsMapThatRecurs says whether a place is that of maps of records, in which there are others of the same name.
func (s *Places) IsMapThatRecurs(place int) bool {
	if !s.Paths.Nodes[place].Recurs {
		return false
	}
	member := s.Paths.Find(place, []byte(structure.OtherMemberName), false)
	return member != structure.NoNode && s.Fields[member].Rows > 0
}

// HasRecordsUnder says whether records of their own are in what stands at a place: what is in a string is none.
func (s *Places) HasRecordsUnder(place int) bool {
	for id := place; id < len(s.Fields); id++ {
		if n := &s.Paths.Nodes[id]; (n.HoldsRecords || s.Fields[id].Rows > 0) && s.IsUnder(id, place) {
			return true
		}
	}
	return false
}

// Canonical is a name with each escape in its shortest form, lent until the next call.
func (s *Places) Canonical(name []byte) []byte {
	if bytes.IndexByte(name, '\\') < 0 {
		return name
	}
	s.NameBuf = jsonx.AppendCanonical(s.NameBuf[:0], name)
	return s.NameBuf
}

// PlaceOfName returns the place of a member, most often the one after before. What is past the caps has none, and is
// counted.
func (s *Places) PlaceOfName(parent, before int, name []byte) int {
	member := s.Grown(s.Paths.MemberAfter(parent, before, name))
	switch {
	case member == structure.NoNode:
		s.Further.Add(sketch.Hash(name)^uint64(parent)*sketch.PlaceFactor, &s.NameRoom)
	case s.Paths.IsOther(member):
		s.Fields[member].Others.Add(sketch.Hash(name), &s.NameRoom)
	}
	return member
}

// RoomOf is the room that is left for the values of a field.
func (s *Places) RoomOf(f *fields.Field) *int {
	if f.Named.IsKey {
		return &s.keyRoom
	}
	return &s.room
}
