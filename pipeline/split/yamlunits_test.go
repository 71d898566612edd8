package split

import (
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/redact"
)

// TestByItself: documents and lists of mappings are read as YAML by themselves, in whatever pieces
// they come.
func TestByItself(t *testing.T) {
	pod := "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n"
	for name, text := range map[string]string{
		"documents":       pod + "---\n" + pod,
		"three documents": "# made by a tool\n---\n" + pod + "---\n" + pod + "---\n" + pod,
		"flat documents":  "---\na: 1\nb: 2\n---\na: 2\nb: 3\n",
		"a list":          "- name: a\n  at: 2026-01-02\n- name: b\n  at: 2026-01-03\n",
		"items": "kind: List\nitems:\n- name: a\n  tags: [x,\n    y]\n- name: b\n  text: |\n" +
			"    any: text\n\tat all\nnext: null\n",
		"indented items": "items:\n  - name: a\n    of:\n      deep: 1\n  - name: b\n    of: &x {}\n",
		"folded": "- name: a\n" +
			"  note: one two three four five six seven eight nine ten eleven twelve\n    and so on\n- name: b\n  note: x\n",
		"CRLF":              strings.ReplaceAll("- name: a\n  at: 1\n- name: b\n  at: 2\n", "\n", "\r\n"),
		"more than is held": "items:\n" + strings.Repeat("- name: a\n  tags: [x, y]\n", 4000) + "oops oops\n",
		"a document cut":    "- a: 1\n  b: 2\n" + strings.Repeat("- name: a\n  text: \"x\n    y\"\n", 4000),
	} {
		if name == "items" {
			text = strings.ReplaceAll(text, "\tat", "    at")
		}
		for _, sizes := range [][]byte{nil, {9}, {255, 0}} {
			all := chunksOf(t, []byte(text), sizes, redact.Auto, MaxChunkDefault, false)
			records := 0
			for _, c := range all {
				if c.Notation.IsYAML() {
					records++
				}
			}
			if records < 2 || records < len(all)-1 {
				t.Errorf("%s, in pieces of %v: %d of %d chunks are YAML", name, sizes, records, len(all))
			}
		}
	}
}

// TestNotByItself: what only looks like YAML, and the settings of one program, are lines as ever.
func TestNotByItself(t *testing.T) {
	for name, text := range map[string]string{
		"headers": "Name: web\nNamespace: shop\nLabels: a\n---\nname",
		"one document": "image:\n  name: web\n  tag: 1\nports:\n- a: 1\n  b: 2\n- a: 2\n  b: 3\nreplicas: 2\n" +
			"longer: " + strings.Repeat("x", 99),
		"describe": "Name:         web-1\nContainers:\n  web:\n    Image:  nginx\n    State:  Running\n" +
			"      Started:  Mon\n",
		"versions": "Client:\n Version:           24.0.5\n API version:       1.43\n---\nServer:\n" +
			" Version:           24.0.5\n" +
			" API version:       1.43\n",
		"a log":        "INFO: one\nINFO: two\nerror:\n  at: x\n",
		"a table":      "Conditions:\n  Type   Status\n  Ready  True\n---\nMore:\n  Type   Status\n  Ready  True\n",
		"front matter": "---\ntitle: x\ntags:\n- a\n---\n# Heading\n\nA text with two\nlines.\n",
		"a readme":     "# Title\n\n- **one**: x\n- two: y\n- three: z\n\nprose\n",
		"items":        "- one: x\n- two: y\n- three: z\n",
		"words":        "- one\n- two\n- three\n",
		"python":       "class A:\n    def f(self):\n        return 1\n\nx: int = 1\n",
		"make":         "all: build\n\tgo build\nbuild: x\n\ttouch x\n",
		"a diff":       "--- a/x.yaml\n+++ b/x.yaml\n@@ -1 +1 @@\n-a: 1\n+a: 2\n",
		"a trace":      "Error: no\n    at f (x.js:1)\n    at g (y.js:2)\n---\nError: no\n    at f (x.js:1)\n",
		"indented":     "  a: 1\n  b:\n    c: 1\n---\n  a: 1\n",
		"broken later": "- a: 1\n  b: 2\n- a: [1\n- a: 2\n  b: 3\n",
		"unknown":      "- a: *x\n  b: 2\n- a: 1\n  b: 2\n-: 3\n",
		"many keys":    strings.Repeat("k: 1\n", 2),
		"a commit":     "commit 1234\nAuthor: a <a@example.com>\nDate:   Mon\n\n    message\n",
	} {
		for _, sizes := range [][]byte{nil, {9}} {
			for _, c := range chunksOf(t, []byte(text), sizes, redact.Auto, MaxChunkDefault, false) {
				if c.Notation.IsYAML() || len(c.Warnings) > 0 {
					t.Errorf("%s: %q is YAML, with %v", name, c.Source, c.Warnings)
				}
			}
		}
	}
}

// TestOpenedYAML: what is larger than a chunk is opened, with the path at which each member stood,
// and what can't be opened is lines.
func TestOpenedYAML(t *testing.T) {
	text := "kind: List\nitems:\n- name: a\n  tags:\n  - x\n  - y\n- name: " + strings.Repeat("b", 50) + "\n  tags:\n" +
		strings.Repeat("  - z\n", 20) + "  text: |\n" + strings.Repeat("    line\n", 30) + "  last: 1\n- name: c\nnext: ~\n"
	var got []string
	for _, c := range chunksOf(t, []byte(text), []byte{6}, redact.YAML, 80, false) {
		if content := string(c.Inner); c.Notation.IsYAML() {
			got = append(got, c.Path+" "+content)
		} else if len(got) == 0 || got[len(got)-1] != "line" {
			got = append(got, "line")
		}
	}
	want := []string{`kind "List"`, `items.0 {"name":"a","tags":["x","y"]}`, `items.1.name "` + strings.Repeat("b", 50) + `"`}
	for i := range 20 {
		want = append(want, "items.1.tags."+string(rune('0'+i/10))+string(rune('0'+i%10))+` "z"`)
		if i < 10 {
			want[len(want)-1] = "items.1.tags." + string(rune('0'+i)) + ` "z"`
		}
	}
	want = append(want, "line", "items.1.last 1", `items.2 {"name":"c"}`, "next null")
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
