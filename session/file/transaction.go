package file

import (
	"errors"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// connect opens an existing file with the settings of this package. alone keeps all others from it: then SQLite needs
// no memory that they share, for which there is no room on a full disk, and what is in the file can be read.
func connect(path string, wait time.Duration, alone bool) (*connection, error) {
	c, err := openConnection(path, wait)
	if err != nil {
		return nil, err
	}
	if alone {
		if err := c.script("PRAGMA locking_mode = EXCLUSIVE"); err != nil { // the first of all, or it comes too late
			return nil, errors.Join(err, c.close())
		}
	}
	// Few pages in memory, none mapped, no functions run on behalf of the schema.
	if err := c.script(`
		PRAGMA trusted_schema = OFF;
		PRAGMA cache_size = -64;
		PRAGMA mmap_size = 0;
		PRAGMA temp_store = MEMORY;
		PRAGMA synchronous = NORMAL`); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// transaction runs fn alone among all writers of the file. With sync it returns only when the disk has what was
// written; without, what was written survives the death of this process, not a power failure.
func (c *connection) transaction(sync bool, fn func() error) error {
	if sync != c.synced {
		mode := "PRAGMA synchronous = NORMAL"
		if sync {
			mode = "PRAGMA synchronous = FULL"
		}
		if err := c.script(mode); err != nil {
			return err
		}
		c.synced = sync
	}
	if err := c.patiently(c.begin); err != nil {
		return err
	}
	err := fn()
	if err == nil {
		err = c.exec("COMMIT")
	}
	if err != nil {
		// After some errors (a full disk) SQLite has rolled back by itself, and all this says is so.
		_ = c.exec("ROLLBACK")
	}
	return err
}

// reading is a transaction that is of use even if the disk is full: what fn wrote is rolled back then, and fn is called
// once more to read.
func (c *connection) reading(sync bool, fn func() error) error {
	err := c.transaction(sync, fn)
	if resultCode(err) != sqlite3.SQLITE_FULL {
		return err
	}
	if err := c.patiently(c.begin); err != nil {
		return err
	}
	err = fn()
	_ = c.exec("ROLLBACK")
	return err
}

func (c *connection) begin() error { return c.exec("BEGIN IMMEDIATE") }
