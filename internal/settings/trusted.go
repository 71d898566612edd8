package settings

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/safefile"
	"github.com/kfw-dev/kfw/internal/trust"
	"github.com/kfw-dev/kfw/redact"
)

// RulesLimit is what a file of rules may be.
var RulesLimit = safefile.Limit{Bytes: 1 << 20, Syntax: safefile.TOML}

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
	return store.Has(real, file.Digest)
}

// Digest returns the digest of a file, of all files that it names by a relative path, and of the files that rules among
// these extend. What is not a regular file counts by its name alone.
func (y *File) Digest() string {
	all := []trust.Content{{Name: FileName, Bytes: y.data}}
	for _, name := range y.named {
		path := besideFile(y.path, name)
		all = append(all, trust.Content{Name: name, Bytes: digestOf(path)})
		if slices.Contains(y.Values["rules"].list, path) {
			all = append(all, y.extended(path)...)
		}
	}
	return trust.Digest(all)
}

// extended returns the files that a file of rules extends.
func (y *File) extended(path string) (all []trust.Content) {
	read := func(other string) ([]byte, error) {
		text, err := safefile.Read(other, RulesLimit)
		if name, relErr := filepath.Rel(filepath.Dir(y.path), other); other != path && relErr == nil {
			all = append(all, trust.Content{Name: name, Bytes: digestOf(other)})
		}
		return text, err
	}
	_, _ = redact.ReadRules(path, read, true) // whoever uses the rules finds out what is wrong with them
	return all
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
