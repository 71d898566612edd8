package places

import (
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/formats"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/structure"
)

// Places are the places of a response, numbered from the root, with what is counted of the values in
// each, and the room that they have left.
type Places struct {
	Paths    structure.PathTree
	Fields   []fields.Field      // by number of the place
	Further  sketch.Distinct     // names past the caps
	room     int                 // bytes left for values and their sketches
	keyRoom  int                 // the same for those of names that lines begin with
	NameRoom int                 // bytes left for sketches of names
	Siblings []structure.Sibling // objects whose members came one by one
	NameBuf  []byte
}

// NewPlaces returns the root alone.
func NewPlaces() Places {
	return Places{Paths: structure.NewPathTree(MaxFields, RootMembers, otherMembers), Fields: make([]fields.Field, 1, 16)}
}

// Reset forgets all places but the root.
func (p *Places) Reset() {
	p.Paths.Reset()
	clear(p.Fields)
	*p = Places{
		Paths:    p.Paths,
		Fields:   p.Fields[:1],
		room:     RoomForValues,
		keyRoom:  formats.RoomForKeys,
		NameRoom: roomForNames,
		Siblings: p.Siblings[:0],
		NameBuf:  p.NameBuf,
	}
}
