package tabulate

import (
	"bytes"
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/internal/summarize/value"
	"github.com/kfw-dev/kfw/internal/summarize/worth"
)

// What a column tells, for each record that has it, if its cells are
const (
	tellsSentences  = 1.6 // of several words
	tellsWhich      = 1.6 // different in each record, and can be read: which one it is
	tellsWhichOf    = 1.0 // few different ones
	tellsName       = 1.3 // many, that can be read
	tellsCode       = 0.3 // many that can't be
	tellsSameCell   = 0.3 // all the same
	shareWhenAgain  = 0.2 // if it mostly repeats other cells of the record
	shareWhenEven   = 0.4 // if nearly all cells are the same; all of it if there is no such cell
	shareWhenSeldom = 0.3 // if no record has it; all of it if all do
	fewCells        = 12
	leastCode       = 16 // bytes of what can't be read
	leastWord       = 4  // letters of a word
	usualCell       = 48 // bytes that a long cell is counted as
	fewestColumns   = 5  // that are worth more rows
	leastOfHalf     = 2  // what a record is called says nothing without another one
	rowsOfName      = 8  // rows that share the cost of a name
	costOfColumn    = 6  // bytes
	sketchBits      = 256
)

// cellKinds says of the cells of a column what they look like.
type cellKinds struct {
	filled    int // that say something: not null, 0, "", [] or {}
	times     int
	sentences int
	codes     int
	sketch    [sketchBits / 64]uint64 // a bit for each hash, to estimate how many are different
	last      uint64                  // hash of the cell before
	changes   int                     // cells that differ from the one before
	most      uint64                  // hash of the cell that more than half are, if there is one (Boyer, Moore)
	votes     int                     // how many more those are than the others, about
	again     int                     // those of them that another column before had in the same record
}

// recordCells are the hashes of the cells of one record.
type recordCells struct {
	hashes [256]uint64
	record [256]int // whose hash it is, from 1
}

// has notes a hash of the record, and says whether it had been noted.
func (r *recordCells) has(hash uint64, record int) bool {
	slot := &r.record[hash%256]
	if *slot == record+1 {
		return r.hashes[hash%256] == hash
	}
	*slot, r.hashes[hash%256] = record+1, hash
	return false
}

// add notes a cell of a record.
func (k *cellKinds) add(cell []byte, record int, others *recordCells) {
	text := cell
	if cell[0] == '"' {
		text = jsonx.Inside(cell)
	}
	hash := sketch.Hash(text)
	k.sketch[hash/64%uint64(len(k.sketch))] |= 1 << (hash % 64)
	isAgain := others.has(hash, record)
	switch {
	case k.votes == 0:
		k.most, k.votes = hash, 1
	case hash == k.most:
		k.votes++
	default:
		k.votes--
	}
	if hash != k.last {
		k.last = hash
		k.changes++
		if isAgain {
			k.again++
		}
	}
	if len(text) == 0 || cell[0] == 'n' || len(cell) == len("{}") && cell[0] > '9' || len(bytes.Trim(cell, "0.")) == 0 {
		return
	}
	k.filled++
	if cell[0] != '"' {
		return
	}
	switch spaces := bytes.Count(text, []byte{' '}); {
	case isTime(text):
		k.times++
	case spaces >= 2:
		k.sentences++
	case spaces == 0 && isCode(text):
		k.codes++
	}
}

func isTime(text []byte) bool {
	_, ok := value.ParseTimestamp(text)
	return ok
}

// isCode says whether a text without blanks looks made to be different and not to be read: long, full of digits, and
// without a word.
func isCode(text []byte) bool {
	if len(text) < leastCode {
		return false
	}
	digits, letters, isHex := 0, 0, true
	for _, c := range text {
		if c < 'a' || c > 'z' {
			letters, isHex = 0, true
			if '0' <= c && c <= '9' {
				digits++
			}
			continue
		}
		letters++
		isHex = isHex && c <= 'f'
		if letters >= leastWord && !isHex {
			return false
		}
	}
	return 5*digits > len(text)
}

// distinct estimates how many cells are different: linear counting (Whang et al., ACM TODS 1990).
func (k *cellKinds) distinct() float64 {
	empty := sketchBits
	for _, word := range k.sketch {
		empty -= bits.OnesCount64(word)
	}
	return sketchBits * math.Log(sketchBits/max(1, float64(empty)))
}

// gain is how much a column says of all records.
func (l *layout) gain(id int) float64 {
	p := &l.places[id]
	k := &p.kinds
	tells := tellsName
	switch {
	case !p.varies && l.objects > 1:
		tells = tellsSameCell
	case 2*k.sentences > k.filled:
		tells = tellsSentences
	case 2*k.codes > k.filled:
		tells = tellsCode
	case k.distinct() <= fewCells:
		tells = tellsWhichOf
	case id == l.which:
		tells = tellsWhich
	}
	if 3*k.again > 2*k.changes && p.varies {
		tells *= shareWhenAgain
	}
	if p.varies {
		others := 1 - float64(k.votes)/float64(p.present)
		tells *= shareWhenEven + (1-shareWhenEven)*min(1, 2*others)
	}
	share := float64(k.filled) / float64(max(1, l.objects))
	nested := math.Pow(worth.SharePerDepth, float64(l.paths.Nodes[id].Depth-1))
	return tells * nested * (shareWhenSeldom + (1-shareWhenSeldom)*share)
}

// costOf is what a column takes in a row, in bytes, its name included.
func (l *layout) costOf(id int) float64 {
	p := &l.places[id]
	rows := float64(max(1, l.objects))
	name := float64(len(l.paths.Path(id))+len(`"",`)) / min(rows, rowsOfName)
	if l.isConstant(id) {
		return name + float64(min(len(p.first), usualCell))/min(rows, rowsOfName)
	}
	return name + (min(float64(p.length)/rows, usualCell) + 1)
}

// whichOf returns the first column that is different in each record, short and readable; structure.NoNode if there is
// none.
func (l *layout) whichOf() int {
	for id := range l.places {
		p := &l.places[id]
		k := &p.kinds
		if p.present > fewCells && 10*p.present > 9*l.objects &&
			k.distinct() > .9*min(float64(p.present), sketchBits) &&
			p.length < usualCell*p.present && k.times == 0 && 2*k.codes < k.filled && 2*k.sentences < k.filled {
			return id
		}
	}
	return structure.NoNode
}

// rank sorts the columns by how much they tell for their cost.
func (l *layout) rank() {
	l.which = l.whichOf()
	l.worth, l.gains = Emptied(l.worth, len(l.places)), Emptied(l.gains, len(l.places))
	for _, id := range l.columns {
		l.gains[id] = l.gain(id)
		l.worth[id] = l.gains[id] / math.Pow(l.costOf(id)+costOfColumn, .6)
	}
	l.byWorth = append(l.byWorth[:0], l.columns...)
	slices.SortStableFunc(l.byWorth, func(a, b int) int { return cmp.Compare(l.worth[b], l.worth[a]) })
}

// half is how many columns tell half of what all tell, or are few.
func (l *layout) half() int {
	all, sum := 0.0, 0.0
	for _, id := range l.byWorth {
		all += l.gains[id]
	}
	for i, id := range l.byWorth {
		if sum += l.gains[id]; 2*sum >= all {
			return min(max(i+1, leastOfHalf), len(l.byWorth))
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
		tells += l.gains[id]
		header += float64(len(l.paths.Path(id)) + len(`"",`))
		if l.isConstant(id) {
			header += float64(min(len(p.first), cell))
		} else {
			row += min(float64(p.length)/float64(max(1, l.objects)), float64(cell)) + 1
		}
		rows := min((float64(room)-header)/row, float64(l.records.Len()))
		if says := tells * math.Pow(max(0, rows), .33); says >= most {
			most, best = says, i+1
		}
	}
	return max(min(columns, fewestColumns), best)
}
