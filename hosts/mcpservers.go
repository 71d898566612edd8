package hosts

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/kfw-dev/kfw/hosts/internal/servers"
)

// ServerFile is a file in which a host looks for MCP servers: TOML if its name ends so, else JSON with comments.
type ServerFile struct {
	Path string
	Keys [][]string // that lead from the top to the objects whose members are servers; "*" is any member
}

// ServerPaths returns the paths of the files in which the host looks for MCP servers.
func (s Setup) ServerPaths() (paths []string) {
	for _, file := range s.Servers {
		paths = append(paths, file.Path)
	}
	return paths
}

// ServersIn lists the MCP servers that a settings file names; none if it is not there.
func ServersIn(file ServerFile) ([]servers.Server, error) {
	source, err := readSettings(file.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return file.find(source)
}

func (f ServerFile) find(source []byte) ([]servers.Server, error) {
	found, err := servers.Find(source, f.Keys, filepath.Ext(f.Path) == ".toml")
	if err != nil {
		return nil, &Unparsable{f.Path, err.Error()}
	}
	return found, nil
}

// mcpServers is a file in the form that most hosts share. name may have slashes.
func mcpServers(dir, name string) ServerFile {
	return ServerFile{filepath.Join(dir, filepath.FromSlash(name)), [][]string{{"mcpServers"}}}
}

// ServerChange is what init makes of the MCP servers in one file.
type ServerChange struct {
	*Change
	Servers []servers.Server // before the change
}

// wrapServers returns the changes that make a host start kfw mcp in place of its MCP servers, a
// change for each file that is there. Servers that are not programs stay as they are, and so do
// those that are wrapped. Nothing is written.
func wrapServers(h Host, p Place, state string) ([]ServerChange, error) {
	var arguments []string
	if p.Project == "" {
		arguments = []string{"--config", p.Config, "--state", p.State}
	}
	return changeServers(h, p, state, false, func(s servers.Server, source []byte) []servers.Edit {
		return s.Wrap(source, p.Kfw, arguments...)
	})
}

// unwrapServers returns the changes that make a host start its MCP servers itself, a change for
// each file that is there. Nothing is written.
func unwrapServers(h Host, p Place, state string) ([]ServerChange, error) {
	return changeServers(h, p, state, true, servers.Server.Unwrap)
}

// changeServers makes edits in each file of servers. isOptional leaves a file alone that is not understood and has
// nothing of kfw.
func changeServers(
	h Host, p Place, state string, isOptional bool, edits func(servers.Server, []byte) []servers.Edit,
) (all []ServerChange, err error) {
	setup := h.Setup(p)
	for _, file := range setup.Servers {
		c, err := changeOf(h, file.Path, state)
		if err != nil {
			return nil, err
		}
		if c.Old == nil {
			continue
		}
		found, err := file.find(c.Old)
		if err != nil && isOptional && !bytes.Contains(c.Old, []byte("kfw")) {
			continue // nothing in it can be kfw's
		}
		if err != nil {
			return nil, err
		}
		var done []servers.Edit
		for _, s := range found {
			done = append(done, edits(s, c.Old)...)
		}
		c.New = servers.Apply(c.Old, done)
		c.isOfRest = true
		if c.record.Sum == sum(c.Old) && c.record.shift(done) {
			c.record.Sum = sum(c.New)
		}
		all = append(all, ServerChange{c, found})
	}
	return all, nil
}

// shift moves what was inserted into a file to where it is after these edits. It reports false for an edit of what
// was inserted.
func (r *record) shift(edits []servers.Edit) bool {
	moved := make([]insertion, len(r.Inserted))
	copy(moved, r.Inserted)
	for _, e := range edits {
		from, more := e.From, len(e.Text)-(e.To-e.From)
		for i := len(moved) - 1; i >= 0; i-- { // each is where it is in the text that the ones before it have made
			was := r.Inserted[i]
			switch {
			case e.To-e.From+from <= was.At:
				moved[i].At += more
			case from >= was.At+was.Length:
				from -= was.Length
			default:
				return false
			}
		}
	}
	r.Inserted = moved
	return true
}
