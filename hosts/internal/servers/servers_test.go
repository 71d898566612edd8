package servers

import (
	"slices"
	"strings"
	"testing"
)

var places = [][]string{{"mcpServers"}, {"projects", "*", "mcpServers"}, {"mcp_servers"}, {"mcp"}}

// wrapAll puts kfw in front of each server of a file that is a program.
func wrapAll(t *testing.T, source []byte, isTOML bool) []byte {
	t.Helper()
	all, err := Find(source, places, isTOML)
	if err != nil {
		t.Fatal(err)
	}
	var edits []Edit
	for _, s := range all {
		edits = append(edits, s.Wrap(source, "/opt/kfw", "--state", "/var/kfw")...)
	}
	return Apply(source, edits)
}

func unwrapAll(t *testing.T, source []byte, isTOML bool) []byte {
	t.Helper()
	all, err := Find(source, places, isTOML)
	if err != nil {
		t.Fatalf("%v in\n%s", err, source)
	}
	var edits []Edit
	for _, s := range all {
		edits = append(edits, s.Unwrap(source)...)
	}
	return Apply(source, edits)
}

// TestWrap shows what becomes of a server in each layout.
func TestWrap(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"lines": {`{
  "mcpServers": {
    "files": {
      "type": "stdio",
      "command": "npx", // by npm
      "args": [
        "-y",
        "server-files"
      ],
      "env": {"TOKEN": "x"}
    }
  }
}`, `{
  "mcpServers": {
    "files": {
      "type": "stdio",
      "command": "/opt/kfw", // by npm
      "args": [
        "mcp",
        "--state",
        "/var/kfw",
        "--name",
        "files",
        "--",
        "npx",
        "-y",
        "server-files"
      ],
      "env": {"TOKEN": "x"}
    }
  }
}`},
		"one line": {
			`{"projects":{"/src":{"mcpServers":{"a":{"args":["x"],"command":"b"}}}}}`,
			`{"projects":{"/src":{"mcpServers":{"a":{"args":["mcp", "--state", "/var/kfw", "--name", "a", "--", "b", "x"],"command":"/opt/kfw"}}}}}`,
		},
		"no arguments": {
			`{"mcpServers":{"a":{"command":"b","cwd":"/"}}}`,
			`{"mcpServers":{"a":{"command":"/opt/kfw", "args": ["mcp", "--state", "/var/kfw", "--name=a", "--", "b"],"cwd":"/"}}}`,
		},
		"empty arguments": {
			`{"mcpServers":{"a":{"command":"b","args": [ ]}}}`,
			`{"mcpServers":{"a":{"command":"/opt/kfw","args": ["mcp", "--state", "/var/kfw", "--name", "a", "--", "b" ]}}}`,
		},
		"words": {
			`{"mcp":{"a":{"type":"local","command":["b","x"]}}}`,
			`{"mcp":{"a":{"type":"local","command":["/opt/kfw", "mcp", "--state", "/var/kfw", "--name", "a", "--", "b","x"]}}}`,
		},
		"no program": {
			`{"mcpServers":{"a":{"url":"https://x"},"b":{"command":7},"c":{"command":"x","args":[1]}}}`,
			`{"mcpServers":{"a":{"url":"https://x"},"b":{"command":7},"c":{"command":"x","args":[1]}}}`,
		},
		"toml": {`model = "m" # of the user

[mcp_servers.files] # a table
command = 'npx' # by npm
args = ["-y", 'x']

  [mcp_servers."two words"]
  command = "b" # no arguments
[mcp_servers.files.env]
TOKEN = "x"
`, `model = "m" # of the user

[mcp_servers.files] # a table
command = "/opt/kfw" # by npm
args = ["mcp", "--state", "/var/kfw", "--name", "files", "--", 'npx', "-y", 'x']

  [mcp_servers."two words"]
  command = "/opt/kfw"
  args = ["mcp", "--state", "/var/kfw", "--name=two words", "--", "b"] # no arguments
[mcp_servers.files.env]
TOKEN = "x"
`},
		"toml inline": {
			`mcp_servers.a = { command = "b", env = { X = "1" } }
mcp_servers.c.command = "d"
`,
			`mcp_servers.a = { command = "/opt/kfw", args = ["mcp", "--state", "/var/kfw", "--name=a", "--", "b"], env = { X = "1" } }
mcp_servers.c.command = "/opt/kfw"
mcp_servers.c.args = ["mcp", "--state", "/var/kfw", "--name=c", "--", "d"]
`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			isTOML := strings.HasPrefix(name, "toml")
			after := wrapAll(t, []byte(c.before), isTOML)
			if string(after) != c.after {
				t.Errorf("wrapped:\n%s\nwant:\n%s", after, c.after)
			}
			if again := wrapAll(t, after, isTOML); string(again) != c.after {
				t.Errorf("wrapped twice:\n%s", again)
			}
			if back := unwrapAll(t, after, isTOML); string(back) != c.before {
				t.Errorf("unwrapped:\n%s\nwant:\n%s", back, c.before)
			}
		})
	}
}

// TestUnwrapRewritten takes kfw out of a file that the host has written anew, and of one in which the user did it.
func TestUnwrapRewritten(t *testing.T) {
	for _, c := range [][2]string{
		{`{"mcpServers":{"a":{"args":["mcp","--name=a","--","b"],"command":"/x/kfw"}}}`,
			`{"mcpServers":{"a":{"args":[],"command":"b"}}}`},
		{`{"mcpServers":{"a":{"command":"kfw","args":["mcp","--budget","8000","--","b","c"]}}}`,
			`{"mcpServers":{"a":{"command":"b","args":["c"]}}}`},
		{`{"mcpServers":{"a":{"command":"kfw","args":["mcp","--url","https://x"]}}}`,
			`{"mcpServers":{"a":{"command":"kfw","args":["mcp","--url","https://x"]}}}`},
	} {
		if back := unwrapAll(t, []byte(c[0]), false); string(back) != c[1] {
			t.Errorf("unwrapped: %s, want %s", back, c[1])
		}
	}
}

// FuzzWrap: a file in which all servers are wrapped has the same servers, whose words begin with those of kfw, and
// unwrapped it is as before, byte for byte.
func FuzzWrap(f *testing.F) {
	f.Add([]byte(`{"mcpServers":{"--":{"command":"b","args":["-y",],},/*c*/"d":{"command":["e"]}}}`), false)
	f.Add([]byte("{\r\n\"mcp\": {\r\n \"a\": {\r\n  \"command\": \"b\"}}}"), false)
	f.Add([]byte("[mcp_servers.a]\ncommand = '''b'''\nargs = [\n  \"x\", # one\n  'y',\n]\n[[mcp_servers.b]]\ncommand = \"c\""), true)
	f.Add([]byte("[mcp_servers]\na.command=\"b\"\na.args=[]\nc={command=\"d\",args=[ ]}\n[mcp_servers.e]\nargs=['f']\ncommand='g'"), true)
	f.Fuzz(func(t *testing.T, source []byte, isTOML bool) {
		before, err := Find(source, places, isTOML)
		if err != nil || slices.ContainsFunc(before, Server.IsKfw) {
			return
		}
		wrapped := wrapAll(t, source, isTOML)
		after, err := Find(wrapped, places, isTOML)
		if err != nil || len(after) != len(before) {
			t.Fatalf("%d servers, then %d, %v:\n%s\n%s", len(before), len(after), err, source, wrapped)
		}
		for i, s := range after {
			words := before[i].Words
			if words != nil {
				begin := slices.Index(s.Words, "--state") + 2
				if s.Words[begin] == "--name" {
					begin++
				}
				want := append([]string{"/opt/kfw", "mcp", "--state", "/var/kfw"}, s.Words[4:begin+1]...)
				words = append(append(want, "--"), words...)
			}
			if s.Name != before[i].Name || !slices.Equal(s.Words, words) || s.IsKfw() != (words != nil) {
				t.Fatalf("%q, want %q in\n%s", s.Words, words, wrapped)
			}
		}
		if back := unwrapAll(t, wrapped, isTOML); string(back) != string(source) {
			t.Fatalf("unwrapped:\n%s\nbefore:\n%s", back, source)
		}
	})
}
