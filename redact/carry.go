package redact

import (
	"bytes"
	b64 "encoding/base64"
	"unicode"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/redact/lex"
)

// carry is the name of a value that is on a line to come. The zero value is none.
type carry struct {
	phrase
	how      carriedHow
	indent   int  // of what said it, in characters
	exempt   int  // 1 more than the indent of the key that describes the value; 0: there is no such key
	ofSecret bool // it is of a Secret, or may be
	isPacked bool // only what is in base64
	group    Group
}

// carriedHow is where the value of a name is that an earlier line says.
type carriedHow uint8

const (
	notCarried   carriedHow = iota
	below                   // in all scalars of YAML that are indented more
	inBlock                 // in all lines of a block of YAML
	nextItem                // the next item of a list of YAML, as the arguments of a program are
	sameMap                 // the value of a pair, in the same map of YAML
	afterBlank              // the line after an empty one: a part of a form (RFC 7578)
	nextLine                // this line
	inBlockOfHCL            // what is assigned to default or value, up to the closing brace
	inEntry                 // what follows the word password, in the entry of a .netrc
	inCollection            // in a collection of YAML on the same line, and maybe the next ones
	dataBelow               // below data and stringData of a Secret of Kubernetes, at the same indent
)

// hasLines reports whether the lines that follow belong to the carried name, whatever names they have themselves.
func (c *carry) hasLines() bool {
	return c.how == below || c.how == inBlock || c.how == dataBelow || c.how == inBlockOfHCL
}

// is says whether a name is carried.
func (c *carry) is() bool { return c.how != notCarried }

// carriedLine is a line as YAML has it, which may have a value that is carried.
type carriedLine struct {
	indent int    // where its key or its scalar begins, in characters
	isItem bool   // of a list
	isJSON bool   // its key is in double quotes, as nearly only JSON has it
	key    []byte // without quotes; empty if there is none
	value  []byte // or all of it that is no key, without blanks around it
}

// readYAML takes a line apart, which begins after so many characters.
func readYAML(line []byte, indent int) (y carriedLine) {
	for {
		blanks := lex.Blank.Run(line, 0, len(line))
		line, indent = line[blanks:], indent+blanks
		if len(line) < 2 || line[0] != '-' || !lex.Blank.Has(line[1]) {
			break
		}
		line, indent, y.isItem = line[1:], indent+1, true
	}
	y.indent, y.value = indent, bytes.TrimRight(line, " \t\r")
	if key, value := cutKey(y.value); key > 0 {
		y.isJSON = y.value[0] == '"'
		y.key, y.value = unquoted(y.value[:key]), bytes.Trim(y.value[value:], " \t\r")
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

// scalar returns where in a value of YAML its text is: without a tag, an anchor, quotes and a
// comment. It is empty for a value that is none, as an alias or the begin of a list.
func scalar(v []byte) (from, to int, isQuoted bool) {
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

// mayCarry reports whether a line without a colon may carry a name: it begins a block of HCL or an
// entry of a .netrc, or is a flag in a list.
func mayCarry(line []byte) bool {
	first := lex.Blank.Run(line, 0, len(line))
	last := lex.Whitespace.RunBack(line, len(line), len(line))
	return first < last && (line[first] == '-' || line[last-1] == '{' || line[first] == 'm')
}

// saysOfNext returns the name that a line of text carries to lines to come. It begins after so many characters.
func saysOfNext(line []byte, indent int, names *nameCache) (c carry) {
	if len(line) > maxHeader || bytes.IndexByte(line, ':') < 0 && !mayCarry(line) {
		return c
	}
	carried := func(name []byte, how carriedHow, indent int) carry {
		if len(name) > maxName || !lex.NameOfKey.Within(name) {
			return carry{}
		}
		p, _ := names.of(bytes.Trim(name, "-."))
		if p == nil {
			return carry{}
		}
		return carry{phrase: *p, how: how, indent: indent}
	}
	y := readYAML(line, indent)
	switch {
	case len(y.key) == 0 && y.isItem && len(y.value) > 2 && y.value[0] == '-':
		return carried(unquoted(y.value), nextItem, y.indent)
	case len(y.key) == 0 && isEntryBegin(y.value):
		return carried([]byte("password"), inEntry, 0)
	case len(y.key) == 0:
		return carried(labelOfHCL(y.value), inBlockOfHCL, y.indent)
	case string(y.key) == "kind" && string(unquoted(y.value)) == "Secret", string(y.key) == "apiVersion" &&
		string(y.value) == "v1":
		return ofSecret(y, names)
	case partOf(y.key) == pairName:
		return carried(unquoted(y.value), sameMap, y.indent)
	case lex.EqualFold(y.key, "content-disposition"):
		_, name, _ := bytes.Cut(y.value, []byte(` name="`))
		name, _, _ = bytes.Cut(name, []byte{'"'})
		return carried(name, afterBlank, 0)
	}
	from, to, _ := scalar(y.value)
	switch rest := y.value[from:]; {
	case from < to && blockHeader(y.value, from) == len(y.value):
		return carried(y.key, inBlock, y.indent)
	case from == to && (len(rest) == 0 || bytes.IndexByte([]byte("#!&"), rest[0]) >= 0):
		return carried(y.key, below, y.indent)
	}
	return c
}

// labelOfHCL returns the name of a block of HCL that begins on a line, as in variable "password" {;
// empty if there is no such block, or it has more labels.
func labelOfHCL(line []byte) []byte {
	block := (lex.Lower | lex.HexLower | lex.Underscore).Run(line, 0, maxName)
	name, isBlock := bytes.CutSuffix(line[block:], []byte{'{'})
	name = bytes.TrimSpace(name)
	if block == 0 || !isBlock || len(name) < 3 || name[0] != '"' || bytes.IndexByte(name[1:], '"') != len(name)-2 {
		return nil
	}
	return name[1 : len(name)-1]
}

// isEntryBegin reports whether a line begins the entry of a machine in a .netrc and has no password itself.
func isEntryBegin(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("machine ")) {
		return false
	}
	n := 0
	for word := range bytes.FieldsSeq(line) {
		if n++; n%2 == 1 && n > 1 && !isNetrcKeyword(word) || string(word) == "password" {
			return false
		}
	}
	return n%2 == 0
}

// assignedIn returns where the value is that a line of HCL assigns to default or value, or the one that follows
// the word password in a .netrc.
func (c *carry) assignedIn(line []byte) (from, to int, isQuoted bool) {
	at := lex.Blank.Run(line, 0, len(line))
	key := lex.Word.Run(line, at, maxName)
	name := string(line[at:key])
	begin := lex.Blank.Run(line, key, len(line))
	if c.how == inEntry {
		if name != "password" || begin == key {
			return 0, 0, false
		}
		return begin, lex.NonSpace.Run(line, begin, len(line)), false
	}
	if name != "default" && name != "value" || begin == len(line) || line[begin] != '=' {
		return 0, 0, false
	}
	begin = lex.Blank.Run(line, begin+1, len(line))
	from, to, isQuoted = scalar(bytes.TrimRight(line[begin:], " \t\r"))
	return begin + from, begin + to, isQuoted
}

// ofSecret is what a line says of the data of a Secret of Kubernetes that it begins, or may begin:
// data comes before the kind where keys are sorted.
func ofSecret(y carriedLine, names *nameCache) carry {
	p, _ := names.of([]byte("secret"))
	if p == nil {
		return carry{}
	}
	c := carry{phrase: *p, how: dataBelow, indent: y.indent, ofSecret: true, isPacked: string(y.key) != "kind"}
	c.want, c.anyWord = anySecret, true
	return c
}

// isPacked says whether a value is in base64: what it stands for is text, or it is long.
func isPacked(v []byte) bool {
	const shortest, long = 8, 24
	var b [maxValue]byte
	if len(v) < shortest || b64.StdEncoding.DecodedLen(len(v)) > len(b) {
		return len(v) >= long
	}
	n, err := b64.StdEncoding.Strict().Decode(b[:], v)
	isText := utf8.Valid(b[:n]) && bytes.IndexFunc(b[:n], unicode.IsControl) < 0
	return err == nil && (isText || len(v) >= long)
}

// manifest is the form of what begins an object of Kubernetes, which says something of the lines
// after it. It is none of a secret itself.
type manifest struct{}

func (manifest) anchors() []string { return []string{"apiversion", "kind: secret", "secretlist"} }

func (manifest) find(window, int, int) finding { return finding{} }

// unquoted is a value without quotes around it.
func unquoted(v []byte) []byte {
	if last := len(v) - 1; last > 0 && lex.Quote.Has(v[0]) && v[last] == v[0] {
		return v[1:last]
	}
	return v
}

// after returns what is carried on beyond a line that begins after so many characters.
func (c carry) after(line []byte, indent int, names *nameCache) carry {
	isEmpty := len(bytes.TrimSpace(line)) == 0
	y := readYAML(line, indent)
	if !isEmpty && y.indent < c.exempt {
		c.exempt = 0
	}
	if c.how == below && c.exempt == 0 && len(y.key) > 0 && c.describes(y.key, names) {
		c.exempt = y.indent + 1
	}
	switch c.how {
	case inBlock:
		if isEmpty || indent+lex.Blank.Run(line, 0, len(line)) > c.indent {
			return c
		}
	case below:
		switch {
		case isEmpty || y.indent > c.indent || y.isItem && y.indent >= c.indent && !c.ofSecret:
			return c
		case c.ofSecret:
			c.how = dataBelow
			return c.after(line, indent, names)
		}
	case dataBelow:
		switch {
		case isEmpty, y.indent > c.indent:
			return c
		case y.indent < c.indent || y.isItem || len(y.key) == 0:
		case string(y.key) == "data" || string(y.key) == "stringData":
			c.how = below
			c.isPacked = c.isPacked && string(y.key) == "data"
			return c
		case string(y.key) == "kind":
			if string(unquoted(y.value)) == "Secret" {
				c.isPacked = false
				return c
			}
		default:
			return c
		}
	case inBlockOfHCL:
		if isEmpty || y.indent > c.indent {
			return c
		}
	case inEntry:
		if first, _, _ := bytes.Cut(y.value, []byte{' '}); isNetrcKeyword(first) && string(first) != "password" {
			return c
		}
	case sameMap:
		if !isEmpty && !y.isItem && y.indent == c.indent {
			return c
		}
	case afterBlank:
		if isEmpty {
			c.how = nextLine
			return c
		}
		if len(y.key) > 0 { // another header
			return c
		}
	}
	return carry{}
}

// describes reports whether a key describes the value of the name that is carried.
func (c *carry) describes(key []byte, names *nameCache) bool {
	return !c.ofSecret && names.names.isDescription(key, &c.phrase, c.group)
}

// isScalar reports whether the value is one of YAML, so that a marker in its place needs quotes.
func (c *carry) isScalar() bool { return c.how == below || c.how == nextItem || c.how == sameMap }

// carriedValue is where in a line the value of what is carried is: line[from:to]. It is empty if the line
// has none.
type carriedValue struct {
	from, to     int
	isQuoted     bool
	isCollection bool // a collection begins at from
}

// valueIn returns where the value of what is carried is in a line, which begins after so many characters.
func (c *carry) valueIn(line []byte, indent int, names *nameCache) (v carriedValue) {
	if c.how == inBlockOfHCL || c.how == inEntry {
		v.from, v.to, v.isQuoted = c.assignedIn(line)
		return v
	}
	y := readYAML(line, indent)
	isBelow := y.indent > c.indent || y.isItem && y.indent >= c.indent
	switch {
	case c.how == afterBlank,
		c.how == dataBelow && (y.isItem || y.indent != c.indent || partOf(y.key) != dataKey),
		c.how == below && !isBelow,
		c.how == below && y.indent >= c.exempt && c.exempt > 0,
		c.how == below && len(y.key) > 0 && !c.ofSecret && (c.describes(y.key, names) || partOf(y.key) == pairName),
		c.how == nextItem && (!y.isItem || len(y.key) > 0 || y.indent != c.indent),
		c.how == sameMap && (y.isItem || y.indent != c.indent || partOf(y.key) != pairValue):
		return v
	}
	value := y.value
	if c.how == nextLine || c.how == inBlock {
		if value = bytes.TrimSpace(line); c.how == inBlock && indent+lex.Blank.Run(line, 0, len(line)) <= c.indent {
			value = nil
		}
		v.isQuoted = true
	}
	if len(value) == 0 {
		return v
	}
	at := bytes.LastIndex(line, value)
	if v.isQuoted {
		v.from, v.to = at, at+len(value)
		return v
	}
	if begin := afterTags(value); begin < len(value) && (value[begin] == '{' || value[begin] == '[') {
		v.from, v.to, v.isCollection = at+begin, at+begin, true
		return v
	}
	if c.how != dataBelow {
		v.from, v.to, v.isQuoted = scalar(value)
		v.from, v.to = at+v.from, at+v.to
	}
	return v
}

// mayOpen reports whether a bracket that begins a line, after so many characters, may be that of a collection
// below a name.
func (c *carry) mayOpen(indent int) bool {
	return c.how == below && indent > c.indent && (c.exempt == 0 || indent < c.exempt)
}

// forCollection is what is carried into a collection that is the value on a line.
func (c carry) forCollection(line []byte, indent int) carry {
	if c.how == dataBelow {
		y := readYAML(line, indent)
		c.isPacked = c.isPacked && string(y.key) == "data"
	}
	return c
}
