package redact

import (
	"github.com/kfw-dev/kfw/redact/lex"
	"github.com/kfw-dev/kfw/redact/names"
)

// maxUnder is how many brackets may be open under a sensitive name. What is deeper is replaced whole.
const maxUnder = 64

// under is where the lexer stands in an object or an array that is the value of a sensitive name:
// each scalar in it is replaced, while brackets, keys and literals stay. Of each open bracket it
// remembers two bits.
type under struct {
	phrase  names.Phrase // for the scalars to come
	entry   names.Phrase // for the names of entries, which are secrets only if they look like one
	depth   int          // open brackets; 0: the lexer is in no such value
	arrays  uint64       // which of them are [
	exempt  uint64       // which of them hold nothing that is the value of the name
	next    lex.ValuePart
	isAbout bool // the last key says something about the secret: its type, where it is
	isEntry bool // the last key is that of an entry of a store
}

// open takes in a bracket. p is the name whose value it begins, or nil.
func (u *under) open(p *names.Phrase, isArray bool) {
	isExempt := p == nil && (u.isAbout || u.isExempt())
	if p != nil && !u.has(p) {
		u.take(p, isArray)
	}
	bit := uint64(1) << u.depth
	u.depth++
	u.arrays &^= bit
	u.exempt &^= bit
	if isArray {
		u.arrays |= bit
	}
	if isExempt {
		u.exempt |= bit
	}
	u.isAbout, u.isEntry = false, false
	u.next = u.first()
}

// take makes p the name of the scalars to come. An object named authorization says who may do what
// as often as it holds credentials, so only what looks like some is replaced in it.
func (u *under) take(p *names.Phrase, isArray bool) {
	u.phrase = *p
	u.phrase.Whole = p.Want != names.PackedSecret
	u.entry = names.Phrase{Words: p.Words, Rule: p.Rule, Want: names.LikelySecret}
	if p.Want != names.AuthSecret {
		return
	}
	u.phrase.Whole, u.phrase.NotPath, u.phrase.IsListed = false, true, true
	if !isArray {
		u.phrase = u.entry
	}
}

// close takes in a closing bracket.
func (u *under) close() {
	u.depth--
	u.isAbout, u.isEntry = false, false
	u.next = lex.PartComma
}

// first returns what begins a member or an element of the innermost bracket.
func (u *under) first() lex.ValuePart {
	if u.isArray() {
		return lex.PartValue
	}
	return lex.PartKey
}

// follows reports whether a token that begins with c may stand here, and takes it in unless it is
// a bracket.
func (u *under) follows(c byte) bool {
	isNext := u.next == lex.PartValue
	switch c {
	case '{', '[':
		return isNext
	case '}', ']':
		return u.next == lex.PartComma || u.next == u.first()
	case ',':
		isNext = u.next == lex.PartComma
		u.next = u.first()
	case ':':
		isNext = u.next == lex.PartColon
		u.next = lex.PartValue
	default:
		if c == '"' && u.next == lex.PartKey {
			u.next = lex.PartColon
			return true
		}
		u.next = lex.PartComma
	}
	return isNext
}

// has reports whether p is the name of the scalars to come.
func (u *under) has(p *names.Phrase) bool { return p == &u.phrase || p == &u.entry }

// isFull reports whether there is no room for one more bracket.
func (u *under) isFull() bool { return u.depth == maxUnder }

// isExempt reports whether what stands directly in the innermost bracket is not the value of the name.
func (u *under) isExempt() bool { return u.depth > 0 && u.exempt>>(u.depth-1)&1 == 1 }

// isArray reports whether the innermost bracket is [.
func (u *under) isArray() bool { return u.depth > 0 && u.arrays>>(u.depth-1)&1 == 1 }

// holds reports whether a scalar in the innermost bracket is to be replaced.
func (u *under) holds() bool { return u.depth > 0 && !u.isExempt() }

// element returns the name of the array's element to come, or nil.
func (u *under) element() *names.Phrase {
	if !u.holds() || !u.isArray() {
		return nil
	}
	return &u.phrase
}

// member returns the name of the value of the key that was read last, or nil.
func (u *under) member() *names.Phrase {
	switch {
	case !u.holds() || u.isAbout:
		return nil
	case u.isEntry:
		return &u.entry
	}
	return &u.phrase
}

// readKey takes in a key. It is judged as if the sensitive name stood before it.
func (u *under) readKey(n *names.Names, key []byte, g names.Group) {
	u.isAbout = n.IsDescription(key, &u.phrase, g)
	var b [names.MaxName]byte
	u.isEntry = u.phrase.Want != names.AnyValue && u.phrase.Want != names.PackedSecret && g == names.Secrets &&
		string(names.LastWord(b[:0], key)) == "key"
}
