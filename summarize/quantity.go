package summarize

import (
	"bytes"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/summarize/ascii"
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

// quantity is a number with a unit, as a text has it.
type quantity struct {
	number  []byte // as JSON has it; nil if it is none as it stands
	value   float64
	name    []byte // of the unit, empty for none
	unit           // if that can be converted
	isKnown bool   // it can
}

// parseQuantity reads a text that is nothing but a number, perhaps with a unit. It may use the buffer for the number.
func parseQuantity(text []byte, buffer *[]byte) (q quantity, ok bool) {
	n := numeralLen(text)
	if n < len(text) && (n == 0 || text[n] == ',') && len(text) <= maxLiteralLen {
		if q, ok = parseAmount(text, buffer); ok {
			return q, true
		}
	}
	if n == 0 || len(text) > maxLiteralLen {
		return q, false
	}
	q = quantity{number: text[:n], value: numberOf(text[:n]), name: text[n:]}
	if len(q.name) > 1 && q.name[0] == ' ' {
		q.name = q.name[1:]
	}
	if isUnit(q.name) {
		q.unit, q.isKnown = units[lentString(q.name)]
		return q, true
	}
	q.number, q.isKnown = nil, true
	q.unit = units["s"]
	q.value, ok = parseSpan(text)
	return q, ok
}

// currencies are the signs that stand before an amount.
var currencies = [...][]byte{[]byte("$"), []byte("€"), []byte("£"), []byte("¥")}

// parseAmount reads a number with commas between thousands, or a sign of a currency before it, which is its unit then: 1,234ms,
// -$1,234.50.
func parseAmount(text []byte, buffer *[]byte) (q quantity, ok bool) {
	plain, rest := (*buffer)[:0], text
	if rest[0] == '-' {
		plain, rest = append(plain, '-'), rest[1:]
	}
	var currency []byte
	for _, sign := range currencies {
		if bytes.HasPrefix(rest, sign) {
			currency, rest = sign, rest[len(sign):]
			break
		}
	}
	whole := ascii.LeadingDigits(rest)
	plain = append(plain, rest[:whole]...)
	for rest = rest[whole:]; len(rest) > 3 && rest[0] == ',' && 0 < whole && whole <= 3 &&
		ascii.LeadingDigits(rest[1:]) == 3; rest = rest[4:] {
		plain = append(plain, rest[1:4]...)
	}
	plain = append(plain, rest...)
	*buffer = plain
	if n := numeralLen(plain); n == 0 || len(currency) > 0 && n < len(plain) || n < len(plain) && plain[n] == ',' {
		return q, false
	}
	if len(currency) == 0 {
		return parseQuantity(plain, buffer)
	}
	return quantity{number: plain, value: numberOf(plain), name: currency}, true
}

// isNone says whether it is nothing, of whatever.
func (q *quantity) isNone() bool { return q.value == 0 && len(q.name) == 0 }

// numeral returns the number that a text is, in the unit of the field: rounded if the text has it in another one. It is not ok if
// the text is no number, or has a unit that can't be converted. What is returned is lent until the next call.
func (f *field) numeral(text []byte) (number []byte, isRounded, ok bool) {
	if f.hasCommas && !f.isProse {
		if number, ok = decimalComma(text, &f.plain); ok {
			return number, false, true
		}
	}
	q, ok := parseQuantity(text, &f.plain)
	if !ok || f.isProse {
		return nil, false, false
	}
	factor := 1.
	switch {
	case q.number != nil && (f.unit == nil || q.isNone() || f.unit.name == string(q.name)):
		return q.number, false, true
	case f.unit == nil:
	case !q.isKnown || q.dimension != f.unit.dimension:
		f.literals.areMixed = true
		return nil, false, false
	default:
		factor = q.factor / f.unit.factor
	}
	f.converted = appendRounded(f.converted[:0], q.value*factor, convertedDigits)
	return f.converted, true, true
}

// learnUnit gives the field the unit of its first number that is not nothing.
func (f *field) learnUnit(text []byte) {
	if q, ok := parseQuantity(text, &f.plain); ok && !q.isNone() {
		if !q.isKnown {
			q.unit = unit{name: string(q.name)}
		}
		of := q.unit
		f.unit = &of
	}
}

// hasUnit says whether the numbers in the strings of a field have a unit.
func (f *field) hasUnit() bool { return f.unit != nil && f.unit.name != "" }

// isUnit says whether what comes after a number may be a unit: nothing, a percent sign, or a few letters.
func isUnit(name []byte) bool {
	for _, c := range name {
		if !ascii.IsLetter(c) && c != '%' && c != '/' && c < utf8.RuneSelf {
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
		value := numberOf(text[:n])
		text = text[n:]
		end := 0
		for end < len(text) && !ascii.IsDigit(text[end]) {
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
