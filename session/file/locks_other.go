//go:build !linux

package file

// useFileLocks does nothing: there are no such locks here. The documentation of File says what follows.
func useFileLocks() {}
