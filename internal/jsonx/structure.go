package jsonx

import "slices"

// Structure follows what stands between the scalars of a JSON value (RFC 8259): brackets, commas and colons. It keeps
// a bit for each level of nesting. The zero value stands before a value.
type Structure struct {
	Next  Next
	Depth int // brackets that are open

	outer uint64   // bit d says that level d is an object
	inner []uint64 // the same, from level 64 on
}

// Next is what may stand at a place, other than white space.
type Next uint8

// The places. After NextTop a value stands at NextEnd; nothing leads to NextTop.
const (
	NextTop       Next = iota // a value
	NextFirst                 // an element, or the end of the array
	NextElement               // an element
	NextMember                // the value of a member
	NextFirstName             // a name, or the end of the object
	NextName                  // a name
	NextColon
	NextInArray  // a comma, or the end of the array
	NextInObject // a comma, or the end of the object
	NextEnd      // nothing: the value has ended
	leave
	enterArray
	enterObject
)

// IsValue reports whether a value may stand there.
func (n Next) IsValue() bool { return n <= NextMember }

// IsName reports whether a name may stand there.
func (n Next) IsName() bool { return n == NextName || n == NextFirstName }

// sign is what a byte is to the structure.
type sign uint8

const (
	anyOther sign = iota // as is what begins a number or a literal
	space
	quote
	comma
	colon
	bracket
	brace
	endBracket
	endBrace
	signs = 16
)

var signOf = [256]sign{' ': space, '\t': space, '\r': space, '\n': space, '"': quote, ',': comma, ':': colon,
	'[': bracket, '{': brace, ']': endBracket, '}': endBrace}

// grammar says what follows a sign at a place; 0 is what can't stand there.
var grammar = [16][signs]Next{
	NextTop:       {anyOther: NextEnd, quote: NextEnd, bracket: enterArray, brace: enterObject},
	NextFirst:     {anyOther: NextInArray, quote: NextInArray, bracket: enterArray, brace: enterObject, endBracket: leave},
	NextElement:   {anyOther: NextInArray, quote: NextInArray, bracket: enterArray, brace: enterObject},
	NextMember:    {anyOther: NextInObject, quote: NextInObject, bracket: enterArray, brace: enterObject},
	NextFirstName: {quote: NextColon, endBrace: leave},
	NextName:      {quote: NextColon},
	NextColon:     {colon: NextMember},
	NextInArray:   {comma: NextElement, endBracket: leave},
	NextInObject:  {comma: NextName, endBrace: leave},
	NextEnd:       {},
}

// Take goes on past c, which is no white space: a sign, or the first byte of a scalar, whose other bytes are not
// taken. It reports false if c can't stand here, whatever scalar it begins.
func (s *Structure) Take(c byte) bool {
	s.Next = grammar[s.Next][signOf[c]]
	return s.Next-1 < NextEnd || s.bracket()
}

// bracket passes a bracket. It reports false if there is none.
func (s *Structure) bracket() bool {
	next := s.Next
	switch next {
	case enterArray, enterObject:
		if s.Depth/64 > len(s.inner) {
			s.inner = append(s.inner, 0)
		}
		s.Depth++
		word, bit := s.level(s.Depth)
		*word &^= bit
		if s.Next = NextFirst; next == enterObject {
			*word |= bit
			s.Next = NextFirstName
		}
	case leave:
		s.Leave(s.Depth - 1)
	}
	return next != 0
}

// Leave goes on after a value at a depth that the structure is at, or in.
func (s *Structure) Leave(depth int) {
	s.Depth, s.Next = depth, NextInArray
	switch {
	case depth == 0:
		s.Next = NextEnd
	case s.IsObject(depth):
		s.Next = NextInObject
	}
}

// Around returns what is around a value at a depth, before the value.
func (s *Structure) Around(depth int) Structure {
	return Structure{Depth: depth, outer: s.outer, inner: slices.Clone(s.inner)}
}

// IsObject reports whether the bracket at a depth, from 1, is that of an object.
func (s *Structure) IsObject(depth int) bool {
	word, bit := s.level(depth)
	return *word&bit != 0
}

func (s *Structure) level(depth int) (word *uint64, bit uint64) {
	depth--
	if depth < 64 {
		return &s.outer, 1 << depth
	}
	return &s.inner[depth/64-1], 1 << (depth % 64)
}
