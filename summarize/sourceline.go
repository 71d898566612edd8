package summarize

import "bytes"

// sourceKeywords are what lines of source begin with that end in a colon or a brace.
var sourceKeywords = [...]string{
	"if", "for", "while", "func", "def", "class", "const", "let", "var", "type", "try", "catch", "except", "else",
	"elif", "switch", "fn", "pub",
	"public", "private", "protected", "static", "async", "export", "impl", "match", "with", "struct", "enum",
	"interface", "function", "}",
}

// isSourceLine reports whether a line without the blanks around it looks like source: it ends as a
// statement or a block does, or has an operator of programs between blanks. The place that grep
// writes before a line may come first.
func isSourceLine(text []byte) bool {
	if _, rest, ok := cutPlace(text); ok {
		if text = bytes.TrimSpace(rest); len(text) == 0 {
			return false
		}
	}
	text = bytes.TrimLeft(text, "+- \t")
	if len(text) < 2 {
		return false
	}
	last := text[len(text)-1]
	switch {
	case bytes.HasSuffix(text, []byte(");")), bytes.HasSuffix(text, []byte("};")), bytes.HasSuffix(text,
		[]byte(") {")), bytes.HasSuffix(text, []byte("){")):
		return true
	case last == ';' && bytes.IndexByte([]byte("\"'_)]}"), text[len(text)-2]) >= 0:
		return true
	case (last == ':' || last == '{') && beginsWithKeyword(text):
		return true
	}
	for _, operator := range [...]string{" != ", " == ", " === ", " !== ", " := ", " && ", " || ", " => {",
		" = new ", " ??= "} {
		if bytes.Contains(text, []byte(operator)) {
			return true
		}
	}
	return false
}

func beginsWithKeyword(text []byte) bool {
	word := text[:leadingLetters(text)]
	if text[0] == '}' {
		return true
	}
	for _, keyword := range sourceKeywords {
		if string(word) == keyword {
			return true
		}
	}
	return false
}

// isInSource reports whether the error word at start is a part of an expression: the name of a
// method or a function that is called, or what is raised, caught or declared. "raise
// ValueError(x)", "log.error(x)", "return err".
func isInSource(line []byte, start, end int) bool {
	nameStart := start
	for nameStart > 0 && (isAlphanumeric(line[nameStart-1]) || line[nameStart-1] == '_') {
		nameStart--
	}
	nameEnd := end
	for nameEnd < len(line) && (isAlphanumeric(line[nameEnd]) || line[nameEnd] == '_') {
		nameEnd++
	}
	isCall := nameEnd < len(line) && line[nameEnd] == '('
	if isCall && nameStart > 0 && (line[nameStart-1] == '.' || line[nameStart-1] == '>' || line[nameStart-1] == ':') {
		return true
	}
	before := bytes.TrimRight(line[:nameStart], " (*&.")
	previous := before[bytes.LastIndexAny(before, " \t(.;{")+1:]
	for _, keyword := range [...]string{"raise", "throw", "throws", "rethrow", "catch", "except", "instanceof",
		"func", "def", "class", "fn", "extends", "implements"} {
		if string(previous) == keyword {
			return true
		}
	}
	if string(previous) == "new" && isCall {
		return true
	}
	name := line[nameStart:nameEnd]
	if string(name) != "err" && string(name) != "error" && string(name) != "e" {
		return false
	}
	next := bytes.TrimLeft(line[nameEnd:], " ")
	for _, sign := range [...]string{":= ", "!= ", "== ", ");", ") {", "; ", "?."} {
		if bytes.HasPrefix(next, []byte(sign)) {
			return true
		}
	}
	return string(previous) == "return" || string(previous) == "nil," || string(previous) == "_,"
}
