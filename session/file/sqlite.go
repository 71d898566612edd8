package file

import (
	"errors"
	"fmt"
	"iter"
	"syscall"
	"time"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/session"
)

// connection is the one SQLite connection of a File, with its prepared statements. It calls SQLite's C interface
// (https://www.sqlite.org/c3ref/funclist.html) as modernc.org/sqlite/lib offers it, because the driver on top of that
// allocates for each statement and each value: several megabytes of garbage in a handle of 1 GB, where here it is none.
// All of the unsafe code of the package is in this file. A connection belongs to one goroutine at a time.
type connection struct {
	tls        *libc.TLS
	db         uintptr
	made       uintptr // where SQLite leaves the address of what it opened or prepared
	statements map[string]*statement
	synced     bool          // commits wait for the disk
	wait       time.Duration // for other processes
}

type statement struct {
	*connection
	handle    uintptr
	arguments buffer // the text and the blobs that are bound
}

// sqliteError is a result code (https://www.sqlite.org/rescode.html). SQLite's own messages may quote what is in the
// file, and are left out.
type sqliteError int32

func (e sqliteError) Error() string {
	if text := sqlite3.Xsqlite3_errstr(nil, int32(e)); text != 0 {
		return fmt.Sprintf("sqlite: %s (%d)", libc.GoString(text), int32(e))
	}
	return fmt.Sprintf("sqlite: error %d", int32(e))
}

// resultCode returns the primary result code of SQLite in an error, 0 if there is none.
func resultCode(err error) int {
	if e, ok := errors.AsType[sqliteError](err); ok {
		return int(e) & 0xff
	}
	return 0
}

func result(code int32) error {
	if code == sqlite3.SQLITE_OK {
		return nil
	}
	return sqliteError(code)
}

// result is the function of this name, except that it calls every full disk so. SQLite has a code
// for it, and uses it for some of its files only.
func (c *connection) result(code int32) error {
	if code&0xff == sqlite3.SQLITE_IOERR {
		if errno := syscall.Errno(sqlite3.Xsqlite3_system_errno(c.tls, c.db)); errno == syscall.EFBIG ||
			fault.IsFull(errno) {
			return sqliteError(sqlite3.SQLITE_FULL)
		}
	}
	return result(code)
}

// openConnection opens a file that is there, for reading and writing. wait is how long it waits for other processes.
func openConnection(path string, wait time.Duration) (*connection, error) {
	c := &connection{tls: libc.NewTLS(), statements: map[string]*statement{}, wait: wait}
	name, err := libc.CString(path)
	if err != nil {
		return nil, err
	}
	defer libc.Xfree(c.tls, name)
	err = result(sqlite3.Xsqlite3_open_v2(c.tls, name, uintptr(unsafe.Pointer(&c.made)),
		sqlite3.SQLITE_OPEN_READWRITE|sqlite3.SQLITE_OPEN_FULLMUTEX|sqlite3.SQLITE_OPEN_EXRESCODE, 0))
	c.db = c.made // even after most errors
	if err == nil {
		err = result(sqlite3.Xsqlite3_busy_timeout(c.tls, c.db, int32(min(busyTimeout, wait).Milliseconds())))
	}
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

func (c *connection) close() error {
	for _, s := range c.statements {
		sqlite3.Xsqlite3_finalize(c.tls, s.handle) // what it returns is the error of its last use
		s.arguments.free(c.tls)
	}
	clear(c.statements)
	err := result(sqlite3.Xsqlite3_close_v2(c.tls, c.db))
	c.tls.Close()
	return err
}

// script runs statements that are not worth keeping and takes no notice of their rows.
func (c *connection) script(sql string) error {
	text, err := libc.CString(sql)
	if err != nil {
		return err
	}
	defer libc.Xfree(c.tls, text)
	return c.result(sqlite3.Xsqlite3_exec(c.tls, c.db, text, 0, 0, 0))
}

func (c *connection) prepare(sql string) (*statement, error) {
	if s, ok := c.statements[sql]; ok {
		return s, nil
	}
	text, err := libc.CString(sql)
	if err != nil {
		return nil, err
	}
	defer libc.Xfree(c.tls, text)
	if err := c.result(sqlite3.Xsqlite3_prepare_v2(c.tls, c.db, text, -1, uintptr(unsafe.Pointer(&c.made)),
		0)); err != nil {
		return nil, err
	}
	s := &statement{connection: c, handle: c.made}
	c.statements[sql] = s
	return s, nil
}

// bind sets all parameters of a statement.
func (s *statement) bind(args []any) error {
	size := 0
	for _, arg := range args {
		switch v := arg.(type) {
		case string:
			size += len(v)
		case []byte:
			size += len(v)
		}
	}
	if err := s.arguments.reserve(s.tls, size); err != nil {
		return err
	}
	for i, arg := range args {
		var code int32
		at := int32(i + 1)
		switch v := arg.(type) {
		case int:
			code = sqlite3.Xsqlite3_bind_int64(s.tls, s.handle, at, int64(v))
		case int64:
			code = sqlite3.Xsqlite3_bind_int64(s.tls, s.handle, at, v)
		case string:
			p := s.arguments.addString(v)
			code = sqlite3.Xsqlite3_bind_text(s.tls, s.handle, at, p, int32(len(v)), 0)
		case []byte:
			p := s.arguments.add(v)
			code = sqlite3.Xsqlite3_bind_blob(s.tls, s.handle, at, p, int32(len(v)), 0)
		default:
			code = sqlite3.SQLITE_MISUSE
		}
		if code != sqlite3.SQLITE_OK {
			return result(code)
		}
	}
	return nil
}

// step goes to the next row, false at the end.
func (s *statement) step() (bool, error) {
	switch code := sqlite3.Xsqlite3_step(s.tls, s.handle); code {
	case sqlite3.SQLITE_ROW:
		return true, nil
	case sqlite3.SQLITE_DONE:
		return false, nil
	default:
		return false, s.result(code)
	}
}

// reset makes the statement ready for its next use, and ends its transaction if it is not part of another.
func (s *statement) reset() {
	sqlite3.Xsqlite3_reset(s.tls, s.handle) // what it returns is the error of the last step
	sqlite3.Xsqlite3_clear_bindings(s.tls, s.handle)
}

// exec runs one statement. Arguments are int, int64, string and []byte.
func (c *connection) exec(sql string, args ...any) error {
	s, err := c.prepare(sql)
	if err != nil {
		return err
	}
	defer s.reset()
	if err := s.bind(args); err != nil {
		return err
	}
	_, err = s.step()
	return err
}

// changes returns how many rows the last statement changed, inserted or deleted, not counting those of triggers.
func (c *connection) changes() int { return int(sqlite3.Xsqlite3_changes(c.tls, c.db)) }

// inserted returns the id of the row that was inserted last.
func (c *connection) inserted() int64 { return sqlite3.Xsqlite3_last_insert_rowid(c.tls, c.db) }

// one runs a statement, copies the columns of its first row as scan does, and reports whether there is one.
func (c *connection) one(to []any, sql string, args ...any) (bool, error) {
	s, err := c.prepare(sql)
	if err != nil {
		return false, err
	}
	defer s.reset()
	if err := s.bind(args); err != nil {
		return false, err
	}
	found, err := s.step()
	if err != nil || !found {
		return false, err
	}
	return true, s.scan(to...)
}

// rows yields the rows of a query, each valid until the next.
func (c *connection) rows(sql string, args ...any) iter.Seq2[*statement, error] {
	return func(yield func(*statement, error) bool) {
		s, err := c.prepare(sql)
		if err != nil {
			yield(nil, err)
			return
		}
		defer s.reset()
		if err := s.bind(args); err != nil {
			yield(nil, err)
			return
		}
		for {
			more, err := s.step()
			if err != nil {
				yield(nil, err)
				return
			}
			if !more || !yield(s, nil) {
				return
			}
		}
	}
}

// scan copies the columns of a row to *int, *int64, *string, and *[]byte, of which it uses the capacity. A column of
// another type, or none, is damage.
func (s *statement) scan(to ...any) error {
	if int(sqlite3.Xsqlite3_column_count(s.tls, s.handle)) != len(to) {
		return session.ErrDamaged
	}
	for i, column := range to {
		at := int32(i)
		kind := sqlite3.Xsqlite3_column_type(s.tls, s.handle, at)
		switch to := column.(type) {
		case *int:
			if kind != sqlite3.SQLITE_INTEGER {
				return session.ErrDamaged
			}
			*to = int(sqlite3.Xsqlite3_column_int64(s.tls, s.handle, at))
		case *int64:
			if kind != sqlite3.SQLITE_INTEGER {
				return session.ErrDamaged
			}
			*to = sqlite3.Xsqlite3_column_int64(s.tls, s.handle, at)
		case *string:
			if kind != sqlite3.SQLITE_TEXT {
				return session.ErrDamaged
			}
			text := sqlite3.Xsqlite3_column_text(s.tls, s.handle, at)
			*to = string(memory(text, int(sqlite3.Xsqlite3_column_bytes(s.tls, s.handle, at))))
		case *[]byte:
			if kind != sqlite3.SQLITE_BLOB {
				return session.ErrDamaged
			}
			blob := sqlite3.Xsqlite3_column_blob(s.tls, s.handle, at)
			*to = append((*to)[:0], memory(blob, int(sqlite3.Xsqlite3_column_bytes(s.tls, s.handle, at)))...)
		default:
			return sqliteError(sqlite3.SQLITE_MISUSE)
		}
	}
	return nil
}

// bufferUnit is what a buffer grows by: seldom, and by whole pages that are resident only when they are used.
const bufferUnit = 64 << 10

// buffer is memory that SQLite may read while a statement runs. Go's own memory could move.
type buffer struct {
	address    uintptr
	used, size int
}

func (b *buffer) reserve(tls *libc.TLS, size int) error {
	b.used = 0
	if size <= b.size {
		return nil
	}
	b.free(tls)
	size = (size + bufferUnit - 1) / bufferUnit * bufferUnit
	if b.address = sqlite3.Xsqlite3_malloc64(tls, sqlite3.Tsqlite3_uint64(size)); b.address == 0 {
		return sqliteError(sqlite3.SQLITE_NOMEM)
	}
	b.size = size
	return nil
}

func (b *buffer) free(tls *libc.TLS) {
	sqlite3.Xsqlite3_free(tls, b.address)
	b.address, b.size = 0, 0
}

// add copies p to what reserve made room for, and returns where it is. The address of nothing is not 0, which would be
// null.
func (b *buffer) add(p []byte) uintptr {
	copy(memory(b.address+uintptr(b.used), len(p)), p)
	return b.next(len(p))
}

func (b *buffer) addString(p string) uintptr {
	copy(memory(b.address+uintptr(b.used), len(p)), p)
	return b.next(len(p))
}

func (b *buffer) next(n int) uintptr {
	at := b.address + uintptr(b.used)
	b.used += n
	return max(at, 1)
}

// memory is n bytes of SQLite's memory, which the garbage collector neither moves nor frees.
func memory(address uintptr, n int) []byte {
	if address == 0 || n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&address))), n)
}

const (
	// lockWait is how long a process waits for its turn to write if its settings don't say.
	lockWait = 30 * time.Second

	// busyTimeout is how long SQLite waits within one statement. It does not wait in all cases (the change to a
	// write-ahead log, the recovery of one), hence patiently.
	busyTimeout = 10 * time.Second
)

// patiently repeats what another process is in the way of.
func (c *connection) patiently(do func() error) error {
	for deadline := time.Now().Add(c.wait); ; time.Sleep(5 * time.Millisecond) {
		err := do()
		if code := resultCode(err); code != sqlite3.SQLITE_BUSY && code != sqlite3.SQLITE_PROTOCOL ||
			time.Now().After(deadline) {
			return err
		}
	}
}
