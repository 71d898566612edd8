package session

import (
	"encoding/binary"
	"errors"
)

// MostLines is how many lines that were shown are looked at, those shown last first.
const MostLines = 1 << 16

// Shown is what a response that was shown is recognized by. Both are hashes, of redacted text.
type Shown struct {
	Result []byte // of the response: that of an equal one is the same
	Call   []byte // of what it is the response to: a later response to the same is compared with it
	InPart bool   // the reader is shown some of it; not looked at by Again
}

// Earlier is a response that was shown since the last Reset and can be read. Looking at it does not count as a use.
type Earlier struct {
	*Stored
	Ago    int    // entries on the ledger since it was shown, its own included: 1 is the last one
	InPart bool   // it was shown in part
	Asked  []byte // if so, Given.Asked; empty where it is not known that the reader has it
}

// Given is what the reader has of a response.
type Given struct {
	Handle string
	Asked  []byte   // of a response shown in part: a hash of the question to which it was
	Of     []byte   // what lines are recognized by: those with another are not compared
	Lines  []uint64 // a hash of each line that was shown
	As     []string // handles that the reader was referred to, which count as used
}

// Number returns the number of the handle.
func (g Given) Number() (int64, error) {
	number, isNamed := HandleNumber(g.Handle)
	if !isNamed {
		return 0, errors.New("give: no such handle")
	}
	return number, nil
}

// PackedLines returns the hashes of the lines as a session stores them: 8 bytes each, big-endian.
func (g Given) PackedLines() []byte {
	lines := make([]byte, 0, 8*len(g.Lines))
	for _, line := range g.Lines {
		lines = binary.BigEndian.AppendUint64(lines, line)
	}
	return lines
}

// LinesShown gathers the lines of several handles, the last one first.
type LinesShown struct {
	By   map[uint64]string // the last handle with each
	seen int
}

// Add takes in the lines of a handle, as PackedLines has them. It reports false when no more are looked at.
func (l *LinesShown) Add(number int64, lines []byte) bool {
	id := HandleID(number)
	for ; len(lines) >= 8; lines = lines[8:] {
		if line := binary.BigEndian.Uint64(lines); l.By[line] == "" {
			l.By[line] = id
		}
		l.seen++
	}
	return l.seen < MostLines
}

// CommitShown is Commit for a response that is about to be shown: the handle gets a name if it has none, and Again
// finds it until the next Reset. In the same transaction the tokens, unless they are 0, go on the ledger as Spend
// puts them there; command must be redacted already.
func (h *Handle) CommitShown(s Shown, tokens int, command string) error {
	if tokens < 0 {
		return errors.New("shown: a number of tokens is negative")
	}
	if err := h.settle(); err != nil {
		return err
	}
	if h.ended {
		return errors.New("handle: closed before it was shown")
	}
	h.err = h.do(h.endBlock(), Write{Sync: true, Name: h.name == "", Complete: true, Shown: &s, Tokens: tokens,
		Command: command})
	h.end()
	return h.err
}
