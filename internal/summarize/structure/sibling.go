package structure

const (
	MaxMaps    = 16 // objects whose members came one by one, and may be records
	LeastAlike = 2  // names that two records have in common, at least
)

// Sibling is an object whose members came as chunks.
type Sibling struct {
	Parent int
	First  int // the place of its first member that is an object
	Shared int // the place of all of them; NoNode while they are not known to be alike
}
