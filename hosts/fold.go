package hosts

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

const (
	// mostFolded is how large a list is that is left as it is in a result that is too long, in bytes.
	mostFolded = 2000
	// mostFoldDepth is how deep lists and objects are looked at, each for itself.
	mostFoldDepth = 12
	// mostItems is how many items of content are shown one by one, those that are text.
	mostItems = 64
	// mostBesides is how long a string may be that stays beside the text in an element, in bytes.
	mostBesides = 100
)

// fold puts one text in the place of each long list of a response that is answered in place, so that the list can be
// shortened as a whole: a list of strings is lines, and texts of content that follow each other are one. Where the host
// takes any JSON, another list or object is a text as well. Elsewhere the text of a list of objects stands in a string
// of its first element, which is the only one then. A list stays a list, and an object an object. clean are the texts
// of the event, redacted; the answer is the same of the folded event.
func (e *Event) fold(traits Traits, redacted []string) []string {
	full := replaced(e.Response, e.Texts, redacted)
	f := folder{c: jsonx.Cursor{Source: full}, takesAny: traits.TakesAny, plain: make(map[int]bool),
		long: make(map[int]int)}
	for _, t := range e.Texts {
		f.plain[t.leaf] = f.plain[t.leaf] || t.isPlain
		if len(t.Value) > mostFolded {
			f.long[t.leaf] += len(t.Value)
		}
	}
	f.value(0)
	if len(f.folds) == 0 {
		return redacted
	}
	var response []byte
	var texts []Text
	var out []string
	at, next, less := 0, 0, 0 // bytes of full, texts of the event, leaves that there are no more
	keep := func(before int) {
		for ; next < len(e.Texts) && e.Texts[next].leaf < before; next++ {
			t := e.Texts[next]
			t.leaf -= less
			t.Value, t.isOther = redacted[next], true
			texts, out = append(texts, t), append(out, redacted[next])
		}
	}
	for _, one := range f.folds {
		keep(one.leaf)
		for next < len(e.Texts) && e.Texts[next].leaf < one.leaf+one.leaves {
			next++
		}
		response = append(append(append(response, full[at:one.begin]...), one.before...), `""`...)
		response = append(response, one.after...)
		at = one.end
		texts = append(texts, Text{Key: one.key, Value: one.text, IsBody: true, leaf: one.leaf - less + one.at, isPlain: true,
			isOther: true})
		out = append(out, one.text)
		less += one.leaves - one.at - 1 - one.rest
	}
	keep(f.leaf)
	e.Response, e.Texts, e.isChanged = append(response, full[at:]...), texts, true
	return out
}

// folded is a list, or a part of one, that is one text.
type folded struct {
	begin, end    int // in the response
	leaf, leaves  int // the first one of it, and how many it has
	text          string
	before, after string // what stands around the text in the place of the list
	key           string
	at, rest      int // leaves in before, and in after
}

// folder looks for lists that can be one text.
type folder struct {
	c        jsonx.Cursor
	leaf     int // leaves before the cursor
	takesAny bool
	plain    map[int]bool // the leaves in the places for text
	long     map[int]int  // bytes of long texts by leaf
	folds    []folded
}

// value walks the next value, which is this deep.
func (f *folder) value(depth int) {
	kind := f.c.Kind()
	if kind != jsonx.Array && kind != jsonx.Object {
		f.c.Take()
		f.leaf++
		return
	}
	inner := jsonx.Cursor{Source: f.c.Source, At: f.c.At}
	raw := inner.Take()
	if len(raw) > mostFolded && f.foldsWhole(kind, raw, depth) {
		return
	}
	if len(raw) <= mostFolded || depth == mostFoldDepth {
		f.c.At = inner.At
		f.leaf += leavesIn(raw)
		return
	}
	f.c.Enter()
	for {
		_, isThere := f.c.Entry(kind == jsonx.Object)
		if !isThere {
			return
		}
		if kind == jsonx.Object {
			f.leaf++
		}
		f.value(depth + 1)
	}
}

// foldsWhole folds a long list or object, if it can be folded, and passes it.
func (f *folder) foldsWhole(kind jsonx.Kind, raw []byte, depth int) bool {
	begin := f.c.At
	one := folded{begin: begin, end: begin + len(raw), leaf: f.leaf, leaves: leavesIn(raw), before: "[", after: "]"}
	lines, items := listed(raw, kind)
	switch {
	case lines != nil:
		one.text = strings.Join(lines, "\n") + "\n"
	case items > mostItems:
		f.items(begin + len(raw))
		return true
	case !f.takesAny:
		of, isThere := f.firstElement(raw, kind, one.leaves)
		if !isThere {
			return false
		}
		one.text, one.key, one.at, one.rest = string(raw), of.key, of.at, of.rest
		one.before, one.after = "["+of.before, of.after+"]"
	case depth == 0 && kind == jsonx.Object || f.hasPlain(one.leaf, one.leaves) || isOneString(raw, kind):
		return false
	case kind == jsonx.Object:
		one.text, one.before, one.after, one.at = string(raw), `{"kfw":`, "}", 1
	default:
		one.text = string(raw)
	}
	f.folds = append(f.folds, one)
	f.c.At, f.leaf = one.end, one.leaf+one.leaves
	return true
}

// firstElement returns the first element of a list of objects, around the string that can hold a
// text. There is none if one element is most of the list, or if the list is a few texts: those are
// shortened one by one.
func (f *folder) firstElement(raw []byte, kind jsonx.Kind, leaves int) (of folded, isThere bool) {
	if kind != jsonx.Array {
		return of, false
	}
	c := jsonx.Cursor{Source: raw}
	var first []byte
	elements := 0
	for c.Enter(); c.Element(); elements++ {
		element := c.Take()
		if element[0] != '{' || len(element) > len(raw)/2 {
			return of, false
		}
		if first == nil {
			first = element
		}
	}
	long := 0
	for i := range leaves {
		long += f.long[f.leaf+i]
	}
	if elements <= mostItems && (long > len(raw)/2 || f.hasPlain(f.leaf, leaves)) {
		return of, false
	}
	return aroundText(first)
}

// aroundText returns an object around its longest text. Other long strings become empty.
func aroundText(object []byte) (of folded, isThere bool) {
	held, best, n := -1, 0, 0
	for i, l := range leaves(object) {
		if rank := rankOf(l); rank > best {
			held, best, of.key = i, rank, l.key
		}
		n++
	}
	if held < 0 {
		return of, false
	}
	object = withLeaves(object, func(i int, l leaf) ([]byte, bool) {
		isLong := l.Type == gjson.String && !l.isName && len(l.Raw) > mostBesides
		return []byte(`""`), i == held || isLong
	})
	for i, l := range leaves(object) {
		if i == held {
			of.before, of.after = string(object[:l.Index]), string(object[l.Index+len(`""`):])
		}
	}
	of.at, of.rest = held, n-held-1
	return of, true
}

// rankOf returns how well a leaf can hold a text: 0 for one that can't.
func rankOf(l leaf) int {
	name := gjson.Parse(l.key).String()
	switch {
	case l.isName, l.Type != gjson.String, isUncounted(name):
		return 0
	case slices.Contains(bodies, name):
		return 3
	case strings.Contains(l.String(), "://"): // the host may look at an address
		return 1
	}
	return 2
}

// isOneString reports whether one string of an object is most of it.
func isOneString(raw []byte, kind jsonx.Kind) bool {
	c := jsonx.Cursor{Source: raw}
	c.Enter()
	for {
		_, isThere := c.Entry(kind == jsonx.Object)
		if !isThere {
			return false
		}
		if value := c.Take(); value[0] == '"' && len(value) > len(raw)/2 {
			return true
		}
	}
}

// hasPlain reports whether one of so many leaves has a place for text.
func (f *folder) hasPlain(leaf, leaves int) bool {
	for i := range leaves {
		if f.plain[leaf+i] {
			return true
		}
	}
	return false
}

// listed returns the strings of a list that has nothing else, or how many of its elements are texts of content.
func listed(raw []byte, kind jsonx.Kind) (lines []string, items int) {
	if kind != jsonx.Array {
		return nil, 0
	}
	c := jsonx.Cursor{Source: raw}
	c.Enter()
	isLines := true
	for c.Element() {
		element := c.Take()
		if isLines = isLines && element[0] == '"'; isLines {
			lines = append(lines, unquoted(element))
		}
		if _, isText := itemText(element); isText {
			items++
		}
	}
	if !isLines {
		lines = nil
	}
	return lines, items
}

// items folds the texts of content that follow each other, up to the end of the list.
func (f *folder) items(end int) {
	var run *folded
	var text strings.Builder
	flush := func() {
		if run != nil && run.leaves > itemLeaves {
			run.text = text.String()
			f.folds = append(f.folds, *run)
		}
		run = nil
		text.Reset()
	}
	f.c.Enter()
	for f.c.Element() {
		begin := f.c.At
		element := f.c.Take()
		said, isText := itemText(element)
		if !isText {
			flush()
			f.leaf += leavesIn(element)
			continue
		}
		if run == nil {
			run = &folded{begin: begin, leaf: f.leaf, before: `{"type":"text","text":`, after: "}", key: `"text"`,
				at: itemLeaves - 1}
		}
		text.WriteString(withFeed(said))
		run.end = f.c.At
		run.leaves += itemLeaves
		f.leaf += itemLeaves
	}
	flush()
	f.c.At = end
}

// itemLeaves is how many leaves a text of content has that has nothing beside it: two names, a type and the text.
const itemLeaves = 4

// itemText returns the text of an item of content that has nothing beside it.
func itemText(item []byte) (text string, isText bool) {
	if item[0] != '{' {
		return "", false
	}
	c := jsonx.Cursor{Source: item}
	c.Enter()
	members := 0
	isKind := false
	for {
		name, isThere := c.Member()
		if !isThere {
			return text, isText && isKind && members == itemLeaves/2
		}
		members++
		switch value := c.Take(); {
		case string(name) == "type":
			isKind = string(value) == `"text"`
		case string(name) == "text" && value[0] == '"':
			text, isText = unquoted(value), true
		}
	}
}

// unquoted returns what a JSON string says.
func unquoted(value []byte) string { return string(jsonx.AppendUnescaped(nil, jsonx.Inside(value))) }
