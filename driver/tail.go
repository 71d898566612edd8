package driver

import (
	"bytes"
	"sync"
	"unicode/utf8"
)

const (
	tailLines = 20
	tailWidth = 1024 // bytes that are kept of a line
	cutMark   = "..."
)

// tail keeps the last lines of what is written to it, in constant memory.
type tail struct {
	mu    sync.Mutex
	ring  [tailLines][]byte // each with up to two bytes more than the width, to tell whether it is cut
	begun int               // lines so far
	open  bool              // the last of them has not ended
}

// Write never fails.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for rest := b; len(rest) > 0; {
		line := &t.ring[(t.begun+tailLines-1)%tailLines]
		if !t.open {
			line = &t.ring[t.begun%tailLines]
			*line = (*line)[:0]
			t.begun++
		}
		part, after, ended := bytes.Cut(rest, []byte{'\n'})
		*line = append(*line, part[:min(len(part), tailWidth+2-len(*line))]...)
		t.open, rest = !ended, after
	}
	return len(b), nil
}

// lines returns a copy of the last lines, oldest first, without line feeds and the carriage returns before them.
func (t *tail) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lines []string
	for i := max(0, t.begun-tailLines); i < t.begun; i++ {
		lines = append(lines, shorten(bytes.TrimSuffix(t.ring[i%tailLines], []byte{'\r'})))
	}
	return lines
}

// shorten cuts a line that is too long, not within a character.
func shorten(line []byte) string {
	if len(line) <= tailWidth {
		return string(line)
	}
	end := tailWidth
	for end > tailWidth-utf8.UTFMax && !utf8.RuneStart(line[end]) {
		end--
	}
	return string(line[:end]) + cutMark
}
