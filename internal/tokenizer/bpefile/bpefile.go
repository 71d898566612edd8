// Package bpefile counts tokens as a tokenizer file of Hugging Face says: tokenizer.json, of a
// byte-level BPE such as those of Llama 3, Qwen or GPT-2.
//
// In comes what a file holds. Parse understands all of it that matters for counting, or says what
// it does not: a count is exact or there is none. A text is normalized, split into pieces by
// regular expressions, and each piece is merged from its bytes.
//
//   - parse.go: the file.
//   - pattern.go: regular expressions of Oniguruma as such of package regexp, which take linear time.
//   - split.go: the pieces.
//   - vocabulary.go, merger.go: the tokens of a piece.
//   - filetally.go: a text that comes in parts.
//
// Text that spells an added token, special or not, counts as ordinary text, and what a file adds at
// the ends of a text is not counted. Where the text has more than 30 combining marks in a row, the
// normalizer puts a joiner between them. Letters, numbers and blanks are those of the Unicode
// version of package unicode.
package bpefile

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/kfw-dev/kfw/budget"
)

// File is a tokenizer file. It is for one goroutine.
type File struct {
	stages       []stage
	composes     bool // the text is normalized to NFC
	ignoreMerges bool // a piece that is a token is not merged
	merger       merger
	tokens       int // so far
	repaired     []byte
	normalized   []byte
}

// Count returns the tokens of line.
func (f *File) Count(line []byte) int {
	if !utf8.Valid(line) {
		var r budget.Repairer
		f.repaired = r.Flush(r.Append(f.repaired[:0], line))
		line = f.repaired
	}
	if f.composes && !norm.NFC.IsNormal(line) {
		f.normalized = norm.NFC.Append(f.normalized[:0], line...)
		line = f.normalized
	}
	f.tokens = 0
	if len(line) > 0 {
		pieces(f.stages, line, f.add)
	}
	return f.tokens
}

// add counts a piece.
func (f *File) add(piece []byte) {
	if len(piece) == 1 || f.ignoreMerges && len(piece) <= f.merger.longest && f.merger.find(piece) != none {
		f.tokens++
		return
	}
	f.tokens += f.merger.count(piece)
}

// mostComposed is by how many times NFC may make a text longer or shorter, in bytes of UTF-8: three
// times longer (Unicode Standard Annex 15, table 7), and less than four times shorter.
const mostComposed = 4

// Bounds implements budget.Counter.
func (f *File) Bounds(bytes int) (least, most int) {
	longest := f.merger.longest
	if f.composes {
		longest *= mostComposed
		most = bytes * (mostComposed - 1)
	}
	for _, s := range f.stages {
		if !s.matches || !s.between {
			return 0, max(bytes, most) // a text may be left out
		}
	}
	return (bytes + longest - 1) / longest, max(bytes, most)
}
