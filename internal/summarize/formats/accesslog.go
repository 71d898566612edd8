package formats

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// accessNames are those of the fields of an access log: the Common Log Format of CERN httpd, with what the Combined
// one of Apache httpd (mod_log_config) has after it, and the virtual host before it. What servers add to that is
// named if it is name=value, and numbered otherwise.
var accessNames = struct {
	vhost, host, ident, user, time, method, path, protocol, request, status, bytes, referer,
	agent []byte
}{
	[]byte("vhost"), []byte("host"), []byte("ident"), []byte("user"), []byte("time"), []byte("method"),
	[]byte("path"), []byte("protocol"),
	[]byte("request"), []byte("status"), []byte("bytes"), []byte("referer"), []byte("agent"),
}

// farthestTime is where the time of an access log begins at most, in bytes.
const farthestTime = 160

// CutAccess cuts a line of an access log into the pairs that it would have if it had names: none for a value that is
// "-".
//
//	10.0.0.7 - ann [02/Jan/2006:15:04:05 -0700] "GET /items?id=7 HTTP/1.1" 200 512 "https://example.org/" "curl/8.5.0" rt=0.012
func CutAccess(dst []Pair, line []byte) (pairs []Pair, ok bool) {
	open := bytes.IndexByte(line[:min(len(line), farthestTime)], '[')
	if open < 0 {
		return dst, false
	}
	if !value.IsNamedMonthTime(line[open+1:]) {
		return dst, false
	}
	c := accessCutter{line: line, pairs: dst}
	n := &accessNames
	before := [][]byte{n.vhost, n.host, n.ident, n.user}
	switch bytes.Count(line[:open], []byte{' '}) {
	case 3:
		before = before[1:]
	case 4:
	default:
		return dst, false
	}
	for _, name := range before {
		if !c.word(name) {
			return dst, false
		}
	}
	shut := bytes.IndexByte(line[open:], ']')
	if c.at != open || shut < 0 {
		return dst, false
	}
	c.put(n.time, ascii.Span{From: open + 1, To: open + shut})
	c.at = open + shut + 1
	if !c.blank() || !c.request() || !c.word(n.status) || !isStatus(c.last.Of(line)) || !c.word(n.bytes) {
		return dst, false
	}
	for i := 0; c.at < len(line); i++ {
		name := n.referer
		switch {
		case len(c.pairs) == maxPairs:
			return dst, false
		case line[c.at] == '"' && i == 1:
			name = n.agent
		case line[c.at] != '"' || i > 1:
			name = NumberedName(i)
			if length := nameLen(line[c.at:]); length > 0 && c.at+length < len(line) && line[c.at+length] == '=' {
				if own := line[c.at : c.at+length]; !c.has(own) {
					name = own
				}
				c.at += length + 1
			}
		}
		if !c.word(name) {
			return dst, false
		}
	}
	return c.pairs, true
}

// accessCutter steps through a line of an access log.
type accessCutter struct {
	line  []byte
	at    int
	last  ascii.Span // value that was read
	pairs []Pair
}

func (c *accessCutter) put(name []byte, value ascii.Span) {
	c.last = value
	if text := Unquoted(value.Of(c.line)); len(text) > 0 && string(text) != "-" {
		c.pairs = append(c.pairs, Pair{Name: name, Value: value})
	}
}

func (c *accessCutter) has(name []byte) bool {
	return slices.ContainsFunc(c.pairs, func(p Pair) bool { return bytes.Equal(p.Name, name) })
}

// word reads what is up to the next blank, or in quotes, and steps past the blank.
func (c *accessCutter) word(name []byte) bool {
	n := valueLen(c.line[c.at:])
	if n == 0 && (c.at == 0 || c.line[c.at-1] != '=') {
		return false
	}
	c.put(name, ascii.Span{From: c.at, To: c.at + n})
	c.at += n
	return c.blank()
}

// blank steps past a blank. It returns false if there is something else.
func (c *accessCutter) blank() bool {
	if c.at == len(c.line) {
		return true
	}
	c.at++
	return c.line[c.at-1] == ' '
}

// request reads what was asked for: method, path and protocol, or whatever a client sent.
func (c *accessCutter) request() bool {
	n := valueLen(c.line[c.at:])
	if n < len(`""`) || c.line[c.at] != '"' {
		return false
	}
	whole := ascii.Span{From: c.at, To: c.at + n}
	inner := ascii.Span{From: whole.From + 1, To: whole.To - 1}
	first, last := bytes.IndexByte(inner.Of(c.line), ' '), bytes.LastIndexByte(inner.Of(c.line), ' ')
	if 0 < first && first < last && bytes.HasPrefix(c.line[inner.From+last+1:], []byte("HTTP")) {
		c.put(accessNames.method, ascii.Span{From: inner.From, To: inner.From + first})
		c.put(accessNames.path, ascii.Span{From: inner.From + first + 1, To: inner.From + last})
		c.put(accessNames.protocol, ascii.Span{From: inner.From + last + 1, To: inner.To})
	} else {
		c.put(accessNames.request, whole)
	}
	c.at = whole.To
	return c.blank()
}

func isStatus(text []byte) bool { return len(text) == 3 && ascii.LeadingDigits(text) == 3 }
