package lex

// Value reads one JSON value as it comes, to tell where it ends and where it is
// broken. Of each open bracket it remembers one bit.
type Value struct {
	next     ValuePart
	Quoted   bool // in a string
	Escaped  bool // after a backslash
	inScalar bool
	depth    int                   // open brackets
	objects  [MaxDepth / 64]uint64 // which of them are {
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

// Begin starts v on another value, wherever it is in the last one. The zero Value has begun.
func (v *Value) Begin() {
	v.next, v.depth = PartValue, 0
	v.Quoted, v.Escaped, v.inScalar = false, false, false
}

// Read looks at the next byte.
func (v *Value) Read(c byte) valueVerdict {
	if v.Quoted {
		v.Quoted = c != '"' || v.Escaped
		v.Escaped = c == '\\' && !v.Escaped
		return v.done(!v.Quoted)
	}
	if v.inScalar {
		if Scalars.Has(c) {
			return valueGoesOn
		}
		v.inScalar = false
		if v.depth == 0 {
			return ValueEnded
		}
	}
	switch {
	case Whitespace.Has(c):
	case c == ':' && v.next == PartColon:
		v.next = PartValue
	case c == ',' && v.next == PartComma:
		v.next = v.first()
	case c == '}' && v.isObject() && (v.next == PartKey || v.next == PartComma),
		c == ']' && v.isArray() && (v.next == PartValue || v.next == PartComma):
		v.depth--
		v.next = PartComma
		return v.done(true)
	case c == '"' && v.next == PartKey:
		v.Quoted, v.next = true, PartColon
	case v.next != PartValue:
		return ValueBroken
	case c == '"':
		v.Quoted, v.next = true, PartComma
	case c == '{' || c == '[':
		return v.open(c == '{')
	case Scalars.Has(c):
		v.inScalar, v.next = true, PartComma
	default:
		return ValueBroken
	}
	return valueGoesOn
}

// done ends the value with the last of its parts.
func (v *Value) done(isPart bool) valueVerdict {
	if isPart && v.depth == 0 {
		return ValueEnds
	}
	return valueGoesOn
}

func (v *Value) open(isObject bool) valueVerdict {
	if v.depth == MaxDepth {
		return ValueBroken
	}
	at, bit := v.depth/64, uint64(1)<<(v.depth%64)
	v.objects[at] &^= bit
	if isObject {
		v.objects[at] |= bit
	}
	v.depth++
	v.next = v.first()
	return valueGoesOn
}

// first returns what begins a member or an element.
func (v *Value) first() ValuePart {
	if v.isObject() {
		return PartKey
	}
	return PartValue
}

// isObject says whether the innermost open bracket is {.
func (v *Value) isObject() bool {
	return v.depth > 0 && v.objects[(v.depth-1)/64]>>((v.depth-1)%64)&1 == 1
}

// isArray says whether it is [.
func (v *Value) isArray() bool { return v.depth > 0 && !v.isObject() }
