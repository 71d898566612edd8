package summarize

import (
	"bytes"
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// What a column tells, for each record that has it, if its cells are
const (
	tellsSentences  = 1.6  // of several words
	tellsWhichOf    = 1.0  // few different ones
	tellsName       = 0.9  // many, that can be read
	tellsCode       = 0.3  // many that can't be
	tellsSameCell   = 0.3  // all the same
	shareWhenAgain  = 0.15 // if another column has the same cells
	shareWhenSeldom = 0.3  // if no record has it; all of it if all do
	fewCells        = 12
	leastCode       = 16 // bytes of what can't be read
	usualCell       = 48 // bytes that a long cell is counted as
	rowsOfName      = 8  // rows that share the cost of a name
	costOfColumn    = 6  // bytes
	sketchBits      = 256
)

// cellKinds says of the cells of a column what they look like.
type cellKinds struct {
	filled    int // that say something: not null, "", [] or {}
	sentences int
	codes     int
	sketch    [sketchBits / 64]uint64 // a bit for each hash, to estimate how many are different
	all       uint64                  // hash of all, and of which records they are
}

// add notes a cell of a record.
func (k *cellKinds) add(cell []byte, record int) {
	text := cell
	if cell[0] == '"' {
		text = inside(cell)
	}
	hash := hashOf(text)
	k.sketch[hash/64%uint64(len(k.sketch))] |= 1 << (hash % 64)
	k.all = (k.all^hash)*placeFactor + uint64(record)
	if len(text) == 0 || cell[0] == 'n' || len(cell) == len("{}") && cell[0] > '9' {
		return
	}
	k.filled++
	if cell[0] != '"' {
		return
	}
	switch spaces := bytes.Count(text, []byte{' '}); {
	case spaces >= 2:
		k.sentences++
	case spaces == 0 && isCode(text):
		k.codes++
	}
}

// isCode says whether a word looks made to be different and not to be read: long and full of digits, but not a time.
func isCode(word []byte) bool {
	if len(word) < leastCode {
		return false
	}
	if _, isTime := parseTimestamp(word); isTime {
		return false
	}
	digits := 0
	for _, c := range word {
		if '0' <= c && c <= '9' {
			digits++
		}
	}
	return 5*digits > len(word)
}

// distinct estimates how many cells are different: linear counting (Whang et al., ACM TODS 1990).
func (k *cellKinds) distinct() float64 {
	empty := sketchBits
	for _, word := range k.sketch {
		empty -= bits.OnesCount64(word)
	}
	return sketchBits * math.Log(sketchBits/max(1, float64(empty)))
}

// tells is how much a column says of all records.
func (l *layout) tells(id int) float64 {
	p := &l.places[id]
	k := &p.kinds
	tells := tellsName
	switch {
	case !p.varies && l.objects > 1:
		tells = tellsSameCell
	case 2*k.sentences > k.filled:
		tells = tellsSentences
	case k.distinct() <= fewCells:
		tells = tellsWhichOf
	case 2*k.codes > k.filled:
		tells = tellsCode
	}
	if l.isAgain(id) {
		tells *= shareWhenAgain
	}
	share := float64(k.filled) / float64(max(1, l.objects))
	return tells * (shareWhenSeldom + (1-shareWhenSeldom)*share) * math.Pow(sharePerDepth, float64(l.paths.nodes[id].depth-1))
}

// isAgain says whether a column before has the same cells, or the same numbers as strings.
func (l *layout) isAgain(id int) bool {
	p := &l.places[id]
	if !p.varies {
		return false
	}
	for _, other := range l.columns {
		if o := &l.places[other]; other < id && o.present == p.present && o.kinds.all == p.kinds.all {
			return true
		}
	}
	return false
}

// costOf is what a column takes in a row, in bytes, its name included.
func (l *layout) costOf(id int) float64 {
	p := &l.places[id]
	rows := float64(max(1, l.objects))
	name := float64(len(l.paths.path(id))+len(`"",`)) / min(rows, rowsOfName)
	if l.isConstant(id) {
		return name + float64(min(len(p.first), usualCell))/min(rows, rowsOfName)
	}
	return name + (min(float64(p.length)/rows, usualCell) + 1)
}

// rank puts the columns in the order of what they tell for what they cost.
func (l *layout) rank() {
	l.worth = slices.Grow(l.worth[:0], len(l.places))[:len(l.places)]
	l.told = slices.Grow(l.told[:0], len(l.places))[:len(l.places)]
	for _, id := range l.columns {
		l.told[id] = l.tells(id)
		l.worth[id] = l.told[id] / math.Pow(l.costOf(id)+costOfColumn, .6)
	}
	l.byWorth = append(l.byWorth[:0], l.columns...)
	slices.SortStableFunc(l.byWorth, func(a, b int) int { return cmp.Compare(l.worth[b], l.worth[a]) })
}

// half is how many columns tell half of what all tell.
func (l *layout) half() int {
	all, sum := 0.0, 0.0
	for _, id := range l.byWorth {
		all += l.told[id]
	}
	for i, id := range l.byWorth {
		if sum += l.told[id]; 2*sum >= all {
			return i + 1
		}
	}
	return len(l.byWorth)
}

// narrower returns how many columns, at most so many, tell most in so many bytes: with fewer of them there are more
// rows.
func (l *layout) narrower(columns, room, cell int) (best int) {
	const brackets = len(`[],`)
	most, tells, header, row := 0.0, 0.0, 0.0, float64(brackets)
	for i, id := range l.byWorth[:columns] {
		p := &l.places[id]
		tells += l.told[id]
		header += float64(len(l.paths.path(id)) + len(`"",`))
		if l.isConstant(id) {
			header += float64(min(len(p.first), cell))
		} else {
			row += min(float64(p.length)/float64(max(1, l.objects)), float64(cell)) + 1
		}
		rows := min((float64(room)-header)/row, float64(len(l.records)))
		if says := tells * math.Sqrt(max(0, rows)); says >= most {
			most, best = says, i+1
		}
	}
	return max(1, best)
}
