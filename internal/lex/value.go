package lex

import "github.com/kfw-dev/kfw/internal/jsonx"

// Value reads one JSON value as it comes, to tell where it ends and where it is broken. A comma may stand before a
// closing bracket, and scalars are not checked. The zero Value stands before a value.
type Value struct {
	structure jsonx.Structure
	Quoted    bool // in a string
	Escaped   bool // after a backslash
	inScalar  bool
}

// MaxDepth is how many brackets may be open: more than encoding/json takes. What
// is deeper counts as broken.
const MaxDepth = 10240

// ValuePart is what may come next in a value.
type ValuePart uint8

const (
	PartValue ValuePart = iota // or the end of an array
	PartKey                    // or the end of an object
	PartColon                  // after a key
	PartComma                  // or the end of an object or an array
)

// valueVerdict is what a byte means to a value.
type valueVerdict uint8

const (
	valueGoesOn valueVerdict = iota
	ValueEnds                // with this byte
	ValueEnded               // before it
	ValueBroken              // it is not JSON with this byte
)

// Scalars are the bytes of numbers, true, false and null.
const Scalars = Alnum | Dash | Plus | Dot

// Begin starts v on another value, wherever it is in the last one.
func (v *Value) Begin() {
	v.structure.Next, v.structure.Depth = jsonx.NextTop, 0
	v.Quoted, v.Escaped, v.inScalar = false, false, false
}

// Read looks at the next byte.
func (v *Value) Read(c byte) valueVerdict {
	if v.Quoted {
		v.Quoted = c != '"' || v.Escaped
		v.Escaped = c == '\\' && !v.Escaped
		if v.Quoted {
			return valueGoesOn
		}
		return v.endPart()
	}
	if v.inScalar {
		if Scalars.Has(c) {
			return valueGoesOn
		}
		v.inScalar = false
		if v.structure.Depth == 0 {
			return ValueEnded
		}
	}
	if Whitespace.Has(c) {
		return valueGoesOn
	}
	s := &v.structure
	if !s.Take(c) {
		return ValueBroken
	}
	switch c {
	case '"':
		v.Quoted = true
	case ':':
	case ',':
		if s.Next = jsonx.NextFirst; s.IsObject(s.Depth) {
			s.Next = jsonx.NextFirstName
		}
	case '}', ']':
		return v.endPart()
	case '{', '[':
		if s.Depth > MaxDepth {
			return ValueBroken
		}
	default:
		if v.inScalar = Scalars.Has(c); !v.inScalar {
			return ValueBroken
		}
	}
	return valueGoesOn
}

// endPart ends the value with the last of its parts.
func (v *Value) endPart() valueVerdict {
	if v.structure.Depth == 0 {
		return ValueEnds
	}
	return valueGoesOn
}
