package redact

// value reads one JSON value as it comes, to tell where it ends and where it is
// broken. Of each open bracket it remembers one bit.
type value struct {
	next     valuePart
	quoted   bool // in a string
	escaped  bool // after a backslash
	inScalar bool
	depth    int                   // open brackets
	objects  [maxDepth / 64]uint64 // which of them are {
}

// maxDepth is how many brackets may be open: more than encoding/json takes. What
// is deeper counts as broken.
const maxDepth = 10240

// valuePart is what may come next in a value.
type valuePart uint8

const (
	partValue valuePart = iota // or the end of an array
	partKey                    // or the end of an object
	partColon
	partComma // or the end of an object or an array
)

// valueVerdict is what a byte means to a value.
type valueVerdict uint8

const (
	valueGoesOn valueVerdict = iota
	valueEnds                // with this byte
	valueEnded               // before it
	valueBroken              // it is not JSON with this byte
)

// scalars are the bytes of numbers, true, false and null.
const scalars = alnum | dash | plus | dot

func (v *value) begin() {
	v.next, v.depth = partValue, 0
	v.quoted, v.escaped, v.inScalar = false, false, false
}

// read looks at the next byte.
func (v *value) read(c byte) valueVerdict {
	if v.quoted {
		v.quoted = c != '"' || v.escaped
		v.escaped = c == '\\' && !v.escaped
		return v.done(!v.quoted)
	}
	if v.inScalar {
		if scalars.has(c) {
			return valueGoesOn
		}
		v.inScalar = false
		if v.depth == 0 {
			return valueEnded
		}
	}
	switch {
	case whitespace.has(c):
	case c == ':' && v.next == partColon:
		v.next = partValue
	case c == ',' && v.next == partComma:
		v.next = v.first()
	case c == '}' && v.isObject() && (v.next == partKey || v.next == partComma),
		c == ']' && v.isArray() && (v.next == partValue || v.next == partComma):
		v.depth--
		v.next = partComma
		return v.done(true)
	case c == '"' && v.next == partKey:
		v.quoted, v.next = true, partColon
	case v.next != partValue:
		return valueBroken
	case c == '"':
		v.quoted, v.next = true, partComma
	case c == '{' || c == '[':
		return v.open(c == '{')
	case scalars.has(c):
		v.inScalar, v.next = true, partComma
	default:
		return valueBroken
	}
	return valueGoesOn
}

// done ends the value with the last of its parts.
func (v *value) done(isPart bool) valueVerdict {
	if isPart && v.depth == 0 {
		return valueEnds
	}
	return valueGoesOn
}

func (v *value) open(isObject bool) valueVerdict {
	if v.depth == maxDepth {
		return valueBroken
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
func (v *value) first() valuePart {
	if v.isObject() {
		return partKey
	}
	return partValue
}

// isObject says whether the innermost open bracket is {.
func (v *value) isObject() bool {
	return v.depth > 0 && v.objects[(v.depth-1)/64]>>((v.depth-1)%64)&1 == 1
}

// isArray says whether it is [.
func (v *value) isArray() bool { return v.depth > 0 && !v.isObject() }
