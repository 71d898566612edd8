package formats

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// callNames are those of the fields of a traced call.
var callNames = struct{ pid, time, after, call, resumed, args, result, failure, seconds []byte }{
	[]byte("pid"), []byte("time"), []byte("after"), []byte("call"), []byte("resumed"), []byte("args"),
	[]byte("result"), []byte("error"), []byte("seconds"),
}

const (
	leastOfCall   = 2 // bytes of its name: f(x) = 2 is a formula
	longestOfCall = 40
)

// CutCall cuts a line of strace(1) or ltrace(1) into the pairs that it would have if it had names. The second part of
// a call that was interrupted by another one has its name as resumed, so that each call is counted once. A result
// that is an address has none.
//
//	[pid  4847] 15:04:05.000321 openat(AT_FDCWD, "/etc/hosts", O_RDONLY) = -1 ENOENT (No such file or directory) <0.000011>
func CutCall(dst []Pair, line []byte) (pairs []Pair, ok bool) {
	c := callCutter{line: line, pairs: dst}
	end := bytes.TrimRight(line, " ")
	if len(end) == 0 || bytes.IndexByte([]byte(">)?0123456789abcdef"), end[len(end)-1]) < 0 {
		return dst, false
	}
	c.before()
	ok = c.name() && c.rest(len(end))
	return c.pairs, ok
}

// callCutter steps through a line of a trace of calls.
type callCutter struct {
	line  []byte
	at    int
	pairs []Pair
}

func (c *callCutter) put(name []byte, from, to int, as PairKind) {
	if from < to {
		c.pairs = append(c.pairs, Pair{name, ascii.Span{From: from, To: to}, as})
	}
}

// before reads what comes before the call: the process, in brackets or as it is, and when it was.
func (c *callCutter) before() {
	c.blanks()
	if bytes.HasPrefix(c.line[c.at:], []byte("[pid ")) {
		c.at = ascii.PastBlanks(c.line, c.at+len("[pid "))
		n := ascii.LeadingDigits(c.line[c.at:])
		if c.at+n < len(c.line) && c.line[c.at+n] == ']' {
			c.put(callNames.pid, c.at, c.at+n, asRead)
			c.at += n + 1
			c.blanks()
		}
	} else if n := ascii.LeadingDigits(c.line[c.at:]); n > 0 && c.at+n < len(c.line) && c.line[c.at+n] == ' ' {
		c.put(callNames.pid, c.at, c.at+n, asRead)
		c.at += n
		c.blanks()
	}
	rest := c.line[c.at:]
	name, length := callNames.time, len("15:04:05")
	if !value.StartsWithClock(rest) {
		length = ascii.LeadingDigits(rest)
		if length == 0 || mask.FractionLen(rest[length:]) == 0 {
			return
		}
		if length < len("1000000000") { // no seconds since 1970, but since the call before
			name = callNames.after
		}
	}
	length += mask.FractionLen(rest[length:])
	c.put(name, c.at, c.at+length, asRead)
	c.at += length
	c.blanks()
}

func (c *callCutter) blanks() { c.at = ascii.PastBlanks(c.line, c.at) }

// name reads the name of the call, up to its arguments.
func (c *callCutter) name() bool {
	name, ends := callNames.call, byte('(')
	if bytes.HasPrefix(c.line[c.at:], []byte("<... ")) {
		name, ends = callNames.resumed, ' '
		c.at += len("<... ")
	}
	from := c.at
	for c.at < len(c.line) &&
		(ascii.IsAlphanumeric(c.line[c.at]) && !ascii.IsUpper(c.line[c.at]) || c.line[c.at] == '_') {
		c.at++
	}
	n := c.at - from
	if n < leastOfCall || n > longestOfCall || ascii.IsDigit(c.line[from]) || c.at == len(c.line) ||
		c.line[c.at] != ends {
		return false
	}
	c.put(name, from, c.at, AsText)
	if c.at++; ends == '(' {
		return true
	}
	ok := bytes.HasPrefix(c.line[c.at:], []byte("resumed>"))
	c.at += len("resumed>")
	return ok
}

// rest reads the arguments, and what came of the call unless it has not come yet.
func (c *callCutter) rest(end int) bool {
	if before, isUnfinished := bytes.CutSuffix(c.line[c.at:end], []byte("<unfinished ...>")); isUnfinished {
		c.put(callNames.args, c.at, c.at+len(bytes.TrimRight(before, " ,")), AsText)
		return true
	}
	seconds := ascii.Span{}
	if open := bytes.LastIndexByte(c.line[c.at:end], '<'); open > 0 && c.line[end-1] == '>' {
		from := c.at + open + 1
		whole := ascii.LeadingDigits(c.line[from:end])
		if n := whole + mask.FractionLen(c.line[from+whole:]); whole > 0 && from+n == end-1 {
			seconds = ascii.Span{From: from, To: end - 1}
			end = from - 1
		}
	}
	shut, result := c.resultBefore(end)
	end = len(bytes.TrimRight(c.line[:end], " "))
	if result < 0 || result >= end {
		return false
	}
	c.put(callNames.args, c.at, shut, AsText)
	ok := c.outcome(result, end)
	c.put(callNames.seconds, seconds.From, seconds.To, asRead)
	return ok
}

// resultBefore finds where the arguments end and the result begins: after the last equals sign that comes after a
// parenthesis that shuts and blanks; -1 if there is none.
func (c *callCutter) resultBefore(end int) (shut, result int) {
	for rest := c.line[c.at:end]; ; {
		equals := bytes.LastIndex(rest, []byte(" = "))
		if equals < 0 {
			return 0, -1
		}
		before := bytes.TrimRight(rest[:equals], " ")
		if len(before) > 0 && before[len(before)-1] == ')' {
			return c.at + len(before) - 1, c.at + equals + len(" = ")
		}
		rest = rest[:equals]
	}
}

// outcome reads the result, the name of the error if it is one, and passes over what is said of them.
func (c *callCutter) outcome(from, end int) bool {
	c.at = from
	rest := c.line[from:end]
	switch sign := len(rest) - len(bytes.TrimPrefix(rest, []byte{'-'})); {
	case bytes.HasPrefix(rest, []byte("0x")):
		c.at += len("0x")
		for c.at < end && ascii.IsHexDigit(c.line[c.at]) {
			c.at++
		}
	case bytes.HasPrefix(rest, []byte{'?'}):
		c.at++
	default:
		n := ascii.LeadingDigits(rest[sign:])
		if n == 0 {
			return false
		}
		c.at += sign + n
		if n <= mask.LongestCount {
			c.put(callNames.result, from, c.at, asRead)
		}
	}
	rest = c.line[c.at:end]
	if len(rest) > 0 && rest[0] == '<' { // the file that a descriptor is of
		return rest[len(rest)-1] == '>'
	}
	if len(rest) > 1 && rest[0] == ' ' && ascii.IsUpper(rest[1]) {
		n := 1
		for n < len(rest) && (ascii.IsUpper(rest[n]) || ascii.IsDigit(rest[n]) || rest[n] == '_') {
			n++
		}
		c.put(callNames.failure, c.at+1, c.at+n, AsText)
		rest = rest[n:]
	}
	return len(rest) == 0 || bytes.HasPrefix(rest, []byte(" (")) && rest[len(rest)-1] == ')'
}
