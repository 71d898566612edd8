package budget

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
	tiktokenloader "github.com/pkoukk/tiktoken-go-loader"
)

// The patterns by which the encodings split a text into pieces, each of which is then merged by itself. From OpenAI's
// tiktoken, openai_public.py.
const (
	o200kPattern = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	cl100kPattern = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+` +
		`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
)

const (
	// longestRun is how many bytes may follow each other without a place to split before a word is no longer merged but
	// taken for as many tokens as it has bytes. Merging costs the square of it.
	longestRun = 2048
	// batchSize is how many bytes are encoded at a time, if there is a place to part them.
	batchSize = 4096
)

// bpeCounter counts the tokens of a byte-pair encoding.
type bpeCounter struct {
	encoding *tiktoken.Tiktoken
}

func newBPECounter(vocabulary, pattern string) (Counter, error) {
	ranks, err := tiktokenloader.NewOfflineLoader().LoadTiktokenBpe(vocabulary)
	if err != nil {
		return nil, fmt.Errorf("tokenizer: vocabulary: %w", err)
	}
	core, err := tiktoken.NewCoreBPE(ranks, nil, pattern)
	if err != nil {
		return nil, fmt.Errorf("tokenizer: %w", err)
	}
	return &bpeCounter{encoding: tiktoken.NewTiktoken(core, nil, nil)}, nil
}

// Count is exact but for the words that hold a run too long to be merged in reasonable time, or a code point that the
// pattern may class otherwise in Unicode tables newer than Go's. Such a word counts as many tokens as it has bytes, which no
// encoding exceeds. So Count is never less than the exact number, and its time is linear.
func (c *bpeCounter) Count(line []byte) int {
	if !utf8.Valid(line) {
		line = replaceInvalid(line)
	}
	tokens, batch := 0, 0 // line[:batch] is made of words to be encoded
	for batch < len(line) {
		size, exact := nextWord(line[batch:])
		if exact && batch+size <= batchSize {
			batch += size
			continue
		}
		tokens += c.encode(line[:batch])
		line, batch = line[batch:], size
		if !exact {
			tokens += size
			line, batch = line[size:], 0
		}
	}
	return tokens + c.encode(line)
}

func (c *bpeCounter) encode(text []byte) int {
	if len(text) == 0 {
		return 0
	}
	return len(c.encoding.EncodeOrdinary(string(text)))
}

// nextWord returns the length of the word that text begins with, and whether merging it is cheap and sure to be exact.
//
// A word ends after an ASCII letter or digit that is followed by any other ASCII character but an apostrophe. There, and
// whatever stands before or after, both patterns end one piece and begin another: only a contraction could join a letter to
// what is no letter, and neither pattern looks back. So the tokens of a text are those of its words, one word after another.
func nextWord(text []byte) (size int, exact bool) {
	exact = true
	run, class := 0, noClass
	afterASCIIAlphanumeric := false
	for size < len(text) {
		r, n := rune(text[size]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(text[size:])
		}
		c := classify(r)
		alphanumeric := r < utf8.RuneSelf && (c == letter || c == number)
		if afterASCIIAlphanumeric && !alphanumeric && r < utf8.RuneSelf && r != '\'' {
			break
		}
		afterASCIIAlphanumeric = alphanumeric
		switch {
		case c == number || c != class && c != mark:
			run, class = 0, c
		case c == mark && class == number:
			class = mark
		}
		run += n
		size += n
		if c == unsure || run > longestRun {
			exact = false
		}
	}
	return size, exact
}

// class is what the patterns tell apart.
type class uint8

const (
	noClass class = iota
	letter
	mark // goes on with whatever it follows
	number
	space
	other
	unsure // unassigned in Go's tables, or folded to an ASCII letter by some engines only
)

func classify(r rune) class {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
		return letter
	case '0' <= r && r <= '9':
		return number
	case unicode.IsSpace(r):
		return space
	case r < utf8.RuneSelf:
		return other
	case r == 'ſ': // an s, where case is ignored by Unicode's folding: 'ſ is a contraction
		return unsure
	case unicode.IsLetter(r):
		return letter
	case unicode.IsMark(r):
		return mark
	case unicode.IsNumber(r):
		return number
	case unicode.Is(unicode.Cn, r):
		return unsure
	}
	return other
}

// replaceInvalid returns text as WHATWG decodes it, in UTF-8.
func replaceInvalid(text []byte) []byte {
	valid := make([]byte, 0, len(text)+len(text)/2)
	for len(text) > 0 {
		r, size := decodeRune(text)
		valid = utf8.AppendRune(valid, r)
		text = text[size:]
	}
	return valid
}
