package mask

import "bytes"

// Escape begins a control sequence of a terminal.
const Escape = 0x1b

// AppendWithoutEscapes appends a line without what tells a terminal how to show it: control sequences, as those for
// colours, and control strings, as those for links (ECMA-48, 5.4 and 5.6). What does not end is kept.
func AppendWithoutEscapes(dst, line []byte) []byte {
	for endless := false; ; { // once a control string does not end, none that comes later does
		at := bytes.IndexByte(line, Escape)
		if at < 0 {
			return append(dst, line...)
		}
		dst = append(dst, line[:at]...)
		n := 0
		if isString := at+1 < len(line) && bytes.IndexByte(stringOpeners, line[at+1]) >= 0; !isString || !endless {
			n = escapeLen(line[at:])
			endless = endless || isString && n == 0
		}
		if n == 0 {
			dst = append(dst, Escape)
		}
		line = line[at+max(1, n):]
	}
}

// stringOpeners are the bytes that come second in what begins a control string: OSC, DCS, APC, PM.
var stringOpeners = []byte("]P_^")

// escapeLen is the length of the sequence or string at the start of text, 0 if there is none.
func escapeLen(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	isIn := func(at int, low, high byte) bool { return at < len(text) && low <= text[at] && text[at] <= high }
	switch c := text[1]; {
	case c == '[':
		n := 2
		for isIn(n, 0x30, 0x3f) {
			n++
		}
		for isIn(n, 0x20, 0x2f) {
			n++
		}
		if isIn(n, 0x40, 0x7e) {
			return n + 1
		}
	case bytes.IndexByte(stringOpeners, c) >= 0:
		for n := 2; n < len(text); n++ {
			switch {
			case text[n] == '\a':
				return n + 1
			case text[n] == Escape && isIn(n+1, '\\', '\\'):
				return n + 2
			}
		}
	case c == '(' || c == ')':
		if isIn(2, 0x30, 0x7e) {
			return 3
		}
	}
	return 0
}
