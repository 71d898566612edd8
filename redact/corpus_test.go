package redact

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/testdepth"
)

// labelled is a text with the stretches of it that must be hidden.
type labelled struct {
	ID     string   `json:"id"`
	Source string   `json:"source"`
	Text   string   `json:"text"`
	Spans  [][2]int `json:"spans"`
}

// corpora reads the labelled texts beside the project, or skips the test.
func corpora(t *testing.T) []labelled {
	files, err := filepath.Glob("../../shared/data/redact/*.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("there are no labelled texts beside the project")
	}
	var all []labelled
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var x labelled
			if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
				t.Fatal(name, err)
			}
			all = append(all, x)
		}
		if err := lines.Err(); err != nil {
			t.Fatal(name, err)
		}
	}
	return all
}

// However a text is cut in two, what comes out is the same; and when it is read
// byte by byte, nothing that is hidden in the end was out before.
func TestCorporaCut(t *testing.T) {
	const everyCut = 1 << 10 // of longer texts, only those in and around what must be hidden
	rules := compile(t, Options{Groups: All})
	x := rules.Text()
	var out []byte
	for _, c := range testdepth.Some(corpora(t)) {
		text := []byte(c.Text)
		want := whole(rules, text)
		isNear := func(at int) bool {
			for _, s := range c.Spans {
				if at > s[0]-64 && at < s[1]+64 {
					return true
				}
			}
			return len(text) <= everyCut
		}
		for at := range text {
			if !isNear(at) {
				continue
			}
			out = x.Append(out[:0], text[:at])
			if !bytes.HasPrefix(want, out) {
				t.Fatalf("%s: cut at byte %d, the first part is no prefix of the whole", c.ID, at)
			}
			out = x.Flush(x.Append(out, text[at:]))
			if !bytes.Equal(out, want) {
				t.Fatalf("%s: cut at byte %d, the output is another", c.ID, at)
			}
		}
		if out = inPieces(x, text, one); !bytes.Equal(out, want) {
			t.Fatalf("%s: byte by byte, the output is another", c.ID)
		}
		if again := whole(rules, want); !bytes.Equal(again, want) {
			t.Errorf("%s: redacted twice, the output is another", c.ID)
		}
	}
}

// TestFieldCorpusCut: the texts from public reports are whole inputs, so a Reader gives the same however they are cut.
func TestFieldCorpusCut(t *testing.T) {
	x := NewReader(nil, compile(t, Options{}), Auto)
	n := 0
	for _, c := range corpora(t) {
		if c.isOfField() {
			cutEverywhere(t, x, c.ID, []byte(c.Text))
			n++
		}
	}
	if n == 0 {
		t.Skip("there are no labelled texts of the field beside the project")
	}
}

// isOfField reports whether a text is from a public report.
func (l *labelled) isOfField() bool { return strings.HasPrefix(l.Source, "field/") }
