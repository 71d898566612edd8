package formats

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
)

const (
	maxCreated   = 8 // tables whose columns are known
	longestTable = 64
)

// created is a table of a dump, and its columns by name, each with that of the table before it.
type created struct {
	name    []byte
	columns [][]byte
}

// Inserts reads the statements of dumps of databases, as sqlite3's .dump, pg_dump --inserts and mysqldump write them.
type Inserts struct {
	tables []created
	names  []byte // of the columns of the current statement,
	listed [][]byte
	line   []byte
	at     int
}

// Create reads the columns off a statement that is one line:
//
//	CREATE TABLE readings(id INTEGER PRIMARY KEY, kind TEXT, val REAL);
func (c *Inserts) Create(line []byte) {
	c.line, c.at = line, 0
	if len(c.tables) == maxCreated || !c.words("CREATE", "TABLE") {
		return
	}
	c.words("IF", "NOT", "EXISTS")
	table := created{name: bytes.Clone(c.name())}
	isKnown := slices.ContainsFunc(c.tables, func(of created) bool { return bytes.Equal(of.name, table.name) })
	if c.blanks(); isKnown || len(table.name) == 0 || !c.sign('(') {
		return
	}
	for {
		c.blanks()
		name := c.name()
		if len(name) == 0 || len(table.columns) == maxPairs {
			return
		}
		table.columns = append(table.columns, qualified(nil, table.name, name))
		if c.passValue(); c.sign(')') {
			break
		}
		if !c.sign(',') {
			return
		}
	}
	c.tables = append(c.tables, table)
}

func qualified(dst, table, column []byte) []byte {
	return append(append(append(dst, table...), '.'), column...)
}

// Cut cuts a statement that inserts one row into the pairs that it would have if it had names: those that it has, or
// those of the statement that created the table, or numbers. What is NULL has none.
//
//	INSERT INTO readings VALUES(1,'wind',39.83);
func (c *Inserts) Cut(dst []Pair, line []byte) (pairs []Pair, ok bool) {
	c.line, c.at, c.names = line, 0, c.names[:0]
	if !c.words("INSERT", "INTO") {
		return dst, false
	}
	table := c.name()
	if len(table) == 0 || len(table) > longestTable {
		return dst, false
	}
	columns, isListed := c.columns(table)
	if !isListed || !c.words("VALUES") {
		return dst, false
	}
	if c.blanks(); !c.sign('(') {
		return dst, false
	}
	for i := 0; ; i++ {
		c.blanks()
		from := c.at
		c.passValue()
		value := ascii.Span{From: from, To: len(bytes.TrimRight(line[:c.at], " "))}
		if value.From >= value.To || len(dst) == maxPairs {
			return dst, false
		}
		name := NumberedName(i)
		if i < len(columns) {
			name = columns[i]
		}
		dst = appendValue(dst, name, value, line)
		if c.sign(')') {
			break
		}
		if !c.sign(',') {
			return dst, false
		}
	}
	c.blanks()
	c.sign(';')
	return dst, c.at == len(line) && len(dst) > 0
}

func appendValue(dst []Pair, name []byte, value ascii.Span, line []byte) []Pair {
	text := value.Of(line)
	switch last := len(text) - 1; {
	case lineclass.IsWord(text, "null"):
		return dst
	case text[0] == '\'' && last > 0 && text[last] == '\'':
		return append(dst, Pair{name, ascii.Span{From: value.From + 1, To: value.To - 1}, AsQuoted})
	}
	return append(dst, Pair{name, value, asRead})
}

// columns returns the names of the columns of a statement, if they are known. It is not ok if what should be their
// list is none.
func (c *Inserts) columns(table []byte) (columns [][]byte, ok bool) {
	if c.blanks(); !c.sign('(') {
		for i := range c.tables {
			if bytes.Equal(c.tables[i].name, table) {
				return c.tables[i].columns, true
			}
		}
		return nil, true
	}
	c.listed = c.listed[:0]
	for {
		c.blanks()
		name := c.name()
		if len(name) == 0 || len(c.listed) == maxPairs {
			return nil, false
		}
		from := len(c.names)
		c.names = qualified(c.names, table, name)
		c.listed = append(c.listed, c.names[from:])
		if c.blanks(); c.sign(')') {
			return c.listed, true
		}
		if !c.sign(',') {
			return nil, false
		}
	}
}

func (c *Inserts) blanks() { c.at = ascii.PastBlanks(c.line, c.at) }

func (c *Inserts) sign(sign byte) bool {
	if c.at == len(c.line) || c.line[c.at] != sign {
		return false
	}
	c.at++
	return true
}

// words steps past some words and the blanks around them, in whatever case; not past any if others come.
func (c *Inserts) words(words ...string) bool {
	at := c.at
	for _, word := range words {
		at = ascii.PastBlanks(c.line, at)
		end := at + len(word)
		if end > len(c.line) || !bytes.EqualFold(c.line[at:end], []byte(word)) || end < len(c.line) &&
			inName[c.line[end]] {
			return false
		}
		at = end
	}
	c.at = ascii.PastBlanks(c.line, at)
	return true
}

// name steps past a name, and returns it without the quotes around it.
func (c *Inserts) name() []byte {
	from := c.at
	if c.at < len(c.line) && bytes.IndexByte([]byte("\"`["), c.line[c.at]) >= 0 {
		closing := map[byte]byte{'"': '"', '`': '`', '[': ']'}[c.line[c.at]]
		n := bytes.IndexByte(c.line[from+1:], closing)
		if n < 0 {
			return nil
		}
		c.at += n + 2
		return c.line[from+1 : c.at-1]
	}
	for c.at < len(c.line) && (inName[c.line[c.at]] || c.line[c.at] >= 0x80) {
		c.at++
	}
	return c.line[from:c.at]
}

// passValue steps up to the comma or the parenthesis after a value.
func (c *Inserts) passValue() {
	for depth := 0; c.at < len(c.line); c.at++ {
		switch c.line[c.at] {
		case '\'':
			end := bytes.IndexByte(c.line[c.at+1:], '\'')
			if end < 0 {
				c.at = len(c.line)
				return
			}
			c.at += end + 1 // one that is doubled begins another string
		case '(':
			depth++
		case ')':
			if depth == 0 {
				return
			}
			depth--
		case ',':
			if depth == 0 {
				return
			}
		}
	}
}
