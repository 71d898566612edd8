package hidden

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestShow(t *testing.T) {
	for in, want := range map[string]string{
		"a\u202eb":                        "a[U+202E]b",
		"a\u2066b\u2069":                  "a[U+2066]b[U+2069]",
		"pass\u200bword":                  "pass[U+200B]word",
		"a\ufeffb":                        "a[U+FEFF]b",
		"a\U000e0041\U000e0042":           "a[U+E0041][U+E0042]",
		"x\ufe00\ufe01y":                  "x[U+FE00][U+FE01]y",
		"x\U000e0100":                     "x[U+E0100]",
		"a\u200db":                        "a[U+200D]b",
		"a\u200eb":                        "a[U+200E]b",
		"\u200c":                          "[U+200C]",
		"👩\u200d💻 ok":                     "👩\u200d💻 ok",
		"❤\ufe0f":                         "❤\ufe0f",
		"می\u200cخواهم":                   "می\u200cخواهم",
		"क\u094d\u200dष":                  "क\u094d\u200dष",
		"שלום\u200f 3":                    "שלום\u200f 3",
		"🏴\U000e0067\U000e0062\U000e007f": "🏴\U000e0067\U000e0062\U000e007f",
		"日本語 — “x” … €":                   "日本語 — “x” … €",
		"\xe2\x80":                        "\xe2\x80", // not whole
	} {
		got, count := Show(nil, []byte(in), false, false)
		if string(got) != want || count != strings.Count(want, "[U+") {
			t.Errorf("%q: %q, %d, want %q", in, got, count, want)
		}
		if Has([]byte(in), false) != true && count > 0 {
			t.Errorf("%q: nothing may be hidden", in)
		}
	}
	if got, count := Show(nil, []byte("\ufeffa\ufeff"), true, false); string(got) != "\ufeffa[U+FEFF]" || count != 1 {
		t.Errorf("%q, %d", got, count)
	}
}

func TestShowOfJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":"x\u202ey"}`:        `{"a":"x[U+202E]y"}`,
		`{"a":"x\\u202ey"}`:       `{"a":"x\\u202ey"}`,
		`{"a":"x\\\u202Ey"}`:      `{"a":"x\\[U+202E]y"}`,
		`{"a":"\udb40\udc41"}`:    `{"a":"[U+E0041]"}`,
		`{"a":"\ud83d\ude00 b"}`:  `{"a":"\ud83d\ude00 b"}`,
		`{"a":"\u00e9\n\udb40x"}`: `{"a":"\u00e9\n\udb40x"}`,
		`{"\u200b":1}`:            `{"[U+200B]":1}`,
	} {
		if got, _ := Show(nil, []byte(in), false, true); string(got) != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// FuzzShow: what is shown has nothing hidden any more, and is valid if the text was; a text without
// is as it was.
func FuzzShow(f *testing.F) {
	f.Add("a\u202eb\u200d\ufe0f", true)
	f.Add(`"\udb40\udc41\u200b"`, false)
	f.Fuzz(func(t *testing.T, text string, isJSON bool) {
		got, count := Show(nil, []byte(text), false, isJSON)
		if (count == 0) != (string(got) == text) {
			t.Fatalf("%q: %q, %d", text, got, count)
		}
		if again, more := Show(nil, got, false, isJSON); more > 0 {
			t.Fatalf("%q: %q, and then %q", text, got, again)
		}
		if utf8.ValidString(text) && !utf8.Valid(got) {
			t.Fatalf("%q: %q is not valid", text, got)
		}
	})
}

func BenchmarkShow(b *testing.B) {
	text := []byte(strings.Repeat(`{"id":1,"name":"a name of many","at":"2026-03-01T10:00:00Z"}`+"\n", 1000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if Has(text, true) {
			b.Fatal("nothing is hidden")
		}
	}
}

// A text costs as much per byte, however many places it has where a hidden character could begin.
func BenchmarkPlaces(b *testing.B) {
	for _, place := range []string{`\u0431`, "\uff0c"} {
		for _, size := range []int{4 << 10, 64 << 10} {
			text := []byte(`"` + strings.Repeat(place, size/len(place)) + `"`)
			b.Run(fmt.Sprintf("%+q of %d", place, size), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				var out []byte
				for b.Loop() {
					out, _ = Show(out[:0], text, false, true)
				}
			})
		}
	}
}
