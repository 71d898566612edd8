package hosts

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/internal/safefile"
)

// Change is what init makes of a settings file.
type Change struct {
	Path     string
	Old, New []byte // New is nil if the file is removed, Old if there was none

	record     record
	recordPath string
	isOfRest   bool // the change is not of what the record is about
}

// IsEmpty reports whether nothing changes.
func (c *Change) IsEmpty() bool { return bytes.Equal(c.Old, c.New) && (c.Old == nil) == (c.New == nil) }

// record is what init remembers of a settings file, to take out again exactly what it has put in. It holds no byte of
// the file: settings may have secrets.
type record struct {
	Path      string      `json:"path"`
	IsCreated bool        `json:"created"` // the file was not there
	Made      []string    `json:"made"`    // directories that were not there
	Sum       string      `json:"sum"`     // SHA-256 of the file after the insertions
	Inserted  []insertion `json:"inserted"`
}

// Unparsable is the error for a settings file that is not understood. It is left as it is.
type Unparsable struct{ Path, Reason string }

// Error implements error.
func (e *Unparsable) Error() string { return e.Path + ": " + e.Reason }

// NotWritten is the error for a file that can't be replaced or removed. It is left as it was.
type NotWritten struct {
	Path string
	Err  error
}

// Error implements error.
func (e *NotWritten) Error() string { return e.Path + ": cannot be written: " + e.Err.Error() }

// Unwrap returns what the system reported.
func (e *NotWritten) Unwrap() error { return e.Err }

// Unsupported is the error for what a host can't do.
type Unsupported struct {
	Flag   string // of init, that asks for it
	Reason string
}

// Error implements error.
func (e *Unsupported) Error() string { return "--" + e.Flag + ": " + e.Reason }

// Changes are what init makes of a host's settings.
type Changes struct {
	Hook    *Change        // of the settings file
	Servers []ServerChange // of the files that name MCP servers, those that are not there left out

	Instructions *Change   // of the file that the host gives its model; nil if nothing is made of it
	Plugin       []*Change // of the files of a plugin
}

// PluginDir is the directory of the plugin; empty if there is none.
func (c Changes) PluginDir() string {
	if len(c.Plugin) == 0 {
		return ""
	}
	return pluginDir(c.Plugin[0].Path)
}

// All returns every change, each file once, in the order in which they are made; they are taken back in the other one,
// so that a directory is empty when its turn comes.
func (c Changes) All() []*Change {
	all := []*Change{c.Hook}
	for _, s := range c.Servers {
		if s.Path != c.Hook.Path {
			all = append(all, s.Change)
		}
	}
	if c.Instructions != nil {
		all = append(all, c.Instructions)
	}
	return append(all, c.Plugin...)
}

// Install returns the changes that put kfw into a host's settings: the hook, and with p.MCP kfw mcp in front of MCP
// servers. state is where they are remembered. Nothing is written.
func Install(h Host, p Place, state string, allowExpand bool) (all Changes, err error) {
	setup := h.Setup(p)
	if p.Wrap && !setup.CanWrap {
		return all, &Unsupported{"wrap", h.Name() + " takes no other command from a hook than the model's"}
	}
	additions := setup.Hooks
	if allowExpand {
		if setup.Allow == nil {
			return all, &Unsupported{"allow-expand", h.Name() + " has no rule that allows one command"}
		}
		additions = append(additions[:len(additions):len(additions)], *setup.Allow)
	}
	if p.MCP {
		if all.Servers, err = wrapServers(h, p, state); err != nil {
			return all, err
		}
	}
	if p.Instructs {
		if all.Instructions, err = instruct(h, p, state); err != nil {
			return all, err
		}
	}
	if p.Plugin {
		if all.Plugin, err = installPlugin(h, setup, state); err != nil {
			return all, err
		}
	}
	c, text, err := changeAfter(h, setup.Path, state, all.Servers)
	if err != nil {
		return all, err
	}
	all.Hook = c
	base, err := c.base(setup, text)
	if err != nil {
		return all, err
	}
	text, done := slices.Concat(setup.File, base), []insertion{{0, len(setup.File)}} // base has white space at most
	if setup.File == nil {
		var first []insertion
		if len(bytes.TrimSpace(base)) == 0 {
			empty := cmp.Or(setup.Empty, "{}") + "\n"
			first = []insertion{{len(base), len(empty)}}
			base = append(bytes.Clone(base), empty...)
		}
		if text, done, err = added(base, additions); err != nil {
			return all, &Unparsable{c.Path, errNotSettings.Error()}
		}
		done = append(first, done...)
	}
	c.become(text, done)
	return all, nil
}

// become makes the change one to a text in which kfw has inserted this.
func (c *Change) become(text []byte, done []insertion) {
	c.New = text
	c.record.Path, c.record.Inserted, c.record.Sum = c.Path, done, sum(text)
	c.record.IsCreated = c.Old == nil || c.record.IsCreated
}

// installPlugin returns the changes that write the files of a plugin.
func installPlugin(h Host, setup Setup, state string) (all []*Change, err error) {
	if setup.Plugin == nil {
		return nil, &Unsupported{"plugin", h.Name() + " has no plugin that kfw adds to its hook"}
	}
	for _, file := range setup.Plugin {
		c, base, err := changeOfOwn(h, file, state)
		if err != nil {
			return nil, err
		}
		c.become(slices.Concat(file.Text, base), []insertion{{0, len(file.Text)}}) // base has white space at most
		all = append(all, c)
	}
	return all, nil
}

// uninstallPlugin returns the changes that remove the files of a plugin, those that are not there left out.
func uninstallPlugin(h Host, setup Setup, state string) (all []*Change, err error) {
	for _, file := range setup.Plugin {
		c, base, err := changeOfOwn(h, file, state)
		if err != nil {
			return nil, err
		}
		if c.New = base; c.Old != nil {
			all = append(all, c)
		}
	}
	return all, nil
}

// PluginsIn returns the directories that hold a plugin as init writes it, of these places.
func PluginsIn(places ...Setup) (dirs []string) {
	for _, setup := range places {
		isChanged := func(f OwnFile) bool {
			text, err := readSettings(f.Path)
			return err != nil || !bytes.Equal(text, f.Text)
		}
		if setup.Plugin != nil && !slices.ContainsFunc(setup.Plugin, isChanged) {
			dirs = append(dirs, pluginDir(setup.Plugin[0].Path))
		}
	}
	return dirs
}

// pluginDir is the directory of a plugin, by the path of the first of its files.
func pluginDir(path string) string { return filepath.Dir(filepath.Dir(path)) }

// changeOfOwn is a change of a file of kfw's own that is not made yet, and the text of the file without kfw's.
func changeOfOwn(h Host, file OwnFile, state string) (c *Change, base []byte, err error) {
	if c, err = changeOf(h, file.Path, state); err == nil {
		base, err = c.base(Setup{File: file.Text}, c.Old)
	}
	return c, base, err
}

// Uninstall returns the changes that take kfw out of a host's settings: the hook, and what is in front of MCP servers.
// A file that no other program has changed is what it was before, byte for byte. Nothing is written.
func Uninstall(h Host, p Place, state string) (all Changes, err error) {
	setup := h.Setup(p)
	if all.Servers, err = unwrapServers(h, p, state); err != nil {
		return all, err
	}
	if all.Instructions, err = forgetInstructions(h, p, state); err != nil {
		return all, err
	}
	if all.Plugin, err = uninstallPlugin(h, setup, state); err != nil {
		return all, err
	}
	c, text, err := changeAfter(h, setup.Path, state, all.Servers)
	if err == nil && text != nil {
		c.New, err = c.base(setup, text)
	}
	all.Hook = c
	return all, err
}

// changeAfter is a change of a file that is not made yet, and the text of the file after what is made of the servers in
// it.
func changeAfter(h Host, path, state string, files []ServerChange) (c *Change, text []byte, err error) {
	if c, err = changeOf(h, path, state); err != nil {
		return nil, nil, err
	}
	text = c.Old
	for _, f := range files {
		if f.Path == path {
			text, c.record = f.New, f.record
		}
	}
	return c, text, nil
}

func changeOf(h Host, path, state string) (*Change, error) {
	c := &Change{Path: path, recordPath: recordPath(h, path, state)}
	old, err := readSettings(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err == nil {
		c.Old = append([]byte{}, old...)
	}
	known, err := readSettings(c.recordPath)
	if err == nil && json.Unmarshal(known, &c.record) != nil || c.record.Path != path {
		c.record = record{}
	}
	return c, nil
}

// recordPath is where a settings file is remembered: one for each host and file.
func recordPath(h Host, path, state string) string {
	return filepath.Join(state, "init", h.Name()+"-"+sum([]byte(path))[:16]+".json")
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// base is a text of the file without what init has put there, nil if there would be no file.
func (c *Change) base(setup Setup, text []byte) ([]byte, error) {
	if text == nil {
		c.record = record{}
		return nil, nil
	}
	if c.record.Sum == sum(text) {
		if c.record.IsCreated {
			return nil, nil
		}
		return without(text, c.record.Inserted), nil
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return text, nil
	}
	if setup.File != nil {
		if !bytes.HasPrefix(text, firstLine(setup.File)) {
			return nil, &Unparsable{c.Path, "another program has made it"}
		}
		c.record.IsCreated = true
		return nil, nil
	}
	base, err := pruned(text, isOwnEntry)
	if err != nil {
		return nil, &Unparsable{c.Path, notJSON(err)}
	}
	if c.record.IsCreated && isSameJSON(base, cmp.Or(setup.Empty, "{}")) {
		return nil, nil
	}
	c.record.IsCreated = false
	return base, nil
}

// notJSON says where a text is no JSON with comments, by the error of the parser, which itself may quote the text.
func notJSON(err error) string {
	var line, column int
	if _, noPlace := fmt.Sscanf(err.Error(), "hujson: line %d, column %d", &line, &column); noPlace != nil {
		return "not JSON with comments"
	}
	return fmt.Sprintf("line %d, column %d: not JSON with comments", line, column)
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

// isSameJSON reports whether two texts differ in white space at most.
func isSameJSON(a []byte, b string) bool {
	return string(bytes.Join(bytes.Fields(a), nil)) == strings.Join(strings.Fields(b), "")
}

// Write makes the change, and remembers it.
func (c *Change) Write() error {
	if c.isOfRest {
		return c.writeRest()
	}
	if c.New == nil || len(c.record.Inserted) == 0 || c.record.Sum != sum(c.New) {
		return c.remove()
	}
	for dir := filepath.Dir(c.Path); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil || !errors.Is(err, fs.ErrNotExist) {
			break
		}
		c.record.Made = append(c.record.Made, dir)
	}
	if err := c.writeRecord(); err != nil {
		return err
	}
	return writeFile(c.Path, c.New)
}

// writeRest makes a change that leaves what the record is about where it is in the text, or moves it.
func (c *Change) writeRest() error {
	if c.IsEmpty() {
		return nil
	}
	if c.record.Sum == sum(c.New) {
		if err := c.writeRecord(); err != nil {
			return err
		}
	}
	return writeFile(c.Path, c.New)
}

// writeRecord remembers the change. It comes before the change: without it an uninstall that follows a crash would be
// less exact.
func (c *Change) writeRecord() error {
	text, err := json.Marshal(c.record)
	if err != nil {
		return err
	}
	return writeFile(c.recordPath, text)
}

// remove writes a file that has nothing of kfw any more, or removes it, and forgets it.
func (c *Change) remove() error {
	var err error
	switch {
	case c.Old == nil:
	case c.New == nil:
		if err = removeFile(c.Path); err == nil {
			for _, dir := range c.record.Made { // the innermost one first
				if os.Remove(dir) != nil {
					break // it holds another file
				}
			}
		}
	case !c.IsEmpty():
		err = writeFile(c.Path, c.New)
	}
	if err != nil {
		return &NotWritten{c.Path, err}
	}
	if err := os.Remove(c.recordPath); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &NotWritten{c.recordPath, err}
	}
	_ = os.Remove(filepath.Dir(c.recordPath)) // if there is no other record
	return nil
}

// removeFile removes a file, where a link leads to if it is one: the link is not kfw's.
func removeFile(path string) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	return os.Remove(target)
}

// writeFile replaces a file at once, where a link leads to if it is one, and keeps its permissions. A file of several
// names is written in place, so that it stays one file.
// The error is a *NotWritten.
func writeFile(path string, text []byte) error {
	if err := replaceFile(path, text); err != nil {
		return &NotWritten{path, err}
	}
	return nil
}

func replaceFile(path string, text []byte) error {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil { // a link to what is not there
			return os.WriteFile(path, text, 0o600)
		}
		target, err = path, os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(target); err == nil {
		mode = info.Mode().Perm()
		if hasLinks(target) {
			return os.WriteFile(target, text, mode)
		}
	}
	file, err := os.CreateTemp(filepath.Dir(target), filepath.Base(target)+".*")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	err = errors.Join(err, file.Chmod(mode), file.Sync(), file.Close())
	if err == nil {
		err = safefile.Rename(file.Name(), target)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

// State says whether the hook is in a host's settings.
func State(h Host, p Place) (hooks []Hook, isDisabled bool, err error) {
	source, err := readSettings(h.Setup(p).Path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(bytes.TrimSpace(source)) == 0 {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return h.Hooks(source)
}

// hasLinks reports whether a file has several names.
func hasLinks(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close() // nothing was written
	return safefile.Links(file) > 1
}
