package selection

import (
	"bytes"
	"encoding/json"

	"github.com/kfw-dev/kfw/internal/lex"
)

// selectState is what a selector expects next.
type selectState uint8

const (
	selectLine    selectState = iota // text: the first byte of a line that is not blank
	selectValue                      // a value, or the end of an array
	selectBracket                    // what follows the [ that begins an array
	selectKey                        // a key, or the end of an object
	selectInKey                      // the rest of a key
	selectColon                      // the colon after it
	selectMember                     // the value of a key whose fields are asked for one by one
	selectNext                       // a comma, or the end of an object or array
	selectCopy                       // the rest of a value that is kept
	selectDrop                       // the rest of a value that is not
	selectRest                       // the rest of a line that is withheld
)

// Selector passes on the chosen fields of the records of a stream: of each value
// at the top level, or of each element of an array there. Arrays are transparent
// to paths. What is no record is withheld: if a value turns out to be broken, what
// follows on its line, since the records after it would be taken for part of it.
type Selector struct {
	root     *Fields
	withheld []byte // the marker
	isText   bool   // the input is lines of text
	dropped  *int   // counts fields
	lines    *int   // counts withheld lines and values

	state   selectState
	places  []place   // where s is, outermost first; places[0] is the top level
	last    byte      // written last, other than white space
	key     []byte    // as it is written
	tooLong bool      // the key is
	escaped bool      // in a key, after a backslash
	value   lex.Value // that is copied or dropped
	bracket bool      // a [ of it was not written yet: it may begin a marker
}

// place is an open object on the way to a field, or the value of such a field:
// objects in any number of arrays.
type place struct {
	fields   *Fields // of the object, or of the objects in the value
	isObject bool
	arrays   int // that are open in a value
}

// New returns a Selector of the fields of a tree. It writes withheld in place of what is no
// record, and counts in lines how often, and in dropped the fields that it drops.
func New(root *Fields, withheld []byte, dropped, lines *int) *Selector {
	return &Selector{
		root: root, withheld: withheld, dropped: dropped, lines: lines,
		places: make([]place, 0, 2*maxPath+2), key: make([]byte, 0, maxFieldRaw),
	}
}

// Start makes s ready for an input: lines of text, or values of JSON.
func (s *Selector) Start(isText bool) {
	s.isText = isText
	s.reset()
}

// reset begins a new record, or a new line.
func (s *Selector) reset() {
	s.state = selectValue
	if s.isText {
		s.state = selectLine
	}
	s.places = append(s.places[:0], place{fields: s.root})
	s.last, s.bracket = 0, false
}

// Feed appends to dst what is kept of src, the next part of the input.
func (s *Selector) Feed(dst, src []byte) []byte {
	for i := 0; i < len(src); {
		var taken bool
		if dst, taken = s.step(dst, src[i]); taken {
			i++
		}
	}
	return dst
}

// step looks at one byte; false means that it is to be looked at again in the
// state that s is now in.
func (s *Selector) step(dst []byte, c byte) ([]byte, bool) {
	switch s.state {
	case selectRest:
		if c == '\n' {
			s.reset()
			dst = append(dst, c)
		}
		return dst, true
	case selectCopy, selectDrop:
		return s.inValue(dst, c)
	case selectInKey:
		return s.inKey(dst, c)
	}
	if lex.Whitespace.Has(c) {
		if s.state == selectBracket {
			dst = s.write(dst, '[')
			s.state = selectValue
		}
		if c == '\n' && s.isText {
			s.reset()
		}
		return append(dst, c), true
	}
	at := &s.places[len(s.places)-1]
	switch s.state {
	case selectLine:
		if c != '{' {
			return s.withhold(dst), true
		}
		s.state = selectValue
		return dst, false
	case selectBracket:
		if lex.Letters.Has(c) && c != 't' && c != 'f' && c != 'n' {
			return s.withhold(dst), true
		}
		dst = s.write(dst, '[')
		s.state = selectValue
		return dst, false
	case selectValue:
		return s.element(dst, c, at)
	case selectKey:
		switch c {
		case '"':
			s.key = append(s.key[:0], c)
			s.tooLong, s.escaped = false, false
			s.state = selectInKey
			return dst, true
		case '}':
			return s.close(dst, c), true
		}
	case selectColon:
		if c == ':' {
			return s.chooseMember(dst), true
		}
	case selectMember:
		if c == '{' || c == '[' {
			dst = s.comma(dst)
			dst = append(dst, s.key...)
			dst = s.write(dst, ':')
			s.state = selectValue
		} else {
			s.places = s.places[:len(s.places)-1]
			s.drop()
		}
		return dst, false
	case selectNext:
		switch {
		case c == ',':
			s.state = selectValue
			if at.isObject {
				s.state = selectKey
			}
			return dst, true
		case c == ']' && at.arrays > 0, c == '}' && at.isObject:
			return s.close(dst, c), true
		}
	}
	return s.withhold(dst), true
}

// element looks at the first byte of a value at the top level or in an array.
func (s *Selector) element(dst []byte, c byte, at *place) ([]byte, bool) {
	switch {
	case c == '{':
		dst = s.write(s.comma(dst), c)
		s.places = append(s.places, place{fields: at.fields, isObject: true})
		s.state = selectKey
	case c == '[':
		dst = s.comma(dst)
		at.arrays++
		s.state = selectBracket
	case c == ']' && at.arrays > 0:
		dst = s.close(dst, c)
	case c == '"', c == '-', lex.Digits.Has(c), lex.Letters.Has(c) && at.arrays > 0:
		if len(s.places) == 1 {
			dst = append(s.comma(dst), '"')
			dst = append(dst, s.withheld...)
			dst = s.write(dst, '"')
			*s.lines++
		}
		s.begin(selectDrop)
		return dst, false
	default:
		dst = s.withhold(dst)
	}
	return dst, true
}

// close ends an object or an array.
func (s *Selector) close(dst []byte, c byte) []byte {
	dst = s.write(dst, c)
	if c == ']' {
		s.places[len(s.places)-1].arrays--
	} else {
		s.places = s.places[:len(s.places)-1]
	}
	if at := s.places[len(s.places)-1]; len(s.places) > 1 && !at.isObject && at.arrays == 0 {
		s.places = s.places[:len(s.places)-1]
	}
	s.next()
	return dst
}

// next goes on after a value.
func (s *Selector) next() {
	s.state = selectNext
	if len(s.places) == 1 && s.places[0].arrays == 0 {
		s.state = selectValue
		s.last = 0
	}
}

// inKey reads a key to its end.
func (s *Selector) inKey(dst []byte, c byte) ([]byte, bool) {
	if c == '\n' { // a key ends on its line
		s.reset()
		return append(dst, c), true
	}
	if len(s.key) == cap(s.key) {
		s.tooLong = true
	} else {
		s.key = append(s.key, c)
	}
	if c == '"' && !s.escaped {
		s.state = selectColon
	}
	s.escaped = c == '\\' && !s.escaped
	return dst, true
}

// chooseMember looks the key up.
func (s *Selector) chooseMember(dst []byte) []byte {
	fields := s.places[len(s.places)-1].fields.fields
	var chosen *Fields
	if !s.tooLong {
		name := s.key[1 : len(s.key)-1]
		if bytes.IndexByte(name, '\\') < 0 {
			chosen = fields[string(name)]
		} else if plain, ok := unquote(s.key); ok {
			chosen = fields[plain]
		}
	}
	switch {
	case chosen == nil:
		s.drop()
	case chosen.fields == nil:
		dst = s.comma(dst)
		dst = append(dst, s.key...)
		dst = s.write(dst, ':')
		s.begin(selectCopy)
	default:
		s.places = append(s.places, place{fields: chosen})
		s.state = selectMember
	}
	return dst
}

// unquote decodes a key with escapes, which is rare.
func unquote(key []byte) (name string, ok bool) {
	err := json.Unmarshal(key, &name)
	return name, err == nil
}

func (s *Selector) drop() {
	*s.dropped++
	s.begin(selectDrop)
}

func (s *Selector) begin(state selectState) {
	s.state = state
	s.value.Begin()
}

// inValue reads a value to its end, and passes it on if it is kept.
func (s *Selector) inValue(dst []byte, c byte) ([]byte, bool) {
	isKept := s.state == selectCopy
	if s.bracket {
		s.bracket = false
		if c == lex.MarkerStart[1] {
			return s.withhold(dst), false
		}
		dst = s.write(dst, '[')
	}
	if c == '\n' && (s.value.Quoted || s.isText) {
		s.reset()
		return append(dst, c), true
	}
	inString := s.value.Quoted
	switch s.value.Read(c) {
	case lex.ValueEnds:
		s.next()
	case lex.ValueEnded:
		s.next()
		return dst, false
	case lex.ValueBroken:
		return s.withhold(dst), false
	}
	switch {
	case !isKept:
	case c == '[' && !inString:
		s.bracket = true
	default:
		dst = s.write(dst, c)
	}
	return dst, true
}

// Finish passes on what is left at the end of the input.
func (s *Selector) Finish(dst []byte) []byte {
	if s.state == selectBracket || s.bracket {
		return s.write(dst, '[')
	}
	return dst
}

// comma separates a member or an element from the one before it that was kept.
func (s *Selector) comma(dst []byte) []byte {
	if s.last != 0 && s.last != '{' && s.last != '[' && s.last != ':' {
		dst = s.write(dst, ',')
	}
	return dst
}

func (s *Selector) write(dst []byte, c byte) []byte {
	if !lex.Whitespace.Has(c) {
		s.last = c
	}
	return append(dst, c)
}

// withhold ends what is read at the end of the line.
func (s *Selector) withhold(dst []byte) []byte {
	*s.lines++
	s.state = selectRest
	return append(dst, s.withheld...)
}
