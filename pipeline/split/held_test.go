package split

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/redact"
)

// paused is a source that gives one piece after another, and nothing for a second after each.
type paused struct {
	pieces []string
	isNext bool // a piece, not the pause before it
}

func (p *paused) Read(b []byte) (int, error) {
	if p.isNext = !p.isNext; !p.isNext {
		time.Sleep(time.Second)
		return 0, nil
	}
	if len(p.pieces) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.pieces[0])
	p.pieces = p.pieces[1:]
	return n, nil
}

// TestPausesInYAML: a pause ends a unit of YAML that ends with a line, and makes lines of one in which a value is open.
// What goes on after it is lines, up to the next unit, and nothing is lost.
func TestPausesInYAML(t *testing.T) {
	for name, test := range map[string]struct {
		format redact.Format
		strict bool
		pieces []string
		want   []string // chunks; that of YAML as the JSON it stands for
	}{
		"documents": {redact.YAML, false, []string{"a: 1\nb: 2\n", "---\na: 3\n"}, []string{`{"a":1,"b":2}`, `{"a":3}`}},
		"a document goes on": {redact.YAML, false, []string{"a:\n  b: 1\n", "  c: 2\nd: 3\n", "---\na: 4\n"},
			[]string{`{"a":{"b":1}}`, "  c: 2", "d: 3", `{"a":4}`}},
		"an element goes on": {redact.YAML, true, []string{"- a: 1\n", "  b: 2\n- a: 3\n"},
			[]string{`{"a":1}`, "  b: 2", `{"a":3}`}},
		"elements": {redact.YAML, true, []string{"- a: 1\n", "- a: 2\n  b: 3\n", "\n# of the next\n- a: 4\n"},
			[]string{`{"a":1}`, `{"a":2,"b":3}`, `{"a":4}`}},
		"an open value": {redact.YAML, true, []string{"a: \"x\n", "  y\"\nb: [1,\n", "  2]\n"},
			[]string{`a: "x`, `  y"`, "b: [1,", "  2]"}},
		"an open element": {redact.YAML, false, []string{"- 'x\n", "  y'\n- z\n"}, []string{"- 'x", "  y'", `"z"`}},
		"open brackets": {redact.YAML, false, []string{"a: [\n", "  1]\n---\nb: 2\n"},
			[]string{"a: [", "  1]", `{"b":2}`}},
		"within a line": {redact.YAML, true, []string{"a: 1\nb", ": 2\n"}, []string{`{"a":1,"b":2}`}},
		"a list that is most of it": {redact.YAML, false,
			[]string{"kind: List\nitems:\n- name: one\n- name: two\n", "- name: three\n"},
			[]string{`"List"`, `{"name":"one"}`, `{"name":"two"}`, `{"name":"three"}`}},
		"no YAML":   {redact.YAML, false, []string{"a: b: c\n", "---\na: 1\n"}, []string{"a: b: c", `{"a":1}`}},
		"by itself": {redact.Auto, false, []string{"a: 1\nb: 2\n", "---\na: 3\n"}, []string{"a: 1", "b: 2", "---", "a: 3"}},
		"known to be YAML": {redact.Auto, false, []string{"a: 1\nb: 2\n---\na: 3\nb: 4\n---\na: 5\n", "---\na: 6\n"},
			[]string{`{"a":1,"b":2}`, `{"a":3,"b":4}`, `{"a":5}`, `{"a":6}`}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				clean := redact.NewReader(&paused{pieces: test.pieces}, testinput.PlainRules(t), test.format)
				var got []string
				whole, warned := "", 0
				for c, err := range ChunksAtOnce(clean, 0, test.strict, false, time.Second) {
					if err != nil {
						t.Fatal(err)
					}
					whole += string(c.Lead) + string(c.Source)
					warned += len(c.Warnings)
					if c.Seq > 0 {
						got = append(got, string(c.Content()))
					}
				}
				if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
					t.Errorf("got %q, not %q", got, test.want)
				}
				if whole != strings.Join(test.pieces, "") {
					t.Errorf("not whole: %q", whole)
				}
				isOdd := strings.Contains(name, "goes on") || strings.Contains(name, "open") || name == "no YAML"
				if isOdd != (warned > 0) {
					t.Errorf("%d warnings", warned)
				}
			})
		})
	}
}
