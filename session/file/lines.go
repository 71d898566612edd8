package file

import (
	"errors"
	"io/fs"
	"time"

	"github.com/kfw-dev/kfw/session"
)

// Give records that the reader has what was shown of a response, after CommitShown. It records
// nothing if there was a Reset since. Until it is called, no line counts as shown.
func (f *Session) Give(g session.Given) error {
	number, err := g.Number()
	if err != nil {
		return err
	}
	return f.existing(func(c *connection) error {
		return c.transaction(false, func() error {
			err := c.exec(`UPDATE handle SET asked = iif(asked IS NULL, NULL, ?1), lines_of = ?2, lines = ?3
				WHERE number = ?4 AND result IS NOT NULL AND state = 'complete'`, g.Asked, g.Of, g.PackedLines(), number)
			for _, id := range g.As {
				if err != nil {
					return err
				}
				number, _ := session.HandleNumber(id)
				err = c.exec("UPDATE handle SET last_used_at = ? WHERE number = ? AND gone_at IS NULL",
					time.Now().UnixMilli(), number)
			}
			return err
		})
	})
}

// ShownLines returns the lines that the reader has since the last Reset, those recognized by of: the handle that was
// shown last with each, by the hash of the line. Handles that are gone have none.
func (f *Session) ShownLines(of []byte) (map[uint64]string, error) {
	all := session.LinesShown{By: make(map[uint64]string)}
	err := f.existing(func(c *connection) error {
		for row, err := range c.rows(`SELECT number, lines FROM handle WHERE lines_of = ?1 AND lines IS NOT NULL
			AND state = 'complete' AND last_used_at + ttl_ms > ?2 ORDER BY number DESC`, of, time.Now().UnixMilli()) {
			if err != nil {
				return err
			}
			var number int64
			var lines []byte
			if err := row.scan(&number, &lines); err != nil {
				return err
			}
			if !all.Add(number, lines) {
				return nil
			}
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return all.By, err
}

// toInt is a boolean as SQLite has it.
func toInt(is bool) int {
	if is {
		return 1
	}
	return 0
}
