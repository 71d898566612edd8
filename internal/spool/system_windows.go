package spool

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// passing returns a file that is gone when it is closed: an open file keeps its name here, and the system deletes this
// one when its last handle is closed. No other process can open it until then.
func passing(file *os.File) (*os.File, error) {
	name := file.Name()
	err := file.Close()
	if err == nil {
		file, err = os.OpenFile(name, os.O_RDWR|windows.FILE_FLAG_DELETE_ON_CLOSE, 0o600)
	}
	if err != nil {
		return nil, errors.Join(err, os.Remove(name))
	}
	return file, nil
}
