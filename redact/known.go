package redact

import (
	"github.com/kfw-dev/kfw/redact/names"
	"github.com/kfw-dev/kfw/redact/structure"
)

// knownNames remembers what was found out of the strings of JSON that may be names and
// hold nothing: those of a stream's fields come again and again, and need not be read again.
type knownNames [64]knownName

type knownName struct {
	hash   uint64 // 0: none
	phrase *names.Phrase
	part   names.PairPart
	isFlag bool
	leads  bool
}

func (k *knownNames) at(hash uint64) *knownName { return &k[hash>>1%uint64(len(k))] }

// recall ends a string that is a known one, at whose start t is: as flushString does, but
// for the output, which is the string.
func (t *Text) recall(name []byte) (p *names.Phrase, isKnown bool) {
	if len(t.buf) > 0 || len(t.escapes) > 0 || t.inSequence() || t.context != nil || t.rest.least > 0 || t.key.Open {
		return nil, false
	}
	hash := t.names.Hash(name)
	known := t.known.at(hash)
	if known.hash != hash {
		return nil, false
	}
	t.nameHash, t.part, t.isFlag = hash, known.part, known.isFlag
	t.ending = structure.AppendEnd(t.ending[:0], name)
	t.keepMember(name, true)
	t.name = t.name[:0]
	if known.leads {
		t.name = append(t.name, name...)
	}
	return known.phrase, true
}

// isPlain says whether the text is no longer than a name, and nothing of it was passed on
// or written in another way than it reads.
func (t *Text) isPlain() bool {
	return t.done == 0 && len(t.buf) <= names.MaxName && len(t.escapes) == 0 && !t.key.Open
}
