package summarize

import (
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/structure"
)

// recordReader takes in records of JSON: where they are, in larger ones, in parts, in maps, and each value in them.
type recordReader struct {
	*Summary

	opened       openedRecords
	freshShape   int                 // records that brought a new field
	textFields   int                 // whose texts are grouped by form
	folderFields int                 // whose paths are
	container    structure.Container // of the current record
	nested       []structure.Nested  // in it
	looks        []structure.Look    // at the first records
	valueBuf     []byte
	depth        int // of the place of the current record
	within       int // containers around the current value, in the record
	pathSaved    []byte
	base         int // the place of records with the path pathSaved,
	baseKind     jsonx.Kind
}
