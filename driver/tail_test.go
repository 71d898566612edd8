package driver

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func tailOf(parts ...string) []string {
	t := new(tail)
	for _, part := range parts {
		t.Write([]byte(part))
	}
	return t.lines()
}

func TestTail(t *testing.T) {
	wide := strings.Repeat("w", tailWidth)
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"an empty line", "\n", []string{""}},
		{"line ends", "a\nb\r\n\nc\rd\n", []string{"a", "b", "", "c\rd"}},
		{"unfinished", "a\nb", []string{"a", "b"}},
		{"as wide as can be", wide + "\r\n" + wide + "\n", []string{wide, wide}},
		{"wider", wide + "w\n" + wide + "\rw\nnext\n", []string{wide + cutMark, wide + cutMark, "next"}},
		{"cut before a character", wide[1:] + "é and more\n", []string{wide[1:] + cutMark}},
	} {
		if got := tailOf(test.text); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %.60q", test.name, got)
		}
	}
}

// FuzzTail holds the tail to the last lines of the whole text, however it is cut into writes.
func FuzzTail(f *testing.F) {
	f.Add("a\nb\nc", 2)
	f.Add("a\r\n\r\nb", 2)
	f.Add(strings.Repeat("line\n", 50), 33)
	f.Add(strings.Repeat("漢", 2000)+"\n\xff\xfe", 1024)
	f.Fuzz(func(t *testing.T, text string, cut int) {
		cut = min(max(cut, 0), len(text))
		got := tailOf(text[:cut], text[cut:])
		whole := strings.Split(text, "\n")
		if whole[len(whole)-1] == "" {
			whole = whole[:len(whole)-1]
		}
		whole = whole[max(0, len(whole)-tailLines):]
		if len(got) != len(whole) {
			t.Fatalf("got %d lines, want %d", len(got), len(whole))
		}
		for i, line := range whole {
			line = strings.TrimSuffix(line, "\r")
			if len(line) <= tailWidth {
				if got[i] != line {
					t.Errorf("line %d is not what was written", i)
				}
				continue
			}
			kept, marked := strings.CutSuffix(got[i], cutMark)
			if !marked || len(kept) > tailWidth || len(kept) <= tailWidth-utf8.UTFMax-1 ||
				!strings.HasPrefix(line, kept) {
				t.Errorf("line %d of %d bytes became %d bytes", i, len(line), len(got[i]))
			}
			if utf8.ValidString(line) && !utf8.ValidString(kept) {
				t.Errorf("line %d is cut within a character", i)
			}
		}
	})
}
