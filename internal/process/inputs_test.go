package process

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// TestWalked: files and directories come in the order in which they are named. A directory stands for all regular files
// below it, without those of .git and those behind links. The caller may stop at any of them.
func TestWalked(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"a/1", "a/b/2", "a/.git/config", "a/b/.git/x", "a/c/.gitignore", "d/3", ".git/own", "e"} {
		check(t, os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, nil, 0o600))
	}
	if err := os.Symlink("../d", "a/link"); err != nil {
		t.Skip(err) // Windows, without the right to make one
	}
	check(t, os.Symlink("d", "other"), os.Symlink("e", "file"), os.Mkdir("empty", 0o700))
	type walk struct{ names, want []string }
	walks := []walk{
		{nil, nil},
		{[]string{"e", "none", StandardInput}, []string{"e", "none", StandardInput}},
		{[]string{"a"}, []string{"a/1", "a/b/2", "a/c/.gitignore"}},
		{[]string{"d", "e", "a/b", "d"}, []string{"d/3", "e", "a/b/2", "d/3"}},
		{[]string{".git", "empty", "e"}, []string{".git/own", "e"}},
		{[]string{"."}, []string{"a/1", "a/b/2", "a/c/.gitignore", "d/3", "e"}},
	}
	if runtime.GOOS != "windows" { // wine does not follow a link to a directory
		walks = append(walks, walk{[]string{"other", "file", "a/link"}, []string{"other/3", "file", "a/link/3"}})
	}
	for _, test := range walks {
		for most := 1; most <= len(test.want)+1; most++ {
			var got []string
			for name, err := range Walked(test.names) {
				check(t, err)
				if got = append(got, filepath.ToSlash(name)); len(got) == most {
					break
				}
			}
			if want := test.want[:min(most, len(test.want))]; !slices.Equal(got, want) {
				t.Errorf("%q up to %d: %q, want %q", test.names, most, got, want)
			}
		}
	}
}

func check(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
