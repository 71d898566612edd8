package mask

import (
	"bytes"
	"math"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
)

const (
	maxMatchers   = 256  // lines that are recognized
	maxPlainLines = 2048 // and those that have nothing that varies, by the last bits of their hash
	maxSteps      = 48   // of one
	matcherSets   = 64
	longStart     = 48 // bytes of a line by which its matchers are looked for,
	shortStart    = 32 // if nothing in them varies but digits, and so many otherwise
	maxInSet      = 32 // matchers in one
	mostOfAffixes = 23 // bytes of a word around a number whose length may vary: with its digits they are no UUID
	mostLetters   = 3  // right after a number that may have a fraction: 1.5ms
	maxParts      = 4  // of a word that differ
	noWord        = math.MaxUint8
)

// Matchers recognize lines that differ from a known one in nothing but their variables, without cutting them into
// words: most lines of a log do. Of such a line they say what cutting it would: which one it is, and what its numbers
// and paths are.
type Matchers struct {
	all   [maxMatchers]matcher
	used  int
	next  int                // to be replaced when all are in use
	sets  [matcherSets]int16 // by how lines begin: the first of a list, index + 1
	short bool               // the last line that was recognized was so by a short start
	draft matcher
	plain [maxPlainLines]plainLine
}

// plainLine is a line without a digit or a slash, and so without numbers and paths, as it is.
type plainLine struct {
	text  uint64 // hash of it; 0 for none
	line  uint64 // hash of its words
	words int
}

// IsAsItIs says whether a line with these parts is recognized as it is, or not at all.
func IsAsItIs(has Part) bool { return has&(Digit|slash) == 0 }

type matcher struct {
	start     lineStart
	hash      uint64 // of start
	startLen  int
	line      uint64 // hash of the line with its variables masked
	words     int
	variables uint64 // the words that are a path or have one number, a bit for each
	paths     int
	hasID     bool
	next      int16 // in the same set, index + 1
	from      int   // where the steps begin: the words before are known by the start
	count     int   // of steps
	steps     [maxSteps]matchStep
}

// matchStep is a step past some bytes of a line: a text, the same except its digits, and what follows it.
type matchStep struct {
	length      uint8 // of the text, up to eight
	hasDigits   bool  // which may be others
	kind        stepKind
	word        uint8    // whose number or path it is, if it is that of one
	mayBeBroken bool     // the number may have a fraction
	number      digitRun // in its word
	at          int16    // where the word of a number in the text begins, from the end of the text: not above 0
	text        uint64   // a 0 for each digit
}

type stepKind uint8

const (
	stepText      stepKind = iota // and no more
	stepNumber                    // with any number of digits
	stepHex                       // a word
	stepMarkedHex                 // what comes after 0x
	stepUUID
	stepAddress
	stepPath
	stepNumberInText // in what was passed as text: it has as many digits in each line
)

// Clear forgets all lines: none is recognized until it is learnt again.
func (a *Matchers) Clear() {
	a.used, a.next, a.sets, a.short = 0, 0, [matcherSets]int16{}, false
	clear(a.plain[:])
}

func (a *Matchers) set(hash uint64) *int16 { return &a.sets[hash%matcherSets] }

// lineStart is what a line begins with, with a 0 for each digit and blanks after a short line.
type lineStart [longStart / 8]uint64

// read reads it off a line with blanks after it, and returns its hash, and that of a short one.
func (l *lineStart) read(text []byte) (long, short uint64) {
	for i := range l {
		if i == shortStart/8 {
			short = long
		}
		l[i] = ascii.WithoutDigits(ascii.EightAt(text, 8*i))
		long = sketch.Mix(long ^ l[i])
	}
	return long, short
}

// begins says whether a line with that start may be one of the matcher.
func (x *matcher) begins(start *lineStart) bool {
	differ := uint64(0)
	for i := range x.startLen / 8 {
		differ |= x.start[i] ^ start[i]
	}
	return differ == 0
}

// textHash is a hash of the current line, as it is written; not 0.
func (m *Line) textHash() uint64 {
	hash := uint64(len(m.Line)) * sketch.PlaceFactor
	for at := 0; at < len(m.Line); at += 8 { // blanks follow it
		hash = sketch.Mix(hash ^ ascii.EightAt(m.text[:], at))
	}
	return hash | 1
}

// RecognizePlain says whether the current line, which is not cut into words yet, is one without a variable that came
// before.
func (m *Line) RecognizePlain(all *Matchers) bool {
	hash := m.textHash()
	p := &all.plain[hash>>1%maxPlainLines]
	if m.IsRecognized = p.text == hash && !m.Cut; m.IsRecognized {
		m.Words, m.Hash = m.Words[:p.words], p.line
		m.Variables, m.Paths, m.HasID = 0, 0, false
	}
	return m.IsRecognized
}

// LearnPlain remembers the current line, which has been cut into words, if it has no variable.
func (a *Matchers) LearnPlain(m *Line) {
	if !m.Cut && m.Variables == 0 {
		hash := m.textHash()
		a.plain[hash>>1%maxPlainLines] = plainLine{hash, m.Hash, len(m.Words)}
	}
}

// Recognize says whether the current line, which is not cut into words yet, is one of those, and reads its numbers
// and paths if it is.
func (m *Line) Recognize(all *Matchers) bool {
	if m.Cut || all.used == 0 {
		return false
	}
	text := m.Line[:len(m.Line)+len(blanksAfter)]
	var start lineStart
	long, short := start.read(text)
	if all.short {
		m.IsRecognized = m.recognizeBy(all, text, &start, short, shortStart) ||
			m.recognizeBy(all, text, &start, long, longStart)
	} else {
		m.IsRecognized = m.recognizeBy(all, text, &start, long, longStart) ||
			m.recognizeBy(all, text, &start, short, shortStart)
	}
	return m.IsRecognized
}

// recognizeBy looks for the current line among those that have a start of that length in common with it.
func (m *Line) recognizeBy(all *Matchers, text []byte, start *lineStart, hash uint64, length int) bool {
	first := all.set(hash)
	link := first
	for *link > 0 {
		at := *link
		x := &all.all[at-1]
		if x.hash == hash && x.startLen == length && x.begins(start) && x.matches(m, text) {
			if link != first { // what came last is looked at first
				*link, x.next, *first = x.next, *first, at
			}
			all.short = length == shortStart
			return true
		}
		link = &x.next
	}
	return false
}

// matches says whether the current line is that of the matcher, and reads its numbers and paths if it is. All other
// words, and all else of these, are as an earlier line left them.
func (x *matcher) matches(m *Line, text []byte) bool {
	if x.from > len(m.Line) {
		return false
	}
	m.Words = m.Words[:x.words]
	at := x.from
	for i := range x.steps[:x.count] {
		step := &x.steps[i]
		if step.length > 0 {
			b := ascii.EightAt(text, at)
			if step.hasDigits {
				b = ascii.WithoutDigits(b)
			}
			if (b^step.text)<<((64-8*step.length)&63) != 0 {
				return false
			}
			at += int(step.length)
		}
		if at > len(m.Line) {
			return false
		}
		length := 0
		switch step.kind {
		case stepText:
			continue
		case stepNumberInText:
			w := &m.Words[step.word]
			w.From, w.IsPath, w.Number = uint16(at+int(step.at)), false, step.number
			w.readNumber(m.Line)
			continue
		case stepNumber:
			length = m.passNumber(step, text, at)
		case stepHex:
			if n, hasDigit, hasLetter := ascii.HexAt(text, at); n >= enoughHex && hasDigit &&
				(hasLetter || isPaddedAddress(text[at:], n)) {
				length = n
			}
		case stepMarkedHex:
			// without digits its 0 is a number
			if n, hasDigit, _ := ascii.HexAt(text, at); hasDigit && text[at-len("0x")] == '0' {
				length = n
			}
		case stepUUID:
			if StartsWithUUID(m.Line[at:]) {
				length = UUIDLen
			}
		case stepAddress:
			length = addressLen(m.Line[at:])
		case stepPath:
			length = m.passPath(step, text, at)
		}
		if length == 0 {
			return false
		}
		at += length
	}
	if at != len(m.Line) {
		return false
	}
	m.Hash, m.Variables, m.HasID, m.Paths = x.line, x.variables, x.hasID, x.paths
	return true
}

// passNumber reads the number at a place, and returns its length, 0 if the word may not have it.
func (m *Line) passNumber(step *matchStep, text []byte, at int) (length int) {
	b := ascii.EightAt(text, at)
	n := ascii.LeadingDigitsOf(b)
	if n == 0 {
		return 0
	}
	value := ascii.DigitsOf(b, n)
	if n == 8 {
		if more := ascii.LeadingDigitsOf(ascii.EightAt(text, at+8)); more > 0 {
			n += more
			value = readDigits(text[at:], n)
		}
	}
	length, decimals := n, 0
	if text[at+n] == '.' && ascii.IsDigit(text[at+n+1]) {
		decimals = ascii.LeadingDigitsOf(ascii.EightAt(text, at+n+1))
		if length += len(".") + decimals; !step.mayBeBroken {
			return 0
		}
	}
	if length > LongestCount {
		return 0
	}
	if step.word == noWord {
		return length
	}
	w := &m.Words[step.word]
	w.Value = float64(value)
	w.isPadded = n > 1 && text[at] == '0'
	w.IsPath, w.Number = false, digitRun{to: uint8(length), Decimals: uint8(decimals)}
	if decimals > 0 {
		w.Value = broken(w.Value, text[at+n+1:], decimals)
	}
	return length
}

// passPath reads the path at a place, and returns its length, 0 if there is none.
func (m *Line) passPath(step *matchStep, text []byte, at int) (length int) {
	end := at
	for n := uint(64); n == 64; end += int(n / 8) {
		n = bitsUntilBlank(ascii.EightAt(text, end))
	}
	word := text[at:end]
	if len(word) == 0 || !IsPath(word) {
		return 0
	}
	m.Words[step.word] = Word{
		From: uint16(at), To: uint16(end),
		wordMask: wordMask{Hash: uint32(sketch.HashWord(word, 0)), Variable: true, IsPath: true},
	}
	return len(word)
}

// Learn makes a matcher for the current line, which has been cut into words, if one can be sure of it.
func (a *Matchers) Learn(m *Line) {
	if m.Cut || m.IsRecognized || !a.draft.compile(m) {
		return
	}
	at, count := a.set(a.draft.hash), 1
	for ; *at > 0 && count < maxInSet; count++ {
		at = &a.all[*at-1].next
	}
	i := int(*at) - 1
	switch {
	case i >= 0: // the last one of a full set, which matched longest ago
		*at = 0
	case a.used < maxMatchers:
		i = a.used
		a.used++
	default:
		i = a.next
		a.next = (a.next + 1) % maxMatchers
		a.drop(&a.all[i])
	}
	x := &a.all[i]
	*x = a.draft
	first := a.set(x.hash)
	x.next, *first = *first, int16(i+1)
}

// drop takes a matcher out of its set.
func (a *Matchers) drop(x *matcher) {
	link := a.set(x.hash)
	for &a.all[*link-1] != x {
		link = &a.all[*link-1].next
	}
	*link = x.next
}

// compile makes x the matcher of a line that has been cut into words. It returns false if the line can't be
// recognized without that.
func (x *matcher) compile(m *Line) bool {
	x.startLen = longStart
	if m.variesIn(longStart) {
		x.startLen = shortStart
	}
	long, short := x.start.read(m.Line[:len(m.Line)+len(blanksAfter)])
	if x.hash = long; x.startLen == shortStart {
		x.hash = short
	}
	x.line, x.words, x.variables, x.paths, x.hasID, x.count = m.Hash, len(m.Words), 0, m.Paths, m.HasID, 0
	x.from = min(len(m.Line), x.startLen)
	for i := range m.Words {
		if w := &m.Words[i]; int(w.To) >= x.startLen {
			x.from = min(int(w.From), x.startLen)
			break
		}
	}
	at := x.from // what of the line comes before is passed
	for i := range m.Words {
		w := &m.Words[i]
		from, to := int(w.From), int(w.To)
		word := m.Line[from:to]
		hasNumber := !w.Number.IsNone()
		if w.isSeveral {
			return false // they are read where it is cut
		}
		if hasNumber || w.IsPath {
			x.variables |= 1 << i
		}
		isInStart := to < x.startLen
		switch {
		case isInStart && (w.IsPath || w.Variable && dependsOnDigits(word)):
			return false // another of this shape may be none
		case isInStart && !hasNumber, !w.Variable, w.IsTime:
			continue // a part of the text up to the next step
		case isInStart:
			if !x.add(matchStep{kind: stepNumberInText, word: uint8(i), number: w.Number, at: int16(from - at)}) {
				return false
			}
			continue
		}
		varying, ok := m.varyingParts(i)
		if !ok && dependsOnDigits(word) {
			return false
		}
		for _, part := range varying {
			step := matchStep{kind: part.kind, word: noWord, mayBeBroken: part.mayBeBroken}
			if hasNumber || w.IsPath {
				step.word = uint8(i)
			}
			if !x.addText(m.Line[at:from+part.from]) || !x.add(step) {
				return false
			}
			at = from + part.to
		}
		if len(varying) == 0 && hasNumber { // it has as many digits in each line
			if !x.addText(m.Line[at:to]) ||
				!x.add(matchStep{kind: stepNumberInText, word: uint8(i), number: w.Number, at: int16(from - to)}) {
				return false
			}
			at = to
		}
	}
	return x.addText(m.Line[at:])
}

// variesIn says whether there is a word among the first bytes of a line that varies in more than its digits.
func (m *Line) variesIn(length int) bool {
	for i := range m.Words {
		w := &m.Words[i]
		word := m.Line[w.From:w.To]
		if int(w.From) < length && (w.IsPath || w.hasID || isHexWord(word) || isMarkedHex(word)) {
			return true
		}
	}
	return false
}

// add adds a step, to the text before it if there is one.
func (x *matcher) add(step matchStep) bool {
	if x.count > 0 && step.length == 0 {
		if last := &x.steps[x.count-1]; last.kind == stepText {
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

// addText adds the steps past a text.
func (x *matcher) addText(text []byte) bool {
	for n := 0; len(text) > 0; text = text[n:] {
		n = min(8, len(text))
		step := matchStep{length: uint8(n), hasDigits: hasDigit(text[:n]),
			text: ascii.WithoutDigits(ascii.LastBytes(text[:n]))}
		if !x.add(step) {
			return false
		}
	}
	return true
}

// varyingPart is a part of a word that may differ from line to line.
type varyingPart struct {
	kind        stepKind
	from, to    int
	mayBeBroken bool
}

// varyingParts returns the parts of a variable word that may be any others of their kind, as AppendMasked has it;
// none, and not ok, if it has to have its shape.
func (m *Line) varyingParts(i int) (parts []varyingPart, ok bool) {
	w := &m.Words[i]
	word := m.Line[w.From:w.To]
	all := m.varying[:0]
	switch {
	case w.IsPath:
		return append(all, varyingPart{stepPath, 0, len(word), false}), true
	case isHexWord(word):
		return append(all, varyingPart{stepHex, 0, len(word), false}), true
	case isUUID(word):
		return append(all, varyingPart{stepUUID, 0, UUIDLen, false}), true
	}
	if bytes.Count(word, []byte{':'}) > 1 || bytes.Count(word, []byte{'-'}) >= leastPairsOfHex-1 {
		return nil, false // with other lengths it may be a MAC or an IPv6 address
	}
	if mayBeHexRuns(word) {
		return nil, false // with other lengths it may be an id
	}
	if m.mayBeMonth(i-1) || m.mayBeMonth(i-3) || i > 0 && m.Words[i-1].IsTime {
		return nil, false // it may be a day, or a year: "Dec 4 04:47:47 2005"
	}
	affixes := len(word)
	for at := 0; at < len(word); {
		if !ascii.IsDigit(word[at]) {
			at++
			continue
		}
		part, ok := partAt(word, at)
		if !ok || len(all) == maxParts {
			return nil, false
		}
		all = append(all, part)
		affixes -= part.to - part.from
		at = part.to
	}
	if affixes > mostOfAffixes || w.Number.IsNone() && len(all) == 1 && all[0].kind == stepNumber {
		return nil, false // it may be a UUID, or has a number that is too long
	}
	return all, len(all) > 0
}

// mayBeHexRuns says whether there are runs of hexadecimal digits in a word, with a hyphen between them, letters in
// one of them, and none that is too short for those of an id whatever the digits in it are.
func mayBeHexRuns(word []byte) bool {
	for len(word) > 0 {
		runs, has, isShort := 0, Part(0), false
		at := 0
		for {
			n, letters, numerals := runOf(word[at:])
			run := word[at : at+n]
			if n == 0 || hasOtherThanHex(run) {
				if ascii.LeadingDigits(run) > 0 { // with a fraction it ends before the letters: 4534.4T
					runs++
				}
				break
			}
			if letters > 0 {
				has |= Letter
			}
			isShort = isShort || numerals == 0 && n < leastOfID
			runs++
			if at += n; at+1 >= len(word) || word[at] != '-' || !ascii.IsAlphanumeric(word[at+1]) {
				break
			}
			at++
		}
		if runs > 1 && has == Letter && !isShort {
			return true
		}
		n, _, _ := runOf(word)
		word = word[max(1, n):]
	}
	return false
}

// mayBeMonth says whether there is such a word and it may be the name of a month, by its length.
func (m *Line) mayBeMonth(i int) bool {
	if i < 0 {
		return false
	}
	word := bytes.TrimPrefix(m.Line[m.Words[i].From:m.Words[i].To], []byte{'['})
	return len(word) == len("Jan") && ascii.IsUpper(word[0])
}

// partAt returns the part of a word that begins with the digit at a place, if it can be any of its kind without a
// change of what follows.
func partAt(word []byte, at int) (part varyingPart, ok bool) {
	letters := word[at-ascii.LettersAtEnd(word[:at]) : at]
	if n := addressLen(word[at:]); n > 0 && len(letters) == 0 {
		return varyingPart{stepAddress, at, at + n, false}, true
	}
	end := at + ascii.LeadingDigits(word[at:])
	if len(letters) == 0 && end-at == 1 && word[at] == '0' && end < len(word) && word[end]|0x20 == 'x' {
		n, _, _ := runOf(word[at:])
		end++
		return varyingPart{stepMarkedHex, end, at + n, false}, isHex(word[at:at+n]) && hasDigit(word[end:at+n])
	}
	after := word[end:]
	isBroken := len(after) > 1 && after[0] == '.' && ascii.IsDigit(after[1]) && len(letters) == 0
	decimals := 0
	if isBroken {
		decimals = ascii.LeadingDigits(after[1:])
		end += len(".") + decimals
		after = word[end:]
	}
	n := ascii.LeadingLetters(after)
	part = varyingPart{stepNumber, at, end, len(letters) == 0 && n <= mostLetters}
	switch {
	case end-at > LongestCount, decimals > 8, isBroken && !part.mayBeBroken:
		return part, false
	case len(letters)+n > 0 && !hasOtherThanHex(letters) && !hasOtherThanHex(after[:n]):
		return part, false // it is a hexadecimal number if it is long enough
	case n > 0 && after[0]|0x20 == 'x':
		return part, false // 0xf is a hexadecimal number, 2xf is none
	case n < len(after) && ascii.IsDigit(after[n]) && n > 0:
		return part, false // it is an id
	case n < len(after) && bytes.IndexByte([]byte("-/:."), after[n]) >= 0 && hasDigit(after[n:]):
		return part, false // with other lengths it is a date, a time, an address or a UUID
	}
	return part, true
}

func hasDigit(b []byte) bool { return bytes.ContainsAny(b, "0123456789") }
