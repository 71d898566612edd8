package structure

// The records of a response may be in arrays of larger ones: the issues of each repository, the spans of each
// process. They are records of their own where they are most of the larger ones, and where some came as chunks
// because a larger one was too large for one.
const (
	LeastNested   = 5      // objects in arrays at a place
	LeastScalars  = 3      // of each, on average: what has fewer is a name and a value
	ShareOfNested = 2. / 3 // of the bytes of the records around them
	LookedInto    = 8      // of the first records at a place
	MaxLooks      = 8      // places of records that are looked into
	maxLooked     = 32     // arrays in them
)

// Nested are the records of an array, or of a map, that has been passed over: those at place, in what begins there.
type Nested struct {
	Place, From int
	IsMap       bool
}

// Look is what is known of the first records at a place.
type Look struct {
	Base, Bytes int
	Arrays      []ArrayLook
}

// ArrayLook is what the arrays at a place hold, all in all.
type ArrayLook struct {
	Place                    int
	Objects, Scalars, Others int // elements that are objects, the scalars in them, and other elements
	Bytes                    int
}

// Add adds the contents of one array to those of the other arrays at its place. An array at a new place counts only if
// it holds objects and fewer than maxLooked places are known.
func (l *Look) Add(of ArrayLook) {
	for i := range l.Arrays {
		if a := &l.Arrays[i]; a.Place == of.Place {
			a.Objects, a.Scalars, a.Others, a.Bytes = a.Objects+of.Objects, a.Scalars+of.Scalars, a.Others+
				of.Others, a.Bytes+of.Bytes
			return
		}
	}
	if len(l.Arrays) < maxLooked && of.Objects > 0 {
		l.Arrays = append(l.Arrays, of)
	}
}
