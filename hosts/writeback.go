package hosts

import (
	"bytes"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/lazy"
	"github.com/kfw-dev/kfw/internal/safefile"
)

// mostFile is how much of a file is looked through for placeholders, in bytes.
const mostFile = 64 << 20

// placeholder is what stands in the place of a match.
var placeholder = lazy.Regexp(`\[REDACTED:[A-Za-z0-9_.:#-]+\]`)

// pathNames are the names under which the input of a tool that writes has a file.
var pathNames = []string{"file_path", "filePath", "notebook_path", "absolute_path", "path"}

// write is the input of a tool that writes files, as far as it is looked at.
type write struct {
	files []string // in which new text goes; absolute
	texts []string // the new text
}

// writeOf reads the input of a tool that writes. cwd is where relative paths begin.
func writeOf(input gjson.Result, cwd string) write {
	var w write
	w.collect("", input)
	for i, f := range w.files {
		if !filepath.IsAbs(f) {
			w.files[i] = filepath.Join(cwd, f)
		}
	}
	return w
}

func (w *write) collect(name string, v gjson.Result) {
	switch {
	case v.IsObject() || v.IsArray():
		v.ForEach(func(key, member gjson.Result) bool {
			if v.IsArray() {
				key = gjson.Result{Type: gjson.String, Str: name}
			}
			w.collect(key.String(), member)
			return true
		})
	case v.Type != gjson.String || strings.HasPrefix(name, "old") || name == "description":
	case slices.Contains(pathNames, name):
		w.files = append(w.files, v.String())
	case strings.HasPrefix(strings.TrimLeft(v.String(), "\n"), "*** Begin Patch"):
		for line := range strings.Lines(v.String()) {
			line = strings.TrimRight(line, "\r\n")
			if _, file, found := strings.Cut(line, " File: "); found && strings.HasPrefix(line, "*** ") {
				w.files = append(w.files, file)
			} else if strings.HasPrefix(line, "+") {
				w.texts = append(w.texts, line)
			}
		}
	default:
		w.texts = append(w.texts, v.String())
	}
}

// foreign returns a placeholder of the new text that none of the files has, or "". A model that writes it has seen it
// in the place of a secret, and the file would lose the secret.
func (w write) foreign() string {
	found := make(map[string]bool)
	for _, text := range w.texts {
		for _, p := range placeholder().FindAllString(text, -1) {
			found[p] = true
		}
	}
	if len(found) == 0 {
		return ""
	}
	for _, path := range w.files {
		removeKnown(found, path)
	}
	if left := slices.Sorted(maps.Keys(found)); len(left) > 0 {
		return left[0]
	}
	return ""
}

// longPlaceholder is how long a placeholder may be that is found across two pieces of a file, in bytes.
const longPlaceholder = 1 << 10

// removeKnown takes those placeholders out that a regular file has. One that can't be read has none.
func removeKnown(found map[string]bool, path string) {
	file, err := safefile.Open(path)
	if err != nil {
		return
	}
	defer file.Close() // nothing was written
	window := make([]byte, 0, 64<<10)
	for in := io.LimitReader(file, mostFile); err == nil && len(found) > 0; {
		window = append(window[:0], window[max(0, len(window)-longPlaceholder):]...)
		var n int
		n, err = in.Read(window[len(window):cap(window)])
		window = window[:len(window)+n]
		maps.DeleteFunc(found, func(p string, _ bool) bool { return bytes.Contains(window, []byte(p)) })
	}
}

// refusal says why a write is refused.
func refusal(p string) string {
	return "kfw: not written: the new text has " + p +
		", which stands for what was redacted in the text that you have read, " +
		"and the file does not have it: it would lose the original. Change the lines around it, and leave that text as it is"
}
