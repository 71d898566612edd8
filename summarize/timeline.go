package summarize

import (
	"bytes"
	"math"
)

const (
	farGaps  = 20 // a time jumps when it is so many times the longest gap before away from the one before
	maxJumps = 4  // of one timeline: where there are more, they are the rule
)

// timeline follows times that come one after another, and finds those that jump: one that is far from all others, a gap
// after which it goes on elsewhere, or one where times are missing that came at regular intervals.
type timeline struct {
	count      int
	last       timestamp // that was not a jump
	lastText   []byte
	textBefore []byte    // that of the time before one that jumped
	away       timestamp // the last one that was, while isAway
	isAway     bool
	longest    float64 // gap that was no jump, in seconds
	jumps      int
	ticks      sequence // the seconds of times at regular intervals
}

// add takes in a time. far is 0 unless it jumps: then it is by how many of the longest gaps; from is the time
// before it, lent.
func (l *timeline) add(t timestamp, text []byte) (far float64, from []byte) {
	l.count++
	_, misses := l.ticks.add(t.seconds)
	if l.count > 1 {
		gap, longest := t.apart(l.last), max(l.longest, 1)
		switch {
		case l.count > learning && gap > farGaps*longest:
			if !l.isAway || t.apart(l.away) > farGaps*longest {
				l.isAway, l.away = true, t
				l.jumps++
				return gap / longest, l.lastText
			}
		case misses:
			far = gap / longest
			l.textBefore = append(l.textBefore[:0], l.lastText...)
			l.jumps++
		default:
			l.longest = max(l.longest, gap)
		}
	}
	l.isAway = false
	l.last = t
	l.lastText = append(l.lastText[:0], text...)
	return far, l.textBefore
}

// restart takes in a time that is not to be compared with the one before.
func (l *timeline) restart(t timestamp, text []byte) {
	l.count++
	l.ticks.restart(t.seconds)
	l.isAway = false
	l.last = t
	l.lastText = append(l.lastText[:0], text...)
}

// apart is how far two times are apart, in seconds.
func (t timestamp) apart(u timestamp) float64 {
	seconds := float64(t.seconds - u.seconds)
	if t.nanos != u.nanos {
		seconds += float64(t.nanos-u.nanos) / 1e9
	}
	return math.Abs(seconds)
}

const timeLength = len("2006-01-02T15:04:05")

// timeOfLine finds the time that a line begins with, or has after a few words: RFC 3339 and its relatives, also
// with slashes (2006/01/02), and that of syslog (RFC 3164), which has no year.
func (l *timeline) timeOfLine(line []byte) (t timestamp, text []byte, ok bool) {
	const near = 48
	for i := 0; i < min(len(line), near); i++ {
		if !isDigit(line[i]) && !isUpper(line[i]) || i > 0 && isAlphanumeric(line[i-1]) {
			continue
		}
		rest := line[i:]
		if t, ok = l.sameMinute(rest); ok {
			return t, rest[:timeLength], true
		}
		hasDate := len(rest) >= timeLength && (matches(rest, "dddd-dd-dd") || matches(rest, "dddd/dd/dd"))
		if hasDate && matches(rest[11:], "dd:dd:dd") {
			var iso [timeLength]byte
			copy(iso[:], rest)
			iso[4], iso[7] = '-', '-'
			t, ok = parseTimestamp(iso[:])
			return t, rest[:timeLength], ok
		}
		if t, ok = syslogTime(rest); ok {
			return t, rest[:syslogTimeLen], true
		}
	}
	return t, nil, false
}

// sameMinute reads the time at the start of text if only its seconds are others than those of the last one.
func (l *timeline) sameMinute(text []byte) (t timestamp, ok bool) {
	last := l.lastText
	if len(last) != timeLength || len(text) < timeLength ||
		eightAt(text, 0) != eightAt(last, 0) || eightAt(text, 8) != eightAt(last, 8) {
		return t, false
	}
	const afterMinute = len("2006-01-02T15:04")
	tens, ones := text[afterMinute+1]-'0', text[afterMinute+2]-'0'
	if text[afterMinute] != last[afterMinute] || tens > 5 || ones > 9 {
		return t, false
	}
	t = l.last
	t.seconds += int64(10*tens+ones) - int64(10*(last[afterMinute+1]-'0')+last[afterMinute+2]-'0')
	return t, true
}

const syslogTimeLen = len("Jan _2 15:04:05")

// syslogTime reads the time of syslog at the start of text.
func syslogTime(text []byte) (t timestamp, ok bool) {
	const months = "JanFebMarAprMayJunJulAugSepOctNovDec"
	if len(text) < syslogTimeLen || !isUpper(text[0]) || text[3] != ' ' || text[6] != ' ' || !matches(text[7:], "dd:dd:dd") {
		return t, false
	}
	month := bytes.Index([]byte(months), text[:3])
	day, isDay := digits(bytes.TrimLeft(text[4:6], " "))
	hour, _ := digits(text[7:9])
	minute, _ := digits(text[10:12])
	second, _ := digits(text[13:15])
	t.seconds = days(0, month/3+1, day)*86400 + int64(hour*3600+minute*60+second)
	return t, month >= 0 && month%3 == 0 && isDay
}

// noteTimeOfLine notes the time of the line at hand.
func (s *Summary) noteTimeOfLine(line []byte) {
	o := s.out
	if t, text, ok := o.timeline.timeOfLine(line); ok {
		if len(o.firstTime) == 0 {
			o.firstTime = append(o.firstTime, text...)
		}
		o.lastTime = append(o.lastTime[:0], text...)
		s.noteJump(&o.timeline, t, text, nil, rootNode)
	}
}

// noteJump notes a time of the record at hand that jumps: that of a field, with its value in JSON, or one in a line.
func (s *Summary) noteJump(l *timeline, t timestamp, text, value []byte, place int) {
	r := s.out.row
	if r.isFirst {
		l.restart(t, text)
		return
	}
	far, from := l.add(t, text)
	if far == 0 || l.jumps > maxJumps {
		return
	}
	why := reason{by: byTime, place: place, number: far, length: l.jumps}
	why.before = r.put(from, maxCellLen)
	if !r.isLine {
		why.text = r.put(value, maxValueLen)
	}
	why.score = s.weigh(r, &why)
	r.because(why)
}
