package summarize

import (
	"math"
	"strconv"
	"strings"

	"github.com/kfw-dev/kfw/summarize/sketch"
)

// object writes the members of a JSON object.
type object struct {
	dst        []byte
	isEstimate bool // each number is one: the names get the mark of that
}

func (o *object) comma() {
	if o.dst[len(o.dst)-1] != '{' {
		o.dst = append(o.dst, ',')
	}
}

// key writes a name; it is the inside of a JSON string.
func (o *object) key(name string) {
	if o.isEstimate && !strings.HasSuffix(name, "~") && name != "unit" && name != "example" {
		name += "~"
	}
	o.comma()
	o.dst = append(append(append(o.dst, '"'), name...), '"', ':')
}

// open begins an object that is a member, and close ends it.
func (o *object) open(name string) {
	o.key(name)
	o.dst = append(o.dst, '{')
}

func (o *object) close() { o.dst = append(o.dst, '}') }

func (o *object) count(name string, n int) {
	o.key(name)
	o.dst = strconv.AppendInt(o.dst, int64(n), 10)
}

// text writes the inside of a JSON string.
func (o *object) text(name string, inside []byte) {
	o.key(name)
	o.dst = append(append(append(o.dst, '"'), inside...), '"')
}

// distinctValues writes how many values a field has. Where some are redacted, more may be different than read so.
func (o *object) distinctValues(f *field) {
	if isEstimate := o.isEstimate; f.redacted > 0 || f.isBlurred {
		o.isEstimate = true
		defer func() { o.isEstimate = isEstimate }()
	}
	if f.isExact() {
		o.count("distinct", len(f.counts.entries))
		return
	}
	o.distinct("distinct", &f.distinct, f.counted)
}

// distinct writes how many values are different, of so many at most.
func (o *object) distinct(name string, d *sketch.Distinct, most int) {
	n, exact, ok := d.Count()
	if n = min(n, most); !ok || n == 0 {
		return
	}
	if !exact {
		name += "~"
	}
	o.count(name, n)
}

// unit writes what the numbers are numbers of, if that is known.
func (o *object) unit(u *unit) {
	if u != nil && u.name != "" { // one without a name is none
		o.text("unit", []byte(u.name))
	}
}

func (o *object) numbers(n *numbers, l level) {
	o.bound("min", &n.min)
	o.bound("max", &n.max)
	o.estimate("mean", "mean~", func(dst []byte) ([]byte, bool, bool) {
		return n.sum.appendMean(dst, n.count, n.max.value-n.min.value)
	})
	if l >= more && n.quantiles != nil {
		o.quantile("p50~", n, .50)
		o.quantile("p95~", n, .95)
	}
	if l == full {
		o.estimate("sum", "sum~", n.sum.appendSum)
	}
}

// quantile writes the number that a share of all does not exceed: three digits of it, and more when most of the numbers
// differ by less.
func (o *object) quantile(name string, n *numbers, share float64) {
	const digits, digitsOfWidth = 3, 2
	f, ok := n.quantiles.Quantile(share)
	if !ok {
		return
	}
	f = min(max(f, n.min.value), n.max.value)
	significant := digits
	low, okLow := n.quantiles.Quantile(.05)
	high, okHigh := n.quantiles.Quantile(.95)
	if okLow && okHigh {
		significant = digitsOver(f, high-low, digits, digitsOfWidth)
	}
	o.key(name)
	text := appendRounded(o.dst, f, significant)
	if rounded := numberOf(text[len(o.dst):]); n.min.value <= rounded && rounded <= n.max.value {
		o.dst = text
	} else { // it is one of them, but for the last digits
		o.dst = strconv.AppendFloat(o.dst, f, 'f', -1, 64)
	}
}

// bound writes a number as it was in the data; one that was too long is rounded.
func (o *object) bound(name string, b *bound) {
	switch {
	case !b.rounded:
		o.key(name)
	case math.IsInf(b.value, 0) || math.IsNaN(b.value):
		return
	default:
		o.key(name + "~")
	}
	o.dst = append(o.dst, b.literal...)
}

// estimate writes a number under the name that tells whether it is exact.
func (o *object) estimate(name, nameOfEstimate string, number func([]byte) (text []byte, exact, ok bool)) {
	var buf [48]byte
	text, exact, ok := number(buf[:0])
	if !ok {
		return
	}
	if !exact {
		name = nameOfEstimate
	}
	o.key(name)
	o.dst = append(o.dst, text...)
}
