package redact

import "bytes"

// A marker in place of a plain scalar of YAML would be a list: password: [REDACTED:password]. It is put
// in quotes where a line reads as YAML and the marker is all of a scalar (YAML 1.2, 7.3.3).

// longestPrefix is how much of a line is read to see that a scalar begins after it, in bytes.
const longestPrefix = 256

// yamlPlace is what a marker would be of a line of YAML.
type yamlPlace uint8

const (
	noYAML     yamlPlace = iota // the line does not read as YAML before it, or the marker is part of a scalar
	yamlScalar                  // a value, an entry of a list
	yamlKey                     // a key
)

// yamlPlace returns what text[start:end] is of the line of YAML that begins at line. It is undecided
// if what follows was not read.
func (w window) yamlPlace(line, start, end int, grows bool) (place yamlPlace, decided bool) {
	const mostBlanks = 8
	if line < 0 || start < line || start-line > longestPrefix {
		return noYAML, true
	}
	prefix := w.text[line:start]
	entry := yamlIndent(prefix)
	value, isFlow := yamlValue(prefix[entry:])
	isStart := entry == len(prefix)
	if !isStart && value < 0 || !isStart && !isFlow && len(bytes.TrimLeft(prefix[entry+value:], " ")) > 0 {
		return noYAML, true
	}
	if grows {
		if isStart && entry == 0 {
			return noYAML, true
		}
		return yamlScalar, true
	}
	next := blank.run(w.text, end, mostBlanks)
	if w.cut(next) || isStart && w.cut(end+1) {
		return noYAML, false
	}
	isLast := next == len(w.text) || newline.has(w.text[next]) || w.text[next] == '#' && next > end
	switch {
	case isStart && end < len(w.text) && w.text[end] == ':' && (end+1 == len(w.text) || whitespace.has(w.text[end+1])):
		return yamlKey, true
	case isFlow && next < len(w.text) && bytes.IndexByte([]byte(",]}"), w.text[next]) >= 0:
		return yamlScalar, true
	case isLast && !isFlow && !(isStart && bytes.IndexByte(prefix, '-') < 0):
		return yamlScalar, true
	}
	return noYAML, true
}

// yamlIndent returns the end of the blanks and of the dashes of lists that a line of YAML begins with.
func yamlIndent(line []byte) int {
	i := blank.run(line, 0, len(line))
	for i+1 < len(line) && line[i] == '-' && line[i+1] == ' ' {
		i = blank.run(line, i+1, len(line))
	}
	return i
}

// yamlValue returns where the value begins of the key that b begins with, after its tag or anchor, or
// -1 if there is none. isFlow reports that it begins a list or a map in brackets, and that b ends where
// a scalar of it may begin.
func yamlValue(b []byte) (value int, isFlow bool) {
	i := 0
	if len(b) > 0 && b[0] != '[' && b[0] != '{' {
		if quote.has(b[0]) {
			end := bytes.IndexByte(b[1:], b[0])
			if end < 0 {
				return -1, false
			}
			i = end + 2
		} else {
			i = (nameOfKey | slash).run(b, 0, len(b))
		}
		if i == 0 || i+1 >= len(b) || b[i] != ':' || b[i+1] != ' ' {
			return -1, false
		}
		i = blank.run(b, i+1, len(b))
	}
	for i < len(b) && (b[i] == '!' || b[i] == '&') { // a tag, an anchor
		i = blank.run(b, nonSpace.run(b, i, len(b)), len(b))
	}
	if i == len(b) || b[i] != '[' && b[i] != '{' {
		return i, false
	}
	last := bytes.TrimRight(b, " ")
	c := last[len(last)-1]
	return i, c == '[' || c == '{' || c == ',' || c == ':' && len(last) < len(b)
}
