package budget

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
	tiktokenloader "github.com/pkoukk/tiktoken-go-loader"

	"github.com/kfw-dev/kfw/internal/testdepth"
)

// The patterns as tiktoken-go is given them.
const (
	o200kPattern = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	cl100kPattern = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+` +
		`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	olderPattern = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
)

// exact is one of the encodings that have a counter of their own, and tiktoken-go with the same.
type exact struct {
	name      string
	counter   *exactCounter
	reference *tiktoken.Tiktoken
}

func exacts(t testing.TB) (all []exact) {
	t.Helper()
	for name, pattern := range map[string]string{"o200k_base": o200kPattern, "cl100k_base": cl100kPattern,
		"p50k_base": olderPattern, "r50k_base": olderPattern} {
		ranks, err := tiktokenloader.NewOfflineLoader().LoadTiktokenBpe(name + ".tiktoken")
		if err != nil {
			t.Fatal(err)
		}
		core, err := tiktoken.NewCoreBPE(ranks, nil, pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, exact{name, newCounter(t, name).(*exactCounter), tiktoken.NewTiktoken(core, nil, nil)})
	}
	return all
}

// tallied counts text in parts whose lengths follow from seed.
func tallied(t testing.TB, name string, text []byte, seed uint64) int {
	t.Helper()
	tally, err := NewTally(name)
	if err != nil {
		t.Fatal(err)
	}
	lengths := rand.New(rand.NewPCG(seed, 0))
	for len(text) > 0 {
		n := min(len(text), 1+lengths.IntN(1+lengths.IntN(40_000)))
		if _, err := tally.Write(text[:n]); err != nil {
			t.Fatal(err)
		}
		text = text[n:]
	}
	return tally.Tokens()
}

// FuzzExactCounter holds the counters, and the tallies at any cut, to tiktoken-go wherever that one is right: it
// knows the code points of Go's Unicode tables only, and does not take ſ for an s.
func FuzzExactCounter(f *testing.F) {
	for _, seed := range []string{
		"", "\n", sampleLine, "it's I'LL we'd 'tis x's O'Reilly's\n", "a  b\t\tc \n\n  d",
		"ab12cd 345678,9\r\n\r\n/", "naïve 漢字 ..., e\u0301!\u0301a",
		"a\xff\xe2\x82b", "CamelCaseWords/and/paths.go:12", strings.Repeat("word ", 1200), "\n \n",
		" \u3000x\u00a0y", "漢字ABC 漢字ABCdef ǅa", "!\n//\n/x",
		"<|endoftext|>", "\u0301'S\u0301A'll", "٣٤٥٦ Ⅷ½", strings.Repeat("=", 300) + "\r\n",
		strings.Repeat("aB", 200), "\t\t  \r\n  \r\n \tx",
	} {
		f.Add([]byte(seed), uint64(1))
	}
	all := exacts(f)
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		valid := string(replaceInvalid(text))
		if len(valid) > 4096 {
			return // the reference takes the square of it
		}
		for _, encoding := range all {
			got := encoding.counter.Count(text)
			if got > len(valid) || got < 0 {
				t.Errorf("%s: %d tokens of %d bytes", encoding.name, got, len(valid))
			}
			if tally := tallied(t, encoding.name, text, seed); tally != got {
				t.Errorf("%s: in parts %d, as a whole %d", encoding.name, tally, got)
			}
			if !strings.ContainsFunc(valid, isDoubtful) {
				if want := len(encoding.reference.EncodeOrdinary(valid)); got != want {
					t.Errorf("%s: got %d, want %d", encoding.name, got, want)
				}
			}
		}
	})
}

func isDoubtful(r rune) bool { return r == 'ſ' || unicode.Is(unicode.Cn, r) }

// Every code point that Go knows, in every place that a pattern tells apart.
func TestExactCodePoints(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	all := exacts(t)
	const step = 61 // a prime: all blocks are met, and more with every other starting point
	var text strings.Builder
	for r := rune(1); r <= unicode.MaxRune; r += step {
		if !utf8.ValidRune(r) || isDoubtful(r) || unicode.Is(unicode.Co, r) {
			continue
		}
		c := string(r)
		text.WriteString("a" + c + "B" + c + c + "1 " + c + "'s " + c + "\n  " + c + "/")
		if text.Len() > 1000 || r+step > unicode.MaxRune {
			for _, encoding := range all {
				if got, want := encoding.counter.Count([]byte(text.String())),
					len(encoding.reference.EncodeOrdinary(text.String())); got != want {
					t.Errorf("%s: got %d, want %d, up to %U", encoding.name, got, want, r)
				}
			}
			text.Reset()
		}
	}
}

func TestExactCounter(t *testing.T) {
	counters := map[string]Counter{}
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		counters[name] = newCounter(t, name)
	}
	for _, test := range []struct {
		text          string
		o200k, cl100k int
	}{
		{"", 0, 0},
		{"\n", 1, 1},
		{"hello world\n", 3, 3},
		{"\n \n", 1, 1},
		{"<|endoftext|>", 7, 7}, // as text, not as the special token
		{"�", 1, 1},
		{"\xff", 1, 1},
		{"\xe2\x82", 1, 1}, // one maximal subpart
		{"12345678", 3, 3},
	} {
		if got := counters["o200k_base"].Count([]byte(test.text)); got != test.o200k {
			t.Errorf("o200k_base of %q: got %d, want %d", test.text, got, test.o200k)
		}
		if got := counters["cl100k_base"].Count([]byte(test.text)); got != test.cl100k {
			t.Errorf("cl100k_base of %q: got %d, want %d", test.text, got, test.cl100k)
		}
	}
}

// Where the pieces of a text are, as the patterns say.
func TestPieces(t *testing.T) {
	for _, test := range []struct{ text, o200k, cl100k string }{
		{"I'll go", "I'll| go", "I|'ll| go"},
		{"camelCaseABCdef", "camel|Case|ABCdef", "camelCaseABCdef"},
		{"漢字ABC 漢字ABCdef", "漢字|ABC| 漢字ABCdef", "漢字ABC| 漢字ABCdef"},
		{"\u1c89a", "\u1c89a", "\u1c89a"}, // a capital letter since Unicode 16
		{"it'ſ ok", "it'ſ| ok", "it|'ſ| ok"},
		{"e\u0301\u0301x", "e\u0301\u0301x", "e|\u0301\u0301|x"},
		{"  a   1\t b", " | a|  | |1|\t| b", " | a|  | |1|\t| b"},
		{"a \n \r\n  b", "a| \n \r\n| | b", "a| \n \r\n| | b"},
		{"a  ", "a|  ", "a|  "},
		{"!!\n//\nx", "!!\n//\n|x", "!!\n|//\n|x"},
		{"1234567", "123|456|7", "123|456|7"},
		{"(x) ...", "(x|)| ...", "(x|)| ..."},
		{"\u3000日\u3000\u3000本", "\u3000日|\u3000|\u3000本", "\u3000日|\u3000|\u3000本"},
	} {
		for style, want := range map[style]string{caseAware: test.o200k, caseBlind: test.cl100k} {
			s := splitter{classes: newClasses(classTable), style: style}
			var pieces []string
			for rest := []byte(test.text); len(rest) > 0; {
				n, _ := s.piece(rest)
				pieces = append(pieces, string(rest[:n]))
				rest = rest[n:]
			}
			if got := strings.Join(pieces, "|"); got != want {
				t.Errorf("%q, style %d: got %q, want %q", test.text, style, got, want)
			}
		}
	}
}

// A piece of any length is what merging all of it at once makes.
func TestLongPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for _, encoding := range exacts(t) {
		for _, alphabet := range []string{"a", "ab", "aab", "abcdefghijklmnopqrstuvwxyz", "etaoin", "漢字仮名交文", "üßñ",
			"=-", "=", " ", "\u0301\u0302", "🙂👍"} {
			letters := []rune(alphabet)
			for range testdepth.Cases(20) {
				var b strings.Builder
				for b.Len() < 2500 {
					b.WriteString(strings.Repeat(string(letters[random.IntN(len(letters))]), 1+random.IntN(3)))
				}
				if got, want := encoding.counter.Count([]byte(b.String())),
					len(encoding.reference.EncodeOrdinary(b.String())); got != want {
					t.Errorf("%s: letters of %q: got %d, want %d", encoding.name, alphabet, got, want)
				}
			}
		}
	}
}

// A piece that a tally can't hold counts as it does as a whole, wherever what decides of it stands.
func TestLongTallies(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	long := func(parts ...string) string {
		var b strings.Builder
		for b.Len() < 100_000 {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		return b.String()
	}
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		counter := newCounter(t, name)
		for _, text := range []string{
			long("a", "b"), long("A", "B"), long("A", "漢"), long("漢", "字"), long("漢") + "ABC", long("A") +
				"漢ABC's x", long("A", "漢") + "'s",
			long("A") + "b" + long("A"), long("A", "漢") + "b" + long("a", "漢") + "'LL", "a" + long("ʰ"),
			"!" + long("\u0301", "\u0302"),
			long(" "), long(" ") + "x", long(" ") + "\n", long("\n", " "), long("\n", "  ") + "  x", long("\r\n"),
			"\n" + long(" ") + "x",
			"\n" + long(" ", "\u3000") + "\n" + long("\t") + ".", long("!", "/"), long("!") + long("\n", "/") + "x",
			" " + long("=") + "\n\n",
			long("1"), long("\xff"), long("\xe2\x82", "a"), long("'"), "x" + long("'s"), long(" ") + "'s",
		} {
			want := counter.Count([]byte(text))
			for seed := range uint64(testdepth.Cases(3)) {
				if got := tallied(t, name, []byte(text), seed); got != want {
					t.Errorf("%s: %d bytes that begin with %q: in parts %d, as a whole %d", name, len(text),
						text[:4], got, want)
				}
			}
		}
	}
}

func TestExactCounterAllocates(t *testing.T) {
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		counter := newCounter(t, name)
		for _, line := range []string{sampleLine, sampleLine + "漢字", sampleLine + "\xff", strings.Repeat("a", 5000)} {
			text := []byte(line)
			counter.Count(text)
			if n := testing.AllocsPerRun(100, func() { counter.Count(text) }); n != 0 {
				t.Errorf("%s: %v allocations per line", name, n)
			}
		}
	}
}

// What decides without a count must hold for every count.
func TestBounds(t *testing.T) {
	for _, name := range Encodings() {
		for _, factor := range []float64{1, 0.4, 1.3} {
			counter := Scaled(newCounter(t, name), factor)
			for _, line := range []string{"", "\n", sampleLine, strings.Repeat(" ", 4096), strings.Repeat("🙂", 50),
				"\u0378\u0379\x00\n"} {
				least, most := counter.Bounds(len(line))
				if got := counter.Count([]byte(line)); got < least || got > most {
					t.Errorf("%s times %v: %d tokens are not between %d and %d", name, factor, got, least, most)
				}
			}
		}
	}
}
