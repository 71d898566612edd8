//go:build unix

package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/testdepth"
)

// TestStoreUnusable compares runs with a default store to runs without. Where the one needs no
// handle, the other is the same byte for byte; where it does, the other fails, says so in its last
// frame, and names no handle.
func TestStoreUnusable(t *testing.T) {
	t.Parallel()
	lines := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format+"\n", i)
		}
		return b.String()
	}
	responses := map[string]string{
		"nothing":  "",
		"lines":    lines(150, "line %d of some"),
		"records":  lines(120, `{"id":%d,"name":"one of the rows","state":"ready"}`),
		"document": `{"items":[` + strings.Repeat(`{"a":1,"b":[1,2,3]},`, 400) + `{}]}`,
		"long":     strings.Repeat("a word and ", 20_000),
		"blocks":   lines(12_000, "line %d of what is more than one block of the store"),
		"deep":     strings.Repeat("[", 600) + strings.Repeat("]", 600),
	}
	runs, needed := 0, 0
	for _, name := range slices.Sorted(maps.Keys(responses)) {
		response := responses[name]
		for _, format := range []string{"frames", "text"} {
			for _, budget := range []int{110, 300, 1000, 2500, 6000, 40_000, 2_000_000} {
				if runs++; runs%testdepth.Step() > 0 {
					continue
				}
				args := []string{"stream", "--flush-after", "1h", "--budget", strconv.Itoa(budget), "--format", format}
				with := kfw(t, t.TempDir(), args...)
				with.Stdin = strings.NewReader(response)
				want := with.run(t, 0)

				dir := t.TempDir()
				file := filepath.Join(dir, "file")
				if err := os.WriteFile(file, nil, 0o600); err != nil {
					t.Fatal(err)
				}
				without := kfw(t, dir, args...)
				without.Env = append(without.Env, "XDG_STATE_HOME="+file)
				without.Stdin = strings.NewReader(response)
				of := fmt.Sprintf("%s, %s, %d tokens", name, format, budget)
				if !strings.Contains(want, `"handle":"h1"`) && !strings.Contains(want, "kfw expand h1") {
					if got := without.run(t, 0); got != want || without.errs.Len() > 0 {
						t.Errorf("%s: with a store\n%.2000s\nwithout\n%.2000s\nstderr: %s", of, want, got,
							without.errs.String())
					}
					continue
				}
				needed++
				got := without.run(t, 123)
				if strings.Contains(got, `"handle":`) || strings.Contains(got, "kfw expand") ||
					!strings.Contains(got, "session_unusable") &&
						!strings.Contains(got, "cannot be opened: not a directory") {
					t.Errorf("%s: %.2000s", of, got)
				}
				if !strings.HasPrefix(without.errs.String(), "kfw: "+file) {
					t.Errorf("%s: stderr: %q", of, without.errs.String())
				}
			}
		}
	}
	if tried := testdepth.Cases(runs); needed < tried/5 || needed > tried*3/4 {
		t.Errorf("%d of %d runs need a handle", needed, tried)
	}
}
