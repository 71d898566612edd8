// Package session is the file that outlives an invocation: the ledger of what may still be written, and the handles
// under which the rest of a response can be read.
//
//   - file.go: [File], one session file: opened when first needed, refused when it is not a session.
//   - schema.sql: the tables.
//   - sqlite.go: the one SQLite connection of a File, and statements on it.
//   - locks_linux.go, locks_other.go: the kind of lock it takes.
//   - transaction.go: how they are made one, and how long each lasts.
//   - ledger.go: [File.Allocate], [Grant], [File.Status].
//   - hold.go: [File.Hold], [File.Spend], [File.Settle], [File.Release]: grants of no process.
//   - system_unix.go, system_windows.go: what differs between systems.
//   - process.go, process_linux.go, process_unix.go: which processes are still alive, so that the dead give back what
//     they held.
//   - handle.go: [Handle], a response on its way into the file.
//   - allowance.go: [Allowance], what a result may cost that can't be refused.
//   - shared.go: [Shared], one handle for several texts.
//   - stored.go: [Stored], a response on its way out, from any chunk on.
//   - shown.go: [Shown], what a response is recognized by that comes again, and [Earlier], the one before.
//   - block.go: what a handle is made of: up to 64 KiB of a response with an index of its chunks, compressed.
//   - lifetime.go: what becomes of handles whose writer died, that were discarded, or that were not used for long.
//
// Any number of processes use one file at once (SQLite, write-ahead log). A transaction is a few statements long and
// never waits for input. What is on the ledger is synced to disk before the call returns. Blocks of a handle are
// synced with the next entry of the ledger or the next checkpoint: a handle survives the death of its process always,
// and a power failure from the moment it is named.
//
// Text that comes in here is redacted already: commands, origins, chunks and paths are stored as they are given.
package session
