package file

import (
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// useFileLocks makes SQLite take locks that belong to an open file and not to the process (F_OFD_SETLK, fcntl(2)): with
// the others, closing a file after a look at its header would drop the locks of another connection to it. Where the
// kernel or the file system has none, SQLite goes on with the others.
func useFileLocks() {
	tls := libc.NewTLS()
	defer tls.Close()
	sqlite3.Xmodernc_ofd_locking(tls, 1)
}
