package query

import (
	"errors"
	"strconv"
	"strings"
)

// Range is which chunks are looked at, by their numbers from 1 on. The zero value is all of them.
type Range struct {
	First int // 0 for the first of all
	Last  int // 0 for the last of all
}

// ParseRanges reads ranges with commas between them, in any order, or one as sed prints it: A,Bp. hull is the smallest
// range that has all of them.
func ParseRanges(text string) (all []Range, hull Range, err error) {
	isOpen := false
	if address, isSed := strings.CutSuffix(text, "p"); isSed { // A,B is a range there, and $ the end
		text = strings.TrimSuffix(strings.Replace(address, ",", "-", 1), "$")
	}
	for one := range strings.SplitSeq(text, ",") {
		r, err := parseRange(one)
		if err != nil {
			return nil, Range{}, err
		}
		all = append(all, r)
		if len(all) == 1 || r.First < hull.First {
			hull.First = r.First
		}
		isOpen = isOpen || r.Last == 0
		hull.Last = max(hull.Last, r.Last)
	}
	if isOpen {
		hull.Last = 0
	}
	return all, hull, nil
}

// has reports whether a chunk is in the range.
func (r *Range) has(seq int) bool { return seq >= r.First && (r.Last == 0 || seq <= r.Last) }

// parseRange reads A-B, A-, -B or A; a colon or two dots may stand in the place of the dash.
func parseRange(text string) (r Range, err error) {
	text = strings.Replace(strings.Replace(strings.TrimSpace(text), "..", "-", 1), ":", "-", 1)
	first, last, isOpen := strings.Cut(text, "-")
	if !isOpen {
		last = first
	}
	if first == "" && last == "" {
		return r, errNoRange
	}
	for _, end := range []struct {
		text string
		to   *int
	}{{first, &r.First}, {last, &r.Last}} {
		if end.text == "" {
			continue
		}
		if *end.to, err = strconv.Atoi(end.text); err != nil || *end.to < 1 || end.text[0] == '+' {
			return Range{}, errNoRange
		}
	}
	if r.Last > 0 && r.First > r.Last {
		return Range{}, errors.New("the first number is larger than the last")
	}
	return r, nil
}

var errNoRange = errors.New("not a range of numbers from 1: A-B, A-, -B or A, or several with commas between them")
