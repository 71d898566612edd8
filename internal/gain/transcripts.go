package gain

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/tidwall/gjson"
)

// Judge estimates what kfw would have done to the result of a tool.
type Judge interface {
	// Redacted returns the redacted text, and the number of matches of each rule.
	Redacted(text string) (redacted string, found map[string]int, err error)
	// Tokens returns the tokens of a text, and the tokens of what kfw would have shown of it.
	Tokens(text string) (read, given int, err error)
}

// Replay counts what kfw would have done in recorded sessions.
type Replay struct {
	Sessions int            `json:"sessions"`
	Results  int            `json:"results"`
	Read     int            `json:"read"`        // tokens of all results, as the host showed them
	Given    int            `json:"given"`       // tokens that kfw would have shown
	Shorter  int            `json:"shorter"`     // results that kfw would have shortened
	Leaky    int            `json:"leaky"`       // results with a match
	Found    map[string]int `json:"found"`       // matches by rule
	Edits    int            `json:"edits"`       // edits that quote the text they replace
	Touched  int            `json:"touched"`     // edits whose quoted text redaction would have changed
	Unread   int            `json:"unread"`      // lines that are too long or no JSON
	Skipped  int            `json:"other_files"` // files without a session
}

const (
	// longestRecord is the longest line of a transcript that is read, in bytes.
	longestRecord = 32 << 20
	// mostChanged bounds the changed results that are kept for comparing with edits, in bytes.
	mostChanged = 32 << 20
)

// ReadTranscripts reads the sessions of Claude Code and Codex below a directory: files of JSON, one value a line. It
// writes nothing.
func ReadTranscripts(dir string, by Judge) (*Replay, error) {
	r := &replay{by: by, Replay: Replay{Found: make(map[string]int)}}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		return r.file(path)
	})
	return &r.Replay, err
}

type replay struct {
	Replay
	by      Judge
	changed []change // of the current session
	bytes   int
	isOne   bool // the current file has a session
}

// change is a result that redaction changes, before and after. Line numbers are removed from both.
type change struct{ before, after string }

func (r *replay) file(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close() // nothing was written
	r.changed, r.bytes, r.isOne = r.changed[:0], 0, false
	in := bufio.NewReaderSize(file, 1<<16)
	for {
		line, isWhole, err := record(in)
		switch {
		case errors.Is(err, io.EOF):
			if r.isOne {
				r.Sessions++
			} else {
				r.Skipped++
			}
			return nil
		case err != nil:
			return err
		case !isWhole || !gjson.ValidBytes(line):
			r.Unread++
			continue
		}
		if err := r.line(gjson.ParseBytes(line)); err != nil {
			return err
		}
	}
}

// record returns the next line. isWhole is false if the line is too long.
func record(in *bufio.Reader) (line []byte, isWhole bool, err error) {
	isWhole = true
	for {
		piece, err := in.ReadSlice('\n')
		if isWhole = isWhole && len(line)+len(piece) <= longestRecord; isWhole {
			line = append(line, piece...)
		}
		switch {
		case err == nil, errors.Is(err, io.EOF) && len(line) > 0:
			return line, isWhole, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, err
		}
	}
}

// line takes in a line of a transcript: a message of Claude Code, or an item of Codex.
func (r *replay) line(line gjson.Result) error {
	var err error
	line.Get("message.content").ForEach(func(_, block gjson.Result) bool {
		switch block.Get("type").String() {
		case "tool_result":
			err = r.result(textOf(block.Get("content")))
		case "tool_use":
			r.call(block.Get("input"))
		}
		return err == nil
	})
	item := line.Get("payload")
	switch item.Get("type").String() {
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
		err = errors.Join(err, r.result(textOf(item.Get("output"))))
	case "function_call":
		r.call(gjson.Parse(item.Get("arguments").String()))
	case "custom_tool_call":
		r.isOne = true
		r.edit(replacedBy(item.Get("input").String()))
	}
	return err
}

// textOf returns the text of a result; several parts are joined.
func textOf(content gjson.Result) string {
	if content.Type == gjson.String {
		// as Codex wraps it
		if inner := gjson.Parse(content.Str); inner.IsObject() && inner.Get("output").Type == gjson.String {
			return inner.Get("output").Str
		}
		return content.Str
	}
	var b strings.Builder
	content.ForEach(func(_, part gjson.Result) bool {
		b.WriteString(part.Get("text").String())
		return true
	})
	return b.String()
}

func (r *replay) result(text string) error {
	r.isOne = true
	if text == "" {
		return nil
	}
	r.Results++
	redacted, found, err := r.by.Redacted(text)
	if err != nil {
		return err
	}
	read, given, err := r.by.Tokens(text)
	if err != nil {
		return err
	}
	r.Read += read
	r.Given += given
	if given < read {
		r.Shorter++
	}
	if len(found) > 0 {
		r.Leaky++
	}
	for rule, n := range found {
		r.Found[rule] += n
	}
	if redacted != text && r.bytes+len(text) <= mostChanged {
		r.changed = append(r.changed, change{unnumbered(text), unnumbered(redacted)})
		r.bytes += len(text)
	}
	return nil
}

// number matches the line number that a tool puts before a line of a file.
var number = regexp.MustCompile(`(?m)^[ \t]*\d+(?:→|\t|: ?|\| ?)`)

func unnumbered(text string) string { return number.ReplaceAllString(text, "") }

// call takes in the arguments of a call, which may be an edit.
func (r *replay) call(input gjson.Result) {
	r.isOne = true
	for _, name := range []string{"old_string", "oldString", "old_str"} {
		r.edit(input.Get(name).String())
	}
	input.Get("edits").ForEach(func(_, one gjson.Result) bool {
		r.edit(one.Get("old_string").String())
		return true
	})
	if words := input.Get("command"); words.IsArray() && words.Get("0").String() == "apply_patch" {
		r.edit(replacedBy(words.Get("1").String()))
	}
}

// replacedBy returns the removed and kept lines of the first hunk of a patch.
func replacedBy(patch string) string {
	var b strings.Builder
	for line := range strings.Lines(patch) {
		switch {
		case strings.HasPrefix(line, "***"), strings.HasPrefix(line, "@@"):
			if b.Len() > 0 {
				return strings.TrimSuffix(b.String(), "\n")
			}
		case strings.HasPrefix(line, "-"), strings.HasPrefix(line, " "):
			b.WriteString(line[1:])
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// edit takes in the text that an edit replaces.
func (r *replay) edit(old string) {
	if strings.TrimSpace(old) == "" {
		return
	}
	r.Edits++
	for _, c := range r.changed {
		if strings.Contains(c.before, old) && !strings.Contains(c.after, old) {
			r.Touched++
			return
		}
	}
}

// JSON writes what was found, for programs.
func (r *Replay) JSON(w io.Writer) error { return json.NewEncoder(w).Encode(r) }

// Text writes what was found, for people. budget is what a result may cost, in tokens.
func (r *Replay) Text(w io.Writer, budget int) error {
	var b strings.Builder
	n := func(i int) string { return humanize.Comma(int64(i)) }
	fmt.Fprintf(&b, "%s sessions, %s results of %s tokens\n", n(r.Sessions), n(r.Results), n(r.Read))
	if r.Read > 0 {
		fmt.Fprintf(&b, "with %s tokens for each result the model would have got %s: %s fewer (%d %%), %s results are shorter\n", n(budget),
			n(r.Given), n(r.Read-r.Given), (r.Read-r.Given)*100/r.Read, n(r.Shorter))
	}
	fmt.Fprintf(&b, "secrets and personal data went to the model in %s results\n", n(r.Leaky))
	rules := slices.SortedFunc(maps.Keys(r.Found), func(a, b string) int {
		if r.Found[a] != r.Found[b] {
			return r.Found[b] - r.Found[a]
		}
		return strings.Compare(a, b)
	})
	for _, rule := range rules {
		fmt.Fprintf(&b, "%9s  %s\n", n(r.Found[rule]), rule)
	}
	fmt.Fprintf(&b, "edits that name what they replace: %s; redaction would have changed that text where it was read: %s\n", n(r.Edits), n(r.Touched))
	if r.Unread > 0 {
		fmt.Fprintf(&b, "lines that could not be read: %s\n", n(r.Unread))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
