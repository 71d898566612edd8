// Package fieldpath keeps where in a record of JSON a lexer stands, as a path of names, and compares that with the
// patterns that a caller has. Brackets and names come in, in their order; a path that is not known is no path.
package fieldpath

import (
	"strings"

	"github.com/kfw-dev/kfw/redact/internal/names"
)

const (
	maxDepth = 64  // open brackets; a deeper field has no known path
	AnyName  = '*' // in a pattern it stands for every name; in a path that is shown, for one that is not known
)

// Path is where the lexer stands in a record: the names of the members that are open, outermost
// first. Arrays have no name. The zero value is at the top of a record.
type Path struct {
	frames []frame
	deep   int    // brackets beyond maxDepth
	names  []int  // where each name ends in text; negative for one that is not known
	text   []byte // the names, one after another
	isLost bool   // brackets were lost in a broken line
}

// frame is an open bracket.
type frame struct {
	isObject bool
	names    int // that were open before it
	text     int // their bytes
}

// New returns a path at the top of a record.
func New() *Path {
	return &Path{frames: make([]frame, 0, maxDepth), names: make([]int, 0, maxDepth),
		text: make([]byte, 0, maxDepth*names.MaxName)}
}

// Begin goes to the top of a record.
func (p *Path) Begin() {
	p.frames, p.names, p.text = p.frames[:0], p.names[:0], p.text[:0]
	p.deep, p.isLost = 0, false
}

// BeginLine begins a line that does not continue the line before. If a record is open, it is broken:
// the names are unknown until the next record begins.
func (p *Path) BeginLine() { p.isLost = p.isLost || len(p.frames)+p.deep > 0 }

// BeginRecord takes in a bracket at the very begin of a line: a record begins there if the brackets
// before it say so, or are lost.
func (p *Path) BeginRecord() {
	if top := len(p.frames) - 1; p.isLost || top >= 0 && p.frames[top].isObject {
		p.Begin()
	}
}

// CopyFrom makes p the same as q.
func (p *Path) CopyFrom(q *Path) {
	p.frames, p.names, p.text = append(p.frames[:0], q.frames...), append(p.names[:0], q.names...),
		append(p.text[:0], q.text...)
	p.deep, p.isLost = q.deep, q.isLost
}

// Open takes in an opening bracket.
func (p *Path) Open(isObject bool) {
	if p.deep > 0 || len(p.frames) == cap(p.frames) {
		p.deep++
		return
	}
	p.frames = append(p.frames, frame{isObject, len(p.names), len(p.text)})
}

// Close takes in a closing bracket.
func (p *Path) Close(isObject bool) {
	top := len(p.frames) - 1
	switch {
	case p.deep > 0:
		p.deep--
	case top < 0 || p.frames[top].isObject != isObject:
		p.isLost = true
	default:
		p.Next()
		p.frames = p.frames[:top]
	}
}

// Next forgets the member that has ended, if an object is innermost.
func (p *Path) Next() {
	if top := len(p.frames) - 1; p.deep == 0 && top >= 0 && p.frames[top].isObject {
		p.names, p.text = p.names[:p.frames[top].names], p.text[:p.frames[top].text]
	}
}

// Member takes in the name of a member, which is nil if it is not known.
func (p *Path) Member(name []byte) {
	if p.deep > 0 || len(p.frames) == 0 {
		return
	}
	p.Next()
	if !p.frames[len(p.frames)-1].isObject {
		p.isLost = true // a colon in an array
		return
	}
	end := -1
	if name != nil {
		p.text = append(p.text, name...)
		end = len(p.text)
	}
	p.names = append(p.names, end)
}

// isInKey reports whether the lexer is within the name of the current member.
func (p *Path) isInKey() bool {
	top := len(p.frames) - 1
	return top >= 0 && p.frames[top].isObject && p.frames[top].names == len(p.names)
}

// isKnown reports whether the path has names at all, and all its brackets are known.
func (p *Path) isKnown() bool { return !p.isLost && p.deep == 0 && len(p.frames) > 0 }

// Is reports whether the path is one of a pattern.
func (p *Path) Is(pattern Pattern) bool {
	size := len(p.names)
	isInKey := p.isInKey()
	if isInKey {
		size++
	}
	if !p.isKnown() || size != len(pattern) {
		return false
	}
	start := 0
	for i, end := range p.names {
		if !pattern[i].isAny && (end < 0 || string(p.text[start:end]) != pattern[i].name) {
			return false
		}
		start = max(start, end)
	}
	return !isInKey || pattern[size-1].isAny
}

// String returns the path as Parse reads it, or nothing if it is not known. An unknown name,
// or one that must not be shown, is *.
func (p *Path) String() string {
	if !p.isKnown() {
		return ""
	}
	var b strings.Builder
	start := 0
	for i, end := range p.names {
		if i > 0 {
			b.WriteByte('.')
		}
		if end < 0 {
			b.WriteByte(AnyName)
			continue
		}
		writeName(&b, p.text[start:end])
		start = end
	}
	if p.isInKey() {
		if len(p.names) > 0 {
			b.WriteByte('.')
		}
		b.WriteByte(AnyName)
	}
	return b.String()
}

// writeName writes a name with a backslash before each byte that means something in a pattern.
func writeName(b *strings.Builder, name []byte) {
	for _, c := range name {
		if c == '.' || c == '\\' || c == AnyName {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
}
