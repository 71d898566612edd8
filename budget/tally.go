package budget

import "io"

// tallyBuffer is how many bytes of a text are held, and longTail how many of them a piece takes that is counted while
// it goes on.
const (
	tallyBuffer = 16 << 10
	longTail    = tallyBuffer / 2
)

// Tally counts the tokens of a text that comes in parts of any size, in constant memory.
type Tally interface {
	io.Writer // whose error is that of Err, for a tally that can fail
	// Tokens returns the tokens of all that was written. Nothing can be written after it.
	Tokens() int
}

// NewTally returns a tally of what the counter of this name counts, were it given the text as one line.
func NewTally(name string) (Tally, error) {
	counter, err := NewCounter(name)
	if err != nil {
		return nil, err
	}
	return counter.(interface{ tally() Tally }).tally(), nil
}

func (charCounter) tally() Tally     { return &charTally{} }
func (c *exactCounter) tally() Tally { return newExactTally(c) }

// charTally counts a token for every four code points begun.
type charTally struct {
	Repairer
	text       []byte
	codePoints int
}

func (t *charTally) Write(part []byte) (int, error) {
	for rest := part; len(rest) > 0; {
		n := min(len(rest), tallyBuffer/mostRepaired)
		t.text = t.Append(t.text[:0], rest[:n])
		t.codePoints += codePoints(t.text)
		rest = rest[n:]
	}
	return len(part), nil
}

func (t *charTally) Tokens() int {
	t.codePoints += codePoints(t.Flush(t.text[:0]))
	return (t.codePoints + 3) / 4
}

// exactTally counts the tokens of a text that comes in parts, in constant memory.
type exactTally struct {
	counter *exactCounter
	Repairer
	text   []byte // what has not been counted yet
	tokens int

	// Of a piece that is too long to be held:
	run     run
	whole   *longPiece // as if it went on, whatever has been seen
	rest    *longPiece // as if it had ended where it was last divided, and another piece begun
	divided bool
	closed  int // tokens up to where it was last divided
	resting bool
}

func newExactTally(c *exactCounter) *exactTally {
	return &exactTally{
		counter: c,
		text:    make([]byte, 0, tallyBuffer),
		whole:   newLongPiece(&c.merger),
		rest:    newLongPiece(&c.merger),
	}
}

func (t *exactTally) reset() {
	t.Repairer, t.text, t.tokens, t.run = Repairer{}, t.text[:0], 0, noRun
}

func (t *exactTally) Write(part []byte) (int, error) {
	t.add(part)
	return len(part), nil
}

func (t *exactTally) add(part []byte) {
	for len(part) > 0 {
		n := min(len(part), (tallyBuffer-len(t.text))/mostRepaired-1)
		t.text = t.Append(t.text, part[:n])
		part = part[n:]
		t.count(false)
	}
}

// Tokens returns the tokens of the text, which is to end here.
func (t *exactTally) Tokens() int {
	t.text = t.Flush(t.text)
	t.count(true)
	return t.tokens
}

// count counts the pieces of what is held that are sure.
func (t *exactTally) count(ended bool) {
	text := t.text
	for {
		if t.run != noRun {
			n := t.goOn(text, ended)
			text = text[n:]
			if t.run != noRun {
				break
			}
		}
		if len(text) == 0 {
			break
		}
		size, seen := t.counter.splitter.piece(text)
		if seen < len(text) || ended {
			t.tokens += t.counter.first(text, size)
			text = text[size:]
			continue
		}
		if len(text) < longTail {
			break
		}
		text = text[t.begin(text):]
	}
	t.text = append(t.text[:0], text...)
}

// run is what a long piece can go on with.
type run uint8

const (
	noRun     run = iota
	anyCase       // of o200k_base: capitals and letters without case, until a small letter comes
	smallCase     // after one
	caseless      // of cl100k_base and the older ones: any letters
	symbolRun
	lineEnds // after symbols
	blankRun
	digitRun // of p50k_base: any digits
)

// begin begins to count a long piece, and returns how many bytes it has taken.
func (t *exactTally) begin(text []byte) int {
	t.whole.reset()
	t.divided = false
	kind, lead := t.counter.splitter.begins(text)
	switch kind {
	case word:
		t.run = caseless
		if t.counter.splitter.style == caseAware {
			t.run = anyCase
		}
	case digits:
		t.run = digitRun
	case symbols:
		t.run = symbolRun
	default:
		t.run = blankRun
	}
	t.whole.write(text[:lead])
	return lead
}

// next returns what a piece can go on with after a code point, or noRun if that does not belong to it.
func (t *exactTally) next(c class, first byte) run {
	switch t.run {
	case anyCase:
		if c == lower {
			return smallCase
		}
		if c >= upper {
			return anyCase
		}
	case smallCase:
		if c >= lower {
			return smallCase
		}
	case caseless:
		if upper <= c && c <= letter {
			return caseless
		}
	case symbolRun:
		if c == newline && t.counter.splitter.style != older {
			return lineEnds
		}
		if c == other || c == mark {
			return symbolRun
		}
	case lineEnds:
		if c == newline || first == '/' && t.counter.splitter.style == caseAware {
			return lineEnds
		}
	case blankRun:
		if c == space || c == newline {
			return blankRun
		}
	case digitRun:
		if c == number {
			return digitRun
		}
	}
	return noRun
}

// goOn goes on with a long piece, and returns how many bytes it has taken. t.run is noRun when the piece has ended.
func (t *exactTally) goOn(text []byte, ended bool) int {
	i, division, last := 0, 0, 0 // last is where the last code point begins, if it is blank and no line end
	over := ended
	for i < len(text) {
		c, n := t.counter.splitter.at(text, i)
		next := t.next(c, text[i])
		if next == noRun {
			over = true
			break
		}
		if t.run == anyCase && next == smallCase {
			division, t.divided = 0, false
		}
		t.run = next
		last = i
		i += n
		if t.run == anyCase && c >= letter || t.run == blankRun && c == newline && t.counter.splitter.style != older {
			division, last = i, i
		}
	}
	if t.run == blankRun && (i < len(text) || !ended) {
		i = last // that belongs to what follows
	}
	t.take(text[:i], division)
	if !over {
		return i
	}
	if t.run == anyCase || t.run == smallCase {
		if rest := text[i:]; len(rest) > 0 && rest[0] == '\'' {
			if len(rest) < longestContraction && !ended {
				return i
			}
			t.divided = t.divided && t.resting
			n := contraction(rest)
			t.take(rest[:n], 0)
			i += n
		}
	}
	if t.divided && t.resting {
		t.tokens += t.closed + t.rest.tokens()
	} else {
		t.tokens += t.whole.tokens()
	}
	t.run = noRun
	return i
}

// take adds to a long piece, which may have to be divided after this many bytes; 0 is not at all.
func (t *exactTally) take(part []byte, division int) {
	if division > 0 {
		t.whole.write(part[:division])
		t.closed = t.whole.tokens()
		t.divided, t.resting = true, false
		t.rest.reset()
		part = part[division:]
	}
	t.whole.write(part)
	if t.divided && len(part) > 0 {
		t.rest.write(part)
		t.resting = true
	}
}
