package redact

import (
	"bytes"
	"strings"
)

// cleanLines returns the length of the whole lines at the start of src that
// hold nothing to redact and nothing that would have to be decoded to see. They
// need not be taken apart.
func (f *filter) cleanLines(src []byte) int {
	n := 0
	for n < f.outLimit/2 {
		end := bytes.IndexByte(src[n:], '\n')
		if end < 0 || !f.isClean(src[n:n+end]) {
			break
		}
		n += end + 1
	}
	return n
}

func (f *filter) isClean(line []byte) bool {
	isJSON := f.format == JSON || isRecord(line)
	if isJSON && (bytes.IndexByte(line, '\\') >= 0 || bytes.Count(line, []byte{'"'})%2 != 0) {
		return false
	}
	if !isJSON && holdsEscape(line) {
		return false
	}
	a := f.rules.automaton
	at, state := 0, uint16(0)
	checked := !isJSON
	for at < len(line) {
		var n int
		n, state = a.scan(state, line[at:])
		at += n
		if state < a.hit {
			break
		}
		for _, e := range a.endings[state-a.hit] {
			r := &f.rules.catalogue[e.rule]
			if t, ok := r.form.(*token); ok && !t.spelled(line[at-e.length:at]) {
				continue
			}
			if !checked && !isTokens(line) {
				return false
			}
			checked = true
			if !f.isHarmless(r, line, at-e.length, at, isJSON) {
				return false
			}
		}
	}
	return true
}

// isTokens says whether a line without escapes is a sequence of JSON's tokens.
func isTokens(line []byte) bool {
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == '"':
			end := bytes.IndexByte(line[i+1:], '"')
			if end < 0 {
				return false
			}
			i += end + 2
		case whitespace.has(c), strings.IndexByte(",:[]{}", c) >= 0:
			i++
		default:
			end := i
			for end < len(line) && (alnum | dash | plus | dot).has(line[end]) {
				end++
			}
			if end < len(line) && !endsToken(line[end]) || !isLiteral(line[i:end]) && !isNumber(line[i:end]) {
				return false
			}
			i = end
		}
	}
	return true
}

// isHarmless says whether the rule finds nothing at its anchor in line[at:to],
// which in JSON stands in a string without escapes.
func (f *filter) isHarmless(r *rule, line []byte, at, to int, isJSON bool) bool {
	if isJSON {
		end := to + bytes.IndexByte(line[to:], '"')
		if end < to || bytes.Count(line[:at], []byte{'"'})%2 == 0 || bytes.IndexByte(line[at:to], '"') >= 0 {
			return false // not in a string
		}
		start := bytes.LastIndexByte(line[:at], '"') + 1
		if r.isNamed {
			after := whitespace.run(line, end+1, len(line))
			isKey := after == len(line) || strings.IndexByte(",}]", line[after]) < 0 // if only of a broken line
			if isKey && f.rules.names.of(line[max(start, end-maxName):end]) != nil {
				return false
			}
		}
		line, at, to = line[start:end], at-start, to-start
	}
	return r.form.find(window{line, true, f.rules.markers}, at, to).verdict == noMatch
}

// isRecord says whether a line is JSON, as lineStart does.
func isRecord(line []byte) bool {
	for {
		line = line[blank.run(line, 0, len(line)):]
		if rest, ok := bytes.CutPrefix(line, []byte(byteOrderMark)); ok {
			line = rest
			continue
		}
		return len(line) > 0 && line[0] == '{'
	}
}
