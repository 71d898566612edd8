package settings

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

// parseTime reads a time: numbers with units from ns to w, for example 500ms, 2s, 1h30m, 1d or 2w. A day has 24 hours.
// It reports whether text is a time; for one that is too long it returns math.MaxInt64.
func parseTime(text string) (time.Duration, bool) {
	const day = 24 * time.Hour
	var total time.Duration
	for rest := text; rest != ""; {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789."))
		unit := strings.TrimLeft(rest[digits:], "abcdefghijklmnopqrstuvwxyzµμ")
		word := rest[digits : len(rest)-len(unit)]
		amount, err := strconv.ParseFloat(rest[:digits], 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return 0, false
		}
		length := map[string]time.Duration{"w": 7 * day, "d": day}[word]
		if length == 0 {
			if length, err = time.ParseDuration("1" + word); err != nil {
				return 0, false
			}
		}
		if part := amount * float64(length); part >= math.MaxInt64-float64(total) {
			total = math.MaxInt64
		} else {
			total += time.Duration(math.Round(part))
		}
		rest = unit
	}
	return total, text != ""
}

// PositiveDuration reads a time that is longer than 0.
func PositiveDuration(text string) (time.Duration, error) {
	d, err := AnyDuration(text)
	if err == nil && d == 0 {
		return 0, errors.New("must be positive")
	}
	return d, err
}

// AnyDuration reads a time, which may be 0 in any unit, or without one.
func AnyDuration(text string) (time.Duration, error) {
	if text == "0" {
		return 0, nil
	}
	unsigned := strings.TrimPrefix(text, "-")
	d, ok := parseTime(unsigned)
	switch {
	case !ok:
		return 0, errors.New(NotOfKind(KindDuration))
	case d == math.MaxInt64:
		return 0, errors.New("too long")
	case unsigned != text:
		return 0, errors.New("must be positive")
	}
	return d, nil
}

// Size returns a parser of numbers of bytes between least and most, with a unit or without: 64k, 64KB, 64KiB, 1.5M. As
// everywhere, k and KB are 1000 and KiB is 1024.
func Size[T int | int64](least, most T) func(string) (T, error) {
	return func(text string) (T, error) {
		n, err := humanize.ParseBytes(text)
		switch {
		case isTooLarge(err), err == nil && n > uint64(most):
			return 0, fmt.Errorf("%d is the largest", most)
		case err != nil:
			return 0, errors.New(NotOfKind(KindSize))
		case n == 0 && least == 1:
			return 0, errors.New("must be positive")
		case n < uint64(least):
			return 0, fmt.Errorf("%d is the smallest", least)
		}
		return T(n), nil
	}
}

// isTooLarge reports whether ParseBytes has understood a number that is beyond all it can return.
func isTooLarge(err error) bool {
	return errors.Is(err, strconv.ErrRange) || err != nil && strings.HasPrefix(err.Error(), "too large: ")
}

// WholeNumber returns a parser of the whole numbers between least and most, which may be of thousands or millions: 4k,
// 1.5M.
func WholeNumber(least, most int) func(string) (int, error) {
	return func(text string) (int, error) {
		n, err := wholeNumber(text)
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange): // of one that is too long, n is the nearest that there is
			return 0, errors.New(NotOfKind(KindNumber) + " such as 4000, 4k or 1.5M")
		case n < least:
			return 0, fmt.Errorf("%d is the smallest", least)
		case n > most:
			return 0, fmt.Errorf("%d is the largest", most)
		}
		return n, nil
	}
}

func wholeNumber(text string) (int, error) {
	last := len(text) - 1
	if last < 1 || strings.IndexByte("kKM", text[last]) < 0 {
		return strconv.Atoi(text)
	}
	unit := 1e3
	if text[last] == 'M' {
		unit = 1e6
	}
	number, err := strconv.ParseFloat(text[:last], 64)
	switch amount := number * unit; {
	case err != nil && !errors.Is(err, strconv.ErrRange) || strings.Trim(text[:last], "0123456789.-") != "":
		return 0, strconv.ErrSyntax
	case amount >= math.MaxInt:
		return math.MaxInt, strconv.ErrRange
	case amount <= math.MinInt:
		return math.MinInt, strconv.ErrRange
	case amount != math.Trunc(amount):
		return 0, strconv.ErrSyntax
	default:
		return int(amount), nil
	}
}
