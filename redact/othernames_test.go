package redact

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/detect"
	"github.com/kfw-dev/kfw/redact/internal/prefilter"
)

// TestForeignNames: the value of each word for a password is found, as the key of an object, too. Within a longer word,
// or before another word, it names no password.
func TestForeignNames(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for name := range strings.SplitSeq(detect.ForeignPasswords+"|"+detect.AmbiguousPasswords, "|") {
		const value = "walnut-Tree93x"
		for _, text := range []string{name + ": " + value, name + "=" + value, `{"` + name + `":"` + value + `"}`,
			`{"a":1,"` + name + `" : "` + value + `"}`} {
			if got := string(redacted(t, rules, Auto, []byte(text))); strings.Contains(got, value) {
				t.Errorf("%q gives %q", text, got)
			}
		}
		for _, text := range []string{name + ": obligatoire", name + " walnut", "ж" + name + "ж: walnut93x",
			"密" + name + "密: walnut93x"} {
			if got := string(whole(rules, []byte(text))); got != text {
				t.Errorf("%q gives %q", text, got)
			}
		}
		longer := "密ж" + name + ": walnut93x" // a name in ASCII is apart
		if got := string(whole(rules, []byte(longer))); name[0] >= 0x80 && got != longer {
			t.Errorf("%q gives %q", longer, got)
		}
	}
}

func TestOtherNames(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, c := range []struct{ in, want string }{
		{"file_path=4fx6xhefzextxqbniepx, compat: 3, PATTERN=a1b2c3d4e5f6",
			"file_path=4fx6xhefzextxqbniepx, compat: 3, PATTERN=a1b2c3d4e5f6"},
		{`HEX_PAT = "[0-9A-Fa-f]{1,4}x2b4"`, `HEX_PAT = "[0-9A-Fa-f]{1,4}x2b4"`},
		{"seed=12345678901234567890, random_seed: 42, db seed file",
			"seed=12345678901234567890, random_seed: 42, db seed file"},
		{"proptest_seed: 8f3a9c0b7d2e4f61, hash-seed=4f9a01c7be4f9a01, WALLET_SEED=8f3a9c0b7d2e4f61",
			"proptest_seed: 8f3a9c0b7d2e4f61, hash-seed=4f9a01c7be4f9a01, WALLET_SEED=[REDACTED:mnemonic]"},
		{`peterSig := "\\u2014 Name x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZ="`,
			`peterSig := "\\u2014 Name x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZ="`},
		{"GET /error?code=404&state=x /a?code=E_INVALID_ARGUMENT_IN_REQUEST",
			"GET /error?code=404&state=x /a?code=E_INVALID_ARGUMENT_IN_REQUEST"},
		{"mnemonic: mov eax, ebx", "mnemonic: mov eax, ebx"},
		{"recovery_phrase=\"" + strings.Repeat("zebra ", 23) + "zoo\" kept",
			"recovery_phrase=\"[REDACTED:mnemonic]\" kept"},
		{"response=200 response=\"ok\"", "response=200 response=\"ok\""},
		{"define('AUTH_SALT', 'k7 mQ2!x}9Vz&R4t#Lw8@pN1s^Yd6%Hb3*Jf5(Gc0)');",
			"define('AUTH_SALT', '[REDACTED:generic_key]');"},
		{"('auth_key', 'The Quick Brown Fox: 12 times, over (the) lazy dog & so on')",
			"('auth_key', 'The Quick Brown Fox: 12 times, over (the) lazy dog & so on')"},
	} {
		if got := string(whole(rules, []byte(c.in))); got != c.want {
			t.Errorf("%q\ngives %q\n not %q", c.in, got, c.want)
		}
	}
}

// TestAnchorsOfASCII: an anchor in ASCII is found only where it stands, not where another byte stands in it.
func TestAnchorsOfASCII(t *testing.T) {
	set := compile(t, Options{Groups: All}).set
	folded := func(c byte) byte {
		switch {
		case lex.Digits.Has(c):
			return '0'
		case lex.Letters.Has(c):
			return c | 0x20
		}
		return c
	}
	for i, r := range set.Catalogue {
		if strings.IndexFunc(strings.Join(r.Anchors, ""), func(c rune) bool { return c >= utf8.RuneSelf }) >= 0 {
			continue
		}
		for _, anchor := range r.Anchors {
			for at := range anchor {
				for other := range 0x100 {
					text := []byte(anchor)
					text[at] = folded(byte(other))
					if slices.Contains(r.Anchors, string(text)) {
						continue
					}
					text[at] = byte(other)
					var s prefilter.State
					for n := range text {
						_, s = set.Automaton.Scan(s, text[n:n+1])
					}
					if s < set.Automaton.Hit {
						continue
					}
					for _, e := range set.Automaton.Endings(s) {
						if e.Rule == i && e.Length == len(anchor) {
							t.Fatalf("%q is found in %q", anchor, text)
						}
					}
				}
			}
		}
	}
}

// Anchors that differ only in bytes of the same class are all found.
func TestSharedClasses(t *testing.T) {
	words := []string{"пароль", "парола", "Пароль", "密码", "密碼", "암호"}
	var anchors []prefilter.AnchorOf
	for i, w := range words {
		anchors = append(anchors, prefilter.AnchorOf{Anchor: w, Rule: i})
	}
	for c := byte('!'); c <= '~'; c++ { // more than there are classes
		if !lex.Alnum.Has(c) {
			anchors = append(anchors,
				prefilter.AnchorOf{Anchor: strings.Repeat(string(c), 3), Rule: len(words) + int(c)})
		}
	}
	a := prefilter.NewAutomaton(anchors)
	for _, x := range anchors {
		n, s := a.Scan(0, []byte(x.Anchor))
		found := false
		if n == len(x.Anchor) && s >= a.Hit {
			for _, e := range a.Endings(s) {
				found = found || e.Rule == x.Rule
			}
		}
		if !found {
			t.Errorf("%q is not found", x.Anchor)
		}
	}
}
