package summarize

import (
	"bytes"
	"unicode/utf8"
)

// unit is what a number is a number of. One that can be converted has a dimension.
type unit struct {
	name string // "" for none
	dimension
	factor float64 // in the base unit of its dimension
}

type dimension uint8

const (
	noDimension dimension = iota
	ofTime                // in seconds
	ofSize                // in bytes
)

// units are those that are converted: in a column with 900ms and 1.2s, numbers are compared in the unit of the first.
// A K without a B is 1,024, as df, du and ls print it.
var units = func() map[string]unit {
	all := map[string]unit{}
	for name, seconds := range map[string]float64{
		"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86400,
	} {
		all[name] = unit{name, ofTime, seconds}
	}
	all["B"] = unit{"B", ofSize, 1}
	for power, prefix := range []string{"K", "M", "G", "T", "P"} {
		thousands, kibis := 1e3, 1024.
		for range power {
			thousands *= 1e3
			kibis *= 1024
		}
		all[prefix] = unit{prefix, ofSize, kibis}
		all[prefix+"i"] = unit{prefix + "i", ofSize, kibis}
		all[prefix+"iB"] = unit{prefix + "iB", ofSize, kibis}
		all[prefix+"B"] = unit{prefix + "B", ofSize, thousands}
	}
	all["kB"] = unit{"kB", ofSize, 1e3}
	return all
}()

const (
	longestUnit     = 8 // bytes
	convertedDigits = 12
)

// numeral returns the number that a text is, in the unit of those that came before in the field; not ok if it is none, or of
// another unit that can't be converted. The first one that is not zero gives the field its unit. What is returned is lent until the next call.
func (f *field) numeral(text []byte) (number []byte, ok bool) {
	n := numeralLen(text)
	if n == 0 || len(text) > maxLiteralLen {
		return nil, false
	}
	number = text[:n]
	d, _ := parseDecimal(number)
	value := d.float(number)
	name := bytes.TrimPrefix(text[n:], []byte{' '})
	switch {
	case len(name) == 0 && d.digits == 0:
		return number, n == len(text) // whatever it is none of
	case f.unit != nil && f.unit.name == string(name):
		return number, true
	case isUnit(name) && f.unit == nil:
		known, isKnown := units[string(name)]
		if !isKnown {
			known = unit{name: string(name)}
		}
		f.unit = &known
		return number, true
	}
	of, isKnown := units[string(name)]
	if !isKnown {
		if value, ok = parseSpan(text); !ok {
			return nil, false
		}
		of = units["s"]
	}
	if f.unit == nil {
		f.unit = &of
	}
	if of.dimension == noDimension || of.dimension != f.unit.dimension {
		return nil, false
	}
	f.converted = appendRounded(f.converted[:0], value*of.factor/f.unit.factor, convertedDigits)
	return f.converted, true
}

// isUnit says whether what comes after a number may be a unit: nothing, a percent sign, or a few letters.
func isUnit(name []byte) bool {
	for _, c := range name {
		if !isLetter(c) && c != '%' && c != '/' && c < utf8.RuneSelf {
			return false
		}
	}
	return len(name) <= longestUnit
}

// parseSpan reads a time span of several parts, in seconds: 1h2m3.5s.
func parseSpan(text []byte) (seconds float64, ok bool) {
	for len(text) > 0 {
		n := numeralLen(text)
		if n == 0 || text[0] == '-' {
			return 0, false
		}
		d, _ := parseDecimal(text[:n])
		value := d.float(text[:n])
		text = text[n:]
		end := 0
		for end < len(text) && !isDigit(text[end]) {
			end++
		}
		part, isKnown := units[string(text[:end])]
		if !isKnown || part.dimension != ofTime {
			return 0, false
		}
		seconds += value * part.factor
		text = text[end:]
	}
	return seconds, true
}
