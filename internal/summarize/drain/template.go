package drain

import (
	"bytes"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// Bounds of templates.
const (
	MaxTemplates   = 128 // of a response: more tell more of it, and take more memory and time for each line
	ManyTemplates  = 64  // from which on lines need not begin alike
	MaxTemplateLen = 256 // bytes of a template that are kept
	maxWordLen     = 48  // bytes of one word of it
	templateLeaves = 64
	LeastOfLate    = 8 // lines that begin alike and have no template, for one of them to get that of a single line
	anything       = "<*>"
)

// Templates groups lines by their template, in one pass, as Drain does (He, Zhu,
// Zheng, Lyu: ICWS 2017): the number of words and the first word lead to a
// leaf; in it a line joins the most similar template, and the words in which
// they differ become variables. Once there are many, a line that has no template
// in its leaf joins one that ends with the same word.
type Templates struct {
	Most    int // templates
	Others  int // lines that came when there was no room for their template, or gave it up
	All     []Template
	indexes [2]templateIndex
	heading int         // the template that headings have, index + 1; 0 as long as there are few
	late    [256]uint16 // lines that came when there was no room, by their leaf
}

// templateIndex finds templates by their number of words and one of these.
type templateIndex [templateLeaves]int16 // the first template of each list, index + 1

// The indexes of Templates.
const (
	ByFirst = iota // by the number of words and the first word
	byLast         // by the number of words and the last word
)

// Template is the form that some lines share: its words, some of which differ from line to line, and what is
// counted of the lines that have it.
type Template struct {
	links       [2]templateLink // in the indexes
	Count       int
	First, Last int // numbers of lines
	Words       []Word
	Text        []byte
	Cut         bool   // lines of this template go on
	IsLate      bool   // some may have come when there was no room for it
	Only        []byte // its line, with one blank between words, as long as there is only one
	Key, Keyed  int    // the field of those of its lines that are a name and a value, and how many are
}

// Word is a word of a template: the same in every line, one with a variable in it, or free. Its
// numbers are those of all lines.
type Word struct {
	Hash       uint32
	path       uint32 // hash of the path that it is in every line; 0 when there is none
	start, end uint16 // in text
	variable   bool   // a variable in it was masked
	Free       bool   // it differs from line to line
	hasNumber  bool   // in every line
	isUneven   bool   // the number has not as many decimals in every line
	endsInZero bool   // some fraction of it has two digits or more and ends with 0: 1.10
	isMany     bool   // there are too many different numbers to be counted
	decimals   uint8
	Low, High  float64     // between which its number is
	Few        *fewNumbers // the numbers, from when there is more than one until there are many
	FewWords   *fewWords   // the words in its place, once there is more than one, until there are many
}

// Add counts a line and returns the index of its template, -1 if it has none. isNew says that it is the first of
// its template.
func (t *Templates) Add(line *mask.Line, seq int) (template int, isNew bool) {
	hashes := [2]uint64{ByFirst: line.HashWith(0), byLast: line.HashWith(len(line.Words) - 1)}
	best := t.MostSimilar(ByFirst, hashes[ByFirst], line)
	if best < 0 && len(t.All) >= ManyTemplates {
		best = t.MostSimilar(byLast, hashes[byLast], line)
	}
	if best < 0 && line.IsHeading() {
		best = t.formOfHeadings()
	}
	if best >= 0 {
		t.All[best].join(line, seq)
		return best, false
	}
	if len(t.All) == t.Most {
		t.Others++
		return -1, true
	}
	t.All = append(t.All, newTemplate(line, seq))
	t.link(len(t.All)-1, hashes)
	return len(t.All) - 1, true
}

// link puts a template into the indexes.
func (t *Templates) link(at int, hashes [2]uint64) {
	for by, hash := range hashes {
		head := &t.indexes[by][hash%templateLeaves]
		t.All[at].links[by] = templateLink{hash, *head}
		*head = int16(at + 1)
	}
}

// unlink takes a template out of the indexes.
func (t *Templates) unlink(at int) {
	for by := range t.indexes {
		link := &t.indexes[by][t.All[at].links[by].hash%templateLeaves]
		for int(*link)-1 != at {
			link = &t.All[*link-1].links[by].next
		}
		*link = t.All[at].links[by].next
	}
}

// IsLate says, of a line that has no template, whether it is to get that of a single line: when eight such lines have
// come that are as long and begin with the same word, sixteen, and so on. A log may begin with lines that never come
// again.
func (t *Templates) IsLate(line *mask.Line) bool {
	late := &t.late[line.HashWith(0)%uint64(len(t.late))]
	if *late < math.MaxUint16 {
		*late++
	}
	return *late >= LeastOfLate && bits.OnesCount16(*late) == 1
}

// GiveUp makes the template of the single line that came first that of another line, and returns its index, -1 if
// there is none.
func (t *Templates) GiveUp(line *mask.Line, seq int) (at int) {
	at = slices.IndexFunc(t.All, func(of Template) bool { return of.Count == 1 })
	if at < 0 {
		return at
	}
	t.unlink(at)
	t.All[at] = newTemplate(line, seq)
	t.All[at].IsLate = true
	t.link(at, [2]uint64{ByFirst: line.HashWith(0), byLast: line.HashWith(len(line.Words) - 1)})
	return at
}

// templateLink is where a template is in an index.
type templateLink struct {
	hash uint64
	next int16 // in the same list, index + 1
}

// MostSimilar returns the template with that hash in an index that is most like a line, -1 if none is.
func (t *Templates) MostSimilar(by int, hash uint64, line *mask.Line) (best int) {
	best, bestScore := -1, -1
	for i := int(t.indexes[by][hash%templateLeaves]) - 1; i >= 0; i = int(t.All[i].links[by].next) - 1 {
		if t.All[i].links[by].hash != hash {
			continue
		}
		if score := t.All[i].similarity(line); score > bestScore {
			best, bestScore = i, score
		}
	}
	return best
}

// similarity is -1 when the line is of another template: when more words differ than are the same. Otherwise it grows
// with the words they share. Words that are variables anyway tell nothing.
func (t *Template) similarity(line *mask.Line) int {
	same, differ, free := 0, 0, 0
	for i := range t.Words {
		switch w := &t.Words[i]; {
		case w.Free:
			free++
		case w.Hash != line.Words[i].FormHash():
			if differ++; differ > same+len(t.Words)-1-i {
				return -1
			}
		case !w.variable:
			same++
		}
	}
	if differ > same {
		return -1
	}
	return 2*same + free
}

func newTemplate(line *mask.Line, seq int) Template {
	t := Template{Count: 1, First: seq, Last: seq, Cut: line.Cut}
	t.Words = make([]Word, len(line.Words))
	length := 0
	for i := range line.Words {
		length += min(len(line.Word(i)), maxWordLen+len(jsonx.Ellipsis))
	}
	t.Text = make([]byte, 0, min(length, MaxTemplateLen+maxWordLen+len(jsonx.Ellipsis)))
	for i, w := range line.Words {
		t.Words[i] = Word{
			Hash: w.FormHash(), variable: w.Variable, Low: w.Value, High: w.Value,
			hasNumber: w.HasCount(),
			decimals:  w.Number.Decimals, endsInZero: endsInZero(&w),
		}
		if w.IsPath {
			t.Words[i].path = w.Hash
			t.appendWord(i, line.Line[w.From:w.To])
		} else {
			t.appendWord(i, line.Word(i))
		}
	}
	t.keepOnly(line)
	return t
}

// keepOnly keeps the line as it is, unless it is too long.
func (t *Template) keepOnly(line *mask.Line) {
	length := len(line.Words)
	for _, w := range line.Words {
		length += int(w.To - w.From)
	}
	if line.Cut || length > MaxTemplateLen {
		return
	}
	t.Only = make([]byte, 0, length)
	for _, w := range line.Words {
		t.Only = append(append(t.Only, line.Line[w.From:w.To]...), ' ')
	}
}

// appendWord appends the text of word i, unless that is past the cap. After a word that is, no other has text.
func (t *Template) appendWord(i int, text []byte) {
	start := len(t.Text)
	if i > 0 && t.Words[i-1].start == t.Words[i-1].end {
		t.Cut = true
	} else if len(text) > maxWordLen {
		t.Text = append(append(t.Text, jsonx.WholeCharacters(text, maxWordLen)...), jsonx.Ellipsis...)
	} else {
		t.Text = append(t.Text, text...)
	}
	if len(t.Text) > MaxTemplateLen {
		t.Text = t.Text[:start]
		t.Cut = true
	}
	t.Words[i].start, t.Words[i].end = uint16(start), uint16(len(t.Text))
}

// Word returns the text of word i, with its variables masked and "<*>" for what differs. It is
// shortened past 48 bytes, empty past the end of Text, and lent until the next line joins.
func (t *Template) Word(i int) []byte { return t.Text[t.Words[i].start:t.Words[i].end] }

// join counts the line and frees the words in which it differs.
func (t *Template) join(line *mask.Line, seq int) {
	t.Count++
	t.Only = nil
	t.Last = seq
	t.Cut = t.Cut || line.Cut
	for i := range t.Words {
		of := &line.Words[i]
		differs := t.Words[i].Hash != of.FormHash()
		if differs || t.Words[i].FewWords != nil {
			t.countWord(i, of, line.Word(i), differs)
		}
		if differs {
			t.joinVariable(i, of)
			t.free(i, line.Word(i))
		} else if of.Variable || t.Words[i].variable {
			t.joinVariable(i, of)
		}
	}
}

// FewBytes returns how many bytes more the counts of few numbers and words take, about.
func (t *Template) FewBytes() (n int) {
	for i := range t.Words {
		switch w := &t.Words[i]; {
		case w.hasFew():
			n += w.Few.different * bytesOfNumber
		case w.FewWords.AreUseful():
			n += w.FewWords.bytes()
		}
	}
	return n
}

// joinVariable takes in the number or the path that word i is in another line.
func (t *Template) joinVariable(i int, of *mask.Word) {
	w := &t.Words[i]
	if w.path != 0 && of.IsPath && w.path != of.Hash {
		t.replace(i, []byte(mask.AnyPath))
		w.path = 0
	}
	if w.hasNumber = w.hasNumber && of.HasCount(); !w.hasNumber {
		return
	}
	t.countFew(w, of.Value)
	w.isUneven = w.isUneven || w.decimals != of.Number.Decimals
	w.endsInZero = w.endsInZero || endsInZero(of)
	if w.isUneven && w.endsInZero { // versions: 1.9 comes before 1.10
		w.hasNumber, w.Few = false, nil
		return
	}
	n := of.Value
	if n < w.Low {
		w.Low = n
	}
	if n > w.High {
		w.High = n
	}
}

// endsInZero reports whether the number of a word has a fraction of two digits or more that ends with 0.
func endsInZero(w *mask.Word) bool {
	if w.Number.Decimals < 2 || w.Number.Decimals > mask.LongestCount {
		return false
	}
	tenths := math.Round(w.Value * value.ExactPowerOfTen(int(w.Number.Decimals)))
	return math.Mod(tenths, 10) == 0
}

// hasFew says whether the numbers are the only variable in the word, and few enough for their counts to be shown.
func (w *Word) hasFew() bool { return w.hasNumber && !w.Free && w.Few.areUseful() }

// countFew counts the number of a word in the line that has joined, as long as there are few different ones.
func (t *Template) countFew(w *Word, number float64) {
	switch {
	case w.isMany:
	case w.Few != nil:
		if w.isMany = !w.Few.add(number, 1); w.isMany {
			w.Few = nil
		}
	case number != w.Low: // which all before had
		w.Few = new(fewNumbers)
		w.Few.add(w.Low, t.Count-1)
		w.Few.add(number, 1)
	}
}

// countWord counts the word that a line has in the place of word i, as long as there are few different ones.
func (t *Template) countWord(i int, of *mask.Word, word []byte, differs bool) {
	w := &t.Words[i]
	if !w.Free && differs { // all before had the same
		if first := t.Word(i); len(first) > 0 && !w.variable && !isPathLike(first) && t.fewPlaces() < maxFewPlaces {
			if few := new(fewWords); few.add(w.Hash, first, t.Count-1) {
				w.FewWords = few
			}
		}
	}
	if w.FewWords != nil && (of.Variable || isPathLike(word) || !w.FewWords.add(of.Hash, word, 1)) {
		w.FewWords = nil
	}
}

// fewPlaces is in how many places of the template words are counted.
func (t *Template) fewPlaces() (n int) {
	for i := range t.Words {
		if t.Words[i].FewWords != nil {
			n++
		}
	}
	return n
}

func isPathLike(word []byte) bool {
	slash := bytes.IndexByte(word, '/')
	return slash == 0 || slash > 0 && mask.IsPath(word) || string(word) == mask.AnyPath
}

// free makes word i what it has in common with other: up to a "=", ":", "(", "[", ">" or quote that they share, then
// a variable.
func (t *Template) free(i int, other []byte) {
	text := t.Word(i)
	fixed, wasPath := len(text), isPathLike(text)
	if t.Words[i].Free {
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
	if t.Words[i].Free && shared == fixed && bytes.HasSuffix(text, []byte(variable)) {
		return
	}
	t.Words[i].Free = true
	if len(text) == 0 {
		return // it was past the cap
	}
	t.replace(i, append(bytes.Clone(text[:shared]), variable...))
}

// replace makes word i this one, unless it was past the cap.
func (t *Template) replace(i int, by []byte) {
	if len(t.Word(i)) == 0 {
		return
	}
	old := t.Text
	t.Text = make([]byte, 0, len(old)+len(by))
	for j := range t.Words {
		word := old[t.Words[j].start:t.Words[j].end]
		if j == i {
			word = by
		}
		t.appendWord(j, word)
	}
}

// AppendLine appends the template as a JSON string, with the counts of few numbers if that is asked for. A single line
// is shown as it is.
func (t *Template) AppendLine(dst []byte, withFew bool) []byte {
	dst = append(dst, '"')
	if len(t.Only) > 0 {
		dst = jsonx.AppendCanonicalText(dst, bytes.TrimRight(t.Only, " "))
		return append(dst, '"')
	}
	for i := range t.Words {
		if t.Words[i].start == t.Words[i].end {
			continue
		}
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = t.appendWithNumber(dst, i, withFew)
	}
	if t.Cut {
		dst = append(dst, " "+jsonx.Ellipsis...)
	}
	return append(dst, '"')
}

// HasName says whether a word, or a part of one, with a letter in it is in all lines of a template, or one of a few.
func (t *Template) HasName() bool {
	for i := range t.Words {
		if t.Words[i].FewWords.AreUseful() {
			return true
		}
		word := t.Word(i)
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

// appendWithNumber appends a word as the inside of a JSON string, and the least and the greatest number in its place
// if that is all that varies in the word: <num 3..90>, or the number that all have. With few it is each number and
// how often it came, if they have been counted: <num 200: 37, 404: 3>.
func (t *Template) appendWithNumber(dst []byte, i int, withFew bool) []byte {
	w, word := &t.Words[i], t.Word(i)
	if withFew && w.FewWords.AreUseful() {
		begin := len(word) - len(anything)
		return w.FewWords.append(jsonx.AppendCanonicalText(dst, word[:begin]), begin)
	}
	before, after, found := bytes.Cut(word, []byte(mask.AnyNumber))
	if !found || !w.hasNumber || w.Free || bytes.Contains(after, []byte(mask.AnyNumber)) {
		return jsonx.AppendCanonicalText(dst, word)
	}
	dst = jsonx.AppendCanonicalText(dst, before)
	switch {
	case withFew && w.hasFew():
		dst = append(w.Few.append(append(dst, "<num "...)), '>')
	case w.Low < w.High:
		dst = append(strconv.AppendFloat(append(dst, "<num "...), w.Low, 'f', -1, 64), ".."...)
		dst = append(strconv.AppendFloat(dst, w.High, 'f', -1, 64), '>')
	case w.isUneven:
		dst = append(dst, mask.AnyNumber...)
	default:
		dst = strconv.AppendFloat(dst, w.Low, 'f', int(w.decimals), 64)
	}
	return jsonx.AppendCanonicalText(dst, after)
}

// AddKey counts a line of the template that has a name.
func (t *Template) AddKey(place int) {
	if t.Keyed == 0 {
		t.Key = place
	}
	if t.Key == place {
		t.Keyed++
	}
}
