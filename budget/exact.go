package budget

import (
	_ "embed"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/budget/internal/pairs"
)

//go:generate go run ./internal/generate tables

// The tables are read where they lie in the program: nothing is unpacked.
var (
	//go:embed tables/classes.bin
	classTable string
	//go:embed tables/o200k_base.bin
	o200kTable string
	//go:embed tables/cl100k_base.bin
	cl100kTable string
	//go:embed tables/p50k_base.bin
	p50kTable string
)

// exactCounter counts the tokens of one of these encodings.
type exactCounter struct {
	splitter splitter
	merger   merger
	cache    pieceCache
	long     *longPiece  // nil until needed
	whole    *exactTally // of a line that is not valid UTF-8; nil until needed
}

func newExactCounter(layout pairs.Layout, table string, style style) (Counter, error) {
	vocabulary, err := pairs.New(layout, table)
	if err != nil {
		return nil, err
	}
	return &exactCounter{
		splitter: splitter{classes: newClasses(classTable), style: style},
		merger:   merger{vocabulary: vocabulary},
		cache:    newPieceCache(smallestCache),
	}, nil
}

// Count is exact, takes a time that grows as the length of line does, and allocates nothing but, once, what it works
// with.
func (c *exactCounter) Count(line []byte) int {
	if !utf8.Valid(line) {
		return c.countInvalid(line)
	}
	tokens := 0
	for len(line) > 0 {
		size, _ := c.splitter.piece(line)
		tokens += c.first(line, size)
		line = line[size:]
	}
	return tokens
}

// Bounds implements Counter.
func (c *exactCounter) Bounds(bytes int) (least, most int) {
	return (bytes + longestToken - 1) / longestToken, bytes
}

func (c *exactCounter) countInvalid(line []byte) int {
	if c.whole == nil {
		c.whole = newExactTally(c)
	}
	c.whole.reset()
	c.whole.add(line)
	return c.whole.Tokens()
}

// first returns how many tokens the piece is that text begins with.
func (c *exactCounter) first(text []byte, size int) int {
	switch {
	case size == 1:
		return 1
	case size <= cachedPiece:
		key := pieceKey(text, size)
		tokens := c.cache.find(key)
		if tokens == 0 {
			tokens = c.merger.count(text[:size])
			c.cache.add(key, tokens)
		}
		return tokens
	case size <= middlePiece:
		return c.merger.count(text[:size])
	}
	if c.long == nil {
		c.long = newLongPiece(&c.merger)
	}
	c.long.reset()
	c.long.write(text[:size])
	return c.long.tokens()
}
