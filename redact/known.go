package redact

import (
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

// knownNames remembers what was found out of the strings of JSON that may be names and
// hold nothing: those of a stream's fields come again and again, and need not be read again.
type knownNames [64]knownName

type knownName struct {
	hash   uint64 // 0: none
	phrase *names.Phrase
	part   names.PairPart
	isFlag bool
	isPath bool
	leads  bool
}

func (k *knownNames) at(hash uint64) *knownName { return &k[hash>>1%uint64(len(k))] }

// recall ends a string that is a known one, at whose start t is: as flushString does, but
// for the output, which is the string.
func (t *Text) recall(name []byte) (p *names.Phrase, isKnown bool) {
	if len(t.in.Buf) > 0 || len(t.in.Escapes) > 0 || t.inSequence() || t.context != nil || t.rest.Least > 0 ||
		t.matches.Key.Open {
		return nil, false
	}
	hash := t.names.Hash(name)
	known := t.name.known.at(hash)
	if known.hash != hash {
		return nil, false
	}
	t.name.hash, t.name.part, t.name.isFlag, t.name.isPath = hash, known.part, known.isFlag, known.isPath
	t.name.ending = structure.AppendEnd(t.name.ending[:0], name)
	t.name.keepMember(name, true)
	t.name.leading = t.name.leading[:0]
	if known.leads {
		t.name.leading = append(t.name.leading, name...)
	}
	return known.phrase, true
}

// isPlain says whether the text is no longer than a name, and nothing of it was passed on
// or written in another way than it reads.
func (t *Text) isPlain() bool {
	return t.in.Done == 0 && len(t.in.Buf) <= names.MaxName && len(t.in.Escapes) == 0 && !t.matches.Key.Open
}

// lastName is the last text that may be a name, and what was found out of it.
type lastName struct {
	leading  []byte // the text, if it may tell of a secret after it; else empty
	hash     uint64
	part     names.PairPart // what it is of a pair
	isFlag   bool           // it is a flag of a command
	isPath   bool           // it is a path, and names nothing
	ending   []byte         // its end, if it holds nothing: it may be of a command line
	member   []byte         // the text; nil if no path is followed
	isMember bool           // it holds nothing and is no longer than a name
	known    knownNames
}

// keepMember keeps a text that may be a name, if somebody asks for it.
func (n *lastName) keepMember(name []byte, isMember bool) {
	if n.isMember = isMember && n.member != nil && len(name) > 0; n.isMember {
		n.member = append(n.member[:0], name...)
	}
}

// memberBefore returns the name before a colon, or nil if that is not known.
func (n *lastName) memberBefore(isString bool) []byte {
	if !isString || !n.isMember {
		return nil
	}
	return n.member
}
