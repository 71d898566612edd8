package tokenizer

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
	tiktokenloader "github.com/pkoukk/tiktoken-go-loader"

	"github.com/kfw-dev/kfw/budget"
)

// olderPattern is by what p50k_base and r50k_base split a text into pieces (OpenAI's tiktoken, openai_public.py).
const olderPattern = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

const (
	// held is how many bytes of a text are held until a word ends.
	held = 16 << 10
	// longestRun is how many bytes of one kind may follow each other before a word is no longer merged but taken for as
	// many tokens as it has bytes. Merging costs the square of it.
	longestRun = 2048
	// batchSize is how many bytes are encoded at a time, if there is a place to part them.
	batchSize = 4096
)

// olderCounter counts the tokens of the encodings that are rarely asked for, by tiktoken-go.
type olderCounter struct {
	encoding *tiktoken.Tiktoken
}

func newOlderCounter(encoding string) (*olderCounter, error) {
	vocabulary := encoding + ".tiktoken"
	if encoding == "p50k_edit" { // which has other special tokens only
		vocabulary = "p50k_base.tiktoken"
	}
	ranks, err := tiktokenloader.NewOfflineLoader().LoadTiktokenBpe(vocabulary)
	if err != nil {
		return nil, fmt.Errorf("tokenizer: vocabulary: %w", err)
	}
	core, err := tiktoken.NewCoreBPE(ranks, nil, olderPattern)
	if err != nil {
		return nil, fmt.Errorf("tokenizer: %w", err)
	}
	return &olderCounter{encoding: tiktoken.NewTiktoken(core, nil, nil)}, nil
}

// Count counts as tiktoken-go does. A word that holds a run too long to be merged in reasonable time counts as many
// tokens as it has bytes, which no encoding exceeds. So the time is linear.
func (c *olderCounter) Count(line []byte) int {
	if !utf8.Valid(line) {
		var r budget.Repairer
		line = r.Flush(r.Append(nil, line))
	}
	tokens, batch := 0, 0 // line[:batch] is made of words to be encoded
	for batch < len(line) {
		size, exact := c.word(line[batch:])
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

// Bounds implements Counter.
func (c *olderCounter) Bounds(bytes int) (least, most int) {
	const longest = 128 // of a token
	return (bytes + longest - 1) / longest, bytes
}

func (c *olderCounter) encode(text []byte) int {
	if len(text) == 0 {
		return 0
	}
	return len(c.encoding.EncodeOrdinary(string(text)))
}

// word returns the length of the word that text begins with, and whether merging it is cheap.
//
// A word ends after an ASCII letter or digit that is followed by any other ASCII character but an apostrophe. There,
// and whatever stands before or after, every pattern ends one piece and begins another: only a contraction could join
// a letter to what is no letter, and none looks back. So the tokens of a text are those of its words, one word after
// another.
func (c *olderCounter) word(text []byte) (size int, cheap bool) {
	run, group := 0, symbol
	cheap = true
	for size < len(text) && !endsWord(text, size) {
		r, n := utf8.DecodeRune(text[size:])
		if g := groupOf(r); g != group {
			run, group = 0, g
		}
		size += n
		if run += n; run > longestRun {
			cheap = false
		}
	}
	return size, cheap
}

// group is what the pattern tells apart of code points.
type group uint8

const (
	symbol group = iota
	letter
	number
	blank
)

func groupOf(r rune) group {
	switch {
	case unicode.IsLetter(r):
		return letter
	case unicode.IsNumber(r):
		return number
	case unicode.IsSpace(r):
		return blank
	}
	return symbol
}

// endsWord reports whether a word ends before text[i].
func endsWord(text []byte, i int) bool {
	return i > 0 && isAlphanumeric(text[i-1]) && text[i] < utf8.RuneSelf && text[i] != '\'' && !isAlphanumeric(text[i])
}

func isAlphanumeric(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' || '0' <= b && b <= '9' }

// olderTally counts word by word. One that is longer than its buffer counts as many tokens as it has bytes.
type olderTally struct {
	counter *olderCounter
	budget.Repairer
	text   []byte
	tokens int
}

func (t *olderTally) Write(part []byte) (int, error) {
	for rest := part; len(rest) > 0; {
		n := min(len(rest), held/4)
		t.text = t.Append(t.text, rest[:n])
		rest = rest[n:]
		end := len(t.text) - 1
		for end > 0 && !endsWord(t.text, end) {
			end--
		}
		if end > 0 {
			t.tokens += t.counter.Count(t.text[:end])
			t.text = append(t.text[:0], t.text[end:]...)
		} else if len(t.text) > held {
			t.tokens += len(t.text)
			t.text = t.text[:0]
		}
	}
	return len(part), nil
}

func (t *olderTally) Tokens() int {
	t.text = t.Flush(t.text)
	return t.tokens + t.counter.Count(t.text)
}
