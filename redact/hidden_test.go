package redact

import (
	"bytes"
	b64 "encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/redact/internal/catalogue"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// eachByte writes every byte of s as f has it.
func eachByte(s string, f func(c byte) string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString(f(s[i]))
	}
	return b.String()
}

func written(format string) func(string) string {
	return func(s string) string {
		return eachByte(s, func(c byte) string { return fmt.Sprintf(format, c) })
	}
}

// hiding is the ways to write a text that no rule would see in it.
var hiding = map[string]func(string) string{
	"percents":         written("%%%02x"),
	"percents twice":   written("%%25%02X"),
	"references":       written("&#%d;"),
	"hex references":   written("&#x%X;"),
	"references twice": written("&amp;#%d;"),
	"C escapes":        written(`\x%02x`),
	"JSON escapes":     written(`\u%04x`),
	"JSON in JSON":     written(`\\u%04x`),
	"NUL":              written("%c\x00"),
	"zero width":       written("%c\u200b"),
	"soft hyphens":     written("\u00ad%c"),
	"colour":           written("%c\x1b[1;31m"),
	"octal escapes":    written(`\%03o`),
	"selectors":        written("%c\ufe0f"),
	"tags":             written("%c\U000e0041"),
	"fillers":          written("%c\u3164"),
	"overstrike": func(s string) string {
		return eachByte(s, func(c byte) string {
			if c < ' ' { // is not printed twice
				return string(c)
			}
			return string(c) + "\b" + string(c)
		})
	},
	"base64 of UTF-16": func(s string) string { return b64.StdEncoding.EncodeToString([]byte(written("%c\x00")(s))) },
	"base64 of UTF-16BE": func(s string) string {
		return b64.StdEncoding.EncodeToString([]byte(written("\x00%c")(s)))
	},
	"base64 after signs": func(s string) string { return b64.StdEncoding.EncodeToString([]byte("# \U0001f510 env file\n" + s)) },
	"hex after 0x":       func(s string) string { return "0x" + hex.EncodeToString([]byte("say: "+s)) },
	"hex of bytea":       func(s string) string { return `\x` + hex.EncodeToString([]byte("say: "+s)) },
	"full width": func(s string) string {
		return strings.Map(func(r rune) rune {
			if r > ' ' && r < 0x7f {
				return r + 0xfee0
			}
			return r
		}, s)
	},
	"base64":          func(s string) string { return b64.StdEncoding.EncodeToString([]byte(s)) },
	"base64 for URLs": func(s string) string { return b64.RawURLEncoding.EncodeToString([]byte("say " + s)) },
	"base64 twice": func(s string) string {
		return b64.StdEncoding.EncodeToString([]byte(b64.URLEncoding.EncodeToString([]byte(s))))
	},
	"base64 of a record": func(s string) string {
		return b64.StdEncoding.EncodeToString([]byte(`{"a":"` + s +
			`","b":1}`))
	},
	"base64 of percents": func(s string) string { return b64.StdEncoding.EncodeToString([]byte(written("%%%02x")(s))) },
	"base64 of a page": func(s string) string {
		return b64.StdEncoding.EncodeToString([]byte(strings.Repeat("nothing here ", 300) + s + "\n"))
	},
	"hexadecimal": func(s string) string { return hex.EncodeToString([]byte(s)) },
	"base64, hexadecimal": func(
		s string) string {
		return b64.StdEncoding.EncodeToString([]byte(hex.EncodeToString([]byte(s))))
	},
}

// around are the ways in which programs put a text of several lines into another.
var around = []func(string) string{
	func(s string) string { return s },
	hiding["base64"], hiding["hexadecimal"], hiding["base64 of UTF-16"],
	func(s string) string { return b64.RawURLEncoding.EncodeToString([]byte(s)) },
	func(s string) string {
		b, _ := json.Marshal(map[string]any{"id": 7, "body": s})
		return string(b)
	},
}

// FuzzAround checks that a structure is redacted in whatever it stands, up to two deep.
func FuzzAround(f *testing.F) {
	for i := range len(overLines) {
		for a := range len(around) {
			for b := range len(around) {
				f.Add(uint8(i), uint8(a), uint8(b))
			}
		}
	}
	rules := compile(f, Options{Groups: All})
	f.Fuzz(func(t *testing.T, i, a, b uint8) {
		text := overLines[int(i)%len(overLines)]
		in := around[int(b)%len(around)](around[int(a)%len(around)](text)) + "\n"
		got := string(redacted(t, rules, Auto, []byte(in)))
		if got == in {
			t.Errorf("%q in %d in %d shows\n%.200s", text, a, b, got)
		}
	})
}

// A rule's example is found however it is hidden, in a text and in a record.
func TestHidden(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, x := range testdepth.Some(catalogue.Rules(names.NewNames())) {
		plain := string(whole(rules, []byte(x.Example)))
		if x.Example == "" || plain == x.Example || strings.ContainsAny(x.Example, "\n\"'\\") {
			continue // a quote that is written otherwise is no quote of the text
		}
		for way, hide := range hiding {
			if len(x.Example) < 11 && (strings.HasPrefix(way, "base64") || way == "hexadecimal") {
				continue // too short to tell from any other word
			}
			secret := hide(x.Example)
			inJSON, err := json.Marshal(map[string]string{"n": "see " + secret + " there"})
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{"see " + secret + " there", "see " + secret + " there\n", string(inJSON)} {
				got := string(redacted(t, rules, Auto, []byte(text)))
				if got == text || strings.Contains(got, secret) {
					t.Errorf("%s: %s, in %s: %q gives %q", x.Name, way, text[:4], text, got)
				}
			}
		}
	}
}

// TestSecretBehindSigns: a token is found behind any byte that is no part of a word, in a text and in a string of JSON.
func TestSecretBehindSigns(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	const token = "ghp_lEw49378Pudux18aurXkxOBJAjNP0W6Oc1d4"
	for c := range 0x80 {
		if lex.Word.Has(byte(c)) {
			continue
		}
		before := "x" + string(rune(c))
		inJSON, err := json.Marshal([]string{before + token + " end"})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{before + token, before + token + " end\n", string(inJSON) + "\n"} {
			if got := string(redacted(t, rules, Auto, []byte(text))); strings.Contains(got, token) {
				t.Errorf("%q gives %q", text, got)
			}
		}
	}
}

// What is written in another way and is no secret stays as it is.
func TestNotHidden(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for way, hide := range hiding {
		for _, s := range unchanged {
			if strings.Contains(s, "\n") || way == "base64 of a record" && strings.Contains(s, `"`) {
				continue
			}
			text := "see " + hide(s)
			if got := string(whole(rules, []byte(text))); got != text {
				t.Errorf("%s: %q gives %q", way, text, got)
			}
		}
	}
	for in, want := range map[string]string{
		"\x1b[31mmara@example.org\x1b[0m done\x1b[K\n": "\x1b[31m[REDACTED:email]\x1b[0m done\x1b[K\n",
		"m\u200bara@example.org\u200b.":                "[REDACTED:email]\u200b.",
		"?to=mara%40example.org&x=%20y%2":              "?to=[REDACTED:email]&x=%20y%2",
		"&lt;mara&#64;example.org&gt; &amp;":           "&lt;[REDACTED:email]&gt; &amp;",
	} {
		if got := string(whole(rules, []byte(in))); got != want {
			t.Errorf("%q\ngives %q\n not %q", in, got, want)
		}
	}
}

// A text in UTF-16 remains one: its redaction is that of the text, in UTF-16.
func TestUTF16(t *testing.T) {
	const text = "DB_PASSWORD=walnut-Tree93\r\nmail: mara.lind@example.org x\r\nTOKEN=ghp_lEw49378Pudux18aurXkxOBJAjNP0W6Oc1d4\r\n" +
		"postgres://app:walnut93@db.example.org/x\r\nb: [REDACTED:email]\r\n"
	for _, numbered := range []bool{false, true} {
		rules := compile(t, Options{Groups: All, Numbered: numbered})
		want := redacted(t, rules, Lines, []byte(text))
		for order, encode := range map[string]func([]byte, uint16) []byte{
			"LE": binary.LittleEndian.AppendUint16, "BE": binary.BigEndian.AppendUint16,
		} {
			utf16 := func(text []byte) (b []byte) {
				for _, c := range text {
					b = encode(b, uint16(c))
				}
				return b
			}
			got := redacted(t, rules, Lines, utf16([]byte(text)))
			if !bytes.Equal(got, utf16(want)) {
				t.Errorf("%s, numbered %v: %q\nnot %q", order, numbered, got, utf16(want))
			}
			if again := redacted(t, rules, Lines, got); !numbered && !bytes.Equal(again, got) {
				t.Errorf("%s: %q and again %q", order, got, again)
			}
		}
	}
	rules := compile(t, Options{Groups: All})
	escaped := `{"a":"` + strings.Join(strings.Split("password=walnut93", ""), `\u0000`) + `"}`
	want := `{"a":"` + strings.Join(strings.Split("password=[REDACTED:password]", ""), `\u0000`) + `"}`
	if got := string(redacted(t, rules, JSON, []byte(escaped))); got != want {
		t.Errorf("%s gives %s", escaped, got)
	}
}
