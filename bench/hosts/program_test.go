package hosts

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	mostFetch = 5 * time.Minute   // for one package
	mostRun   = 120 * time.Second // for one run of a program
)

// program is an executable file in a package of the npm registry. None of its packages has
// dependencies.
type program struct {
	spec      string // name and version
	integrity string // SHA-512 of the archive, as the registry writes it
	path      string // in the archive
}

var npmCode = regexp.MustCompile(`npm (?:error|ERR!) code (\w+)`)

// fetch returns the path of the executable file. It keeps packages below the user's cache
// directory, and runs none of their scripts. It skips the test if the package can't be fetched. A
// package that is not the pinned one fails the test.
func (p program) fetch(t *testing.T) string {
	t.Helper()
	if platform := runtime.GOOS + "/" + runtime.GOARCH; platform != "linux/amd64" {
		t.Skipf("not run: %s is a program for linux/amd64, and this is %s", p.spec, platform)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("not run: there is no cache directory for %s: %v", p.spec, err)
	}
	cache = filepath.Join(cache, "kfw-bench")
	dir := filepath.Join(cache, strings.ReplaceAll(p.spec, "/", "+"))
	if _, err := os.Stat(dir); err == nil {
		return filepath.Join(dir, p.path)
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	temp, err := os.MkdirTemp(cache, "new-*")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(temp)
	archive := p.pack(t, temp)
	if err := p.verify(archive); err != nil {
		t.Fatalf("%s: %v", p.spec, err)
	}
	unpacked := filepath.Join(temp, "unpacked")
	if err := unpack(archive, unpacked); err != nil {
		t.Fatalf("%s: %v", p.spec, err)
	}
	if err := os.Rename(unpacked, dir); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, p.path)
}

// pack has npm write the archive of the package into dir, and returns its path.
func (p program) pack(t *testing.T, dir string) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skipf("not run: %s comes from npm, which is not installed", p.spec)
	}
	ctx, cancel := context.WithTimeout(t.Context(), mostFetch)
	defer cancel()
	command := exec.CommandContext(ctx, npm, "pack", "--ignore-scripts", "--loglevel=error", "--update-notifier=false",
		"--fetch-retries=1", "--cache", filepath.Join(dir, "npm"), "--pack-destination", dir, p.spec)
	command.Dir = dir
	said, err := output(command, dir)
	if err != nil {
		code := "none"
		if m := npmCode.FindStringSubmatch(said); m != nil {
			code = m[1]
		}
		// The registry has another package than the pinned one.
		if code == "EINTEGRITY" {
			t.Fatalf("npm pack %s: %s", p.spec, code)
		}
		t.Skipf("not run: npm can't fetch %s: %v, error code %s", p.spec, err, code)
	}
	archives, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(archives) != 1 {
		t.Fatalf("npm pack %s: %d archives, %v", p.spec, len(archives), err)
	}
	return archives[0]
}

// verify reports an archive that is not the pinned one.
func (p program) verify(archive string) error {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha512.New()
	if _, err := io.Copy(sum, file); err != nil {
		return err
	}
	if got := "sha512-" + base64.StdEncoding.EncodeToString(sum.Sum(nil)); got != p.integrity {
		return fmt.Errorf("the archive has %s, want %s", got, p.integrity)
	}
	return nil
}

// unpack writes the files of an archive of npm into a new directory. Nothing is written outside of
// it.
func unpack(archive, dir string) (err error) {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for files := tar.NewReader(plain); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		if err := write(root, header, files); err != nil {
			return err
		}
	}
}

func write(root *os.Root, header *tar.Header, content io.Reader) error {
	name := filepath.FromSlash(header.Name)
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644|header.FileInfo().Mode()&0o111)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}

// output runs a command and returns all that it writes. The command has no terminal, and a process
// group of its own, of which no process is left when output returns. The output goes to a file in
// dir: a pipe would stay open as long as a child does.
func output(command *exec.Cmd, dir string) (string, error) {
	file, err := os.CreateTemp(dir, "output-*")
	if err != nil {
		return "", err
	}
	defer file.Close()
	command.Stdout, command.Stderr = file, file
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	kill := func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.Cancel = kill
	if err := command.Start(); err != nil {
		return "", err
	}
	err = command.Wait()
	_ = kill() // fails if no child is left
	said, readErr := os.ReadFile(file.Name())
	return string(said), errors.Join(err, readErr)
}
