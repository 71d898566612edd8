package summarize

import (
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/formats"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/structure"
)

// places are the places of a response, numbered from the root, with what is counted of the values in
// each, and the room that they have left.
type places struct {
	paths    structure.PathTree
	fields   []fields.Field      // by number of the place
	further  sketch.Distinct     // names past the caps
	room     int                 // bytes left for values and their sketches
	keyRoom  int                 // the same for those of names that lines begin with
	nameRoom int                 // bytes left for sketches of names
	siblings []structure.Sibling // objects whose members came one by one
	nameBuf  []byte
}

// newPlaces returns the root alone.
func newPlaces() places {
	return places{paths: structure.NewPathTree(maxFields, rootMembers, otherMembers), fields: make([]fields.Field, 1, 16)}
}

// reset forgets all places but the root.
func (p *places) reset() {
	p.paths.Reset()
	clear(p.fields)
	*p = places{
		paths:    p.paths,
		fields:   p.fields[:1],
		room:     roomForValues,
		keyRoom:  formats.RoomForKeys,
		nameRoom: roomForNames,
		siblings: p.siblings[:0],
		nameBuf:  p.nameBuf,
	}
}
