package redact

import (
	"strings"

	"github.com/kfw-dev/kfw/redact/names"
)

const (
	maxPathDepth = 64 // open brackets; a deeper field has no known path
	anyName      = '*'
)

// fieldPath is where the lexer stands in a record: the names of the members that are open, outermost
// first. Arrays have no name. The zero value is at the top of a record.
type fieldPath struct {
	frames []pathFrame
	deep   int    // brackets beyond maxPathDepth
	names  []int  // where each name ends in text; negative for one that is not known
	text   []byte // the names, one after another
	isLost bool   // brackets were lost in a broken line
}

// pathFrame is an open bracket.
type pathFrame struct {
	isObject bool
	names    int // that were open before it
	text     int // their bytes
}

func newFieldPath() *fieldPath {
	return &fieldPath{frames: make([]pathFrame, 0, maxPathDepth), names: make([]int, 0, maxPathDepth),
		text: make([]byte, 0, maxPathDepth*names.MaxName)}
}

// begin goes to the top of a record.
func (p *fieldPath) begin() {
	p.frames, p.names, p.text = p.frames[:0], p.names[:0], p.text[:0]
	p.deep, p.isLost = 0, false
}

// beginLine begins a line that does not continue the line before. If a record is open, it is broken:
// the names are unknown until the next record begins.
func (p *fieldPath) beginLine() { p.isLost = p.isLost || len(p.frames)+p.deep > 0 }

// beginRecord takes in a bracket at the very begin of a line: a record begins there if the brackets
// before it say so, or are lost.
func (p *fieldPath) beginRecord() {
	if top := len(p.frames) - 1; p.isLost || top >= 0 && p.frames[top].isObject {
		p.begin()
	}
}

// copyFrom makes p the same as q.
func (p *fieldPath) copyFrom(q *fieldPath) {
	p.frames, p.names, p.text = append(p.frames[:0], q.frames...), append(p.names[:0], q.names...),
		append(p.text[:0], q.text...)
	p.deep, p.isLost = q.deep, q.isLost
}

// open takes in an opening bracket.
func (p *fieldPath) open(isObject bool) {
	if p.deep > 0 || len(p.frames) == cap(p.frames) {
		p.deep++
		return
	}
	p.frames = append(p.frames, pathFrame{isObject, len(p.names), len(p.text)})
}

// close takes in a closing bracket.
func (p *fieldPath) close(isObject bool) {
	top := len(p.frames) - 1
	switch {
	case p.deep > 0:
		p.deep--
	case top < 0 || p.frames[top].isObject != isObject:
		p.isLost = true
	default:
		p.next()
		p.frames = p.frames[:top]
	}
}

// next forgets the member that has ended, if an object is innermost.
func (p *fieldPath) next() {
	if top := len(p.frames) - 1; p.deep == 0 && top >= 0 && p.frames[top].isObject {
		p.names, p.text = p.names[:p.frames[top].names], p.text[:p.frames[top].text]
	}
}

// member takes in the name of a member, which is nil if it is not known.
func (p *fieldPath) member(name []byte) {
	if p.deep > 0 || len(p.frames) == 0 {
		return
	}
	p.next()
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
func (p *fieldPath) isInKey() bool {
	top := len(p.frames) - 1
	return top >= 0 && p.frames[top].isObject && p.frames[top].names == len(p.names)
}

// isKnown reports whether the path has names at all, and all its brackets are known.
func (p *fieldPath) isKnown() bool { return !p.isLost && p.deep == 0 && len(p.frames) > 0 }

// is reports whether the path is one of a pattern.
func (p *fieldPath) is(pattern []patternName) bool {
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

// String returns the path as parsePattern reads it, or nothing if it is not known. An unknown name,
// or one that must not be shown, is *.
func (p *fieldPath) String() string {
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
			b.WriteByte(anyName)
			continue
		}
		writeName(&b, p.text[start:end])
		start = end
	}
	if p.isInKey() {
		if len(p.names) > 0 {
			b.WriteByte('.')
		}
		b.WriteByte(anyName)
	}
	return b.String()
}

// writeName writes a name with a backslash before each byte that means something in a pattern.
func writeName(b *strings.Builder, name []byte) {
	for _, c := range name {
		if c == '.' || c == '\\' || c == anyName {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
}
