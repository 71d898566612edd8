package names

import (
	"bytes"
	b64 "encoding/base64"
	"unicode"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
)

// Carry is the name of a value that is on a line to come. The zero value is none.
type Carry struct {
	Phrase
	How      CarriedHow
	Indent   int  // of what said it, in characters
	exempt   int  // 1 more than the indent of the key that describes the value; 0: there is no such key
	OfSecret bool // it is of a Secret, or may be
	IsPacked bool // only what is in base64: the kind of the object is not known
	IsGuess  bool // the same, and nothing but the word data says that it may be a Secret
	IsMap    bool // of HCL, with any keys
	IsFirst  bool // only empty lines have followed
	IsOther  bool // the object is known to be a ConfigMap: nothing of it is a value
	Group    Group
	ofData   int  // 1 more than the indent of the keys of a Secret's data; 0: none was read
	isOpen   bool // the value of the last such key is a block or a string that may go on over blank lines
	isApart  bool // a blank line follows the last such key
}

// CarriedHow is where the value of a name is that an earlier line says.
type CarriedHow uint8

const (
	notCarried   CarriedHow = iota
	Below                   // in all scalars of YAML that are indented more
	InBlock                 // in all lines of a block of YAML
	NextItem                // the next item of a list of YAML, as the arguments of a program are
	SameMap                 // the value of a pair, in the same map of YAML
	AfterBlank              // the line after an empty one: a part of a form (RFC 7578)
	NextLine                // this line
	InBlockOfHCL            // what is assigned to default or value, up to the closing brace
	InEntry                 // what follows the word password, in the entry of a .netrc
	InCollection            // in a collection of YAML on the same line, and maybe the next ones
	NextWord                // the next line that is not empty, if it is one word that looks like a password or a key
	InDigits                // in all lines of digits of hexadecimal, apart by colons
	DataBelow               // below data and stringData of a Secret of Kubernetes, at the same indent
)

// HasLines reports whether the lines that follow belong to the carried name, whatever names they have themselves.
func (c *Carry) HasLines() bool {
	return c.How == Below || c.How == InBlock || c.How == DataBelow || c.How == InBlockOfHCL
}

// Is says whether a name is carried.
func (c *Carry) Is() bool { return c.How != notCarried }

// CarriedLine is a line as YAML has it, which may have a value that is carried.
type CarriedLine struct {
	Indent int    // where its key or its scalar begins, in characters
	IsItem bool   // of a list
	IsJSON bool   // its key is in double quotes, as nearly only JSON has it
	Key    []byte // without quotes; empty if there is none
	Value  []byte // or all of it that is no key, without blanks around it
}

// ReadYAML takes a line apart, which begins after so many characters.
func ReadYAML(line []byte, indent int) (y CarriedLine) {
	for {
		blanks := lex.Blank.Run(line, 0, len(line))
		line, indent = line[blanks:], indent+blanks
		if len(line) < 2 || line[0] != '-' || !lex.Blank.Has(line[1]) {
			break
		}
		line, indent, y.IsItem = line[1:], indent+1, true
	}
	y.Indent, y.Value = indent, bytes.TrimRight(line, " \t\r")
	if key, value := cutKey(y.Value); key > 0 {
		y.IsJSON = y.Value[0] == '"'
		y.Key, y.Value = Unquoted(y.Value[:key]), bytes.Trim(y.Value[value:], " \t\r")
	}
	return y
}

// cutKey returns where the key of a line of YAML ends, in its quotes, and where its value begins. The key
// is empty if the line is a scalar, a list or a map in brackets.
func cutKey(line []byte) (key, value int) {
	from := 0
	if len(line) > 0 && lex.Quote.Has(line[0]) {
		size := bytes.IndexByte(line[1:], line[0])
		if from = size + 2; size < 0 {
			return 0, 0
		}
	} else if len(line) > 0 && (line[0] == '[' || line[0] == '{') {
		return 0, 0
	}
	for {
		size := bytes.IndexByte(line[from:], ':')
		at := from + size
		switch {
		case size < 0, size > 0 && from > 0 && lex.Quote.Has(line[from-1]) && !lex.Blank.Within(line[from:at]):
			return 0, 0
		case at+1 == len(line) || lex.Whitespace.Has(line[at+1]):
			return len(bytes.TrimRight(line[:at], " \t")), at + 1
		}
		from = at + 1
	}
}

// Scalar returns where in a value of YAML its text is: without a tag, an anchor, quotes and a
// comment. It is empty for a value that is none, as an alias or the begin of a list.
func Scalar(v []byte) (from, to int, isQuoted bool) {
	if from = afterTags(v); from == len(v) {
		return 0, 0, false
	}
	switch c := v[from]; {
	case lex.Quote.Has(c):
		if size := bytes.LastIndexByte(v[from+1:], c); size >= 0 {
			return from + 1, from + 1 + size, true
		}
	case bytes.IndexByte([]byte("*[{#"), c) >= 0:
		return 0, 0, false
	}
	to = len(v)
	if size := bytes.Index(v[from:], []byte(" #")); size >= 0 {
		to = from + size
	}
	return from, from + len(bytes.TrimRight(v[from:to], " \t")), false
}

// afterTags returns where a value of YAML begins after its tag and its anchor.
func afterTags(v []byte) (at int) {
	for at < len(v) && (v[at] == '!' || v[at] == '&') {
		at = lex.Blank.Run(v, lex.NonSpace.Run(v, at, len(v)), len(v))
	}
	return at
}

// assignedIn returns where the value is that a line of HCL assigns to default or value, or the one that follows
// the word password in a .netrc.
func (c *Carry) assignedIn(line []byte) (from, to int, isQuoted bool) {
	at := lex.Blank.Run(line, 0, len(line))
	key := lex.Word.Run(line, at, MaxName)
	name := string(line[at:key])
	begin := lex.Blank.Run(line, key, len(line))
	if c.How == InEntry {
		if name != "password" || begin == key {
			return 0, 0, false
		}
		return begin, lex.NonSpace.Run(line, begin, len(line)), false
	}
	if name != "default" && name != "value" && !(c.IsMap && key > at) || begin == len(line) || line[begin] != '=' {
		return 0, 0, false
	}
	begin = lex.Blank.Run(line, begin+1, len(line))
	from, to, isQuoted = Scalar(bytes.TrimRight(line[begin:], " \t\r"))
	return begin + from, begin + to, isQuoted
}

const (
	shortestPacked = 8
	longPacked     = 24 // too long to be in base64 by chance
)

// IsPacked reports whether a value is base64 of a text, or base64 that is long or padded.
func IsPacked(v []byte) bool {
	isPacked, isText := unpacked(v)
	return isPacked && (isText || len(v) >= longPacked || isPadded(v))
}

// IsSurelyPacked is IsPacked where nothing else says that the value may be a secret: other words and
// numbers are none.
func IsSurelyPacked(v []byte) bool {
	const surely = 16
	isPacked, isText := unpacked(v)
	return isPacked && (isText && len(v) >= surely || isPadded(v) && (isText || len(v) >= longPacked))
}

func isPadded(v []byte) bool { return v[len(v)-1] == '=' }

// unpacked reports whether a value is base64, and whether it decodes to text. Of a very long value
// it decodes the beginning only.
func unpacked(v []byte) (isPacked, isText bool) {
	var b [MaxValue]byte
	if len(v) < shortestPacked {
		return false, false
	}
	if most := b64.StdEncoding.EncodedLen(len(b)) - 4; len(v) > most {
		v = v[:most]
	}
	n, err := b64.StdEncoding.Strict().Decode(b[:], v)
	isControl := func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }
	return err == nil, utf8.Valid(b[:n]) && bytes.IndexFunc(b[:n], isControl) < 0
}

// MayBe reports whether a value looks like one of the carried name: anything, or base64 where the
// name asks for that.
func (c *Carry) MayBe(v []byte) bool {
	return !c.IsPacked || IsPacked(v) && (!c.IsGuess || IsSurelyPacked(v))
}

// Lets reports whether another name may be carried within the lines of this one. This one goes on
// after them.
func (c *Carry) Lets(o *Carry) bool {
	return !c.HasLines() || c.How == DataBelow && (o.Indent > c.Indent || o.Indent == c.Indent && !o.OfSecret)
}

// Unquoted is a value without quotes around it.
func Unquoted(v []byte) []byte {
	if last := len(v) - 1; last > 0 && lex.Quote.Has(v[0]) && v[last] == v[0] {
		return v[1:last]
	}
	return v
}

// After returns what is carried on beyond a line that begins after so many characters.
func (c Carry) After(line []byte, indent int, names *NameCache) Carry {
	text := bytes.TrimSpace(line)
	isEmpty := len(text) == 0 || text[0] == '#' && c.How != InBlock // a comment may stand anywhere (YAML 1.2, 6.6)
	y := ReadYAML(line, indent)
	if !isEmpty && y.Indent < c.exempt {
		c.exempt = 0
	}
	c.IsFirst = c.IsFirst && isEmpty
	if c.How == Below && c.exempt == 0 && len(y.Key) > 0 && c.Describes(y.Key, names) {
		c.exempt = y.Indent + 1
	}
	if c.How == Below && c.OfSecret {
		switch isKey := len(y.Key) > 0 && (c.ofData == 0 || y.Indent < c.ofData); {
		case isKey:
			isBlock := BlockHeader(y.Value, 0) > 0 || len(y.Value) > 0 && lex.Quote.Has(y.Value[0]) &&
				len(Unquoted(y.Value)) == len(y.Value)
			c.ofData, c.isOpen, c.isApart = y.Indent+1, isBlock, false
		case len(text) == 0:
			c.isApart = true
		}
	}
	switch c.How {
	case InBlock:
		if isEmpty || indent+lex.Blank.Run(line, 0, len(line)) > c.Indent {
			return c
		}
	case Below:
		switch {
		case isEmpty || y.Indent > c.Indent || y.IsItem && y.Indent >= c.Indent && !c.OfSecret:
			return c
		case c.OfSecret:
			c.How = DataBelow
			return c.After(line, indent, names)
		}
	case DataBelow:
		switch {
		case isEmpty, y.Indent > c.Indent:
			return c
		case y.Indent < c.Indent || y.IsItem || len(y.Key) == 0:
		case c.IsOther:
			return c
		case PartOf(y.Key) == DataKey:
			c.How = Below
			c.IsPacked = c.IsPacked && string(y.Key) == "data"
			return c
		case PartOf(y.Key) == KindKey || PartOf(y.Key) == VersionKey:
			return c.OfObject(y)
		default:
			return c
		}
	case InBlockOfHCL:
		if isEmpty || y.Indent > c.Indent {
			return c
		}
	case NextWord:
		if isEmpty {
			return c
		}
	case InDigits:
		if isEmpty || isInDigits(text) {
			return c
		}
	case InEntry:
		if first, _, _ := bytes.Cut(y.Value, []byte{' '}); IsNetrcKeyword(first) && string(first) != "password" {
			return c
		}
	case SameMap:
		if !isEmpty && !y.IsItem && y.Indent == c.Indent {
			return c
		}
	case AfterBlank:
		if isEmpty {
			c.How = NextLine
			return c
		}
		if len(y.Key) > 0 { // another header
			return c
		}
	}
	return Carry{}
}

// OfSecret returns the Carry for the data of a possible Secret of Kubernetes, which is text or
// base64. p is the name of a secret.
func OfSecret(p *Phrase, isText bool) Carry {
	c := Carry{Phrase: *p, How: InCollection, OfSecret: true, IsPacked: !isText, IsGuess: true}
	c.Want, c.AnyWord = AnySecret, true
	return c
}

// OfObject returns the Carry for the data of an object of Kubernetes, given the line with its kind
// or apiVersion; the zero Carry if the data is no secret.
func (c Carry) OfObject(y CarriedLine) Carry {
	switch value := string(Unquoted(y.Value)); {
	case PartOf(y.Key) == VersionKey:
		c.IsGuess = c.IsGuess && value != "v1"
	case value == "Secret" || value == "SecretList":
		c.IsPacked, c.IsGuess = false, false
	case value == "ConfigMap":
		c.IsOther = true
	default:
		return Carry{}
	}
	return c
}

// Describes reports whether a key describes the value of the name that is carried.
func (c *Carry) Describes(key []byte, names *NameCache) bool {
	return !c.OfSecret && names.names.IsDescription(key, &c.Phrase, c.Group)
}

// IsScalar reports whether the value is one of YAML, so that a marker in its place needs quotes.
func (c *Carry) IsScalar() bool { return c.How == Below || c.How == NextItem || c.How == SameMap }

// carriedValue is where in a line the value of what is carried is: line[from:to]. It is empty if the line
// has none.
type carriedValue struct {
	From, To     int
	IsQuoted     bool
	IsCollection bool // a collection begins at from
}

// ValueIn returns where the value of what is carried is in a line, which begins after so many characters.
func (c *Carry) ValueIn(line []byte, indent int, names *NameCache) (v carriedValue) {
	if c.How == InBlockOfHCL || c.How == InEntry {
		v.From, v.To, v.IsQuoted = c.assignedIn(line)
		return v
	}
	if text := bytes.TrimSpace(line); c.How == InDigits {
		if isInDigits(text) {
			v.From = bytes.Index(line, text)
			v.To, v.IsQuoted = v.From+len(text), true
		}
		return v
	}
	y := ReadYAML(line, indent)
	if c.How == NextWord || c.How == Below && c.IsFirst && y.Indent == c.Indent && !y.IsItem {
		if word := wordOfLine(y); len(word) > 0 {
			v.From = bytes.LastIndex(line, word)
			v.To, v.IsQuoted = v.From+len(word), true
			return v
		}
	}
	if c.How == NextWord {
		return v
	}
	isBelow := y.Indent > c.Indent || y.IsItem && y.Indent >= c.Indent
	switch {
	case c.How == AfterBlank, c.IsOther,
		c.How == DataBelow && (y.IsItem || y.Indent != c.Indent || PartOf(y.Key) != DataKey),
		c.How == Below && !isBelow,
		// another text
		c.How == Below && c.isApart && !c.isOpen && len(y.Key) == 0 && bytes.IndexByte(y.Value, ' ') > 0,
		c.How == Below && y.Indent >= c.exempt && c.exempt > 0,
		c.How == Below && len(y.Key) > 0 && !c.OfSecret && (c.Describes(y.Key, names) || PartOf(y.Key) == PairName),
		c.How == NextItem && (!y.IsItem || len(y.Key) > 0 || y.Indent != c.Indent),
		c.How == SameMap && (y.IsItem || y.Indent != c.Indent || PartOf(y.Key) != PairValue):
		return v
	}
	value := y.Value
	if c.How == NextLine || c.How == InBlock {
		if value = bytes.TrimSpace(line); c.How == InBlock && indent+lex.Blank.Run(line, 0, len(line)) <= c.Indent {
			value = nil
		}
		v.IsQuoted = true
	}
	if len(value) == 0 {
		return v
	}
	at := bytes.LastIndex(line, value)
	if v.IsQuoted {
		v.From, v.To = at, at+len(value)
		return v
	}
	if begin := afterTags(value); begin < len(value) && (value[begin] == '{' || value[begin] == '[') {
		v.From, v.To, v.IsCollection = at+begin, at+begin, true
		return v
	}
	if c.How != DataBelow {
		v.From, v.To, v.IsQuoted = Scalar(value)
		v.From, v.To = at+v.From, at+v.To
	}
	return v
}

// wordOfLine returns the only word of a line, without its quotes and the comma after it, if it looks like a password or
// a key; else nothing.
func wordOfLine(y CarriedLine) []byte {
	const shortest = 8
	const inWord = lex.NonSpace &^ (lex.Quote | lex.Paren)
	word := bytes.TrimRight(y.Value, ",;)")
	for _, quotes := range []string{`"""`, "'''", `"`, "'", "`"} {
		word = bytes.TrimSuffix(bytes.TrimPrefix(word, []byte(quotes)), []byte(quotes))
	}
	isKey := candidate.IsTyped(word) || candidate.IsLikelySecret(word) || candidate.IsIdentifier(word)
	if len(y.Key) > 0 || len(word) < shortest || !inWord.Within(word) || !isKey {
		return nil
	}
	return word
}

// isInDigits reports whether a line is bytes in hexadecimal digits, with colons between.
func isInDigits(line []byte) bool {
	for i, c := range line {
		if i%3 == 2 && c != ':' || i%3 < 2 && !lex.Hexadecimal.Has(c) {
			return false
		}
	}
	return len(line) > 1
}

// MayOpen reports whether a bracket that begins a line, indented by so many characters, may open
// the value of the name: a collection below it, or in its block.
func (c *Carry) MayOpen(indent int) bool {
	return indent > c.Indent && (c.How == InBlock || c.How == Below && (c.exempt == 0 || indent < c.exempt))
}

// ForCollection is what is carried into a collection that is the value on a line.
func (c Carry) ForCollection(line []byte, indent int) Carry {
	if c.How == DataBelow {
		y := ReadYAML(line, indent)
		c.IsPacked = c.IsPacked && string(y.Key) == "data"
	}
	return c
}

// Awaited is the bracket that a collection begins with, which was not reached yet. The zero value is none.
type Awaited struct {
	Is        bool
	Carry     Carry
	At        int
	IsGuarded bool
}
