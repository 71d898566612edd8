package cmd

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/dustin/go-humanize"
	"golang.org/x/term"

	"github.com/kfw-dev/kfw/pipeline"
)

// meter shows how far a run is: one line on stderr that is written over, ten times a second at the most.
type meter struct {
	to     io.Writer // nil for nowhere
	after  time.Time
	next   time.Time
	shown  bool
	erases bool // to is a terminal
}

func newMeter(stderr *os.File, when string) *meter {
	terminal := term.IsTerminal(int(stderr.Fd())) && os.Getenv("TERM") != "dumb"
	m := &meter{erases: terminal}
	switch when {
	case "auto":
		m.after = time.Now().Add(time.Second)
		if terminal {
			m.to = stderr
		}
	case "always":
		m.to = stderr
	}
	return m
}

func (m *meter) show(p pipeline.Progress) {
	if m.to == nil {
		return
	}
	now := time.Now()
	if now.Before(m.after) || now.Before(m.next) {
		return
	}
	m.next = now.Add(100 * time.Millisecond)
	line := fmt.Sprintf("kfw: %d chunks, %s read, %d of %d tokens left, %s", p.Chunks, humanize.Bytes(uint64(p.Bytes)), p.Left, p.Budget, p.Mode)
	if m.erases {
		line = "\r" + line + "\x1b[K"
	} else {
		line += "\n"
	}
	m.shown = true
	io.WriteString(m.to, line) // whoever does not see progress misses nothing
}

// clear takes the line away.
func (m *meter) clear() {
	if m.shown && m.erases {
		io.WriteString(m.to, "\r\x1b[K")
	}
}
