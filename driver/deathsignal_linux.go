package driver

import "syscall"

// endWithThread has the kernel kill what is started when the thread that starts it ends, and so with this process. It
// is for the moment before the guard knows of a driver: what the driver has started lives on.
func endWithThread(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
