// Package trust remembers which directories the user trusts, and with what in them.
//
// A directory is trusted by its real path and a digest of the files in it that the caller chooses.
// When one byte of these files changes, the directory is no longer trusted.
package trust

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kfw-dev/kfw/internal/safefile"
)

// Store is a directory with one file for each directory that is trusted, so that two programs that
// add at the same time lose nothing. It is made when something is added, for its owner alone.
type Store struct{ Dir string }

// Entry is a directory that is trusted.
type Entry struct {
	Dir    string    `json:"dir"`    // its real path
	Digest string    `json:"digest"` // of the chosen files, see the function Digest
	Since  time.Time `json:"since"`
}

// Insecure is the error for a store that somebody other than the user could have written.
type Insecure struct{ Path string }

// Error implements error.
func (e *Insecure) Error() string { return e.Path + ": others can write it" }

// Real returns the path by which a directory is known: absolute and without links.
func Real(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// Content is a file that counts: its name, as the file that names it has it, and its bytes.
type Content struct {
	Name  string
	Bytes []byte
}

// Digest returns the SHA-256 of names and contents in hexadecimal digits. Each is preceded by its
// length, so that no two lists of files have the same digest.
func Digest(all []Content) string {
	h := sha256.New()
	for _, c := range all {
		for _, part := range [...][]byte{[]byte(c.Name), c.Bytes} {
			h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
			h.Write(part)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Add trusts a directory, in the place of what was trusted there before.
func (s Store) Add(e Entry) error {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	if err := s.check(s.Dir); err != nil {
		return err
	}
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(s.Dir, "new-*") // made with O_EXCL, 0600
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = safefile.Rename(file.Name(), s.path(e.Dir))
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// Remove no longer trusts a directory. It returns false if that was not trusted.
func (s Store) Remove(dir string) (bool, error) {
	err := os.Remove(s.path(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Has reports whether a directory is trusted with that digest. It calls digest only if the directory is trusted with
// some digest: files of an untrusted directory are not read. It is false, with an *Insecure, if others can write the
// store.
func (s Store) Has(dir string, digest func() string) (bool, error) {
	if err := s.check(s.Dir); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		return false, err
	}
	e, err := s.read(s.path(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && e.Dir == dir && e.Digest == digest(), err
}

// List returns what is trusted, by the names of the directories.
func (s Store) List() (all []Entry, err error) {
	files, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = s.check(s.Dir)
	}
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ending) {
			continue
		}
		e, err := s.read(filepath.Join(s.Dir, f.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Entry) int { return strings.Compare(a.Dir, b.Dir) })
	return all, nil
}

const (
	ending    = ".json"
	mostBytes = 64 << 10 // of an entry
)

func (s Store) path(dir string) string {
	name := sha256.Sum256([]byte(dir))
	return filepath.Join(s.Dir, hex.EncodeToString(name[:])+ending)
}

func (s Store) read(path string) (e Entry, err error) {
	if err := s.check(path); err != nil {
		return e, err
	}
	data, err := safefile.Read(path, safefile.Limit{Bytes: mostBytes, Syntax: safefile.JSON})
	if err != nil {
		return e, fmt.Errorf("%s: %w", path, err)
	}
	if json.Unmarshal(data, &e) != nil {
		return e, fmt.Errorf("%s: not an entry of trust", path)
	}
	return e, nil
}

// check refuses what is a link, or what is not the user's alone to write.
func (s Store) check(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 || safefile.IsOpen(info, 0o022) || !safefile.IsOwn(info) {
		return &Insecure{path}
	}
	return nil
}
