package value

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// timeLayout is how a time is written that begins with digits: y, m and d are those of the date, H,
// M and S those of the time of day, ? is anything else.
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

// timeLayouts are those that are known, by the number of digits they begin with: RFC 3339 and its
// relatives, also with slashes, dots or the clock of DB2; dates as in DIN 5008; short years as
// Log4j has them, and none as Android's logcat; without anything between their parts, as in ISO
// 8601.
var timeLayouts = [...][]timeLayout{
	2: {timeLayoutOf("yy/mm/dd HH:MM:SS"), timeLayoutOf("mm-dd HH:MM:SS"), timeLayoutOf("dd.mm.yyyy HH:MM:SS")},
	4: {
		timeLayoutOf("yyyy-mm-dd?HH:MM:SS"), timeLayoutOf("yyyy/mm/dd?HH:MM:SS"),
		timeLayoutOf("yyyy.mm.dd?HH:MM:SS"), timeLayoutOf("yyyy-mm-dd?HH.MM.SS"),
	},
	6: {timeLayoutOf("yymmdd HH:MM:SS"), timeLayoutOf("yymmdd HHMMSS")},
	8: {timeLayoutOf("yyyymmdd HH:MM:SS"), timeLayoutOf("yyyymmdd?HHMMSS")},
}

var glogLayout = timeLayoutOf("mmdd HH:MM:SS")

// isOf says whether text begins as the layout has it, except the digits that it is known to begin
// with.
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

// read reads the time at the start of text, which has the layout, except its fraction and zone.
func (l *timeLayout) read(text []byte) (t Timestamp, ok bool) {
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
	t.Seconds = daysOf(year, month, day)*SecondsOfDay + int64(hour*3600+minute*60+second)
	t.Yearless = l.years == 0
	return t, 0 < month && month <= 12 && 0 < day && day <= 31 && hour <= 24 && minute < 60 && second <= 60
}

// TimeOfDigits reads the time at the start of text, which begins with a digit; the text of it is
// nil if there is none.
func TimeOfDigits(text []byte) (t Timestamp, its []byte) {
	n := ascii.LeadingDigitsOf(ascii.EightAt(text, 0))
	if n < len(timeLayouts) {
		for i := range timeLayouts[n] {
			if l := &timeLayouts[n][i]; l.isOf(text, n) {
				return l.timeOf(text)
			}
		}
	}
	if n == 2 && IsNamedMonthTime(text) {
		its = text[:endedTime(text, NamedMonthLen)]
		t, ok := namedMonthTime(its)
		if !ok {
			return t, nil
		}
		t.Nanos = nanosAfter(its, NamedMonthLen)
		return t, its
	}
	return t, nil
}

// timeOf reads the time at the start of text, which has the layout; the text of it is nil if it is
// none.
func (l *timeLayout) timeOf(text []byte) (t Timestamp, its []byte) {
	t, ok := l.read(text)
	if !ok {
		return t, nil
	}
	its = text[:endedTime(text, len(l.form))]
	t.moveToZone(its, len(l.form))
	t.Nanos = nanosAfter(its, len(l.form))
	return t, its
}

// TimeOfNames reads the time at the start of text, which begins with the name of its month, or with
// the letter of a level as those of glog; the text of it is nil if there is none.
func TimeOfNames(text []byte) (t Timestamp, its []byte) {
	if n := yearAfter(text); n > 0 {
		if t, ok := dateOfWords(text[:n]); ok {
			return t, text[:n]
		}
		return t, nil
	}
	if t, n := SyslogTime(text); n > 0 {
		return t, text[:n]
	}
	if strings.IndexByte("IWEF", text[0]) >= 0 && glogLayout.isOf(text[1:], 0) {
		t, its = glogLayout.timeOf(text[1:])
	}
	return t, its
}

// moveToZone takes the zone into account that a time has whose seconds end at n, if it has one.
func (t *Timestamp) moveToZone(text []byte, n int) {
	if zone := zoneAfter(text, n); len(zone) > 0 {
		east, isZone := zoneOf(zone)
		t.Seconds -= east
		t.zoned = isZone
	}
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

// SyslogTime reads the time of syslog at the start of text and returns its length, 0 if there is
// none. Its day may lack the blank before it.
func SyslogTime(text []byte) (t Timestamp, n int) {
	n = lengthOfSyslogTime(text)
	clock := n - len("15:04:05")
	if len(text) < n || !ascii.IsUpper(text[0]) || text[3] != ' ' || text[clock-1] != ' ' ||
		!StartsWithClock(text[clock:]) {
		return t, 0
	}
	month, isMonth := MonthOf(text)
	day, isDay := ParseDigits(bytes.TrimLeft(text[4:clock-1], " "))
	if !isMonth || !isDay {
		return t, 0
	}
	return Timestamp{Seconds: daysOf(0, month, day)*SecondsOfDay + timeOfDay(text[clock:]), Yearless: true}, n
}

// lengthOfSyslogTime returns the length of the time of syslog at the start of text, if there is
// one.
func lengthOfSyslogTime(text []byte) int {
	if len(text) > 5 && text[5] == ' ' {
		return syslogTimeLen - 1
	}
	return syslogTimeLen
}

// yearAfter returns where a time ends that begins text as one of syslog and goes on with a fraction
// perhaps, the year, and how far it is from UTC perhaps, as in the log of git or the errors of
// Apache; 0 if there is none.
func yearAfter(text []byte) (n int) {
	n = lengthOfSyslogTime(text)
	if len(text) <= n+1 || text[n] != '.' && (text[n] != ' ' || !ascii.IsDigit(text[n+1])) ||
		!StartsWithClock(text[n-len("15:04:05"):]) {
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

// MonthOf reads the name of a month at the start of text, in English and of three letters.
func MonthOf(text []byte) (month int, ok bool) {
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

// StartsWithClock says whether text starts with a time of day, dd:dd:dd.
func StartsWithClock(text []byte) bool {
	const clock = '0'*ascii.EachByte + (':'-'0')<<16 + (':'-'0')<<40
	return len(text) >= len("15:04:05") && ascii.WithoutDigits(ascii.EightAt(text, 0)) == clock
}

// timeOfDay reads dd:dd:dd, in seconds.
func timeOfDay(text []byte) int64 {
	hour, _ := ParseDigits(text[:2])
	minute, _ := ParseDigits(text[3:5])
	second, _ := ParseDigits(text[6:8])
	return int64(hour*3600 + minute*60 + second)
}

// NamedMonthLen is the length of a time of an access log, in bytes, without its zone.
const NamedMonthLen = len("02/Jan/2006:15:04:05")

// namedMonthTime reads the time of an access log at the start of text, as it is or with blanks for
// what is between its parts.
func namedMonthTime(text []byte) (t Timestamp, ok bool) {
	if !IsNamedMonthTime(text) {
		return t, false
	}
	month, _ := MonthOf(text[3:])
	day, _ := ParseDigits(text[:2])
	year, _ := ParseDigits(text[7:11])
	t.Seconds = daysOf(year, month, day)*SecondsOfDay + timeOfDay(text[12:])
	t.moveToZone(text[:endedTime(text, NamedMonthLen)], NamedMonthLen)
	return t, 0 < day && day <= 31
}

// IsNamedMonthTime says whether such a time may be there, by all but the values of its digits.
func IsNamedMonthTime(text []byte) bool {
	if len(text) < NamedMonthLen || text[2] != '/' && text[2] != ' ' && text[2] != '-' || text[6] != text[2] ||
		text[11] != ':' && text[11] != ' ' ||
		!ascii.Matches(text, "dd") || !ascii.IsUpper(text[3]) || !ascii.Matches(text[7:], "dddd") ||
		!StartsWithClock(text[12:]) {
		return false
	}
	_, ok := MonthOf(text[3:])
	return ok
}

// endedTime returns where a time ends whose seconds end at n: there, if its fraction or zone would
// end in a word.
func endedTime(text []byte, n int) int { return max(n, ascii.EndOfRun(text, EndOfTime(text, n))) }

// EndOfTime returns where a time ends whose seconds end at n: after the fraction and the zone.
func EndOfTime(b []byte, n int) int {
	if n+1 < len(b) && (b[n] == '.' || b[n] == ',') && ascii.IsDigit(b[n+1]) {
		for n++; n < len(b) && ascii.IsDigit(b[n]); n++ {
		}
	}
	zone := b[n:]
	switch {
	case len(zone) > 0 && zone[0]|0x20 == 'z':
		return n + 1
	case len(zone) > 1 && zone[0] == ' ':
		zone = zone[1:]
	}
	switch {
	case len(zone) == 0 || zone[0] != '+' && zone[0] != '-':
	case ascii.Matches(zone[1:], "dd:dd"):
		return len(b) - len(zone) + len("+dd:dd")
	case ascii.Matches(zone[1:], "dddd"):
		return len(b) - len(zone) + len("+dddd")
	}
	return n
}
