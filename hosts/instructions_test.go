package hosts

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/kfw-dev/kfw/budget"
)

func TestInstructionsAreShort(t *testing.T) {
	counter, err := budget.NewCounter("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	if n := counter.Count([]byte(Instructions)); n > 120 {
		t.Errorf("%d tokens", n)
	}
}

// TestInstructions: a file that the instructions were put into, once or again, is what it was when they are taken out,
// and what others have added since stays.
func TestInstructions(t *testing.T) {
	for _, seed := range []string{"", "# Beds\n\nWater them.\n", "no end", "\n\n", "a\r\nb", beginOfInstructions,
		"x" + endOfInstructions, Instructions} {
		old, isThere, added := []byte(seed), seed != "", []byte("more\n")
		home := t.TempDir()
		path := filepath.Join(home, ".claude", "CLAUDE.md")
		if isThere {
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, old, 0o640); err != nil {
				t.Fatal(err)
			}
		}
		p := Place{Home: home, Getenv: func(string) string { return "" }, Kfw: "/bin/kfw",
			State: filepath.Join(home, "st"), Instructs: true}
		h := Named("claude-code")
		do := func(change func() (Changes, error)) {
			t.Helper()
			changes, err := change()
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range changes.All() {
				if err := c.Write(); err != nil {
					t.Fatal(err)
				}
			}
		}
		install := func() (Changes, error) { return Install(h, p, p.State, false) }
		uninstall := func() (Changes, error) { return Uninstall(h, p, p.State) }
		do(install)
		if text, err := os.ReadFile(path); err != nil ||
			!bytes.HasSuffix(text, []byte(Instructions+endOfInstructions)) {
			t.Fatalf("%q, %v", text, err)
		}
		do(install)
		do(uninstall)
		if text, err := os.ReadFile(path); isThere && !bytes.Equal(text, old) || !isThere && err == nil {
			t.Fatalf("%q, %v; it was %q", text, err, old)
		}
		do(install)
		file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write(added); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		do(uninstall)
		want := added
		if isThere {
			want = append(bytes.Clone(old), added...)
		}
		if text, err := os.ReadFile(path); len(want) > 0 && (err != nil || !bytes.Equal(text, want)) {
			t.Fatalf("%q, %v, want %q", text, err, want)
		}
	}
}
