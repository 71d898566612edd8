//go:build unix

package spool

import (
	"errors"
	"os"
)

// passing returns a file that is gone when it is closed: it loses its name at once.
func passing(file *os.File) (*os.File, error) {
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
