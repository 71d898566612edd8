package settings

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/kfw-dev/kfw/internal/fault"
)

// ReadFile reads a regular file of at most this many bytes. Its errors do not name the file.
func ReadFile(path string, most int) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fault.WithoutPath(err)
	}
	if !info.Mode().IsRegular() { // which reading could wait for
		return nil, errors.New("not a regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fault.WithoutPath(err)
	}
	defer file.Close() // nothing was written
	return ReadAll(file, most)
}

// ReadAll reads all of in, which may be this many bytes.
func ReadAll(in io.Reader, most int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, int64(most)+1))
	if err != nil {
		return nil, fault.WithoutPath(err)
	}
	if len(data) > most {
		return nil, fmt.Errorf("larger than %d bytes", most)
	}
	return data, nil
}
