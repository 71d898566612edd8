package summarize

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// addPairs takes in a line that has been cut into pairs, as a record.
func (s *lineReader) addPairs(r structure.Record) {
	t := &s.table
	s.beginLine(r.Seq)
	s.places.Fields[structure.RootNode].Rows++
	s.seeTime(r.Value)
	before := structure.RootNode
	for _, p := range t.Pairs {
		place := s.places.PlaceOfName(structure.RootNode, before, p.Name)
		if place == structure.NoNode {
			continue
		}
		before = place
		s.places.Fields[place].Named.IsColumn = true
		types := &s.places.Fields[place].Seen.Types
		isText := types[jsonx.String] > 0 && types[jsonx.Number] == 0 // as the first value was
		t.Cell = t.AppendPairValue(t.Cell[:0], p.Value.Of(r.Value), isText, p.As)
		s.lineFields.add(s.places.Paths.Path(place), t.Cell)
		s.values.addScalar(t.Cell, jsonx.KindOf(t.Cell[0]), place)
	}
	t.Rows++
}
