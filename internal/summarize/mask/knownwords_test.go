package mask

import (
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
	"github.com/kfw-dev/kfw/internal/testdepth"
)

// What is remembered of words never changes what a line is cut into.
func TestKnownWordsChangeNothing(t *testing.T) {
	const alphabet = "0123456789019abcfxXgZ.:-/T+=é<\x00"
	letters := []rune(alphabet)
	random := rand.New(rand.NewPCG(1, 9))
	seen := NewLine()
	for range testdepth.Cases(100_000) {
		word := make([]rune, 1+random.IntN(40))
		for i := range word {
			word[i] = letters[random.IntN(len(letters))]
			if random.IntN(3) > 0 && i > 0 {
				word[i] = word[i-1]
			}
		}
		line := []byte(string(word))
		for range 3 {
			fresh := NewLine()
			fresh.Set(line)
			if seen.Set(line); !reflect.DeepEqual(seen.Words, fresh.Words) {
				t.Fatalf("%s is\n%+v\nand was\n%+v", line, fresh.Words, seen.Words)
			}
			for i, c := range line { // now another of its shape
				if ascii.IsDigit(c) {
					line[i] = byte('0' + random.IntN(10))
				}
			}
		}
	}
}

// Whoever makes two words of one shape does not get past the end of the shorter one.
func TestKnownWordOfAnotherLength(t *testing.T) {
	m, fresh := NewLine(), NewLine()
	line := []byte("took 17 ms")
	fresh.Set(line)
	shape, _ := shapeAt([]byte("17"+blanksAfter), 0)
	*m.known.slot(shape) = knownWord{shape, 30, wordMask{Hash: 1, Variable: true, Number: digitRun{from: 28, to: 30}}}
	if m.Set(line); !reflect.DeepEqual(m.Words, fresh.Words) {
		t.Errorf("%+v, without it %+v", m.Words, fresh.Words)
	}
}

func TestWithoutDigits(t *testing.T) {
	for high := range 256 {
		for low := range 256 {
			b := []byte{byte(low), '7', byte(high), 0xff, byte(low), 0, '/', byte(high)}
			want := make([]byte, len(b))
			for i, c := range b {
				if want[i] = c; ascii.IsDigit(c) {
					want[i] = '0'
				}
			}
			if got := ascii.WithoutDigits(binary.LittleEndian.Uint64(b)); got != binary.LittleEndian.Uint64(want) {
				t.Fatalf("%q is %x", b, got)
			}
		}
	}
}

func TestWordHashTellsWordsApart(t *testing.T) {
	seen := map[uint64]string{}
	for n := range 20 {
		for i := range n {
			for _, c := range []byte("ab\x00") {
				word := make([]byte, n)
				word[i] = c
				hash := sketch.HashWord(word, 0)
				if other, known := seen[hash]; known && other != string(word) {
					t.Errorf("%q and %q have the same hash", word, other)
				}
				seen[hash] = string(word)
			}
		}
	}
}
