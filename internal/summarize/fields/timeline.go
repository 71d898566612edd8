package fields

import "github.com/kfw-dev/kfw/internal/summarize/value"

// Timeline follows times that come one after another: when the first and the last were.
type Timeline struct {
	Count int
	// the earliest and the latest of those of which most is known; without a year the first and the last
	From, To value.Timestamp
	Known    int  // how much that is
	LeftOut  bool // there were times of which less is known, or without a year that went back
	FromText []byte
	toText   []byte // unless it is that of the last time
	Last     value.Timestamp
	lastText []byte
}

// Add takes in a time.
func (l *Timeline) Add(t value.Timestamp, text []byte) {
	l.begin(t, text)
	l.Last = t
	l.lastText = append(l.lastText[:0], text...)
}

// begin counts a time, before it is the last one.
func (l *Timeline) begin(t value.Timestamp, text []byte) {
	l.Count++
	known := t.Known()
	isFirst := l.Count == 1 || known > l.Known
	if l.Count > 1 && (known != l.Known || t.Yearless && l.goesBack(t)) {
		l.LeftOut = true
	}
	if isFirst || known == l.Known && !t.Yearless && t.Before(l.From) {
		l.From, l.FromText = t, append(l.FromText[:0], text...)
	}
	switch {
	case isFirst || known == l.Known && (t.Yearless || !t.Before(l.To)):
		l.To, l.toText = t, l.toText[:0]
	case len(l.toText) == 0:
		l.toText = append(l.toText, l.lastText...)
	}
	l.Known = max(l.Known, known)
}

// goesBack says whether a time without a year is earlier than the last one, and not in the year after that.
func (l *Timeline) goesBack(t value.Timestamp) bool {
	const mostInYear = 300 * value.SecondsOfDay
	return t.Before(l.Last) && l.Last.Seconds-t.Seconds < mostInYear
}

// Latest returns the text of the latest time.
func (l *Timeline) Latest() []byte {
	if len(l.toText) == 0 {
		return l.lastText
	}
	return l.toText
}
