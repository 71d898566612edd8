// Package file keeps a session in an SQLite file.
//
//   - file.go: [Session], one session file: opened when first needed, refused when it is not a session.
//   - schema.sql: the tables.
//   - sqlite.go: the one SQLite connection of a Session, and statements on it.
//   - locks_linux.go, locks_other.go: the kind of lock it takes.
//   - transaction.go: how they are made one, and how long each lasts.
//   - ledger.go: grants of runs, and the account.
//   - hold.go: grants of no process.
//   - system_unix.go, system_windows.go: what differs between systems.
//   - process.go, process_linux.go, process_unix.go: which processes are still alive, so that the dead give back what
//     they held.
//   - handle.go, stored.go: how blocks of a handle are written and read.
//   - shown.go, lines.go: what was shown before.
//   - lifetime.go: what becomes of handles whose writer died, that were discarded, or that were not used for long.
//
// Any number of processes use one file at once (SQLite, write-ahead log). A transaction is a few statements long and
// never waits for input. Blocks of a handle are synced with the next entry of the ledger or the next checkpoint.
package file
