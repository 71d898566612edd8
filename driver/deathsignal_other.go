//go:build unix && !linux

package driver

import "syscall"

// endWithThread does nothing: there is no such signal.
func endWithThread(*syscall.SysProcAttr) {}
