package mask

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// A line that is recognized is told to be what cutting it into words would have found.
func TestRecognizedLinesAreAsCut(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	one := func(words ...string) string { return words[random.IntN(len(words))] }
	digits := func(most int) string {
		return strconv.Itoa(random.IntN(int(math.Pow10(1 + random.IntN(most)))))
	}
	number := func() string {
		return one("", "", "", "0") + digits(11) + one("", "", "."+digits(9), "."+digits(3)+"."+digits(3))
	}
	affix := func() string {
		return one("", "", "", "id=", "v", "a", "xf", "a.", "bad", "x", "x=", "(", ":", "-", "/", ".", "ms", "e",
			"hours", "é", "-dead-beef-", "0x", "--", "th,", "T",
			"-beef-dead-beef-deadbeefdead", "-deadbeef-dead-beef-dead-", strings.Repeat("z", 300))
	}
	hex := func() string {
		return one(strconv.FormatUint(random.Uint64()>>random.IntN(60), 16),
			fmt.Sprintf("%0*d", 15+random.IntN(3), random.IntN(1<<30)), strconv.FormatUint(random.Uint64(), 16),
			"deadbeef", digits(9))
	}
	two := func() string { return strconv.Itoa(10 + random.IntN(90)) }
	uuid := func() string {
		h := fmt.Sprintf("%016x%016x", random.Uint64(), random.Uint64())
		if random.IntN(9) == 0 {
			h = strings.Map(func(r rune) rune { return '0' + r%10 }, h)
		}
		return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
	}
	// Each makes words that differ from line to line.
	words := []func(before, after string) string{
		func(before, after string) string { return before + number() + after },
		func(before, after string) string { return before + number() + after },
		func(before, after string) string { return before + number() + "-" + number() + after },
		func(before, after string) string {
			return before + digits(3) + "." + digits(3) + "." + digits(3) + "." + digits(4) + after
		},
		func(before, after string) string { return before + number() + after + digits(3) + before },
		func(before, after string) string { return digits(1) + after },
		func(before, after string) string { return hex() },
		func(before, after string) string { return before + hex() + after },
		func(before, after string) string { return uuid() },
		func(before, after string) string { return before + uuid() + after },
		func(before, after string) string { // a MAC address, or nearly
			separator := one(":", ":", "-")
			mac := one("aa", "a", two())
			for range 3 + random.IntN(4) {
				mac += separator + one(two(), "be", "c0", two(), digits(6))
			}
			return before + mac + after
		},
		func(before, after string) string { return one("aa-be-aa-be-aa-", "aa:be:aa:be:aa:") + digits(4) },
		func(before, after string) string {
			return one(before, "") + one("fe80", digits(5), "abcd") + "::" + one("", "ff:", digits(4)+":") +
				one(digits(6), "1", hex()) + one(after, "")
		},
		func(before, after string) string {
			return one(before, "[") + one(digits(2), two(), "02") + "/" + one("Jan", "Feb", "Jon") + "/20" + two() +
				":" + two() + ":" + two() + ":" + two() + after
		},
		func(before, after string) string {
			return "20" + two() + "-" + two() + "-" + two() + one(" ", "T") + two() + ":" + two() + ":" + two()
		},
		func(before, after string) string {
			return one("Jan", "Feb", "may") + one(" ", "  ") + digits(2) + " " + two() + ":" + two() + ":" + two()
		},
		func(before, after string) string { return "/srv/" + before + "/" + digits(3) },
		func(before, after string) string { return one("", " ", "\t", strings.Repeat(" ", 50)) },
		func(before, after string) string { return before + digits(1) + "x" + digits(6) },
	}
	seen, fresh := NewLine(), NewLine()
	all := new(Matchers)
	recognized := 0
	for range 20_000 {
		var form []func() string
		for range 1 + random.IntN(4) {
			before, after := affix(), affix()
			w := words[random.IntN(len(words))]
			if random.IntN(9) == 0 { // a time with the name of its month, or nearly
				open, shut, year, day := one("[", "")+one("", "Sun ")+"Dec"+one(" ", "  "), one("]", "", "]:"),
					one("", "", " ", "x", ".5"), 1+random.IntN(3)
				w = func(_, _ string) string {
					return open + digits(day) + " 04:" + two() + ":" + two() + year + one("", "2005", digits(5)) + shut
				}
			}
			form = append(form, func() string { return w(before, after) })
		}
		start := one("a line that begins as many do and goes on ", "short ", "")
		same := one("", " Jan", " is", " of the same")
		end := one("", "", " and ends", strings.Repeat(" and goes on", 20+random.IntN(70)))
		for range 12 {
			line := []byte(start)
			for i, w := range form {
				if i > 0 {
					line = append(append(line, same...), one(" ", " ", " ", " ", "  ")...)
				}
				line = append(line, w()...)
			}
			line = append(line, end...)
			if random.IntN(4) == 0 {
				line = line[:random.IntN(len(line)+1)]
			}
			fresh.Set(line)
			seen.Take(line)
			if !seen.Recognize(all) {
				seen.CutWords()
				all.Learn(&seen)
				if !seen.Cut && all.draft.compile(&seen) {
					if seen.Take(line); !seen.Recognize(all) {
						t.Fatalf("%q does not match itself", line)
					}
				}
				continue
			}
			recognized++
			isSame := seen.Hash == fresh.Hash && len(seen.Words) == len(fresh.Words) && seen.Paths == fresh.Paths &&
				seen.HasID == fresh.HasID && !fresh.Cut
			for i := range fresh.Words {
				a, b := seen.Words[i], fresh.Words[i]
				hasNumber := !b.Number.IsNone()
				isSame = isSame && (hasNumber || b.IsPath) == (seen.Variables>>i&1 == 1)
				if b.IsPath && (a.Hash != b.Hash || a.From != b.From || a.To != b.To || !a.IsPath ||
					!a.Number.IsNone()) {
					isSame = false
				}
				if hasNumber && (a.IsPath || a.Number.IsNone() || a.Value != b.Value || a.isPadded != b.isPadded ||
					a.Number.Decimals != b.Number.Decimals) {
					isSame = false
				}
			}
			if !isSame {
				t.Fatalf("%q is\n%+v\nand was recognized as\n%+v", line, fresh.Words, seen.Words)
			}
			seen.CutWords()
			if !slices.Equal(seen.Words, fresh.Words) || seen.Hash != fresh.Hash || seen.Variables != fresh.Variables ||
				seen.Paths != fresh.Paths || seen.HasID != fresh.HasID {
				t.Fatalf("%q is cut after it was recognized into\n%+v, not\n%+v", line, seen.Words, fresh.Words)
			}
		}
	}
	if recognized < 10_000 {
		t.Fatalf("only %d were recognized", recognized)
	}
	found := 0
	for _, at := range all.sets {
		for ; at > 0; at = all.all[at-1].next {
			found++
		}
	}
	if found != maxMatchers || all.used != maxMatchers {
		t.Errorf("%d of %d can be found", found, all.used)
	}
}

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
