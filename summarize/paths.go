package summarize

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/formats"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/value"
)

const (
	maxDepth        = 16  // levels of nesting that are told apart
	maxPathLen      = 160 // bytes of a path
	rootNode        = 0
	noNode          = -1
	elementName     = "\x00" // in the tree: any element of an array
	otherMemberName = "\x01" // in the tree: a member past its parent's cap
	keysName        = "\x02" // in the tree: where the names are that lines begin with
)

// pathTree numbers the places in records: 0 is the record itself, the others
// are members of objects and elements of arrays. It grows up to its caps.
type pathTree struct {
	nodes       []pathNode
	slots       []int16 // open addressing over hash(parent, name); 0 is free
	keys        int     // the node that the names are in which lines begin with, 0 before the first
	maxNodes    int
	maxMembers  int  // of an object that may be a map
	rootMembers int  // of the record itself, or of an element of an array
	marksDots   bool // of all names, not only where a path would be that of two places
	mapsRecur   bool // if a member of one has another of the same name: so it is where records came whole, and are maps
}

type pathNode struct {
	parent       int
	depth        int
	members      int
	first        int // its element, or the member of it that came first of late; 0 when that is not known
	next         int // the member that came after it of late, 0 when that is not known
	cells        cellsOf
	headings     headings // of the columns of the rows at the place
	box          []byte   // the name of the member that is in the cells of these
	cell         []byte   // where the cells of a column are in their row, as a gjson path, when the place is called by a heading
	areHeadings  bool     // what is in an array at the place may be
	source       uint64   // hash of the last one, then
	isMarked     bool     // the dots of the name are marked as such in the path
	holdsRecords bool     // the elements of the array are records of their own
	recurs       bool     // an element of the array, or a member of the map, has one of the same name: what is in these has the same place
	name         []byte   // as in the record, canonical
	quoted       []byte   // that with its quotes and a colon
	path         []byte   // gjson syntax, "[]" for any element; the inside of a JSON string
	names        []byte   // in the path, as they are, with dots between them
}

// reset makes the tree one of the root alone.
func (t *pathTree) reset() {
	clear(t.nodes)
	t.nodes = t.nodes[:1]
	clear(t.slots)
	*t = pathTree{
		nodes: t.nodes, slots: t.slots, maxNodes: t.maxNodes, rootMembers: t.rootMembers, maxMembers: t.maxMembers, marksDots: t.marksDots,
	}
}

func newPathTree(maxNodes, rootMembers, maxMembers int) pathTree {
	slots := 64
	for slots < 2*maxNodes {
		slots *= 2
	}
	return pathTree{
		nodes:       make([]pathNode, 1, 16),
		slots:       make([]int16, slots),
		maxNodes:    maxNodes,
		rootMembers: rootMembers,
		maxMembers:  maxMembers,
	}
}

// call gives the place a name.
func (n *pathNode) call(name []byte) {
	n.quoted = append(append(append(make([]byte, 0, len(name)+len(`"":`)), '"'), name...), `":`...)
	n.name = n.quoted[1 : 1+len(name)]
	n.areHeadings = AreHeadings(name)
}

// path returns the name of a place, the inside of a JSON string: "@this" is
// gjson's name for the record itself.
func (t *pathTree) path(id int) []byte {
	if id == rootNode {
		return []byte("@this")
	}
	return t.nodes[id].path
}

// folded returns the place of a member that has a value of that kind: where an element of an array has an array of the same name, or a
// member of a map a map of it, that of the outer one.
func (t *pathTree) folded(id int, k jsonx.Kind) int {
	if id <= rootNode || k < jsonx.Array {
		return id
	}
	parent := t.nodes[id].parent
	around := t.nodes[parent].parent
	isTree := k == jsonx.Array && string(t.nodes[parent].name) == elementName || k == jsonx.Object && t.mapsRecur && t.isOther(parent)
	if !isTree || around == rootNode || !bytes.Equal(t.nodes[id].name, t.nodes[around].name) {
		return id
	}
	if !t.nodes[around].recurs {
		t.nodes[around].recurs = true
		t.pathsFrom(around)
	}
	return around
}

// isOther says whether id stands for all members past its parent's cap.
func (t *pathTree) isOther(id int) bool { return string(t.nodes[id].name) == otherMemberName }

// element returns the place of any element of the array at parent.
func (t *pathTree) element(parent int) int {
	if id := t.nodes[parent].first; id != rootNode && string(t.nodes[id].name) == elementName {
		return id
	}
	id := t.find(parent, []byte(elementName), true)
	t.nodes[parent].first = max(rootNode, id)
	return id
}

// memberAfter is member for the one that comes after another in its object, or first if that is rootNode. Objects that
// are alike mostly have their members in one order.
func (t *pathTree) memberAfter(parent, before int, name []byte) int {
	if guess := t.memberSeen(parent, before); guess != rootNode && bytes.Equal(t.nodes[guess].name, name) {
		return guess
	}
	id := t.member(parent, name)
	if before != rootNode {
		t.nodes[before].next = max(rootNode, id)
	} else {
		t.nodes[parent].first = max(rootNode, id)
	}
	return id
}

// memberSeen returns the member that came there of late, rootNode if that is not known.
func (t *pathTree) memberSeen(parent, before int) int {
	if before != rootNode {
		return t.nodes[before].next
	}
	return t.nodes[parent].first
}

// key returns the place of a name that lines begin with, often the one after before; noNode if there are too many.
func (t *pathTree) key(before int, name []byte) int {
	if t.keys == rootNode {
		t.keys = len(t.nodes)
		t.nodes = append(t.nodes, pathNode{name: []byte(keysName)})
	}
	return t.memberAfter(t.keys, before, name)
}

// isKeys says whether a node is the one that the names are in which lines begin with.
func (t *pathTree) isKeys(id int) bool { return id != rootNode && id == t.keys }

// countKeys returns how many nodes there are for names that lines begin with.
func (t *pathTree) countKeys() int {
	if t.keys == rootNode {
		return 0
	}
	return 1 + t.nodes[t.keys].members
}

// member returns the place of a member of the object at parent, the place of
// its other members when it has too many, noNode when the tree is full.
func (t *pathTree) member(parent int, name []byte) int {
	if t.isKeys(parent) {
		return t.find(parent, name, t.nodes[parent].members < formats.MaxKeys)
	}
	n := &t.nodes[parent]
	isRecord := parent == rootNode || string(n.name) == elementName
	room := n.members < t.maxMembers || isRecord && n.members < t.rootMembers
	if id := t.find(parent, name, room); id != noNode || room {
		return id
	}
	return t.find(parent, []byte(otherMemberName), true)
}

func (t *pathTree) find(parent int, name []byte, add bool) int {
	mask := len(t.slots) - 1
	slot := int(sketch.Hash(name)+uint64(parent)*sketch.PlaceFactor) & mask
	for ; t.slots[slot] != 0; slot = (slot + 1) & mask {
		id := int(t.slots[slot])
		if n := &t.nodes[id]; n.parent == parent && bytes.Equal(n.name, name) {
			return id
		}
	}
	if !add || !t.isKeys(parent) && len(t.nodes)-t.countKeys() >= t.maxNodes {
		return noNode
	}
	if len(t.join(parent, name, false)) > maxPathLen {
		return noNode
	}
	id := len(t.nodes)
	t.nodes = append(t.nodes, pathNode{parent: parent, depth: t.nodes[parent].depth + 1, isMarked: t.marksDots})
	t.nodes[id].call(name)
	t.pathsFrom(id)
	t.markAlike(id)
	t.nodes[parent].members++
	t.slots[slot] = int16(id)
	return id
}

// markAlike marks the dots of names in the path of a place that would be that of another without, and in that.
func (t *pathTree) markAlike(id int) {
	n := &t.nodes[id]
	if other := slices.IndexFunc(t.nodes[:id], func(of pathNode) bool { return bytes.Equal(of.names, n.names) }); other > rootNode {
		t.mark(other)
		t.mark(id)
	}
}

// mark marks the dots of names in the path of a place.
func (t *pathTree) mark(id int) {
	first := id
	for ; id != rootNode; id = t.nodes[id].parent {
		t.nodes[id].isMarked = true
		first = id
	}
	t.pathsFrom(first)
}

// pathsFrom finds the paths of a place and of all after it: a place comes after the one that it is in.
func (t *pathTree) pathsFrom(id int) {
	for ; id < len(t.nodes); id++ {
		if n := &t.nodes[id]; !t.isKeys(id) {
			n.path = t.join(n.parent, n.name, n.isMarked)
			n.names = slices.Concat(t.nodes[n.parent].names, []byte{'.'}, n.name)
		}
	}
}

// rename gives a place another name, one that its parent has no member of, and all places in it the paths that follow.
func (t *pathTree) rename(id int, name []byte) {
	n := &t.nodes[id]
	mask := len(t.slots) - 1
	slot := int(sketch.Hash(name)+uint64(n.parent)*sketch.PlaceFactor) & mask
	for t.slots[slot] != 0 {
		slot = (slot + 1) & mask
	}
	t.slots[slot] = int16(id) // the one of the old name leads to no member now
	n.call(name)
	t.pathsFrom(id)
}

func (t *pathTree) join(parent int, name []byte, isMarked bool) []byte {
	if t.isKeys(parent) {
		return bytes.Clone(name)
	}
	path := bytes.Clone(t.nodes[parent].path)
	switch {
	case string(name) == elementName && t.nodes[parent].recurs:
		return append(path, "[**]"...)
	case string(name) == elementName:
		return append(path, "[]"...)
	}
	if parent != rootNode {
		path = append(path, '.')
	}
	switch {
	case string(name) == otherMemberName && t.nodes[parent].recurs:
		return append(path, "**"...)
	case string(name) == otherMemberName:
		return append(path, '*')
	case string(name) == "*", parent == rootNode && isOwnName(name):
		return append(append(path, `\\`...), name...)
	}
	return appendPathName(path, name, isMarked)
}

// isOwnName says whether a name at the beginning of a path stands for something else than a member.
func isOwnName(name []byte) bool {
	switch string(name) {
	case "@this", "@around", "@missing":
		return true
	}
	return false
}

// appendPathName appends the inside of a JSON string as one part of a path: a bracket or a backslash of its own is escaped as in
// gjson, and dots if they are to be marked as such.
func appendPathName(dst, name []byte, isMarked bool) []byte {
	for i := 0; i < len(name); i++ {
		switch {
		case name[i] == '.' && (isMarked || i == 0) || name[i] == '[' || name[i] == '@' && i > 0: // a@b and com must not make an address
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

// kindBefore is of which kind the value is that the rest of a path begins in; at its end it is k.
func kindBefore(rest []byte, k jsonx.Kind) jsonx.Kind {
	if len(rest) == 0 {
		return k
	}
	part, _, _ := bytes.Cut(rest, []byte{'.'})
	if _, isElement := value.ParseDigits(part); isElement {
		return jsonx.Array
	}
	return jsonx.Object
}
