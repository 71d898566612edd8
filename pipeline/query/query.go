package query

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/lazy"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
)

// path is one into a record, in gjson syntax, with what a summary writes besides: [] for each
// element, * for each member, ** and [**] for those of a tree.
type path struct {
	text   string // as it was given
	query  string // as gjson takes it
	plain  string // without queries, #(a=="b") as #: what has to be there for the path to be no mistake
	many   bool   // it goes through all elements of an array, or those that a query finds
	isWild bool   // it goes through members that it does not name: gjson does not find it
	names  names  // in it, nil if it counts
	source source // where it leads from
}

// source says where a path leads from: which of them holds for a response is found by Known.
type source uint8

const (
	fromRecord   source = iota // the record; dots may be those of a name
	fromExactly                // the record, as it is written: no dot is one of a name
	fromResponse               // the whole response: the path of the chunk is its beginning
	fromItself                 // what the chunk is: @key, @path, @value
)

// Field is a path whose value is shown.
type Field struct {
	path
	key []byte // a JSON string: the path, redacted like any other
}

const (
	maxQuery = 1 << 10 // bytes of a path that a caller gives
	maxTrees = 2       // in it: how many ways lead to a value grows with the depth to the power of that
)

// ParseFields takes apart lists of paths with commas between them. The error says what is wrong with one of them.
func ParseFields(lists []string, rules *redact.Rules) (fields []Field, err error) {
	for _, list := range lists {
		for list != "" || len(fields) == 0 {
			n := indexOutside(list, ",")
			for _, text := range siblings(strings.TrimSpace(list[:n])) {
				p, err := parsePath(text)
				if err != nil {
					return nil, err
				}
				fields = append(fields, Field{p, rules.Value(nil, jsonx.AppendCanonicalString(nil, text), redact.JSON)})
			}
			list = list[min(n+1, len(list)):]
		}
	}
	return fields, nil
}

// siblings returns the paths that a summary writes as one: metadata.{name,uid}.
func siblings(text string) (paths []string) {
	parent, names, found := strings.Cut(text, ".{")
	names, isClosed := strings.CutSuffix(names, "}")
	if !found || !isClosed || strings.ContainsAny(parent+names, "{}\"") {
		return []string{text}
	}
	for name := range strings.SplitSeq(names, ",") {
		paths = append(paths, parent+"."+strings.TrimSpace(name))
	}
	return paths
}

// parsePath refuses what does not lead to a value of the record but makes one: modifiers, literals, and objects and
// arrays put together (gjson calls these multipaths). Paths of lines are not needed, a line is a chunk.
func parsePath(text string) (p path, err error) {
	switch {
	case text == "":
		return p, errors.New("a path is missing")
	case len(text) > maxQuery:
		return p, fmt.Errorf("a path is longer than %d bytes", maxQuery)
	case strings.HasPrefix(text, ".."):
		return p, fmt.Errorf("path %q: begins with two dots", text)
	}
	query := eachElement(withTrees(text))
	if query != record && makesValues(query) {
		return p, fmt.Errorf("path %q: modifiers (@), literals (!) and multipaths ({ and [) are not supported", text)
	}
	p = path{text: text, query: query, plain: withoutQueries(query)}
	p.names = namesOf(query)
	if p.names.trees() > maxTrees {
		return p, fmt.Errorf("path %q: leads through more than %d trees", text, maxTrees)
	}
	p.isWild = p.plain == p.query && p.names.areWild()
	p.many = strings.Contains(p.plain, "#") || p.isWild
	return p, nil
}

// record is gjson's name for the record itself.
const record = "@this"

// element finds an index as a page writes it.
var element = lazy.Regexp(`([^\\.#])\[(\d+)\]`)

// eachElement takes a path as a page writes it, with [] for any element of an array, or its index: items[].id is
// items.#.id, and items[0].id is items.0.id. A last [] needs nothing in its place.
func eachElement(text string) string {
	if strings.Contains(text, "(") {
		return text
	}
	for strings.Contains(text, "[") && element().MatchString(text) {
		text = element().ReplaceAllString(text, "$1.$2")
	}
	for strings.Contains(text, "[].") {
		text = strings.TrimPrefix(strings.Replace(text, "[].", ".#.", 1), ".")
	}
	for strings.HasSuffix(text, "[]") {
		text = text[:len(text)-len("[]")]
	}
	return cmp.Or(text, record)
}

// treeElement is the part of a path that stands for the elements of an array, and those of the
// arrays of the same name in them.
const treeElement = "[**]"

// withTrees makes a part of its own of each [**].
func withTrees(text string) string {
	if strings.HasPrefix(text, treeElement) {
		return text
	}
	return strings.ReplaceAll(text, treeElement, "."+treeElement)
}

// makesValues errs on the side of yes, since gjson takes a path apart in more than one way.
func makesValues(text string) bool {
	for i := range len(text) {
		if i > 0 && strings.IndexByte(".|([{", text[i-1]) < 0 {
			continue
		}
		switch text[i] {
		case '{', '[':
			if after, isTree := strings.CutPrefix(text[i:], treeElement); i > 0 && isTree &&
				(after == "" || after[0] == '.') {
				continue
			}
			return true
		case '!':
			if i == 0 || text[i-1] != '(' && text[i-1] != '[' { // there it is an operator
				return true
			}
		case '@':
			name := text[i+1:]
			if end := strings.IndexFunc(name, func(r rune) bool { return r < 'a' || r > 'z' }); end >= 0 {
				name = name[:end]
			}
			if gjson.ModifierExists(name, nil) {
				return true
			}
		}
	}
	return false
}

// withoutQueries replaces every #(query) and #(query)# by #.
func withoutQueries(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		b.WriteByte(text[i])
		switch {
		case text[i] == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		case text[i] == '#' && i+1 < len(text) && (text[i+1] == '(' || text[i+1] == '['):
			i = bracketed(text, i+1) - 1
			if i+1 < len(text) && text[i+1] == '#' {
				i++
			}
		}
	}
	return b.String()
}

// bracketed is the index after what the bracket at i opens.
func bracketed(text string, i int) int {
	depth := 0
	for quoted := false; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// indexOutside is the index of the first of these characters that is neither in brackets nor after a backslash; the
// length of text if there is none.
func indexOutside(text, characters string) int {
	for i := 0; i < len(text); i++ {
		switch {
		case strings.IndexByte(characters, text[i]) >= 0:
			return i
		case text[i] == '\\':
			i++
		case text[i] == '(' || text[i] == '[':
			i = bracketed(text, i) - 1
		case text[i] == '{' && i > 0 && text[i-1] == '.':
			i += max(0, strings.IndexByte(text[i:], '}'))
		}
	}
	return len(text)
}

// of returns the value of a chunk, nothing if there is none; it is lent as long as the chunk is.
func (p *path) of(c *split.Chunk) gjson.Result {
	switch {
	case p.source == fromItself:
		return itself(p.text, c)
	case c.Kind != split.JSON:
		return gjson.Result{}
	case p.source == fromResponse:
		return p.names.fromResponse(c)
	}
	return p.in(c.Content())
}

// in returns the value in a record, nothing if there is none; it is lent as long as source is.
func (p *path) in(source []byte) gjson.Result {
	return p.find(source, p.query, p.source != fromExactly)
}

// isIn reports whether the record has what the path leads through; with joined, as names that have dots, too.
func (p *path) isIn(source []byte, joined bool) bool {
	return isThere(p.find(source, p.plain, joined), p.many)
}

// find returns what gjson finds, and what it does not: in JSON in strings, and with joined behind names with dots. In
// lists there may be both.
func (p *path) find(source []byte, query string, joined bool) gjson.Result {
	if p.isWild {
		return p.names.in(gjson.Parse(lentString(source)), joined)
	}
	value := get(source, query)
	found := isThere(value, p.many)
	if p.names == nil || found && !p.many {
		return value
	}
	if (found || !joined) && structure.NextOpening(source) < 0 {
		return value
	}
	if named := p.names.in(gjson.Parse(lentString(source)), joined); named.Exists() {
		return named
	}
	return value
}

// isLackedIn reports whether an element that the path goes through has not what the rest of the path names.
func (p *path) isLackedIn(c *split.Chunk) bool {
	if p.names == nil || p.plain != p.query || p.source == fromItself {
		return false
	}
	record := gjson.Parse(lentString(c.Content()))
	if p.source != fromResponse {
		return p.names.areLackedBy(record, p.source != fromExactly)
	}
	ways, _ := p.names.below(c.Path)
	return slices.ContainsFunc(ways, func(rest names) bool { return rest.areLackedBy(record, true) })
}

func get(source []byte, path string) gjson.Result {
	value := gjson.Parse(lentString(source))
	switch {
	case path == record:
		return value
	case value.Type != gjson.JSON: // gjson would look for a bracket within the string
		return gjson.Result{}
	}
	return gjson.Get(value.Raw, path)
}

// isThere tells a value from none. A path through the elements of an array always has a list; one with nothing in it is
// no value.
func isThere(value gjson.Result, many bool) bool {
	if !many || !value.IsArray() {
		return value.Exists() && value.Raw != ""
	}
	return anyElement(value, 0, func(gjson.Result) bool { return true })
}

// maxNested is how far arrays in arrays are looked into.
const maxNested = 16

// anyElement reports whether value is so or, if it is an array, one of its elements, and so on inwards.
func anyElement(value gjson.Result, depth int, isSo func(gjson.Result) bool) (found bool) {
	if !value.IsArray() || depth == maxNested {
		return isSo(value)
	}
	value.ForEach(func(_, element gjson.Result) bool {
		found = anyElement(element, depth+1, isSo)
		return !found
	})
	return found
}

// lentString is valid until b is written to.
func lentString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
