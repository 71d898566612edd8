package session

import (
	"errors"
	"time"
)

// connect opens an existing file with the settings of this package.
func connect(path string, wait time.Duration) (*connection, error) {
	c, err := openConnection(path, wait)
	if err != nil {
		return nil, err
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

func (c *connection) begin() error { return c.exec("BEGIN IMMEDIATE") }
