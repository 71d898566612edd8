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

// ParseRange reads A-B, A-, -B or A.
func ParseRange(text string) (r Range, err error) {
	first, last, isOpen := strings.Cut(strings.TrimSpace(text), "-")
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

var errNoRange = errors.New("not a range of numbers from 1: A-B, A-, -B or A")
