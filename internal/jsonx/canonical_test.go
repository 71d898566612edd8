package jsonx

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzJSONText(f *testing.F) {
	for _, seed := range []string{`a\u0041\n\/\"\\`, `\ud83d\ude00é`, `\ud83d`, `\u0008\u000c\u007f\u2028`,
		`x\ud83d\u0041`, "plain"} {
		f.Add(seed, 7)
	}
	f.Fuzz(func(t *testing.T, inside string, limit int) {
		quoted := []byte(`"` + inside + `"`)
		var want string
		if json.Unmarshal(quoted, &want) != nil || !utf8.ValidString(inside) || limit < 0 {
			return // not of the kind that is asked for
		}
		canonical := AppendCanonical(nil, []byte(inside))
		var got string
		if err := json.Unmarshal([]byte(`"`+string(canonical)+`"`), &got); err != nil || got != want {
			t.Fatalf("%q means %q, want %q: %v", canonical, got, want, err)
		}
		if again := AppendCanonical(nil, canonical); !bytes.Equal(again, canonical) {
			t.Fatalf("%q is not canonical, that is %q", canonical, again)
		}
		if !bytes.ContainsRune([]byte(want), utf8.RuneError) {
			if plain := AppendCanonical(nil, AppendCanonicalText(nil, []byte(want))); !bytes.Equal(plain, canonical) {
				t.Fatalf("equal strings are %q and %q", plain, canonical)
			}
		}
		for _, text := range []string{inside, string(canonical)} {
			if n := len(AppendUnescapedKnown(nil, []byte(text))); UnescapedKnownLen([]byte(text)) != n {
				t.Fatalf("%q reads as %d bytes, not %d", text, n, UnescapedKnownLen([]byte(text)))
			}
		}
		cut := CutInside([]byte(inside), limit)
		if len(cut) > limit && len(cut) > 0 {
			t.Fatalf("%d bytes, want at most %d", len(cut), limit)
		}
		if err := json.Unmarshal([]byte(`"`+string(cut)+`"`), &got); err != nil {
			t.Fatalf("%q cut to %q: %v", inside, cut, err)
		}
		if !bytes.HasPrefix([]byte(want), []byte(got)) {
			t.Fatalf("%q is not the beginning of %q", got, want)
		}
	})
}

// Every byte is escaped that must be, wherever it stands among others, and no other.
func TestAppendString(t *testing.T) {
	for c := range 256 {
		for at := range 19 {
			for _, filler := range []string{"a", "\x7f", "\\", "\"", "é", "\x00"} {
				text := []byte(strings.Repeat(filler, 20/len(filler)))
				text[at] = byte(c)
				want := []byte{'"'}
				for _, r := range string(text) { // U+FFFD for each byte that is none of a character
					switch {
					case r == '"' || r == '\\':
						want = append(want, '\\', byte(r))
					case r < ' ':
						want = appendCanonicalByte(want, byte(r))
					default:
						want = utf8.AppendRune(want, r)
					}
				}
				want = append(want, '"')
				if got := AppendCanonicalString(nil, text); !bytes.Equal(got, want) {
					t.Fatalf("%q is %s, want %s", text, got, want)
				}
				if got := AppendCanonicalString(nil, string(text)); !bytes.Equal(got, want) {
					t.Fatalf("%q is %s as a string, want %s", text, got, want)
				}
			}
		}
	}
}

// TestEndOfString: a string ends at the first quote that no backslash stands for, wherever that is.
func TestEndOfString(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 6))
	for range 50_000 {
		src := []byte(`"`)
		for range random.IntN(30) {
			src = append(src, `aé"\\b/`[random.IntN(8)])
		}
		want, isEscaped := len(src), false
		for i := 1; i < len(src); i++ {
			if src[i] == '"' {
				want = i + 1
				break
			}
			if src[i] == '\\' {
				isEscaped = true
				i++
			}
		}
		if end, escaped := EndOfString(src, 0); end != want || escaped != isEscaped {
			t.Fatalf("%q ends at %d (%t), not %d (%t)", src, end, escaped, want, isEscaped)
		}
	}
}

func TestIsObject(t *testing.T) {
	nested := func(n int) string { return strings.Repeat(`{"a":`, n) + "[]" + strings.Repeat("}", n) }
	for text, want := range map[string]bool{
		`{"a":1}`: true, `{"a":"{[\"{["}`: true, ` {"a":1}`: false, `{"a":1} `: false, `{}`: false, `{"a":}`: false,
		`{"a":1}}`:  false,
		`[{"a":1}]`: false, `{"a`: false, `{"a":1}{"b":2}`: false, "": false, `{"a":"x}`: false,
		nested(deepestObject - 1): true, nested(deepestObject): false,
		`{"deep":[` + strings.Repeat("[],", 90) + `{}]}`: true,
	} {
		if got := IsObject([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
