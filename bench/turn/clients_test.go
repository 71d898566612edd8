package turn

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/wire"
	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/encode"
)

// TestClientsReadTheChunks: the official clients from npm read from kfw's chunks the turn that kfw has, and what they
// read from the stream itself, unless they lose a part of it there. KFW_SHARED_DATA, or ../../../../shared/data, has
// the recordings.
func TestClientsReadTheChunks(t *testing.T) {
	folder := os.Getenv("KFW_SHARED_DATA")
	if folder == "" {
		folder = "../../../../shared/data"
	}
	bare, behind, turns := recordings(t, folder)
	if len(bare) == 0 {
		t.Skip("no recordings in " + folder)
	}
	read := clients(t)
	want, got := read(bare), read(behind)
	same, lost := 0, 0
	for i := range want {
		switch {
		case want[i] == got[i]:
			same++
		case !has(got[i], turns[i].turn), has(want[i], turns[i].turn):
			t.Errorf("%s\nkfw    %s\nbare   %s\nbehind %s", turns[i].path, turns[i].turn.AppendJSON(nil), want[i],
				got[i])
		default:
			lost++
		}
	}
	t.Logf("%d recordings: %d are read alike, of %d a client loses something without kfw", len(want), same, lost)
}

// recording is a file, and the turn in it.
type recording struct {
	path string
	turn *turn.Turn
}

// has reports whether a client has read the text and the calls of a turn.
func has(read string, of *turn.Turn) bool {
	var said struct {
		Text  *string
		Calls [][]string
	}
	if json.Unmarshal([]byte(read), &said) != nil || said.Text == nil || *said.Text != of.Text {
		return false
	}
	calls := slices.DeleteFunc(slices.Clone(of.Calls), func(c turn.Call) bool { return c.Custom })
	return slices.EqualFunc(said.Calls, calls, func(got []string, want turn.Call) bool {
		n := len(got)
		return got[n-2] == want.Name && (got[n-1] == want.Arguments || alike(got[n-1], want.Arguments))
	})
}

// alike reports whether two texts are the same JSON.
func alike(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// clients returns what has the official clients read streams.
func clients(t *testing.T) func([]stream) []string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"package.json", "read.mjs"} {
		content, err := os.ReadFile(filepath.Join("clients", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	install := exec.Command("npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts")
	install.Dir = folder
	if said, err := install.CombinedOutput(); err != nil {
		t.Skipf("the clients can't be installed from npm: %v: %.200s", err, said)
	}
	return func(streams []stream) []string {
		input, err := json.Marshal(streams)
		if err != nil {
			t.Fatal(err)
		}
		node := exec.Command("node", "read.mjs")
		node.Dir, node.Stdin, node.Stderr = folder, bytes.NewReader(input), os.Stderr
		said, err := node.Output()
		if err != nil {
			t.Fatal(err)
		}
		var all []json.RawMessage
		if err := json.Unmarshal(said, &all); err != nil || len(all) != len(streams) {
			t.Fatalf("%v: %.200s", err, said)
		}
		var texts []string
		for _, one := range all {
			texts = append(texts, string(one))
		}
		return texts
	}
}

// stream is a file with a stream.
type stream struct {
	Protocol turn.Protocol `json:"protocol"`
	Path     string        `json:"path"`
}

// recordings writes the recorded streams as events, and what kfw makes of them.
func recordings(t *testing.T, folder string) (bare, behind []stream, turns []recording) {
	t.Helper()
	files := t.TempDir()
	err := filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		ending := filepath.Ext(path)
		if err != nil || ending != ".sse" && ending != ".ndjson" || !strings.Contains(path, "/turn") {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if ending == ".ndjson" {
			content = asEvents(content)
		}
		a := turn.New(turn.Options{})
		if err := a.Push(content); err != nil {
			return err
		}
		a.End()
		var chunks []byte
		var x encode.Encoder
		var protocol turn.Protocol
		var result *turn.Turn
		for e, ok := a.Next(); ok; e, ok = a.Next() {
			chunks = x.Append(chunks, &e)
			if e.Kind == turn.TurnEnded {
				protocol, result = e.Origin.Protocol, e.Turn
			}
		}
		switch protocol {
		case turn.OpenAIChat, turn.OpenAIResponses, turn.AnthropicMessages, turn.Gemini:
		default:
			return nil
		}
		if !result.Complete { // a client gets an error
			return nil
		}
		write := func(content []byte, of string) stream {
			file := filepath.Join(files, strconv.Itoa(len(bare))+of)
			if err := os.WriteFile(file, content, 0o600); err != nil {
				t.Fatal(err)
			}
			return stream{protocol, file}
		}
		turns = append(turns, recording{path, result})
		behind = append(behind, write(chunks, "behind"))
		bare = append(bare, write(content, "bare"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return bare, behind, turns
}

// asEvents is lines of JSON as server-sent events.
func asEvents(lines []byte) []byte {
	var events bytes.Buffer
	r := wire.NewReader(64 << 20)
	r.Push(lines)
	r.End()
	for item, ok := r.Next(); ok; item, ok = r.Next() {
		if item.Done {
			events.WriteString("data: [DONE]\n\n")
			continue
		}
		var kind struct{ Type string }
		_ = json.Unmarshal([]byte(item.JSON), &kind)
		if kind.Type != "" {
			events.WriteString("event: " + kind.Type + "\n")
		}
		events.WriteString("data: " + strings.ReplaceAll(item.JSON, "\n", " ") + "\n\n")
	}
	return events.Bytes()
}
