package pipeline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/internal/testinput"
)

// TestYAMLFacts: records of YAML have the facts that the same records have as JSON.
func TestYAMLFacts(t *testing.T) {
	for seed := range testdepth.Cases(150) {
		r := rand.New(rand.NewPCG(uint64(seed), 21))
		var lines, documents, list strings.Builder
		records := 2 + r.IntN(60)
		for range records {
			record := randomRecord(t, r)
			fmt.Fprintln(&lines, record)
			fmt.Fprintf(&documents, "---\n%s", testinput.YAML(record, 0))
			list.WriteString(testinput.YAML("["+record+"]", 0))
		}
		for _, tokens := range []int{1000, 4000} {
			want := wholeFacts(t, lines.String(), tokens)
			if !strings.Contains(want, `"fields":`) {
				t.Fatalf("seed %d, %d tokens: %s", seed, tokens, want)
			}
			for name, text := range map[string]string{"documents": documents.String(), "a list": list.String(),
				"items": "items:\n" + list.String()} {
				got := wholeFacts(t, text, tokens)
				got = strings.Replace(got, fmt.Sprintf(`"records":%d,"at":"items[]",`, records), "", 1)
				if got != want && (name != "items" || tokens > 1000) { // the place takes room
					t.Fatalf("seed %d, %s, %d tokens:\n got %s\nwant %s\n%s", seed, name, tokens, got, want, text)
				}
			}
		}
	}
}

// wholeFacts returns the facts of a whole response.
func wholeFacts(t *testing.T, text string, tokens int) string {
	t.Helper()
	fw, err := New(Options{Budget: tokens, Mode: budget.Summary})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := fw.Run(strings.NewReader(text), &b); err != nil {
		t.Fatal(err)
	}
	return gjson.Get(lastLine(b.String()), "sections.0.facts").Raw
}

// randomRecord returns a JSON object with objects and arrays in it.
func randomRecord(t *testing.T, r *rand.Rand) string {
	t.Helper()
	words := []string{"open", "closed", "a b", "it's", "x: y", "# no", "true", "12", "1.10", "1.10.0", "~",
		"", "- x", "é\n", "007",
		"2026-01-02T03:04:05Z", "http://h:80/p?q#f", `say "hi"`, "two\nlines"}
	word := func() string { return words[r.IntN(len(words))] }
	type object map[string]any
	var labels []object
	for range r.IntN(3) {
		labels = append(labels, object{"name": word(), "weight": r.IntN(9)})
	}
	record := object{"id": r.IntN(1000), "state": word(), "labels": labels, "metadata": object{"name": word(),
		"deep": object{"ratio": float64(r.IntN(100)) / 8, "none": nil}}}
	if r.IntN(3) == 0 {
		record["tags"] = []string{word(), word()}
		record["odd key: #"] = r.IntN(2) == 0
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(record); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}
