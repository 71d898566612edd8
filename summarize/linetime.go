package summarize

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/summarize/ascii"
)

const shortestInLine = len("060102 150405") // of times

// timeLayout is how a time is written that begins with digits: y, m and d are those of the date, H, M and S those of the time of day,
// ? is anything else.
type timeLayout struct {
	form                  string
	years                 int // digits of the year; without one the time is one of any year
	year, month, day      int // where
	hour, minute, seconds int
}

func timeLayoutOf(form string) timeLayout {
	return timeLayout{
		form, strings.Count(form, "y"), strings.Index(form, "y"), strings.Index(form, "m"), strings.Index(form, "d"),
		strings.Index(form, "H"), strings.Index(form, "M"), strings.Index(form, "S"),
	}
}

// timeLayouts are those that are known, by the number of digits they begin with: RFC 3339 and its relatives, also with slashes, dots or
// the clock of DB2; dates as in DIN 5008; short years as Log4j has them, and none as Android's logcat; without anything between their
// parts, as in ISO 8601.
var timeLayouts = [...][]timeLayout{
	2: {timeLayoutOf("yy/mm/dd HH:MM:SS"), timeLayoutOf("mm-dd HH:MM:SS"), timeLayoutOf("dd.mm.yyyy HH:MM:SS")},
	4: {
		timeLayoutOf("yyyy-mm-dd?HH:MM:SS"), timeLayoutOf("yyyy/mm/dd?HH:MM:SS"), timeLayoutOf("yyyy.mm.dd?HH:MM:SS"), timeLayoutOf("yyyy-mm-dd?HH.MM.SS"),
	},
	6: {timeLayoutOf("yymmdd HH:MM:SS"), timeLayoutOf("yymmdd HHMMSS")},
	8: {timeLayoutOf("yyyymmdd HH:MM:SS"), timeLayoutOf("yyyymmdd?HHMMSS")},
}

var glogLayout = timeLayoutOf("mmdd HH:MM:SS")

// isOf says whether text begins as the layout has it, but for the digits that it is known to begin with.
func (l *timeLayout) isOf(text []byte, known int) bool {
	if len(text) < len(l.form) {
		return false
	}
	for i := known; i < len(l.form); i++ {
		switch c := l.form[i]; {
		case ascii.IsLetter(c) && !ascii.IsDigit(text[i]), !ascii.IsLetter(c) && c != '?' && c != text[i], c == '?' &&
			ascii.IsDigit(text[i]):
			return false
		}
	}
	return true
}

// read reads the time at the start of text, which has the layout, but for its fraction and zone.
func (l *timeLayout) read(text []byte) (t timestamp, ok bool) {
	number := func(at int) int { return int(10*(text[at]-'0') + text[at+1] - '0') }
	year, month, day := 0, number(l.month), number(l.day)
	hour, minute, second := number(l.hour), number(l.minute), number(l.seconds)
	switch l.years {
	case 4:
		year = 100*number(l.year) + number(l.year+2)
	case 2:
		const mostMonths, firstOfCentury = 12, 70
		year = number(l.year)
		if l.form[2] == '/' && year <= mostMonths {
			return t, false // it may be a month or a day
		}
		if year += 1900; year < 1900+firstOfCentury {
			year += 100
		}
	}
	t.seconds = days(year, month, day)*secondsOfDay + int64(hour*3600+minute*60+second)
	t.yearless = l.years == 0
	t.clockEnd = uint8(len(l.form))
	return t, 0 < month && month <= 12 && 0 < day && day <= 31 && hour <= 24 && minute < 60 && second <= 60
}

// linePlace is where in a line its first time stands, which says how likely it is that of the line.
type linePlace uint8

const (
	nowhere   linePlace = iota // the line has no time, or only in its message
	atStart                    // at the start, or after labels
	afterText                  // after a few words: of the line where most lines have one there, else of its message
	tooFar                     // a time may come after more labels than timeOfLine reads
)

const (
	usualPrefix    = 48  // bytes before the time of a line,
	longestPrefix  = 192 // and where a time of day comes after these
	wordsBefore    = 3   // plain words before it: more are a message
	leastMisplaced = 20  // one time in so many stands elsewhere, or from and to are exact
)

// timeOfLine finds the first time of a line: one of timeLayouts, that of syslog (RFC 3164), which
// has no year, that of glog, and that of access logs (02/Jan/2006:15:04:05). The text has the
// fraction of a second and the zone, which the time may lack. A line may begin with the time of day
// alone. Before the time there may be labels: what is in brackets, names with digits or signs in
// them, numbers, levels. Past more than a few plain words timeOfLine looks for none.
func (l *timeline) timeOfLine(line []byte) (t timestamp, text []byte, place linePlace) {
	if t, text = timeOfDayAlone(line); text != nil {
		return t, text, atStart
	}
	words, inBracket, depth, end := 0, 0, 0, min(len(line), usualPrefix)
	for i, next := 0, 0; ; i = next {
		if i >= end {
			if end != usualPrefix || !hasClock(line[end-len("15:04"):min(len(line), maxLineLen)]) {
				break
			}
			if end = min(len(line), longestPrefix); i >= end {
				break
			}
		}
		next = i + 1
		switch has := parts[line[i]]; {
		case has&(letter|digit) == 0:
			switch {
			case has == bracket:
				depth++
			case line[i] == ')' || line[i] == ']' || line[i] == '}':
				depth, inBracket = depth-1, 0
			}
			continue
		case line[i] >= 0x80:
			for next < len(line) && line[next] >= 0x80 {
				next++
			}
			if i == 0 || ascii.IsBlank(line[i-1]) {
				words++
			}
			continue
		}
		for next < len(line) && ascii.IsAlphanumeric(line[next]) { // nothing begins within a word
			next++
		}
		if isTimeBegin := (ascii.IsDigit(line[i]) || ascii.IsUpper(line[i])) &&
			(i == 0 || !goesOnBefore(line, i)); isTimeBegin {
			rest := line[i:]
			if len(rest) < shortestInLine {
				break
			}
			if t, text = l.timeAt(rest); text != nil {
				return t, text, placeAfter(line[:i], words+inBracket)
			}
		}
		switch {
		case !isPlainWord(line, i, next):
		case depth > 0:
			inBracket++
		case words == wordsBefore:
			return t, nil, nowhere
		default:
			words++
		}
	}
	if len(line) > longestPrefix && end > usualPrefix && hasClock(line[longestPrefix:min(len(line), maxLineLen)]) {
		return t, nil, tooFar
	}
	return t, nil, nowhere
}

// timeAt reads the time that rest begins with; its text is nil if there is none.
func (l *timeline) timeAt(rest []byte) (t timestamp, text []byte) {
	if !ascii.IsDigit(rest[0]) && rest[3] != ' ' && rest[4] != ' ' && !ascii.IsDigit(rest[1]) {
		return t, nil // neither the name of a month nor a level of glog
	}
	if t, n := l.sameMinute(rest); n > 0 {
		return t, rest[:n]
	}
	if ascii.IsDigit(rest[0]) {
		return timeOfDigits(rest)
	}
	return timeOfNames(rest)
}

// placeAfter returns the place of a time with so many plain words before it.
func placeAfter(before []byte, words int) linePlace {
	last := len(before) - 1
	switch {
	case last >= 0 && before[last] == '=' && !isTimeName(before[:last]), words >= wordsBefore:
		return afterText
	case words == 0, before[last] == '[': // as in access logs, where the user comes before it
		return atStart
	}
	return afterText
}

// isTimeName reports whether a text ends with a name for the time of a record.
func isTimeName(text []byte) bool {
	start := len(text)
	for start > 0 && (ascii.IsLetter(text[start-1]) || text[start-1] == '_') {
		start--
	}
	switch string(bytes.ToLower(text[start:])) {
	case "time", "ts", "timestamp", "date", "datetime", "at", "t", "when":
		return true
	}
	return false
}

// isPlainWord reports whether the letters and digits from i to next are a word of a text: letters
// alone, between blanks, perhaps with a sign after them. The name of a level or of a day of the
// week is none.
func isPlainWord(line []byte, i, next int) bool {
	if i > 0 && !ascii.IsBlank(line[i-1]) || !ascii.IsLetter(line[i]) {
		return false
	}
	if leadingLetters(line[i:next]) < next-i {
		return false
	}
	if next < len(line) && !ascii.IsBlank(line[next]) {
		isSign := strings.IndexByte(",;:.", line[next]) >= 0
		if !isSign || next+1 < len(line) && !ascii.IsBlank(line[next+1]) {
			return false
		}
	}
	return !isLevelName(line[i:next]) && !isDayOfWeek(line[i:next])
}

// hasClock reports whether a time of day stands in a text.
func hasClock(text []byte) bool {
	for at := 0; ; at++ {
		colon := bytes.IndexByte(text[at:], ':')
		if colon < 0 {
			return false
		}
		if at += colon; at >= 2 && startsWithClock(text[at-2:]) {
			return true
		}
	}
}

// timeOfDayAlone reads a time of day at the start of a line, perhaps in brackets or after a number in brackets, of a clock of twelve
// hours with AM or PM; the text of it is nil if there is none. One after other words may be how long something took.
func timeOfDayAlone(line []byte) (t timestamp, its []byte) {
	const near = 32
	if len(line) > 0 && (line[0] == '[' || line[0] == '(') {
		tag := bytes.IndexByte(line[:min(len(line), near)], ']')
		isOfProcess := tag > 1 && ascii.IsDigit(line[tag-1]) && line[0] == '[' // [pid 7], as strace has it, or [7]
		if line = line[1:]; isOfProcess && !startsWithClock(line) {
			line = withoutBlanks(line[tag:])
		}
	}
	const length = len("15:04:05")
	if !startsWithClock(line) {
		return t, nil
	}
	clock, _, rest, ok := cutClock(line[:length])
	n := endedTime(line, length)
	if !ok || len(rest) > 0 || ascii.EndOfRun(line, n) == 0 || n+1 < len(line) && line[n] == ':' &&
		ascii.IsAlphanumeric(line[n+1]) {
		return t, nil // the last for addresses of hardware
	}
	t = timestamp{seconds: clock, nanos: nanosAfter(line[:n], length), yearless: true, dateless: true}
	if half, ok := halfOfDay(line[n:]); ok {
		t.seconds = clock%secondsOfHalf + int64(half)*secondsOfHalf
		n += len(" PM")
	}
	return t, line[:n]
}

const secondsOfHalf = secondsOfDay / 2

// halfOfDay reads what follows a time of a clock of twelve hours: 0 for AM, 1 for PM.
func halfOfDay(text []byte) (half int, ok bool) {
	if len(text) < len(" PM") || text[0] != ' ' || text[2]|0x20 != 'm' || ascii.EndOfRun(text, len(" PM")) == 0 {
		return 0, false
	}
	switch text[1] | 0x20 {
	case 'a':
		return 0, true
	case 'p':
		return 1, true
	}
	return 0, false
}

// goesOnBefore says whether what is at i goes on with a word, or is part of a name as those of files are.
func goesOnBefore(line []byte, i int) bool {
	switch line[i-1] {
	case '.', '-', '_':
		return i > 1 && ascii.IsAlphanumeric(line[i-2])
	}
	return ascii.IsAlphanumeric(line[i-1])
}

// timeOfDigits reads the time at the start of text, which begins with a digit; the text of it is nil if there is none.
func timeOfDigits(text []byte) (t timestamp, its []byte) {
	n := leadingDigitsOf(ascii.EightAt(text, 0))
	if n < len(timeLayouts) {
		for i := range timeLayouts[n] {
			if l := &timeLayouts[n][i]; l.isOf(text, n) {
				return l.timeOf(text)
			}
		}
	}
	if n == 8 && len(text) > len("1700000000.000") && text[len("1700000000")] == '.' {
		return unixTimeOf(text)
	}
	if n == 2 && isNamedMonthTime(text) {
		its = text[:endedTime(text, namedMonthLen)]
		t, ok := namedMonthTime(its)
		if !ok {
			return t, nil
		}
		t.nanos = nanosAfter(its, namedMonthLen)
		t.clockEnd = uint8(namedMonthLen)
		return t, its
	}
	if n == 2 && ascii.Matches(text, "dd/dd/dddd dd:dd:dd") {
		return timeOfAmerica(text)
	}
	return t, nil
}

// timeOfAmerica reads the time at the start of text, 01/02/2006 03:04:05 PM; the text of it is nil if the half of the day is not told: then
// the day may come first.
func timeOfAmerica(text []byte) (t timestamp, its []byte) {
	const date, length = len("01/02/2006 "), len("01/02/2006 03:04:05")
	half, ok := halfOfDay(text[length:])
	clock, _, _, isClock := cutClock(text[date:length])
	month, _ := digits(text[:2])
	day, _ := digits(text[3:5])
	year, _ := digits(text[6:10])
	if !ok || !isClock || month < 1 || month > 12 || day < 1 || day > 31 {
		return t, nil
	}
	t.seconds = days(int(year), int(month), int(day))*secondsOfDay + clock%secondsOfHalf + int64(half)*secondsOfHalf
	return t, text[:length+len(" PM")]
}

// unixTimeOf reads the seconds since 1970 at the start of text, with three digits or more of a fraction, as the MONITOR of Redis, tcpdump -tt
// and audit logs have them; the text of it is nil if there are none.
func unixTimeOf(text []byte) (t timestamp, its []byte) {
	const whole, leastDecimals, mostDecimals = len("1700000000"), 3, 9
	seconds, isWhole := digits(text[:whole])
	decimals := ascii.LeadingDigits(text[whole+1:])
	n := whole + 1 + decimals
	if !isWhole || decimals < leastDecimals || decimals > mostDecimals || ascii.EndOfRun(text, n) == 0 {
		return t, nil
	}
	if t, isWhole = unixTime(float64(seconds)); !isWhole {
		return t, nil
	}
	t.nanos, t.zoned = nanosAfter(text[:n], whole), true
	return t, text[:n]
}

// timeOf reads the time at the start of text, which has the layout; the text of it is nil if it is none.
func (l *timeLayout) timeOf(text []byte) (t timestamp, its []byte) {
	t, ok := l.read(text)
	if !ok {
		return t, nil
	}
	its = text[:endedTime(text, len(l.form))]
	if zone := zoneAfter(its, len(l.form)); len(zone) > 0 {
		east, isZone := zoneOf(zone)
		t.seconds -= east
		t.zoned = isZone
	}
	t.nanos = nanosAfter(its, len(l.form))
	return t, its
}

// timeOfNames reads the time at the start of text, which begins with the name of its month, or with the letter of a level as those of
// glog; the text of it is nil if there is none.
func timeOfNames(text []byte) (t timestamp, its []byte) {
	if n := yearAfter(text); n > 0 {
		if t, ok := dateOfWords(text[:n]); ok {
			return t, text[:n]
		}
		return t, nil
	}
	if t, n := syslogTime(text); n > 0 {
		return t, text[:n]
	}
	if strings.IndexByte("IWEF", text[0]) >= 0 && glogLayout.isOf(text[1:], 0) {
		t, its = glogLayout.timeOf(text[1:])
		t.clockEnd = 0 // it is one only after its letter
	}
	return t, its
}

// sameMinute reads the time at the start of text if it has the form of the last one and only its seconds are others. It returns
// its length, 0 if that is not so.
func (l *timeline) sameMinute(text []byte) (t timestamp, length int) {
	last, end := l.lastText, int(l.last.clockEnd)
	if end == 0 || len(text) < end || !beginAlike(text, last, end-len("05")) {
		return t, 0
	}
	t, length = l.last, end
	switch {
	case ascii.IsUpper(last[0]):
		if t.nanos = 0; yearAfter(text) > 0 {
			return t, 0
		}
	default:
		tail, nanos := sameTail(text, last, end)
		if tail == 0 {
			tail = endedTime(text, end)
			if !bytes.Equal(zoneAfter(text[:tail], end), zoneAfter(last, end)) {
				return t, 0
			}
			nanos = nanosAfter(text[:tail], end)
		}
		t.nanos, length = nanos, tail
	}
	tens, ones := text[end-2]-'0', text[end-1]-'0'
	if tens > 5 || ones > 9 {
		return t, 0
	}
	t.seconds += int64(10*tens+ones) - int64(10*(last[end-2]-'0')+last[end-1]-'0')
	return t, length
}

// sameTail returns where a time ends whose seconds end at n, and its fraction in billionths, if it has as many digits as the last one
// and no zone but Z, as most: the same as endedTime and nanosAfter, without their looks at each byte. It returns 0 otherwise.
func sameTail(text, last []byte, n int) (end int, nanos int32) {
	tail := last[n:]
	if len(text) < n+len(tail)+9 {
		return 0, 0
	}
	end = n
	if len(tail) > 1 {
		digits := leadingDigitsOf(ascii.EightAt(text, n+1))
		if text[n] != tail[0] || tail[0] != '.' && tail[0] != ',' || digits == 0 || digits == 8 ||
			digits != ascii.LeadingDigits(tail[1:]) {
			return 0, 0
		}
		nanos = int32(ascii.DigitsOf(ascii.EightAt(text, n+1), digits)) * nanosPer[digits]
		end += 1 + digits
	}
	switch rest := last[end:]; {
	case len(rest) == 1 && rest[0] == 'Z' && text[end] == 'Z':
		end++
	case len(rest) > 0:
		return 0, 0
	}
	if text[end] != ' ' || text[end+1] == '+' || text[end+1] == '-' {
		return 0, 0
	}
	return end, nanos
}

// nanosPer is what the last of so many digits of a fraction counts, in billionths.
var nanosPer = [...]int32{1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2}

// beginAlike says whether two texts have the same n bytes at their start, 8 to 24.
func beginAlike(a, b []byte, n int) bool {
	end := n - 8
	return ascii.EightAt(a, 0) == ascii.EightAt(b, 0) && ascii.EightAt(a, end/2) == ascii.EightAt(b, end/2) &&
		ascii.EightAt(a, end) == ascii.EightAt(b, end)
}

// zoneAfter returns the zone of a time whose seconds end at n, nothing if it has none.
func zoneAfter(text []byte, n int) []byte {
	zone := text[n:]
	if len(zone) > 0 && (zone[0] == '.' || zone[0] == ',') {
		zone = zone[1+ascii.LeadingDigits(zone[1:]):]
	}
	return bytes.TrimPrefix(zone, []byte{' '})
}

// nanosAfter reads the fraction of a time whose seconds end at n, in billionths of one.
func nanosAfter(text []byte, n int) (nanos int32) {
	if n == len(text) || text[n] != '.' && text[n] != ',' {
		return 0
	}
	for i, scale := n+1, int32(100_000_000); i < len(text) && ascii.IsDigit(text[i]); i, scale = i+1, scale/10 {
		nanos += int32(text[i]-'0') * scale
	}
	return nanos
}

const syslogTimeLen = len("Jan _2 15:04:05")

// syslogTime reads the time of syslog at the start of text and returns its length, 0 if there is none. Its day may lack the blank before
// it.
func syslogTime(text []byte) (t timestamp, n int) {
	n = lengthOfSyslogTime(text)
	clock := n - len("15:04:05")
	if len(text) < n || !ascii.IsUpper(text[0]) || text[3] != ' ' || text[clock-1] != ' ' ||
		!startsWithClock(text[clock:]) {
		return t, 0
	}
	month, isMonth := monthOf(text)
	day, isDay := digits(bytes.TrimLeft(text[4:clock-1], " "))
	if !isMonth || !isDay {
		return t, 0
	}
	return timestamp{seconds: days(0, month, day)*secondsOfDay + timeOfDay(text[clock:]), yearless: true, clockEnd: uint8(n)}, n
}

// lengthOfSyslogTime returns the length of the time of syslog at the start of text, if there is one.
func lengthOfSyslogTime(text []byte) int {
	if len(text) > 5 && text[5] == ' ' {
		return syslogTimeLen - 1
	}
	return syslogTimeLen
}

// yearAfter returns where a time ends that begins text as one of syslog and goes on with a fraction perhaps, the year, and how far it
// is from UTC perhaps, as in the log of git or the errors of Apache; 0 if there is none.
func yearAfter(text []byte) (n int) {
	n = lengthOfSyslogTime(text)
	if len(text) <= n+1 || text[n] != '.' && (text[n] != ' ' || !ascii.IsDigit(text[n+1])) ||
		!startsWithClock(text[n-len("15:04:05"):]) {
		return 0 // as most
	}
	if text[n] == '.' {
		n += 1 + ascii.LeadingDigits(text[n+1:])
	}
	if !ascii.Matches(text[n:], " 20dd") && !ascii.Matches(text[n:], " 19dd") {
		return 0
	}
	n = ascii.EndOfRun(text, n+len(" 2006"))
	if zone := text[n:]; n > 0 && (ascii.Matches(zone, " +dddd") || ascii.Matches(zone, " -dddd")) {
		n = max(n, ascii.EndOfRun(text, n+len(" +0000")))
	}
	return n
}

// monthOf reads the name of a month at the start of text, in English and of three letters.
func monthOf(text []byte) (month int, ok bool) {
	switch string(text[:3]) {
	case "Jan":
		month = 1
	case "Feb":
		month = 2
	case "Mar":
		month = 3
	case "Apr":
		month = 4
	case "May":
		month = 5
	case "Jun":
		month = 6
	case "Jul":
		month = 7
	case "Aug":
		month = 8
	case "Sep":
		month = 9
	case "Oct":
		month = 10
	case "Nov":
		month = 11
	case "Dec":
		month = 12
	}
	return month, month > 0
}

// startsWithClock says whether text starts with a time of day, dd:dd:dd.
func startsWithClock(text []byte) bool {
	const clock = '0'*ascii.EachByte + (':'-'0')<<16 + (':'-'0')<<40
	return len(text) >= len("15:04:05") && ascii.WithoutDigits(ascii.EightAt(text, 0)) == clock
}

// timeOfDay reads dd:dd:dd, in seconds.
func timeOfDay(text []byte) int64 {
	hour, _ := digits(text[:2])
	minute, _ := digits(text[3:5])
	second, _ := digits(text[6:8])
	return int64(hour*3600 + minute*60 + second)
}

const namedMonthLen = len("02/Jan/2006:15:04:05")

// namedMonthTime reads the time of an access log at the start of text, as it is or with blanks for what is between its parts.
func namedMonthTime(text []byte) (t timestamp, ok bool) {
	if !isNamedMonthTime(text) {
		return t, false
	}
	month, _ := monthOf(text[3:])
	day, _ := digits(text[:2])
	year, _ := digits(text[7:11])
	t.seconds = days(year, month, day)*secondsOfDay + timeOfDay(text[12:])
	if zone := text[namedMonthLen:]; ascii.Matches(zone, " +dddd") || ascii.Matches(zone, " -dddd") {
		east, _ := zoneOf(zone[1:len(" +0700")])
		t.seconds -= east
		t.zoned = true
	}
	return t, 0 < day && day <= 31
}

// isNamedMonthTime says whether such a time may be there, by all but the values of its digits.
func isNamedMonthTime(text []byte) bool {
	if len(text) < namedMonthLen || text[2] != '/' && text[2] != ' ' && text[2] != '-' || text[6] != text[2] || text[11] != ':' && text[11] != ' ' ||
		!ascii.Matches(text, "dd") || !ascii.IsUpper(text[3]) || !ascii.Matches(text[7:], "dddd") ||
		!startsWithClock(text[12:]) {
		return false
	}
	_, ok := monthOf(text[3:])
	return ok
}

// endedTime returns where a time ends whose seconds end at n: there, if its fraction or zone would end in a word.
func endedTime(text []byte, n int) int { return max(n, ascii.EndOfRun(text, endOfTime(text, n))) }
