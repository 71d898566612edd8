package settings

import (
	"os"
	"path/filepath"
	"runtime"
)

// DefaultStore is the session file of runs without one.
func DefaultStore() (string, error) {
	dir, err := stateDir()
	return filepath.Join(dir, "default.kfw"), err
}

// Sessions returns the paths of the session files of hooks and of kfw mcp; none if it is not known where they are.
func Sessions() []string {
	dir, err := stateDir()
	if err != nil {
		return nil
	}
	paths, _ := filepath.Glob(filepath.Join(dir, "sessions", "*.kfw")) // the pattern is valid
	return paths
}

// stateDir follows the XDG base directory specification: state that outlives a run but is not worth a backup. On
// Windows that is %LOCALAPPDATA%.
func stateDir() (string, error) {
	dir, err := userDir("XDG_STATE_HOME", "LOCALAPPDATA", filepath.Join(".local", "state"))
	if err != nil {
		return "", &NoStore{err}
	}
	return filepath.Join(dir, "kfw"), nil
}

// Below returns where a user's kfw.yaml and the state directory are below a home directory, whatever the environment
// says; empty for an empty one.
func Below(home string) (config, state string) {
	switch {
	case home == "":
		return "", ""
	case runtime.GOOS == "windows":
		local := filepath.Join(home, "AppData")
		return filepath.Join(local, "Roaming", "kfw", FileName), filepath.Join(local, "Local", "kfw")
	}
	return filepath.Join(home, ".config", "kfw", FileName), filepath.Join(home, ".local", "state", "kfw")
}

// Home returns the user's home directory. One that is not absolute is an error: it would be another one in each working
// directory.
func Home() (string, error) {
	home, err := os.UserHomeDir()
	if err == nil && !filepath.IsAbs(home) {
		err = errRelative("HOME")
	}
	return home, err
}

// userDir returns the directory in a variable, or the default below the home directory. On Windows
// the default is in the variable onWindows.
func userDir(variable, onWindows, below string) (string, error) {
	for _, name := range []string{variable, onWindows} {
		dir := os.Getenv(name)
		if dir == "" || name == onWindows && runtime.GOOS != "windows" {
			continue
		}
		if !filepath.IsAbs(dir) {
			return "", errRelative(name)
		}
		return dir, nil
	}
	home, err := Home()
	return filepath.Join(home, below), err
}

// errRelative is a variable with a path that is not absolute.
type errRelative string

// Error implements error.
func (e errRelative) Error() string { return "$" + string(e) + " is not an absolute path" }

// NoStore says why it is not known where the default store is.
type NoStore struct{ cause error }

// Error implements error.
func (e *NoStore) Error() string { return "no place for handles: " + e.cause.Error() }

// Unwrap returns why the home directory is not known.
func (e *NoStore) Unwrap() error { return e.cause }

// SameFile reports whether two paths lead to one file that is there.
func SameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// ConfigDir follows the XDG base directory specification, on Windows %APPDATA%; empty if there is no such place.
func ConfigDir() string {
	dir, err := userDir("XDG_CONFIG_HOME", "APPDATA", ".config")
	if err != nil {
		return ""
	}
	return dir
}
