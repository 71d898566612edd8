//go:build unix

package driver

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/iotest"
	"time"
)

// patience is for what must happen; it is never waited for when all is well.
const patience = time.Minute

func start(t testing.TB, o Options, argv ...string) *Process {
	t.Helper()
	p, err := Start(argv, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func startShell(t testing.TB, o Options, script string) *Process {
	t.Helper()
	return start(t, o, "sh", "-c", script)
}

// readAll is io.ReadAll that tells io.EOF from nothing.
func readAll(p *Process) (string, error) {
	var all bytes.Buffer
	buffer := make([]byte, 4096)
	for {
		n, err := p.Read(buffer)
		all.Write(buffer[:n])
		if err != nil {
			return all.String(), err
		}
	}
}

func expect(t *testing.T, p *Process, text string, status int) {
	t.Helper()
	got, err := readAll(p)
	if got != text {
		t.Errorf("got output %.100q of %d bytes, want %.100q of %d", got, len(got), text, len(text))
	}
	failure, failed := errors.AsType[*ExitError](err)
	switch {
	case status == 0 && err != io.EOF:
		t.Errorf("got %v, want io.EOF", err)
	case status != 0 && (!failed || failure.Status != status || failure.ExitCode() != status):
		t.Errorf("got %v, want exit status %d", err, status)
	}
	if got := p.ExitCode(); got != status {
		t.Errorf("got exit code %d, want %d", got, status)
	}
	if _, again := p.Read(make([]byte, 1)); again != err {
		t.Errorf("the end was %v and is now %v", err, again)
	}
}

func TestStatus(t *testing.T) {
	for _, test := range []struct {
		script, text string
		status       int
	}{
		{"exit 0", "", 0},
		{"echo whole", "whole\n", 0},
		{"exit 1", "", 1},
		{"echo half; exit 3", "half\n", 3},
		{"exit 119", "", 119},
		{"exit 255", "", 255},
		{"echo half; kill -TERM $$", "half\n", 143},
		{"kill -KILL $$", "", 137},
		{"kill -PIPE $$", "", 141},
		{"exec >&-; exit 4", "", 4}, // the output ends before the driver does
	} {
		t.Run(test.script, func(t *testing.T) {
			expect(t, startShell(t, Options{Grace: patience}, test.script), test.text, test.status)
		})
	}
}

func TestStatusOfSignal(t *testing.T) {
	_, err := readAll(startShell(t, Options{}, "kill -TERM $$"))
	failure, ok := errors.AsType[*ExitError](err)
	if !ok || failure.Signal != syscall.SIGTERM {
		t.Errorf("got %v, want an end by SIGTERM", err)
	}
	_, err = readAll(startShell(t, Options{}, "exit 143"))
	failure, ok = errors.AsType[*ExitError](err)
	if !ok || failure.Signal != 0 || failure.Status != 143 {
		t.Errorf("got %v, want an exit with 143", err)
	}
}

func TestReaderContract(t *testing.T) {
	const text = "one\ntwo\nthree\n"
	if err := iotest.TestReader(startShell(t, Options{}, "echo one; echo two; echo three"), []byte(text)); err != nil {
		t.Error(err)
	}
}

func TestCannotStart(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string, mode fs.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("here-only", "#!/bin/sh\nexit 0\n", 0o755)
	plain := write("plain", "#!/bin/sh\nexit 0\n", 0o644)
	t.Chdir(dir)
	for _, test := range []struct {
		name   string
		status int
	}{
		{"", 127},
		{"no-such-program-anywhere", 127},
		{"./no-such-file", 127},
		{plain + "/below-a-file", 127},
		{plain, 126},
		{dir, 126},
		{write("no-interpreter", "#!/no/such/interpreter\n", 0o755), 126},
		{write("no-format", "\x00\x01\x02\x03", 0o755), 126},
	} {
		p, err := Start([]string{test.name, "--token=hunter2"}, Options{})
		if err == nil {
			p.Close()
			t.Errorf("%q: it started", test.name)
			continue
		}
		coded, ok := errors.AsType[interface {
			error
			ExitCode() int
		}](err)
		if !ok || coded.ExitCode() != test.status {
			t.Errorf("%q: got %v, want status %d", test.name, err, test.status)
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: the error shows an argument: %v", test.name, err)
		}
	}
	if _, err := Start(nil, Options{}); err == nil {
		t.Error("nothing at all was started")
	}

	t.Setenv("PATH", "."+string(os.PathListSeparator)+os.Getenv("PATH"))
	_, err := Start([]string{"here-only"}, Options{})
	if _, ok := errors.AsType[*NotFound](err); !ok {
		t.Errorf("a program in the current directory: got %v, want not found", err)
	}
	expect(t, start(t, Options{}, "./here-only"), "", 0)
}

func TestFailedStartLeavesNothingOpen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("counts /proc/self/fd")
	}
	count := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/no/such/interpreter\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	attempt := func() {
		if _, err := Start([]string{script}, Options{Stdin: strings.NewReader("x")}); err == nil {
			t.Fatal("it started")
		}
	}
	attempt() // the runtime's own files
	before := count()
	for range 5 {
		attempt()
	}
	if after := count(); after != before {
		t.Errorf("%d files open, %d before", after, before)
	}
	for range 5 {
		p := startShell(t, Options{Stdin: strings.NewReader("x")}, "cat; echo y >&2")
		expect(t, p, "x", 0)
		p.Close()
	}
	if after := count(); after != before {
		t.Errorf("%d files open after drivers that ran, %d before", after, before)
	}
}

// lifeline is a fifo that a whole process group has open; it ends when the last of them has ended.
type lifeline struct{ path string }

func newLifeline(t *testing.T) lifeline {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lifeline")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return lifeline{path}
}

// hold is the start of a script whose processes hold the line.
func (l lifeline) hold() string { return "exec 9>'" + l.path + "'; " }

// follow waits until the script holds the line and returns what waits until no process does.
func (l lifeline) follow(t *testing.T) (untilGone func()) {
	t.Helper()
	f, err := os.Open(l.path)
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		defer f.Close()
		if err := f.SetReadDeadline(time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
		if n, err := f.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			t.Errorf("the process group is not gone: %v", err)
		}
	}
}

func TestCloseWhileWriting(t *testing.T) {
	line := newLifeline(t)
	p := startShell(t, Options{Grace: patience}, line.hold()+
		"(while :; do echo child; done) & while :; do echo parent; done")
	gone := line.follow(t)
	if _, err := p.Read(make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	if got := p.ExitCode(); got != 0 {
		t.Errorf("exit code %d of a driver that runs", got)
	}
	for range 2 {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	gone()
	if _, err := p.Read(make([]byte, 1)); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a read after Close: got %v", err)
	}
	if err := p.Stop(syscall.SIGTERM); err != nil {
		t.Errorf("Stop after Close: %v", err)
	}
	if got := p.ExitCode(); got != 0 {
		t.Errorf("exit code %d of a driver that Close has killed", got)
	}
}

func TestCloseWhileReading(t *testing.T) {
	for _, script := range []string{
		"trap '' TERM; echo ready; while :; do sleep 1000; done",           // Read waits for output
		"trap '' TERM; echo ready; exec >&-; while :; do sleep 1000; done", // Read waits for the end
	} {
		line := newLifeline(t)
		p := startShell(t, Options{Grace: patience}, line.hold()+script)
		gone := line.follow(t)
		ready, ended := make(chan struct{}), make(chan error)
		go func() {
			buffer := make([]byte, 100)
			_, err := p.Read(buffer)
			close(ready)
			for err == nil {
				_, err = p.Read(buffer)
			}
			ended <- err
		}()
		<-ready
		closes := make(chan error)
		for range 2 {
			go func() { closes <- p.Close() }()
		}
		for range 2 {
			if err := <-closes; err != nil {
				t.Error(err)
			}
		}
		if err := <-ended; !errors.Is(err, fs.ErrClosed) {
			t.Errorf("got %v, want an error for a closed file", err)
		}
		gone()
	}
}

func TestGrandchildKeepsThePipe(t *testing.T) {
	line := newLifeline(t)
	p := startShell(t, Options{Grace: time.Millisecond}, line.hold()+"echo mine; sleep 1000 & exit 3")
	gone := line.follow(t)
	expect(t, p, "mine\n", 3)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	gone()
	if got := p.ExitCode(); got != 3 {
		t.Errorf("exit code %d after Close, want 3", got)
	}
}

func TestGrandchildWritesWithinGrace(t *testing.T) {
	path := newLifeline(t).path
	p := startShell(t, Options{Grace: patience}, "(read word <'"+path+"'; echo $word) & echo mine")
	<-p.exited
	if err := os.WriteFile(path, []byte("late\n"), 0); err != nil {
		t.Fatal(err)
	}
	expect(t, p, "mine\nlate\n", 0)
}

func TestGrandchildWritesForEver(t *testing.T) {
	p := startShell(t, Options{}, "cat /dev/zero & exit 5")
	<-p.exited
	buffer := make([]byte, 512) // small, so that the pipe is never empty
	read := 0
	for {
		n, err := p.Read(buffer)
		if read += n; read > largestPipe {
			t.Fatalf("read %d bytes, more than were written in time", read)
		}
		if failure, ok := errors.AsType[*ExitError](err); ok && failure.Status == 5 {
			break
		}
		if err != nil {
			t.Fatalf("got %v, want exit status 5", err)
		}
	}
}

// A slow reader loses nothing that the driver wrote, whoever else has the pipe open and however short the grace.
func TestSlowReader(t *testing.T) {
	const size = 40000
	want := strings.Repeat("x", size)
	for _, script := range []string{"head -c 40000 | tr '\\0' x", "head -c 40000 | tr '\\0' x; sleep 1000 & exit 0"} {
		zero, err := os.Open("/dev/zero")
		if err != nil {
			t.Fatal(err)
		}
		defer zero.Close()
		p := startShell(t, Options{Stdin: zero}, script)
		<-p.exited
		expect(t, p, want, 0)
	}
}

func TestStdinFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(path, []byte("from a file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	expect(t, start(t, Options{Stdin: f}, "cat"), "from a file\n", 0)
	if at, err := f.Seek(0, io.SeekCurrent); err != nil || at != int64(len("from a file\n")) {
		t.Errorf("the file was not handed over: it stands at %d, %v", at, err)
	}
}

func TestStdinReader(t *testing.T) {
	text := strings.Repeat("0123456789abcdef\n", 100_000)
	expect(t, start(t, Options{Stdin: strings.NewReader(text), Grace: patience}, "cat"), text, 0)
	expect(t, start(t, Options{}, "cat"), "", 0)
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

func TestStdinNotRead(t *testing.T) {
	expect(t, start(t, Options{Stdin: endless{}, Grace: patience}, "true"), "", 0)
}

func TestStdinFails(t *testing.T) {
	broken := errors.New("the source broke")
	in := io.MultiReader(strings.NewReader("half\n"), iotest.ErrReader(broken))
	text, err := readAll(start(t, Options{Stdin: in, Grace: patience}, "cat"))
	if text != "half\n" || !errors.Is(err, broken) {
		t.Errorf("got %q and %v: half an input passed for a whole one", text, err)
	}
}

func TestMerge(t *testing.T) {
	var want strings.Builder
	for i := range 200 {
		fmt.Fprintf(&want, "out %d\nerr %d\n", i, i)
	}
	script := "i=0; while [ $i -lt 200 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done"
	expect(t, startShell(t, Options{Stderr: Merge, Grace: patience}, script), want.String(), 0)
}

func TestPassAsItComes(t *testing.T) {
	stdin, toDriver := io.Pipe()
	fromDriver, stderr := io.Pipe()
	p := startShell(t, Options{Stdin: stdin, StderrTo: stderr, Grace: patience},
		"echo asking >&2; read answer; echo got $answer")
	question, err := bufio.NewReader(fromDriver).ReadString('\n')
	if err != nil || question != "asking\n" {
		t.Fatalf("got %q, %v", question, err)
	}
	if _, err := io.WriteString(toDriver, "an answer\n"); err != nil {
		t.Fatal(err)
	}
	if err := toDriver.Close(); err != nil {
		t.Fatal(err)
	}
	expect(t, p, "got an answer\n", 0)
}

func TestPassIsCompleteAtTheEnd(t *testing.T) {
	var stderr slowBuffer
	filter := func(r io.Reader) io.Reader { return &upperCase{r} }
	p := startShell(t, Options{StderrTo: &stderr, StderrFilter: filter, Grace: patience},
		"i=0; while [ $i -lt 500 ]; do echo line $i >&2; i=$((i+1)); done; exit 1")
	expect(t, p, "", 1)
	if got := strings.Count(stderr.String(), "LINE"); got != 500 || strings.Contains(stderr.String(), "line") {
		t.Errorf("got %d lines through the filter, want 500", got)
	}
	if p.Tail() != nil {
		t.Error("a tail in mode Pass")
	}
}

// slowBuffer is behind when the driver ends.
type slowBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (s *slowBuffer) Write(b []byte) (int, error) {
	time.Sleep(5 * time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Buffer.Write(b)
}

func (s *slowBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Buffer.String()
}

type upperCase struct{ io.Reader }

func (u *upperCase) Read(b []byte) (int, error) {
	n, err := u.Reader.Read(b)
	copy(b, bytes.ToUpper(b[:n]))
	return n, err
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// A standard error that cannot be passed on is reported, and does not hold the driver up.
func TestPassFails(t *testing.T) {
	broken := errors.New("nobody listens")
	p := startShell(t, Options{StderrTo: brokenWriter{broken}, Grace: patience},
		"head -c 1000000 /dev/zero >&2; echo done")
	expect(t, p, "done\n", 0)
	if err := p.Close(); !errors.Is(err, broken) {
		t.Errorf("got %v, want the error of the writer", err)
	}

	filter := func(io.Reader) io.Reader { return iotest.ErrReader(broken) }
	var stderr bytes.Buffer
	p = startShell(t, Options{StderrTo: &stderr, StderrFilter: filter, Grace: patience},
		"head -c 1000000 /dev/zero >&2; echo done")
	expect(t, p, "done\n", 0)
	if err := p.Close(); !errors.Is(err, broken) {
		t.Errorf("got %v, want the error of the filter", err)
	}
	if stderr.Len() != 0 {
		t.Errorf("%d bytes went past a filter that failed", stderr.Len())
	}
}

func TestGrandchildKeepsStderr(t *testing.T) {
	var stderr bytes.Buffer
	p := startShell(t, Options{StderrTo: &stderr, Grace: time.Millisecond}, "echo oops >&2; sleep 1000 >&2 & exit 2")
	expect(t, p, "", 2)
	if stderr.String() != "oops\n" {
		t.Errorf("got %q", stderr.String())
	}
}

func TestTailOfDriver(t *testing.T) {
	p := startShell(t, Options{Stderr: Tail, Grace: patience},
		"i=0; while [ $i -lt 30 ]; do echo line $i >&2; i=$((i+1)); done; printf unfinished >&2; exit 1")
	expect(t, p, "", 1)
	got := p.Tail()
	if len(got) != 20 || got[0] != "line 11" || got[18] != "line 29" || got[19] != "unfinished" {
		t.Errorf("got %q", got)
	}
}

func TestStopReachesTheGroup(t *testing.T) {
	line := newLifeline(t)
	p := startShell(t, Options{Grace: patience}, line.hold()+
		"sleep 1000 & trap 'echo bye; exit 7' TERM; echo ready; wait")
	gone := line.follow(t)
	if n, err := p.Read(make([]byte, 100)); err != nil || n != len("ready\n") {
		t.Fatalf("got %d bytes, %v", n, err)
	}
	if err := p.Stop(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	expect(t, p, "bye\n", 7)
	gone()
}

func TestStopKillsWhoDoesNotListen(t *testing.T) {
	line := newLifeline(t)
	p := startShell(t, Options{Grace: time.Millisecond}, line.hold()+
		"trap '' TERM; sleep 1000 & echo ready; while :; do sleep 1000; done")
	gone := line.follow(t)
	if n, err := p.Read(make([]byte, 100)); err != nil || n != len("ready\n") {
		t.Fatalf("got %d bytes, %v", n, err)
	}
	for range 2 {
		if err := p.Stop(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, p, "", 137)
	gone()
}

func TestStopAfterTheEnd(t *testing.T) {
	p := startShell(t, Options{Grace: patience}, "exit 0")
	expect(t, p, "", 0)
	if err := p.Stop(os.Interrupt); err != nil {
		t.Error(err)
	}
}

// What a driver writes when its time is over is read, and then it is told, though the driver says that all is well.
func TestTimeout(t *testing.T) {
	line := newLifeline(t)
	p := startShell(t, Options{Grace: patience, Timeout: time.Hour}, line.hold()+
		"sleep 1000 & trap 'echo bye; exit 0' TERM; echo ready; wait")
	gone := line.follow(t)
	if n, err := p.Read(make([]byte, 100)); err != nil || n != len("ready\n") {
		t.Fatalf("got %d bytes, %v", n, err)
	}
	p.expire() // not an hour later
	text, err := readAll(p)
	if late, ok := errors.AsType[*Timeout](err); !ok || text != "bye\n" ||
		late.Error() != "sh: took longer than 1h0m0s" {
		t.Errorf("got %q, %v", text, err)
	}
	gone()
}

func TestTimeoutEndsTheDriver(t *testing.T) {
	_, err := readAll(startShell(t, Options{Grace: patience, Timeout: time.Millisecond}, "sleep 1000"))
	if _, ok := errors.AsType[*Timeout](err); !ok {
		t.Errorf("got %v", err)
	}
}

func TestTimeoutAfterTheEnd(t *testing.T) {
	p := startShell(t, Options{Grace: patience, Timeout: time.Hour}, "exit 3")
	expect(t, p, "", 3)
	p.expire()
	if p.expired {
		t.Error("a driver that has ended took too long")
	}
}

// A driver that writes to a reader who is gone dies of it, though this process ignores the signal.
func TestDriverHasDefaultSIGPIPE(t *testing.T) {
	signal.Ignore(syscall.SIGPIPE)
	defer signal.Reset(syscall.SIGPIPE)
	expect(t, startShell(t, Options{}, "kill -PIPE $$; echo survived"), "", 141)
	if !signal.Ignored(syscall.SIGPIPE) {
		t.Error("the signal is no longer ignored here")
	}
}

// Neither does it inherit what this process has inherited.
func TestDriverHasDefaultSIGPIPEWhereWeWereBornWithoutIt(t *testing.T) {
	if os.Getenv("DRIVER_TEST_BORN_WITHOUT_SIGPIPE") != "" {
		expect(t, startShell(t, Options{}, "kill -PIPE $$; echo survived"), "", 141)
		return
	}
	test := exec.Command("sh", "-c", `trap '' PIPE; exec "$0" -test.run='^`+t.Name()+`$' -test.count=1`, os.Args[0])
	test.Env = append(os.Environ(), "DRIVER_TEST_BORN_WITHOUT_SIGPIPE=1")
	if out, err := test.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestReadAllocates(t *testing.T) {
	p := start(t, Options{}, "yes")
	buffer := make([]byte, 4096)
	if n := testing.AllocsPerRun(100, func() {
		if _, err := p.Read(buffer); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations per read", n)
	}
}

func BenchmarkRead(b *testing.B) {
	p := start(b, Options{}, "yes")
	buffer := make([]byte, 32<<10)
	b.SetBytes(int64(len(buffer)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := io.ReadFull(p, buffer); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStart(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		p := start(b, Options{}, "true")
		if _, err := readAll(p); err != io.EOF {
			b.Fatal(err)
		}
		p.Close()
	}
}
