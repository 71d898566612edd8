package file

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/safefile"
	"github.com/kfw-dev/kfw/session"
)

const (
	applicationID = 0x6b667753 // "kfwS", the application_id of SQLite's file header
	schemaVersion = 7          // its user_version
)

//go:embed schema.sql
var schema string

// Session is a session file. It implements session.Session.
//
// A process should have one Session for a path. More are safe on Linux; elsewhere closing a file drops all locks that
// the process holds on it (POSIX, fcntl).
type Session struct {
	path     string
	settings session.Settings

	mu         sync.Mutex
	connection *connection // nil until needed
	opened     fs.FileInfo // which file that is of
	closed     bool
	retired    time.Time // when room was made last by looking at all handles
}

// At returns the session file of this path. It touches nothing on disk until something is kept or asked.
func At(path string, s session.Settings) *Session { return &Session{path: path, settings: s} }

// Settings returns what the file says. For one that is not there the error wraps fs.ErrNotExist.
func (f *Session) Settings() (session.Settings, error) {
	var s session.Settings
	var ttl int64
	err := f.existing(func(c *connection) error {
		found, err := c.one([]any{&s.Total, &ttl, &s.StoreMax, &s.Counting},
			"SELECT total_tokens, handle_ttl_ms, store_max_bytes, counting FROM session")
		if err == nil && !found {
			return session.ErrDamaged
		}
		return err
	})
	s.TTL = time.Duration(ttl) * time.Millisecond
	return s, err
}

func (f *Session) wait() time.Duration { return cmp.Or(f.settings.Wait, lockWait) }

// CountBy implements session.Session.
func (f *Session) CountBy(counting string) { f.settings.Counting = counting }

// Path returns the path given to At.
func (f *Session) Path() string { return f.path }

// Close closes what was opened. Everything that was written is in the file itself when the last process closes it.
func (f *Session) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	if f.connection == nil {
		return nil
	}
	err := f.connection.close()
	f.connection = nil
	return f.explain(err)
}

// existing runs fn on a file that is there. For one that is not, the error wraps fs.ErrNotExist.
func (f *Session) existing(fn func(*connection) error) error { return f.use(false, fn) }

// made runs fn on the file, which is made if it is not there.
func (f *Session) made(fn func(*connection) error) error { return f.use(true, fn) }

func (f *Session) use(create bool, fn func(*connection) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return fmt.Errorf("%s: %w", f.path, fs.ErrClosed)
	}
	if f.connection == nil {
		c, err := f.open(create)
		if err != nil {
			return f.explain(err)
		}
		f.connection = c
		f.opened, err = os.Stat(f.path)
		if err != nil {
			return f.explain(err)
		}
	} else if err := f.isSame(); err != nil {
		return err
	}
	return f.explain(fn(f.connection))
}

// leastSize is the size of the smallest page that SQLite knows, in bytes.
const leastSize = 512

// isSame returns an *Unusable if the file that is open is no longer the one of its path, or has been emptied. If a
// session were deleted or replaced while it is in use, later runs would get a second budget. The
// file stays open, so that no other file gets its inode.
func (f *Session) isSame() error {
	now, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &session.Unusable{Path: f.path, Reason: "was deleted while it was in use"}
	case err != nil:
		return f.explain(err)
	case !os.SameFile(now, f.opened):
		return &session.Unusable{Path: f.path, Reason: "was replaced while it was in use"}
	case now.Size() < leastSize:
		return &session.Unusable{Path: f.path, Reason: "was truncated while it was in use"}
	}
	return nil
}

// Usable returns what makes it impossible to keep something in the file, as far as that shows before it is tried. It
// changes nothing: a file that is not there is not made.
func (f *Session) Usable() error { return f.explain(f.usable()) }

func (f *Session) usable() error {
	if err := f.checkDirectory(); err != nil {
		return err
	}
	_, err := os.Stat(f.path)
	if err == nil {
		err = f.inspect(true)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	dir := filepath.Dir(f.path) // where SQLite puts files beside it
	for parent := filepath.Dir(dir); f.settings.MakeDirectory &&
		parent != dir; dir, parent = parent, filepath.Dir(parent) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err := writable(dir); err != nil {
		return &fs.PathError{Op: "access", Path: dir, Err: err}
	}
	return nil
}

func (f *Session) open(create bool) (*connection, error) {
	if err := f.checkDirectory(); err != nil {
		return nil, err
	}
	useFileLocks() // inspect opens and closes the file, perhaps beside another File of this process
	if create {
		if err := f.touch(); err != nil {
			return nil, err
		}
	}
	if err := f.inspect(create); err != nil {
		return nil, err
	}
	c, err := f.connect(false)
	if resultCode(err) == sqlite3.SQLITE_FULL && !create {
		return f.connect(true)
	}
	return c, err
}

// connect opens and checks a file that is there.
func (f *Session) connect(alone bool) (*connection, error) {
	c, err := connect(f.path, f.wait(), alone)
	if err != nil {
		return nil, err
	}
	if err := f.prepare(c); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// checkDirectory refuses a directory of kfw's own, one that it would make, in which others could
// replace the file. So could they if they can replace the directory: the one above it must not be
// writable for everybody, except one such as /tmp, where each can replace only what is theirs.
func (f *Session) checkDirectory() error {
	if !f.settings.MakeDirectory {
		return nil
	}
	const group, others = 0o020, 0o002
	isOpen := func(dir string, to fs.FileMode) bool {
		info, err := os.Stat(dir) // what else is wrong with it shows when it is used
		return err == nil && safefile.IsOpen(info, to) && (info.Mode()&fs.ModeSticky == 0 || to&group != 0)
	}
	dir := filepath.Dir(f.path)
	if isOpen(dir, group|others) {
		return &session.Unusable{Path: f.path, Reason: "others can write its directory", OpenTo: dir}
	}
	if above := filepath.Dir(dir); isOpen(above, others) {
		return &session.Unusable{Path: f.path, Reason: "others can replace its directory", OpenTo: above}
	}
	return nil
}

// touch makes an empty file for its owner alone, if there is none. SQLite gives the files that it puts beside it the
// same mode.
func (f *Session) touch() error {
	if _, err := os.Stat(f.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if f.settings.MakeDirectory {
		if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(f.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil // another process was first
	case errors.Is(err, fs.ErrNotExist):
		return &session.Unusable{Path: f.path, Reason: "cannot be made: no such directory", NoDirectory: true}
	case err != nil:
		return err
	}
	return file.Close()
}

// inspect refuses what is not a session, before SQLite sees it. An empty file is a session in the making.
func (f *Session) inspect(create bool) error {
	// While others make the file, or bring it up to date as they close it, what is read here may be half of each.
	const triesAlone, triesBesideOthers, pause = 3, 200, 5 * time.Millisecond
	for try := 1; ; try++ {
		err := f.inspectHeader(create)
		if refused, ok := errors.AsType[*session.Unusable](err); !ok || refused.Cause != nil {
			return err
		}
		if try >= triesBesideOthers || try >= triesAlone && !f.beside("-journal") && !f.beside("-wal") {
			return err
		}
		time.Sleep(pause)
	}
}

// inspectHeader reads SQLite's file header (https://www.sqlite.org/fileformat2.html#the_database_header).
func (f *Session) inspectHeader(create bool) error {
	info, err := os.Stat(f.path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return f.refused("is a directory")
	case !info.Mode().IsRegular():
		return f.refused("is not a regular file")
	}
	file, err := os.OpenFile(f.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	var header [100]byte
	n, err := file.ReadAt(header[:], 0)
	if closed := file.Close(); closed != nil {
		return closed
	}
	// A file that is empty, or was when whoever was making it died: then SQLite will take back what there is.
	unmade := n == 0 && info.Size() == 0 || header == [100]byte{} && f.beside("-journal")
	if unmade {
		if !create {
			return &fs.PathError{Op: "open", Path: f.path, Err: fs.ErrNotExist}
		}
		return nil
	}
	if n < len(header) || err != nil {
		return f.refused("is not a session file")
	}
	const magic, page, pages, version, application = "SQLite format 3\x00", 16, 28, 60, 68
	if string(header[:len(magic)]) != magic || binary.BigEndian.Uint32(header[application:]) != applicationID {
		return f.refused("is not a session file")
	}
	if err := f.acceptVersion(int(binary.BigEndian.Uint32(header[version:]))); err != nil {
		return err
	}
	pageSize := int64(binary.BigEndian.Uint16(header[page:]))
	whole := info.Size()%max(pageSize, leastSize) == 0 &&
		info.Size() >= pageSize*int64(binary.BigEndian.Uint32(header[pages:]))
	if !whole && !f.beside("-wal") && !f.beside("-journal") { // which may hold what the file itself does not
		return f.refused("is damaged: it has lost its end")
	}
	return nil
}

// beside reports whether SQLite has put a file with this suffix beside the session file.
func (f *Session) beside(suffix string) bool {
	_, err := os.Stat(f.path + suffix)
	return err == nil
}

func (f *Session) acceptVersion(version int) error {
	if version > schemaVersion {
		return f.refused(fmt.Sprintf("was made by a newer kfw (schema %d, this one knows %d)", version, schemaVersion))
	}
	return nil
}

// prepare makes the tables of a new file and checks those of an old one.
func (f *Session) prepare(c *connection) error {
	version, err := c.version()
	if err != nil {
		return err
	}
	if version == 0 {
		if err := os.Chmod(f.path, 0o600); err != nil { // an empty file may be older than this
			return err
		}
		if err := c.patiently(func() error { return c.makeTables(f.settings.OrDefault()) }); err != nil {
			return err
		}
	} else if err := f.acceptVersion(version); err != nil {
		return err
	}
	err = c.patiently(func() error {
		var mode string
		if _, err := c.one([]any{&mode}, "PRAGMA journal_mode = WAL"); err != nil {
			return err
		}
		if mode != "wal" {
			return f.refused("is on a file system that cannot be shared by processes")
		}
		return nil
	})
	if err == nil && version > 0 && version < schemaVersion {
		err = c.transaction(true, func() error { return f.upgrade(c) })
	}
	if err != nil {
		return err
	}
	return f.checkLayout(c)
}

// layoutSum is the SHA-256 of what layout returns for a file that kfw has made.
const layoutSum = "72ab103d068745f75a5c571fadbaeeff197c14f3287bff522147949cf4e62f90"

// checkLayout refuses a file that has other tables, indexes, triggers or views than kfw makes: a trigger could change
// the ledger behind its back.
func (f *Session) checkLayout(c *connection) error {
	layout, err := c.layout()
	if err != nil {
		return err
	}
	if sum := sha256.Sum256([]byte(layout)); hex.EncodeToString(sum[:]) != layoutSum {
		return f.refused("is not a session file: it has other tables or triggers than kfw makes")
	}
	return nil
}

// layout returns what the tables, indexes, triggers and views of a file are, a line each: of a table its columns, in
// any order.
func (c *connection) layout() (string, error) {
	var all strings.Builder
	err := c.patiently(func() error {
		all.Reset()
		for row, err := range c.rows(`SELECT m.name || ' ' || p.name || ' ' || p.type || ' ' || p."notnull" || ' ' ||
			p.pk || ' ' || p.hidden || ' ' || coalesce(p.dflt_value, 'none') || ' ' || l.strict || ' ' || l.type
			FROM sqlite_schema m, pragma_table_xinfo(m.name) p, pragma_table_list(m.name) l WHERE m.type = 'table'
			UNION SELECT coalesce(sql, type || ' ' || name) FROM sqlite_schema WHERE type <> 'table'`) {
			if err != nil {
				return err
			}
			var line string
			if err := row.scan(&line); err != nil {
				return err
			}
			all.WriteString(line + "\n")
		}
		return nil
	})
	return all.String(), err
}

// upgrades are the scripts that bring a file from each version to the next one, from version 1 on.
func upgrades() [schemaVersion - 1]string {
	return [...]string{
		`ALTER TABLE session ADD COLUMN counting TEXT NOT NULL DEFAULT '';
		ALTER TABLE invocation ADD COLUMN counting TEXT NOT NULL DEFAULT ''`,
		`ALTER TABLE invocation ADD COLUMN held_until INTEGER`,
		`ALTER TABLE handle ADD COLUMN result BLOB;
		ALTER TABLE handle ADD COLUMN call BLOB;
		ALTER TABLE handle ADD COLUMN entry INTEGER;
		CREATE INDEX handle_result ON handle (result) WHERE result IS NOT NULL;
		CREATE INDEX handle_call ON handle (call) WHERE call IS NOT NULL`,
		`SELECT 'nothing: blocks that are packed another way say so themselves'`,
		`ALTER TABLE handle ADD COLUMN format TEXT NOT NULL DEFAULT ''`,
		`ALTER TABLE handle ADD COLUMN asked BLOB;
		ALTER TABLE handle ADD COLUMN lines_of BLOB;
		ALTER TABLE handle ADD COLUMN lines BLOB;
		CREATE INDEX handle_lines ON handle (lines_of) WHERE lines_of IS NOT NULL`,
	}
}

// upgrade brings a file of an earlier version up to date, unless another process has done it.
func (f *Session) upgrade(c *connection) error {
	version, err := c.version()
	if err != nil {
		return err
	}
	if version < 1 {
		return session.ErrDamaged
	}
	if err := f.acceptVersion(version); err != nil {
		return err
	}
	for ; version < schemaVersion; version++ {
		if err := c.script(fmt.Sprintf("%s; PRAGMA user_version = %d", upgrades()[version-1], version+1)); err != nil {
			return err
		}
	}
	return nil
}

func (c *connection) version() (version int, err error) {
	err = c.patiently(func() error {
		_, err := c.one([]any{&version}, "PRAGMA user_version")
		return err
	})
	return version, err
}

// makeTables fills an empty file, unless another process was first. It is one transaction with a rollback journal:
// the header that inspect reads is in the file itself from the start, and is a session's from the first byte.
func (c *connection) makeTables(s session.Settings) error {
	err := c.script("BEGIN; PRAGMA auto_vacuum = INCREMENTAL") // which is possible in an empty file only, and writes
	var version int
	if err == nil {
		version, err = c.version()
	}
	if err == nil && version == 0 {
		err = c.script(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d; %s", applicationID,
			schemaVersion, schema))
	}
	if err == nil && version == 0 {
		err = c.exec(`INSERT INTO session (id, total_tokens, used_tokens, handles_named, handle_ttl_ms, store_max_bytes, stored_bytes,
			saved_tokens, created_at) VALUES (1, ?, 0, 0, ?, ?, 0, 0, ?)`,
			s.Total, s.TTL.Milliseconds(), s.StoreMax, time.Now().UnixMilli())
	}
	if err == nil {
		err = c.script("COMMIT")
	}
	if err != nil {
		_ = c.script("ROLLBACK") // nothing to do where SQLite has done it already
	}
	return err
}

func (f *Session) refused(reason string) error {
	return &session.Unusable{Path: f.path, Reason: reason}
}

// explain turns an error of SQLite or of the system into what it means for this file. None quotes what the file
// holds.
func (f *Session) explain(err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, ok := errors.AsType[*session.Unusable](err); ok {
		return err
	}
	var reason string
	isFull := false
	switch code := resultCode(err); {
	case code == sqlite3.SQLITE_CORRUPT, code == sqlite3.SQLITE_NOTADB, code == sqlite3.SQLITE_FORMAT,
		code == sqlite3.SQLITE_ERROR, code == sqlite3.SQLITE_MISMATCH, code == sqlite3.SQLITE_CONSTRAINT,
		errors.Is(err, session.ErrDamaged):
		reason = "is damaged"
	case code == sqlite3.SQLITE_FULL, fault.IsFull(err):
		reason, isFull = "cannot grow: the disk is full", true
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE),
		code == sqlite3.SQLITE_CANTOPEN && outOfFiles():
		reason = "cannot be opened: too many open files"
	case code == sqlite3.SQLITE_READONLY, code == sqlite3.SQLITE_PERM, code == sqlite3.SQLITE_CANTOPEN,
		code == sqlite3.SQLITE_AUTH, errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		reason = "cannot be opened for writing: no permission, or a file system that is read-only or full"
	case code == sqlite3.SQLITE_BUSY, code == sqlite3.SQLITE_PROTOCOL:
		reason = fmt.Sprintf("has been locked by another process for %v", f.wait())
	case code == sqlite3.SQLITE_IOERR:
		reason = "cannot be read or written: input or output error"
	case code != 0:
		reason = fmt.Sprintf("cannot be used: SQLite reports error %d", code)
	default:
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			reason = "cannot be opened: " + e.Err.Error()
			break
		}
		return err
	}
	return &session.Unusable{Path: f.path, Reason: reason, NoSpace: isFull, Cause: err}
}
