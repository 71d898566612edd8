//go:build unix

package coprocess

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/budget"
)

// TestMain is the program that counts, when the environment names one.
func TestMain(m *testing.M) {
	if of := os.Getenv("COUNT_AS"); of != "" {
		os.WriteFile(os.Getenv("PID_FILE"), []byte(strconv.Itoa(os.Getpid())), 0o600)
		programs[of]()
		return
	}
	os.Exit(m.Run())
}

// programs answer the questions on standard input.
var programs = map[string]func(){
	"bytes":   countBytes,
	"hash":    func() { answer(func(text string) string { return fmt.Sprintln(hash(text)) }) },
	"spaces":  func() { answer(func(text string) string { return fmt.Sprintf(" \t%d \r\n", len(text)) }) },
	"nothing": func() { answer(func(string) string { return "0\n" }) },
	"ends":    func() {},
	"fails": func() {
		bufio.NewReader(os.Stdin).ReadString('\n')
		os.Exit(3)
	},
	"killed": func() {
		bufio.NewReader(os.Stdin).ReadString('\n')
		syscall.Kill(os.Getpid(), syscall.SIGTERM)
		select {}
	},
	"silent":   func() { io.Copy(io.Discard, os.Stdin) },
	"deaf":     func() { time.Sleep(time.Hour) },
	"no input": func() { os.Stdin.Close(); time.Sleep(time.Hour) },
	"words":    func() { answer(func(string) string { return "seven\n" }) },
	"empty":    func() { answer(func(string) string { return "\n" }) },
	"negative": func() { answer(func(string) string { return "-1\n" }) },
	"part":     func() { answer(func(string) string { return "1.5\n" }) },
	"large":    func() { answer(func(string) string { return "4294967296\n" }) },
	"huge":     func() { answer(func(string) string { return strings.Repeat("9", 60) + "\n" }) },
	"longer":   func() { answer(func(string) string { return strings.Repeat("0", 100) + "\n" }) },
	"twice":    func() { answer(func(string) string { return "1\n1\n" }) },
	"cut": func() {
		bufio.NewReader(os.Stdin).ReadString('\n')
		fmt.Print("12")
	},
	"speaks": func() {
		fmt.Fprintln(os.Stderr, "warning: it speaks")
		countBytes()
	},
	"stays": func() { // after the end of its input
		countBytes()
		time.Sleep(time.Hour)
	},
	"leaves": func() { // a file behind when it ends by itself
		countBytes()
		os.WriteFile(os.Getenv("LEAVES"), nil, 0o600)
	},
}

func countBytes() { answer(func(text string) string { return fmt.Sprintln(len(text)) }) }

func hash(text string) (n uint32) {
	for _, b := range []byte(text) {
		n = n*31 + uint32(b)
	}
	return n % 1000
}

func answer(say func(text string) string) {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		var text string
		if err := json.Unmarshal([]byte(line), &text); err != nil {
			fmt.Println("not a string")
			return
		}
		os.Stdout.WriteString(say(text))
	}
}

func start(t testing.TB, of string, o Options) *Counter {
	t.Helper()
	t.Setenv("COUNT_AS", of)
	t.Setenv("PID_FILE", t.TempDir()+"/pid")
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	if o.Grace == 0 {
		o.Grace = time.Minute
	}
	c, err := Start([]string{os.Args[0], "an argument"}, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func closed(t testing.TB, c *Counter) {
	t.Helper()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	written, err := os.ReadFile(os.Getenv("PID_FILE"))
	if errors.Is(err, fs.ErrNotExist) {
		return // it was ended before
	}
	pid, err := strconv.Atoi(string(written))
	if err != nil {
		return // in the middle of that
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("after Close the program is still there: %v", err)
	}
}

var texts = []string{"", "\n", "a\n", "\x00\x01\x7f\t\r\n\"\\/<>&\n", "naïve 漢字 🙂 \u2028\u2029\ufeff\ufffd\n",
	"a\xffb\xe2\x82\n",
	strings.Repeat("x", 300_000) + "\n", strings.Repeat("🙂", 100_000), "null\n", "\"\n"}

// The program gets the text as it is.
func TestCount(t *testing.T) {
	for _, of := range []string{"bytes", "hash", "spaces"} {
		c := start(t, of, Options{})
		for _, text := range texts {
			valid := validOf(text)
			want := len(valid)
			if of == "hash" {
				want = max(int(hash(valid)), leastOf(len(valid)))
			}
			if got := c.Count([]byte(text)); got != want || c.Err() != nil {
				t.Errorf("%s: got %d for %d bytes, want %d: %v", of, got, len(text), want, c.Err())
			}
		}
		closed(t, c)
	}
}

func validOf(text string) string {
	var r budget.Repairer
	return string(r.Flush(r.Append(nil, []byte(text))))
}

// A tally sends the whole text as one string, however it is cut.
func TestTally(t *testing.T) {
	c := start(t, "hash", Options{})
	defer closed(t, c)
	for _, size := range []int{1, 7, 50_000} {
		for _, text := range texts {
			if size == 1 && len(text) > 1000 {
				continue
			}
			tally := c.Tally()
			for part := range slices.Chunk([]byte(text), size) {
				if _, err := tally.Write(part); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := tally.Tokens(), int(hash(validOf(text))); got != want || budget.Err(tally) != nil {
				t.Errorf("got %d for %d bytes in parts of %d, want %d: %v", got, len(text), size, want,
					budget.Err(tally))
			}
		}
	}
}

// A line of nothing is taken for at least a token for 256 bytes; a tally is what the program says.
func TestLeast(t *testing.T) {
	c := start(t, "nothing", Options{})
	defer closed(t, c)
	for bytes, want := range map[int]int{0: 0, 1: 1, 256: 1, 257: 2, 100_000: 391} {
		got := c.Count(make([]byte, bytes))
		if least, most := c.Bounds(bytes); got != want || least != want || most != budget.Unbounded && bytes > 0 {
			t.Errorf("%d bytes: got %d within %d and %d, want %d", bytes, got, least, most, want)
		}
	}
	tally := c.Tally()
	if _, err := tally.Write(make([]byte, 1000)); err != nil || tally.Tokens() != 0 {
		t.Errorf("a tally of nothing is not 0: %v", err)
	}
}

// What a program does wrong ends it, and is said without a word of what was asked or answered.
func TestFailures(t *testing.T) {
	const asked = "hunter2 and more\n"
	soon := Options{Timeout: 50 * time.Millisecond, Grace: 50 * time.Millisecond}
	for of, test := range map[string]struct {
		o    Options
		want string
	}{
		"ends":     {Options{}, "it ended before it had answered"},
		"fails":    {Options{}, "it ended before it had answered: exit status 3"},
		"killed":   {Options{}, "it ended before it had answered: ended by a signal: terminated"},
		"cut":      {Options{}, "it ended before it had answered"},
		"silent":   {soon, "no answer in 50ms"},
		"deaf":     {soon, "no answer in 50ms"},
		"words":    {Options{}, "its answer is not a whole number"},
		"empty":    {Options{}, "its answer is not a whole number"},
		"negative": {Options{}, "its answer is not a whole number"},
		"part":     {Options{}, "its answer is not a whole number"},
		"longer":   {Options{}, "its answer is not a whole number"},
		"large":    {Options{}, "its answer is too large a number"},
		"huge":     {Options{}, "its answer is too large a number"},
		"twice":    {Options{}, "it answered with more than one line"},
	} {
		for _, times := range []int{1, 20_000} { // the second does not fit in a pipe
			text := []byte(strings.Repeat(asked, times))
			for _, isTally := range []bool{false, true} {
				c := start(t, of, test.o)
				if isTally {
					tally := c.Tally()
					_, _ = tally.Write(text)
					tally.Tokens()
				} else if got := c.Count(text); got < budget.Failed {
					t.Errorf("%s: counts %d", of, got)
				}
				if got := c.Count([]byte("again\n")); got < budget.Failed {
					t.Errorf("%s: counts %d after that", of, got)
				}
				err, ok := errors.AsType[*Error](c.Err())
				if !ok || err.What != test.want {
					t.Errorf("%s: %v, want %s", of, c.Err(), test.want)
				}
				closed(t, c)
			}
		}
	}
}

// A program that closes its input and goes on is not waited for.
func TestNotReading(t *testing.T) {
	c := start(t, "no input", Options{Grace: 50 * time.Millisecond})
	for c.Err() == nil {
		c.write()
		c.line = append(c.line, "\"\"\n"...)
	}
	if got := c.Err().(*Error).What; got != "it does not read what it is asked" {
		t.Errorf("got %q", got)
	}
	closed(t, c)
}

func TestNotStarted(t *testing.T) {
	file := t.TempDir() + "/data"
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, argv := range [][]string{nil, {""}, {"no-such-program-here"}, {file, "argument"}} {
		c, err := Start(argv, Options{})
		if _, ok := errors.AsType[*NotStarted](err); !ok || strings.Contains(err.Error(), "argument") {
			t.Errorf("%q: got %v, %v", argv, c, err)
		}
	}
}

// upper is a text in capitals.
type upper struct{ io.Reader }

func (u upper) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	copy(p, bytes.ToUpper(p[:n]))
	return n, err
}

// The standard error of the program is passed on, through the filter.
func TestStderr(t *testing.T) {
	var said bytes.Buffer
	c := start(t, "speaks", Options{StderrTo: &said, StderrFilter: func(in io.Reader) io.Reader { return upper{in} }})
	c.Count([]byte("\n"))
	closed(t, c)
	if said.String() != "WARNING: IT SPEAKS\n" {
		t.Errorf("got %q", &said)
	}
}

// The program sees the end of its input, and has a moment then.
func TestClose(t *testing.T) {
	left := t.TempDir() + "/left"
	t.Setenv("LEAVES", left)
	c := start(t, "leaves", Options{})
	c.Count([]byte("\n"))
	closed(t, c)
	if _, err := os.Stat(left); err != nil {
		t.Error(err)
	}
	c = start(t, "stays", Options{Grace: 50 * time.Millisecond})
	c.Count([]byte("\n"))
	closed(t, c)
}

// Kill ends a wait, from another goroutine.
func TestKill(t *testing.T) {
	c := start(t, "silent", Options{})
	go c.Kill()
	c.Count([]byte("\n"))
	if c.Err() == nil {
		t.Error("a program that was killed has counted")
	}
	closed(t, c)
}

func TestCountAllocates(t *testing.T) {
	c := start(t, "bytes", Options{})
	defer closed(t, c)
	line := []byte(`{"seq":1,"mode":"raw","data":"naïve"}` + "\n")
	c.Count(line)
	if n := testing.AllocsPerRun(100, func() { c.Count(line) }); n > 0 {
		t.Errorf("%v allocations for a line", n)
	}
}

// FuzzQuestion: a question is one line of ASCII, and means the text.
func FuzzQuestion(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text[:min(len(text), 100)]))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !utf8.Valid(text) {
			t.Skip("a Repairer stands before")
		}
		question := appendString(nil, text)
		var got string
		if err := json.Unmarshal(question, &got); err != nil || got != string(text) {
			t.Errorf("%q: got %q from %q: %v", text, got, question, err)
		}
		body := question[:len(question)-1]
		if bytes.ContainsFunc(body, func(r rune) bool { return r < ' ' || r >= 0x7F }) || question[len(body)] != '\n' {
			t.Errorf("%q: the question is %q", text, question)
		}
	})
}
