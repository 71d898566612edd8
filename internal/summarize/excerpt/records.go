package excerpt

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/question"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
)

// Bounds of what is seen of a record.
const (
	deepestField  = 64   // levels; what is deeper is one value
	mostFields    = 4096 // of a record that its line is made of
	longestKept   = 512  // bytes of a value
	mostEmbedded  = 2    // strings within each other that are JSON
	mostNumbers   = 1024 // places whose numbers are measured
	fewRecords    = 8    // units of a response that is shown by the objects in its records
	leastOfMap    = 8    // members of an object that may be a map
	deepestMap    = 4    // levels, as each is read ahead
	longestValue  = 64   // bytes of a value that names the record; one that stands out may be longer
	mostRendered  = 3    // fields of a record that are shown as they stand out, and
	shareOfFirst  = 0.5  // have so much of the surprise of the first one
	leastOfField  = 1.5  // surprise of a field that stands out
	mostIdentity  = 2    // fields that tell which record it is
	ownOfRecord   = 0.9  // of the values of an identity are different
	constantAfter = 8    // values that are all the same
)

// records finds what stands out in records of JSON: values, names and kinds that are rare where they are, numbers far
// from the others, and rare words in strings. Elements of an array are at one place, and so are members of a map.
type records struct {
	surprise *surprise
	numbers  map[uint64]*moments

	path     []byte  // of the current value
	embedded int     // strings around it that are JSON
	fields   []field // of the current record, in the second pass
	kept     []byte  // their paths and values
	objects  int     // that have begun in the current record
	most     float64 // by how much its most surprising field surprises
	rare     float64 // by how much the last name does, up to the next scalar
	units    int

	// Where the response has few records a word of the question is as rare as it is among the objects in them.
	question  *question.Question
	places    []question.Place
	all       int         // objects
	objectsOf []objectsOf // each word of the question
}

// objectsOf is how many objects have a word in a value that is no container, or in its name.
type objectsOf struct{ count, last int }

// field is a value in a record that is no container.
type field struct {
	path, value span // in what is kept
	object      int  // the innermost one that it is in, in the order in which they begin
	surprise    float64
	asked       float64 // what it answers of the question
	isOwn       bool    // each record has another value there
	isConstant  bool    // all have the same one
}

// at is where the walk through a record is.
type at struct {
	place         uint64 // a hash of the path, without the indexes of arrays
	depth, object int
}

func (a at) member(name []byte) at {
	return at{sketch.Mix(a.place + sketch.HashWord(name, a.place)), a.depth + 1, a.object}
}

func (a at) element() at { return at{sketch.Mix(a.place + 1), a.depth + 1, a.object} }

// kinds returns the place of the kinds of the values at a place, names that of the names of members.
func (a at) kinds() uint64 { return sketch.Mix(a.place + 2) }
func (a at) names() uint64 { return sketch.Mix(a.place + 3) }

// visitor takes in the parts of a record, in order.
type visitor interface {
	name(a at, name []byte)
	scalar(a at, k jsonx.Kind, value []byte)
}

// walk visits all names and scalars of the value at a cursor, and steps past it.
func (r *records) walk(c *jsonx.Cursor, a at, v visitor) {
	k := c.Kind()
	if k < jsonx.Array || c.IsEmpty() || a.depth == deepestField {
		value := c.TakeOf(k)
		if k == jsonx.String && c.IsEscaped && r.embedded < mostEmbedded && opensContainer(value) {
			text := jsonx.AppendUnescapedKnown(nil, jsonx.Inside(value))
			if jsonx.IsContainer(text) {
				r.embedded++
				r.walk(&jsonx.Cursor{Source: text}, a, v)
				r.embedded--
				return
			}
		}
		v.scalar(a, k, value)
		return
	}
	length := len(r.path)
	if k == jsonx.Array {
		c.Enter()
		for i := 0; c.Element(); i++ {
			r.path = append(strconv.AppendInt(append(r.path[:length], '['), int64(i), 10), ']')
			r.walk(c, a.element(), v)
		}
		r.path = r.path[:length]
		return
	}
	r.objects++
	a.object = r.objects
	isMap := a.depth < deepestMap && isMap(*c)
	c.Enter()
	for {
		name, ok := c.Member()
		if !ok {
			break
		}
		if r.path = r.path[:length]; length > 0 {
			r.path = append(r.path, '.')
		}
		r.path = append(r.path, name...)
		of := a.element()
		if !isMap {
			v.name(a, name)
			of = a.member(name)
		}
		r.walk(c, of, v)
	}
	r.path = r.path[:length]
}

// opensContainer reports whether a string begins as an object or an array does.
func opensContainer(value []byte) bool { return len(value) > 2 && (value[1] == '{' || value[1] == '[') }

// isMap reports whether the object at a cursor has many members, and the first ones are containers of one kind: its
// names are data.
func isMap(c jsonx.Cursor) bool {
	c.Enter()
	first := jsonx.Null
	for i := range leastOfMap {
		if _, ok := c.Member(); !ok {
			return false
		}
		k := c.Kind()
		if k < jsonx.Array || i > 0 && k != first {
			return false
		}
		first = k
		c.Take()
	}
	return true
}

// watch takes a record in for the first time.
func (r *records) watch(record []byte) {
	r.units++
	r.path, r.objects = r.path[:0], 0
	r.walk(&jsonx.Cursor{Source: record}, at{}, (*recordWatcher)(r))
	r.all += r.objects
}

type recordWatcher records

func (w *recordWatcher) name(a at, name []byte) { w.surprise.addWord(a.names(), name) }

func (w *recordWatcher) scalar(a at, k jsonx.Kind, value []byte) {
	if w.units < fewRecords && w.question != nil {
		for _, p := range (*records)(w).find(value) {
			if of := &w.objectsOf[p.Word]; of.last != w.all+a.object {
				of.count, of.last = of.count+1, w.all+a.object
			}
		}
	}
	w.surprise.addWord(a.kinds(), []byte(k.String()))
	w.surprise.addWord(a.place, value)
	switch k {
	case jsonx.String:
		w.surprise.addText(a.place, value)
	case jsonx.Number:
		if m := w.momentsOf(a.place); m != nil {
			if x, err := strconv.ParseFloat(string(value), 64); err == nil {
				m.add(x)
			}
		}
	}
}

func (w *recordWatcher) momentsOf(place uint64) *moments {
	m := w.numbers[place]
	if m == nil && len(w.numbers) < mostNumbers {
		if w.numbers == nil {
			w.numbers = make(map[uint64]*moments)
		}
		m = new(moments)
		w.numbers[place] = m
	}
	return m
}

// find returns the words of the question in a value and the name that it has.
func (r *records) find(value []byte) []question.Place {
	name := r.path[1+bytes.LastIndexByte(r.path, '.'):]
	r.places = r.question.Find(r.question.Find(r.places[:0], name), value)
	return r.places
}

// rarity returns what a word of the question weighs in an object that has it: nothing if all have it.
func (r *records) rarity(word int) float64 {
	return r.question.Weight(word) * math.Log(float64(1+r.all)/float64(max(r.objectsOf[word].count, 1)))
}

// areFew reports whether the response has records, and is shown by the objects in them.
func (r *records) areFew() bool { return r.units > 0 && r.units < fewRecords }

// look finds the fields of a record in the second pass, and returns by how much the most surprising one surprises.
func (r *records) look(record []byte) float64 {
	r.path, r.objects, r.fields, r.kept = r.path[:0], 0, r.fields[:0], r.kept[:0]
	r.most, r.rare = 0, 0
	r.walk(&jsonx.Cursor{Source: record}, at{}, (*recordLooker)(r))
	return r.most
}

type recordLooker records

func (l *recordLooker) name(a at, name []byte) {
	l.rare = l.surprise.ofWord(a.names(), name)
}

func (l *recordLooker) scalar(a at, k jsonx.Kind, value []byte) {
	s := max(l.rare, l.surprise.ofWord(a.kinds(), []byte(k.String())), l.surprise.ofWord(a.place, value))
	l.rare = 0
	switch k {
	case jsonx.String:
		s = max(s, l.surprise.ofText(a.place, value), l.ofFailure(a.place, value))
	case jsonx.Number:
		if m := l.numbers[a.place]; m != nil {
			if x, err := strconv.ParseFloat(string(value), 64); err == nil && m.isFar(x, 0) {
				m.seen++
				s = max(s, worthOfExtreme/float64(m.seen))
			}
		}
	}
	l.most = max(l.most, s)
	if len(l.fields) == mostFields {
		return
	}
	asked := 0.0
	if l.question != nil && (*records)(l).areFew() {
		for _, p := range (*records)(l).find(value) {
			asked += (*records)(l).rarity(p.Word)
		}
	}
	in := l.surprise.context(a.place)
	l.fields = append(l.fields, field{path: (*records)(l).keep(l.path), value: (*records)(l).keep(value),
		object: a.object, surprise: s, asked: asked,
		isOwn:      in != nil && float64(in.fresh) >= ownOfRecord*float64(in.all),
		isConstant: in != nil && in.fresh == 1 && in.all >= constantAfter})
}

// ofFailure returns how much a string surprises that reports a failure, where most do not.
func (l *recordLooker) ofFailure(place uint64, value []byte) (of float64) {
	l.surprise.in(place, sketch.Hash(value), func(in *context, word uint64) {
		came := l.surprise.counts.Count(word)
		if (in.all < leastInContext || 2*came <= int(in.all)) && mentionIn(jsonx.Inside(value)) == aFailure {
			of = worthOfExtreme / l.surprise.nth(word, came)
		}
	})
	return of
}

// lines calls yield with the shown part of the current record: one line, or, where the response has few, one for each
// object in it that stands out or answers something of the question.
func (r *records) lines(yield func(line []byte, surprise float64)) {
	if !r.areFew() {
		yield(r.appendLine(nil, r.fields))
		return
	}
	byObject := slices.Clone(r.fields)
	slices.SortStableFunc(byObject, func(a, b field) int { return cmp.Compare(a.object, b.object) })
	for len(byObject) > 0 {
		n, asked := 0, 0.0
		for n < len(byObject) && byObject[n].object == byObject[0].object {
			asked = max(asked, byObject[n].asked)
			n++
		}
		if line, s := r.appendLine(nil, byObject[:n]); s >= leastOfField || asked >= leastOfField {
			yield(line, s)
		}
		byObject = byObject[n:]
	}
}

// appendLine appends fields of a record while there is room, in this order: fields that answer the
// question, outliers, fields that identify the record, others. It returns the surprise of the first
// outlier.
func (r *records) appendLine(dst []byte, fields []field) (line []byte, surprise float64) {
	order := make([]int, len(fields))
	for i := range order {
		order[i] = i
	}
	var chosen []int
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(fields[b].asked, fields[a].asked) })
	for _, i := range order[:min(len(order), mostRendered)] {
		if a := fields[i].asked; a >= leastOfField && a >= shareOfFirst*fields[order[0]].asked {
			chosen = append(chosen, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(fields[b].surprise, fields[a].surprise) })
	for _, i := range order[:min(len(order), mostRendered)] {
		if slices.Contains(chosen, i) {
			continue
		}
		if s := fields[i].surprise; s >= leastOfField && s >= shareOfFirst*fields[order[0]].surprise {
			chosen = append(chosen, i)
		}
	}
	object := 0
	if len(chosen) > 0 {
		object = fields[chosen[0]].object
		surprise = fields[order[0]].surprise
	}
	isShort := func(f *field) bool { return f.value.to-f.value.from <= longestValue }
	named := 0
	for _, isNamed := range []bool{true, false} {
		for i := range fields {
			f := &fields[i]
			if named < mostIdentity && f.isOwn && isShort(f) && isNamed == namesRecord(r.of(f.path)) &&
				(object == 0 || f.object <= object) && !slices.Contains(chosen, i) {
				chosen = append(chosen, i)
				named++
			}
		}
	}
	size := 0
	for _, i := range chosen {
		size += fields[i].size()
	}
	for i := range fields {
		f := &fields[i]
		value := r.of(f.value)
		saysNothing := f.isConstant || string(value) == "null" || string(value) == `""`
		if !saysNothing && isShort(f) && size+f.size() <= longLine && !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
			size += f.size()
		}
	}
	for i := range fields { // of long ones the beginning
		f := &fields[i]
		if left := longLine - size - (f.size() - (f.value.to - f.value.from)); !isShort(f) && left >= shortestPiece/2 &&
			!slices.Contains(chosen, i) {
			chosen = append(chosen, i)
			size += f.size()
		}
	}
	prefix := r.commonPrefix(fields, chosen)
	if prefix > 0 {
		at := fields[chosen[0]].path.from
		dst = append(append(dst, bytes.TrimSuffix(r.kept[at:at+prefix], []byte{'.'})...), ": "...)
	}
	for n, i := range chosen {
		if n > 0 {
			dst = append(dst, ' ')
		}
		f := &fields[i]
		if name := r.kept[f.path.from+prefix : f.path.to]; len(name) > 0 {
			dst = append(append(dst, name...), '=')
		}
		dst = appendValue(dst, r.of(f.value))
	}
	return dst, surprise
}

// keep copies a part of the current record.
func (r *records) keep(part []byte) span {
	from := len(r.kept)
	r.kept = append(r.kept, part[:min(len(part), longestKept)]...)
	return span{from, len(r.kept)}
}

// of returns a part that is kept.
func (r *records) of(s span) []byte { return r.kept[s.from:s.to] }

func (f *field) size() int { return f.path.to - f.path.from + f.value.to - f.value.from + len("= ") }

// commonPrefix returns the length of the path that all chosen fields are under, up to a dot.
func (r *records) commonPrefix(fields []field, chosen []int) int {
	if len(chosen) < 2 {
		return 0
	}
	first := r.of(fields[chosen[0]].path)
	n := len(first)
	for _, i := range chosen[1:] {
		path := r.of(fields[i].path)
		n = min(n, len(path))
		for j := range n {
			if path[j] != first[j] {
				n = j
				break
			}
		}
	}
	return 1 + bytes.LastIndexByte(first[:n], '.')
}

// appendValue appends a value: a string without its quotes, if it is one word.
func appendValue(dst, value []byte) []byte {
	if value[0] == '"' && len(value) > 2 && bytes.IndexByte(value, ' ') < 0 && bytes.IndexByte(value, '\\') < 0 {
		value = jsonx.Inside(value)
	}
	return append(dst, value...)
}

// namesRecord reports whether a path is that of what identifies a record by its name.
func namesRecord(path []byte) bool {
	name := bytes.ToLower(path[1+bytes.LastIndexByte(path, '.'):])
	for _, of := range [...]string{"id", "name", "key", "title", "path", "url", "number"} {
		if bytes.HasSuffix(name, []byte(of)) {
			return true
		}
	}
	return false
}
