package query

import (
	"bytes"
	"cmp"
	"container/heap"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/summarize/value"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// Order sorts records by the value at a path: numbers as numbers, and strings that are written as one, perhaps with a
// unit; then other strings byte by byte, a time as ISO 8601 has it. What has neither comes last. Equal ones stay in the order of
// the response. Of an array the smallest element counts, or the largest in a descending order.
type Order struct {
	path
	isDescending bool
	now          time.Time // without a year a time is before it
}

// ParseOrder reads PATH, or -PATH for a descending order.
func ParseOrder(text string) (*Order, error) {
	name, isDescending := strings.CutPrefix(text, "-")
	p, err := parsePath(name)
	if err != nil {
		return nil, err
	}
	return &Order{p, isDescending, time.Now()}, nil
}

// Bounds of the keys and chunks that a sort holds.
const (
	MostSorted  = 4096      // records: what comes after them in an order is not shown
	longestKey  = 128       // bytes of a string that are compared
	sortedBytes = 256 << 10 // of chunks that are held at once
)

// sortKey is what a record is sorted by.
type sortKey struct {
	kind   keyKind
	number float64
	text   string // the string, or the number as it is written, where that says more
}

type keyKind uint8

const (
	isNumber keyKind = iota
	isText
	isNothing
)

// ranked is a record in an order.
type ranked struct {
	sortKey
	seq, size int
}

// keyOf returns the key of a value. It is lent as long as the value is.
func (o *Order) keyOf(value gjson.Result) sortKey {
	best := sortKey{kind: isNothing}
	anyElement(value, 0, func(one gjson.Result) bool {
		key := sortKey{kind: isNothing}
		switch one.Type {
		case gjson.Number:
			key = sortKey{isNumber, one.Num, one.Raw}
		case gjson.String:
			key = sortKey{kind: isText, text: sortable(one.Str, o.now)}
			if number := gjson.Parse(one.Str); number.Type == gjson.Number && gjson.Valid(one.Str) {
				key = sortKey{isNumber, number.Num, one.Str}
			} else if of, isAmount := amountOf(one.Str); isAmount {
				key = sortKey{isNumber, of.value * of.factor, one.Str}
			}
		case gjson.True, gjson.False:
			key = sortKey{kind: isText, text: one.Raw}
		}
		if best.kind == isNothing || key.kind != isNothing && o.compare(key, best) < 0 {
			best = key
		}
		return false
	})
	best.text = best.text[:min(len(best.text), longestKey)]
	return best
}

// compare returns the order of two keys.
func (o *Order) compare(a, b sortKey) int {
	if a.kind == isNothing || b.kind == isNothing {
		return cmp.Compare(a.kind, b.kind)
	}
	order := cmp.Compare(a.kind, b.kind)
	switch {
	case order != 0:
	case a.kind == isNumber:
		if order = cmp.Compare(a.number, b.number); order == 0 {
			order = compareIntegers(a.text, b.text)
		}
	default:
		order = strings.Compare(a.text, b.text)
	}
	if o.isDescending {
		return -order
	}
	return order
}

// sortable returns a text as it is compared: a time as ISO 8601 has it.
func sortable(text string, now time.Time) string {
	if iso, ok := value.Sortable([]byte(text), now); ok {
		return iso
	}
	return text
}

// amount is a number with a unit: 12 MiB, 900ms, 75%.
type amount struct {
	value     float64
	unit      string // empty if there is none
	dimension value.Dimension
	factor    float64 // to the base unit of the dimension; 1 without one
}

func amountOf(text string) (of amount, ok bool) {
	if text == "" {
		return of, false
	}
	var buffer []byte
	q, ok := value.ParseQuantity([]byte(text), &buffer)
	of = amount{value: q.Value, unit: string(q.Name), factor: 1}
	if q.IsKnown {
		of.dimension, of.factor = q.Dimension, q.Factor
	}
	return of, ok
}

// order compares amounts of one dimension, or of one unit. Without a unit the number counts as it is written.
func (a amount) order(b amount) (order int, ok bool) {
	var none value.Dimension
	switch {
	case a.dimension != none && a.dimension == b.dimension:
		return cmp.Compare(a.value*a.factor, b.value*b.factor), true
	case a.unit == b.unit && a.unit != "", (a.unit == "") != (b.unit == ""):
		return cmp.Compare(a.value, b.value), true
	}
	return 0, false
}

// firstRanked is a heap of the records that come first in an order, the last of them on top.
type firstRanked struct {
	*Order
	all []ranked
}

func (h *firstRanked) compareRanked(a, b ranked) int {
	return cmp.Or(h.compare(a.sortKey, b.sortKey), cmp.Compare(a.seq, b.seq))
}

// Len implements heap.Interface.
func (h *firstRanked) Len() int { return len(h.all) }

// Less implements heap.Interface.
func (h *firstRanked) Less(i, j int) bool { return h.compareRanked(h.all[i], h.all[j]) > 0 }

// Swap implements heap.Interface.
func (h *firstRanked) Swap(i, j int) { h.all[i], h.all[j] = h.all[j], h.all[i] }

// Push implements heap.Interface.
func (h *firstRanked) Push(r any) { h.all = append(h.all, r.(ranked)) }

// Pop implements heap.Interface.
func (h *firstRanked) Pop() any {
	last := h.all[len(h.all)-1]
	h.all = h.all[:len(h.all)-1]
	return last
}

// add takes in a record whose key is lent.
func (h *firstRanked) add(r ranked) {
	isFull := len(h.all) == MostSorted
	if isFull && h.compareRanked(r, h.all[0]) > 0 {
		return
	}
	if r.text = strings.Clone(r.text); r.kind == isNumber && !isInteger(r.text) {
		r.text = "" // the number says all
	}
	if !isFull {
		heap.Push(h, r)
		return
	}
	h.all[0] = r
	heap.Fix(h, 0)
}

// sorted yields the first MostSorted of the chunks that match, in the order of the filter and with their places in it,
// from the one after f.After on. It holds no more of them at once than some 256 KiB, and reads all of them again for
// each so many.
func (f *Filter) sorted(chunks iter.Seq2[split.Chunk, error]) iter.Seq2[split.Chunk, error] {
	return func(yield func(split.Chunk, error) bool) {
		first := firstRanked{Order: f.Order}
		total := 0
		for l, err := range f.matching(chunks) {
			if err != nil {
				yield(split.Chunk{}, err)
				return
			}
			total++
			var value gjson.Result
			if f.Order.mayBeIn(&l.Chunk, l.fields) {
				value = f.Order.valueIn(&l.Chunk, l.fields)
			}
			first.add(ranked{f.Order.keyOf(value), l.Seq, len(l.Source) + len(l.Inner)})
		}
		slices.SortFunc(first.all, first.compareRanked)
		for rank := f.After; rank < len(first.all); {
			size, end := 0, rank
			for end < len(first.all) && (end == rank || size+first.all[end].size <= sortedBytes) {
				size += first.all[end].size
				end++
			}
			batch, err := f.fetch(chunks, first.all[rank:end])
			if err != nil {
				yield(split.Chunk{}, err)
				return
			}
			for _, c := range batch {
				rank++
				if c.Seq > 0 {
					c.Rank = rank
				}
				if !yield(c, nil) {
					return
				}
			}
		}
		if total > MostSorted {
			yield(split.Chunk{Warnings: []split.Warning{{
				What: fmt.Sprintf("sorted: the first %d of %d that match", MostSorted, total)}}}, nil)
		}
	}
}

// fetch returns copies of chunks, as they are shown, in an order.
func (f *Filter) fetch(chunks iter.Seq2[split.Chunk, error], order []ranked) ([]split.Chunk, error) {
	places := make(map[int]int, len(order))
	for i, r := range order {
		places[r.seq] = i
	}
	found := make([]split.Chunk, len(order))
	left := len(order)
	for l, err := range f.lines(chunks) {
		i, isWanted := places[l.Seq]
		if err != nil {
			return nil, err
		}
		if !isWanted || l.Seq == 0 {
			continue
		}
		c := l.Chunk
		if len(f.Fields) > 0 && !f.project(&c, l.fields) {
			c = split.Chunk{Warnings: noFields}
		}
		found[i] = copied(&c)
		if left--; left == 0 {
			break
		}
	}
	return found, nil
}

// copied returns a chunk that is not lent.
func copied(c *split.Chunk) split.Chunk {
	return split.Chunk{Seq: c.Seq, Top: c.Top, Path: bytes.Clone(c.Path), Source: bytes.Clone(c.Source),
		Inner: bytes.Clone(c.Inner), Notation: c.Notation, Kind: c.Kind, Warnings: c.Warnings}
}
