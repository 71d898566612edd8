package budget

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCharCounter(t *testing.T) {
	counter, err := NewCounter("chars")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"\n", 1},
		{"abc\n", 1},
		{"abcd\n", 2},
		{strings.Repeat("é", 8), 2},
		{strings.Repeat("漢", 9), 3},
		{strings.Repeat("🙂", 4), 1},
		{strings.Repeat("\xff", 5), 2},
		{strings.Repeat("\xe2\x82", 4), 1}, // four halves of a sequence are four characters
		{strings.Repeat("\xe2\x82", 5), 2},
		{"\x00\x00\x00\x00\n", 2},
	} {
		if got := counter.Count([]byte(test.text)); got != test.want {
			t.Errorf("%q: got %d, want %d", test.text, got, test.want)
		}
	}
}

// The maximal subparts of ill-formed sequences, by the definition in chapter 3.9 of the Unicode standard.
func TestReplaceInvalid(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"plain", "plain"},
		{"�", "�"},
		{"\x80", "�"},
		{"\xc0\xaf", "��"},
		{"\xc1\xbf", "��"},
		{"\xc2", "�"},
		{"\xc2A", "�A"},
		{"\xe0\x80\xbf", "���"}, // overlong
		{"\xe0\xa0", "�"},
		{"\xe2\x82", "�"},
		{"\xe2\x82A", "�A"},
		{"\xed\xa0\x80", "���"}, // a surrogate
		{"\xed\x9f", "�"},
		{"\xf0\x80\x80\x80", "����"},
		{"\xf0\x90\x80", "�"},
		{"\xf0\x90\x80\xf0\x90\x80\x80", "�𐀀"},
		{"\xf4\x8f\xbf", "�"},
		{"\xf4\x90\x80\x80", "����"},
		{"\xf5\x80", "��"},
		{"\xff\xfe", "��"},
		{"a\xe2\x28\xa1b", "a�(�b"},
	} {
		if got := string(replaceInvalid([]byte(test.text))); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestCounterNames(t *testing.T) {
	if names := Encodings(); names[0] != "chars" || len(names) != 6 {
		t.Errorf("got %v", names)
	}
	for _, name := range Encodings() {
		counter := newCounter(t, name)
		if got := counter.Count([]byte("{}\n")); got < 1 || got > 3 {
			t.Errorf("%s: got %d for three characters", name, got)
		}
	}
	counter, err := NewCounter("no-such-tokenizer")
	if err == nil {
		t.Fatalf("got %T for a name that is none", counter)
	}
	for _, name := range Encodings() {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("the error does not offer %s: %v", name, err)
		}
	}
	if strings.Contains(err.Error(), "no-such-tokenizer") {
		t.Errorf("the error repeats the name: %v", err)
	}
}

func FuzzCharCounter(f *testing.F) {
	for _, seed := range []string{"", "a\n", "naïve", "漢字", "naïve 漢字, 😀 and so on\n", "\xf0\x9f",
		"\xe2\x82\xac\xe2\x82", "\xff\xfe", "\xed\xa0\x80\xed\xb0\x80"} {
		f.Add([]byte(seed))
	}
	counter := newCounter(f, "chars")
	f.Fuzz(func(t *testing.T, line []byte) {
		kept := bytes.Clone(line)
		got := counter.Count(line)
		if !bytes.Equal(line, kept) {
			t.Error("the counter changed the line it was lent")
		}
		if got < 0 || got > len(line) {
			t.Errorf("%d tokens for %d bytes", got, len(line))
		}
		valid := replaceInvalid(line)
		if !utf8.Valid(valid) {
			t.Error("what replaced invalid UTF-8 is invalid UTF-8")
		}
		if want := (utf8.RuneCount(valid) + 3) / 4; got != want {
			t.Errorf("got %d tokens, want %d", got, want)
		}
		if tally := tallied(t, "chars", line, 3); tally != got {
			t.Errorf("in parts %d tokens, as a whole %d", tally, got)
		}
		if utf8.Valid(line) && !bytes.Equal(line, valid) {
			t.Error("valid UTF-8 did not stay as it was")
		}
		if maximal, single := utf8.RuneCount(valid), utf8.RuneCount(line); maximal > single {
			t.Errorf("%d maximal subparts of at most %d", maximal, single)
		}
	})
}

func TestCharCounterAllocates(t *testing.T) {
	counter := newCounter(t, "chars")
	for _, line := range []string{sampleLine, sampleLine + "漢字", sampleLine + "\xff"} {
		text := []byte(line)
		if n := testing.AllocsPerRun(100, func() { counter.Count(text) }); n != 0 {
			t.Errorf("%v allocations per line", n)
		}
	}
}

// replaceInvalid returns text as WHATWG decodes it, in UTF-8.
func replaceInvalid(text []byte) []byte {
	var r Repairer
	return r.Flush(r.Append(nil, text))
}

func newCounter(t testing.TB, name string) Counter {
	t.Helper()
	counter, err := NewCounter(name)
	if err != nil {
		t.Fatal(err)
	}
	return counter
}

const sampleLine = `{"seq":12,"mode":"raw","data":{"id":"ord_10412","at":"2026-03-02T09:14:07Z","status":"paid","total":129.9,` +
	`"note":"left with a neighbour, see photo"},"left":3120}` + "\n"

func BenchmarkCount(b *testing.B) {
	for _, text := range []struct{ name, line string }{
		{"json", sampleLine},
		{"cjk", strings.Repeat("支払いが完了しました。", 20) + "\n"},
		{"invalid", strings.Repeat("caf\xe9 ", 40) + "\n"},
		{"one-letter", strings.Repeat("a", 100_000) + "\n"},
		{"blanks", strings.Repeat(" ", 100_000) + "\n"},
	} {
		for _, name := range Encodings() {
			b.Run(text.name+"/"+name, func(b *testing.B) {
				counter := newCounter(b, name)
				line := []byte(text.line)
				b.SetBytes(int64(len(line)))
				b.ReportAllocs()
				for b.Loop() {
					counter.Count(line)
				}
			})
		}
	}
}
