package jsonx

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzValid: what is valid is what encoding/json takes, and a run of plain bytes ends at the first
// one that is none.
func FuzzValid(f *testing.F) {
	for _, text := range []string{`{}`, ` [1, -0.5e+3 ,"a\u00e9\n"] `, `{"a":{"b":[true,false,null]}}`, `[1,]`,
		`{"a" 1}`, `01`, `1.`, `-`, `"\x"`, `"\u12g4"`, "\"\x01\"", "\"\xff\"", `{"a":1}x`, ``, `nul`,
		`{"abcdefgh\"ijk":"lmnopqrs\\"}`, `"unfinished`, `"\`, `"\u00`, "[\v1]", `{"a":1,}`, `{,}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const depth = 1000
		if strings.Count(text, "[")+strings.Count(text, "{") > depth {
			t.Skip("deeper than Valid is asked to read")
		}
		if got, want := Valid(text, depth), json.Valid([]byte(text)); got != want {
			t.Errorf("%q is valid: %t, want %t", text, got, want)
		}
		run := strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' })
		if run < 0 {
			run = len(text)
		}
		if PlainRun(text) != run || PlainRun([]byte(text)) != run {
			t.Errorf("%q: a run of %d, %d, want %d", text, PlainRun(text), PlainRun([]byte(text)), run)
		}
	})
}

func TestValidDepth(t *testing.T) {
	for depth := range 5 {
		text := strings.Repeat(`{"a":[`, depth) + strings.Repeat("]}", depth)
		if !Valid(text, 2*depth) != (depth == 0) || depth > 0 && Valid(text, 2*depth-1) {
			t.Errorf("%s", text)
		}
	}
}

// TestValidCopiesNothing: a string is read as it is.
func TestValidCopiesNothing(t *testing.T) {
	text := `["` + strings.Repeat("a", 1000) + `",{"b":[1]}]`
	if n := testing.AllocsPerRun(10, func() { Valid(text, 10) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
