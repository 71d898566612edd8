package excerpt

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// Bounds of the candidates that are kept: more for each token of the room than nearly any text has, so that there are
// others where one does not fit. A line that is shown costs more than a token.
const (
	bytesPerToken  = 24
	mostBytes      = 3 << 19 // of candidates, in bytes
	someCandidates = 1000    // and one for each token
	mostCandidates = 12_000
)

// A range of a source that was asked for is shown from its beginning, if it is not much larger than the room.
const (
	mostOfRange   = 2 // times the room
	charsPerToken = 4
)

// A section repeats itself if more than these shares of its units are of templates, or of kinds, that
// come again.
const (
	mostRepeat  = 0.5
	mostOfKinds = 0.75
)

// around is how many neighbours on each side a unit gains from.
const around = 2

// candidate is a unit, or a piece of a long one.
type candidate struct {
	place  int     // in the order of the response, from 0
	n      int     // of the unit
	number int     // that is shown; n if 0
	text   []byte  // as it is shown
	own    float64 // its worth without the question
	rare   float64
	asked  float64 // what it answers of the question
	depth  int     // of its indentation, in bytes; of a heading -1
	note   note

	goes       bool // more of the unit comes
	is         bool // it goes on with the unit of the candidate before
	isRendered bool // the text is the shown part of the unit
	isBare     bool // blank, or signs alone
}

// note is what is noted of a candidate beside its text.
type note uint8

const (
	noNote   note = iota
	ofFile        // what a diff changes in the file that the unit names
	ofLength      // how many units the declaration in the unit has
)

// noteOf returns the note of a candidate; empty if it has none.
func (c *chooser) noteOf(one *candidate) string {
	switch one.note {
	case ofFile:
		return c.files.of[one.n].String()
	case ofLength:
		return c.spans.of[one.n].String()
	}
	return ""
}

// worth returns what a candidate is worth in all.
func (c *candidate) worth() float64 { return c.own + c.asked }

// totalWorth returns what a candidate is worth in all; -1 if hardly more than its place speaks for it.
func (c *candidate) totalWorth() float64 {
	if c.worth() < leastTotal {
		return -1
	}
	return c.worth()
}

// isAsked reports whether it is the question more than anything else that makes a candidate worth showing.
func (c *candidate) isAsked() bool { return c.asked > c.own }

// density is worth for each byte.
func density(worth float64, size int) float64 { return worth / (perUnit + float64(size)) }

// chooser keeps the best of the units that it sees in the second pass.
type chooser struct {
	*watched
	looks   []look // of the sections
	at      int    // the section of the current unit
	now     *look
	isRange bool // of a source, that nearly fits
	tokens  int  // of the room

	recall recall
	inLog  commits
	diffs  diffs

	place  int
	rare   float64
	under  float64 // worth that a failure gives to the next unit
	below  int     // units since the failure
	owners []candidate
	first  candidate // of the lines that are indented as the last one, since one that was not as deep
	depth  int       // of the last line
	window []candidate
	scores []float64 // what each of window has of the question itself

	alike    alike
	likeness float64 // by how much the current unit is worth less, as others read nearly so
	pool     pool
	answers  pool // candidates that the question makes worth showing, which leave room to the others
}

// look is what the units of a section are, when all of them are known.
type look struct {
	isRepeating    bool
	areFewFailures bool
	isQuoting      bool // lines that read like a failure are of source or of a text
	isDocument     bool
	isDiff         bool
	isSource       bool
	areHits        bool
	bringNumbers   bool
	learns         bool
	fence          fence
}

func (f *shape) look() look {
	return look{isRepeating: f.isRepeating(), areFewFailures: f.areFewFailures(), isQuoting: f.isQuoting(),
		isDocument: f.isDocument(), isDiff: f.isDiff(), isSource: f.isSource(), areHits: f.areHits(),
		bringNumbers: f.bringNumbers(),
		learns:       f.learns()}
}

func newChooser(w *watched, tokens int, memory Memory) chooser {
	empty := pool{mostBytes: min(tokens*bytesPerToken, mostBytes), most: min(someCandidates+tokens, mostCandidates)}
	return chooser{watched: w, tokens: tokens, recall: recall{memory: memory, most: min(tokens/ofRun, mostRuns)},
		pool: empty, answers: empty}
}

// begin begins the second pass.
func (c *chooser) begin() {
	for i := range c.sections.all {
		c.looks = append(c.looks, c.sections.all[i].look())
	}
	if len(c.looks) == 1 && c.question == nil {
		s := &c.sections.all[0]
		c.isRange = s.isSource() && !s.isDiff() && c.bytes <= mostOfRange*charsPerToken*int64(c.tokens)
	}
}

// Choose takes a unit in for the second time, in the same order.
func (c *chooser) Choose(u Unit) {
	if c.looks == nil {
		c.begin()
	}
	for c.at+1 < len(c.sections.all) && u.N > c.sections.all[c.at].to {
		c.at++
		c.under = 0
		c.recall.end() // a page says where a section begins
	}
	c.now = &c.looks[c.at]
	section := &c.sections.all[c.at]
	u.IsRecord = u.IsRecord && !c.now.isDiff
	shown := c.show(u)
	if section.label != "" {
		prefix, _ := labelLen(shown)
		shown = shown[prefix:]
	}
	if u.IsRecord {
		c.chooseRecord(u, shown)
	} else {
		c.chooseLine(u, shown)
	}
}

// chooseRecord takes in a record: the part of it that is shown, or all of it.
func (c *chooser) chooseRecord(u Unit, shown []byte) {
	c.likeness = 1
	if c.rare = c.inRecords.look(u.Text); c.rare < leastOfField {
		c.rare = 0
	}
	if c.renderRecord(u, shown) && c.units > 1 {
		return
	}
	if own := max(c.rare, c.ofPlace(u.N)); c.recall.knows(u, shown) || c.isHopeless(own) {
		c.pass()
	} else {
		c.takePieces(u, shown, own, noNote)
	}
}

// chooseLine takes in a line or a part of one.
func (c *chooser) chooseLine(u Unit, shown []byte) {
	section := &c.sections.all[c.at]
	template, note := -1, noNote
	if !u.GoesOn {
		c.diffs.see(shown)
	}
	c.words = appendWords(c.words[:0], shown[ownNumberLen(shown):])
	if c.now.learns {
		template = c.templateAgain(u.N, shown)
	}
	own := c.rate(u.N, shown, template)
	if c.inLog.see(shown) == subjectOfCommit {
		own = max(own, worthOfSubject)
	}
	if u.N == section.from && len(c.looks) > 1 {
		own = max(own, worthOfCaption)
	}
	if c.likeness = 1; !isHeading(shown) {
		c.likeness = max(1, float64(c.alike.add(c.words))/fewLike)
	}
	if change := c.files.of[u.N]; change != nil && c.now.isDiff {
		own, note = max(own, worthOfFile/float64(c.diffs.nth(shown))), ofFile
	}
	if _, isSpan := c.spans.of[u.N]; isSpan && note == noNote && c.now.isSource && !c.now.areHits {
		note = ofLength
		if shown[ownNumberLen(shown)] == ' ' || shown[ownNumberLen(shown)] == '\t' {
			own = max(own, worthOfInner)
		} else {
			own = max(own, worthOfOutermost)
		}
	}
	own = c.spread(shown, own, template)
	if c.rare > 0 {
		c.giveFirst(shown, own)
	}
	isKnown := c.recall.knows(u, shown)
	if c.now.areFewFailures && !u.GoesOn && !isKnown {
		c.follow(u.N, u.Number, shown)
	}
	if c.isRange {
		own = density(1, 0) * (perUnit + float64(len(shown))) * float64(2*c.units-u.N) / float64(c.units) * worthOfRange
	} else {
		own += c.ofPlace(u.N)
	}
	own = c.ofDiff(own, shown, note == ofFile)
	if isKnown || c.isHopeless(own) {
		c.pass()
	} else {
		c.takePieces(u, shown, own, note)
	}
}

// spread gives of the worth of a line to the lines that it belongs to, and returns what it is worth under a failure.
func (c *chooser) spread(shown []byte, own float64, template int) float64 {
	isUsual := c.now.isRepeating && template >= 0 && c.templates[template].count >= leastRepeating
	switch {
	case own > worthOfVerdict && c.now.areFewFailures:
		c.giveAbove(own)
		c.under, c.below = own*underFailure, 0
	case own >= worthOfRare && c.now.isRepeating && len(c.owners) > 0 && c.owners[0].depth < 0:
		c.giveHeading(own)
		c.under = 0
	case isUsual && c.below >= closeUnder || c.under < leastUnder:
		c.under = 0 // what failed has ended
	case !isBare(shown):
		own, c.under = max(own, c.under), c.under*underFailure
		c.below++
	}
	return own
}

// takePieces takes a unit in, a long one in pieces.
func (c *chooser) takePieces(u Unit, shown []byte, own float64, note note) {
	isFirst := true
	for rest := shown; isFirst || len(rest) > 0; isFirst = false {
		size := pieceLen(rest)
		piece := rest[:size]
		rest = rest[size:]
		if size < len(shown) && c.recall.isKnown(u.N, piece) {
			c.pass()
			continue
		}
		worth, isInner := own, !isFirst && len(rest) > 0
		if size < len(shown) && !u.IsRecord && c.now.areFewFailures && mentionIn(piece) == aFailure {
			worth = max(worth, worthOfFailure)
		} else if isInner { // what made the unit worth showing stands at an end
			worth = min(worth, worthOfRare)
		}
		c.take(candidate{n: u.N, number: u.Number, text: piece, goes: len(rest) > 0, is: !isFirst || u.GoesOn, own: worth,
			rare: c.rare, isBare: isBare(piece), note: note})
	}
}

// isHopeless reports whether a unit that is worth so much has no place among the candidates, however short it is and
// whatever its neighbours answer.
func (c *chooser) isHopeless(own float64) bool {
	if c.question != nil || !c.pool.isFull() {
		return false
	}
	least := &c.pool.all[0]
	return density(own, 0) < density(least.worth(), len(least.text))
}

// renderRecord takes the shown part of a long record in place of the record, unless it has words of the question, and
// reports whether it did.
func (c *chooser) renderRecord(u Unit, shown []byte) (isRendered bool) {
	isFew, isLong := c.inRecords.areFew(), len(shown) > longLine
	if !isFew && !isLong {
		return false
	}
	if c.places = c.question.Find(c.places[:0], shown); len(c.places) > 0 && c.units > 1 && !(isFew && isLong) {
		return false
	}
	ofPlace := c.ofPlace(u.N)
	if own := max(ofPlace, c.rare); c.isHopeless(own) {
		c.pass()
		return true
	}
	c.inRecords.lines(func(line []byte, surprise float64) {
		if !isFew {
			line = append(keyOf(u), line...)
		}
		line = OneLine(line)
		cut := line[:cutLen(line, longLine)]
		if isRendered = true; !c.recall.isKnown(u.N, cut) {
			c.take(candidate{n: u.N, number: u.Number, text: cut, own: max(ofPlace, surprise), rare: surprise,
				goes: len(line) > longLine, isRendered: true})
		}
	})
	if isRendered {
		c.rare = 0
	}
	return isRendered
}

// keyOf returns the key of a record in its parent and a colon; nil if the parent is an array.
func keyOf(u Unit) []byte {
	key := structure.LastOf(u.Path)
	if len(u.Path) == 0 || ascii.LeadingDigits(key) == len(key) {
		return nil
	}
	return append(bytes.ReplaceAll(key, []byte{'\\'}, nil), ": "...)
}

// isBare reports whether a text has hardly a letter or a digit.
func isBare(text []byte) bool {
	n := 0
	for _, c := range text {
		if byteClasses[c] != otherByte {
			if n++; n > 2 {
				return false
			}
		}
	}
	return true
}

// giveAbove gives a share of the worth of a failure to the unit above it and to its owners.
func (c *chooser) giveAbove(worth float64) {
	if n := len(c.window); n > 0 {
		c.window[n-1].own = max(c.window[n-1].own, worth*aboveFailure)
	}
	for i := range c.owners {
		one := c.owners[i]
		one.own, one.text = worth*ofOwner, c.copied(one.text)
		c.pool.add(one)
	}
	c.owners = c.owners[:0] // those of what fails next are new, or shown already
}

// giveHeading gives what a rare unit is worth to the heading that it is under.
func (c *chooser) giveHeading(worth float64) {
	one := c.owners[0]
	one.own, one.text = worth, c.copied(one.text)
	c.pool.add(one)
}

// giveFirst gives of the worth of a line to the first one of the same block, which often says what the block is of.
func (c *chooser) giveFirst(shown []byte, worth float64) {
	depth := len(shown) - len(bytes.TrimLeft(shown, " \t"))
	if depth == 0 || depth != c.first.depth || depth != c.depth {
		return
	}
	one := c.first
	one.own, one.text = worth*ofOwner, c.copied(one.text)
	c.pool.add(one)
}

// follow keeps the units that the next ones belong to: those before that are less indented, and the last heading.
func (c *chooser) follow(n, number int, shown []byte) {
	text := bytes.TrimLeft(shown, " \t")
	if len(text) == 0 {
		return
	}
	depth := len(shown) - len(text)
	if depth > c.depth && len(shown) <= longLine {
		c.first = candidate{place: c.place, n: n, number: number, depth: depth, text: append(c.first.text[:0], shown...)}
	}
	if c.depth = depth; isBare(text) {
		return
	}
	if isHeading(text) {
		depth = -1
	}
	keep := 0
	for keep < len(c.owners) && c.owners[keep].depth < depth {
		keep++
	}
	for _, one := range c.owners[keep:] {
		c.pool.spare = append(c.pool.spare, one.text)
	}
	c.owners = c.owners[:keep]
	if keep < mostOwners && len(shown) <= longLine {
		c.owners = append(c.owners, candidate{place: c.place, n: n, number: number, depth: depth, text: c.copied(shown)})
	}
}

// take takes a candidate in, whose text is lent. It goes into the pool when its neighbours are known.
func (c *chooser) take(one candidate) {
	one.place = c.place
	c.place++
	score := 0.0
	c.places = c.question.Find(c.places[:0], one.text)
	for _, p := range c.places {
		score += c.rarity(p.Word)
	}
	if one.own < worthOfVerdict { // each that failed is news
		one.own /= c.likeness
	}
	score = c.diffs.answers(score/c.likeness, one.note)
	one.text = c.copied(one.text)
	if len(c.window) == 2*around+1 {
		c.window = slices.Delete(c.window, 0, 1)
		c.scores = slices.Delete(c.scores, 0, 1)
	}
	c.window, c.scores = append(c.window, one), append(c.scores, score)
	if len(c.window) > around {
		c.settle(len(c.window) - 1 - around)
	}
}

// pass goes on to the next place, without a candidate in this one.
func (c *chooser) pass() {
	c.end()
	c.place++
}

// settle puts a candidate of the window into the pool.
func (c *chooser) settle(i int) {
	one := c.window[i]
	for j := max(0, i-around); j <= min(len(c.scores)-1, i+around); j++ {
		share := [...]float64{1, nextShare, secondShare}[max(i-j, j-i)]
		one.asked += share * c.scores[j]
	}
	if one.isBare {
		one.own, one.asked = 0, 0
	}
	c.window[i].text = nil
	if one.isAsked() {
		c.answers.add(one)
	} else {
		c.pool.add(one)
	}
}

// end puts the last candidates into the pool.
func (c *chooser) end() {
	from := max(0, len(c.window)-around)
	if len(c.window) <= around {
		from = 0
	}
	for i := from; i < len(c.window); i++ {
		c.settle(i)
	}
	c.window, c.scores = c.window[:0], c.scores[:0]
}

func (c *chooser) copied(text []byte) []byte {
	p := &c.pool
	if len(p.spare) == 0 {
		p = &c.answers
	}
	var buffer []byte
	if n := len(p.spare); n > 0 {
		buffer, p.spare = p.spare[n-1], p.spare[:n-1]
	}
	return append(buffer[:0], text...)
}
