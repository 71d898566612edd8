package mask

import (
	"bytes"
	"math"
	"net/netip"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/sketch"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// Bounds of a line, and what the variables in it become.
const (
	MaxLineLen    = 1024 // bytes of a line that are looked at
	MaxWords      = 40   // words of a line that are distinguished
	enoughHex     = 6    // digits of a hexadecimal number that is not marked as one
	addressDigits = 16   // of one of 64 bits
	anyHex        = "<hex>"
	anyID         = "<id>"
	anyBlob       = Blob + "…]"
	anyMAC        = "<mac>"
	AnyTime       = "<time>" // a date, a time of day, or both
	AnyAddress    = "<ip>"   // an IPv4 or IPv6 address
	maxEnding     = 9        // bytes of what the name of a file ends with, with its dot
)

// The masks of words that are different each time.
var (
	hexMask           = wordMask{Hash: uint32(sketch.HashWord([]byte(anyHex), 0)), Variable: true}
	timeMask          = wordMask{Hash: uint32(sketch.HashWord([]byte(AnyTime), 0)), Variable: true, IsTime: true}
	bracketedTimeMask = wordMask{Hash: uint32(sketch.HashWord([]byte("["+AnyTime+"]"), 0)), Variable: true,
		IsTime: true}
	// of any blob: labels that read alike may be of others
	labelMask = wordMask{Hash: uint32(sketch.HashWord([]byte(anyBlob), 0)), Variable: true, isLabel: true}
	uuidMask  = wordMask{Hash: uint32(sketch.HashWord([]byte(anyID), 0)), Variable: true}
)

// Line is a line cut at its blanks into words in which the variables have
// become <num>, <hex>, <time>, <ip>, <mac> and <id>. It is reused from line to line.
type Line struct {
	text     *[MaxLineLen + len(blanksAfter)]byte
	Line     []byte // in text, with blanksAfter it
	Shift    int    // bytes of branches before it
	Words    []Word
	Cut      bool // the line had more than fits
	known    knownWords
	mask     wordMask // of a word that is not known
	FormText []byte
}

// NewLine returns a Line that has room for any line.
func NewLine() Line {
	return Line{
		text: new([MaxLineLen + len(blanksAfter)]byte), Words: make([]Word, 0, MaxWords), known: newKnownWords(),
	}
}

// Word is a word of a Line: where it is, its mask, and its number.
type Word struct {
	From, To uint16 // in the line
	wordMask        // but a path has a hash of its own
	isPadded bool   // its number begins with a 0 that tells nothing
	Value    float64
}

// wordMask is the part that all words of a shape share.
type wordMask struct {
	Hash      uint32   // of what the word is masked to; 0 for a path
	Number    digitRun // in it
	Variable  bool     // or has one in it
	IsPath    bool
	IsTime    bool // with blanks in it
	isLabel   bool // of a blob, with blanks in it
	IsTelling bool // it has letters, and nothing in it is a variable
}

// digitRun is where the only number of a word is, and how many of its digits are a fraction; nowhere when there are
// other digits, or too many for a count.
type digitRun struct{ from, to, Decimals uint8 }

func (r digitRun) IsNone() bool { return r.to == 0 }

// Part is what a byte is in a word, or in a line.
type Part uint16

// The parts, a bit for each.
const (
	blank Part = 1 << iota
	Digit
	Letter // or of a character that is not ASCII
	slash
	Angle   // "<", with which the name of a variable begins
	Equals  // the sign, after a name
	Colon   // likewise
	Bar     // likewise
	Bracket // that opens
	Dot     // the sign
)

// Parts tells what each byte is.
var Parts = func() (t [256]Part) {
	for i := range t {
		switch c := byte(i); {
		case ascii.IsBlank(c):
			t[i] = blank
		case ascii.IsDigit(c):
			t[i] = Digit
		case ascii.IsLetter(c), c >= 0x80:
			t[i] = Letter
		case c == '/':
			t[i] = slash
		case c == '<':
			t[i] = Angle
		case c == '=':
			t[i] = Equals
		case c == ':':
			t[i] = Colon
		case c == '|':
			t[i] = Bar
		case c == '(', c == '[', c == '{':
			t[i] = Bracket
		case c == '.':
			t[i] = Dot
		}
	}
	return t
}()

// PartsOf says what there is in a text.
func PartsOf(text []byte) (has Part) {
	for _, c := range text {
		has |= Parts[c]
	}
	return has
}

// IsPath reports whether a word is a path of a file, perhaps with a position and what a search has
// found there after it: it is absolute, begins with a dot, has two slashes at least and no scheme,
// or one and an ending.
func IsPath(word []byte) bool {
	word = WithoutPosition(word)
	slashes := bytes.Count(word, []byte{'/'})
	switch {
	case word[0] == '/':
		return slashes > 1
	case slashes == 0 || bytes.Contains(word, []byte("//")):
		return false
	case bytes.HasPrefix(word, []byte("./")), bytes.HasPrefix(word, []byte("../")):
		return true
	}
	return ascii.IsAlphanumeric(word[0]) && PartsOf(word)&Letter != 0 && (slashes > 2 || len(FileEnding(word)) > 0)
}

// WithoutPosition returns a path without what a compiler or a search writes after it: the number of
// the line and of the character, "main.go:12:7:" or "main.ts(12,7):", and what has been found there,
// "main.go:12://".
func WithoutPosition(path []byte) []byte {
	for at := 0; ; {
		next := bytes.IndexAny(path[at:], ":(")
		if next < 0 {
			return path
		}
		at += next
		number := path[at+1:]
		rest := number[ascii.LeadingDigits(number):]
		hasNumber := len(rest) < len(number) && (len(rest) == 0 || bytes.IndexByte([]byte(":,)"), rest[0]) >= 0)
		if at > 0 && path[at-1] != '/' && (hasNumber || len(rest) == 0) {
			return path[:at]
		}
		at++
	}
}

// FileEnding returns what the name of the file at a path ends with, from its last dot on.
func FileEnding(path []byte) []byte {
	name := path[bytes.LastIndexByte(path, '/')+1:]
	dot := bytes.LastIndexByte(name, '.')
	if dot <= 0 || len(name)-dot > maxEnding || len(name)-dot < 2 {
		return nil
	}
	upper, lower := 0, 0
	for _, c := range name[dot+1:] {
		switch {
		case ascii.IsUpper(c):
			upper++
		case ascii.IsLetter(c):
			lower++
		case !ascii.IsDigit(c):
			return nil
		}
	}
	if !ascii.IsLetter(name[dot+1]) || upper > 0 && lower > 0 { // as where a sentence begins without a blank
		return nil
	}
	return name[dot:]
}

// more than eight, as so many bytes are read at once
const blanksAfter = "                "

// Set makes a line the current one, and cuts it into words. It copies at most MaxLineLen bytes.
func (m *Line) Set(line []byte) {
	m.take(line)
	m.cutWords()
}

// take makes a line the current one, without the branches of a tree that are drawn before it.
func (m *Line) take(line []byte) {
	m.Cut = false
	whole := len(line)
	if len(line) > 0 && (line[0] == boxFirst || line[0] == ' ' || line[0] == '|' || line[0] == '`') {
		line = withoutBranches(line)
	}
	m.Shift = whole - len(line)
	if len(line) > MaxLineLen {
		m.Cut = true
		line = jsonx.WholeCharacters(line, MaxLineLen)
		if blank := bytes.LastIndexAny(line, " \t"); blank > 0 {
			line = line[:blank]
		}
	}
	n := copy(m.text[:], line)
	copy(m.text[n:n+len(blanksAfter)], blanksAfter)
	m.Line = m.text[:n]
}

// boxFirst is the first byte of the characters with which boxes and trees are drawn (Unicode, Box Drawing, U+2500 to
// U+257F).
const boxFirst = 0xe2

// withoutBranches returns what comes after the branches of a tree that a line begins with, as npm ls, cargo tree and
// tree draw them: "│ ├── a", "|-- a". A line that is nothing else, and one without, is returned as it is.
func withoutBranches(line []byte) []byte {
	end, isBranch := 0, false
	for end < len(line) {
		rest := line[end:]
		switch {
		case rest[0] == ' ':
			end++
		case len(rest) > 2 && rest[0] == boxFirst && (rest[1] == 0x94 || rest[1] == 0x95):
			end += 3
			isBranch = true
		case bytes.HasPrefix(rest, []byte("\u00a0")):
			end += len("\u00a0")
		case bytes.HasPrefix(rest, []byte("|-- ")), bytes.HasPrefix(rest, []byte("`-- ")),
			bytes.HasPrefix(rest, []byte("|   ")):
			end += len("|-- ")
			isBranch = true
		case !isBranch:
			return line
		default:
			return rest
		}
	}
	return line
}

// cutWords cuts the current line into at most MaxWords words and finds the mask of each. If there
// are more, Cut is set.
func (m *Line) cutWords() {
	text := m.Line[:len(m.Line)+len(blanksAfter)]
	words := m.Words[:0]
	for i := 0; i < len(m.Line); {
		switch {
		case Parts[text[i]] == blank:
			i++
			continue
		case len(words) == MaxWords:
			m.Cut = true
			i = len(m.Line)
			continue
		}
		mask, end := &timeMask, i
		if ascii.IsUpper(text[i]) || text[i] == '[' {
			if end += timeWithBlanks(m.Line[i:]); text[i] == '[' {
				mask = &bracketedTimeMask
			}
			if length := labelLen(m.Line[i:]); length > 0 {
				mask, end = &labelMask, i+length
			}
		}
		if end == i {
			var shape uint64
			shape, end = shapeAt(text, i)
			if known := m.known.slot(shape); known.shape == shape && known.length == end-i {
				mask = &known.wordMask
			} else {
				mask = m.learnWord(text[i:end], shape)
			}
		}
		words = words[:len(words)+1]
		w := &words[len(words)-1]
		*w = Word{From: uint16(i), To: uint16(end), wordMask: *mask}
		if mask.Variable {
			m.addVariable(w)
		}
		i = end + 1
	}
	m.Words = words
}

// addVariable reads what a word has that others of its mask have not.
func (m *Line) addVariable(w *Word) {
	switch {
	case w.IsPath:
		w.Hash = uint32(sketch.HashWord(m.Line[w.From:w.To], 0)) // paths are distinguished by all of them
	case !w.Number.IsNone():
		w.readNumber(m.Line)
	}
}

// learnWord finds the mask of a word of that shape. It is the same for all such words, if that tells enough.
func (m *Line) learnWord(word []byte, shape uint64) *wordMask {
	m.findMask(word, shape)
	if len(word) <= maxKnownWordLen && m.mask != hexMask && !dependsOnDigits(word) {
		*m.known.slot(shape) = knownWord{shape, len(word), m.mask}
	}
	return &m.mask
}

// findMask finds the mask of a word of that shape.
func (m *Line) findMask(word []byte, shape uint64) {
	f := &m.mask
	switch {
	case isHexWord(word):
		*f = hexMask
		return
	case isUUID(word):
		*f = uuidMask
		return
	}
	*f = wordMask{Hash: uint32(shape >> 1)}
	has := PartsOf(word)
	isMasked := has&Digit != 0
	if isMasked || bytes.Count(word, []byte{':'}) >= leastPairsOfHex-1 {
		m.FormText = AppendMasked(m.FormText[:0], word)
		isMasked = isMasked || !bytes.Equal(m.FormText, word)
	}
	switch {
	case has&slash != 0 && IsPath(word):
		f.Hash, f.Variable, f.IsPath = 0, true, true
	case isMasked:
		f.Hash = uint32(sketch.HashWord(m.FormText, 0))
		f.Variable = true
		if !bytes.Contains(m.FormText, []byte(anyID)) && !bytes.Contains(m.FormText, []byte(anyMAC)) &&
			!bytes.Contains(m.FormText, []byte(AnyAddress)) {
			f.Number = onlyDigits(word)
		}
	default:
		f.IsTelling = has&(Letter|Angle) == Letter && 1 < len(word) && len(word) <= maxPhraseLen/2
	}
}

// Word returns a word as it is masked, lent until the next call.
func (m *Line) Word(i int) []byte {
	w := &m.Words[i]
	word := m.Line[w.From:w.To]
	m.FormText = m.FormText[:0]
	switch {
	case !w.Variable:
		return word
	case w.IsPath:
		m.FormText = append(m.FormText, AnyPath...)
	case w.isLabel:
		m.FormText = append(m.FormText, anyBlob...)
	case w.IsTime && word[0] == '[':
		m.FormText = append(append(append(m.FormText, '['), AnyTime...), ']')
	case w.IsTime:
		m.FormText = append(m.FormText, AnyTime...)
	default:
		m.FormText = AppendMasked(m.FormText, word)
	}
	return m.FormText
}

// timeWithBlanks returns the length of a time at the start of b, and no more of a word, that has blanks in it: as in
// syslog, or as ctime(3) writes it, with a fraction of a second perhaps; also in square brackets. It is 0 if there is
// none.
func timeWithBlanks(b []byte) int {
	n := 0
	isBracketed := b[0] == '['
	if isBracketed {
		n++
	}
	hasWeekday := len(b) > n+4 && b[n+3] == ' ' && value.IsDayOfWeek(b[n:n+3])
	if hasWeekday {
		n += len("Mon ")
	}
	_, length := value.SyslogTime(b[n:])
	if length == 0 {
		return 0
	}
	n += length
	isEnd := func(at int) bool {
		if isBracketed {
			return at < len(b) && b[at] == ']' && (at+1 == len(b) || ascii.IsBlank(b[at+1]))
		}
		return at == len(b) || ascii.IsBlank(b[at])
	}
	if hasWeekday || isBracketed {
		if n+1 < len(b) && b[n] == '.' && ascii.IsDigit(b[n+1]) {
			n += 1 + ascii.LeadingDigits(b[n+1:])
		}
		if year := len(" 2006"); ascii.Matches(b[n:], " dddd") && isEnd(n+year) {
			n += year
		}
	}
	switch {
	case !isEnd(n):
		return 0
	case isBracketed:
		n++
	}
	return n
}

// onlyDigits finds the digits of a word that has no others, but perhaps a fraction.
func onlyDigits(word []byte) (run digitRun) {
	start := 0
	for start < len(word) && !ascii.IsDigit(word[start]) {
		start++
	}
	end, decimals := start+ascii.LeadingDigits(word[start:]), 0
	if end+1 < len(word) && word[end] == '.' {
		decimals = ascii.LeadingDigits(word[end+1:])
	}
	if decimals > 0 {
		end += 1 + decimals
	}
	if end-start > LongestCount || end > math.MaxUint8 {
		return digitRun{}
	}
	for _, c := range word[end:] {
		if ascii.IsDigit(c) {
			return digitRun{}
		}
	}
	return digitRun{uint8(start), uint8(end), uint8(decimals)}
}

// readNumber reads the only number in a word of the line.
func (w *Word) readNumber(line []byte) {
	text := line[int(w.From)+int(w.Number.from) : len(line)+len(blanksAfter)]
	digits, fraction := int(w.Number.to-w.Number.from), int(w.Number.Decimals)
	if fraction > 0 {
		digits -= len(".") + fraction
	}
	w.isPadded = digits > 1 && text[0] == '0'
	w.Value = float64(readDigits(text, digits))
	if fraction > 0 {
		w.Value = broken(w.Value, text[digits+len("."):], fraction)
	}
}

// broken adds the digits after the point to a number.
func broken(whole float64, text []byte, decimals int) float64 {
	scale := value.ExactPowerOfTen(decimals)
	return (whole*scale + float64(readDigits(text, decimals))) / scale
}

// readDigits reads up to sixteen digits, with eight bytes after them.
func readDigits(text []byte, digits int) uint64 {
	if digits <= 8 {
		return ascii.DigitsOf(ascii.EightAt(text, 0), digits)
	}
	return ascii.DigitsOf(ascii.EightAt(text, 0), digits-8)*1e8 + ascii.DigitsOf(ascii.EightAt(text, digits-8), 8)
}

// AppendMasked appends the word with its variables named by their type.
func AppendMasked(dst, word []byte) []byte {
	for i := 0; i < len(word); {
		if !ascii.IsAlphanumeric(word[i]) {
			dst = append(dst, word[i])
			i++
			continue
		}
		rest := word[i:]
		n, letters, numerals := runOf(rest)
		if name, size := variableOfRuns(rest, n); size > 0 {
			dst = append(dst, name...)
			i += size
			continue
		}
		run := rest[:n]
		switch {
		case letters == n:
			dst = append(dst, run...)
		case n == len(word) && isPaddedAddress(word, numerals):
			dst = append(dst, anyHex...)
		case numerals == n:
			for n+1 < len(rest) && rest[n] == '.' && ascii.IsDigit(rest[n+1]) {
				for n++; n < len(rest) && ascii.IsDigit(rest[n]); n++ {
				}
			}
			dst = append(dst, AnyNumber...)
		case isHex(run):
			dst = append(dst, anyHex...)
		case letters > 0 && lastLetter(run) == letters-1:
			dst = append(append(dst, run[:letters]...), AnyNumber...)
		case numerals >= n-3 && ascii.LeadingDigits(run) == numerals:
			dst = append(append(dst, AnyNumber...), run[numerals:]...)
		default:
			dst = append(dst, anyID...)
		}
		i += n
	}
	return dst
}

// variableOfRuns names the variable at the start of b that is more than its first run, of length n, and returns its
// length, 0 if there is none.
func variableOfRuns(b []byte, n int) (name string, size int) {
	if n == len(b) {
		return "", 0
	}
	switch next := b[n]; {
	case n == len("dd") && (next == ':' || next == '-') && hexPairsLen(b) > 0:
		return anyMAC, hexPairsLen(b)
	case n == len("dddd") && (next == '-' || next == '/') && timeLen(b) > 0, n == len("dd") && next == ':' &&
		timeLen(b) > 0:
		return AnyTime, timeLen(b)
	case n <= len("xxxx") && next == ':':
		return AnyAddress, longAddressLen(b)
	case n == len("dd") && next == '/':
		if value.IsNamedMonthTime(b) {
			return AnyTime, ascii.EndOfRun(b, value.EndOfTime(b, value.NamedMonthLen))
		}
	case n == len("xxxxxxxx") && next == '-' && StartsWithUUID(b):
		return anyID, ascii.EndOfRun(b, UUIDLen)
	case n >= leastOfID && next == '-':
		return anyID, hexRunsLen(b)
	case n <= len("ddd") && next == '.':
		return AnyAddress, addressLen(b)
	}
	return "", 0
}

const (
	leastOfID   = 4  // hexadecimal digits in each part of an id,
	shortestID  = 10 // and in all
	leastIDRuns = 2
)

// hexRunsLen returns the length of the id at the start of b that is runs of hexadecimal digits with hyphens between
// them, as those of requests are that are cut short: 596fc58c-99cd; 0 if there is none.
func hexRunsLen(b []byte) (n int) {
	has, runs, all := Part(0), 0, 0
	for at := 0; ; {
		end := at
		for end < len(b) && ascii.IsHexDigit(b[end]) {
			has |= Parts[b[end]]
			end++
		}
		if end-at < leastOfID || end < len(b) && ascii.IsAlphanumeric(b[end]) {
			return 0
		}
		n, runs, all = end, runs+1, all+end-at
		if end == len(b) || b[end] != '-' {
			break
		}
		at = end + 1
	}
	if runs < leastIDRuns || all < shortestID || has != Digit|Letter {
		return 0
	}
	return n
}

// runOf returns the length of the run of letters and digits at the start of b, and how many there are of each.
func runOf(b []byte) (n, letters, numerals int) {
	for n < len(b) && b[n] < 0x80 {
		switch Parts[b[n]] {
		case Digit:
			numerals++
		case Letter:
			letters++
		default:
			return n, letters, numerals
		}
		n++
	}
	return n, letters, numerals
}

func lastLetter(run []byte) int {
	return bytes.LastIndexFunc(run, func(r rune) bool { return r < '0' || r > '9' })
}

// isHex says whether a run with a digit and a letter is a hexadecimal number:
// marked as one, or long enough not to be a name.
func isHex(run []byte) bool {
	if len(run) > 2 && run[0] == '0' && (run[1] == 'x' || run[1] == 'X') {
		run = run[2:]
	} else if len(run) < enoughHex {
		return false
	}
	return !hasOtherThanHex(run)
}

func hasOtherThanHex(run []byte) bool {
	for _, c := range run {
		if !ascii.IsHexDigit(c) {
			return true
		}
	}
	return false
}

// isMarkedHex says whether a word has an x after a digit: 0x7f is a hexadecimal number, 1x7f is none.
func isMarkedHex(word []byte) bool {
	for i := 1; i < len(word); i++ {
		if word[i]|0x20 == 'x' && ascii.IsDigit(word[i-1]) {
			return true
		}
	}
	return false
}

// dependsOnDigits says whether it is due to the digits in a word what it is: 0x7f is a hexadecimal number, 1x7f is
// none, what zeros are before is an address in memory, and 1.2.300.4 is none of a network.
func dependsOnDigits(word []byte) bool {
	if isMarkedHex(word) || ascii.LeadingDigits(word) == addressDigits {
		return true
	}
	if bytes.Count(word, []byte{'.'}) <= 2 {
		return false
	}
	n := addressLen(word)
	port, isPort := bytes.CutPrefix(word[n:], []byte{':'})
	return n == 0 || n < len(word) && !(isPort && ascii.LeadingDigits(port) == len(port))
}

// isHexWord says whether a word is a hexadecimal number and no more, not marked as one. It has a letter, or it is an
// address with zeros before it.
func isHexWord(word []byte) bool {
	if len(word) < enoughHex {
		return false
	}
	has := Part(0)
	for _, c := range word {
		if !ascii.IsHexDigit(c) {
			return false
		}
		has |= Parts[c]
	}
	return has == Digit|Letter || has == Digit && isPaddedAddress(word, len(word))
}

// isPaddedAddress says whether so many digits are an address of 64 bits, as nm and objdump print them.
func isPaddedAddress(digits []byte, length int) bool {
	return length == addressDigits && digits[0] == '0' && digits[1] == '0'
}

// timeLen returns the length of the date, the time of day or both at the start
// of b, 0 if there is none.
func timeLen(b []byte) int {
	n := 0
	if ascii.Matches(b, "dddd-dd-dd") || ascii.Matches(b, "dddd/dd/dd") {
		n = 10
		if n == len(b) || b[n] != 'T' && b[n] != 't' && b[n] != '_' {
			return ascii.EndOfRun(b, n)
		}
		n++
	}
	switch {
	case value.StartsWithClock(b[n:]):
		n += 8
	case n > 0 && ascii.Matches(b[n:], "dd:dd"):
		n += 5
	default:
		return 0
	}
	return ascii.EndOfRun(b, value.EndOfTime(b, n))
}

// UUIDLen is the length of a UUID as text, in bytes.
const UUIDLen = len("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")

// StartsWithUUID says whether b starts with the digits of a UUID (RFC 9562, 4). What follows them may be more.
func StartsWithUUID(b []byte) bool {
	if len(b) < UUIDLen || b[8] != '-' || b[13] != '-' || b[18] != '-' || b[23] != '-' {
		return false
	}
	for _, group := range [...]struct{ from, length int }{{0, 8}, {9, 4}, {14, 4}, {19, 4}, {24, 8}, {28, 8}} {
		if n, _, _ := ascii.LeadingHexOf(ascii.EightAt(b, group.from)); n < group.length {
			return false
		}
	}
	return true
}

func isUUID(word []byte) bool { return len(word) == UUIDLen && StartsWithUUID(word) }

// addressLen returns the length of the IPv4 address at the start of b, 0 if
// there is none.
func addressLen(b []byte) int {
	i := 0
	for part := range 4 {
		if part > 0 {
			if i >= len(b) || b[i] != '.' {
				return 0
			}
			i++
		}
		n := ascii.LeadingDigits(b[i:])
		if n == 0 || n > 3 {
			return 0
		}
		if number, _ := value.ParseDigits(b[i : i+n]); number > 255 {
			return 0
		}
		i += n
	}
	if i < len(b) && (ascii.IsAlphanumeric(b[i]) || b[i] == '.' && i+1 < len(b) && ascii.IsDigit(b[i+1])) {
		return 0
	}
	return i
}

// IsHeading says whether the line is a single word with a colon, as the name of what the lines under it tell of.
func (m *Line) IsHeading() bool {
	return len(m.Words) == 1 && bytes.HasSuffix(m.Word(0), []byte{':'})
}

const maxPhraseLen = 64 // bytes of one

// LongestCount is how many digits a number may have that counts something.
const LongestCount = 15

// What a path and a number become.
const (
	AnyPath   = "<path>"
	AnyNumber = "<num>"
)

// HashWith is a hash of how many words a line has, and of one of them if there is that.
func (m *Line) HashWith(word int) uint64 {
	hash := uint64(len(m.Words)) * sketch.PlaceFactor
	if 0 <= word && word < len(m.Words) {
		hash += uint64(m.Words[word].FormHash())
	}
	return hash
}

// FormHash is the same for all words that are the same variable.
func (w *Word) FormHash() uint32 {
	if w.IsPath {
		return 0 // as in its wordForm
	}
	return w.Hash
}

// HasCount says whether all digits of the word are one number, written as numbers are.
func (w *Word) HasCount() bool { return !w.Number.IsNone() && !w.isPadded }

// Redacted is what a placeholder of redaction begins with: "[REDACTED:email]".
const Redacted = "[REDACTED:"

// GoesOnBefore says whether what is at i goes on with a word, or is part of a name as those of files are.
func GoesOnBefore(line []byte, i int) bool {
	switch line[i-1] {
	case '.', '-', '_':
		return i > 1 && ascii.IsAlphanumeric(line[i-2])
	}
	return ascii.IsAlphanumeric(line[i-1])
}

// longAddressLen returns the length of the IPv6 address (RFC 4291, 2.2) at the start of b, 0 if there is none. One
// that ends as an IPv4 address ends before its first dot.
func longAddressLen(b []byte) int {
	const longest = len("xxxx:xxxx:xxxx:xxxx:xxxx:xxxx:xxxx:xxxx")
	n, colons := 0, 0
	for n < min(len(b), longest) && (ascii.IsHexDigit(b[n]) || b[n] == ':') {
		if b[n] == ':' {
			colons++
		}
		n++
	}
	if colons != 7 && !bytes.Contains(b[:n], []byte("::")) {
		return 0 // as nearly always
	}
	if b[n-1] == ':' && !bytes.HasSuffix(b[:n], []byte("::")) {
		n--
	}
	if _, err := netip.ParseAddr(ascii.LentString(b[:n])); err != nil || !hasDigit(b[:n]) {
		return 0
	}
	return ascii.EndOfRun(b, n)
}

const (
	leastPairsOfHex = 6  // as a MAC address has
	mostPairsOfHex  = 64 // more than a fingerprint has
)

// hexPairsLen returns the length of the six pairs of hexadecimal digits or more at the start of b, as MAC addresses and
// fingerprints have them, with colons between them, or hyphens if there are letters among them; 0 if there are none.
func hexPairsLen(b []byte) int {
	n, letters := 0, false
	for n < 3*mostPairsOfHex && n+2 <= len(b) && ascii.IsHexDigit(b[n]) && ascii.IsHexDigit(b[n+1]) &&
		(n == 0 || b[n-1] == b[2]) {
		letters = letters || !ascii.IsDigit(b[n]) || !ascii.IsDigit(b[n+1])
		if n += 3; n > len(b) || b[n-1] != ':' && b[n-1] != '-' {
			break
		}
	}
	if n < 3*leastPairsOfHex || !letters && b[2] == '-' {
		return 0
	}
	return ascii.EndOfRun(b, n-1)
}

func hasDigit(b []byte) bool { return bytes.ContainsAny(b, "0123456789") }
