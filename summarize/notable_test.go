package summarize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/structure"
	"github.com/kfw-dev/kfw/summarize/surprise"
)

// watched returns a watchful summary of records.
func watched(records []structure.Record) *Summary {
	s := NewWatchfulSummary()
	for _, r := range records {
		s.Add(r)
	}
	return s
}

// ordersWith makes n records of which one, at a position, is the odd one.
func ordersWith(n, at int, odd string) string {
	var b strings.Builder
	for i := range n {
		if i == at {
			b.WriteString(odd + "\n")
			continue
		}
		fmt.Fprintf(&b, `{"id":"o%d","state":%q,"ms":%d,"note":"packed in room %d by hand"}`+"\n", i,
			[...]string{"open", "paid", "sent"}[i%3], 20+i*7%60, i%9)
	}
	return b.String()
}

// TestNotables: whatever a record is odd by, and wherever it is, it is told first, with what says which one it is.
func TestNotables(t *testing.T) {
	for _, test := range []struct{ name, odd, why, tells string }{
		{"a rare value", `{"id":"x7","state":"quashed","ms":41,"note":"packed in room 3 by hand"}`, "rare state",
			`"state":"quashed"`},
		{"a number far out", `{"id":"x7","state":"paid","ms":99000,"note":"packed in room 3 by hand"}`,
			"far out: ms", `"ms":99000`},
		{"a new field", `{"id":"x7","state":"paid","ms":41,"note":"packed in room 3 by hand","lot":"q"}`,
			"rare field lot", `"lot":"q"`},
		{"another type", `{"id":"x7","state":"paid","ms":"late","note":"packed in room 3 by hand"}`, "string in ms",
			`"ms":"late"`},
		{"a word", `{"id":"x7","state":"paid","ms":41,"note":"packed in room 3 by lamplight"}`, "rare note",
			`"note":"packed in room 3 by lamplight"`},
	} {
		for _, at := range []int{30, 500, 999} {
			t.Run(fmt.Sprint(test.name, " at ", at), func(t *testing.T) {
				notables, _ := watched(recordsOf([]byte(ordersWith(1000, at, test.odd)))).Notables()
				if len(notables) == 0 {
					t.Fatal("nothing stands out")
				}
				n := notables[0]
				if n.Seq != at+1 || n.Why != test.why || !bytes.Contains(shown(n), []byte(test.tells)) ||
					!bytes.Contains(shown(n), []byte(`"id":"x7"`)) {
					t.Errorf("chunk %d, %s: %s", n.Seq, n.Why, shown(n))
				}
			})
		}
	}
}

// TestNotableLines: a line of another form, and a word where its form has none, stand out.
func TestNotableLines(t *testing.T) {
	for _, odd := range []string{"cache warmed by hand, see ledger", "worker 17 finished batch 9 in 12 ms on lathe"} {
		var b strings.Builder
		for i := range 2000 {
			if i == 1234 {
				b.WriteString(odd + "\n")
			}
			fmt.Fprintf(&b, "worker %d finished batch %d in %d ms on press\n", i%40, i, i%300)
		}
		notables, _ := watched(recordsOf([]byte(b.String()))).Notables()
		if len(notables) == 0 || notables[0].Seq != 1235 || string(shown(notables[0])) != odd {
			t.Errorf("%q: %v", odd, notables)
		}
	}
}

// TestNotNotableAnyMore: what was rare when it came and then became common does not stand out.
func TestNotNotableAnyMore(t *testing.T) {
	in := ordersWith(400, 200, `{"id":"x7","state":"quashed","ms":41,"note":"packed in room 3 by hand"}`)
	in += strings.ReplaceAll(ordersWith(400, -1, ""), `"paid"`, `"quashed"`)
	notables, _ := watched(recordsOf([]byte(in))).Notables()
	for _, n := range notables {
		if n.Seq == 201 && n.Why == "rare state" {
			t.Errorf("chunk %d, %s: %s", n.Seq, n.Why, shown(n))
		}
	}
}

// nameOf is a word of letters alone, another one for each i.
func nameOf(i int) string {
	var b []byte
	for n := i*7919 + 26; n > 0; n /= 26 {
		b = append(b, byte('a'+n%26))
	}
	return string(b)
}

// TestNewWordsAreCommon: where words turn out to be new each time the first ones do not stand out, but what is rare
// elsewhere does.
func TestNewWordsAreCommon(t *testing.T) {
	for what, form := range map[string]string{ // strings differ in a number: those that come again are not looked at
		"lines":   "got %s of the %s way in %d ms\n",
		"strings": `{"item":"%s","way":"the %s way","ms":%d}` + "\n",
	} {
		var b strings.Builder
		for i := range 3000 {
			name, way := nameOf(i), "usual"
			if i < 300 && i%60 != 0 {
				name = "idle"
			}
			if i == 2000 {
				way = "crooked"
			}
			fmt.Fprintf(&b, form, fmt.Sprintf("%s %d", name, i), way, 10+i%50)
		}
		notables, _ := watched(recordsOf([]byte(b.String()))).Notables()
		if len(notables) != 1 || notables[0].Seq != 2001 {
			t.Errorf("%s: %d, the first is %+v", what, len(notables), notables[:min(1, len(notables))])
		}
	}
}

// TestRareWordsTellWhatTheyDid: a word that told little when it came, as half of the words were new, tells no more
// when no other is new after it.
func TestRareWordsTellWhatTheyDid(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		name := "idle"
		switch {
		case i < 200 && i%5 < 2:
			name = nameOf(i)
		case i == 2000:
			name = "crooked"
		}
		fmt.Fprintf(&b, "job of %s took %d ms\n", name, 10+i%50)
	}
	if notables, _ := watched(recordsOf([]byte(b.String()))).Notables(); len(notables) == 0 || notables[0].Seq != 2001 {
		t.Errorf("%d, the first is %+v", len(notables), notables[:min(1, len(notables))])
	}
}

// TestWordsOfFrequentTexts: the words of texts that come again and again are not rare, though nobody looks at those
// texts any longer.
func TestWordsOfFrequentTexts(t *testing.T) {
	var b strings.Builder
	for i := range 4000 {
		name := nameOf(i % 12)
		fmt.Fprintf(&b, `{"agent":"the %s of %s (at %s)","ms":%d}`+"\n", name, name+name, "x"+name, 10+i%50)
	}
	if notables, _ := watched(recordsOf([]byte(b.String()))).Notables(); len(notables) > 0 {
		t.Errorf("%d, the first is %+v", len(notables), notables[0])
	}
}

// TestErrorsAreNotTheOddOnes: among many errors, the record that differs is first.
func TestErrorsAreNotTheOddOnes(t *testing.T) {
	in := strings.ReplaceAll(ordersWith(600, 300,
		`{"id":"x7","state":"quashed","ms":41,"note":"packed in room 3 by hand"}`), `"sent"`, `"error"`)
	if notables, _ := watched(recordsOf([]byte(in))).Notables(); len(notables) == 0 || notables[0].Seq != 301 {
		t.Error(notables)
	}
}

// TestRecordsInADocument: the records of one document are told as such, in an array or by name.
func TestRecordsInADocument(t *testing.T) {
	rows := strings.Split(strings.TrimSpace(ordersWith(100, 60,
		`{"id":"x7","state":"quashed","ms":41,"note":"packed in room 3 by hand"}`)), "\n")
	var byName []string
	for i, row := range rows {
		byName = append(byName, fmt.Sprintf(`"n%d":%s`, i, row))
	}
	for _, test := range []struct{ in, at, key string }{
		{`{"kind":"Orders","items":[` + strings.Join(rows, ",") + `]}`, "items[]", `"id":"x7"`},
		{`{"kind":"Orders","items":{` + strings.Join(byName, ",") + `}}`, "items.*", `"@key":"n60"`},
	} {
		s := watched([]structure.Record{{Seq: 1, Value: []byte(test.in)}})
		var facts struct {
			Records       int
			At            string
			Around        map[string]any
			Fields, First map[string]any
		}
		decode(t, s.Facts(anyLength).JSON(), &facts)
		if facts.Records != 100 || facts.At != test.at || facts.Around["kind"] == nil ||
			facts.Fields["state"] == nil || facts.First["id"] != "o0" {
			t.Errorf("%s: %+v", test.at, facts)
		}
		if notables, _ := s.Notables(); len(notables) == 0 || !bytes.Contains(shown(notables[0]), []byte(test.key)) {
			t.Errorf("%s: %v", test.at, notables)
		}
	}
}

// TestFirstRecordsStandOut: one of the first records stands out by what comes after it.
func TestFirstRecordsStandOut(t *testing.T) {
	for at := range outlier.MaxEarly {
		for name, odd := range map[string]string{
			"state": `{"id":%d,"state":"quashed","load":20}`,
			"load":  `{"id":%d,"state":"ok","load":9000}`,
			"type":  `{"id":%d,"state":"ok","load":"none"}`,
			"field": `{"id":%d,"state":"ok","load":20,"recovered":true}`,
		} {
			s := NewWatchfulSummary()
			for i := range 600 {
				record := fmt.Sprintf(`{"id":%d,"state":%q,"load":%d}`, i, []string{"ok", "busy"}[i%2], 10+i*7%23)
				if i == at {
					record = fmt.Sprintf(odd, i)
				}
				s.Add(structure.Record{Seq: i + 1, Value: []byte(record)})
			}
			if notables, _ := s.Notables(); len(notables) == 0 || notables[0].Seq != at+1 {
				t.Errorf("%s of record %d: %+v", name, at, notables)
			}
		}
	}
}

// TestNumbersFarOutInLines: a number stands out that is far from those in its place in the lines of a form, whole or
// not, and where all the others are the same; numbers that differ widely, or rise, do not.
func TestNumbersFarOutInLines(t *testing.T) {
	line := func(i int) string {
		if i%2 == 0 {
			return fmt.Sprintf("instance %d took %d.%02d seconds to start", 100+i*7919%797, 18+i%5, i%100)
		}
		return fmt.Sprintf("tests run: %d, skipped: 0, sent %dms", 10+i%9, 1<<(i*7%11))
	}
	for _, odd := range []string{"instance 311 took 311.84 seconds to start",
		"tests run: 12, skipped: 37, sent 8ms", "instance 312 took 0.02 seconds to start", ""} {
		s := NewWatchfulSummary()
		for i := range 900 {
			text := line(i)
			if i == 600 && odd != "" {
				text = odd
			}
			s.Add(structure.Record{Seq: i + 1, Value: []byte(text), IsText: true})
		}
		var far []int
		notables, _ := s.Notables()
		for _, n := range notables {
			if n.Kind == "number far out" {
				far = append(far, n.Seq)
			}
		}
		if odd == "" && far != nil || odd != "" && !slices.Equal(far, []int{601}) {
			t.Errorf("%q: lines %v", odd, far)
		}
	}
}

// TestFarBelow: a number that can't be far below others by its distance is so by how many times it is smaller, or by
// its sign.
func TestFarBelow(t *testing.T) {
	for _, test := range []struct {
		low, span, odd int
		isTold         bool
	}{
		{180, 90, 2, true}, {180, 90, 0, true}, {180, 90, 150, false}, {180, 90, -5, true},
		{1, 5000, 0, false}, {1, 5000, -1, true}, {0, 5000, -1, true}, {-50, 100, -60, false},
		{10_000, 40, 9_990, false}, {10_000, 40, 9_700, true},
	} {
		s := NewWatchfulSummary()
		for i := range 600 {
			number := test.low + i*7919%test.span
			if i == 400 {
				number = test.odd
			}
			s.Add(structure.Record{Seq: i + 1, Value: fmt.Appendf(nil, `{"v":%d}`, number)})
		}
		notables, _ := s.Notables()
		isTold := slices.ContainsFunc(notables,
			func(n outlier.Notable) bool { return n.Seq == 401 && n.Kind == "far out: v" })
		isOther := slices.ContainsFunc(notables,
			func(n outlier.Notable) bool { return n.Seq != 401 && n.Kind == "far out: v" })
		if isTold != test.isTold || isOther {
			t.Errorf("%d among %d to %d: %v", test.odd, test.low, test.low+test.span, notables)
		}
	}
}

// TestRecordsByName: the members of an object that come one by one are records when they are alike, opened ones
// included.
func TestRecordsByName(t *testing.T) {
	var records []structure.Record
	add := func(path, value string) {
		records = append(records, structure.Record{Seq: len(records) + 1, Path: []byte(path), Value: []byte(value)})
	}
	add("kind", `"Catalog"`)
	for i := range 50 {
		if i == 20 { // too large for one chunk
			add("parts.p20.size", "7")
			add("parts.p20.maker", `"Brix"`)
			continue
		}
		add(fmt.Sprintf("parts.p%d", i), fmt.Sprintf(`{"size":%d,"maker":"Brix"}`, i))
	}
	var facts struct {
		Records int
		At      string
		Fields  map[string]struct {
			In, Min, Max, Distinct int
			Const                  string
		}
	}
	decode(t, watched(records).Facts(anyLength).JSON(), &facts)
	if facts.Records != 50 || facts.At != "parts.*" {
		t.Errorf("%+v", facts)
	}
	if size := facts.Fields["size"]; size.In != 0 || size.Min != 0 || size.Max != 49 || size.Distinct != 49 {
		t.Errorf("sizes of all 50, the first one among them: %+v", size)
	}
	if maker := facts.Fields["maker"]; maker.In != 0 || maker.Const != "Brix" {
		t.Errorf("makers of all 50, the first one among them: %+v", maker)
	}
}

// FuzzNotables: what stands out is told in JSON, of records that were there, the same each time, and lent bytes are
// not kept.
func FuzzNotables(f *testing.F) {
	f.Add([]byte(ordersWith(60, 50, `{"id":"x7","state":"quashed"}`)))
	f.Add([]byte("[[1,{\"a\":[]}],\"\\u0041\",null]\nplain \xff\n{\"\":{\"\":\"\"}}\n{\"a\":1e999}"))
	f.Add([]byte(strings.Repeat("a b c 1234567\n", 50) + "a b d 123456789\n"))
	f.Fuzz(func(t *testing.T, input []byte) {
		records := recordsOf(input)
		tell := func() string {
			s := NewWatchfulSummary()
			for _, r := range records {
				lent := structure.Record{Seq: r.Seq, Path: bytes.Clone(r.Path), Value: bytes.Clone(r.Value),
					IsText: r.IsText}
				s.Add(lent)
				clear(lent.Path)
				clear(lent.Value)
			}
			notables, more := s.Notables()
			for _, n := range notables {
				if n.Seq < 1 || n.Seq > len(records) || !n.IsText && !json.Valid(shown(n)) {
					t.Fatalf("chunk %d of %d: %q", n.Seq, len(records), shown(n))
				}
			}
			facts := s.Facts(anyLength).JSON()
			if !json.Valid(facts) {
				t.Fatalf("facts are not JSON: %s", facts)
			}
			return fmt.Sprint(notables, more, string(facts))
		}
		if first, second := tell(), tell(); first != second {
			t.Errorf("%s\n%s", first, second)
		}
	})
}

// TestCandidatesAreBounded: many records that stand out take no more memory than some, and are counted.
func TestCandidatesAreBounded(t *testing.T) {
	s := NewWatchfulSummary()
	for i := range 20_000 {
		state := "open"
		if i%10 == 9 {
			state = fmt.Sprint("state", i)
		}
		s.Add(structure.Record{Seq: i + 1,
			Value: fmt.Appendf(nil, `{"id":%d,"state":%q,"pad":%q}`, i, state, strings.Repeat("x", i%500))})
	}
	if notables, more := s.Notables(); len(notables) > outlier.MaxCandidates || more == 0 {
		t.Errorf("%d notables, %d more", len(notables), more)
	}
	for i := range s.text.Out.Candidates {
		if n := cap(s.text.Out.Candidates[i].Bytes); n > 2*outlier.RowCap {
			t.Errorf("a candidate has %d bytes", n)
		}
	}
}

// TestRowsAreBounded: of a record with a thousand reasons to stand out no more is kept than of others.
func TestRowsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, `{"notes":["it went on as it had %d"]}`+"\n", i)
	}
	b.WriteString(`{"notes":[`)
	for i := range 3000 {
		fmt.Fprintf(&b, `"%s","so %s of the %s %s",`, nameOf(i), nameOf(3*i), nameOf(5*i), strings.Repeat("and ", 50))
	}
	b.WriteString(`""]}` + "\n")
	s := watched(recordsOf([]byte(b.String())))
	for i, r := range s.text.Out.Candidates[:s.text.Out.Used] {
		if cap(r.Bytes) > outlier.RowCap {
			t.Errorf("candidate %d: %d bytes", i, cap(r.Bytes))
		}
	}
	if cap(s.text.Out.Row.Bytes) > outlier.RowCap || cap(s.text.Out.Before.Bytes) > outlier.RowCap {
		t.Errorf("%d bytes of the row at hand", max(cap(s.text.Out.Row.Bytes), cap(s.text.Out.Before.Bytes)))
	}
}

// TestNullIsNoOtherValue: a measured number stands out no more by being different from all others where most records
// have null.
func TestNullIsNoOtherValue(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		felt := "null"
		if i%40 == 0 {
			felt = fmt.Sprint(float64(i*i%977) / 100)
		}
		fmt.Fprintf(&b, `{"id":"q%d","felt":%s}`+"\n", i, felt)
	}
	if notables, _ := watched(recordsOf([]byte(b.String()))).Notables(); len(notables) > 0 {
		t.Errorf("%d stand out, the first is %s", len(notables), shown(notables[0]))
	}
}

// TestOneErrorDiffers: among thousands of equal errors, the one that differs comes first, whatever it differs by, and
// the others are hardly told; a response in which all are equal has nothing that stands out.
func TestOneErrorDiffers(t *testing.T) {
	const record = `{"seq":%d,"level":"error","code":502,"msg":"upstream call failed: connection refused"}`
	const line = "2031-05-01 1%d:%02d:%02d ERROR upstream call %d failed: connection refused"
	for _, test := range []struct{ name, odd string }{
		{"nothing", ""},
		{"another message", `{"seq":3210,"level":"error","code":502,"msg":"upstream call failed: certificate is not trusted"}`},
		{"another code", `{"seq":3210,"level":"error","code":507,"msg":"upstream call failed: connection refused"}`},
		{"another level", `{"seq":3210,"level":"fatal","code":502,"msg":"upstream call failed: connection refused"}`},
		{"another line", "2031-05-01 10:53:30 ERROR upstream call 3210 failed: certificate is not trusted"},
		{"another form", "2031-05-01 10:53:30 ERROR no space left on device"},
	} {
		isLine := strings.HasPrefix(test.odd, "2031")
		var b strings.Builder
		for i := range 5000 {
			switch {
			case i == 3210 && test.odd != "":
				b.WriteString(test.odd + "\n")
			case isLine:
				fmt.Fprintf(&b, line+"\n", i/3600, i/60%60, i%60, i)
			default:
				fmt.Fprintf(&b, record+"\n", i)
			}
		}
		notables, _ := watched(recordsOf([]byte(b.String()))).Notables()
		switch {
		case test.odd == "" && len(notables) > 0:
			t.Errorf("of equal ones %d stand out: %v", len(notables), notables)
		case test.odd != "" && (len(notables) == 0 || notables[0].Seq != 3211 || len(notables) > 3):
			t.Errorf("%s: %v", test.name, notables)
		}
	}
}

// TestOneKindDoesNotDrown: what stands out by something else is told soon, though many stand out a little more.
func TestOneKindDoesNotDrown(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		state, region := 17, fmt.Sprint("r", i%60)
		switch {
		case i%60 == 30:
			state = 18 + i/60
		case i == 1234:
			region = "r99"
		}
		fmt.Fprintf(&b, `{"state":%d,"region":%q}`+"\n", state, region)
	}
	notables, _ := watched(recordsOf([]byte(b.String()))).Notables()
	if len(notables) < 30 || notables[0].Why != "rare state" {
		t.Fatalf("%d stand out: %v", len(notables), notables)
	}
	if at := slices.IndexFunc(notables, func(n outlier.Notable) bool { return n.Why == "rare region" }); at < 1 ||
		at > 3 {
		t.Errorf("the only rare region is told at %d of %d", at+1, len(notables))
	}
}

// TestLineIsToldOnce: of lines that are the same word for word, one is told; the others are said to be the same.
func TestLineIsToldOnce(t *testing.T) {
	var text strings.Builder
	for i := range 900 {
		fmt.Fprintf(&text, "served page %d in %d ms\n", i*7%100, i%40)
		if i%100 == 50 {
			text.WriteString("upstream error: no answer\n")
		}
	}
	notables, _ := watched(linesOf(text.String())).Notables()
	first, again := 0, 0
	for _, n := range notables {
		switch {
		case string(shown(n)) != "upstream error: no answer":
		case n.Again:
			again++
		default:
			first++
		}
	}
	if first != 1 || again != 8 {
		t.Errorf("%d told, %d the same: %v", first, again, notables)
	}
}

// TestCellsAreNoWords: of the rows of a CSV only what is rare in a column stands out, not that no other row has the
// same cells one after another.
func TestCellsAreNoWords(t *testing.T) {
	var text strings.Builder
	text.WriteString("id,zone,kind,state\n")
	for i := range 600 {
		fmt.Fprintf(&text, "%d,z%c,%s,%s\n", i, 'a'+i*i%19%13, []string{"disk", "cpu", "fan"}[i*i%7%3],
			[]string{"on", "off"}[i%5%2])
	}
	text.WriteString("600,zb,heater,on\n")
	notables, _ := watched(linesOf(text.String())).Notables()
	if len(notables) == 0 || notables[0].Seq != 602 {
		t.Errorf("%v", notables)
	}
	for _, n := range notables {
		if n.Why == "rare words" {
			t.Errorf("%+v", n)
		}
	}
}

// TestRepeatedNumbersAreNotFarOut: a number that comes again and again does not stand out each time.
func TestRepeatedNumbersAreNotFarOut(t *testing.T) {
	s := NewWatchfulSummary()
	for i := range 2000 {
		quantity := 1 + i*7919%2
		switch {
		case i%60 == 59:
			quantity = 6
		case i == 1000:
			quantity = 90
		}
		s.Add(structure.Record{Seq: i + 1, Value: fmt.Appendf(nil, `{"quantity":%d,"item":"i%d"}`, quantity, i%5)})
	}
	if notables, _ := s.Notables(); len(notables) != 1 || notables[0].Seq != 1001 {
		t.Errorf("%v", notables)
	}
}

// TestNamesIdentify: what is called a name or an id says which record it is, before times and codes.
func TestNamesIdentify(t *testing.T) {
	s := NewWatchfulSummary()
	for i := range 200 {
		phase := "Running"
		if i == 120 {
			phase = "Lost"
		}
		s.Add(structure.Record{Seq: i + 1,
			Value: fmt.Appendf(nil, `{"meta":{"seen":"2026-03-01T10:%02d:%02dZ","made":"2026-03-02T10:%02d:%02dZ","hash":"h%dx","name":"web-%d"},"phase":%q}`,
				i/60, i%60, i/60, i%60, i*7919, i, phase)})
	}
	notables, _ := s.Notables()
	if want := `{"phase":"Lost","meta.name":"web-120","meta.seen":`; len(notables) == 0 ||
		!bytes.HasPrefix(shown(notables[0]), []byte(want)) {
		t.Errorf("%s, want %s", shown(notables[0]), want)
	}
}

// TestNamesAreTold: where a time or a number alone says which record it is, one that stands out is told with what
// names it, too, be it cut; where it is missing, without.
func TestNamesAreTold(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	s := NewWatchfulSummary()
	for i := range 2000 {
		outcome, test := "pass",
			fmt.Sprintf("TestThatGoesOnAndOnAndOnAndOnAndOnAndOn/%s%d", strings.Repeat("case", random.IntN(8)), i%300)
		switch {
		case i == 700:
			outcome = "crash"
		case i == 1300:
			outcome, test = "stall", ""
		}
		record := fmt.Appendf(nil,
			`{"Time":"2026-01-02T%02d:%02d:%02d.%06dZ","Action":%q,"Package":"example.org/p%d"`, i/600, i/10%60,
			i%60, random.IntN(1e6), outcome, i%3)
		if test != "" {
			record = fmt.Appendf(record, `,"Test":%q`, test)
		}
		s.Add(structure.Record{Seq: i + 1, Value: append(record, '}')})
	}
	notables, _ := s.Notables()
	told := map[int]string{}
	for _, n := range notables {
		told[n.Seq] += string(shown(n))
	}
	if !strings.Contains(told[701], `"Test":"TestThatGoesOn`) || !strings.Contains(told[1301], `"stall"`) ||
		strings.Contains(told[1301], "Test") {
		t.Errorf("%q and %q", told[701], told[1301])
	}
}

// TestRareAmongMany: a value that is the only rare one of its field is told before those of a field where many are.
func TestRareAmongMany(t *testing.T) {
	var b strings.Builder
	for i := range 4000 {
		state, region := "open", fmt.Sprint("r", i%41)
		switch {
		case i%100 == 30:
			state = fmt.Sprint("state ", string(rune('A'+i/100)))
		case i == 3333:
			region = "there"
		}
		fmt.Fprintf(&b, `{"state":%q,"region":%q}`+"\n", state, region)
	}
	notables, _ := watched(recordsOf([]byte(b.String()))).Notables()
	if len(notables) == 0 || notables[0].Why != "rare region" {
		t.Errorf("%v", notables)
	}
}

// TestFarOutAmongMany: a number far out in a field where nothing else is, is told before those of a field where many
// are.
func TestFarOutAmongMany(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 3))
	var b strings.Builder
	for i := range 4000 {
		size, took := 10+random.Float64(), 10+random.Float64()
		switch {
		case i%100 == 30:
			size = 40 + random.Float64()
		case i == 3333:
			took = 25
		}
		fmt.Fprintf(&b, `{"size":%.4f,"took":%.4f}`+"\n", size, took)
	}
	notables, _ := watched(recordsOf([]byte(b.String()))).Notables()
	if len(notables) == 0 || notables[0].Why != "far out: took" {
		t.Errorf("%v", notables)
	}
}

// TestPathsDifferInDigits: a path that differs from others in its digits alone is not rare, one with another name or
// far more digits is.
func TestPathsDifferInDigits(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		path := fmt.Sprintf("/todos/%d/%d", 100+i*7919%900, 10+i%90)
		switch i {
		case 1111:
			path = "/admin/120/11"
		case 2222:
			path = "/todos/120345/11"
		}
		fmt.Fprintf(&b, "web: \"GET %s HTTP/1.1\" 200 OK\n", path)
	}
	notables, _ := watched(linesOf(b.String())).Notables()
	var got []int
	for _, n := range notables {
		got = append(got, n.Seq)
	}
	if slices.Sort(got); !slices.Equal(got, []int{1112, 2223}) {
		t.Errorf("%d", got)
	}
}

// A map with a key of its own in each of its records does not hide the field that only one has.
func TestKeysOfMapsAreNotNew(t *testing.T) {
	s := NewWatchfulSummary()
	for i := range 200 {
		keys := fmt.Sprintf(`"common":1,"key-%d":%d`, i, i)
		if i > 28 {
			keys = `"common":1`
		}
		if i == 150 {
			keys += `},"extra":{"deep":7`
		}
		s.Add(structure.Record{Seq: i + 1, Value: fmt.Appendf(nil, `{"id":%d,"tags":{%s}}`, i, keys)})
	}
	notables, _ := s.Notables()
	if len(notables) == 0 || notables[0].Seq != 151 {
		t.Errorf("the record with a field of its own is not the first of %+v", notables)
	}
}

// TestKeysOfMapsAreNoFields: where objects have more names than are told apart, each in few records, they are neither
// fields with facts nor rare ones, and those that most have are.
func TestKeysOfMapsAreNoFields(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	s := NewWatchfulSummary()
	for i := range 600 {
		deps := ""
		for range 1 + random.IntN(3) {
			deps += fmt.Sprintf(`"lib-%d":"^%d.0.0",`, random.IntN(400), random.IntN(9))
		}
		s.Add(structure.Record{Seq: i + 1,
			Value: fmt.Appendf(nil, `{"name":"pkg-%d","needs":{%s"core":"^1"}}`, i, deps)})
	}
	_, facts, _ := strings.Cut(string(s.Facts(anyLength).JSON()), `"fields":`) // the first record is told as it is
	notables, _ := s.Notables()
	if strings.Contains(facts, "lib-") || !strings.Contains(facts, `"needs.core":{"const":"^1"}`) ||
		!strings.Contains(facts, `"more_fields":3`) {
		t.Error(facts)
	}
	for _, n := range notables {
		if strings.HasPrefix(n.Kind, "rare field") {
			t.Errorf("%s: %s", n.Kind, shown(n))
		}
	}
}

// TestNumeralsAreNotRare: of many numbers one that came once does not stand out for that, written as a number or as a
// text.
func TestNumeralsAreNotRare(t *testing.T) {
	for _, form := range []string{`{"took":%d,"id":%d}`, `{"took":"%d","id":%d}`, `{"took":"%dms","id":%d}`,
		"job done took=%d turn=%d", "took: %d\nturn: %d"} {
		random := rand.New(rand.NewPCG(2, 9))
		var b strings.Builder
		for i := range 800 {
			fmt.Fprintf(&b, form+"\n", min(random.IntN(300), random.IntN(300), random.IntN(300)), i)
		}
		notables, _ := watched(recordsOf([]byte(b.String()))).Notables()
		for _, n := range notables {
			if strings.HasPrefix(n.Why, "rare took") {
				t.Errorf("%s: %s of %s", form, n.Why, shown(n))
			}
		}
	}
}

// TestPairedNames: a name that comes once where something starts and once where it ends is not rare in either place,
// and how long things take, most of them nothing, has one that is far out, however many others are a little longer.
func TestPairedNames(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 9))
	var text strings.Builder
	for i := range 400 {
		took := 0.0
		if random.IntN(12) == 0 {
			took = math.Round(100*math.Exp(random.NormFloat64()-3)) / 100
		}
		if i == 250 {
			took = 612.44
		}
		fmt.Fprintf(&text, "=== RUN   Case%s\n--- PASS: Case%s (%.2fs)\n", nameOf(i*i+7), nameOf(i*i+7), took)
	}
	notables, _ := watched(linesOf(text.String())).Notables()
	if len(notables) == 0 || notables[0].Seq != 502 || notables[0].Why != "number far out: 612.44" {
		t.Errorf("%+v", notables)
	}
	for _, n := range notables {
		if n.Kind == "rare words" {
			t.Errorf("%s: %s", n.Why, shown(n))
		}
	}
}

// TestSingletonsAreNotRare: where many records have a value that hardly another one has, as orders have customers,
// that is nothing rare; where few have, it is.
func TestSingletonsAreNotRare(t *testing.T) {
	for share, want := range map[float64]int{.3: 0, .02: 1} {
		random := rand.New(rand.NewPCG(3, 4))
		var b strings.Builder
		for i := range 3000 {
			customer := random.IntN(200)
			if random.Float64() < share {
				customer = 1000 + i
			}
			fmt.Fprintf(&b, `{"id":%d,"customer":"c%d","state":%q}`+"\n", i, customer, [...]string{"open", "paid"}[i%2])
		}
		notables, _ := watched(recordsOf([]byte(b.String()))).Notables()
		if told := len(notables); (told > 0) != (want > 0) {
			t.Errorf("of %v that have a customer of their own %d stand out", share, told)
		}
	}
}

// TestEarlyOutlier: a number far out among the first ones does not hide another one later.
func TestEarlyOutlier(t *testing.T) {
	for _, at := range []int{0, 1, 2, 5, 10, 30} {
		var text strings.Builder
		for i := range 400 {
			took := 10 + i*37%90
			if i == at || i == 300 {
				took = 15000 + i
			}
			fmt.Fprintf(&text, "job %d took %d ms\n", i, took)
		}
		notables, _ := watched(linesOf(text.String())).Notables()
		if !slices.ContainsFunc(notables, func(n outlier.Notable) bool { return n.Why == "number far out: 15300" }) {
			t.Errorf("after one at %d: %+v", at, notables)
		}
	}
}

// TestNothingRareInPlaces: the last part of a UUID is no long number, and where in a file something is makes no new
// word.
func TestNothingRareInPlaces(t *testing.T) {
	var text strings.Builder
	for i := range 300 {
		last := fmt.Sprintf("%011xf", i*7919)
		if i == 100 {
			last = "811779061596"
		}
		fmt.Fprintf(&text, "connection 0a1b2c3d-0000-4000-8000-%s closed after %d ms\n", last, i%90)
		fmt.Fprintf(&text, "warning at src/%s.go:%d:%d of it\n", nameOf(i%5), 1+i*i%977, i%100)
	}
	if notables, _ := watched(linesOf(text.String())).Notables(); len(notables) > 0 {
		t.Errorf("%+v", notables)
	}
}

// TestWordsInQuotes: a word is counted with all that reads as it does without the marks around it.
func TestWordsInQuotes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 6))
	var text strings.Builder
	came := 0
	for i := range 600 {
		line := [...]string{"started \"pod queue\" now", nameOf(random.IntN(7)) + " pod " + nameOf(random.IntN(5)),
			"is idle"}[random.IntN(3)]
		if strings.Contains(line, "pod") {
			came++
		}
		fmt.Fprintf(&text, "job %d %s\n", i, line)
	}
	var facts struct {
		Words map[string]int `json:"words~"`
	}
	decode(t, watched(linesOf(text.String())).Facts(anyLength).JSON(), &facts)
	if n := facts.Words["pod"]; n != came {
		t.Errorf("pod: %d, want %d: %v", n, came, facts.Words)
	}
}

// TestOtherLevels: what is called a level and is none of an error tells no error.
func TestOtherLevels(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		level := 10*(i%7) + i*i%11
		if i < 100 { // as those of a logger
			level = 30 + i/99*20
		}
		fmt.Fprintf(&b, `{"id":%d,"device":"b%d","level":%d}`+"\n", i, i%9, level)
	}
	notables, _ := watched(recordsOf([]byte(b.String()))).Notables()
	for _, n := range notables {
		if strings.HasPrefix(n.Why, "error") {
			t.Errorf("%s: %s", n.Why, shown(n))
		}
	}
}

// TestErrorLevels: a record with the level of an error stands out, though several have it, where the level is a number.
func TestErrorLevels(t *testing.T) {
	for usual, odd := range map[string]string{`{"PRIORITY":"6","MESSAGE":"m%d"}`: `{"PRIORITY":"3","MESSAGE":"m%d"}`, `{"level":30,"msg":"m%d"}`: `{"level":50,"msg":"m%d"}`} {
		var b strings.Builder
		for i := range 600 {
			record := usual
			if i%60 == 30 {
				record = odd
			}
			fmt.Fprintf(&b, record+"\n", i)
		}
		notables, _ := watched(recordsOf([]byte(b.String()))).Notables()
		if len(notables) != 10 || !strings.HasPrefix(notables[0].Why, "error in ") {
			t.Errorf("%d stand out of 10: %+v", len(notables), notables)
		}
	}
}

// TestLongLinesShowWhy: a long line that stands out is told with what it stands out by, wherever that is, and its
// beginning.
func TestLongLinesShowWhy(t *testing.T) {
	for _, odd := range []string{"Overcommit violation", "took 991823 s", "panic: no such lane"} {
		for _, place := range []int{0, 2, 5, 9, 14} {
			s := NewWatchfulSummary()
			const count, at = 900, 613
			for i := range count {
				parts := strings.Repeat("of-the-usual-words é ", 15)
				text := fmt.Sprintf("took %d s", i%40)
				if i == at {
					text = odd
				}
				cut := place * len("of-the-usual-words é ")
				line := fmt.Sprintf("│ ├── job-%d: %s%s, %s", i, parts[:cut], text, parts[cut:])
				s.Add(structure.Record{Seq: i + 1, IsText: true, Value: []byte(line)})
			}
			notables, _ := s.Notables()
			if len(notables) == 0 || notables[0].Seq != at+1 {
				t.Fatalf("%q after %d: %v", odd, place, notables)
			}
			line := string(shown(notables[0]))
			if !strings.Contains(line, odd) || !strings.HasPrefix(line, fmt.Sprintf("│ ├── job-%d: ", at)) ||
				len(line) > outlier.MaxLineKept+len(jsonx.Ellipsis) || !utf8.ValidString(line) {
				t.Errorf("%q after %d: %s", odd, place, line)
			}
		}
	}
}

// TestLongStringsShowWhy: a long string that stands out is told with what it stands out by, in whatever line and
// wherever in that.
func TestLongStringsShowWhy(t *testing.T) {
	for _, separator := range []string{"\n", " "} {
		for _, odd := range []string{"overcommit violated by moonlight", "then a panic in lane é"} {
			for _, place := range []int{0, 1, 7, 30, 90} {
				s := NewWatchfulSummary()
				const count, at = 300, 213
				for i := range count {
					parts := make([]string, place+5+i%9)
					for j := range parts {
						parts[j] = fmt.Sprintf("step %d: fetched %d rows from \"shard\" %c", j, i*j%90, 'a'+(i+j)%4)
					}
					if i == at {
						parts[place] = odd
					}
					log := jsonx.AppendCanonicalString(nil, strings.Join(parts, separator))
					s.Add(structure.Record{Seq: i + 1,
						Value: fmt.Appendf(nil, `{"id":%d,"state":"done","log":%s}`, i, log)})
				}
				notables, _ := s.Notables()
				if len(notables) == 0 || notables[0].Seq != at+1 {
					t.Fatalf("%q in %d: %v", odd, place, notables)
				}
				if notables[0].IsText && string(shown(notables[0])) == odd {
					continue // the text is told by its lines
				}
				if log := gjson.GetBytes(shown(notables[0]), "log"); !strings.Contains(log.String(), odd) ||
					len(log.Raw) > outlier.MaxCellLen+len(`""`)+len(jsonx.Ellipsis) {
					t.Errorf("%q in %d: %s", odd, place, shown(notables[0]))
				}
			}
		}
	}
}

// TestOddestLineOfString: of several odd lines of a string the oddest is told, and a long string tells less than a
// short one with it.
func TestOddestLineOfString(t *testing.T) {
	const odd = "overcommit violated by quiet moonlight"
	s := NewWatchfulSummary()
	for i := range 400 {
		lines := make([]string, 12)
		for j := range lines {
			lines[j] = fmt.Sprintf("step %d: fetched %d rows from shard %c", j, i*j%90, 'a'+(i+j)%4)
		}
		switch i {
		case 210:
			lines[3], lines[7], lines[10] = "step 3: fetched no rows from zanzibar", odd,
				"step 10: fetched no rows from timbuktu"
		case 110:
			lines = []string{"step 0: fetched 5 rows from shard a", "undercommit honoured at noisy rows"}
		}
		s.Add(structure.Record{Seq: i + 1,
			Value: fmt.Appendf(nil, `{"id":%d,"log":%s}`, i,
				jsonx.AppendCanonicalString(nil, strings.Join(lines, "\n")))})
	}
	notables, _ := s.Notables()
	if len(notables) < 2 || notables[0].Seq != 111 || notables[1].Seq != 211 ||
		!bytes.Contains(shown(notables[1]), []byte(odd)) {
		t.Errorf("%v", notables)
	}
}

// TestLongLinesStayWhole: what is kept of a long line are whole characters, in no more room than it has, wherever
// they are cut.
func TestLongLinesStayWhole(t *testing.T) {
	for _, character := range []string{"é", "漢", "😀"} {
		for shift := range 12 {
			s := NewWatchfulSummary()
			for i := range 900 {
				clock := fmt.Sprintf("2026-05-01T%02d:%02d:%02dZ", i/500*3, i/60%60, i%60)
				line := fmt.Sprintf("%s INFO served %s in %d ms", clock, character, i%30)
				if i%150 == 77 || i == 500 {
					line = fmt.Sprintf("%s INFO served %s %s zz%cqx %s", clock, strings.Repeat("x", shift),
						strings.Repeat(character+character+" ", 25), 'a'+i/150, strings.Repeat("ms ", 100))
				}
				s.Add(structure.Record{Seq: i + 1, IsText: true, Value: []byte(line)})
			}
			notables, _ := s.Notables()
			told := 0
			for _, n := range notables {
				if text := n.Why + string(shown(n)); !utf8.ValidString(text) || strings.Contains(text, "\x00") {
					t.Fatalf("%s after %d: %q", character, shift, text)
				}
				if n.Seq%150 == 78 && strings.Contains(string(shown(n)), "qx") {
					told++
				}
				if n.Seq == 501 && strings.Contains(n.Why, "jump") &&
					!strings.Contains(n.Why, " from 2026-05-01T00:08:19Z") {
					t.Errorf("%s after %d: %s", character, shift, n.Why)
				}
			}
			if told < 4 {
				t.Errorf("%s after %d: %d long lines are told with their word", character, shift, told)
			}
		}
	}
}

// TestLongLinesShowTheError: it is not where its letters stand first that an error is shown.
func TestLongLinesShowTheError(t *testing.T) {
	for _, before := range []string{"no errors so far", "terrors of the deep"} {
		s := NewWatchfulSummary()
		for i := range 600 {
			line := fmt.Sprintf("lane %d of 8 is free", i%8)
			if i == 450 {
				line = before + strings.Repeat(" lane of 8 is free", 20) + " error: disk 7 is gone"
			}
			s.Add(structure.Record{Seq: i + 1, IsText: true, Value: []byte(line)})
		}
		notables, _ := s.Notables()
		if len(notables) == 0 || !strings.Contains(string(shown(notables[0])), "error: disk 7") {
			t.Errorf("%s: %v", before, notables)
		}
	}
}

// TestNumbersThatComeAgain: of the few numbers in lines of one form, one that comes three times is none that stands
// out; one that comes once is.
func TestNumbersThatComeAgain(t *testing.T) {
	for times := 1; times <= 4; times++ {
		var records []structure.Record
		for i := range 300 {
			tries := 5
			if i >= 200 && i < 200+times {
				tries = 1
			}
			records = append(records,
				structure.Record{Seq: i + 1,
					Value: fmt.Appendf(nil, "gave up on user%03d after %d tries", i*7919%1000, tries), IsText: true})
		}
		notables, _ := watched(records).Notables()
		isTold := slices.ContainsFunc(notables,
			func(n outlier.Notable) bool { return strings.Contains(n.Why, "far out") })
		if isTold != (times <= surprise.MostOfRare) {
			t.Errorf("%d times: %v", times, notables)
		}
	}
}

// TestRareCodes: of numbers that are codes, most of which are the same one, one that comes once stands out, though
// several others come; of measured ones it does not. What says which record it is, beside a time, is told though it
// is long.
func TestRareCodes(t *testing.T) {
	for name, number := range map[string]func(i int) int{
		"codes": func(i int) int { return []int{200, 200, 200, 200, 200, 304, 302, 204}[i%8] },
		"sizes": func(i int) int { return 400 + i%8*3 },
	} {
		var records []structure.Record
		for i := range 96 {
			n := number(i)
			if i%40 == 7 {
				n = 404
			}
			if i == 70 {
				n = 418
			}
			records = append(records, structure.Record{Seq: i + 1, Top: i + 1, Value: fmt.Appendf(nil,
				`{"at":"2026-05-26T12:%02d:%02d.012Z","request":{"url":"https://www.kiln.example/assets/%08x.js"},"n":%d}`, i/60, i%60, i*2654435761%(1<<32), n)})
		}
		notables, _ := watched(records).Notables()
		at := slices.IndexFunc(notables, func(n outlier.Notable) bool { return n.Seq == 71 })
		if (at >= 0) != (name == "codes") {
			t.Errorf("%s: %v", name, notables)
		}
		if at >= 0 && !bytes.Contains(shown(notables[at]), []byte(`"request.url":"https://www.kiln.example/assets/`)) {
			t.Errorf("%s", shown(notables[at]))
		}
	}
}

// TestNumbersThatAreShort: a number is not long where most have more digits, and a form is not rare that more than a
// few lines have.
func TestNumbersThatAreShort(t *testing.T) {
	var records []structure.Record
	add := func(format string, args ...any) {
		records = append(records, structure.Record{Seq: len(records) + 1, Value: fmt.Appendf(nil, format, args...),
			IsText: true})
	}
	for i := range 200 {
		size := 1_000_000 + i*7919%8_000_000
		if i == 150 {
			size = 315_708
		}
		add("kept part%d of %d bytes", i, size)
		if i%50 == 20 {
			add("listening on port %d", 80+i/50)
		}
	}
	notables, _ := watched(records).Notables()
	for _, n := range notables {
		if n.Why == "long number" || n.Why == "rare form" && bytes.Contains(shown(n), []byte("port")) {
			t.Errorf("%s: %s", n.Why, shown(n))
		}
	}
}

// TestRareNumbersInLines: of few numbers in lines of one form, one that hardly came stands out though it is not far
// from the others.
func TestRareNumbersInLines(t *testing.T) {
	for times := range 4 {
		var records []structure.Record
		for i := range 400 {
			status := []int{200, 200, 404, 500}[i%4]
			if 100 <= i && i < 100+times {
				status = 421
			}
			records = append(records,
				structure.Record{Seq: i + 1,
					Value: fmt.Appendf(nil, "backend answered %d after %d ms", status, 5+i*7919%90), IsText: true})
		}
		notables, _ := watched(records).Notables()
		isTold := slices.ContainsFunc(notables, func(n outlier.Notable) bool { return n.Why == "rare number: 421" })
		if isTold != (0 < times && times <= surprise.MostOfRare) {
			t.Errorf("%d times: %v", times, notables)
		}
	}
}

// TestRareWordAmongFew: where lines of one form have one of few words, a word that comes once tells more than one
// among many that differ.
func TestRareWordAmongFew(t *testing.T) {
	var records []structure.Record
	for i := range 400 {
		origin := []string{"{default}", "{default}", "{default}", "{ergonomic}"}[i%4]
		if i == 222 {
			origin = "{attach}"
		}
		records = append(records,
			structure.Record{Seq: i + 1,
				Value: fmt.Appendf(nil, "  bool Use%s%s = %t {product} %s", strings.Repeat("X", i%5),
					string(rune('A'+i%26)), i%3 == 0, origin), IsText: true})
		if i%80 == 7 {
			records[i].Value = fmt.Appendf(nil, "%s = {product} {default}", strings.Repeat("q", i/40+1))
		}
	}
	notables, _ := watched(records).Notables()
	if at := slices.IndexFunc(notables, func(n outlier.Notable) bool { return n.Seq == 223 }); at < 0 || at > 1 {
		t.Errorf("%v", notables)
	}
}

// TestSeveralNumbers: of several numbers in a word the greatest may be far out; not that of a version, a date or a
// place.
func TestSeveralNumbers(t *testing.T) {
	for format, want := range map[string]string{
		"served by w%d in %d/0/%d/3 ms": "number far out: 90417", "heap of w%d: %d->%d": "number far out: 90417",
		"w%d is at (%d,%d)":           "number far out: 90417",
		"w%d on gw-%03d in rack %05d": "number far out: 90417",
		"w%d is version %d.0.%d":      "", "w%d at %d:%d is read": "",
	} {
		var b strings.Builder
		for i := range 200 {
			number := i * 7 % 30
			if i == 150 {
				number = 90417
			}
			fmt.Fprintf(&b, format+"\n", i%3, i*11%20, number)
		}
		notables, _ := watched(linesOf(b.String())).Notables()
		got := ""
		for _, n := range notables {
			if n.Seq == 151 {
				got = n.Why
			}
		}
		if got != want || len(notables) > 1 {
			t.Errorf("%s: %q, not %q; %d notables", format, got, want, len(notables))
		}
	}
	for word, want := range map[string]float64{"0/7/3": 7, "(3,40)": 40, "2.5->9.75": 9.75, "(9,999)": -1,
		"1234567890123456/2": -1} {
		if number, ok := mask.Greatest([]byte(word)); ok != (want >= 0) || ok && number != want {
			t.Errorf("%s: %g, %v", word, number, ok)
		}
	}
}

// TestPathsWithIds: a path that differs from others in its ids alone is no rare word.
func TestPathsWithIds(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		path := fmt.Sprintf("/a/%06x.js", 0x1a2b3c+i*7919)
		switch {
		case i == 200:
			path = "/.git/objects/pack"
		case i%3 == 0:
			path = fmt.Sprintf("/api/users/%d", i)
		}
		fmt.Fprintf(&b, "w%d served %s in %d ms\n", i%4, path, i*7%90)
	}
	notables, _ := watched(linesOf(b.String())).Notables()
	if len(notables) != 1 || notables[0].Seq != 201 {
		t.Errorf("%d notables: %+v", len(notables), notables)
	}
}
