package excerpt

import (
	"bytes"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// Memory knows what the reader of a page was shown before.
type Memory interface {
	// Where returns the name of a response whose page showed unit n with this text, or showed this piece of the unit;
	// empty if none did. It does not keep text.
	Where(n int, text []byte) string
}

// Bounds of runs of units that the reader was shown before.
const (
	leastRun = 6  // units: the line that says where fewer were shown costs as much as they do
	mostRuns = 16 // on a page: more are gaps like others
	ofRun    = 60 // tokens of a page for each of its runs at least
)

// mostNames is how many responses are named that have shown what a page leaves out.
const mostNames = 3

// run is units next to each other that the reader was shown before, of one response.
type run struct {
	from, to int // numbers
	where    string
	own      int // the number that the last one brings with it; 0 for none
}

func (r *run) units() int { return r.to - r.from + 1 }

// recall follows the units that the reader was shown before: the page shows others.
type recall struct {
	memory Memory // nil if nothing is known
	most   int    // runs
	count  int    // units
	open   run    // that the last unit is of; none if where is empty
	runs   []run
	loose  int      // units of no run
	names  []string // of the responses that have shown these, as many as are named and one
}

// isKnown reports whether the reader was shown this unit, or this piece of it.
func (k *recall) isKnown(n int, text []byte) bool {
	return k.memory != nil && k.memory.Where(n, text) != ""
}

// knows reports whether the reader was shown a unit, as it is shown.
func (k *recall) knows(u Unit, shown []byte) bool {
	if k.memory == nil {
		return false
	}
	where := ""
	if len(shown) <= longLine { // else each piece is looked for
		where = k.memory.Where(u.N, shown)
	}
	own := 0
	if !u.IsRecord {
		own = OwnNumber(shown)
	}
	goesOn := where == k.open.where && u.N == k.open.to+1 && (own == 0 && k.open.own == 0 || own == k.open.own+1)
	if !goesOn || u.IsRecord { // the gap of records is at the end
		k.endRun()
		k.open = run{from: u.N, where: where}
	}
	k.open.to, k.open.own = u.N, own
	if where != "" {
		k.count++
	}
	return where != ""
}

// endRun keeps the open run if it is one of the longest.
func (k *recall) endRun() {
	one := k.open
	if one.where == "" {
		return
	}
	if len(k.runs) == k.most && k.most > 0 {
		least := 0
		for i := range k.runs {
			if k.runs[i].units() < k.runs[least].units() {
				least = i
			}
		}
		if k.runs[least].units() < one.units() {
			k.drop(k.runs[least])
			k.runs = slices.Delete(k.runs, least, least+1)
		}
	}
	if one.units() < leastRun || len(k.runs) == k.most {
		k.drop(one)
		return
	}
	k.runs = append(k.runs, one)
}

// drop makes a run units of gaps like others.
func (k *recall) drop(r run) {
	k.loose += r.units()
	if len(k.names) <= mostNames && !slices.Contains(k.names, r.where) {
		k.names = append(k.names, r.where)
	}
}

// end ends the last run.
func (k *recall) end() {
	k.endRun()
	k.open = run{}
}

// Known returns what a page says of the units that it leaves out without saying where, as the reader was shown them
// before: how many, and in which responses. It is called after the second pass.
func (c *chooser) Known(noun string) (count int, what string) {
	c.recall.end()
	count = c.recall.loose
	if count != 1 {
		noun += "s"
	}
	if what = noun + " left out, as shown in " + strings.Join(c.recall.names, ", "); len(c.recall.names) > mostNames {
		what = noun + " left out, as shown before"
	}
	return count, what
}

// Shown is a unit that a page shows, or a piece of one, as it is shown and whole.
type Shown struct {
	N    int
	Text []byte
}

// costOfRuns returns what the lines of the runs cost, each with a gap beside it.
func (c *composer) costOfRuns() (cost float64) {
	for i := range c.recall.runs {
		cost += c.gap + c.room.Measure(c.room.Layout.AppendGap(nil, c.recall.runs[i].gap(c.room.Noun)))
	}
	return cost
}

// hasRun reports whether a gap has a run in it. No unit of a run is shown, so that each is in one gap.
func (c *composer) hasRun(g *gap) bool {
	return slices.ContainsFunc(c.recall.runs, func(r run) bool { return g.from <= r.from && r.to <= g.to })
}

// parts yields the parts of a gap, some empty, each with the run that comes after it; nil after the last one.
func (c *composer) parts(g gap) iter.Seq2[gap, *run] {
	return func(yield func(gap, *run) bool) {
		for i := range c.recall.runs {
			r := &c.recall.runs[i]
			if r.from < g.from || r.to > g.to {
				continue
			}
			if !yield(gap{from: g.from, to: r.from - 1}, r) {
				return
			}
			g = gap{from: r.to + 1, to: g.to}
		}
		yield(g, nil)
	}
}

// outside returns the parts of gaps that are of no run.
func (c *composer) outside(gaps []gap) (all []gap) {
	for _, g := range gaps {
		for part := range c.parts(g) {
			all = append(all, part)
		}
	}
	return all
}

// gap returns a run as a page says it.
func (r *run) gap(noun string) *Gap { return &Gap{Units: r.units(), Noun: noun, Where: r.where} }

// OwnNumber returns the number that a line of a file brings with it, as file readers write it; 0 if it has none.
func OwnNumber(line []byte) int {
	const mostDigits = 9
	text := bytes.TrimLeft(line, " ")
	digits := ascii.LeadingDigits(text)
	if digits == 0 || digits > mostDigits || ownNumberLen(line) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(string(text[:digits]))
	return n
}

// IsRead reports whether a text is of a file whose lines bring their numbers: most are one more than the one before.
// Then a line is the same whichever range of the file was read.
func IsRead(text string) bool {
	lines, follow, last := 0, 0, 0
	for line := range strings.Lines(text) {
		n := OwnNumber([]byte(line[:min(len(line), longestPlace)]))
		if n > 0 && n == last+1 {
			follow++
		}
		lines, last = lines+1, n
	}
	return lines >= leastRun && 5*(follow+1) > 3*lines
}
