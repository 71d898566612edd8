//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNoPermission gives kfw a session that belongs to somebody else. It says so, writes nothing and changes nothing.
func TestNoPermission(t *testing.T) {
	state := t.TempDir()
	made := kfw(t, state, "stream", "--session", "s.kfw")
	made.Stdin = strings.NewReader("a line\n")
	made.run(t, 0)
	session := filepath.Join(state, "s.kfw")
	before, err := os.ReadFile(session)
	if err != nil {
		t.Fatal(err)
	}

	p := kfw(t, state, "stream", "--session", session)
	p.Stdin = strings.NewReader("a line\n")
	if os.Geteuid() == 0 {
		p.asNobody(t)
	} else if err := os.Chmod(session, 0); err != nil {
		t.Fatal(err)
	}
	if out := p.run(t, 123); out != "" {
		t.Errorf("stdout: %q", out)
	}
	if !strings.HasPrefix(p.errs.String(), "kfw: "+session+": ") || !strings.Contains(p.errs.String(), "permission") {
		t.Errorf("stderr: %q", p.errs.String())
	}
	if err := os.Chmod(session, 0o600); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(session); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the session was changed: %v", err)
	}
}

// TestNoPlaceForHandles gives kfw a default store that can't be made. What fits passes. Of what
// does not, nothing is left out without a word.
func TestNoPlaceForHandles(t *testing.T) {
	dir := t.TempDir()
	state := filepath.Join(dir, "state")
	run := func(status int, args ...string) *process {
		p := kfw(t, dir, args...)
		p.Env = append(p.Env, "XDG_STATE_HOME="+state)
		if os.Geteuid() == 0 {
			p.asNobody(t)
		} else if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		p.run(t, status)
		return p
	}
	p := run(0, "stream", "--", "echo", "started")
	if out := p.out.String(); !strings.Contains(out, `"data":"started"`) || p.errs.Len() > 0 {
		t.Errorf("stdout: %q, stderr: %q", out, p.errs.String())
	}
	p = run(123, "stream", "--budget", "200", "--", "seq", "3000")
	if out := p.out.String(); !strings.Contains(out, `"error":{"code":"session_unusable"`) ||
		strings.Contains(out, `"handle"`) {
		t.Errorf("stdout: %q", out)
	}
	if said := p.errs.String(); !strings.HasPrefix(said, "kfw: "+filepath.Join(state, "kfw", "default.kfw")+": ") ||
		!strings.Contains(said, "permission") {
		t.Errorf("stderr: %q", said)
	}
	p = run(123, "stream", "--budget", "200", "--format", "text", "--", "seq", "3000")
	if out := p.out.String(); !strings.Contains(out, "; not whole: session_unusable (exit 123): ") ||
		!strings.Contains(out, "\n3000: 3000\n") || strings.Contains(out, "kfw expand") {
		t.Errorf("stdout: %q", out)
	}
}

// TestNoPermissionForSettings gives kfw a home of somebody else. What its kfw.yaml may say is not
// left out of account.
func TestNoPermissionForSettings(t *testing.T) {
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	p := kfw(t, dir, "stream", "--", "echo", "started")
	p.Env = append(p.Env, "HOME="+home)
	if os.Geteuid() == 0 {
		p.asNobody(t)
	} else if err := os.Chmod(home, 0); err != nil {
		t.Fatal(err)
	}
	out, said := p.run(t, 2), "kfw: "+home+
		"/.config/kfw/kfw.yaml: permission denied\nhint: make it readable, or set XDG_CONFIG_HOME"
	if out != "" || !strings.HasPrefix(p.errs.String(), said) {
		t.Errorf("stdout: %q, stderr: %q", out, p.errs.String())
	}
	if err := os.Chmod(home, 0o700); err != nil {
		t.Fatal(err)
	}
}

// asNobody runs p without the rights of root, which everything is permitted to: as a copy where others can reach it.
func (p *process) asNobody(t *testing.T) {
	t.Helper()
	const nobody = 65534
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	from, err := os.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	p.Path = filepath.Join(p.Dir, "kfw")
	to, err := os.OpenFile(p.Path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{p.Dir, filepath.Dir(p.Dir)} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}
