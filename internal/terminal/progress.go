package terminal

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/dustin/go-humanize"
	"golang.org/x/term"

	"github.com/kfw-dev/kfw/pipeline"
)

// Meter shows how far a run is: one line on stderr that is written over, ten times a second at the most.
type Meter struct {
	to     io.Writer // nil for nowhere
	begun  time.Time
	after  time.Time
	next   time.Time
	shown  bool
	erases bool // to is a terminal
}

// NewMeter returns a meter that writes to stderr: when is auto, always or never, as --progress says.
func NewMeter(stderr *os.File, when string) *Meter {
	terminal := term.IsTerminal(int(stderr.Fd())) && os.Getenv("TERM") != "dumb" && obeys(stderr.Fd())
	m := &Meter{erases: terminal, begun: time.Now()}
	switch when {
	case "auto":
		m.after = m.begun.Add(time.Second)
		if terminal {
			m.to = stderr
		}
	case "always":
		m.to = stderr
	}
	return m
}

// Shows reports whether anything is ever shown.
func (m *Meter) Shows() bool { return m.to != nil }

// Show shows how far a response is.
func (m *Meter) Show(p pipeline.Progress) {
	if m.due() {
		m.write(fmt.Sprintf("kfw: %s, %s read, %d of %d tokens left, %s",
			Counted(p.Chunks, "chunk"), humanize.Bytes(uint64(p.Bytes)), p.Left, p.Budget, p.Mode))
	}
}

// ShowCopy shows how many bytes have been read, of how many unless that is 0, and how fast.
func (m *Meter) ShowCopy(read, total int64) {
	if !m.due() {
		return
	}
	line := "kfw: " + humanize.Bytes(uint64(read)) + " read"
	if total > 0 {
		line = fmt.Sprintf("kfw: %d %%, %s of %s read", min(100*read/total, 100),
			humanize.Bytes(uint64(read)), humanize.Bytes(uint64(total)))
	}
	if seconds := time.Since(m.begun).Seconds(); seconds > 0 {
		line += fmt.Sprintf(", %s/s", humanize.Bytes(uint64(float64(read)/seconds)))
	}
	m.write(line)
}

// due reports whether it is time for another line.
func (m *Meter) due() bool {
	if m.to == nil {
		return false
	}
	now := time.Now()
	if now.Before(m.after) || now.Before(m.next) {
		return false
	}
	m.next = now.Add(100 * time.Millisecond)
	return true
}

func (m *Meter) write(line string) {
	if m.erases {
		line = "\r" + line + "\x1b[K"
	} else {
		line += "\n"
	}
	m.shown = true
	io.WriteString(m.to, line) // whoever does not see progress misses nothing
}

// Clear takes the line away.
func (m *Meter) Clear() {
	if m.shown && m.erases {
		io.WriteString(m.to, "\r\x1b[K")
	}
}
