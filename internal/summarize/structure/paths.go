package structure

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/formats"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// Bounds of a tree, and nodes and names with a meaning of their own.
const (
	MaxDepth        = 16     // levels of nesting that are distinguished
	maxPathLen      = 160    // bytes of a path
	RootNode        = 0      // the record itself
	NoNode          = -1     // no place, as where the tree is full
	ElementName     = "\x00" // in the tree: any element of an array
	OtherMemberName = "\x01" // in the tree: a member past its parent's cap
	keysName        = "\x02" // in the tree: where the names are that lines begin with
)

// PathTree numbers the places in records: 0 is the record itself, the others
// are members of objects and elements of arrays. It grows up to its caps.
type PathTree struct {
	Nodes       []pathNode
	Slots       []int16 // open addressing over hash(parent, name); 0 is free
	Keys        int     // the node that the names are in which lines begin with, 0 before the first
	maxNodes    int
	maxMembers  int  // of an object that may be a map
	rootMembers int  // of the record itself, or of an element of an array
	MarksDots   bool // of all names, not only where a path would be that of two places
	MapsRecur   bool // if a member of one has another of the same name: so it is where records came whole, and are maps
}

type pathNode struct {
	Parent       int
	Depth        int
	Members      int
	first        int // its element, or the member of it that came first of late; 0 when that is not known
	next         int // the member that came after it of late, 0 when that is not known
	Cells        cellsOf
	isMarked     bool // the dots of the name are marked as such in the path
	HoldsRecords bool // the elements of the array are records of their own
	// an element of the array, or a member of the map, has one of the same name: what is in these has the same place
	Recurs bool
	Name   []byte // as in the record, canonical
	Quoted []byte // that with its quotes and a colon
	path   []byte // gjson syntax, "[]" for any element; the inside of a JSON string
	names  []byte // in the path, as they are, with dots between them
}

// Reset makes the tree one of the root alone.
func (t *PathTree) Reset() {
	clear(t.Nodes)
	t.Nodes = t.Nodes[:1]
	clear(t.Slots)
	*t = PathTree{
		Nodes: t.Nodes, Slots: t.Slots, maxNodes: t.maxNodes, rootMembers: t.rootMembers, maxMembers: t.maxMembers,
		MarksDots: t.MarksDots,
	}
}

// NewPathTree returns a tree of the root alone. It grows up to maxNodes nodes, and those of names
// that lines begin with. A record, and an element of an array, has up to rootMembers members with a
// place of their own, another object up to maxMembers.
func NewPathTree(maxNodes, rootMembers, maxMembers int) PathTree {
	slots := 64
	for slots < 2*maxNodes {
		slots *= 2
	}
	return PathTree{
		Nodes:       make([]pathNode, 1, 16),
		Slots:       make([]int16, slots),
		maxNodes:    maxNodes,
		rootMembers: rootMembers,
		maxMembers:  maxMembers,
	}
}

// call gives the place a name.
func (n *pathNode) call(name []byte) {
	n.Quoted = append(append(append(make([]byte, 0, len(name)+len(`"":`)), '"'), name...), `":`...)
	n.Name = n.Quoted[1 : 1+len(name)]
}

// Path returns the name of a place, the inside of a JSON string: "@this" is
// gjson's name for the record itself.
func (t *PathTree) Path(id int) []byte {
	if id == RootNode {
		return []byte("@this")
	}
	return t.Nodes[id].path
}

// Folded returns the place of a member that has a value of that kind: where an element of an array has an array of
// the same name, or a member of a map a map of it, that of the outer one.
func (t *PathTree) Folded(id int, k jsonx.Kind) int {
	if id <= RootNode || k < jsonx.Array {
		return id
	}
	parent := t.Nodes[id].Parent
	around := t.Nodes[parent].Parent
	isTree := k == jsonx.Array && string(t.Nodes[parent].Name) == ElementName || k == jsonx.Object && t.MapsRecur &&
		t.IsOther(parent)
	if !isTree || around == RootNode || !bytes.Equal(t.Nodes[id].Name, t.Nodes[around].Name) {
		return id
	}
	if !t.Nodes[around].Recurs {
		t.Nodes[around].Recurs = true
		t.pathsFrom(around)
	}
	return around
}

// IsOther says whether id stands for all members past its parent's cap.
func (t *PathTree) IsOther(id int) bool { return string(t.Nodes[id].Name) == OtherMemberName }

// Element returns the place of any element of the array at parent.
func (t *PathTree) Element(parent int) int {
	if id := t.Nodes[parent].first; id != RootNode && string(t.Nodes[id].Name) == ElementName {
		return id
	}
	id := t.Find(parent, []byte(ElementName), true)
	t.Nodes[parent].first = max(RootNode, id)
	return id
}

// MemberAfter is member for the one that comes after another in its object, or first if that is RootNode. Objects that
// are alike mostly have their members in one order.
func (t *PathTree) MemberAfter(parent, before int, name []byte) int {
	if guess := t.MemberSeen(parent, before); guess != RootNode && bytes.Equal(t.Nodes[guess].Name, name) {
		return guess
	}
	id := t.Member(parent, name)
	if before != RootNode {
		t.Nodes[before].next = max(RootNode, id)
	} else {
		t.Nodes[parent].first = max(RootNode, id)
	}
	return id
}

// MemberSeen returns the member that came there of late, RootNode if that is not known.
func (t *PathTree) MemberSeen(parent, before int) int {
	if before != RootNode {
		return t.Nodes[before].next
	}
	return t.Nodes[parent].first
}

// Key returns the place of a name that lines begin with, often the one after before; NoNode if there are too many.
func (t *PathTree) Key(before int, name []byte) int {
	if t.Keys == RootNode {
		t.Keys = len(t.Nodes)
		t.Nodes = append(t.Nodes, pathNode{Name: []byte(keysName)})
	}
	return t.MemberAfter(t.Keys, before, name)
}

// IsKeys says whether a node is the one that the names are in which lines begin with.
func (t *PathTree) IsKeys(id int) bool { return id != RootNode && id == t.Keys }

// countKeys returns how many nodes there are for names that lines begin with.
func (t *PathTree) countKeys() int {
	if t.Keys == RootNode {
		return 0
	}
	return 1 + t.Nodes[t.Keys].Members
}

// Member returns the place of a member of the object at parent, the place of
// its other members when it has too many, NoNode when the tree is full.
func (t *PathTree) Member(parent int, name []byte) int {
	if t.IsKeys(parent) {
		return t.Find(parent, name, t.Nodes[parent].Members < formats.MaxKeys)
	}
	n := &t.Nodes[parent]
	isRecord := parent == RootNode || string(n.Name) == ElementName
	room := n.Members < t.maxMembers || isRecord && n.Members < t.rootMembers
	if id := t.Find(parent, name, room); id != NoNode || room {
		return id
	}
	return t.Find(parent, []byte(OtherMemberName), true)
}

// Find returns the place of the member of parent that has a name, the canonical inside of a JSON
// string. If there is none and add is set, Find adds it, with a copy of the name. It returns NoNode
// if there is none and add is not set, the tree is full, or the path is too long.
func (t *PathTree) Find(parent int, name []byte, add bool) int {
	mask := len(t.Slots) - 1
	slot := int(sketch.Hash(name)+uint64(parent)*sketch.PlaceFactor) & mask
	for ; t.Slots[slot] != 0; slot = (slot + 1) & mask {
		id := int(t.Slots[slot])
		if n := &t.Nodes[id]; n.Parent == parent && bytes.Equal(n.Name, name) {
			return id
		}
	}
	if !add || !t.IsKeys(parent) && len(t.Nodes)-t.countKeys() >= t.maxNodes {
		return NoNode
	}
	if len(t.join(parent, name, false)) > maxPathLen {
		return NoNode
	}
	id := len(t.Nodes)
	t.Nodes = append(t.Nodes, pathNode{Parent: parent, Depth: t.Nodes[parent].Depth + 1, isMarked: t.MarksDots})
	t.Nodes[id].call(name)
	t.pathsFrom(id)
	t.markAlike(id)
	t.Nodes[parent].Members++
	t.Slots[slot] = int16(id)
	return id
}

// markAlike marks the dots of names in the path of a place that would be that of another without, and in that.
func (t *PathTree) markAlike(id int) {
	n := &t.Nodes[id]
	if other := slices.IndexFunc(t.Nodes[:id],
		func(of pathNode) bool { return bytes.Equal(of.names, n.names) }); other > RootNode {
		t.mark(other)
		t.mark(id)
	}
}

// mark marks the dots of names in the path of a place.
func (t *PathTree) mark(id int) {
	first := id
	for ; id != RootNode; id = t.Nodes[id].Parent {
		t.Nodes[id].isMarked = true
		first = id
	}
	t.pathsFrom(first)
}

// pathsFrom finds the paths of a place and of all after it: a place comes after the one that it is in.
func (t *PathTree) pathsFrom(id int) {
	for ; id < len(t.Nodes); id++ {
		if n := &t.Nodes[id]; !t.IsKeys(id) {
			n.path = t.join(n.Parent, n.Name, n.isMarked)
			n.names = slices.Concat(t.Nodes[n.Parent].names, []byte{'.'}, n.Name)
		}
	}
}

// Rename gives a place another name, one that its parent has no member of, and all places in it the paths that follow.
func (t *PathTree) Rename(id int, name []byte) {
	n := &t.Nodes[id]
	mask := len(t.Slots) - 1
	slot := int(sketch.Hash(name)+uint64(n.Parent)*sketch.PlaceFactor) & mask
	for t.Slots[slot] != 0 {
		slot = (slot + 1) & mask
	}
	t.Slots[slot] = int16(id) // the one of the old name leads to no member now
	n.call(name)
	t.pathsFrom(id)
}

func (t *PathTree) join(parent int, name []byte, isMarked bool) []byte {
	if t.IsKeys(parent) {
		return bytes.Clone(name)
	}
	path := bytes.Clone(t.Nodes[parent].path)
	switch {
	case string(name) == ElementName && t.Nodes[parent].Recurs:
		return append(path, "[**]"...)
	case string(name) == ElementName:
		return append(path, "[]"...)
	}
	if parent != RootNode {
		path = append(path, '.')
	}
	switch {
	case string(name) == OtherMemberName && t.Nodes[parent].Recurs:
		return append(path, "**"...)
	case string(name) == OtherMemberName:
		return append(path, '*')
	case string(name) == "*", parent == RootNode && isOwnName(name):
		return append(append(path, `\\`...), name...)
	}
	return AppendPathName(path, name, isMarked)
}

// isOwnName says whether a name at the beginning of a path stands for something else than a member.
func isOwnName(name []byte) bool {
	switch string(name) {
	case "@this", "@around", "@missing":
		return true
	}
	return false
}

// AppendPathName appends the inside of a JSON string as one part of a path: a bracket or a backslash of its own is
// escaped as in gjson, and dots if they are to be marked as such.
func AppendPathName(dst, name []byte, isMarked bool) []byte {
	for i := 0; i < len(name); i++ {
		switch {
		// a@b and com must not make an address
		case name[i] == '.' && (isMarked || i == 0) || name[i] == '[' || name[i] == '@' && i > 0:
			dst = append(dst, `\\`...)
		case name[i] == '\\' && i+1 < len(name):
			if name[i+1] == '\\' {
				dst = append(dst, `\\`...)
			}
			dst = append(dst, '\\')
			i++
		}
		dst = append(dst, name[i])
	}
	return dst
}

// KindBefore is of which kind the value is that the rest of a path begins in; at its end it is k.
func KindBefore(rest []byte, k jsonx.Kind) jsonx.Kind {
	if len(rest) == 0 {
		return k
	}
	part, _, _ := bytes.Cut(rest, []byte{'.'})
	if _, isElement := value.ParseDigits(part); isElement {
		return jsonx.Array
	}
	return jsonx.Object
}

// Kind returns the type of a record: a text is a string.
func (r Record) Kind() jsonx.Kind {
	if r.IsText {
		return jsonx.String
	}
	c := jsonx.Cursor{Source: r.Value}
	return c.Kind()
}

// JoinPath returns the path of a member. Both and the path are insides of JSON strings.
func JoinPath(path, name []byte) []byte {
	joined := slices.Clone(path)
	if len(joined) > 0 {
		joined = append(joined, '.')
	}
	return AppendPathName(joined, name, true)
}
