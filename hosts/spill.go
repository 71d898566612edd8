package hosts

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/lazy"
)

// Spill is a long output, of which the text of the event is a part only.
type Spill struct {
	Path     string   // of the file that the host has put it into
	Inline   string   // all of it, where the event has it elsewhere; Path is empty then
	Text     int      // which text of the event is a part of it
	Pointers []int    // which texts of the event lead to the file
	Keys     []string // the members of the response that lead to the file
	IsNamed  bool     // by a member of the event, which no tool can write: the file may be replaced by its redaction
}

const (
	mostSpill = 64 << 20         // bytes of a file that is read
	startLag  = 10 * time.Second // between the end of a tool and the start of the hook, at the most
	unknown   = 10 * time.Minute // how old a file may be if the event does not say how long the tool took
)

var errNotOwnSpill = errors.New("a file of a long output is not where or what the host makes it")

// read returns what the file holds. A tool's own output can't choose another file: it must be one that the host has
// just made, a regular file of this user with one link, with no symbolic link on the way.
func (s *Spill) read(took time.Duration) ([]byte, error) {
	if s.Path == "" {
		return []byte(s.Inline), nil
	}
	if real, err := filepath.EvalSymlinks(s.Path); err != nil || real != s.Path {
		return nil, errNotOwnSpill
	}
	file, info, err := openOwn(s.Path)
	if err != nil {
		return nil, errNotOwnSpill
	}
	defer file.Close() // nothing was written
	age := unknown
	if took > 0 {
		age = took + startLag
	}
	switch {
	case time.Since(info.ModTime()) > age:
		return nil, errNotOwnSpill
	case info.Size() > mostSpill:
		return nil, fmt.Errorf("a long output of more than %d MB", mostSpill>>20)
	}
	return io.ReadAll(io.LimitReader(file, mostSpill))
}

// rewrite puts redacted text in the place of the original, which holds the secrets.
func (s *Spill) rewrite(redacted string) error {
	if err := writeFile(s.Path, []byte(redacted)); err != nil {
		return errors.New("a long output could not be replaced by its redaction")
	}
	return nil
}

var spillName = lazy.Regexp(`^[A-Za-z0-9_-]+\.txt$`)

// spillOf returns the file that Claude Code has put a long output into. It is in a directory of the session, beside the
// record of the conversation.
func spillOf(e *Event) *Spill {
	path := gjson.GetBytes(e.Response, "persistedOutputPath").String()
	session, isRecord := strings.CutSuffix(e.Record, ".jsonl")
	if !isRecord || !filepath.IsAbs(path) || filepath.Clean(path) != path ||
		filepath.Dir(path) != filepath.Join(session, "tool-results") || !spillName().MatchString(filepath.Base(path)) {
		return nil
	}
	for i, t := range e.Texts {
		if t.Key == `"stdout"` {
			return &Spill{Path: path, Text: i, Keys: []string{"persistedOutputPath", "persistedOutputSize"},
				IsNamed: true}
		}
	}
	return nil
}

// withoutMembers returns an object without the members of these names.
func withoutMembers(object []byte, names []string) []byte {
	var out bytes.Buffer
	out.WriteByte('{')
	gjson.ParseBytes(object).ForEach(func(name, value gjson.Result) bool {
		for _, n := range names {
			if name.String() == n {
				return true
			}
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		out.WriteString(name.Raw + ":" + value.Raw)
		return true
	})
	out.WriteByte('}')
	return out.Bytes()
}
