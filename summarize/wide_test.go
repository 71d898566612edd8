package summarize

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/places"
	"github.com/kfw-dev/kfw/summarize/sketch"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/value"
)

// TestStandsOutInWideRecords: records with more fields than there is room to count all values of do not hide one that
// is far out or rare, be it in a field that comes late.
func TestStandsOutInWideRecords(t *testing.T) {
	const records, far, rare = 400, 270, 310
	for _, width := range []int{10, 50, 90, 150} {
		s := NewWatchfulSummary()
		for i := range records {
			var b strings.Builder
			for field := range width {
				fmt.Fprintf(&b, `"n%d":%d,"s%d":"id-%d-%d","e%d":"%c",`, field, 1000+(i*7919+field*31)%997, field,
					i, field, field, 'a'+(i+field)%3)
			}
			number, state := i*13%90, [...]string{"Running", "Pending"}[i%2]
			switch i {
			case far:
				number = 48_211_937
			case rare:
				state = "Wobbling"
			}
			s.Add(structure.Record{Seq: i + 1,
				Value: fmt.Appendf(nil, `{%s"late":%d,"state":%q}`, b.String(), number, state)})
		}
		if values := gjson.GetBytes(s.Facts(anyLength).JSON(), "fields.state.values"); 3*width < places.RootMembers &&
			(values.Get("Pending").Int() != records/2 || values.Get("Wobbling").Int() != 1) {
			t.Errorf("%d fields of each sort: state: %s", width, values)
		}
		notables, _ := s.Notables()
		for _, odd := range []int{far, rare} {
			at := slices.IndexFunc(notables, func(n outlier.Notable) bool { return n.Seq == odd+1 })
			if at < 0 || at > 1 {
				t.Errorf("%d fields of each sort: record %d is notable %d of %d", width, odd, at, len(notables))
			}
		}
	}
}

// TestStandsOutThoughDeep: what is wrong in a state deep in a record stands out before a value of which a few are as
// rare.
func TestStandsOutThoughDeep(t *testing.T) {
	s := NewWatchfulSummary()
	const odd = 57
	for i := range 120 {
		state := `{"running":{"since":"2026-03-01T10:00:00Z"}}`
		if i == odd {
			state = `{"waiting":{"reason":"CrashLoopBackOff"}}`
		}
		s.Add(structure.Record{Seq: i + 1,
			Value: fmt.Appendf(nil, `{"name":"web-%05d","node":"n%d","status":{"containers":[{"name":"web","last":{"state":%s}}]}}`, i*7919%99991, i*i%60, state)})
	}
	notables, _ := s.Notables()
	if len(notables) == 0 || notables[0].Seq != odd+1 || !strings.Contains(string(shown(notables[0])), "CrashLoop") {
		t.Errorf("%.500v", notables)
	}
}

// TestFarOutInSparseField: a number is far out however few records before it had its field, though it is not one of
// the first records.
func TestFarOutInSparseField(t *testing.T) {
	for _, odd := range []int{33, 44, 55, 66, 110, 330} {
		s := NewWatchfulSummary()
		for i := range 600 {
			more := ""
			if i%11 == 0 && i > outlier.MaxEarly {
				n := 20 + i*37%900
				if i == odd {
					n = 7_340_112
				}
				more = fmt.Sprintf(`,"change":{"added":%d}`, n)
			}
			s.Add(structure.Record{Seq: i + 1,
				Value: fmt.Appendf(nil, `{"id":"%d","kind":"k%d"%s}`, 1000+i, i%11, more)})
		}
		notables, _ := s.Notables()
		if len(notables) == 0 || notables[0].Seq != odd+1 || !strings.Contains(string(shown(notables[0])), "7340112") {
			t.Errorf("at %d: %.500v", odd, notables)
		}
	}
}

// TestSampleAfterSketch: where a sketch needs more room than there is, a sample goes on from what it had.
func TestSampleAfterSketch(t *testing.T) {
	n := &value.Numbers{Quantiles: sketch.NewQuantiles([]sketch.Counted{{Number: 100, Count: 500},
		{Number: 120, Count: 500},
		{Number: 140, Count: 500}})}
	room := 0
	n.AddQuantile(1, 1, &room) // near zero, where nothing has been
	if n.Quantiles != nil || n.Sample == nil {
		t.Fatalf("sketch %v, sample %v", n.Quantiles, n.Sample)
	}
	if low, high := n.Sample.Between(.05); low < 98 || low > 102 || high < 138 || high > 142 {
		t.Errorf("from %v to %v", low, high)
	}
}

// TestWideElements: the elements of an array keep the names of all their members, as records at the top do, so that a
// new one stands out.
func TestWideElements(t *testing.T) {
	var b strings.Builder
	for i := range 80 {
		fmt.Fprintf(&b, `,{"id":"i-%05d","launched":"2026-02-0%dT10:00:00Z"`, i*7919%99991, 1+i%2)
		for j := range 45 {
			fmt.Fprintf(&b, `,"f%d":%d`, j, (i+j)%4)
		}
		if i == 50 {
			b.WriteString(`,"borrowed":"cb-77"`)
		}
		b.WriteByte('}')
	}
	s := watched([]structure.Record{{Seq: 1, Top: 1, Value: []byte(`{"items":[` + b.String()[1:] + `]}`)}})
	if facts := string(s.Facts(anyLength).JSON()); !strings.Contains(facts, `"f44":`) || strings.Contains(facts, `"*"`) {
		t.Error(facts)
	}
	notables, _ := s.Notables()
	if len(notables) == 0 || notables[0].Why != "rare field borrowed" {
		t.Errorf("%v", notables)
	}
}

// TestTimesOfOneEvent: where a few times come again and again, one that comes once is rare; where all differ, none is.
func TestTimesOfOneEvent(t *testing.T) {
	for name, at := range map[string]func(i int) string{
		"few":   func(i int) string { return fmt.Sprintf("2026-02-0%dT10:00:00Z", 1+i%3) },
		"other": func(i int) string { return fmt.Sprintf("2026-02-%02dT%02d:%02d:00Z", 1+i/60, i%24, i%60) },
	} {
		var records []structure.Record
		for i := range 80 {
			launched := at(i)
			if i == 60 {
				launched = "2011-06-07T08:09:10Z"
			}
			records = append(records,
				structure.Record{Seq: i + 1, Top: i + 1,
					Value: fmt.Appendf(nil, `{"id":%d,"launched":%q}`, i, launched)})
		}
		notables, _ := watched(records).Notables()
		isTold := slices.ContainsFunc(notables, func(n outlier.Notable) bool { return n.Seq == 61 })
		isRare := slices.ContainsFunc(notables, func(n outlier.Notable) bool { return n.Why == "rare launched" })
		if !isTold || isRare && name == "other" {
			t.Errorf("%s: %v", name, notables)
		}
	}
}
