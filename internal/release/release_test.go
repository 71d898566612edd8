// Package release has what is around a release: how it is installed, and the packages that goreleaser does not make.
// The tests here try them as a user would.
package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// program is what stands for kfw: it says its arguments.
const program = "#!/bin/sh\necho \"kfw $*\"\nexit 7\n"

// released writes a release, as goreleaser names things, and returns its address.
func released(t *testing.T) (base, archive string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "latest", "download")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	w := tar.NewWriter(z)
	for name, text := range map[string]string{"kfw": strings.Replace(program, "exit 7", "exit 0", 1),
		"man/kfw.1.gz":         "m",
		"completions/kfw.bash": "b", "completions/_kfw": "z", "completions/kfw.fish": "f"} {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	name := "kfw_1.2.3_" + runtime.GOOS + "_" + runtime.GOARCH + ".tar.gz"
	archive = filepath.Join(dir, name)
	sums := fmt.Sprintf("%x  %s\n", sha256.Sum256(packed.Bytes()), name)
	for path, content := range map[string]string{archive: packed.String(), filepath.Join(dir, "checksums.txt"): sums} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return "file://" + filepath.Dir(filepath.Dir(dir)), archive
}

// TestInstall: install.sh installs what the checksums say, and nothing else.
func TestInstall(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("there is no curl, which reads files as if they were released")
	}
	base, archive := released(t)
	prefix := t.TempDir()
	install := func(prefix string) (string, error) {
		c := exec.Command("sh", "install.sh")
		c.Env = append(os.Environ(), "KFW_BASE_URL="+base, "KFW_PREFIX="+prefix)
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := install(prefix); err != nil || !strings.Contains(out, "kfw version\n") {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"bin/kfw", "share/man/man1/kfw.1.gz", "share/bash-completion/completions/kfw",
		"share/zsh/site-functions/_kfw", "share/fish/vendor_completions.d/kfw.fish"} {
		if _, err := os.Stat(filepath.Join(prefix, name)); err != nil {
			t.Error(err)
		}
	}
	content, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(archive, append(content, 0), 0o600); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	out, err := install(other)
	if left, readErr := os.ReadDir(other); err == nil || !strings.Contains(out, "nothing was installed") ||
		readErr != nil || len(left) > 0 {
		t.Errorf("%v, %d files: %s", err, len(left), out)
	}
}

// TestNpm: the packages are installed by npm without a script, and start the program with its status.
func TestNpm(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("there is no npm")
	}
	dist, out, home := t.TempDir(), t.TempDir(), t.TempDir()
	dir := filepath.Join(dist, "kfw_"+runtime.GOOS+"_"+runtime.GOARCH+"_v1")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kfw"), []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(dir, name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir = dir
		said, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", name, err, said)
		}
		return string(said)
	}
	run(".", "go", "run", "./npm", dist, "1.2.3", out)
	packages, err := filepath.Glob(filepath.Join(out, "kfw*"))
	if err != nil || len(packages) != 2 {
		t.Fatalf("%v, %v", packages, err)
	}
	args := []string{"install", "--silent", "--offline", "--no-audit", "--no-fund", "--prefix", home}
	for _, path := range packages {
		run(path, "npm", "pack", "--silent")
		packed, err := filepath.Glob(filepath.Join(path, "*.tgz"))
		if err != nil || len(packed) != 1 {
			t.Fatalf("%v, %v", packed, err)
		}
		args = append(args, packed[0])
	}
	run(home, "npm", args...)
	c := exec.Command(filepath.Join(home, "node_modules", ".bin", "kfw"), "a b", "c")
	said, _ := c.CombinedOutput()
	if string(said) != "kfw a b c\n" || c.ProcessState.ExitCode() != 7 {
		t.Errorf("status %d: %s", c.ProcessState.ExitCode(), said)
	}
	checkRegistered(t, filepath.Join(out, "server.json"), filepath.Join(home, "node_modules", "@kfw-dev", "kfw"))
}

// checkRegistered: server.json has the form of the MCP registry, and names the package, which names the entry.
func checkRegistered(t *testing.T, path, installed string) {
	t.Helper()
	var entry struct {
		Name, Description, Version string
		Packages                   []struct {
			RegistryType, Identifier, Version string
			PackageArguments                  []struct{ Value string }
		}
	}
	var manifest struct{ Name, Version, MCPName string }
	for path, into := range map[string]any{path: &entry, filepath.Join(installed, "package.json"): &manifest} {
		text, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(entry.Packages) != 2 || len(entry.Description) > 100 || manifest.MCPName != entry.Name {
		t.Fatalf("%+v, %+v", entry, manifest)
	}
	npm, image := entry.Packages[0], entry.Packages[1]
	if npm.Identifier != manifest.Name || npm.Version != manifest.Version || entry.Version != manifest.Version ||
		image.Identifier != "ghcr.io/kfw-dev/kfw:"+manifest.Version || image.Version != "" {
		t.Errorf("%+v, %+v", entry, manifest)
	}
	for _, p := range entry.Packages {
		if p.PackageArguments[0].Value != "mcp" {
			t.Errorf("%s starts %s", p.Identifier, p.PackageArguments[0].Value)
		}
	}
}

// TestDocuments: each document is in the archives and in the packages.
func TestDocuments(t *testing.T) {
	var config struct {
		Archives []struct{ Files []struct{ Src string } }
		NFPMs    []struct{ Contents []struct{ Src string } }
	}
	text, err := os.ReadFile("../../goreleaser.yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &config)
	}
	if err != nil || len(config.Archives) != 1 || len(config.NFPMs) != 1 {
		t.Fatalf("%v: %+v", err, config)
	}
	patterns := map[string][]string{"archives": {}, "packages": {}}
	for _, f := range config.Archives[0].Files {
		patterns["archives"] = append(patterns["archives"], f.Src)
	}
	for _, f := range config.NFPMs[0].Contents {
		patterns["packages"] = append(patterns["packages"], f.Src)
	}
	documents := 0
	err = fs.WalkDir(os.DirFS("../.."), "docs", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		documents++
		for kind, all := range patterns {
			if !slices.ContainsFunc(all, func(p string) bool { ok, _ := path.Match(p, name); return ok }) {
				t.Errorf("%s is not in the %s", name, kind)
			}
		}
		return nil
	})
	if err != nil || documents < 20 {
		t.Errorf("%d documents, %v", documents, err)
	}
}

// TestFiles: the definitions for GitHub and pre-commit can be read, and a release attests what its checksums name. A
// script of the program has the same calls.
func TestFiles(t *testing.T) {
	var action struct {
		Runs struct {
			Steps []struct{ Run, Uses, Shell string }
		}
	}
	var hooks []struct{ ID, Language, Entry string }
	for path, into := range map[string]any{"../../.github/actions/redact/action.yml": &action,
		"../../.pre-commit-hooks.yaml": &hooks} {
		text, err := os.ReadFile(path)
		if err == nil {
			err = yaml.Unmarshal(text, into)
		}
		if err != nil {
			t.Fatal(path, err)
		}
	}
	var workflow struct {
		Jobs struct {
			Release struct {
				Permissions map[string]string
				Steps       []struct {
					Uses string
					With map[string]string
				}
			}
		}
	}
	text, err := os.ReadFile("../../.github/workflows/release.yml")
	if err == nil {
		err = yaml.Unmarshal(text, &workflow)
	}
	if err != nil || len(workflow.Jobs.Release.Steps) == 0 {
		t.Fatal(err, workflow)
	}
	release := workflow.Jobs.Release
	last := release.Steps[len(release.Steps)-1]
	if !strings.HasPrefix(last.Uses, "actions/attest@") || last.With["subject-checksums"] != "./dist/checksums.txt" ||
		release.Permissions["attestations"] != "write" || release.Permissions["id-token"] != "write" {
		t.Errorf("nothing is attested: %+v", release)
	}
	for _, h := range hooks {
		if h.ID == "" || h.Language != "golang" || !strings.HasPrefix(h.Entry, "kfw redact --check") {
			t.Errorf("a hook of pre-commit: %+v", h)
		}
	}
	for _, s := range action.Runs.Steps {
		if s.Run == "" == (s.Uses == "") || s.Run != "" && s.Shell == "" {
			t.Errorf("a step of the action: %+v", s)
		}
	}
}
