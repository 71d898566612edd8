package settings

import (
	"os"
	"path/filepath"
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

// stateDir follows the XDG base directory specification: state that outlives a run but is not worth a backup.
func stateDir() (string, error) {
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", &NoStore{err}
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "kfw"), nil
}

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

// ConfigDir follows the XDG base directory specification; empty if there is no such place.
func ConfigDir() string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".config")
}
