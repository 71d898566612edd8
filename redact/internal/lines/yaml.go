package lines

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// A marker in place of a plain scalar of YAML would be a list: password: [REDACTED:password]. It is
// put in quotes where a line reads as YAML and the marker is all of a scalar (YAML 1.2, 7.3.3).

// longestPrefix is how much of a line is read to see that a scalar begins after it, in bytes.
const longestPrefix = 256

// yamlLine is a line of text that may be of YAML.
type yamlLine struct {
	is     bool
	at     int  // where it begins in buf; negative once that is passed
	isRead bool // as far as the next tells
	isFlow bool // its value is a list or a map in brackets
}

// read reads the begin of the line, before it is passed or once so much of it was read.
func (l *yamlLine) read(b []byte) {
	if l.isRead {
		return
	}
	line := b[l.at:min(len(b), l.at+longestPrefix)]
	line = line[yamlIndent(line):]
	value := yamlValue(line)
	l.isRead = true
	l.isFlow = value >= 0 && value < len(line) && (line[value] == '[' || line[value] == '{')
}

// move goes on in a buffer that begins by bytes later.
func (l *yamlLine) move(b []byte, by int) {
	if l.is {
		l.read(b)
		l.at -= by
	}
}

// placeInYAML returns what text[start:end] is of a line of YAML, and where the scalar ends that it
// is, with the signs that a text ends a sentence with. It is undecided if what follows was not
// read.
func placeInYAML(w names.Window, l *yamlLine, start, end int, grows bool) (place names.YamlPlace, last int,
	decided bool) {
	const mostBlanks, mostSigns = 8, 4
	isStart, isFlow := false, false
	entry := 0
	switch {
	case start < l.at:
		return names.NoYAML, end, true
	case start-l.at > longestPrefix:
		if l.read(w.Text); !l.isFlow || !beginsFlowScalar(w.Text[max(0, start-longestPrefix):start]) {
			return names.NoYAML, end, true
		}
		isFlow = true
	default:
		prefix := w.Text[l.at:start]
		entry = yamlIndent(prefix)
		isStart = entry == len(prefix)
		value := yamlValue(prefix[entry:])
		isFlow = value >= 0 && entry+value < len(prefix) && strings.IndexByte("[{", prefix[entry+value]) >= 0 &&
			beginsFlowScalar(prefix)
		if !isStart && value < 0 || !isStart && !isFlow && len(bytes.TrimLeft(prefix[entry+value:], " ")) > 0 {
			return names.NoYAML, end, true
		}
	}
	if grows {
		if isStart && entry == 0 {
			return names.NoYAML, end, true
		}
		return names.YamlScalar, end, true
	}
	signs := end
	for signs < min(len(w.Text), end+mostSigns) && names.IsEndSign(w.Text[signs]) &&
		!(isFlow && strings.IndexByte(",]}", w.Text[signs]) >= 0) {
		signs++
	}
	next := lex.Blank.Run(w.Text, signs, mostBlanks)
	if w.Cut(next) || w.Cut(end+1) {
		return names.NoYAML, end, false
	}
	isLast := next == len(w.Text) || lex.Newline.Has(w.Text[next]) || w.Text[next] == '#' && next > signs
	isAfterColon := bytes.HasSuffix(bytes.TrimRight(w.Text[max(0, start-mostBlanks):start], " "), []byte{':'})
	switch {
	case (isStart || isFlow && !isAfterColon) && end < len(w.Text) && w.Text[end] == ':' &&
		(end+1 == len(w.Text) || lex.Whitespace.Has(w.Text[end+1])):
		return names.YamlKey, end, true
	case isFlow && next < len(w.Text) && bytes.IndexByte([]byte(",]}"), w.Text[next]) >= 0:
		return names.YamlScalar, signs, true
	case isLast && !isFlow && !(isStart && bytes.IndexByte(w.Text[l.at:start], '-') < 0):
		return names.YamlScalar, signs, true
	}
	return names.NoYAML, end, true
}

// yamlIndent returns the end of the blanks and of the dashes of lists that a line of YAML begins
// with.
func yamlIndent(line []byte) int {
	i := lex.Blank.Run(line, 0, len(line))
	for i+1 < len(line) && line[i] == '-' && line[i+1] == ' ' {
		i = lex.Blank.Run(line, i+1, len(line))
	}
	return i
}

// yamlValue returns where the value begins of the key that b begins with, after its tag or anchor,
// or
// -1 if there is none.
func yamlValue(b []byte) int {
	i := 0
	if len(b) > 0 && b[0] != '[' && b[0] != '{' {
		if lex.Quote.Has(b[0]) {
			end := bytes.IndexByte(b[1:], b[0])
			if end < 0 {
				return -1
			}
			i = end + 2
		} else {
			i = (lex.NonSpace &^ (lex.Quote | lex.Colon | lex.Comma | lex.Angle | lex.Paren)).Run(b, 0, len(b))
		}
		if i == 0 || i+1 >= len(b) || b[i] != ':' || b[i+1] != ' ' {
			return -1
		}
		i = lex.Blank.Run(b, i+1, len(b))
	}
	for i < len(b) && (b[i] == '!' || b[i] == '&') { // a tag, an anchor
		i = lex.Blank.Run(b, lex.NonSpace.Run(b, i, len(b)), len(b))
	}
	return i
}

// beginsFlowScalar reports whether a scalar of a list or a map in brackets may begin after b.
func beginsFlowScalar(b []byte) bool {
	last := bytes.TrimRight(b, " ")
	if len(last) == 0 {
		return false
	}
	c := last[len(last)-1]
	return c == '[' || c == '{' || c == ',' || c == ':' && len(last) < len(b)
}

// PlaceMatches sets what x and the other matches that its anchor shows are of a line of YAML; false
// means that what follows has to be read for that.
func (l *State) PlaceMatches(w names.Window, x *names.Finding) bool {
	for i := range l.around.More {
		s := &l.around.More[i]
		place, end, decided := placeInYAML(w, &l.yaml, s.Start, s.End, false)
		if !decided {
			return false
		}
		s.End = end
		*s = s.Placed(place)
	}
	switch x.Verdict {
	case names.Match, names.Shortened, names.OpenEnded:
		var decided bool
		x.Place, x.End, decided = placeInYAML(w, &l.yaml, x.Start, x.End, x.Verdict == names.OpenEnded)
		return decided
	}
	return true
}
