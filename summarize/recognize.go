package summarize

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

const (
	maxMatchers   = 256 // lines that are recognized
	maxSteps      = 48  // of one
	matcherSets   = 64
	startLen      = 32 // bytes of a line by whose shape its matchers are looked for
	maxTries      = 16 // matchers with the same start that are tried
	mostOfAffixes = 23 // bytes of a word around a number whose length may vary: with its digits they are no UUID
	mostLetters   = 3  // right after a number that may have a fraction: 1.5ms
)

// matchers recognize lines that differ from a known one in their numbers alone, without cutting them into words: most
// lines of a log do. Of such a line they say what cutting it would: which one it is, and what its numbers are.
type matchers struct {
	all   [maxMatchers]matcher
	used  int
	next  int                // to be replaced when all are in use
	sets  [matcherSets]int16 // by the shape of the start: the first of a list, index + 1
	draft matcher
}

type matcher struct {
	start   uint64 // shape of the first bytes
	line    uint64 // hash of the line with its variables masked
	words   int
	numbers uint64 // the words that have one, a bit for each
	hasID   bool
	hasLong bool
	next    int16 // in the same set, index + 1
	from    int   // where the steps begin: the words before are known by the shape of the start
	count   int   // of steps
	steps   [maxSteps]matchStep
}

// matchStep is a step past some bytes of a line: a text, the same but for its digits, and what follows it.
type matchStep struct {
	length      uint8 // of the text, up to eight
	hasDigits   bool
	kind        stepKind
	word        uint8    // whose number is read
	mayBeBroken bool     // the number may have a fraction
	number      digitRun // in its word
	at          int16    // of a number in the text: its word, from the end of the text
	text        uint64   // a 0 for each digit
}

type stepKind uint8

const (
	passText   stepKind = iota // and no more
	passNumber                 // with any number of digits
	passHex
	passUUID
	readNumber // in what was passed as text: it has as many digits in each line
)

func (a *matchers) clear() { a.used, a.next, a.sets = 0, 0, [matcherSets]int16{} }

func (a *matchers) set(start uint64) *int16 { return &a.sets[start>>1%matcherSets] }

// shapeOfStart is that of the first bytes of a line, with blanks after it.
func shapeOfStart(text []byte) (shape uint64) {
	for i := 0; i < startLen; i += 8 {
		shape = mixed(shape ^ withoutDigits(eightAt(text, i)))
	}
	return shape
}

// recognize says whether the line at hand, which is not cut into words yet, is one of those, and reads its numbers if it is.
func (m *maskedLine) recognize(all *matchers) bool {
	if m.cut {
		return false
	}
	text := m.line[:len(m.line)+len(blanksAfter)]
	start := shapeOfStart(text)
	first := all.set(start)
	link := first
	for tries := 0; *link > 0 && tries < maxTries; tries++ {
		at := *link
		x := &all.all[at-1]
		if x.start == start && x.matches(m, text) {
			if link != first { // what came last is looked at first
				*link, x.next, *first = x.next, *first, at
			}
			m.isRecognized = true
			return true
		}
		link = &x.next
	}
	return false
}

// matches says whether the line at hand is that of the matcher, and reads its numbers if it is.
func (x *matcher) matches(m *maskedLine, text []byte) bool {
	if x.from > len(m.line) {
		return false
	}
	m.words, m.hasLong = m.words[:x.words], x.hasLong
	at := x.from
	for i := range x.steps[:x.count] {
		step := &x.steps[i]
		if step.length > 0 {
			b := eightAt(text, at)
			if step.hasDigits {
				b = withoutDigits(b)
			}
			if (b^step.text)<<((64-8*step.length)&63) != 0 {
				return false
			}
			at += int(step.length)
		}
		if at > len(m.line) {
			return false
		}
		switch step.kind {
		case passNumber:
			n := m.passNumber(step, text, at)
			if n == 0 {
				return false
			}
			at += n
		case passHex:
			n := hexWordLen(text, at)
			if n == 0 {
				return false
			}
			at += n
		case passUUID:
			if !isUUID(text[at:]) {
				return false
			}
			m.hasLong = true // perhaps: some of its parts may be numbers
			at += len(uuid)
		case readNumber:
			w := &m.words[step.word]
			w.from, w.number = uint16(at+int(step.at)), step.number
			w.readNumber(m.line)
		}
	}
	if at != len(m.line) {
		return false
	}
	m.hash, m.variables, m.hasID = x.line, x.numbers, x.hasID
	return true
}

// passNumber reads the number at a place, and returns its length, 0 if the word may not have it.
func (m *maskedLine) passNumber(step *matchStep, text []byte, at int) (length int) {
	b := eightAt(text, at)
	n := leadingDigitsOf(b)
	if n == 0 {
		return 0
	}
	w := &m.words[step.word]
	w.value = float64(digitsOf(b, n))
	w.isPadded = n > 1 && text[at] == '0'
	w.number = digitRun{to: uint8(n)}
	m.hasLong = m.hasLong || n >= longNumber
	if text[at+n] != '.' || !isDigit(text[at+n+1]) {
		return n
	}
	fraction := text[at+n+len("."):]
	decimals := leadingDigitsOf(binary.LittleEndian.Uint64(fraction))
	all := n + len(".") + decimals
	if !step.mayBeBroken || all > longestCount {
		return 0
	}
	scale := exactPowerOfTen(decimals)
	w.value = (w.value*scale + float64(readDigits(fraction, decimals))) / scale
	w.number = digitRun{to: uint8(all), decimals: uint8(decimals)}
	m.hasLong = m.hasLong || decimals >= longNumber
	return all
}

// leadingDigitsOf returns how many of eight bytes, the lowest first, are digits before the first that is none.
func leadingDigitsOf(bytes uint64) int { return bits.TrailingZeros64(othersThanDigits(bytes)) / 8 }

// leadingHexOf does the same for hexadecimal digits, and says whether there are digits and letters among them.
func leadingHexOf(bytes uint64) (n int, hasDigit, hasLetter bool) {
	digits := othersThanDigits(bytes) ^ 0x80*eachByte
	lower := bytes&(0x7f*eachByte) | 0x20*eachByte
	apart := lower ^ 0x60*eachByte // 1 to 6 for letters
	letters := (apart + (0x7f)*eachByte) &^ (apart + (0x7f-6)*eachByte) &^ bytes & (0x80 * eachByte)
	others := (digits | letters) ^ 0x80*eachByte
	end := others & -others // all above are past the end
	return bits.TrailingZeros64(others) / 8, digits&(end-1) != 0, letters&(end-1) != 0
}

// hexWordLen returns the length of what isHexWord says is at a place, 0 if it is not.
func hexWordLen(text []byte, at int) int {
	hasDigit, hasLetter := false, false
	for i := at; ; i += 8 {
		n, digit, letter := leadingHexOf(eightAt(text, i))
		hasDigit, hasLetter = hasDigit || digit, hasLetter || letter
		if n == 8 {
			continue
		}
		if length := i + n - at; length >= enoughHex && hasDigit && hasLetter {
			return length
		}
		return 0
	}
}

// isUUID says whether text begins with a UUID.
func isUUID(text []byte) bool {
	for _, group := range [...]struct{ from, length int }{{0, 8}, {9, 4}, {14, 4}, {19, 4}, {24, 8}, {28, 8}} {
		if n, _, _ := leadingHexOf(binary.LittleEndian.Uint64(text[group.from:])); n < group.length {
			return false
		}
	}
	return text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-'
}

// learn makes a matcher for the line at hand, which has been cut into words, if one can be sure of it.
func (a *matchers) learn(m *maskedLine) {
	if m.cut || m.paths > 0 || m.isRecognized || !a.draft.make(m) {
		return
	}
	x := &a.all[a.next]
	if a.used < maxMatchers {
		a.used++
	} else {
		a.drop(x)
	}
	*x = a.draft
	first := a.set(x.start)
	x.next, *first = *first, int16(a.next+1)
	a.next = (a.next + 1) % maxMatchers
}

// drop takes a matcher out of its set.
func (a *matchers) drop(x *matcher) {
	link := a.set(x.start)
	for &a.all[*link-1] != x {
		link = &a.all[*link-1].next
	}
	*link = x.next
}

// make makes x the matcher of a line that has been cut into words. It returns false if the line can't be recognized without
// that.
func (x *matcher) make(m *maskedLine) bool {
	x.start = shapeOfStart(m.line[:len(m.line)+len(blanksAfter)])
	x.line, x.words, x.numbers, x.hasID, x.hasLong, x.count = m.hash, len(m.words), 0, m.hasID, m.hasLong, 0
	x.from = min(len(m.line), startLen)
	for i := range m.words {
		if w := &m.words[i]; int(w.to) >= startLen {
			x.from = min(int(w.from), startLen)
			break
		}
	}
	at := x.from // what of the line comes before is passed
	for i := range m.words {
		w := &m.words[i]
		word := m.line[w.from:w.to]
		from, to := int(w.from), int(w.to)
		hasNumber := !w.number.isNone()
		if hasNumber {
			x.numbers |= 1 << i
		}
		step := matchStep{kind: readNumber, word: uint8(i), number: w.number}
		switch {
		case isMarkedHex(word):
			return false // one digit more or less is no hexadecimal number
		case to < startLen:
			if !hasNumber {
				continue
			}
		case isHexWord(word):
			step.kind = passHex
		case len(word) == len(uuid) && uuidLen(word) > 0:
			step.kind = passUUID
		case !hasNumber:
			continue // a part of the text up to the next step
		case m.mayVary(i):
			step.kind, step.mayBeBroken = passNumber, mayBeBroken(word[:w.number.from], word[w.number.to:])
			from, to = from+int(w.number.from), from+int(w.number.to)
		default:
			from = to // it is read when it has been passed
		}
		if to >= startLen {
			if !x.passText(m.line[at:from]) {
				return false
			}
			at = to
		}
		step.at = int16(int(w.from) - at)
		if !x.add(step) {
			return false
		}
	}
	return x.passText(m.line[at:])
}

// add adds a step, to the text before it if there is one.
func (x *matcher) add(step matchStep) bool {
	if x.count > 0 && step.length == 0 {
		if last := &x.steps[x.count-1]; last.kind == passText {
			step.length, step.hasDigits, step.text = last.length, last.hasDigits, last.text
			*last = step
			return true
		}
	}
	if x.count == maxSteps {
		return false
	}
	x.steps[x.count] = step
	x.count++
	return true
}

// passText adds the steps past a text.
func (x *matcher) passText(text []byte) bool {
	for n := 0; len(text) > 0; text = text[n:] {
		n = min(8, len(text))
		step := matchStep{length: uint8(n), hasDigits: bytes.ContainsAny(text[:n], "0123456789"), text: withoutDigits(lastBytes(text[:n]))}
		if !x.add(step) {
			return false
		}
	}
	return true
}

// isMarkedHex says whether a word has an x after a digit.
func isMarkedHex(word []byte) bool {
	for i := 1; i < len(word); i++ {
		if word[i]|0x20 == 'x' && isDigit(word[i-1]) {
			return true
		}
	}
	return false
}

// mayVary says whether a word with one number is the same with any other in its place, as appendMasked has it: no time, no
// address and nothing hexadecimal.
func (m *maskedLine) mayVary(i int) bool {
	w := &m.words[i]
	word := m.line[w.from:w.to]
	before, after := word[:w.number.from], word[w.number.to:]
	if len(before)+len(after) > mostOfAffixes {
		return false
	}
	if i > 0 {
		if last := &m.words[i-1]; isUpper(m.line[last.from]) && last.to-last.from == 3 {
			return false // with a month before it, it may be a day
		}
	}
	if w.number.decimals > 0 && !mayBeBroken(before, after) {
		return false
	}
	letters := before[len(before)-lettersAtEnd(before):]
	others := after[:leadingLetters(after)]
	return len(letters)+len(others) == 0 || hasOtherThanHex(letters) || hasOtherThanHex(others)
}

// mayBeBroken says whether a number with that before and after it in its word is the same variable when it has a fraction.
func mayBeBroken(before, after []byte) bool {
	return lettersAtEnd(before) == 0 && leadingLetters(after) <= mostLetters
}

func lettersAtEnd(b []byte) (n int) {
	for n < len(b) && isLetter(b[len(b)-1-n]) {
		n++
	}
	return n
}

func leadingLetters(b []byte) (n int) {
	for n < len(b) && isLetter(b[n]) {
		n++
	}
	return n
}

func hasOtherThanHex(run []byte) bool {
	for _, c := range run {
		if !isHexDigit(c) {
			return true
		}
	}
	return false
}
