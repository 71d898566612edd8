package hosts

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kfw-dev/kfw/internal/summarize/excerpt"
	"github.com/kfw-dev/kfw/session"
)

const (
	// mostRemembered is how many lines of one result are remembered: it bounds the session file.
	mostRemembered = 4096
	// giveWait is how long a hook that has answered waits for others of its session.
	giveWait = 500 * time.Millisecond
)

// ofReads is the key of all lines that bring their number in a file. It names no path: a line with the same number and
// the same text in a copy of the file counts as the same line.
var ofReads = []byte("read")

// memory knows which lines of a result the model was shown before in this session, and records which it is shown now.
// It keeps hashes of redacted lines, never text.
//
// In a file read, only lines that bring their numbers are remembered, and they are recognized in any result. Lines of
// other results are recognized only in an equal result.
type memory struct {
	of     []byte
	isRead bool
	text   int               // of the result, that is looked at
	before map[uint64]string // handles
	as     map[string]bool   // of these, that were named
	shown  []uint64
	buffer []byte
}

// hash returns the hash of a unit of the current text, or of a piece of one; 0 if it is not remembered.
func (m *memory) hash(n int, line []byte) uint64 {
	m.buffer = m.buffer[:0]
	if m.isRead {
		if excerpt.OwnNumber(line) == 0 {
			return 0
		}
	} else {
		m.buffer = binary.AppendUvarint(binary.AppendUvarint(m.buffer, uint64(m.text)), uint64(n))
	}
	m.buffer = append(m.buffer, bytes.TrimRight(line, "\r\n")...)
	sum := sha256.Sum256(m.buffer)
	return binary.BigEndian.Uint64(sum[:])
}

// Where implements excerpt.Memory.
func (m *memory) Where(n int, text []byte) string {
	if len(m.before) == 0 {
		return ""
	}
	id := m.before[m.hash(n, text)]
	if id != "" {
		m.as[id] = true
	}
	return id
}

// Show implements fit.Memory.
func (m *memory) Show(n int, text []byte) {
	if len(m.shown) == mostRemembered {
		return
	}
	if hash := m.hash(n, text); hash != 0 {
		m.shown = append(m.shown, hash)
	}
}

// showAll takes in a text that is shown whole.
func (m *memory) showAll(i int, text string) {
	m.text = i
	n := 0
	for line := range strings.Lines(text) {
		n++
		m.Show(n, []byte(line))
	}
}

// knows reports whether the model was shown at least so many bytes of a text before.
func (m *memory) knows(text string, bytes int) bool {
	for line := range strings.Lines(text) {
		if m.before[m.hash(0, []byte(line))] != "" {
			bytes -= len(line)
		}
		if bytes <= 0 {
			return true
		}
	}
	return false
}

// recall finds out what the model was shown before of the lines of the result.
func (r *repeat) recall() (err error) {
	m := &memory{of: r.shown.Result, as: make(map[string]bool)}
	r.memory = m
	if r.only && excerpt.IsRead(r.plain[r.first]) {
		m.of, m.isRead = ofReads, true
	}
	if !m.isRead && !r.inPart {
		return nil
	}
	if m.before, err = r.file.ShownLines(m.of); err != nil || len(m.before) == 0 {
		return err
	}
	r.isAgain = r.inPart || m.knows(r.plain[r.first], leastRepeat*bytesPerToken)
	return nil
}

// commit stores which texts of the result are shown, and charges the session. isDifference says that the texts are a
// difference from an earlier result.
func (r *repeat) commit(handle *session.Handle, tokens int, texts []string, isDifference bool) error {
	shown := r.shown
	shown.InPart = !slices.Equal(texts, r.redacted)
	if isDifference {
		shown.InPart = r.last.InPart
	}
	if err := handle.CommitShown(shown, tokens, r.from); err != nil {
		return err
	}
	id, err := handle.Name()
	if err != nil || isDifference || !shown.InPart && !r.memory.isRead {
		return err
	}
	m := r.memory
	for i := range texts {
		if r.hasOutput(i) && texts[i] == r.redacted[i] {
			m.showAll(i, r.plain[i])
		}
	}
	given := session.Given{Handle: id, Of: m.of, Lines: m.shown, As: slices.Sorted(maps.Keys(m.as))}
	if shown.InPart {
		given.Asked = r.asked()
	}
	r.door.given = func() {
		file := r.door.open(r.event, session.Settings{Wait: giveWait})
		_ = file.Give(given) // what is not recorded is shown again
		_ = file.Close()
	}
	return nil
}
