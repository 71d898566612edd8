package truth

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// Said is one frame, or the same part of a text.
type Said struct {
	Mode        string // raw, table, summary, handle_only, page
	First, Last int
	IsFinal     bool

	Raw   []string // chunks as they are: JSON in frames, lines in a text
	IsRaw bool     // Raw are bytes of the response

	HasTable bool
	Table    table
	Summary
	Notables []Notable
	Omitted  []Count
	Offset   int // of the command that reads on, -1 for none
	Totals
	Warnings []string // of what the response is broken in
	Page     *Page    // of a response that does not fit
	Sections []Said   // of a page in a frame
	Failed   string   // what the response ended with, as it is said
}

// omits returns how many of a kind the frame is said to leave out.
func (s *Said) omits(kind string) int {
	for _, c := range s.Omitted {
		if c.Value == kind {
			return c.N
		}
	}
	return 0
}

// LostSource and LostExit are the code and the status that a response is to end with whose source can't be read on.
const (
	LostSource = "source_lost"
	LostExit   = 7
)

// Summary is the facts of the response, or of a window.
type Summary struct {
	HasFacts    bool     // there are facts
	Facts       []Fact   // "records", "lines", ...
	Fields      []OfName // of fields,
	Around      []OfName // of the fields around records,
	Keys        []OfName // of names in lines,
	Unclear     []OfName // of fields or keys: a text does not tell them apart
	OtherFields []string
	OtherAround []string
	Templates   []Template
}

// Totals are of the whole response.
type Totals struct {
	HasTotals  bool
	Chunks     int
	Bytes      int
	Redactions []Count
}

// Fact is one statement: a value, or counts of values.
type Fact struct {
	Name   string
	Value  string // JSON
	Counts []Count
}

// Count is a value, JSON, and how often it came.
type Count struct {
	Value string
	N     int
}

// OfName is what is said of one field, key or label.
type OfName struct {
	Name  string
	Facts []Fact
	Forms []Template // of texts
}

func (o *OfName) fact(name string) *Fact {
	for i := range o.Facts {
		if o.Facts[i].Name == name {
			return &o.Facts[i]
		}
	}
	return nil
}

// Template is how many lines are of one form, and where the first and the last of them are.
type Template struct {
	N           int
	IsEstimate  bool
	Line        string
	First, Last int // 0 where it is not said
}

// Notable is a chunk that stands out.
type Notable struct {
	Chunk int
	Why   string
	Text  string
}

type table struct {
	columns []string
	same    []Fact // what all rows have in common
	path    string
	around  []Fact
	missing string
	rows    [][]string // cells as JSON; nil for one that the record does not have
	whole   []string   // the row as a record, JSON; "" for one of cells
}

// Forms are the forms of statements that the docs list, with what is done about them.
type Forms struct {
	listed map[string]bool // true for one that is judged
	Seen   map[string]int
}

var inBackticks = regexp.MustCompile("`[^`]+`")

// ReadForms reads the table of a page of the docs: the first cell of a row is forms, each between
// backticks, and the last one says "judged" or why not.
func ReadForms(page string) (*Forms, error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	f := &Forms{listed: map[string]bool{}, Seen: map[string]int{}}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if !strings.HasPrefix(line, "| `") || len(cells) < 2 {
			continue
		}
		verdict := strings.TrimSpace(cells[len(cells)-1])
		for _, quoted := range inBackticks.FindAllString(cells[0], -1) {
			name := strings.Trim(quoted, "`")
			if _, twice := f.listed[name]; twice {
				return nil, fmt.Errorf("%s lists the form %q twice", page, name)
			}
			f.listed[name] = strings.HasPrefix(verdict, "judged")
		}
	}
	if len(f.listed) == 0 {
		return nil, fmt.Errorf("%s has no table of forms", page)
	}
	return f, nil
}

// see counts a statement of that form. It fails for a form that is not listed. The mark of an
// estimate is no part of a form.
func (f *Forms) see(group, name string) error {
	form := strings.TrimSuffix(group+name, "~")
	if _, ok := f.listed[form]; !ok {
		return fmt.Errorf("a statement of the form %q, which the docs do not list", form)
	}
	f.Seen[form]++
	return nil
}

// Listed returns the forms of the table, true for those that are judged.
func (f *Forms) Listed() map[string]bool { return f.listed }
