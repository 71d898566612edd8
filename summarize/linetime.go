package summarize

import "bytes"

const timeLength = len("2006-01-02T15:04:05")

// timeOfLine finds the time that a line begins with, or has after a few words: RFC 3339 and its relatives, also with slashes
// (2006/01/02), that of syslog (RFC 3164), which has no year, and that of access logs (02/Jan/2006:15:04:05). The text has the
// fraction of a second and the zone, which the time may lack.
func (l *timeline) timeOfLine(line []byte) (t timestamp, text []byte, ok bool) {
	const near = 48
	for i := 0; i < min(len(line), near); i++ {
		if !isDigit(line[i]) && !isUpper(line[i]) || i > 0 && isAlphanumeric(line[i-1]) {
			continue
		}
		rest := line[i:]
		if len(rest) < syslogTimeLen {
			break
		}
		if t, n := l.sameMinute(rest); n > 0 {
			return t, rest[:n], true
		}
		switch {
		case rest[4] == '-' || rest[4] == '/':
			if !matches(rest, "dddd-dd-dd") && !matches(rest, "dddd/dd/dd") || len(rest) < timeLength || !startsWithClock(rest[11:]) {
				continue
			}
			var iso [timeLength]byte
			copy(iso[:], rest)
			iso[4], iso[7] = '-', '-'
			t, ok = parseTimestamp(iso[:])
			text = rest[:endedTime(rest, timeLength)]
			if zone := zoneAfter(text, timeLength); len(zone) > 0 {
				east, isZone := zoneOf(zone)
				t.seconds -= east
				t.zoned = isZone
			}
			t.nanos = nanosAfter(text, timeLength)
			return t, text, ok
		case rest[3] == ' ':
			if n := yearAfter(rest); n > 0 {
				t, ok = dateOfWords(rest[:n])
				return t, rest[:n], ok
			}
			if t, ok = syslogTime(rest); ok {
				return t, rest[:syslogTimeLen], true
			}
		case rest[2] == '/' || rest[2] == ' ':
			if !isNamedMonthTime(rest) {
				continue
			}
			text = rest[:endedTime(rest, namedMonthLen)]
			if t, ok = namedMonthTime(text); ok {
				t.nanos = nanosAfter(text, namedMonthLen)
				return t, text, true
			}
		}
	}
	return t, nil, false
}

// sameMinute reads the time at the start of text if it has the form of the last one and only its seconds are others. It returns
// its length, 0 if that is not so.
func (l *timeline) sameMinute(text []byte) (t timestamp, length int) {
	last := l.lastText
	if len(last) < syslogTimeLen {
		return t, 0
	}
	switch {
	case len(last) == syslogTimeLen:
		if length = syslogTimeLen; yearAfter(text) > 0 {
			return t, 0
		}
	case isUpper(last[0]):
		return t, 0
	case last[4] == '-' || last[4] == '/':
		length = timeLength
	default:
		length = namedMonthLen
	}
	minute := length - len(":05")
	switch {
	case len(text) < length, !beginAlike(text, last, minute+1):
		return t, 0
	case length > syslogTimeLen:
		end, nanos := sameTail(text, last, length)
		if end == 0 {
			end = endedTime(text, length)
			if !bytes.Equal(zoneAfter(text[:end], length), zoneAfter(last, length)) {
				return t, 0
			}
			nanos = nanosAfter(text[:end], length)
		}
		t.nanos, length = nanos, end
	}
	tens, ones := text[minute+1]-'0', text[minute+2]-'0'
	if tens > 5 || ones > 9 {
		return t, 0
	}
	seconds := l.last.seconds + int64(10*tens+ones) - int64(10*(last[minute+1]-'0')+last[minute+2]-'0')
	return timestamp{seconds: seconds, nanos: t.nanos, zoned: l.last.zoned}, length
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
		digits := leadingDigitsOf(eightAt(text, n+1))
		if text[n] != tail[0] || tail[0] != '.' && tail[0] != ',' || digits == 0 || digits == 8 || digits != leadingDigits(tail[1:]) {
			return 0, 0
		}
		nanos = int32(digitsOf(eightAt(text, n+1), digits)) * nanosPer[digits]
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
	return eightAt(a, 0) == eightAt(b, 0) && eightAt(a, end/2) == eightAt(b, end/2) && eightAt(a, end) == eightAt(b, end)
}

// zoneAfter returns the zone of a time whose seconds end at n, nothing if it has none.
func zoneAfter(text []byte, n int) []byte {
	zone := text[n:]
	if len(zone) > 0 && (zone[0] == '.' || zone[0] == ',') {
		zone = zone[1+leadingDigits(zone[1:]):]
	}
	return bytes.TrimPrefix(zone, []byte{' '})
}

// nanosAfter reads the fraction of a time whose seconds end at n, in billionths of one.
func nanosAfter(text []byte, n int) (nanos int32) {
	if n == len(text) || text[n] != '.' && text[n] != ',' {
		return 0
	}
	for i, scale := n+1, int32(100_000_000); i < len(text) && isDigit(text[i]); i, scale = i+1, scale/10 {
		nanos += int32(text[i]-'0') * scale
	}
	return nanos
}

const syslogTimeLen = len("Jan _2 15:04:05")

// syslogTime reads the time of syslog at the start of text.
func syslogTime(text []byte) (t timestamp, ok bool) {
	if len(text) < syslogTimeLen || !isUpper(text[0]) || text[3] != ' ' || text[6] != ' ' || !startsWithClock(text[7:]) {
		return t, false
	}
	month, isMonth := monthOf(text)
	day, isDay := digits(bytes.TrimLeft(text[4:6], " "))
	t.seconds = days(0, month, day)*86400 + timeOfDay(text[7:])
	return t, isMonth && isDay
}

// yearAfter returns where a time ends that begins text as one of syslog and goes on with a fraction perhaps, the year, and how far it
// is from UTC perhaps, as in the log of git or the errors of Apache; 0 if there is none.
func yearAfter(text []byte) (n int) {
	n = syslogTimeLen
	if len(text) <= n+1 || text[n] != '.' && (text[n] != ' ' || !isDigit(text[n+1])) || !startsWithClock(text[7:]) {
		return 0 // as most
	}
	if text[n] == '.' {
		n += 1 + leadingDigits(text[n+1:])
	}
	if !matches(text[n:], " 20dd") && !matches(text[n:], " 19dd") {
		return 0
	}
	n = ended(text, n+len(" 2006"))
	if zone := text[n:]; n > 0 && (matches(zone, " +dddd") || matches(zone, " -dddd")) {
		n = max(n, ended(text, n+len(" +0000")))
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
	const clock = '0'*eachByte + (':'-'0')<<16 + (':'-'0')<<40
	return len(text) >= len("15:04:05") && withoutDigits(eightAt(text, 0)) == clock
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
	t.seconds = days(year, month, day)*86400 + timeOfDay(text[12:])
	if zone := text[namedMonthLen:]; len(zone) > 1 && zone[0] == ' ' && (zone[1] == '+' || zone[1] == '-') && matches(zone[2:], "dddd") {
		hour, _ := digits(zone[2:4])
		minute, _ := digits(zone[4:6])
		east := int64(hour*3600 + minute*60)
		if zone[1] == '-' {
			east = -east
		}
		t.seconds -= east
		t.zoned = true
	}
	return t, 0 < day && day <= 31
}

// isNamedMonthTime says whether such a time may be there, by all but the values of its digits.
func isNamedMonthTime(text []byte) bool {
	if len(text) < namedMonthLen || text[2] != '/' && text[2] != ' ' || text[6] != text[2] || text[11] != ':' && text[11] != ' ' ||
		!matches(text, "dd") || !isUpper(text[3]) || !matches(text[7:], "dddd") || !startsWithClock(text[12:]) {
		return false
	}
	_, ok := monthOf(text[3:])
	return ok
}

// endedTime returns where a time ends whose seconds end at n: there, if its fraction or zone would end in a word.
func endedTime(text []byte, n int) int { return max(n, ended(text, endOfTime(text, n))) }
