// Package truth holds what kfw says against what is true.
//
// A shape generates a response from a seed, and with it what is true of it. ParseFrames and
// ParseText read what kfw said of the response, each statement with its form: in frames, in text that
// is shown as it comes, and on a page. Judge returns the statements that are false. Of a page, that is
// all of it: each line is a fact, or the line of its number, or a gap, and with the gaps they are all
// lines of the response. The forms of all statements stand in internal/truth/statements.md: a form that
// is not in that table is an error of the reader.
package truth

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Response is a generated response and what is true of it.
type Response struct {
	Shape string
	Seed  uint64
	Input []byte
	Exit  int  // of the program that wrote it
	Fails bool // its source can't be read on at its end

	// Chunks are the chunks as kfw numbers them from 1: lines, or JSON values. Redacted.
	Chunks  []string
	IsLines bool
	// AsIs are the chunks with their blobs, which have labels in Chunks; nil if there are none. Blobs counts the labels.
	AsIs  []string
	Blobs map[int]int
	// Paths are where chunks stood in the only document, which was opened; nil if none was.
	Paths []string
	// Redacted counts the matches by rule.
	Redacted    map[string]int
	Texts       map[int]bool // chunks that are lines among records
	Broken      map[int]bool // lines of the response that are said to be broken JSON
	HasSections bool         // it has parts that only a page tells apart
	IsUneven    bool         // some records have several lines, so that numbers of chunks are none of lines

	Records View         // of JSON: the values themselves, one a chunk
	At      string       // where the records of the only chunk are
	Inner   View         // those records
	Around  View         // what is around them, as one record
	Rows    View         // the rows of a table among lines
	Columns []string     // of that table, in order
	Headers map[int]bool // chunks that are a header of it
	Keys    View         // lines that are a name and its value, or have pairs
	// Unordered are the fields whose values have no order and no sum: versions, codes, mixed units.
	Unordered map[string]bool
	Commas    bool // the comma is that of a fraction

	Failures map[int]bool // chunks that report one, or belong to such a report
	Lines
}

// Lines is what is true of lines.
type Lines struct {
	Times    []Time         // the time of each line that has one, in the order of the lines
	Levels   map[int]string // of each line that has one
	Owners   map[int][]int  // chunks that may stand over a chunk as what it belongs to
	Joined   map[int]bool   // chunks that belong to the one before
	Traces   int
	Framed   int          // lines of all traces
	IsDrawn  map[int]bool // chunks that are no first or last line: blank, drawn, closing
	Outlined map[int]Outlined
	InHunks  map[int]bool   // chunks that are counted as lines of a hunk
	Total    map[string]int // "files", "commits"
}

// Outlined is what is true of a line that others belong to: of the file in a diff, of the hit in a file.
type Outlined struct {
	Is     string
	Counts map[string]int // "added", "removed", "hits"
}

// View is a list of records and their values by path.
type View []Record

// Record is one record, or one line with names and values.
type Record struct {
	Chunk  int
	Values []Value
}

// Value is one value at a path of a record.
type Value struct {
	Path string
	Raw  string // JSON
}

// Time is the time of a line.
type Time struct {
	Chunk int
	Text  string
	At    time.Time
}

// in returns the records of a view that are in a range of chunks.
func (v View) in(first, last int) (of View) {
	for _, r := range v {
		if first <= r.Chunk && r.Chunk <= last {
			of = append(of, r)
		}
	}
	return of
}

// at returns the values at a path, with the index of their record.
func (v View) at(path string) (values []placed) {
	for i, r := range v {
		for _, value := range r.Values {
			if value.Path == path {
				values = append(values, placed{value.Raw, i})
			}
		}
	}
	return values
}

// paths returns the paths of all values.
func (v View) paths() map[string]bool {
	all := map[string]bool{}
	for _, r := range v {
		for _, value := range r.Values {
			all[value.Path] = true
		}
	}
	return all
}

type placed struct {
	raw    string
	record int
}

// builder writes a response of lines.
type builder struct {
	*rand.Rand
	Response
	clock time.Time
}

func newBuilder(r *rand.Rand) *builder {
	return &builder{Rand: r, Response: Response{
		IsLines: true, Redacted: map[string]int{}, Headers: map[int]bool{}, Failures: map[int]bool{},
		Lines: Lines{Levels: map[int]string{}, Owners: map[int][]int{},
			Joined: map[int]bool{}, IsDrawn: map[int]bool{}, Outlined: map[int]Outlined{}, InHunks: map[int]bool{},
			Total: map[string]int{}},
	}, clock: time.Date(2026, time.Month(1+r.IntN(12)), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60), 0, time.UTC)}
}

// line adds a line and returns its number.
func (b *builder) line(format string, args ...any) int {
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	b.Chunks = append(b.Chunks, text)
	b.Input = append(append(b.Input, text...), '\n')
	if strings.TrimSpace(text) == "" {
		b.IsDrawn[len(b.Chunks)] = true
	}
	return len(b.Chunks)
}

// next returns the number of the line that comes next.
func (b *builder) next() int { return len(b.Chunks) + 1 }

// times says that the next line has that time.
func (b *builder) timed(text string, at time.Time) {
	b.Times = append(b.Times, Time{b.next(), text, at})
}

// row says that the next line is a row, of which the cells are in the order of Columns.
func (b *builder) row(cells ...string) {
	r := Record{Chunk: b.next()}
	for i, c := range cells {
		r.Values = append(r.Values, Value{b.Columns[i], scalarOf(c)})
	}
	b.Rows = append(b.Rows, r)
}

// keys says that the next line has names and their values.
func (b *builder) keys(namesAndValues ...string) {
	r := Record{Chunk: b.next()}
	for i := 0; i < len(namesAndValues); i += 2 {
		r.Values = append(r.Values, Value{namesAndValues[i], quoted(namesAndValues[i+1])})
	}
	b.Keys = append(b.Keys, r)
}

// done returns the response.
func (b *builder) done() Response { return b.Response }

// pick returns one of the values.
func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// chance reports true once in n times.
func (b *builder) chance(n int) bool { return b.IntN(n) == 0 }

// between returns a number from low to high.
func (b *builder) between(low, high int) int { return low + b.IntN(high-low+1) }

// tick moves the clock forward.
func (b *builder) tick(most time.Duration) time.Time {
	b.clock = b.clock.Add(time.Duration(b.Int64N(int64(most) + 1)))
	return b.clock
}

// scalarOf returns a cell of a table of lines as JSON: a number if it is one as JSON has them.
func scalarOf(cell string) string {
	if cell != "" && (cell[0] == '-' || isDigit(cell[0])) && json.Valid([]byte(cell)) {
		return cell
	}
	return quoted(cell)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// quoted returns a text as a JSON string, with no more escapes than it needs.
func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a string has JSON
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// member is a member of an object of a JSON response.
type member struct {
	name  string
	value any // object, []any, or a scalar
}

// object is a JSON object whose members keep their order.
type object []member

// jsonOf writes a value. blank is written after commas and colons.
func jsonOf(value any, blank string) string {
	var b strings.Builder
	var write func(any)
	write = func(value any) {
		switch v := value.(type) {
		case object:
			b.WriteByte('{')
			for i, m := range v {
				if i > 0 {
					b.WriteString("," + blank)
				}
				b.WriteString(quoted(m.name) + ":" + blank)
				write(m.value)
			}
			b.WriteByte('}')
		case []any:
			b.WriteByte('[')
			for i, e := range v {
				if i > 0 {
					b.WriteString("," + blank)
				}
				write(e)
			}
			b.WriteByte(']')
		default:
			b.WriteString(rawOf(v))
		}
	}
	write(value)
	return b.String()
}

// literal is a scalar as JSON.
type literal string

// rawOf returns a scalar as JSON.
func rawOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case literal:
		return string(v)
	case string:
		return quoted(v)
	}
	return fmt.Sprint(value) // of an int or a bool
}

// recordOf returns the values of a JSON value with their paths.
func recordOf(chunk int, value any) Record {
	r := Record{Chunk: chunk}
	var add func(path string, value any)
	add = func(path string, value any) {
		switch v := value.(type) {
		case object:
			if len(v) == 0 {
				r.Values = append(r.Values, Value{path, "{}"})
			}
			for _, m := range v {
				add(strings.TrimPrefix(path+"."+m.name, "."), m.value)
			}
		case []any:
			if len(v) == 0 {
				r.Values = append(r.Values, Value{path, "[]"})
			}
			for _, e := range v {
				add(path+"[]", e)
			}
		default:
			r.Values = append(r.Values, Value{path, rawOf(v)})
		}
	}
	add("", value)
	return r
}

// Shape generates responses of one kind.
type Shape struct {
	Name     string
	Generate func(*rand.Rand) Response
}

// Generate returns the response of a seed. Equal seeds give equal responses.
func Generate(seed uint64) Response {
	r := rand.New(rand.NewPCG(seed, 41))
	shape := shapes[seed%uint64(len(shapes))]
	response := shape.Generate(r)
	response.Shape, response.Seed = shape.Name, seed
	response.Fails = response.Exit == 0 && r.IntN(8) == 0
	return response
}

// Names returns the names of all shapes.
func Names() (names []string) {
	for _, s := range shapes {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	return names
}
