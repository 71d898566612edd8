package value

import (
	"bytes"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// Unit is what a number is a number of. One that can be converted has a dimension.
type Unit struct {
	Name string // "" for none
	Dimension
	Factor float64 // in the base unit of its dimension
}

// Dimension is what a unit measures. Only units of one dimension are converted to each other.
type Dimension uint8

const (
	noDimension Dimension = iota
	ofTime                // in seconds
	ofSize                // in bytes
)

// Units are those that are converted: in a column with 900ms and 1.2s, numbers are compared in the
// unit of the first. A K without a B is 1,024, as df, du and ls print it.
var Units = func() map[string]Unit {
	all := map[string]Unit{}
	for name, seconds := range map[string]float64{
		"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86400,
	} {
		all[name] = Unit{name, ofTime, seconds}
	}
	all["B"] = Unit{"B", ofSize, 1}
	for power, prefix := range []string{"K", "M", "G", "T", "P"} {
		thousands, kibis := 1e3, 1024.
		for range power {
			thousands *= 1e3
			kibis *= 1024
		}
		all[prefix] = Unit{prefix, ofSize, kibis}
		all[prefix+"i"] = Unit{prefix + "i", ofSize, kibis}
		all[prefix+"iB"] = Unit{prefix + "iB", ofSize, kibis}
		all[prefix+"B"] = Unit{prefix + "B", ofSize, thousands}
	}
	all["kB"] = Unit{"kB", ofSize, 1e3}
	return all
}()

const (
	longestUnit = 8 // bytes
)

// quantity is a number with a unit, as a text has it.
type quantity struct {
	Number  []byte // as JSON has it; nil if it is none as it stands
	Value   float64
	Name    []byte // of the unit, empty for none
	Unit           // if that can be converted
	IsKnown bool   // it can
}

// ParseQuantity reads a text that is nothing but a number, perhaps with a unit. It may use the
// buffer for the number.
func ParseQuantity(text []byte, buffer *[]byte) (q quantity, ok bool) {
	n := numeralLen(text)
	if n < len(text) && (n == 0 || text[n] == ',') && len(text) <= maxLiteralLen {
		if q, ok = parseAmount(text, buffer); ok {
			return q, true
		}
	}
	if n == 0 || len(text) > maxLiteralLen {
		return q, false
	}
	q = quantity{Number: text[:n], Value: ParseFloat(text[:n]), Name: text[n:]}
	if len(q.Name) > 1 && q.Name[0] == ' ' {
		q.Name = q.Name[1:]
	}
	if isUnit(q.Name) {
		q.Unit, q.IsKnown = Units[ascii.LentString(q.Name)]
		return q, true
	}
	q.Number, q.IsKnown = nil, true
	q.Unit = Units["s"]
	q.Value, ok = parseSpan(text)
	return q, ok
}

// currencies are the signs that stand before an amount.
var currencies = [...][]byte{[]byte("$"), []byte("€"), []byte("£"), []byte("¥")}

// parseAmount reads a number with commas between thousands, or a sign of a currency before it,
// which is its unit then: 1,234ms,
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
		return ParseQuantity(plain, buffer)
	}
	return quantity{Number: plain, Value: ParseFloat(plain), Name: currency}, true
}

// IsNone says whether it is nothing, of whatever.
func (q *quantity) IsNone() bool { return q.Value == 0 && len(q.Name) == 0 }

// isUnit says whether what comes after a number may be a unit: nothing, a percent sign, or a few
// letters.
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
		value := ParseFloat(text[:n])
		text = text[n:]
		end := 0
		for end < len(text) && !ascii.IsDigit(text[end]) {
			end++
		}
		part, isKnown := Units[string(text[:end])]
		if !isKnown || part.Dimension != ofTime {
			return 0, false
		}
		seconds += value * part.Factor
		text = text[end:]
	}
	return seconds, true
}
