// Package postgres keeps sessions on a PostgreSQL server, for the processes of many hosts.
//
//   - place.go: [Place], which server, tenant and session a URL names.
//   - schema.sql, schema.go: the tables and functions, [Init] and [About].
//   - session.go: [Session].
//   - call.go: the one connection of a Session, calls on it, and what is repeated when it is lost.
//   - value.go: arguments as PostgreSQL takes them, columns as it returns them.
//   - explain.go: what errors of the server mean.
//   - lease.go: how long what a process holds stays its own.
//   - ledger.go: grants and the account.
//   - handle.go: how blocks of a handle are written and read.
//   - shown.go: what was shown before.
//
// Every call is one statement, which is a transaction of its own: nothing is prepared and no state is kept on a
// connection, so that a pool in transaction mode may stand between. All times are those of the server's clock. What a
// run holds is leased: a run that does not renew its lease is taken to be dead, and loses what it has not drawn. It
// writes nothing when its lease may be over.
//
// A call whose answer is lost is repeated, and changes nothing the second time: amounts are absolute, and what is
// added has a token. Text that comes in here is redacted already.
package postgres
