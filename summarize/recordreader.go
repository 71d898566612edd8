package summarize

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// recordReader takes in records of JSON: where they are, in larger ones, in parts, in maps, and each value in them.
type recordReader struct {
	*Summary

	opened     openedRecords
	bases      bases
	textFields int                 // whose texts are grouped by template
	container  structure.Container // of the current record
	nested     []structure.Nested  // in it
	looks      []structure.Look    // at the first records
	valueBuf   []byte
	depth      int // of the place of the current record
	within     int // containers around the current value, in the record
	pathSaved  []byte
	base       int // the place of records in pathSaved, see structure.PlaceIn,
	baseKind   jsonx.Kind
}

// begin begins a record at a place.
func (s *recordReader) begin(place int) {
	s.depth, s.rows = s.places.Paths.Nodes[place].Depth, s.rows+1
}
