// Package session is what outlives an invocation: the ledger of what may still be written, and the handles under
// which the rest of a response can be read.
//
//   - session.go: [Session], its settings, and the errors of one that can't be used.
//   - ledger.go: [Grant], what a run may write; [Status]; [Held], a grant of no process.
//   - handle.go: [Handle], a response on its way into a session.
//   - stored.go: [Stored], a response on its way out, from any chunk on.
//   - block.go: what a handle is made of: up to 64 KiB of a response with an index of its chunks, compressed.
//   - shown.go: [Shown], what a response is recognized by that comes again, and [Earlier], the one before.
//   - allowance.go: [Allowance], what a result may cost that can't be refused.
//   - shared.go: [Shared], one handle for several texts.
//   - names.go: the names of handles and grants.
//
// Two packages implement Session: session/file in an SQLite file, for the processes of one machine, and
// session/postgres on a PostgreSQL server, for those of many. Package session/open finds the right one. Tokens that
// are spent are on disk before the call returns. A handle survives the death of its process always, and a power
// failure from the moment it is named.
//
// Text that comes in here is redacted already: commands, origins, chunks and paths are stored as they are given.
package session
