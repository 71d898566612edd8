package testpg

import "syscall"

// attributes lets a server run as another user, in a group of its own, and end when the test binary is killed.
func attributes(owner *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: owner, Setpgid: true, Pdeathsig: syscall.SIGQUIT}
}
