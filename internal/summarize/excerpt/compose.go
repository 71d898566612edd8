package excerpt

import (
	"bytes"
	"cmp"
	"math"
	"slices"
)

// Shares of a page.
const (
	mostAsked    = 0.6  // of the room, for what only the question makes worth showing: what failed comes first
	forTemplates = 0.12 // of the room, for what fills the gaps, where units repeat
	leastOfGap   = 0.5  // of the units of a gap are of one template, or it does not fill the gap
	longestGap   = 2    // templates that fill a gap
)

// Room is the cost that a page may have, and how it is measured.
type Room struct {
	Tokens float64
	Facts  float64 // of the tokens, for facts at most
	// Measure returns what a text costs, in tokens. The sum for the lines of a page is at least what all cost.
	Measure func(text []byte) float64
	Layout  Layout
	Noun    string // what a unit is called
	IsBrief bool   // nothing is shown for its place alone
}

// composer takes candidates while there is room.
type composer struct {
	*Excerpt
	room    Room
	used    float64
	asked   float64    // of used, for what the question alone made worth showing
	gap     float64    // what a gap costs; 0 in a layout without gaps
	isDone  []bool     // of the pool: taken
	costs   []float64  // of the lines of the pool; 0 of one that is not measured
	reports []report   // of the sections
	cut     candidate  // the last one, if it is cut to fit
	cutOff  *candidate // nil if none is

	measured []byte
}

// report is what a page says of a section: nothing, what its lines have in common, or facts, too.
type report struct {
	is    bool
	facts []byte
	head  float64 // what it costs to say which section a line is of; 0 if that is not said
}

// Compose returns the page that says most in a room. It can be called again with another room.
func (e *Excerpt) Compose(room Room) *Page {
	e.end()
	e.recall.end()
	if e.looks == nil {
		e.begin()
	}
	e.pool.all = append(e.pool.all, e.answers.all...)
	e.answers.all = nil
	slices.SortFunc(e.pool.all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(b.worth(), a.worth()))
	})
	e.pool.all = slices.CompactFunc(e.pool.all, func(a, b candidate) bool { return a.place == b.place })
	e.pool.rank()
	c := composer{Excerpt: e, room: room, isDone: make([]bool, len(e.pool.all)),
		costs: make([]float64, len(e.pool.all)), reports: make([]report, len(e.looks))}
	c.gap = room.Measure(room.Layout.AppendGap(nil, &Gap{Units: 9999, Noun: "line"}))
	c.used = 2*c.gap + c.costOfRuns()
	for i := range c.reports {
		c.reports[i].head = c.costOfSection(i)
	}
	c.tellFacts()
	reserve := 0.0
	if c.gap > 0 && e.repeatsMostly() {
		reserve = forTemplates * room.Tokens
	}
	c.fill(room.Tokens-reserve, mostAsked*room.Tokens, (*candidate).totalWorth)
	if !room.IsBrief { // more answers before what nothing speaks for
		c.fill(room.Tokens-reserve, room.Tokens, (*candidate).worth)
	}
	c.close()
	order := c.order()
	gaps := c.gapsOf(order)
	left := c.fillGaps(gaps, room.Tokens-c.used)
	c.used = room.Tokens - left
	if left > c.gap && !room.IsBrief {
		c.fill(room.Tokens, room.Tokens, (*candidate).worth)
		c.close()
		order = c.order()
		gaps = c.kept(gaps, c.gapsOf(order))
	}
	if i := c.cutOne(room.Tokens); i >= 0 && !room.IsBrief {
		whole := e.pool.all[i]
		e.pool.all[i] = c.cut
		c.cutOff = &e.pool.all[i]
		c.take(i)
		order = c.order()
		gaps = c.kept(gaps, c.gapsOf(order))
		defer func() { e.pool.all[i] = whole }()
	}
	return c.page(order, gaps)
}

// tellFacts tells as many facts of each section as fit in its share of the room for facts. Larger sections have larger
// shares.
func (c *composer) tellFacts() {
	all, left := 0.0, c.room.Facts
	for i := range c.sections.all {
		if s := &c.sections.all[i]; len(s.facts) > 0 {
			all += math.Sqrt(float64(s.units()))
		}
	}
	for i := range c.sections.all {
		s := &c.sections.all[i]
		if len(s.facts) == 0 {
			continue
		}
		weight := math.Sqrt(float64(s.units()))
		share := left * weight / all
		all -= weight
		for _, facts := range s.facts {
			c.reports[i].is, c.reports[i].facts = true, facts
			if cost := c.costOfSection(i); len(facts) > 0 && cost <= share {
				left -= cost
				c.used += cost
				break
			}
			c.reports[i].is, c.reports[i].facts = false, nil
		}
	}
}

// costOfSection returns the cost of the shown part of a section, with the gap that this may open.
func (c *composer) costOfSection(i int) (cost float64) {
	s := c.section(i)
	for line := range bytes.Lines(c.room.Layout.AppendSection(nil, &s)) {
		cost += c.room.Measure(line)
	}
	if cost > 0 && len(c.looks) > 1 {
		cost += c.gap
	}
	return cost
}

// repeatsMostly reports whether most units are of sections that repeat themselves.
func (c *chooser) repeatsMostly() bool {
	n := 0
	for i := range c.looks {
		if c.looks[i].isRepeating {
			n += c.sections.all[i].units()
		}
	}
	return 2*n > c.units
}

// cutOne cuts the best candidate that does not fit to the room that is left, if that is more than
// 5 %. It returns the index of the candidate in the pool; -1 if it cut none.
func (c *composer) cutOne(room float64) int {
	const much = 0.05 // of the room
	best := -1
	for i := range c.pool.all {
		one := &c.pool.all[i]
		if !c.isDone[i] && !c.isTaken(i+1, one.place+1) && // which would go on where nothing was cut
			len(one.text) > shortestPiece/2 &&
			(best < 0 || c.pool.isBetter(one, &c.pool.all[best])) {
			best = i
		}
	}
	if best < 0 || room-c.used < much*room {
		return -1
	}
	c.cut = c.pool.all[best]
	c.cut.goes = true
	text := c.cut.text
	for size := len(text) * 3 / 4; size > shortestPiece/4; size = size * 3 / 4 {
		c.cut.text = text[:cutLen(text, size)]
		if c.used+c.costOfLine(&c.cut)+c.costAround(best)+c.room.Measure([]byte(ellipsis)) <= room {
			return best
		}
	}
	return -1
}

// fill takes candidates by worth for each byte while they fit in room. Those that only the
// question makes worth showing take at most asked. It stops at a negative worth.
func (c *composer) fill(room, asked float64, worth func(*candidate) float64) {
	byWorth := make([]int, 0, len(c.pool.all))
	for i := range c.pool.all {
		if !c.isDone[i] {
			byWorth = append(byWorth, i)
		}
	}
	slices.SortStableFunc(byWorth, func(a, b int) int {
		x, y := &c.pool.all[a], &c.pool.all[b]
		return cmp.Compare(density(worth(y), len(y.text)), density(worth(x), len(x.text)))
	})
	for _, i := range byWorth {
		one := &c.pool.all[i]
		if worth(one) < 0 {
			break
		}
		cost := c.costOf(i)
		isAsked := one.isAsked()
		if c.used+cost > room || isAsked && c.asked+cost > asked {
			continue
		}
		c.used += cost
		if isAsked {
			c.asked += cost
		}
		c.take(i)
	}
}

// take takes a candidate of the pool.
func (c *composer) take(i int) {
	one := &c.pool.all[i]
	c.isDone[i] = true
	if t := &c.reports[c.sections.of(one.n)]; t.head > 0 {
		t.is = true
	}
}

// close takes each unit that costs no more than the line of the gap in its place.
func (c *composer) close() {
	for i := range c.pool.all {
		if c.isDone[i] || c.areRecords() {
			continue
		}
		if cost := c.costOf(i); cost <= 0 {
			c.used += cost
			c.take(i)
		}
	}
}

// costOf returns the tokens that a candidate adds to the page: those of its line, and those around
// it.
func (c *composer) costOf(i int) float64 {
	if c.costs[i] == 0 {
		c.costs[i] = c.costOfLine(&c.pool.all[i])
	}
	return c.costs[i] + c.costAround(i)
}

func (c *composer) costOfLine(one *candidate) float64 {
	line := c.line(one)
	c.measured = c.room.Layout.AppendLine(c.measured[:0], &line)
	return c.room.Measure(c.measured)
}

// costAround returns the tokens for the heading of a candidate's section, and for the gap that the
// candidate opens or closes.
func (c *composer) costAround(i int) (cost float64) {
	one := &c.pool.all[i]
	if t := &c.reports[c.sections.of(one.n)]; !t.is {
		cost = t.head
	}
	if c.areRecords() {
		return cost
	}
	hasBefore := c.isTaken(i-1, one.place-1) || one.place == 0
	hasAfter := c.isTaken(i+1, one.place+1) || one.n == c.units && !one.goes
	switch {
	case hasBefore && hasAfter:
		return cost - c.gap
	case hasBefore || hasAfter:
		return cost
	}
	return cost + c.gap
}

// isTaken reports whether a candidate of the pool was taken, and stands in this place.
func (c *composer) isTaken(i, place int) bool {
	return i >= 0 && i < len(c.isDone) && c.isDone[i] && c.pool.all[i].place == place
}

// part is what a page shows at one place: a candidate, or what it says of a section before the first unit of that.
type part struct {
	one     *candidate // nil for a section
	section int
}

// order returns the taken candidates and the parts of sections that are shown, in the order of the response.
func (c *composer) order() []part {
	var order []part
	section := 0
	upTo := func(n int) {
		for ; section < len(c.reports) && c.sections.all[section].from <= n; section++ {
			if c.reports[section].is {
				order = append(order, part{section: section})
			}
		}
	}
	for i, isDone := range c.isDone {
		if isDone {
			upTo(c.pool.all[i].n)
			order = append(order, part{one: &c.pool.all[i]})
		}
	}
	upTo(c.units)
	return order
}

// gap is units that a page leaves out, the first and the last.
type gap struct {
	from, to int
	filled   string
}

// gapsOf returns the gaps around the parts of a page, also empty ones: one before each, and one after all.
func (c *composer) gapsOf(order []part) []gap {
	gaps := make([]gap, 0, len(order)+1)
	next := 1
	for _, p := range order {
		n, after := 0, 0
		if p.one == nil {
			n = c.sections.all[p.section].from
			after = n
		} else {
			n = p.one.n
			after = n + 1
		}
		gaps = append(gaps, gap{from: next, to: n - 1})
		next = max(next, after)
	}
	return append(gaps, gap{from: next, to: c.units})
}

func (g *gap) units() int { return g.to - g.from + 1 }

// fillGaps adds the usual templates to gaps, the widest gap first, while they fit in room. It
// returns the room that is left.
func (c *composer) fillGaps(gaps []gap, room float64) float64 {
	if c.areRecords() || c.gap == 0 {
		return room
	}
	bySize := make([]*gap, 0, len(gaps))
	for i := range gaps {
		g := &gaps[i]
		if g.units() >= leastRepeating && !c.hasRun(g) && c.looks[c.sections.of(g.from)].isRepeating {
			bySize = append(bySize, &gaps[i])
		}
	}
	slices.SortStableFunc(bySize, func(a, b *gap) int { return cmp.Compare(b.units(), a.units()) })
	for _, g := range bySize {
		filled := c.fillingOf(g)
		cost := c.room.Measure([]byte(": " + filled))
		if filled != "" && cost <= room {
			g.filled = filled
			room -= cost
		}
	}
	return room
}

// fillingOf returns the templates that fill most of a gap; empty if none do.
func (c *composer) fillingOf(g *gap) string {
	counts := map[int16]int{}
	for n := g.from; n <= min(g.to, len(c.of)); n++ {
		counts[c.of[n-1]]++
	}
	type filling struct {
		index int16
		count int
	}
	var all []filling
	for index, count := range counts {
		if index > 0 && c.templates[index-1].count >= leastRepeating && len(c.templates[index-1].text) > 2 {
			all = append(all, filling{index, count})
		}
	}
	slices.SortFunc(all, func(a, b filling) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.index, b.index))
	})
	said, n := "", 0
	for _, f := range all[:min(len(all), longestGap)] {
		if said != "" {
			said += ", "
		}
		said += string(bytes.TrimSpace([]byte(c.templates[f.index-1].text)))
		n += f.count
	}
	if float64(n) < leastOfGap*float64(g.units()) {
		return ""
	}
	return said
}

// kept copies the templates of earlier gaps to the gaps that remain of them: to the widest one, if
// the templates still fill it and cost no more.
func (c *composer) kept(before, now []gap) []gap {
	at := 0
	for _, was := range before {
		var left *gap
		for ; at < len(now) && now[at].to <= was.to; at++ {
			if left == nil || now[at].units() > left.units() {
				left = &now[at]
			}
		}
		if was.filled == "" || left == nil || left.units() < leastRepeating || c.hasRun(left) {
			continue
		}
		if filled := c.fillingOf(left); c.room.Measure([]byte(filled)) <= c.room.Measure([]byte(was.filled)) {
			left.filled = filled
		}
	}
	return now
}

// widestOf returns the gap of the most units, the first of several; the zero gap if none has any.
func widestOf(gaps []gap) (widest gap) {
	for _, g := range gaps {
		if g.units() > 0 && (widest.from == 0 || g.units() > widest.units()) {
			widest = g
		}
	}
	return widest
}
