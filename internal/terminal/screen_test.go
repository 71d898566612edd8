package terminal

import (
	"strings"
	"testing"
)

// FuzzScreen: whatever is written, a terminal gets no control character but line ends, tabs and colours.
func FuzzScreen(f *testing.F) {
	for _, seed := range []string{"12: a\x1b[31mred\n", "\x1b]0;title\a\n", "a\rb\r\n", "kfw: x\n", "\u009b2J",
		"\x1b[2J\x1b["} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		t.Setenv("NO_COLOR", "")
		t.Setenv("TERM", "xterm")
		var b strings.Builder
		if n, err := NewScreen(&b, nil).Write([]byte(text)); n != len(text) || err != nil {
			t.Fatal(n, err)
		}
		shown := b.String()
		for at := 0; at < len(shown); at++ {
			if n := colourLen([]byte(shown[at:])); n > 0 {
				at += n - 1
			} else if c := shown[at]; c < ' ' && c != '\t' && c != '\n' && !strings.HasPrefix(shown[at:], "\r\n") ||
				strings.HasPrefix(shown[at:], "\u009b") || c == 0x7f {
				t.Fatalf("%q", shown)
			}
		}
	})
}

func TestScreen(t *testing.T) {
	for _, c := range []struct{ text, noColour, want string }{
		{"kfw: 3 lines\n12: a: b\n", "", "\x1b[2mkfw: 3 lines\x1b[0m\n\x1b[2m12:\x1b[0m a: b\n"},
		{"kfw: 3 lines\n12: a\x1b[31mb\n", "1", "kfw: 3 lines\n12: ab\n"},
		{"\x1b[31mred\nplain\n", "", "\x1b[31mred\x1b[0m\nplain\n"},
		{"\x1b[2Jx\ay\n", "", "[U+001B][2Jx[U+0007]y\n"},
	} {
		t.Setenv("NO_COLOR", c.noColour)
		t.Setenv("TERM", "xterm")
		var b strings.Builder
		if _, err := NewScreen(&b, nil).Write([]byte(c.text)); err != nil || b.String() != c.want {
			t.Errorf("%q: %q", c.text, b.String())
		}
	}
	t.Setenv("NO_COLOR", "")
	var b strings.Builder
	s := NewScreen(&b, nil)
	for _, part := range []string{"a ", "kfw: b", "12: c\nkfw: d\n"} { // a line goes on with the next part
		if _, err := s.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	if want := "a kfw: b12: c\n\x1b[2mkfw: d\x1b[0m\n"; b.String() != want {
		t.Errorf("%q, not %q", b.String(), want)
	}
}
