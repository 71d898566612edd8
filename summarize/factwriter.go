package summarize

import (
	"bytes"
	"math"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/facts"
	"github.com/kfw-dev/kfw/internal/summarize/fields"
	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
	"github.com/kfw-dev/kfw/internal/summarize/value"
	"github.com/kfw-dev/kfw/internal/summarize/worth"
)

// tree writes facts of what this package finds.
type tree struct{ *facts.Tree }

// distinctValues writes how many values a field has. Where some are redacted, more may be different than read so.
// Labels of blobs say nothing of how many differ. Nulls that are counted by themselves are no values.
func (o tree) distinctValues(f *fields.Field, l worth.Level) {
	if f.Seen.Blobs > 0 {
		return
	}
	nulls := f.Seen.Types[jsonx.Null]
	without := 0
	if f.Seen.IsOneTypeOrNull() && !f.Seen.ListsNull(l) {
		without = 1
	}
	before := o.Mark()
	if f.Seen.IsExact() {
		o.Count(facts.Distinct, len(f.Seen.Counts.Entries)-without)
	} else {
		o.distinct(facts.Distinct, &f.Seen.Distinct, f.Seen.Counted-without*nulls, without)
	}
	if o.Mark() != before && (f.Seen.Placeholders > 0 || f.Seen.IsBlurred) {
		o.MakeEstimate()
	}
}

// distinct writes how many values are different, of so many at most, without some that d counts.
func (o tree) distinct(k *facts.Kind, d *sketch.Distinct, most, without int) {
	n, exact, ok := d.Count()
	if n = min(n-without, most); !ok || n <= 0 {
		return
	}
	o.Count(k, n)
	if !exact {
		o.MakeEstimate()
	}
}

// unit writes what the numbers are numbers of, if that is known.
func (o tree) unit(u *value.Unit) {
	if u != nil && u.Name != "" { // one without a name is none
		o.AddText(facts.Unit, []byte(u.Name))
	}
}

// numbers writes the range of numbers, and what is in the middle; the sum and the mean of those that add up.
func (o tree) numbers(n *value.Numbers, l worth.Level, addUp bool) {
	o.bound(facts.Min, &n.Min)
	o.bound(facts.Max, &n.Max)
	if addUp {
		o.estimate(facts.Mean, func(dst []byte) ([]byte, bool, bool) {
			return n.Sum.AppendMean(dst, n.Count, n.Max.Value-n.Min.Value)
		})
	}
	if l == worth.Full && addUp {
		o.estimate(facts.Sum, n.Sum.Append)
	}
}

// bound writes a number as it was in the data; one that was too long is rounded.
func (o tree) bound(k *facts.Kind, b *value.Bound) {
	switch {
	case !b.Rounded:
		o.Add(k)
	case math.IsInf(b.Value, 0) || math.IsNaN(b.Value):
		return
	default:
		o.AddEstimate(k)
	}
	o.Text = append(o.Text, b.Literal...)
}

// estimate writes a number that may be exact.
func (o tree) estimate(k *facts.Kind, number func([]byte) (text []byte, exact, ok bool)) {
	var buf [48]byte
	text, exact, ok := number(buf[:0])
	if !ok {
		return
	}
	if exact {
		o.Add(k)
	} else {
		o.AddEstimate(k)
	}
	o.Text = append(o.Text, text...)
}

// lineLevels writes how many lines are of each level.
func (o tree) lineLevels(levels []lineclass.Level) {
	if len(levels) == 0 {
		return
	}
	o.Open(facts.Levels)
	for _, l := range levels {
		o.CountNamed(bytes.TrimRight(l.Name[:], "\x00"), l.Count)
	}
	o.Close()
}
