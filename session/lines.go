package session

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"time"
)

// mostLines is how many lines that were shown are looked at, those shown last first.
const mostLines = 1 << 16

// Given is what the reader has of a response.
type Given struct {
	Handle string
	Asked  []byte   // of a response shown in part: a hash of the question to which it was
	Of     []byte   // what lines are recognized by: those with another are not compared
	Lines  []uint64 // a hash of each line that was shown
	As     []string // handles that the reader was referred to, which count as used
}

// Give records that the reader has what was shown of a response, after CommitShown. It records
// nothing if there was a Reset since. Until it is called, no line counts as shown.
func (f *File) Give(g Given) error {
	number, isNamed := handleNumber(g.Handle)
	if !isNamed {
		return errors.New("give: no such handle")
	}
	lines := make([]byte, 0, 8*len(g.Lines))
	for _, line := range g.Lines {
		lines = binary.BigEndian.AppendUint64(lines, line)
	}
	return f.existing(func(c *connection) error {
		return c.transaction(false, func() error {
			err := c.exec(`UPDATE handle SET asked = iif(asked IS NULL, NULL, ?1), lines_of = ?2, lines = ?3
				WHERE number = ?4 AND result IS NOT NULL AND state = 'complete'`, g.Asked, g.Of, lines, number)
			for _, id := range g.As {
				if err != nil {
					return err
				}
				number, _ := handleNumber(id)
				err = c.exec("UPDATE handle SET last_used_at = ? WHERE number = ? AND gone_at IS NULL",
					time.Now().UnixMilli(), number)
			}
			return err
		})
	})
}

// Lines returns the lines that the reader has since the last Reset, those recognized by of: the handle that was shown
// last with each, by the hash of the line. Handles that are gone have none.
func (f *File) Lines(of []byte) (map[uint64]string, error) {
	all := make(map[uint64]string)
	err := f.existing(func(c *connection) error {
		seen := 0
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
			id := handleID(number)
			for ; len(lines) >= 8; lines = lines[8:] {
				if line := binary.BigEndian.Uint64(lines); all[line] == "" {
					all[line] = id
				}
				seen++
			}
			if seen >= mostLines {
				return nil
			}
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return all, err
}

// toInt is a boolean as SQLite has it.
func toInt(is bool) int {
	if is {
		return 1
	}
	return 0
}
