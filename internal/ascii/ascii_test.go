package ascii_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// TestEight compares the classes of eight bytes at once with the class of each byte.
func TestEight(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	text := make([]byte, 8)
	for range 100_000 {
		for i := range text {
			if text[i] = byte(random.IntN(256)); random.IntN(2) == 0 {
				text[i] = "0123456789/:"[random.IntN(12)]
			}
		}
		others, without := make([]byte, 8), bytes.Clone(text)
		for i, c := range text {
			if ascii.IsDigit(c) {
				without[i] = '0'
			} else {
				others[i] = 0x80
			}
		}
		eight := ascii.EightAt(text, 0)
		if got := ascii.OthersThanDigits(eight); got != ascii.EightAt(others, 0) {
			t.Fatalf("%q: others than digits %x", text, got)
		}
		if got := ascii.WithoutDigits(eight); got != ascii.EightAt(without, 0) {
			t.Fatalf("%q: without digits %x", text, got)
		}
	}
}

// TestDigitsOf reads numbers of one to eight digits, with others behind them.
func TestDigitsOf(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 3))
	for range 10_000 {
		digits := 1 + random.IntN(8)
		text := fmt.Sprintf("%08d", random.IntN(100_000_000))
		want, err := strconv.ParseUint(text[:digits], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := ascii.DigitsOf(ascii.EightAt([]byte(text), 0), digits); got != want {
			t.Fatalf("%d digits of %s: %d", digits, text, got)
		}
	}
}

// TestKinds compares the kinds of all bytes with those that the standard library knows of ASCII.
func TestKinds(t *testing.T) {
	for c := range 256 {
		b := byte(c)
		text := string(rune(b))
		isDigit := len(text) == 1 && '0' <= b && b <= '9'
		_, err := strconv.ParseUint(text, 16, 8)
		if ascii.IsDigit(b) != isDigit || ascii.IsHexDigit(b) != (err == nil) ||
			ascii.IsAlphanumeric(b) != (ascii.IsDigit(b) || ascii.IsLetter(b)) ||
			ascii.IsLetter(b) != (len(text) == 1 && !bytes.Equal(bytes.ToUpper([]byte(text)), bytes.ToLower([]byte(text)))) {
			t.Errorf("%q", text)
		}
	}
}

// TestRuns compares the runs that texts begin and end with to what the standard library trims.
func TestRuns(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	isLetter := func(r rune) bool { return ascii.IsLetter(byte(r)) }
	for range 20_000 {
		text := make([]byte, 24)
		for i := range text {
			text[i] = "0123456789abcdefABCDEFxyz \t-"[random.IntN(28)]
		}
		if got, want := ascii.LeadingLetters(text), len(text)-len(bytes.TrimLeftFunc(text, isLetter)); got != want {
			t.Fatalf("%q begins with %d letters, not %d", text, got, want)
		}
		if got, want := ascii.TrimBlanks(text), bytes.TrimLeft(text, " \t\r"); !bytes.Equal(got, want) {
			t.Fatalf("%q without blanks is %q, not %q", text, got, want)
		}
		if got, want := ascii.LeadingDigitsOf(ascii.EightAt(text, 0)), min(8, ascii.LeadingDigits(text)); got != want {
			t.Fatalf("%q begins with %d digits, not %d", text, got, want)
		}
		hex := len(text[:8]) - len(bytes.TrimLeft(text[:8], "0123456789abcdefABCDEF"))
		length, hasDigit, hasLetter := ascii.LeadingHexOf(ascii.EightAt(text, 0))
		if length != hex || hasDigit != bytes.ContainsAny(text[:hex], "0123456789") ||
			hasLetter != bytes.ContainsAny(text[:hex], "abcdefABCDEF") {
			t.Fatalf("%q: %d hexadecimal digits, digits %t, letters %t", text, length, hasDigit, hasLetter)
		}
	}
}

func TestSet(t *testing.T) {
	for _, cutset := range []string{"", "a", "[]()<>,:|", `"'`} {
		set := ascii.SetOf(cutset)
		for _, text := range []string{"", "a", "aaa", "[a:b]", "[:]", "x", `"é"`, "a\x80a", "b a"} {
			b := []byte(text)
			if got, want := set.Trim(b), bytes.Trim(b, cutset); string(got) != string(want) {
				t.Errorf("Trim(%q, %q) = %q, not %q", text, cutset, got, want)
			}
			if got, want := set.TrimLeft(b), bytes.TrimLeft(b, cutset); string(got) != string(want) {
				t.Errorf("TrimLeft(%q, %q) = %q, not %q", text, cutset, got, want)
			}
			if got, want := set.TrimRight(b), bytes.TrimRight(b, cutset); string(got) != string(want) {
				t.Errorf("TrimRight(%q, %q) = %q, not %q", text, cutset, got, want)
			}
		}
	}
}
