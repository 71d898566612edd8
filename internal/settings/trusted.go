package settings

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/safefile"
	"github.com/kfw-dev/kfw/internal/trust"
)

// NoConfigFlag is the name of the flag without which kfw.yaml is read.
const NoConfigFlag = "no-config"

// TrustStore returns the store below the state directory. It fails if the user has no home directory.
func TrustStore() (trust.Store, error) {
	dir, err := stateDir()
	if without, ok := errors.AsType[*NoStore](err); ok {
		err = fault.WithHint(fmt.Errorf("no place for what is trusted: %w", without.cause),
			"set HOME or XDG_STATE_HOME")
	}
	return trust.Store{Dir: filepath.Join(dir, "trust")}, err
}

// isTrusted reports whether the user has said that a kfw.yaml in the working directory counts. Without a place for that
// none does.
func isTrusted(file *File) (bool, error) {
	store, err := TrustStore()
	if err != nil {
		return false, nil
	}
	real, err := trust.Real(filepath.Dir(file.path))
	if err != nil {
		return false, err
	}
	return store.Has(real, file.Digest())
}

// Digest returns the digest of a file and of all files that it names by a relative path. What is not a regular file
// counts by its name alone.
func (y *File) Digest() string {
	all := []trust.Content{{Name: FileName, Bytes: y.data}}
	for _, name := range y.named {
		all = append(all, trust.Content{Name: name, Bytes: digestOf(besideFile(y.path, name))})
	}
	return trust.Digest(all)
}

// digestOf returns the SHA-256 of a regular file. It returns nil for any other file, and for one that cannot be read.
func digestOf(path string) []byte {
	file, err := safefile.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close() // nothing was written
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return nil
	}
	return h.Sum(nil)
}
