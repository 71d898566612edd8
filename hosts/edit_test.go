package hosts

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/tailscale/hujson"
)

// FuzzEdit: additions make settings that can be read, with all that was in them; taken out by the record they are as
// before byte for byte, and without it they mean the same as before.
func FuzzEdit(f *testing.F) {
	for _, source := range []string{
		"{}", "{\n}\n", "{\r\n\t\"a\": 1\r\n}\r\n", `{"hooks":{}}`, `{"hooks":{"PostToolUse":[]}}`, `{"a":1}`,
		"{\n  \"hooks\": {\n    \"PostToolUse\": [ // mine\n      {\"hooks\": [{\"command\": \"x\"}]}, // yes\n    ],\n  },\n  // end\n}",
		"{\"hooks\": {\"SessionStart\": [1, 2 /* , */ ]}, \"permissions\": {\"allow\": [\"x\"]} // ,\n}",
	} {
		f.Add([]byte(source))
	}
	hook := handler{Type: "command", Command: "/opt/kfw", Args: []string{"hook"}, Timeout: timeout}
	additions := []Addition{hook.group("PostToolUse", "*"), hook.group("SessionStart", ""),
		{Keys: []string{"permissions", "allow"}, Value: `"Bash(/opt/kfw expand *)"`}}
	f.Fuzz(func(t *testing.T, source []byte) {
		text, done, err := added(source, additions)
		if err != nil {
			return
		}
		if back := without(text, done); !bytes.Equal(back, source) {
			t.Errorf("by the record: %q, was %q", back, source)
		}
		if bytes.Contains(source, []byte("kfw")) {
			return
		}
		v, err := hujson.Parse(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		old, err := hujson.Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		if old.IsStandard() && !v.IsStandard() {
			t.Errorf("plain JSON became %q", text)
		}
		base, err := pruned(text, isOwnEntry)
		if err != nil {
			t.Fatalf("%q: %v", base, err)
		}
		if bytes.Contains(base, []byte("kfw")) {
			t.Errorf("something is left: %q", base)
		}
		if _, err := hujson.Parse(base); err != nil {
			t.Errorf("%q: %v", base, err)
		}
		if old.IsStandard() && !json.Valid(base) {
			t.Errorf("plain JSON became %q", base)
		}
	})
}

// TestTrailingCommas: settings that end their lists with a comma stay such that they can be read.
func TestTrailingCommas(t *testing.T) {
	source := "{\n  \"hooks\": {\n    \"PostToolUse\": [\n      1, // yes,\n    ],\n  }, /* , */\n}\n"
	text, _, err := added([]byte(source),
		[]Addition{{Keys: []string{"hooks", "PostToolUse"}, Value: "2"}, {Keys: []string{"a"}, Value: "3"}})
	want := "{\n  \"hooks\": {\n    \"PostToolUse\": [\n      1, // yes,\n      2\n    ],\n  }, /* , */\n  \"a\": [\n    3\n  ]\n}\n"
	if err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}
