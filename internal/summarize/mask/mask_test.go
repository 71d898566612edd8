package mask

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/kfw-dev/kfw/internal/ascii"
)

func TestReadDigits(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 1))
	for digits := 1; digits <= 16; digits++ {
		for range 1000 {
			text := make([]byte, digits, digits+len(blanksAfter))
			for i := range text {
				text[i] = byte('0' + random.IntN(10))
			}
			want, err := strconv.ParseUint(string(text), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			if got := readDigits(append(text, blanksAfter...), digits); got != want {
				t.Fatalf("%s is %d", text, got)
			}
		}
	}
}

func TestLeadingHex(t *testing.T) {
	for c := range 256 {
		for at := range 9 {
			text := []byte("0a1B2c3F")
			if at < len(text) {
				text[at] = byte(c)
			}
			n := bytes.IndexFunc(text, func(r rune) bool { return r >= 0x80 || !ascii.IsHexDigit(byte(r)) })
			if n < 0 {
				n = len(text)
			}
			has := Part(0)
			for _, c := range text[:n] {
				has |= Parts[c]
			}
			got, hasDigit, hasLetter := ascii.LeadingHexOf(ascii.LastBytes(text))
			if got != n || hasDigit != (has&Digit != 0) || hasLetter != (has&Letter != 0) {
				t.Errorf("%q has %d, %v, %v", text, got, hasDigit, hasLetter)
			}
		}
	}
}
