//go:build unix

package settings

// ForShells returns a path as every shell reads it in a command line: quoted where it has to be, it is what it is.
func ForShells(path string) string { return path }
