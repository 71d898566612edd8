package bpefile

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
	"golang.org/x/text/unicode/norm"

	"github.com/kfw-dev/kfw/budget"
)

// Patterns of tokenizer files in use.
const (
	llama3   = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	qwen     = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	o200k    = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	deepseek = "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
)

// sample is a tokenizer file that the tests make.
type sample struct {
	preTokenizer string // JSON
	normalizer   string // JSON
	ignoreMerges bool
	inPairs      bool // merges are ["a","b"]
}

func split(pattern string) string {
	quoted, err := json.Marshal(pattern)
	if err != nil {
		panic(err)
	}
	return `{"type":"Split","pattern":{"Regex":` + string(quoted) + `},"behavior":"Isolated","invert":false}`
}

func sequence(preTokenizers ...string) string {
	return `{"type":"Sequence","pretokenizers":[` + strings.Join(preTokenizers, ",") + `]}`
}

const (
	byteLevel      = `{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":false}`
	byteLevelSplit = `{"type":"ByteLevel","add_prefix_space":false}`
	nfc            = `{"type":"NFC"}`
)

var samples = map[string]sample{
	"gpt-2":   {preTokenizer: byteLevelSplit},
	"llama 3": {preTokenizer: sequence(split(llama3), byteLevel), ignoreMerges: true},
	"qwen":    {preTokenizer: sequence(split(qwen), byteLevel), normalizer: nfc, inPairs: true},
	"gpt-4o": {preTokenizer: sequence(strings.Replace(split(o200k), `"Isolated","invert":false`,
		`"Removed","invert":true`, 1), byteLevel)},
	"deepseek": {preTokenizer: sequence(split(`\p{N}{1,3}`), split(`[一-龥぀-ゟ゠-ヿ]+`), split(deepseek), byteLevel),
		normalizer: `{"type":"Sequence","normalizers":[]}`},
	"digits": {preTokenizer: sequence(`{"type":"Digits","individual_digits":true}`, byteLevelSplit)},
	"runs":   {preTokenizer: sequence(`{"type":"Digits","individual_digits":false}`, byteLevel)},
	"blanks go": {preTokenizer: sequence(
		`{"type":"Split","pattern":{"String":" "},"behavior":"Removed","invert":false}`, byteLevel)},
	"no split": {preTokenizer: byteLevel, ignoreMerges: true},
}

// toText maps bytes to the characters that stand for them, made as GPT-2's encoder.py does.
var toText = func() (table [256]string) {
	n := 0
	for b := range 256 {
		if '!' <= b && b <= '~' || 0xA1 <= b && b <= 0xAC || 0xAE <= b {
			table[b] = string(rune(b))
			continue
		}
		table[b] = string(rune(256 + n))
		n++
	}
	return table
}()

func mapped(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		b.WriteString(toText[c])
	}
	return b.String()
}

// alone are tokens of the samples that no merge makes: only ignore_merges finds them.
var alone = []string{"Ġab", "AA", "ĠĠĠ", "bee", "12", "ts", "Ã©"}

// merges are made by merging tokens of a vocabulary at random, and by what is common.
func someMerges(random *rand.Rand) (merges [][2]string) {
	tokens := []string{}
	for b := range 256 {
		tokens = append(tokens, toText[b])
	}
	there := map[[2]string]bool{}
	add := func(a, b string) {
		if m := [2]string{a, b}; !there[m] && len(a+b) < 60 {
			there[m] = true
			merges = append(merges, m)
			tokens = append(tokens, a+b)
		}
	}
	common := []string{"a", "b", "e", "t", "s", "Ġ", "0", "1", "Ċ", "Ã", "©", "l", "'", "A", ",", "Ì", "ģ", "æ",
		"¼", "¢"}
	for range 60 {
		add(common[random.IntN(len(common))], common[random.IntN(len(common))])
	}
	for range 120 {
		recent := tokens[len(tokens)-min(len(tokens), 80):]
		add(recent[random.IntN(len(recent))], recent[random.IntN(len(recent))])
	}
	return merges
}

// file writes a tokenizer file of these merges.
func (s sample) file(merges [][2]string) string {
	vocabulary := map[string]int{"<|endoftext|>": 0, "｜special｜": 1}
	for b := range 256 {
		vocabulary[toText[b]] = len(vocabulary)
	}
	for _, token := range alone {
		vocabulary[token] = len(vocabulary)
	}
	list := []any{}
	for _, m := range merges {
		if token := m[0] + m[1]; vocabulary[token] == 0 {
			vocabulary[token] = len(vocabulary)
		}
		if s.inPairs {
			list = append(list, m)
		} else {
			list = append(list, m[0]+" "+m[1])
		}
	}
	raw := func(text string) json.RawMessage {
		if text == "" {
			text = "null"
		}
		return json.RawMessage(text)
	}
	text, err := json.Marshal(map[string]any{
		"version": "1.0", "added_tokens": []any{}, "normalizer": raw(s.normalizer),
		"pre_tokenizer": raw(s.preTokenizer),
		"model": map[string]any{"type": "BPE", "dropout": nil, "unk_token": nil, "continuing_subword_prefix": "",
			"byte_fallback": false,
			"ignore_merges": s.ignoreMerges, "vocab": vocabulary, "merges": list},
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// naive counts by the rules, in the plainest way: Oniguruma's dialect by a backtracking engine,
// characters for bytes, and one merge after another.
func (s sample) naive(t *testing.T, merges [][2]string, text string) int {
	var r budget.Repairer
	text = string(r.Flush(r.Append(nil, []byte(text))))
	if s.normalizer == nfc {
		text = norm.NFC.String(text)
	}
	parts := []string{text}
	var steps struct {
		Type          string
		PreTokenizers []json.RawMessage
	}
	if err := json.Unmarshal([]byte(s.preTokenizer), &steps); err != nil {
		t.Fatal(err)
	}
	if steps.Type != "Sequence" {
		steps.PreTokenizers = []json.RawMessage{json.RawMessage(s.preTokenizer)}
	}
	for _, raw := range steps.PreTokenizers {
		step := struct {
			Type, Behavior string
			Pattern        struct{ Regex, String string }
			Individual     bool `json:"individual_digits"`
			UseRegex       bool `json:"use_regex"`
		}{UseRegex: true}
		if err := json.Unmarshal(raw, &step); err != nil {
			t.Fatal(err)
		}
		pattern := step.Pattern.Regex + regexp2.Escape(step.Pattern.String)
		switch {
		case step.Type == "ByteLevel" && !step.UseRegex:
			continue
		case step.Type == "ByteLevel":
			pattern = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
		case step.Type == "Digits" && step.Individual:
			pattern = `\p{N}`
		case step.Type == "Digits":
			pattern = `\p{N}+`
		}
		// which are the same letter to Oniguruma, and not to .NET
		pattern = strings.ReplaceAll(pattern, "(?i:'s", "(?i:'[sſ]")
		compiled := regexp2.MustCompile(pattern, regexp2.None)
		var next []string
		for _, part := range parts {
			next = append(next, splitNaively(t, compiled, part, step.Pattern.String == "")...)
		}
		parts = next
	}
	ranks, joined := map[[2]string]int{}, map[string]bool{}
	for rank, m := range merges {
		ranks[m], joined[m[0]+m[1]] = rank, true
	}
	for _, token := range alone {
		joined[token] = true
	}
	tokens := 0
	for _, part := range parts {
		if s.ignoreMerges && joined[mapped(part)] {
			tokens++
			continue
		}
		tokens += mergeNaively(ranks, part)
	}
	return tokens
}

func splitNaively(t *testing.T, pattern *regexp2.Regexp, text string, keepsMatches bool) (parts []string) {
	runes, at := []rune(text), 0
	take := func(to int, keep bool) {
		if to > at && keep {
			parts = append(parts, string(runes[at:to]))
		}
		at = to
	}
	for at < len(runes) {
		match, err := pattern.FindRunesMatchStartingAt(runes, at)
		if err != nil {
			t.Fatal(err)
		}
		if match == nil {
			break
		}
		take(match.Index, true)
		take(match.Index+match.Length, keepsMatches)
	}
	take(len(runes), true)
	return parts
}

func mergeNaively(ranks map[[2]string]int, part string) int {
	var tokens []string
	for _, b := range []byte(part) {
		tokens = append(tokens, toText[b])
	}
	for {
		lowest, at := len(ranks), 0
		for i := range len(tokens) - min(1, len(tokens)) {
			if rank, ok := ranks[[2]string{tokens[i], tokens[i+1]}]; ok && rank < lowest {
				lowest, at = rank, i
			}
		}
		if lowest == len(ranks) {
			return len(tokens)
		}
		tokens = slices.Replace(tokens, at, at+2, tokens[at]+tokens[at+1])
	}
}

// someText is made of what the patterns tell apart.
func someText(random *rand.Rand, n int) string {
	const parts = "a|b|A|B|e|t|s|l|'|'s|'S|'ll|'ſ|'re|'K|0|1|12|²|Ⅷ|٣| |  |\t|\n|\r\n|\n\n|\v|\u0085|\u00a0|\u2003|\u2028|\u3000|\u200b|," +
		"|.|/|!?|-|_|é|e\u0301|\u0301|A\u030a|Å|漢|字|ひ|カ|한|\u1112\u1161\u11ab|ǅ|ʰ|ª|ß|🙂|👩‍💻|\u0958|\x00|\x7f|\ufffd|\xff|\xe2\x82|ĠĊ|<|endoftext|>"
	all := strings.Split(parts, "|")
	var b strings.Builder
	for range n {
		part := all[random.IntN(len(all))]
		for range 1 + random.IntN(3)/2*random.IntN(9) {
			b.WriteString(part)
		}
	}
	return b.String()
}

func parsed(t testing.TB, text string) *File {
	t.Helper()
	f, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// tallied counts text in parts of up to so many bytes.
func tallied(t *testing.T, f *File, text string, size int) int {
	t.Helper()
	tally := f.Tally()
	for part := range slices.Chunk([]byte(text), size) {
		if n, err := tally.Write(part); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	return tally.Tokens()
}

// hold compares a count with that of the plain rules, and with that of the text in parts.
func (s sample) hold(t *testing.T, f *File, merges [][2]string, text string, size int) {
	t.Helper()
	want := s.naive(t, merges, text)
	got := f.Count([]byte(text))
	if got != want {
		t.Fatalf("got %d, want %d of %q", got, want, text)
	}
	if got := tallied(t, f, text, size); got != want {
		t.Fatalf("in parts of %d got %d, want %d of %q", size, got, want, text)
	}
	if utf8.ValidString(text) {
		if least, most := f.Bounds(len(text)); got < least || got > most {
			t.Fatalf("got %d, not within %d and %d, of %q", got, least, most, text)
		}
	}
}

func TestCount(t *testing.T) {
	for name, s := range samples {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(12) {
				random := rand.New(rand.NewPCG(seed, 1))
				merges := someMerges(random)
				f := parsed(t, s.file(merges))
				for n := range 40 {
					s.hold(t, f, merges, someText(random, n), 1+random.IntN(30))
				}
			}
		})
	}
}

// Merges that overlap in every way: of two letters, in any order.
func TestMergeOrder(t *testing.T) {
	s := samples["no split"]
	s.ignoreMerges = false
	for seed := range uint64(150) {
		random := rand.New(rand.NewPCG(seed, 8))
		tokens := []string{"a", "b"}
		var merges [][2]string
		for range 30 {
			m := [2]string{tokens[random.IntN(len(tokens))], tokens[random.IntN(len(tokens))]}
			if len(m[0]+m[1]) < 9 && !slices.Contains(merges, m) {
				merges = append(merges, m)
				tokens = append(tokens, m[0]+m[1])
			}
		}
		random.Shuffle(len(merges), func(i, j int) { merges[i], merges[j] = merges[j], merges[i] })
		f := parsed(t, s.file(merges))
		for range 40 {
			text := make([]byte, 1+random.IntN(40))
			for i := range text {
				text[i] = "ab"[random.IntN(2)]
			}
			s.hold(t, f, merges, string(text), 64)
		}
	}
}

func FuzzCount(f *testing.F) {
	names := []string{}
	for name := range samples {
		names = append(names, name)
	}
	slices.Sort(names)
	for seed := range uint64(20) {
		f.Add([]byte(someText(rand.New(rand.NewPCG(seed, 4)), 30)), seed, uint8(seed), uint8(1+seed))
	}
	f.Fuzz(func(t *testing.T, text []byte, seed uint64, which, size uint8) {
		if len(text) > 300 {
			t.Skip("the plain rules take long")
		}
		s := samples[names[int(which)%len(names)]]
		merges := someMerges(rand.New(rand.NewPCG(seed, 1)))
		s.hold(t, parsed(t, s.file(merges)), merges, string(text), 1+int(size))
	})
}

// Long pieces take no more than n log n; the test would not end otherwise. Those that are held
// whole are exact in parts, too.
func TestLongPieces(t *testing.T) {
	merges := [][2]string{{"a", "a"}, {"aa", "aa"}, {"aaaa", "aaaa"}, {"Ġ", "Ġ"}, {"Ċ", "Ċ"}}
	for name, s := range samples {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := parsed(t, s.file(merges))
			for _, unit := range []string{"a", " ", "\n", "\n ", " a", "漢", "0", "!", "\xff", "e\u0301"} {
				text := strings.Repeat(unit, (leastHeld+5000)/len(unit))
				if in, whole := tallied(t, f, text, 10_000), f.Count([]byte(text)); in != whole {
					t.Errorf("in parts got %d of %q, want %d", in, unit, whole)
				}
			}
			long := mostHeld + leastHeld
			if name == "llama 3" || name == "no split" {
				long = 1 << 20
			}
			for _, unit := range []string{"a", " "} {
				text := strings.Repeat(unit, long)
				whole := f.Count([]byte(text))
				if in := tallied(t, f, text, 10_000); in < whole || in > whole+long/mostHeld*8 {
					t.Errorf("in parts got %d of %q, want %d or a few more", in, unit, whole)
				}
			}
		})
	}
}

// What is not supported is refused by its name, and nothing of the file is quoted.
func TestUnsupported(t *testing.T) {
	good := samples["qwen"].file(someMerges(rand.New(rand.NewPCG(1, 1))))
	if _, err := Parse([]byte(good)); err != nil {
		t.Fatal(err)
	}
	sub := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("the file has no %s", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	preTokenizer := func(json string) string { return sample{preTokenizer: json}.file(nil) }
	for text, want := range map[string]string{
		"hunter2":             "not JSON",
		`{"a":"hunter2"}`:     "it has no model",
		`{"model":"hunter2"}`: "it has no model",
		`[]`:                  "it has no model",
		"":                    "not JSON",
		good[:len(good)/2]:    "not JSON",
		`{"model":{"type":"WordPiece","vocab":{}}}`:                  "its model, WordPiece, is not supported",
		`{"model":{"type":"Unigram","vocab":[]}}`:                    "its model, Unigram, is not supported",
		`{"model":{"type":"hunter2","vocab":[]}}`:                    "the kind of its model is not known",
		`{"model":{"vocab":{}}}`:                                     "the kind of its model is not known",
		`{"model":{"type":"BPE","merges":[]}}`:                       "its model has no vocabulary",
		`{"model":{"type":"BPE","vocab":{"hunter2":1},"merges":[]}}`: "its vocabulary lacks some of the 256 bytes: only a byte-level BPE is supported",
		`{"model":{"type":"BPE","vocab":{}}}`:                        "its model has no merges",
		sub(`"byte_fallback":false`,
			`"byte_fallback":true`): "byte_fallback of its model is not supported",
		sub(`"dropout":null`, `"dropout":0.1`): "dropout of its model is not supported",
		sub(`"continuing_subword_prefix":""`,
			`"continuing_subword_prefix":"##"`): "continuing_subword_prefix of its model is not supported",
		sub(`"merges":[`, `"merges":[["hunter2","x"],`): "merge 1 of its model is of tokens that its vocabulary lacks",
		sub(`"merges":[`, `"merges":[["a","b","c"],`):   "merge 1 of its model is not two tokens",
		sub(`"merges":[`, `"merges":["a b c",`):         "merge 1 of its model is not two tokens",
		sub(`"merges":[`, `"merges":["a",`):             "merge 1 of its model is not two tokens",
		sub(`"normalizer":{"type":"NFC"}`,
			`"normalizer":{"type":"NFKC"}`): "its normalizer, NFKC, is not supported",
		sub(`"normalizer":{"type":"NFC"}`,
			`"normalizer":{"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Replace"}]}`): "its normalizer, Replace, is not supported",
		sub(`"normalizer":{"type":"NFC"}`,
			`"normalizer":{"type":"hunter2"}`): "the kind of its normalizer is not known",
		preTokenizer(`{"type":"Metaspace"}`): "its pre-tokenizer, Metaspace, is not supported",
		preTokenizer(`{"type":"hunter2"}`):   "the kind of its pre-tokenizer is not known",
		preTokenizer(``):                     "its pre-tokenizer has no ByteLevel: only a byte-level BPE is supported",
		preTokenizer(split(llama3)):          "its pre-tokenizer has no ByteLevel: only a byte-level BPE is supported",
		preTokenizer(sequence(byteLevel,
			`{"type":"Digits"}`)): "its pre-tokenizer goes on after ByteLevel, which is not supported",
		preTokenizer(`{"type":"ByteLevel","add_prefix_space":true}`): "add_prefix_space of its ByteLevel is not supported",
		preTokenizer(sequence(strings.Replace(split(llama3), "Isolated", "MergedWithNext", 1),
			byteLevel)): "the behavior of its Split is not supported: only Isolated and Removed are",
		preTokenizer(sequence(split(``),
			byteLevel)): errEmpty.Error(),
		preTokenizer(sequence(split(`a*`),
			byteLevel)): errEmpty.Error(),
	} {
		f, err := Parse([]byte(text))
		if err == nil || err.Error() != want || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%.200s: got %v, %v, want %s", text, f != nil, err, want)
		}
	}
	for _, pattern := range []string{`a++`, `a?+`, `a{1,2}+`, `a{1}?`, `a{,2}`, `a{`, `^a`, `a$`, `\w`, `\bx`, `\h`,
		`[[:alpha:]]`, `[a&&b]`, `[a[b]]`,
		`[]a]`, `[\S]`, `(?=a)b`, `(?<=a)b`, `(?>a)`, `(?i)a`, `(?!\S)a`, `(a(?!\S))`, `a(?!b)`, `\1`,
		`\p{Alphabetic}`, `\pL`, `[a`, `(a`, `a)`, `\x41`, `\`, `a]`,
		`(?i:ss)`, `(?i:é)`, `\p{hunter2}`} {
		if compiled, err := compile(pattern); err != errPattern {
			t.Errorf("%s: got %v, %v", pattern, compiled, err)
		}
	}
}

func BenchmarkCount(b *testing.B) {
	for _, name := range []string{"gpt-2", "llama 3", "gpt-4o"} {
		f := parsed(b, samples[name].file(someMerges(rand.New(rand.NewPCG(1, 1)))))
		line := fmt.Appendf(nil,
			`{"seq":12,"mode":"raw","data":{"id":4711,"note":"the order is paid","total":129.9}}`+"\n")
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				f.Count(line)
			}
		})
	}
}
