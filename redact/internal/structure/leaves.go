package structure

import (
	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// maxUnder is how many brackets may be open under a sensitive name. What is deeper is replaced whole.
const maxUnder = 64

// Under is where the lexer stands in an object or an array that is the value of a sensitive name:
// each scalar in it is replaced, while brackets, keys and literals stay. Of each open bracket it
// remembers two bits.
type Under struct {
	Phrase  names.Phrase // for the scalars to come
	entry   names.Phrase // for the names of entries, which are secrets only if they look like one
	Depth   int          // open brackets; 0: the lexer is in no such value
	arrays  uint64       // which of them are [
	exempt  uint64       // which of them hold nothing that is the value of the name
	Next    lex.ValuePart
	IsAbout bool // the last key says something about the secret: its type, where it is
	IsEntry bool // the last key is that of an entry of a store
}

// Open takes in a bracket. p is the name whose value it begins, or nil.
func (u *Under) Open(p *names.Phrase, isArray bool) {
	isExempt := p == nil && (u.IsAbout || u.IsExempt())
	if p != nil && !u.Has(p) {
		u.take(p, isArray)
	}
	bit := uint64(1) << u.Depth
	u.Depth++
	u.arrays &^= bit
	u.exempt &^= bit
	if isArray {
		u.arrays |= bit
	}
	if isExempt {
		u.exempt |= bit
	}
	u.IsAbout, u.IsEntry = false, false
	u.Next = u.first()
}

// take makes p the name of the scalars to come. An object named authorization says who may do what
// as often as it holds credentials, so only what looks like some is replaced in it.
func (u *Under) take(p *names.Phrase, isArray bool) {
	u.Phrase = *p
	u.Phrase.Whole = p.Want != names.PackedSecret
	u.entry = names.Phrase{Words: p.Words, Rule: p.Rule, Want: names.LikelySecret}
	if p.IsPlural {
		u.Phrase = u.entry
		return
	}
	if p.Want != names.AuthSecret {
		return
	}
	u.Phrase.Whole, u.Phrase.NotPath, u.Phrase.IsListed = false, true, true
	if !isArray {
		u.Phrase = u.entry
	}
}

// Close takes in a closing bracket.
func (u *Under) Close() {
	u.Depth--
	u.IsAbout, u.IsEntry = false, false
	u.Next = lex.PartComma
}

// first returns what begins a member or an element of the innermost bracket.
func (u *Under) first() lex.ValuePart {
	if u.IsArray() {
		return lex.PartValue
	}
	return lex.PartKey
}

// Follows reports whether a token that begins with c may stand here, and takes it in unless it is
// a bracket.
func (u *Under) Follows(c byte) bool {
	isNext := u.Next == lex.PartValue
	switch c {
	case '{', '[':
		return isNext
	case '}', ']':
		return u.Next == lex.PartComma || u.Next == u.first()
	case ',':
		isNext = u.Next == lex.PartComma
		u.Next = u.first()
	case ':':
		isNext = u.Next == lex.PartColon
		u.Next = lex.PartValue
	default:
		if c == '"' && u.Next == lex.PartKey {
			u.Next = lex.PartColon
			return true
		}
		u.Next = lex.PartComma
	}
	return isNext
}

// Has reports whether p is the name of the scalars to come.
func (u *Under) Has(p *names.Phrase) bool { return p == &u.Phrase || p == &u.entry }

// IsFull reports whether there is no room for one more bracket.
func (u *Under) IsFull() bool { return u.Depth == maxUnder }

// IsExempt reports whether what stands directly in the innermost bracket is not the value of the name.
func (u *Under) IsExempt() bool { return u.Depth > 0 && u.exempt>>(u.Depth-1)&1 == 1 }

// IsArray reports whether the innermost bracket is [.
func (u *Under) IsArray() bool { return u.Depth > 0 && u.arrays>>(u.Depth-1)&1 == 1 }

// Holds reports whether a scalar in the innermost bracket is to be replaced.
func (u *Under) Holds() bool { return u.Depth > 0 && !u.IsExempt() }

// Element returns the name of the array's element to come, or nil.
func (u *Under) Element() *names.Phrase {
	if !u.Holds() || !u.IsArray() {
		return nil
	}
	return &u.Phrase
}

// Member returns the name of the value of the key that was read last, or nil.
func (u *Under) Member() *names.Phrase {
	switch {
	case !u.Holds() || u.IsAbout:
		return nil
	case u.IsEntry:
		return &u.entry
	}
	return &u.Phrase
}

// ReadKey takes in a key. It is judged as if the sensitive name stood before it.
func (u *Under) ReadKey(n *names.Names, key []byte, g names.Group) {
	u.IsAbout = n.IsDescription(key, &u.Phrase, g)
	var b [names.MaxName]byte
	u.IsEntry = u.Phrase.Want != names.AnyValue && u.Phrase.Want != names.PackedSecret && g == names.Secrets &&
		string(names.LastWord(b[:0], key)) == "key"
}
