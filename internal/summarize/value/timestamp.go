package value

import (
	"bytes"
	"time"

	"github.com/kfw-dev/kfw/internal/ascii"
)

const maxTimestampLen = 48

// Timestamp is a point in time that was written out: RFC 3339, and its relatives with a blank for
// the T, a comma for the dot, no seconds' fraction, no zone, no time of day, or slashes; with the
// day first where dots part it from the month (DIN 5008); as in access logs; or with the name of
// its month (RFC 5322, asctime, date, git log).
type Timestamp struct {
	Seconds int64 // since 0000-03-01, in UTC when zoned
	Nanos   int32
	zoned   bool

	Yearless bool // it is of any year, as in syslog
	Dateless bool // it is of any day, or no point in time but how long something took
}

// Before reports whether t is earlier than u.
func (t Timestamp) Before(u Timestamp) bool {
	if t.Seconds != u.Seconds {
		return t.Seconds < u.Seconds
	}
	return t.Nanos < u.Nanos
}

// ParseTimestamp reads a text that is nothing but a time.
func ParseTimestamp(b []byte) (t Timestamp, ok bool) {
	const length = len("2006-01-02")
	if len(b) < length || len(b) > maxTimestampLen {
		return t, false
	}
	yearAt, monthAt, dayAt := 0, 5, 8
	switch {
	case b[4] == '-' && b[7] == '-', b[4] == '/' && b[7] == '/':
	case b[2] == '.' && b[5] == '.':
		yearAt, monthAt, dayAt = 6, 3, 0
	case beginsDateOfWords(b):
		t, ok = dateOfWords(b)
		return t, ok && !t.Yearless
	default:
		t, ok = namedMonthTime(b)
		return t, ok && EndOfTime(b, NamedMonthLen) == len(b)
	}
	year, ok1 := ParseDigits(b[yearAt : yearAt+4])
	month, ok2 := ParseDigits(b[monthAt : monthAt+2])
	day, ok3 := ParseDigits(b[dayAt : dayAt+2])
	if !ok1 || !ok2 || !ok3 || month < 1 || month > 12 || day < 1 || day > 31 {
		return t, false
	}
	t.Seconds = daysOf(year, month, day) * SecondsOfDay
	if b = b[length:]; len(b) == 0 {
		return t, true
	}
	if b[0] != 'T' && b[0] != 't' && b[0] != ' ' {
		return t, false
	}
	clock, nanos, zone, ok := cutClock(b[1:])
	if !ok {
		return t, false
	}
	t.Seconds += clock
	t.Nanos = nanos
	if len(zone) > 1 && zone[0] == ' ' {
		zone = zone[1:]
	}
	if len(zone) == 0 {
		return t, true
	}
	east, ok := zoneOf(zone)
	t.Seconds -= east
	t.zoned = ok
	return t, ok
}

// cutClock cuts a time of day off the start of b: 15:04, perhaps with seconds and a fraction of
// one.
func cutClock(b []byte) (seconds int64, nanos int32, rest []byte, ok bool) {
	if len(b) < len("15:04") || b[2] != ':' {
		return 0, 0, nil, false
	}
	hour, isHour := ParseDigits(b[:2])
	minute, isMinute := ParseDigits(b[3:5])
	if !isHour || !isMinute || hour > 24 || minute > 59 {
		return 0, 0, nil, false
	}
	seconds = int64(hour*3600 + minute*60)
	if b = b[5:]; len(b) < len(":05") || b[0] != ':' {
		return seconds, 0, b, true
	}
	second, isSecond := ParseDigits(b[1:3])
	if !isSecond || second > 60 {
		return 0, 0, nil, false
	}
	seconds += int64(second)
	if b = b[3:]; len(b) > 1 && (b[0] == '.' || b[0] == ',') {
		nanos = nanosAfter(b, 0)
		b = b[1+ascii.LeadingDigits(b[1:]):]
	}
	return seconds, nanos, b, true
}

// ClockLayout says which parts a time of day has.
type ClockLayout uint8

const (
	twoParts   ClockLayout = 1 << iota // of an hour, or of a minute
	threeParts                         // hours, minutes and seconds
	isElapsed                          // of two parts the first are minutes: how long something took
)

// IsClear says whether all that have such forms can be compared.
func (f ClockLayout) IsClear() bool {
	return f&isElapsed != 0 || f&(twoParts|threeParts) != twoParts|threeParts
}

// ParseClock reads what a clock shows: a time of day, or how long something took, as ps, top and squeue have it: 15:04,
// 0:06.10, 1-02:03:04. The second of two parts is taken for one of a minute; that it may be of an hour changes no order
// among those of two parts.
func ParseClock(text []byte) (t Timestamp, layout ClockLayout, ok bool) {
	const longestPart, hoursOfDay = 6, 24
	colon := bytes.IndexByte(text, ':')
	if colon < 1 || len(text) > maxTimestampLen || !ascii.IsDigit(text[0]) {
		return t, 0, false // as most
	}
	first, rest := text[:colon], text[colon:]
	day, hour, hasDay := bytes.Cut(first, []byte{'-'})
	if hasDay {
		first = hour
	}
	wholeDays, isDay := ParseDigits(day)
	minutes, isNumber := ParseDigits(first) // or hours
	shown := minutes
	if !isDay || !isNumber || len(first) == 0 || len(first) > longestPart || len(day) > longestPart {
		return t, 0, false
	}
	parts := 1
	for ; len(rest) >= len(":00") && rest[0] == ':'; rest = rest[len(":00"):] {
		part, isPart := ParseDigits(rest[1:len(":00")])
		if !isPart || part > 59 {
			return t, 0, false
		}
		shown = 60*shown + part
		parts++
	}
	hasFraction := len(rest) > 1 && (rest[0] == '.' || rest[0] == ',')
	if hasFraction {
		t.Nanos = nanosAfter(rest, 0)
		rest = rest[1+ascii.LeadingDigits(rest[1:]):]
	}
	t.Dateless = true
	t.Seconds = int64(shown)
	if hasDay {
		t.Seconds += int64(wholeDays) * SecondsOfDay
	}
	switch {
	case hasDay:
		layout = threeParts | isElapsed
	case parts == 3:
		layout = threeParts
	case hasFraction || minutes > hoursOfDay || minutes == hoursOfDay && shown != 60*hoursOfDay:
		layout = twoParts | isElapsed
	default:
		layout = twoParts
	}
	return t, layout, len(rest) == 0 && (parts == 3 || parts == 2 && !hasDay)
}

// zoneOf reads how far a zone is to the east, in seconds: Z, UTC, GMT, +07:00, +0700 or +07.
func zoneOf(b []byte) (east int64, ok bool) {
	switch string(b) {
	case "Z", "z", "UTC", "GMT":
		return 0, true
	}
	if b[0] != '+' && b[0] != '-' {
		return 0, false
	}
	hour, minute := b[1:], []byte(nil)
	switch {
	case len(hour) == len("07:00") && hour[2] == ':':
		hour, minute = hour[:2], hour[3:]
	case len(hour) == len("0700"):
		hour, minute = hour[:2], hour[2:]
	case len(hour) != len("07"):
		return 0, false
	}
	hours, isHour := ParseDigits(hour)
	minutes, isMinute := ParseDigits(minute)
	east = int64(hours*3600 + minutes*60)
	if b[0] == '-' {
		east = -east
	}
	return east, isHour && isMinute
}

// beginsDateOfWords says whether b begins with the name of a month or of a day, or with a day and
// the name of its month.
func beginsDateOfWords(b []byte) bool {
	if ascii.IsUpper(b[0]) {
		name, _, _ := bytes.Cut(b, []byte{' '})
		name = bytes.TrimSuffix(name, []byte{','})
		_, isMonth := MonthNamed(name)
		return isMonth || IsDayOfWeek(name)
	}
	day := ascii.LeadingDigits(b)
	return 0 < day && day <= 2 && b[day] == ' ' && ascii.IsUpper(b[day+1])
}

// dateOfWords reads a time whose parts have blanks between them, in any order: the name of a month,
// a day, a year of four digits or a time of day; perhaps the day of the week, and behind the time UTC,
// GMT or how far it is from there. A time of another zone that has a name is none.
func dateOfWords(b []byte) (t Timestamp, ok bool) {
	year, month, day, hasWeekday, hasClock := 0, 0, 0, false, false
	for len(b) > 0 {
		word, rest, _ := bytes.Cut(b, []byte{' '})
		if b = bytes.TrimLeft(rest, " "); len(b) > 0 {
			word = bytes.TrimSuffix(word, []byte{','})
		}
		if len(word) == 0 {
			return t, false
		}
		n, isNumber := ParseDigits(word)
		name, isMonth := MonthNamed(word)
		switch {
		case isNumber && len(word) <= 2 && day == 0 && 0 < n && n <= 31:
			day = n
		case isNumber && len(word) == 4 && year == 0:
			year = n
		case isMonth && month == 0:
			month = name
		case IsDayOfWeek(word) && !hasWeekday:
			hasWeekday = true
		case ascii.IsDigit(word[0]) && !hasClock:
			clock, nanos, rest, isClock := cutClock(word)
			if !isClock || len(rest) > 0 {
				return t, false
			}
			t.Seconds, t.Nanos, hasClock = clock, nanos, true
		case hasClock && !t.zoned:
			east, isZone := zoneOf(word)
			if !isZone {
				return t, false
			}
			t.Seconds -= east
			t.zoned = true
		default:
			return t, false
		}
	}
	t.Seconds += daysOf(year, month, day) * SecondsOfDay
	t.Yearless = year == 0
	return t, (year > 0 || hasClock) && month > 0 && 0 < day &&
		day <= time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// Sortable returns a time that is written otherwise as ISO 8601 writes it, so that it compares byte by byte. Without a
// year it is the last one that is no day after now. It is not ok for a text that is no time, or is written so already.
func Sortable(text []byte, now time.Time) (iso string, ok bool) {
	const shortest, longest = len("2 Jan 2006"), maxTimestampLen
	if len(text) < shortest || len(text) > longest || text[4] == '-' {
		return "", false
	}
	t, ok := ParseTimestamp(text)
	if !ok && beginsDateOfWords(text) {
		t, ok = dateOfWords(text)
	}
	if !ok || t.Dateless {
		return "", false
	}
	at := time.Unix(t.Seconds-daysOf(1970, 1, 1)*SecondsOfDay, int64(t.Nanos)).UTC()
	if t.Yearless {
		inYear := func(year int) time.Time {
			return time.Date(year, at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC)
		}
		if at = inYear(now.Year()); at.After(now.AddDate(0, 0, 1)) {
			at = inYear(now.Year() - 1)
		}
	}
	return at.Format("2006-01-02T15:04:05.999999999"), true
}

// MonthNamed reads a word that is the name of a month, in English, or the first three letters of
// that.
func MonthNamed(word []byte) (month int, ok bool) {
	if len(word) < 3 {
		return 0, false
	}
	month, ok = MonthOf(word)
	return month, ok && (len(word) == 3 || string(word) == time.Month(month).String())
}

// IsDayOfWeek says whether a word is the name of a day of the week, in English, or the first three
// letters of that.
func IsDayOfWeek(word []byte) bool {
	switch string(word) {
	case "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun",
		"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday":
		return true
	}
	return false
}

// ParseDigits reads a number of digits alone; one without digits is 0.
func ParseDigits(b []byte) (n int, ok bool) {
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, true
}

// SecondsOfDay is the length of a day without leap seconds.
const SecondsOfDay = 24 * 3600

// daysOf counts from 0000-03-01 in the proleptic Gregorian calendar: years that
// begin in March have their leap day at the end.
func daysOf(year, month, day int) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	return int64(365*year+floorDiv(year, 4)-floorDiv(year, 100)+floorDiv(year, 400)) +
		int64((153*(month-3)+2)/5+day-1)
}

func floorDiv(a, b int) int {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

// TimeRange keeps the first and the last of the timestamps of a field as they
// are written.
type TimeRange struct {
	From, to         Timestamp
	FromText, ToText []byte
	Mixed            bool        // some have a zone, or a date, and some have none: they can't be compared
	Clocks           ClockLayout // the parts of the times of day
}

// Add takes in one more time, written as the text.
func (r *TimeRange) Add(t Timestamp, text []byte) {
	if r.FromText == nil {
		r.From, r.to = t, t
		r.FromText = append(make([]byte, 0, maxTimestampLen), text...)
		r.ToText = append(make([]byte, 0, maxTimestampLen), text...)
		return
	}
	r.Mixed = r.Mixed || t.zoned != r.From.zoned || t.Dateless != r.From.Dateless
	if t.Before(r.From) {
		r.From, r.FromText = t, append(r.FromText[:0], text...)
	}
	if r.to.Before(t) {
		r.to, r.ToText = t, append(r.ToText[:0], text...)
	}
}

// Known counts what is known of a time with a day: the day, the year, the zone.
func (t Timestamp) Known() int {
	switch {
	case t.Yearless:
		return 1
	case !t.zoned:
		return 2
	}
	return 3
}
