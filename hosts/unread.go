package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
	"golang.org/x/text/encoding/unicode"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/safefile"
)

const (
	// mostEvent is how large an event may be, in bytes.
	mostEvent = 64 << 20
	// mostDepth is how deep an event may be nested. What is deeper is withheld: to read it takes stack for each level.
	mostDepth = safefile.MostDepth
)

// tooDeep stands in the place of what is nested too deep.
var tooDeep = fmt.Sprintf(`"kfw: withheld: nested deeper than %d levels"`, mostDepth)

// readEvent reads an event. isCut says that something of it is withheld. If the event can't be read, the error says
// why, and event is what there is of it.
func readEvent(in io.Reader) (event []byte, isCut bool, err error) {
	event, err = io.ReadAll(io.LimitReader(in, mostEvent+1))
	switch {
	case err != nil:
		return event, false, errors.New("an event that can't be read to its end")
	case len(event) > mostEvent:
		return event, false, fmt.Errorf("an event larger than %d MB", mostEvent>>20)
	}
	if event, err = inUTF8(event); err == nil {
		event, isCut = shallow(event)
	}
	if err != nil || !json.Valid(event) || bytes.TrimLeft(event, " \t\r\n")[0] != '{' {
		return event, false, errors.New("an event that is no JSON object")
	}
	if isTwice(event) {
		return event, false, errors.New("an event that has two members of one name")
	}
	return event, isCut, nil
}

// inUTF8 returns JSON that is in UTF-8 or in UTF-16, with or without a byte order mark, in UTF-8 without one.
func inUTF8(text []byte) ([]byte, error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if len(text) < 2 || text[0] != 0 && text[1] != 0 && (text[0] < utf8.RuneSelf || text[1] < utf8.RuneSelf) {
		return text, nil
	}
	order := unicode.LittleEndian
	if text[0] == 0 {
		order = unicode.BigEndian
	}
	return unicode.UTF16(order, unicode.UseBOM).NewDecoder().Bytes(text)
}

// isTwice reports whether an object in JSON has two members of one name, of which a host could take either.
func isTwice(source []byte) bool {
	c := jsonx.Cursor{Source: source}
	var seen []map[string]bool // of the objects around the cursor; they are used again
	var walk func(depth int) bool
	walk = func(depth int) bool {
		kind := c.Kind()
		if kind != jsonx.Array && kind != jsonx.Object {
			c.Take()
			return false
		}
		if depth == len(seen) {
			seen = append(seen, make(map[string]bool))
		}
		clear(seen[depth])
		c.Enter()
		for {
			name, isThere := c.Entry(kind == jsonx.Object)
			if !isThere {
				return false
			}
			if kind == jsonx.Object {
				is := string(jsonx.AppendUnescaped(nil, name))
				if seen[depth][is] {
					return true
				}
				seen[depth][is] = true
			}
			if walk(depth + 1) {
				return true
			}
		}
	}
	return walk(0)
}

// shallow returns JSON with tooDeep in the place of objects and arrays that are nested too deep.
func shallow(source []byte) (out []byte, isCut bool) {
	depth, from := 0, 0
	for at := 0; at < len(source); at++ {
		switch source[at] {
		case '"':
			end, _ := jsonx.EndOfString(source, at)
			at = end - 1
		case '{', '[':
			if depth++; depth == mostDepth+1 {
				out = append(out, source[from:at]...)
			}
		case '}', ']':
			if depth--; depth == mostDepth {
				out, from, isCut = append(out, tooDeep...), at+1, true
			}
		}
	}
	switch {
	case depth > mostDepth: // and never closed
		return out, true
	case !isCut:
		return source, false
	}
	return append(out, source[from:]...), true
}

// unread returns the answer to an event that can't be read: the reason, in the place of the result of a shell command.
// A host that takes another form for the result that it has shows that result.
func (d *Door) unread(event []byte, why error) []byte {
	d.log(notRead + why.Error())
	e := d.Host.Read(d.Host.Probe("output"))
	name := e.Name
	for member, is := range map[string]*string{"hook_event_name": &name, "tool_name": &e.Tool, "toolName": &e.Tool} {
		if v := gjson.GetBytes(event, member); v.Type == gjson.String {
			*is = v.String()
		}
	}
	if name != e.Name || d.policy(&e).Treatment == Off {
		return nil
	}
	e.unread = why
	return d.Host.Answer(&e, d.withheld(&e, why))
}

// notRead begins a line of the log about an event that can't be read.
const notRead = "not read: "

// NotRead returns how many events of a host the log says that could not be read.
func (l *Log) NotRead(host string) (n int) {
	for _, path := range []string{l.Path, l.Path + oldLog} {
		text, err := safefile.Read(path, safefile.Limit{Bytes: 2 * mostLog})
		if err != nil {
			continue // there is none, or it is not the log
		}
		for line := range strings.Lines(string(text)) {
			if _, said, _ := strings.Cut(line, " "); strings.HasPrefix(said, host+": "+notRead) {
				n++
			}
		}
	}
	return n
}
