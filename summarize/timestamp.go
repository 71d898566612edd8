package summarize

import "math"

const maxTimestampLen = 40

// timestamp is a point in time that was written out: RFC 3339, and its
// relatives with a blank for the T, a comma for the dot, no seconds' fraction,
// no zone, or no time of day; or as in access logs.
type timestamp struct {
	seconds int64 // since 0000-03-01, in UTC when zoned
	nanos   int32
	zoned   bool
}

func (t timestamp) before(u timestamp) bool {
	if t.seconds != u.seconds {
		return t.seconds < u.seconds
	}
	return t.nanos < u.nanos
}

func parseTimestamp(b []byte) (t timestamp, ok bool) {
	switch {
	case len(b) < len("2006-01-02") || len(b) > maxTimestampLen:
		return t, false
	case b[4] != '-' || b[7] != '-':
		t, ok = namedMonthTime(b)
		return t, ok && endOfTime(b, namedMonthLen) == len(b)
	}
	year, ok1 := digits(b[:4])
	month, ok2 := digits(b[5:7])
	day, ok3 := digits(b[8:10])
	if !ok1 || !ok2 || !ok3 || month < 1 || month > 12 || day < 1 || day > 31 {
		return t, false
	}
	t.seconds = days(year, month, day) * 86400
	if b = b[10:]; len(b) == 0 {
		return t, true
	}
	if len(b) < len("T15:04") || b[0] != 'T' && b[0] != 't' && b[0] != ' ' || b[3] != ':' {
		return t, false
	}
	hour, ok1 := digits(b[1:3])
	minute, ok2 := digits(b[4:6])
	if !ok1 || !ok2 || hour > 24 || minute > 59 {
		return t, false
	}
	t.seconds += int64(hour*3600 + minute*60)
	b = b[6:]
	if len(b) >= 3 && b[0] == ':' {
		second, ok := digits(b[1:3])
		if !ok || second > 60 {
			return t, false
		}
		t.seconds += int64(second)
		b = b[3:]
		if len(b) > 1 && (b[0] == '.' || b[0] == ',') {
			b = b[1:]
			scale := int32(100_000_000)
			for len(b) > 0 && '0' <= b[0] && b[0] <= '9' {
				t.nanos += int32(b[0]-'0') * scale
				scale /= 10
				b = b[1:]
			}
		}
	}
	if len(b) > 1 && b[0] == ' ' {
		b = b[1:]
	}
	switch {
	case len(b) == 0:
		return t, true
	case len(b) == 1 && (b[0] == 'Z' || b[0] == 'z'):
		t.zoned = true
		return t, true
	case b[0] != '+' && b[0] != '-':
		return t, false
	}
	sign := int64(1)
	if b[0] == '-' {
		sign = -1
	}
	b = b[1:]
	if len(b) == 5 && b[2] == ':' {
		hour, ok1 = digits(b[:2])
		minute, ok2 = digits(b[3:])
	} else if len(b) == 4 {
		hour, ok1 = digits(b[:2])
		minute, ok2 = digits(b[2:])
	} else if len(b) == 2 {
		hour, ok1 = digits(b)
		minute, ok2 = 0, true
	} else {
		return t, false
	}
	t.zoned = true
	t.seconds -= sign * int64(hour*3600+minute*60)
	return t, ok1 && ok2
}

// unixTime reads a number as a time since 1970, in seconds or in thousands, millions or billions of them, from 2001 on; a
// number of a count or of money is seldom one.
func unixTime(number float64) (t timestamp, ok bool) {
	const from, to = 1e9, 2.2e9
	for _, unit := range [...]float64{1, 1e3, 1e6, 1e9} {
		seconds := number / unit
		if seconds < from { // as most numbers are
			break
		}
		if seconds < to {
			whole := math.Floor(seconds)
			return timestamp{seconds: int64(whole), nanos: int32((seconds - whole) * 1e9)}, true
		}
	}
	return t, false
}

func digits(b []byte) (n int, ok bool) {
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, true
}

// days counts from 0000-03-01 in the proleptic Gregorian calendar: years that
// begin in March have their leap day at the end.
func days(year, month, day int) int64 {
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

// timeRange keeps the first and the last of the timestamps of a field as they
// are written.
type timeRange struct {
	from, to         timestamp
	fromText, toText []byte
	mixed            bool // some have a zone, some have none: they can't be compared
}

func (r *timeRange) add(t timestamp, text []byte) {
	if r.fromText == nil {
		r.from, r.to = t, t
		r.fromText = append(make([]byte, 0, maxTimestampLen), text...)
		r.toText = append(make([]byte, 0, maxTimestampLen), text...)
		return
	}
	r.mixed = r.mixed || t.zoned != r.from.zoned
	if t.before(r.from) {
		r.from, r.fromText = t, append(r.fromText[:0], text...)
	}
	if r.to.before(t) {
		r.to, r.toText = t, append(r.toText[:0], text...)
	}
}
