//go:build unix

// Package testpg starts PostgreSQL servers, and pools in front of them, for tests. They listen on a socket in a
// directory of their own, and end with the test binary. A test that needs one is skipped where none is installed.
package testpg

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// User is the superuser of the servers.
const User = "kfw"

// port is the one in the name of the socket.
const port = "5432"

// patience is how long a program may take to start.
const patience = time.Minute

// Server is a server that runs.
type Server struct {
	Dir     string // of its socket
	data    string
	program string
	owner   *syscall.Credential // nil for the user that runs the tests
	options []string
	process *exec.Cmd
}

var shared struct {
	sync.Mutex
	server *Server
	bounce *Bouncer
}

// Main runs the tests of a package, and then stops what they share.
func Main(m *testing.M) int {
	status := m.Run()
	Stop()
	return status
}

// Stop ends what tests share.
func Stop() {
	shared.Lock()
	defer shared.Unlock()
	if shared.bounce != nil {
		shared.bounce.Close()
	}
	if shared.server != nil {
		shared.server.Close()
	}
	shared.bounce, shared.server = nil, nil
}

// Shared returns the server that all tests of a package use.
func Shared(t testing.TB) *Server {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil {
		shared.server = start(t)
	}
	return shared.server
}

// New returns a server for one test.
func New(t testing.TB, options ...string) *Server {
	t.Helper()
	s := start(t, options...)
	t.Cleanup(s.Close)
	return s
}

// Pool returns the pool in front of the shared server.
func Pool(t testing.TB) *Bouncer {
	t.Helper()
	s := Shared(t)
	shared.Lock()
	defer shared.Unlock()
	if shared.bounce == nil {
		shared.bounce = bounce(t, s)
	}
	return shared.bounce
}

// programs returns the directory of the newest initdb.
func programs() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is valid
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) }))
}

func version(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path)))) // 0 for another name
	return n
}

// owner is who runs a server: not root, whom it refuses.
func owner() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(found.Uid, 10, 32)
		if err != nil {
			return nil, err
		}
		gid, err := strconv.ParseUint(found.Gid, 10, 32)
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
	}
	return nil, errors.New("there is no user that a server could run as")
}

// directory makes one that a server may use.
func directory(owner *syscall.Credential) (string, error) {
	dir, err := os.MkdirTemp("", "kfw-pg-")
	if err == nil && owner != nil {
		err = os.Chown(dir, int(owner.Uid), int(owner.Gid))
	}
	if err == nil {
		err = os.Chmod(dir, 0o755) // of its socket, which others may use
	}
	return dir, err
}

func command(owner *syscall.Credential, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = "/"
	c.SysProcAttr = attributes(owner)
	return c
}

func start(t testing.TB, options ...string) *Server {
	t.Helper()
	bin := programs()
	if bin == "" {
		t.Skip("no initdb: PostgreSQL is not installed")
	}
	who, err := owner()
	if err != nil {
		t.Skip(err)
	}
	dir, err := directory(who)
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Dir: dir, data: filepath.Join(dir, "data"), program: filepath.Join(bin, "postgres"), owner: who,
		options: options}
	made, err := command(who, filepath.Join(bin, "initdb"), "--no-sync", "--auth=trust", "--username="+User, "--no-locale",
		"--encoding=UTF8", "--pgdata="+s.data).CombinedOutput()
	if err != nil {
		t.Fatalf("initdb: %v: %s", err, made)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	return s
}

// Start starts the server, which does not run, and waits until it takes connections.
func (s *Server) Start() error {
	args := []string{"-D", s.data, "-p", port, "-c", "listen_addresses=", "-c", "unix_socket_directories=" + s.Dir,
		"-c", "max_connections=200", "-c", "shared_buffers=64MB", "-c", "logging_collector=off",
		"-c", "log_min_messages=fatal"}
	for _, option := range s.options {
		args = append(args, "-c", option)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		said, err := s.try(args)
		if err == nil || !strings.Contains(said, "still in use") || time.Now().After(deadline) {
			return err
		}
		s.Kill() // processes of a server that was killed still end
	}
}

// try starts the server once. It returns its log.
func (s *Server) try(args []string) (said string, err error) {
	s.process = command(s.owner, s.program, args...)
	log, err := os.CreateTemp(s.Dir, "log-") // of its own: those of a server before may still write
	if err != nil {
		return "", err
	}
	defer log.Close()
	s.process.Stdout, s.process.Stderr = log, log
	if err := s.process.Start(); err != nil {
		return "", err
	}
	read := func() string {
		all, _ := os.ReadFile(log.Name()) // as far as it can be read
		said = string(all)
		return said
	}
	err = waitFor(s.Dir, read)
	return said, err
}

// waitFor waits until something takes connections on the socket in a directory, and answers.
func waitFor(dir string, log func() string) error {
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if isReady(dir) {
			return nil
		}
		if said := log(); time.Now().After(deadline) || strings.Contains(said, "FATAL:  pre-existing") {
			return fmt.Errorf("the server does not start: %s", said)
		}
	}
}

// isReady reports whether a server answers a startup message with a request for authentication.
func isReady(dir string) bool {
	c, err := net.Dial("unix", Socket(dir))
	if err != nil {
		return false
	}
	defer c.Close()
	body := "\x00\x03\x00\x00user\x00" + User + "\x00database\x00postgres\x00\x00"
	message := append([]byte{0, 0, 0, byte(len(body) + 4)}, body...)
	if _, err := c.Write(message); err != nil {
		return false
	}
	var kind [1]byte
	_ = c.SetReadDeadline(time.Now().Add(time.Second)) // a socket has deadlines
	n, _ := c.Read(kind[:])
	return n == 1 && kind[0] == 'R'
}

// Socket returns the path of the socket in a directory.
func Socket(dir string) string { return filepath.Join(dir, ".s.PGSQL."+port) }

// Kill ends the server and all its processes as a power failure would, except that the disk has what the system was
// given.
func (s *Server) Kill() {
	pid := s.process.Process.Pid
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid)) // else they end when they notice
	_ = s.process.Process.Kill()                                                   // it may have ended
	for _, child := range strings.Fields(string(children)) {
		if n, err := strconv.Atoi(child); err == nil && n > 1 {
			_ = syscall.Kill(n, syscall.SIGKILL) // it may have ended
		}
	}
	_ = s.process.Wait() // it was killed
	for _, name := range []string{filepath.Join(s.data, "postmaster.pid"), Socket(s.Dir), Socket(s.Dir) + ".lock"} {
		_ = os.Remove(name) // as far as it is there
	}
}

// Close ends the server and removes its data.
func (s *Server) Close() {
	s.Kill()
	removeAll(s.Dir)
}

func removeAll(dir string) {
	for range 50 { // its processes may still write
		if err := os.RemoveAll(dir); err == nil || errors.Is(err, fs.ErrNotExist) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// URL returns the URL of a session on the server.
func (s *Server) URL(session string, more ...string) string {
	return URL(User, s.Dir, session, more...)
}

// URL returns that of a session behind the socket in a directory. more are names and values.
func URL(user, dir, session string, more ...string) string {
	q := url.Values{"host": {dir}}
	if session != "" {
		q.Set("session", session)
	}
	for i := 0; i+1 < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	return "postgres://" + user + "@/postgres?" + q.Encode()
}

// Bouncer is a pgbouncer in transaction mode.
type Bouncer struct {
	Dir     string // of its socket
	process *exec.Cmd
}

func bounce(t testing.TB, s *Server) *Bouncer {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer"
	}
	if _, err := os.Stat(program); err != nil {
		t.Skip("pgbouncer is not installed")
	}
	dir, err := directory(s.owner)
	if err != nil {
		t.Fatal(err)
	}
	settings := fmt.Sprintf(`[databases]
* = host=%s port=%s
[pgbouncer]
listen_addr =
listen_port = %s
unix_socket_dir = %s
auth_type = trust
auth_file = %s/users
pool_mode = transaction
max_client_conn = 500
default_pool_size = 8
logfile = %s/log
`, s.Dir, port, port, dir, dir, dir)
	file := filepath.Join(dir, "ini")
	if err := errors.Join(os.WriteFile(file, []byte(settings), 0o644),
		os.WriteFile(filepath.Join(dir, "users"), fmt.Appendf(nil, "%q \"\"\n", User), 0o644)); err != nil {
		t.Fatal(err)
	}
	b := &Bouncer{Dir: dir, process: command(s.owner, program, "-q", file)}
	if err := b.process.Start(); err != nil {
		t.Fatal(err)
	}
	if err := waitFor(dir, func() string {
		said, _ := os.ReadFile(filepath.Join(dir, "log"))
		return string(said)
	}); err != nil {
		b.Close()
		t.Fatal(err)
	}
	return b
}

// Close ends the pool.
func (b *Bouncer) Close() {
	_ = b.process.Process.Kill() // it may have ended
	_ = b.process.Wait()         // it was killed
	removeAll(b.Dir)
}
