package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestOwnerOfError is the smallest input: a loop whose rounds begin with a heading, in which one fails with a line
// that reads like a name and its value.
func TestOwnerOfError(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "== https://%s.example/health\n", nameOf(i))
		if i == 20 {
			b.WriteString("curl: (28) timed out\n")
			continue
		}
		fmt.Fprintf(&b, "HTTP/1.1 200 OK\nServer: envoy\nContent-Length: %d\n\nservice %s is healthy\n", 20+i%7,
			nameOf(i))
	}
	want := fmt.Sprintf("== https://%s.example/health\ncurl: (28) timed out", nameOf(20))
	notables, _ := watched(linesOf(b.String())).Notables()
	for _, n := range notables {
		if strings.HasSuffix(string(n.Data), "curl: (28) timed out") {
			if string(n.Data) != want {
				t.Errorf("%q, not %q", shown(n), want)
			}
			return
		}
	}
	t.Errorf("not shown: %+v", notables)
}

// TestNeighboursAreNoRecord: lines of one template are no record together.
func TestNeighboursAreNoRecord(t *testing.T) {
	for _, line := range []string{"scale %s: %d -> %d", "%s: moved %d to %d", "set %s = %d of %d",
		"limit of %s: from %d to %d"} {
		var b strings.Builder
		for i := range 150 {
			to := 2 + i%5
			if i == 77 {
				to = 2600
			}
			name := fmt.Sprint("svc", i%7)
			if i == 77 {
				name = "onyx"
			}
			fmt.Fprintf(&b, line+"\n", name, 1+i%3, to)
		}
		notables, _ := watched(linesOf(b.String())).Notables()
		for _, n := range notables {
			if strings.Contains(string(n.Data), "\n") {
				t.Errorf("two lines as one record: %q", shown(n))
			}
		}
	}
}

// TestOwnersOfErrors generates loops of many shapes, each with one line that stands out. If a line
// is shown with another that names a round, this is the round that the line is of; under a drawn
// heading it is always shown with it.
func TestOwnersOfErrors(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 4))
	headings := []struct {
		form    string
		isDrawn bool
	}{
		{"== %s", true}, {"=== %s ===", true}, {"--- %s ---", true}, {"## %s", true}, {">>> %s", true},
		{"==> %s <==", true}, {"[%s]", true}, {"%s:", true},
		{"-- host %s --", true}, {"*** %s ***", true}, {"Checking %s", false}, {"Processing %s ...", false},
		{"Host: %s", false}, {"# %s", false}, {"%s", false},
	}
	bodies := []string{
		"Already up to date.\n", "HTTP/1.1 200 OK\nServer: envoy\nLength: %d\n\nservice %s is healthy\n",
		"size: %d\nstate: open\n", "\n  %d files\n  checked %s\n\n%d problems\n\n",
		"copied %d files\ndone\n", "line %d\n\n", "status: ok\nlatency: %d ms\n\n", "  a: %d\n  b: %s\n", "",
	}
	errors := []string{
		"curl: (28) Operation timed out", "fatal: refusing to merge", "sh: 1: eslint: not found",
		"error: no such remote",
		"Permission denied (publickey).", "Error: exit status 3",
	}
	shown, owned := 0, 0
	for round := range 400 {
		heading := headings[random.IntN(len(headings))]
		body, other := bodies[random.IntN(len(bodies))], bodies[random.IntN(len(bodies))]
		n := 12 + random.IntN(80)
		at := random.IntN(n)
		if at == n-1 || at == 0 { // totals may follow the last one
			at = n / 2
		}
		failure := errors[random.IntN(len(errors))]
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, heading.form+"\n", "svc-"+nameOf(i)+fmt.Sprint(i))
			text := body
			if random.IntN(3) == 0 {
				text = other
			}
			if i == at {
				b.WriteString(failure + "\n")
				continue
			}
			text = strings.NewReplacer("%d", fmt.Sprint(random.IntN(90)), "%s", nameOf(i)).Replace(text)
			b.WriteString(text)
		}
		name := "svc-" + nameOf(at) + fmt.Sprint(at)
		notables, _ := watched(linesOf(b.String())).Notables()
		for _, n := range notables {
			first, last, isJoined := strings.Cut(string(n.Data), "\n")
			switch {
			case !isJoined && first == failure:
				shown++
				if heading.isDrawn {
					t.Errorf("round %d, %q: %q has no owner", round, heading.form, failure)
				}
			case isJoined && last == failure:
				shown++
				owned++
				if !strings.Contains(first, name) {
					t.Errorf("round %d, %q, body %q: %q is shown under %q, not %q", round, heading.form, body,
						failure, first, name)
				}
			}
		}
	}
	if shown < 300 || owned < 200 {
		t.Errorf("the line is shown in %d of 400, with its owner in %d", shown, owned)
	}
}

// TestFileOfDiffOwnsNoMessage: a message of a commit that comes after a hunk is not of the file of that.
func TestFileOfDiffOwnsNoMessage(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "commit %040x\n\n    improve %s of %s\n\n", i*7919, nameOf(i), nameOf(3*i))
		fmt.Fprintf(&b, "--- a/%s.go\n+++ b/%s.go\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n", nameOf(i), nameOf(i))
	}
	b.WriteString("fatal: cannot read object\n")
	notables, _ := watched(linesOf(b.String())).Notables()
	for _, n := range notables {
		if n.IsText && strings.HasPrefix(string(n.Data), "--- a/") {
			t.Errorf("%q", shown(n))
		}
	}
}
