package bpefile

import (
	"golang.org/x/text/unicode/norm"

	"github.com/kfw-dev/kfw/budget"
)

const (
	// tallyPart is how many bytes are taken in at a time, and leastHeld how many are held at first
	// before pieces are looked for.
	tallyPart = 16 << 10
	leastHeld = 64 << 10
	// mostHeld is how many bytes are held for a piece to end. A longer one is cut there, which
	// makes it a few tokens more.
	mostHeld = 256 << 10
)

// Tally returns a tally of a text that comes in parts. Only one tally, or the File itself, can be
// in use at a time. It counts what Count does, except that a piece of more than 256 KiB is cut.
func (f *File) Tally() budget.Tally {
	t := &tally{file: f, due: leastHeld}
	if f.composes {
		t.composer = norm.NFC.Writer(held{t})
	}
	return t
}

type tally struct {
	file     *File
	repairer budget.Repairer
	repaired []byte
	composer interface { // nil if the text is not normalized
		Write([]byte) (int, error)
		Close() error
	}
	held   []byte // that pieces are to be made of
	due    int    // how many bytes of it are enough
	tokens int
}

// held is where the composer writes to.
type held struct{ *tally }

func (h held) Write(part []byte) (int, error) {
	h.held = append(h.held, part...)
	return len(part), nil
}

func (t *tally) Write(part []byte) (int, error) {
	for rest := part; len(rest) > 0; {
		n := min(len(rest), tallyPart)
		t.repaired = t.repairer.Append(t.repaired[:0], rest[:n])
		if err := t.take(t.repaired); err != nil {
			return len(part) - len(rest), err
		}
		rest = rest[n:]
		if len(t.held) >= t.due {
			t.count(false)
		}
	}
	return len(part), nil
}

func (t *tally) take(text []byte) error {
	if t.composer != nil {
		_, err := t.composer.Write(text)
		return err
	}
	t.held = append(t.held, text...)
	return nil
}

// Tokens implements budget.Tally.
func (t *tally) Tokens() int {
	t.repaired = t.repairer.Flush(t.repaired[:0])
	_ = t.take(t.repaired) // appending cannot fail
	if t.composer != nil {
		_ = t.composer.Close()
	}
	t.count(true)
	return t.tokens
}

// count counts the pieces of what is held that are sure.
func (t *tally) count(ended bool) {
	text, f := t.held, t.file
	f.tokens = 0
	for len(text) > 0 {
		from, to, sure := len(text), len(text), false // without a stage all of it is one piece
		if len(f.stages) > 0 {
			from, to, sure = f.stages[0].find(text)
		}
		if !sure && !ended && len(text) < mostHeld {
			break
		}
		if len(f.stages) > 0 {
			f.stages[0].take(f.stages[1:], text[:from], text[from:to], f.add)
		} else {
			f.add(text)
		}
		text = text[to:]
	}
	t.tokens += f.tokens
	t.held = append(t.held[:0], text...)
	t.due = max(leastHeld, 2*len(t.held))
}
