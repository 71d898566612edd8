package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding/unicode"
)

// TestUnread: an event that can't be read is withheld in a form that its host takes, the log says so, and doctor can
// count it. One of another kind, or of a tool that is let alone, gets no answer.
func TestUnread(t *testing.T) {
	text, secrets := plantedSecrets()
	for _, h := range All() {
		state := t.TempDir()
		d := door(t, nil, state)
		d.Log.Path = filepath.Join(state, "hook.log")
		event := h.Probe(text)
		cut := event[:len(event)-8]
		for name, in := range map[string]io.Reader{
			"cut":     bytes.NewReader(cut),
			"broken":  io.MultiReader(bytes.NewReader(cut), iotest.ErrReader(errors.New("broken"))),
			"garbage": strings.NewReader(strings.Repeat(secrets[1], 3)),
			"a list":  io.MultiReader(strings.NewReader("\n["), bytes.NewReader(event), strings.NewReader("]")),
			"null":    strings.NewReader("null"),
			"twice": io.MultiReader(bytes.NewReader(event[:len(event)-1]),
				strings.NewReader(`,"a":{"x":1,"\u0078":2}}`)),
		} {
			d.Host = h
			answer := d.Answer(in)
			if !json.Valid(answer) || !strings.Contains(h.Shown(nil, answer), "kfw: withheld: an event that ") {
				t.Errorf("%s: %s: %s", h.Name(), name, answer)
			}
		}
		if n := d.Log.NotRead(h.Name()); n != 6 {
			t.Errorf("%s: the log has %d", h.Name(), n)
		}
		d.Host = h
		name := h.Read(event).Name
		if other := bytes.Replace(cut, []byte(name), []byte("PreSomething"), 1); len(other) != len(cut) {
			if answer := d.Answer(bytes.NewReader(other)); answer != nil {
				t.Errorf("%s: %s", h.Name(), answer)
			}
		}
		d.Policies = Policies{{Pattern: "*", Treatment: Off}}
		if answer := d.Answer(bytes.NewReader(cut)); answer != nil {
			t.Errorf("%s: %s, by a policy that lets all pass", h.Name(), answer)
		}
	}
}

// TestEncodings: an event in UTF-16, or with a byte order mark, is read as one in UTF-8.
func TestEncodings(t *testing.T) {
	text, _ := plantedSecrets()
	for _, h := range All() {
		event := h.Probe(text)
		want := door(t, nil, "").Answer(bytes.NewReader(event))
		for _, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
			for _, mark := range []unicode.BOMPolicy{unicode.IgnoreBOM, unicode.UseBOM} {
				other, err := unicode.UTF16(order, mark).NewEncoder().Bytes(event)
				if err != nil {
					t.Fatal(err)
				}
				if got := door(t, nil, "").Answer(bytes.NewReader(other)); !bytes.Equal(got, want) {
					t.Errorf("%s: %s, want %s", h.Name(), got, want)
				}
			}
		}
		if got := door(t, nil, "").Answer(bytes.NewReader(append([]byte("\uFEFF"), event...))); !bytes.Equal(got, want) {
			t.Errorf("%s: %s, want %s", h.Name(), got, want)
		}
	}
}

// TestDeep: what is nested too deep is withheld in its place, and all else is answered as ever.
func TestDeep(t *testing.T) {
	text, secrets := plantedSecrets()
	for depth, want := range map[int]string{mostDepth - 3: "", mostDepth - 1: tooDeep, 100_000: tooDeep} {
		for _, inner := range []string{`"` + secrets[0] + `"`, `{"]":"` + secrets[0] + `\"]"}`, "1,2"} {
			deep := strings.Repeat("[", depth) + inner + strings.Repeat("]", depth)
			event := []byte(`{"host":"cline","hook_event_name":"afterTool","tool_name":"t","tool_input":{},"tool_response":` +
				`{"output":[{"result":` + string(quoted(text)) + `}],"x":` + deep + `,"y":` + deep + `,"z":"` + secrets[1] + `"}}`)
			answer := door(t, nil, "").Answer(bytes.NewReader(event))
			isThere := bytes.Contains(answer, []byte(tooDeep))
			if !json.Valid(answer) || isThere != (want == tooDeep) || bytes.Contains(answer, []byte(secrets[0])) ||
				!bytes.Contains(answer, []byte(`"z":"[REDACTED`)) || !bytes.Contains(answer, []byte("deploy finished")) {
				t.Errorf("depth %d: %.300s", depth, answer)
			}
		}
	}
	event := []byte(`{"turn_id":"t","hook_event_name":"PostToolUse","tool_name":"t","tool_response":{"x":` +
		strings.Repeat("[", 11_000) + strings.Repeat("]", 11_000) + `}}`)
	if answer := door(t, nil, "").Answer(bytes.NewReader(event)); !bytes.Contains(answer, []byte("nested deeper than")) {
		t.Errorf("%.300s", answer)
	}
}
