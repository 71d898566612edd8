package facts

import (
	"iter"
	"strconv"
	"strings"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// Tree is facts in the order in which they are shown. The zero Tree has none. A Tree is written from the front: each
// fact after the one before, what is in one between Open and Close.
type Tree struct {
	// Text is where the value of the fact that was added last is appended, by who writes it.
	Text []byte
	// AreEstimates says that each fact that is added is an estimate, where its kind can be one.
	AreEstimates bool

	nodes []node
	open  []int32 // those that are not closed
}

// node is a fact: a name, and a value or what is in it. Its name is in the text, then its value.
type node struct {
	kind       *Kind // nil where the name is one of the response, or there is none
	name       int32 // where it begins in the text
	value      int32 // where that begins, and the name ends
	next       int32 // the node after it and all that is in it
	isEstimate bool
	isOpened   bool // it has facts, or names and values, and no value of its own
}

// Reset takes all facts out of the tree.
func (t *Tree) Reset() {
	t.Text, t.nodes, t.open, t.AreEstimates = t.Text[:0], t.nodes[:0], t.open[:0], false
}

// Mark is a place in a tree, up to which it can be cut back.
type Mark struct{ nodes, text int }

// Mark returns the place where the next fact begins.
func (t *Tree) Mark() Mark { return Mark{len(t.nodes), len(t.Text)} }

func (t *Tree) begin(k *Kind, isEstimate bool) *node {
	at := int32(len(t.Text))
	t.nodes = append(t.nodes, node{kind: k, name: at, value: at, next: int32(len(t.nodes) + 1), isEstimate: isEstimate})
	return &t.nodes[len(t.nodes)-1]
}

// Add begins a fact with a value, which is appended to Text as JSON.
func (t *Tree) Add(k *Kind) { t.begin(k, t.AreEstimates && !k.isSure) }

// AddEstimate is as Add, of a fact that is an estimate.
func (t *Tree) AddEstimate(k *Kind) { t.begin(k, true) }

// AddNamed begins a value under a name, the inside of a JSON string.
func (t *Tree) AddNamed(inside []byte) {
	t.AddItem()
	t.Text = append(append(append(t.Text, '"'), inside...), '"')
	t.EndName()
}

// AddItem begins an element of a list or of names. Where the name of a member is to be made in place it is appended to
// Text, as a JSON string, and EndName is called.
func (t *Tree) AddItem() { t.begin(nil, false) }

// EndName says that Text ends with the name of what AddItem began.
func (t *Tree) EndName() { t.nodes[len(t.nodes)-1].value = int32(len(t.Text)) }

// Open begins a fact that has more in it, up to Close.
func (t *Tree) Open(k *Kind) {
	t.Add(k)
	t.opened()
}

// OpenNamed begins what has facts of its own under a name, the inside of a JSON string, up to Close.
func (t *Tree) OpenNamed(inside []byte) {
	t.AddNamed(inside)
	t.opened()
}

// OpenItem begins an element of a list, up to Close.
func (t *Tree) OpenItem() {
	t.AddItem()
	t.opened()
}

func (t *Tree) opened() {
	at := len(t.nodes) - 1
	t.nodes[at].isOpened = true
	t.open = append(t.open, int32(at))
}

// MakeEstimate says that the fact that was added or opened last is an estimate.
func (t *Tree) MakeEstimate() { t.nodes[len(t.nodes)-1].isEstimate = true }

// Close ends what was opened last.
func (t *Tree) Close() {
	last := len(t.open) - 1
	t.nodes[t.open[last]].next = int32(len(t.nodes))
	t.open = t.open[:last]
}

// Count adds a fact that is a number.
func (t *Tree) Count(k *Kind, n int) {
	t.Add(k)
	t.Number(n)
}

// CountNamed adds how often a text came: the inside of a JSON string.
func (t *Tree) CountNamed(inside []byte, n int) {
	t.AddNamed(inside)
	t.Number(n)
}

// Number appends a number as the value of the fact that was added last.
func (t *Tree) Number(n int) { t.Text = strconv.AppendInt(t.Text, int64(n), 10) }

// AddText adds a fact that is a text: the inside of a JSON string.
func (t *Tree) AddText(k *Kind, inside []byte) {
	t.Add(k)
	t.Text = append(append(append(t.Text, '"'), inside...), '"')
}

// Fact is one of a tree. It is lent, as the tree is.
type Fact struct {
	of *Tree
	at int32
}

// All returns the facts of a response, or nothing if there is no tree.
func (t *Tree) All() iter.Seq[Fact] {
	if t == nil {
		return func(func(Fact) bool) {}
	}
	return t.between(0, int32(len(t.nodes)))
}

func (t *Tree) between(from, to int32) iter.Seq[Fact] {
	return func(yield func(Fact) bool) {
		for at := from; at < to && yield(Fact{t, at}); at = t.nodes[at].next {
		}
	}
}

func (f Fact) node() *node { return &f.of.nodes[f.at] }

// Kind returns its kind, nil for what is in another by a name of the response, or is an element.
func (f Fact) Kind() *Kind { return f.node().kind }

// IsEstimate reports whether the name of the kind is to have a mark.
func (f Fact) IsEstimate() bool {
	return f.node().isEstimate && !strings.HasSuffix(f.node().kind.Name, "~")
}

// Label returns the name of its kind as a frame has it, with the mark of an estimate.
func (f Fact) Label() string {
	n := f.node()
	if n.isEstimate {
		return n.kind.estimate
	}
	return n.kind.Name
}

// Name returns the name that the response gives it, a JSON string; nothing for a fact of a kind and for an element.
func (f Fact) Name() []byte { return f.of.Text[f.node().name:f.node().value] }

// Value returns its value, JSON; nothing of what was opened.
func (f Fact) Value() []byte {
	end := len(f.of.Text)
	if after := int(f.at) + 1; after < len(f.of.nodes) {
		end = int(f.of.nodes[after].name)
	}
	return f.of.Text[f.node().value:end]
}

// IsOpened reports whether it has facts, names or elements in it, and no value.
func (f Fact) IsOpened() bool { return f.node().isOpened }

// Inside returns what is in it.
func (f Fact) Inside() iter.Seq[Fact] { return f.of.between(f.at+1, f.node().next) }

// Find returns the fact of a kind that is in this one.
func (f Fact) Find(k *Kind) (found Fact, ok bool) {
	for in := range f.Inside() {
		if in.Kind() == k {
			return in, true
		}
	}
	return Fact{}, false
}

// Append appends the facts as a JSON object.
func (t *Tree) Append(dst []byte) []byte { return t.AppendOf(dst, nil) }

// AppendOf appends the facts for which has says yes as a JSON object. in is the fact that another one is in, the zero
// Fact of those at the top. What had more in it and has nothing left is left out.
func (t *Tree) AppendOf(dst []byte, has func(in, fact Fact) bool) []byte {
	return t.appendInside(dst, Fact{}, 0, int32(len(t.nodes)), has)
}

// appendInside appends the facts from one node up to another, which are those in a fact.
func (t *Tree) appendInside(dst []byte, in Fact, from, to int32, has func(in, fact Fact) bool) []byte {
	opening, closing := byte('{'), byte('}')
	if in.of != nil && in.Kind() != nil && in.Kind().Shape.isArray() {
		opening, closing = '[', ']'
	}
	dst = append(dst, opening)
	first := len(dst)
	for at := from; at < to; at = t.nodes[at].next {
		f, n := Fact{t, at}, &t.nodes[at]
		if has != nil && !has(in, f) {
			continue
		}
		before := len(dst)
		if before > first {
			dst = append(dst, ',')
		}
		switch {
		case n.kind != nil:
			dst = append(append(append(dst, '"'), f.Label()...), `":`...)
		case n.value > n.name:
			dst = append(append(dst, f.Name()...), ':')
		}
		if !n.isOpened {
			dst = append(dst, f.Value()...)
			continue
		}
		inside := len(dst)
		dst = t.appendInside(dst, f, at+1, n.next, has)
		if has != nil && len(dst) == inside+len("{}") {
			dst = dst[:before]
		}
	}
	return append(dst, closing)
}

// JSON returns the facts as a JSON object, nil if there is no tree.
func (t *Tree) JSON() []byte {
	if t == nil {
		return nil
	}
	return t.Append(nil)
}

// String returns the facts as a JSON object.
func (t *Tree) String() string { return string(t.JSON()) }

// Len returns the length of the JSON object in bytes, 0 if there is no tree.
func (t *Tree) Len() int {
	if t == nil {
		return 0
	}
	const brackets, quotes, colon, comma = 2, 2, 1, 1
	length := brackets + len(t.Text)
	for at := range t.nodes {
		n := &t.nodes[at]
		isFirst := at == 0 || t.nodes[at-1].isOpened && int(t.nodes[at-1].next) > at
		if !isFirst {
			length += comma
		}
		switch {
		case n.kind != nil:
			length += len(Fact{t, int32(at)}.Label()) + quotes + colon
		case n.value > n.name:
			length += colon
		}
		if n.isOpened {
			length += brackets
		}
	}
	return length
}

// Size returns about how long the facts are, in bytes: what is enough room for most.
func (t *Tree) Size() int {
	if t == nil {
		return 0
	}
	const lengthOfName = 12
	return len(t.Text) + lengthOfName*len(t.nodes)
}

// AppendShown appends the text of a JSON string, and any other value as it is.
func AppendShown(dst, value []byte) []byte {
	if len(value) == 0 || value[0] != '"' {
		return append(dst, value...)
	}
	return jsonx.AppendUnescaped(dst, jsonx.Inside(value))
}
