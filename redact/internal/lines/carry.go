package lines

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

// mayCarry reports whether a line without a colon may carry a name: it begins a block of HCL or an
// entry of a .netrc, or is a flag in a list.
func mayCarry(line []byte) bool {
	first := lex.Blank.Run(line, 0, len(line))
	last := lex.Whitespace.RunBack(line, len(line), len(line))
	return first < last && (line[first] == '-' || line[last-1] == '{' || line[first] == 'm' ||
		len(names.NameOfOpened(line[first:last])) > 0)
}

// saysOfNext returns the name that a line of text carries to lines to come. It begins after so many
// characters.
func saysOfNext(line []byte, indent int, sensitive *names.NameCache) (c names.Carry) {
	if len(line) > structure.MaxHeader || bytes.IndexByte(line, ':') < 0 && !mayCarry(line) {
		return c
	}
	carried := func(name []byte, how names.CarriedHow, indent int) names.Carry {
		if len(name) > names.MaxName || !lex.NameOfKey.Within(name) {
			return names.Carry{}
		}
		p, _ := sensitive.Of(bytes.Trim(name, "-."))
		if p == nil {
			return names.Carry{}
		}
		return names.Carry{Phrase: *p, How: how, Indent: indent}
	}
	y := names.ReadYAML(line, indent)
	part := names.PartOf(y.Key)
	if name := names.NameOfOpened(bytes.TrimSpace(line)); len(name) > 0 {
		return carried(name, names.NextWord, y.Indent)
	}
	switch {
	case len(y.Key) == 0 && y.IsItem && len(y.Value) > 2 && y.Value[0] == '-':
		return carried(names.Unquoted(y.Value), names.NextItem, y.Indent)
	case len(y.Key) == 0 && isEntryBegin(y.Value):
		return carried([]byte("password"), names.InEntry, y.Indent)
	case len(y.Key) == 0:
		c = carried(labelOfHCL(y.Value), names.InBlockOfHCL, y.Indent)
		if c.IsMap = !bytes.HasSuffix(bytes.TrimRight(y.Value, "{ \t"), []byte{'"'}); c.IsMap && !c.IsPlural {
			return names.Carry{}
		}
		return c
	case part == names.KindKey, part == names.VersionKey && string(y.Value) == "v1":
		return ofSecret(y, names.DataBelow, sensitive).OfObject(y)
	case part == names.PairName:
		return carried(names.Unquoted(bytes.TrimSuffix(y.Value, []byte{','})), names.SameMap, y.Indent)
	case lex.EqualFold(y.Key, "content-disposition"):
		_, name, _ := bytes.Cut(y.Value, []byte(` name="`))
		name, _, _ = bytes.Cut(name, []byte{'"'})
		return carried(name, names.AfterBlank, 0)
	}
	from, to, _ := names.Scalar(y.Value)
	rest := y.Value[from:]
	hasBlock := from == to && (len(rest) == 0 || bytes.IndexByte([]byte("#!&"), rest[0]) >= 0)
	switch {
	case hasBlock && structure.IsKeyNumber(y.Key):
		return carried([]byte("private_key"), names.InDigits, y.Indent)
	case hasBlock && part == names.DataKey:
		return ofSecret(y, names.Below, sensitive)
	case hasBlock && len(rest) == 0 && bytes.IndexByte(y.Key, ' ') > 0:
		return ofSentence(y, sensitive)
	case hasBlock:
		c = carried(y.Key, names.Below, y.Indent)
		c.IsFirst = c.AnyWord
		return c
	case from < to && names.BlockHeader(y.Value, from) == len(y.Value):
		return carried(y.Key, names.InBlock, y.Indent)
	}
	return c
}

// ofSentence returns the name that a sentence carries to the next line. The sentence speaks of a password or a key and
// ends with a colon: Password for the admin user:
func ofSentence(y names.CarriedLine, sensitive *names.NameCache) names.Carry {
	p, _ := sensitive.Of(y.Key[max(0, len(y.Key)-names.MaxName):])
	if p == nil || !p.IsSecret || p.Want != names.AnySecret {
		return names.Carry{}
	}
	return names.Carry{Phrase: *p, How: names.NextWord, Indent: y.Indent}
}

// labelOfHCL returns the name of a block or a map of HCL that begins on a line, as in variable "password" { and
// secrets = {; empty if there is no such, or it has more labels.
func labelOfHCL(line []byte) []byte {
	block := (lex.Lower | lex.HexLower | lex.Underscore).Run(line, 0, names.MaxName)
	name, isBlock := bytes.CutSuffix(line[block:], []byte{'{'})
	name = bytes.TrimSpace(name)
	if isBlock && string(name) == "=" {
		return line[:block]
	}
	if block == 0 || !isBlock || len(name) < 3 || name[0] != '"' || bytes.IndexByte(name[1:], '"') != len(name)-2 {
		return nil
	}
	return name[1 : len(name)-1]
}

// isEntryBegin reports whether a line begins the entry of a machine in a .netrc and has no password
// itself.
func isEntryBegin(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("machine ")) {
		return false
	}
	n := 0
	for word := range bytes.FieldsSeq(line) {
		if n++; n%2 == 1 && n > 1 && !names.IsNetrcKeyword(word) || string(word) == "password" {
			return false
		}
	}
	return n%2 == 0
}

// ofSecret is what a line says of the data of a Secret of Kubernetes that it begins, or may begin:
// data comes before the kind where keys are sorted.
func ofSecret(y names.CarriedLine, how names.CarriedHow, sensitive *names.NameCache) names.Carry {
	p, _ := sensitive.Of([]byte("secret"))
	if p == nil {
		return names.Carry{}
	}
	c := names.OfSecret(p, string(y.Key) == "stringData")
	c.How, c.Indent = how, y.Indent
	return c
}
