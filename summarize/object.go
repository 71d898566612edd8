package summarize

import (
	"math"
	"strconv"
	"strings"

	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/value"
	"github.com/kfw-dev/kfw/summarize/worth"
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
func (o *object) distinctValues(f *fields.Field) {
	if isEstimate := o.isEstimate; f.Seen.Redacted > 0 || f.Seen.IsBlurred {
		o.isEstimate = true
		defer func() { o.isEstimate = isEstimate }()
	}
	if f.Seen.IsExact() {
		o.count("distinct", len(f.Seen.Counts.Entries))
		return
	}
	o.distinct("distinct", &f.Seen.Distinct, f.Seen.Counted)
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
func (o *object) unit(u *value.Unit) {
	if u != nil && u.Name != "" { // one without a name is none
		o.text("unit", []byte(u.Name))
	}
}

func (o *object) numbers(n *value.Numbers, l worth.Level) {
	o.bound("min", &n.Min)
	o.bound("max", &n.Max)
	o.estimate("mean", "mean~", func(dst []byte) ([]byte, bool, bool) {
		return n.Sum.AppendMean(dst, n.Count, n.Max.Value-n.Min.Value)
	})
	if l >= worth.More && n.Quantiles != nil {
		o.quantile("p50~", n, .50)
		o.quantile("p95~", n, .95)
	}
	if l == worth.Full {
		o.estimate("sum", "sum~", n.Sum.Append)
	}
}

// quantile writes the number that a share of all does not exceed: three digits of it, and more when most of the numbers
// differ by less.
func (o *object) quantile(name string, n *value.Numbers, share float64) {
	const digits, digitsOfWidth = 3, 2
	f, ok := n.Quantiles.Quantile(share)
	if !ok {
		return
	}
	f = min(max(f, n.Min.Value), n.Max.Value)
	significant := digits
	low, okLow := n.Quantiles.Quantile(.05)
	high, okHigh := n.Quantiles.Quantile(.95)
	if okLow && okHigh {
		significant = value.DigitsOver(f, high-low, digits, digitsOfWidth)
	}
	o.key(name)
	text := value.AppendRounded(o.dst, f, significant)
	if rounded := value.ParseFloat(text[len(o.dst):]); n.Min.Value <= rounded && rounded <= n.Max.Value {
		o.dst = text
	} else { // it is one of them, except the last digits
		o.dst = strconv.AppendFloat(o.dst, f, 'f', -1, 64)
	}
}

// bound writes a number as it was in the data; one that was too long is rounded.
func (o *object) bound(name string, b *value.Bound) {
	switch {
	case !b.Rounded:
		o.key(name)
	case math.IsInf(b.Value, 0) || math.IsNaN(b.Value):
		return
	default:
		o.key(name + "~")
	}
	o.dst = append(o.dst, b.Literal...)
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
