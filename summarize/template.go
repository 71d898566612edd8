package summarize

import (
	"bytes"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/surprise"
	"github.com/kfw-dev/kfw/summarize/value"
)

const (
	maxTemplates   = 128
	manyTemplates  = 64  // from which on lines need not begin alike
	maxTemplateLen = 256 // bytes of a template that are kept
	maxWordLen     = 48  // bytes of one word of it
	templateLeaves = 64
	leastOfLate    = 8 // lines that begin alike and have no form, for one of them to get that of a single line
	anything       = "<*>"
)

// templates groups lines by their form, in one pass, as Drain does (He, Zhu,
// Zheng, Lyu: ICWS 2017): the number of words and the first word lead to a
// leaf; in it a line joins the most similar template, and the words in which
// they differ become variables. Once there are many, a line that has no template
// in its leaf joins one that ends with the same word.
type templates struct {
	most    int // templates
	others  int // lines that came when there was no room for their template, or gave it up
	all     []template
	indexes [2]templateIndex
	changes int         // templates that came, be it in the place of another
	heading int         // the form that headings have, index + 1; 0 as long as there are few
	late    [256]uint16 // lines that came when there was no room, by their leaf
}

// templateIndex finds templates by their number of words and one of these.
type templateIndex [templateLeaves]int16 // the first template of each list, index + 1

const (
	byFirst = iota // word
	byLast
)

type template struct {
	links       [2]templateLink // in the indexes
	count       int
	first, last int // numbers of lines
	words       []templateWord
	text        []byte
	cut         bool   // lines of this form go on
	isLate      bool   // some may have come when there was no room for it
	only        []byte // its line, with one blank between words, as long as there is only one
	frees       int    // words that have become free
	key, keyed  int    // the field of those of its lines that are a name and a value, and how many are
	odd         int    // the word of the last line whose number was far out; -1 for none
	scarce      int    // and the one whose number is one of few, and hardly came
}

type templateWord struct {
	hash       uint32
	path       uint32 // hash of the path that it is in every line; 0 when there is none
	fresh      int32  // times that it was a word that had come once at most, be it elsewhere
	start, end uint16 // in text
	only       uint16 // where it begins in the only line
	variable   bool   // a variable in it was masked
	free       bool   // it differs from line to line
	hasNumber  bool   // in every line
	hasValue   bool   // in every line: a number, perhaps with a 0 before it, or several, of which it is the greatest
	isUneven   bool   // the number has not as many decimals in every line
	hasNumeral bool   // some word in its place begins with a digit, where it is free
	endsInZero bool   // some fraction of it has two digits or more and ends with 0: 1.10
	isMany     bool   // there are too many different numbers to be counted
	decimals   uint8
	low, high  float64     // between which its number is
	sum        float64     // of the numbers
	typical    [2]float64  // the least and the greatest without those that are far out
	farOut     *farNumbers // those; nil as long as there is none
	few        *fewNumbers // the numbers, from when there is more than one until there are many
	fewWords   *fewWords   // the words in its place, once there is more than one, until there are many
}

// add counts a line and returns the index of its template, -1 if it has none. isNew says that it is the first of
// its form.
func (t *templates) add(line *mask.Line, seq int) (form int, isNew bool) {
	hashes := [2]uint64{byFirst: line.HashWith(0), byLast: line.HashWith(len(line.Words) - 1)}
	best := t.mostSimilar(byFirst, hashes[byFirst], line)
	if best < 0 && len(t.all) >= manyTemplates {
		best = t.mostSimilar(byLast, hashes[byLast], line)
	}
	if best < 0 && line.IsHeading() {
		best = t.formOfHeadings()
	}
	if best >= 0 {
		t.all[best].join(line, seq)
		return best, false
	}
	if len(t.all) == t.most {
		t.others++
		return -1, true
	}
	t.all = append(t.all, newTemplate(line, seq))
	t.link(len(t.all)-1, hashes)
	return len(t.all) - 1, true
}

// link puts a template into the indexes.
func (t *templates) link(at int, hashes [2]uint64) {
	t.changes++
	for by, hash := range hashes {
		head := &t.indexes[by][hash%templateLeaves]
		t.all[at].links[by] = templateLink{hash, *head}
		*head = int16(at + 1)
	}
}

// unlink takes a template out of the indexes.
func (t *templates) unlink(at int) {
	t.changes++
	for by := range t.indexes {
		link := &t.indexes[by][t.all[at].links[by].hash%templateLeaves]
		for int(*link)-1 != at {
			link = &t.all[*link-1].links[by].next
		}
		*link = t.all[at].links[by].next
	}
}

// isLate says, of a line that has no form, whether it is to get that of a single line: when eight such lines have come that are as long
// and begin with the same word, sixteen, and so on. A log may begin with lines that never come again.
func (t *templates) isLate(line *mask.Line) bool {
	late := &t.late[line.HashWith(0)%uint64(len(t.late))]
	if *late < math.MaxUint16 {
		*late++
	}
	return *late >= leastOfLate && bits.OnesCount16(*late) == 1
}

// giveUp makes the template of the single line that came first that of another line, and returns its index, -1 if there is none.
func (t *templates) giveUp(line *mask.Line, seq int) (at int) {
	at = slices.IndexFunc(t.all, func(of template) bool { return of.count == 1 })
	if at < 0 {
		return at
	}
	t.unlink(at)
	t.all[at] = newTemplate(line, seq)
	t.all[at].isLate = true
	t.link(at, [2]uint64{byFirst: line.HashWith(0), byLast: line.HashWith(len(line.Words) - 1)})
	return at
}

// templateLink is where a template is in an index.
type templateLink struct {
	hash uint64
	next int16 // in the same list, index + 1
}

// mostSimilar returns the template with that hash in an index that is most like a line, -1 if none is.
func (t *templates) mostSimilar(by int, hash uint64, line *mask.Line) (best int) {
	best, bestScore := -1, -1
	for i := int(t.indexes[by][hash%templateLeaves]) - 1; i >= 0; i = int(t.all[i].links[by].next) - 1 {
		if t.all[i].links[by].hash != hash {
			continue
		}
		if score := t.all[i].similarity(line); score > bestScore {
			best, bestScore = i, score
		}
	}
	return best
}

// similarity is -1 when the line is of another form, otherwise it grows with
// the words they share. Words that are variables anyway tell nothing.
func (t *template) similarity(line *mask.Line) int {
	same, free, telling := 0, 0, 0
	for i := range t.words {
		w := &t.words[i]
		equal := w.hash == line.Words[i].FormHash() && !w.free
		switch {
		case w.free:
			free++
			telling++
		case equal && w.variable:
		case equal:
			same++
			telling++
		default:
			telling++
		}
	}
	score := 2*same + free
	if score < telling {
		return -1
	}
	return score
}

func newTemplate(line *mask.Line, seq int) template {
	t := template{count: 1, first: seq, last: seq, cut: line.Cut, odd: -1, scarce: -1}
	t.words = make([]templateWord, len(line.Words))
	length := 0
	for i := range line.Words {
		length += min(len(line.Word(i)), maxWordLen+len(jsonx.Ellipsis))
	}
	t.text = make([]byte, 0, min(length, maxTemplateLen+maxWordLen+len(jsonx.Ellipsis)))
	for i, w := range line.Words {
		t.words[i] = templateWord{
			hash: w.FormHash(), variable: w.Variable, low: w.Value, high: w.Value, sum: w.Value,
			typical: [2]float64{w.Value, w.Value}, hasNumber: w.HasCount(), hasValue: w.HasValue(),
			decimals: w.Number.Decimals, endsInZero: endsInZero(&w),
		}
		if w.IsPath {
			t.words[i].path = w.Hash
			t.appendWord(i, line.Line[w.From:w.To])
		} else {
			t.appendWord(i, line.Word(i))
		}
	}
	t.keepOnly(line)
	return t
}

// keepOnly keeps the line as it is, unless it is too long.
func (t *template) keepOnly(line *mask.Line) {
	length := len(line.Words)
	for _, w := range line.Words {
		length += int(w.To - w.From)
	}
	if line.Cut || length > maxTemplateLen {
		return
	}
	t.only = make([]byte, 0, length)
	for i, w := range line.Words {
		t.words[i].only = uint16(len(t.only))
		t.only = append(append(t.only, line.Line[w.From:w.To]...), ' ')
	}
}

// appendWord appends the text of word i, unless that is past the cap. After a word that is, no other has text.
func (t *template) appendWord(i int, text []byte) {
	start := len(t.text)
	if i > 0 && t.words[i-1].start == t.words[i-1].end {
		t.cut = true
	} else if len(text) > maxWordLen {
		t.text = append(append(t.text, jsonx.WholeCharacters(text, maxWordLen)...), jsonx.Ellipsis...)
	} else {
		t.text = append(t.text, text...)
	}
	if len(t.text) > maxTemplateLen {
		t.text = t.text[:start]
		t.cut = true
	}
	t.words[i].start, t.words[i].end = uint16(start), uint16(len(t.text))
}

// variesInMasked says whether lines of the form differ in what is masked alone: numbers, times and the like.
func (t *template) variesInMasked() bool {
	isFree := func(w templateWord) bool { return w.free }
	isMasked := func(w templateWord) bool { return w.variable }
	return slices.ContainsFunc(t.words, isMasked) && !slices.ContainsFunc(t.words, isFree)
}

func (t *template) word(i int) []byte { return t.text[t.words[i].start:t.words[i].end] }

// join counts the line and frees the words in which it differs.
func (t *template) join(line *mask.Line, seq int) {
	t.count++
	t.only = nil
	t.last, t.odd, t.scarce = seq, -1, -1
	t.cut = t.cut || line.Cut
	for i := range t.words {
		of := &line.Words[i]
		differs := t.words[i].hash != of.FormHash()
		if differs || t.words[i].fewWords != nil {
			t.countWord(i, of, line.Word(i), differs)
		}
		if differs {
			t.joinVariable(i, of)
			t.free(i, line.Word(i))
		} else if of.Variable || t.words[i].variable {
			t.joinVariable(i, of)
		}
	}
}

// joinAgain counts the line, which differs in its variables alone from one that has joined, and its words.
func (t *template) joinAgain(line *mask.Line, words []wordOfFew, seq int) {
	t.count++
	t.last, t.odd, t.scarce = seq, -1, -1
	for _, at := range words {
		if few := t.words[at.word].fewWords; few != nil {
			few.all[at.index].count++
		}
	}
	for left := line.Variables; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		w, of := &t.words[i], &line.Words[i]
		switch {
		case !w.hasNumber && !w.hasValue && w.path == 0:
		case w.few == nil && w.isTypical(of):
			w.sum += of.Value
		default:
			t.joinVariable(i, of)
		}
	}
}

// isPlain says whether the same line may come again without any change but to counts: none of its numbers is counted.
func (t *template) isPlain(line *mask.Line) bool {
	for left := line.Variables; left != 0; left &= left - 1 {
		if w := &t.words[bits.TrailingZeros64(left)]; w.hasNumber && !w.isMany {
			return false
		}
	}
	return true
}

// fewBytes returns how many bytes more the counts of few numbers and words take, about.
func (t *template) fewBytes() (n int) {
	for i := range t.words {
		switch w := &t.words[i]; {
		case w.hasFew():
			n += w.few.different * bytesOfNumber
		case w.fewWords.areTold():
			n += w.fewWords.bytes()
		}
	}
	return n
}

// joinVariable takes in the number or the path that word i is in another line.
func (t *template) joinVariable(i int, of *mask.Word) {
	w := &t.words[i]
	if w.path != 0 && of.IsPath && w.path != of.Hash {
		t.replace(i, []byte(mask.AnyPath))
		w.path = 0
	}
	w.hasNumber, w.hasValue = w.hasNumber && of.HasCount(), w.hasValue && of.HasValue() && !w.free
	if !w.hasNumber {
		if w.hasValue {
			t.seeNumber(i, of.Value)
		}
		return
	}
	t.countFew(w, of.Value)
	if t.count > leastOfFew && w.few != nil && w.few.times(of.Value) <= surprise.MostOfRare {
		t.scarce = i
	}
	w.isUneven = w.isUneven || w.decimals != of.Number.Decimals
	w.endsInZero = w.endsInZero || endsInZero(of)
	if w.isUneven && w.endsInZero { // versions: 1.9 comes before 1.10
		w.hasNumber, w.hasValue, w.few = false, false, nil
		return
	}
	n := of.Value
	w.sum += n
	if n < w.low {
		w.low = n
	}
	if n > w.high {
		w.high = n
	}
	t.seeNumber(i, n)
}

// endsInZero reports whether the number of a word has a fraction of two digits or more that ends with 0.
func endsInZero(w *mask.Word) bool {
	if w.Number.Decimals < 2 || w.Number.Decimals > mask.LongestCount {
		return false
	}
	tenths := math.Round(w.Value * value.ExactPowerOfTen(int(w.Number.Decimals)))
	return math.Mod(tenths, 10) == 0
}

// seeNumber finds whether the number of word i is far out.
func (t *template) seeNumber(i int, n float64) {
	w := &t.words[i]
	if (n < w.typical[0] || n > w.typical[1]) && t.isFarOut(w, n) && t.count > surprise.Learning {
		t.odd = i
	}
}

// farNumbers are numbers far from all others.
type farNumbers struct {
	count int
	all   [value.MaxIgnored + 1]float64
}

// isFarOut takes in a number outside those that are typical, and says whether it is far from them. Where more than a few are, the nearest
// ones are typical, and so are those that are not far from them then: so it is with how long things take.
func (t *template) isFarOut(w *templateWord, n float64) bool {
	if w.distance(n) <= surprise.FarOutWidths {
		w.makeTypical(n)
	} else {
		if w.farOut == nil {
			w.farOut = new(farNumbers)
		}
		w.farOut.all[w.farOut.count] = n
		w.farOut.count++
	}
	if isFirst := t.count <= surprise.Learning && w.typical[0] == w.typical[1]; isFirst && w.farOut != nil && w.farOut.count > value.MaxIgnored {
		w.takeForTypical()
	}
	for far := w.farOut; far != nil && far.count > 0; {
		nearest := 0
		for i, other := range far.all[:far.count] {
			if w.distance(other) < w.distance(far.all[nearest]) {
				nearest = i
			}
		}
		if far.count <= value.MaxIgnored && w.distance(far.all[nearest]) > surprise.FarOutWidths {
			break
		}
		w.makeTypical(far.all[nearest])
		far.count--
		far.all[nearest] = far.all[far.count]
	}
	return w.distance(n) > surprise.FarOutWidths
}

// takeForTypical makes the numbers that seem far out the typical ones, and what all before them were the one that is far out, if they are
// nearer to each other than to that: it was the first line that differs.
func (w *templateWord) takeForTypical() {
	far, first := w.farOut, w.typical[0]
	low, high := slices.Min(far.all[:far.count]), slices.Max(far.all[:far.count])
	if high-low < max(first-high, low-first) {
		w.typical = [2]float64{low, high}
		far.count, far.all[0] = 1, first
	}
}

func (w *templateWord) makeTypical(n float64) {
	w.typical = [2]float64{min(n, w.typical[0]), max(n, w.typical[1])}
}

// joinNumbers takes in the numbers of the same word of another form.
func (w *templateWord) joinNumbers(of *templateWord) {
	w.hasNumber = w.hasNumber && of.hasNumber
	w.isUneven = w.isUneven || of.isUneven || w.decimals != of.decimals
	w.low, w.high = min(w.low, of.low), max(w.high, of.high)
}

// hasFew says whether the numbers are the only variable in the word, and few enough for their counts to be told.
func (w *templateWord) hasFew() bool { return w.hasNumber && !w.free && w.few.areTold() }

// countFew counts the number of a word in the line that has joined, as long as there are few different ones.
func (t *template) countFew(w *templateWord, number float64) {
	switch {
	case w.isMany:
	case w.few != nil:
		if w.isMany = !w.few.add(number, 1); w.isMany {
			w.few = nil
		}
	case number != w.low: // which all before had
		w.few = new(fewNumbers)
		w.few.add(w.low, t.count-1)
		w.few.add(number, 1)
	}
}

// countWord counts the word that a line has in the place of word i, as long as there are few different ones.
func (t *template) countWord(i int, of *mask.Word, word []byte, differs bool) {
	w := &t.words[i]
	if !w.free && differs { // all before had the same
		t.frees++
		if first := t.word(i); len(first) > 0 && !w.variable && !isPathLike(first) && t.fewPlaces() < maxFewPlaces {
			if few := new(fewWords); few.add(w.hash, first, t.count-1) {
				w.fewWords = few
			}
		}
	}
	if w.fewWords != nil && (of.Variable || isPathLike(word) || !w.fewWords.add(of.Hash, word, 1)) {
		w.fewWords = nil
	}
}

// fewPlaces is in how many places of the form words are counted.
func (t *template) fewPlaces() (n int) {
	for i := range t.words {
		if t.words[i].fewWords != nil {
			n++
		}
	}
	return n
}

// isTypical says whether a number is one that tells nothing new.
func (w *templateWord) isTypical(of *mask.Word) bool {
	if !w.hasNumber {
		return w.hasValue && of.HasValue() && w.typical[0] <= of.Value && of.Value <= w.typical[1]
	}
	return w.hasNumber && of.HasCount() && w.decimals == of.Number.Decimals && w.typical[0] <= of.Value && of.Value <= w.typical[1]
}

// distance says how far a number is from those that are typical of the word, in spans of them.
func (w *templateWord) distance(n float64) float64 {
	low, high := w.typical[0], w.typical[1]
	return max(low-n, n-high) / max(high-low, math.Abs(high)*surprise.LeastWidth, math.SmallestNonzeroFloat64)
}

func isPathLike(word []byte) bool {
	slash := bytes.IndexByte(word, '/')
	return slash == 0 || slash > 0 && mask.IsPath(word) || string(word) == mask.AnyPath
}

// free makes word i what it has in common with other: up to a "=", ":", "(", "[", ">" or quote that they share, then a variable.
func (t *template) free(i int, other []byte) {
	text := t.word(i)
	t.words[i].hasNumeral = t.words[i].hasNumeral || beginsWithNumeral(other) ||
		!t.words[i].free && beginsWithNumeral(text)
	fixed, wasPath := len(text), isPathLike(text)
	if t.words[i].free {
		if string(text) == anything || string(text) == anyHeading || len(text) == 0 {
			return
		}
		fixed = bytes.LastIndexByte(text, '<')
		wasPath = bytes.HasSuffix(text, []byte(mask.AnyPath))
	}
	shared := 0
	for n := 0; n < min(fixed, len(other)) && text[n] == other[n]; n++ {
		if bytes.IndexByte([]byte(`=:([>"'`), text[n]) >= 0 {
			shared = n + 1
		}
	}
	variable := anything
	if wasPath && isPathLike(other[shared:]) {
		variable = mask.AnyPath
	}
	if t.words[i].free && shared == fixed && bytes.HasSuffix(text, []byte(variable)) {
		return
	}
	t.words[i].free = true
	if len(text) == 0 {
		return // it was past the cap
	}
	t.replace(i, append(bytes.Clone(text[:shared]), variable...))
}

// beginsWithNumeral reports whether a masked word begins with a number, perhaps after a bracket or quote.
func beginsWithNumeral(word []byte) bool {
	word = bytes.TrimLeft(word, `"'([`)
	return len(word) > 0 && ascii.IsDigit(word[0]) || bytes.HasPrefix(word, []byte(mask.AnyNumber))
}

// replace makes word i this one, unless it was past the cap.
func (t *template) replace(i int, by []byte) {
	if len(t.word(i)) == 0 {
		return
	}
	old := t.text
	t.text = make([]byte, 0, len(old)+len(by))
	for j := range t.words {
		word := old[t.words[j].start:t.words[j].end]
		if j == i {
			word = by
		}
		t.appendWord(j, word)
	}
}

// appendLine appends the template as a JSON string, with an ellipsis for what start says, and the counts of few numbers if that
// is asked for. A single line is told as it is.
func (t *template) appendLine(dst []byte, start commonStart, withFew bool) []byte {
	dst = append(dst, '"')
	from := 0
	if start.begins(t) {
		dst = append(dst, jsonx.Ellipsis+" "...)
		from = start.words
	}
	if len(t.only) > 0 {
		dst = jsonx.AppendCanonicalText(dst, bytes.TrimRight(t.only[t.words[from].only:], " "))
	} else {
		dst = t.appendWords(dst, from, len(t.words), withFew)
	}
	if t.cut && len(t.only) == 0 { // the only line is whole
		dst = append(dst, " "+jsonx.Ellipsis...)
	}
	return append(dst, '"')
}

// appendWords appends some words of the template as the inside of a JSON string.
func (t *template) appendWords(dst []byte, from, to int, withFew bool) []byte {
	for i := from; i < to; i++ {
		if t.words[i].start == t.words[i].end {
			continue
		}
		if i > from {
			dst = append(dst, ' ')
		}
		dst = t.appendWithNumber(dst, i, withFew)
	}
	return dst
}

// hasName says whether a word, or a part of one, with a letter in it is in all lines of a form, or one of a few.
func (t *template) hasName() bool {
	for i := range t.words {
		if t.words[i].fewWords.areTold() {
			return true
		}
		word := t.word(i)
		for len(word) > 0 {
			if word[0] == '<' {
				if end := bytes.IndexByte(word, '>'); end > 0 {
					word = word[end+1:]
					continue
				}
			}
			if ascii.IsLetter(word[0]) || word[0] >= 0x80 {
				return true
			}
			word = word[1:]
		}
	}
	return false
}

// appendWithNumber appends a word as the inside of a JSON string, and the least and the greatest number in its place if
// that is all that varies in the word: <num 3..90>, or the number that all have. With few it is each number and how often it
// came, if they have been counted: <num 200: 37, 404: 3>.
func (t *template) appendWithNumber(dst []byte, i int, withFew bool) []byte {
	w, word := &t.words[i], t.word(i)
	if withFew && w.fewWords.areTold() {
		begin := len(word) - len(anything)
		return w.fewWords.append(jsonx.AppendCanonicalText(dst, word[:begin]), begin)
	}
	before, after, found := bytes.Cut(word, []byte(mask.AnyNumber))
	if !found || !w.hasNumber || w.free || bytes.Contains(after, []byte(mask.AnyNumber)) {
		return jsonx.AppendCanonicalText(dst, word)
	}
	dst = jsonx.AppendCanonicalText(dst, before)
	switch {
	case withFew && w.hasFew():
		dst = append(w.few.append(append(dst, "<num "...)), '>')
	case w.low < w.high:
		dst = append(strconv.AppendFloat(append(dst, "<num "...), w.low, 'f', -1, 64), ".."...)
		dst = append(strconv.AppendFloat(dst, w.high, 'f', -1, 64), '>')
	case w.isUneven:
		dst = append(dst, mask.AnyNumber...)
	default:
		dst = strconv.AppendFloat(dst, w.low, 'f', int(w.decimals), 64)
	}
	return jsonx.AppendCanonicalText(dst, after)
}
