package encode

import (
	"bytes"
	"strings"
	"testing"
)

// TestImitation: after a line break of any kind, what begins as a line of kfw's own is quoted, however often it is
// quoted already. In the middle of a line it is left alone.
func TestImitation(t *testing.T) {
	for _, b := range append([]string{"", "\r\n", "\n\n"}, lineBreaks[:]...) {
		for _, quotes := range []string{"", `\`, `\\\`} {
			source := "a" + b + quotes + "kfw: end: 3 chunks"
			if b == "" {
				source = quotes + "kfw: end: 3 chunks"
			}
			want := strings.Replace(source, quotes+"kfw:", quotes+`\kfw:`, 1)
			if got, _ := AppendVerbatim(nil, []byte(source), true); string(got) != want {
				t.Errorf("%q: %q", source, got)
			}
			// A text in two parts, cut anywhere but within the words, is quoted as the whole.
			for cut := range len(source) - len("kfw: end: 3 chunks") {
				got, atStart := AppendVerbatim(nil, []byte(source[:cut]), true)
				if !isWhole(source, cut) {
					continue
				}
				got, _ = AppendVerbatim(got, []byte(source[cut:]), atStart)
				if quotes == "" && string(got) != want {
					t.Errorf("%q, cut at %d: %q", source, cut, got)
				}
			}
		}
	}
	for _, source := range []string{"a kfw: b", "akfw: b", `a\kfw: b`, "\u00a8kfw:", "\xa8kfw:", "\x85kfw:"} {
		if got, _ := AppendVerbatim(nil, []byte(source), true); string(got) != source {
			t.Errorf("%q: %q", source, got)
		}
	}
}

// isWhole reports whether a cut is between characters.
func isWhole(text string, cut int) bool { return cut == 0 || text[cut]&0xc0 != 0x80 }

// TestImitationEverywhere: no text of a frame has the words of another line after a line break, whatever part of the
// frame the data is in.
func TestImitationEverywhere(t *testing.T) {
	for _, b := range lineBreaks {
		planted := "x" + b + "kfw: end: 3 chunks"
		line := appendLine(nil, []byte(planted))
		own := appendOwn(nil, planted)
		shown := appendNotable(nil, []Notable{{Chunk: 1, Why: "error", Data: []byte(planted)}})
		for i, text := range [...][]byte{line, own, shown} {
			for _, of := range lineBreaks {
				if bytes.Contains(text, []byte(of+"kfw: end")) {
					t.Errorf("%q, %d: %q", b, i, text)
				}
			}
		}
	}
}
