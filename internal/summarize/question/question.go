// Package question reads what the reader of a page wants to know, and finds its words in lines.
//
// A text comes in: what an agent and its user wrote and called last, in blocks, the newest last. Out comes a Question,
// a bounded set of words, each with a weight. A line comes in; the words of the question that it holds go out, each
// once. Nothing of the text is kept but hashes of its words, so that no page can show it.
package question

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// Bounds of a question. A text longer than MaxText is read from its end.
const (
	MaxText   = 256 << 10 // bytes of text
	MaxWords  = 4096      // words, those of the newest blocks first
	MaxBlocks = 100       // blocks: what stands in an older one would weigh next to nothing
)

// blockDecay is the weight of a block relative to the next newer one: an agent seldom looks for
// what it did ten calls ago.
const blockDecay = 0.8

// blockStart begins a line that begins a block.
const blockStart = '['

// Question is the words that a reader looks for. The nil Question has none.
type Question struct {
	slots   []slot // open addressing, a power of two of them
	weights []float64
}

// slot is a word of a question by its hash. Index is from 1; 0 marks a free slot.
type slot struct {
	hash  uint64
	index int32
}

// Parse returns the question that a text asks: plain text, the newest block last. A block begins with a line that
// begins with "[". It returns nil if the text has no word that a question can be about.
func Parse(text []byte) *Question { return Of(Blocks(text)...) }

// Blocks returns the blocks of a text as Parse reads it, the newest last: at most MaxBlocks, and of a text longer than
// MaxText those at its end.
func Blocks(text []byte) [][]byte {
	if len(text) > MaxText {
		text = text[len(text)-MaxText:]
	}
	var all [][]byte
	for len(text) > 0 && len(all) < MaxBlocks {
		var block []byte
		text, block = cutLastBlock(text)
		all = append(all, block)
	}
	slices.Reverse(all)
	return all
}

// Of returns the question that blocks ask, the newest last, as Parse does: but no line of one begins another. Of the
// blocks together the last MaxText bytes are read.
func Of(blocks ...[]byte) *Question {
	q := &Question{slots: make([]slot, 2*MaxWords)}
	weight, room := 1.0, MaxText
	for _, block := range slices.Backward(blocks[max(0, len(blocks)-MaxBlocks):]) {
		block = block[max(0, len(block)-room):]
		room -= len(block)
		eachWord(block, func(hash uint64) { q.add(hash, weight) })
		weight *= blockDecay
	}
	if len(q.weights) == 0 {
		return nil
	}
	return q
}

// cutLastBlock cuts the last block off a text.
func cutLastBlock(text []byte) (before, block []byte) {
	end := len(text)
	for end > 0 {
		start := bytes.LastIndexByte(text[:end-1], '\n') + 1
		if text[start] == blockStart {
			return text[:start], text[start:]
		}
		end = start
	}
	return nil, text
}

// add adds a word, unless a newer block has it, the question is full, or it is a word of every text.
func (q *Question) add(hash uint64, weight float64) {
	at := q.find(hash)
	if q.slots[at].index != 0 || len(q.weights) == MaxWords || stopWords[hash] {
		return
	}
	q.weights = append(q.weights, weight)
	q.slots[at] = slot{hash, int32(len(q.weights))}
}

// find returns the slot that has a hash, or the free one where it belongs.
func (q *Question) find(hash uint64) int {
	mask := uint64(len(q.slots) - 1)
	at := hash & mask
	for q.slots[at].index != 0 && q.slots[at].hash != hash {
		at = (at + 1) & mask
	}
	return int(at)
}

// Len returns how many words the question has.
func (q *Question) Len() int {
	if q == nil {
		return 0
	}
	return len(q.weights)
}

// Sum returns a hash of the words of the question, which another question with the same words has.
func (q *Question) Sum() []byte {
	var hashes []uint64
	if q != nil {
		for _, s := range q.slots {
			if s.index != 0 {
				hashes = append(hashes, s.hash)
			}
		}
	}
	slices.Sort(hashes)
	sum := sha256.New()
	_ = binary.Write(sum, binary.BigEndian, hashes) // a hash has no errors
	return sum.Sum(nil)
}

// Weight returns the weight of a word by its index, more than 0 and at most 1.
func (q *Question) Weight(word int) float64 { return q.weights[word] }

// A Place is where a word of the question stands in a line.
type Place struct {
	Word       int // index of the word
	Start, End int // of the identifier that it is, or is a part of
}

// Find appends to dst the words of the question that a line holds, each once, in the order in which they stand there,
// and returns dst.
func (q *Question) Find(dst []Place, line []byte) []Place {
	if q == nil {
		return dst
	}
	from := len(dst)
	eachIdentifier(line, func(start, end int) {
		eachOf(line[start:end], func(hash uint64) {
			index := q.slots[q.find(hash)].index
			if index == 0 {
				return
			}
			word := int(index) - 1
			if !slices.ContainsFunc(dst[from:], func(p Place) bool { return p.Word == word }) {
				dst = append(dst, Place{Word: word, Start: start, End: end})
			}
		})
	})
	return dst
}
