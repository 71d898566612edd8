package lineclass

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
)

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
	if _, rest, ok := CutPlace(text); ok {
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

// isCall reports whether all of a line is a call: log.Print("failed").
func isCall(text []byte) bool {
	name, _, found := bytes.Cut(text, []byte{'('})
	return found && text[len(text)-1] == ')' && len(name) > 0 && ascii.IsLetter(name[0]) &&
		bytes.IndexFunc(name, func(r rune) bool {
			return r >= 0x80 || !ascii.IsAlphanumeric(byte(r)) && r != '_' && r != '.' && r != ':'
		}) < 0
}

func beginsWithKeyword(text []byte) bool {
	word := text[:ascii.LeadingLetters(text)]
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
	for nameStart > 0 && (ascii.IsAlphanumeric(line[nameStart-1]) || line[nameStart-1] == '_') {
		nameStart--
	}
	nameEnd := end
	for nameEnd < len(line) && (ascii.IsAlphanumeric(line[nameEnd]) || line[nameEnd] == '_') {
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

// isHunkHeader reports whether a line is the header of a hunk of a diff, with the name of a
// function.
func isHunkHeader(text []byte) bool { return bytes.HasPrefix(text, []byte("@@ -")) }

// isSourceComment reports whether a line is a comment of source, or an include.
func isSourceComment(text []byte) bool {
	for _, sign := range [...]string{"//", "/*", "*/", "* @", "<!--", "#include", "#define", "#ifdef", "#error "} {
		if bytes.HasPrefix(text, []byte(sign)) {
			return true
		}
	}
	return false
}

// isCommentOfScript reports whether a line that is known to be source is a comment of a language that has them after
// other signs: shell and Python, SQL and Lua, Lisp and assemblers, TeX.
func isCommentOfScript(text []byte) bool {
	for _, sign := range [...]string{"#", "--", ";", "%"} {
		if bytes.HasPrefix(text, []byte(sign)) {
			return true
		}
	}
	return false
}

// cutNumber returns what a search has found in the only file, or in the file of a heading, after
// the number of the line: "495:    log.Error(x)". A line of another kind has one blank or none
// there, unless it is a comment.
func cutNumber(line []byte) (found []byte, ok bool) {
	n := ascii.LeadingDigits(line)
	if n == 0 || n == len(line) || line[n] != ':' && line[n] != '-' {
		return nil, false
	}
	found = line[n+1:]
	isIndented := len(found) > 1 && (found[0] == '\t' || found[0] == ' ' && ascii.IsBlank(found[1]))
	return found, isIndented || isSourceComment(found) || len(found) > 0 && found[0] == '#'
}

// isCommand reports whether a line is a command as a shell or a build tool prints it: after a
// prompt, or a program with an option. "--level error" names no error.
func isCommand(text []byte) bool {
	for _, prompt := range [...]string{"$ ", "% ", "+ ", "> ", "RUN ", "CMD ", "ENTRYPOINT "} {
		if rest, ok := bytes.CutPrefix(text, []byte(prompt)); ok {
			return len(rest) > 0 && (prompt[0] != '+' && prompt[0] != '>' || ascii.IsLetter(rest[0]) &&
				!ascii.IsUpper(rest[0]) || rest[0] == '/' || rest[0] == '.')
		}
	}
	program, rest, found := bytes.Cut(text, []byte{' '})
	if !found || len(program) == 0 || bytes.ContainsAny(program, ":=[](){},<>|\"'") || ascii.IsUpper(program[0]) ||
		IsErrorWord(program) {
		return false
	}
	if c := program[0]; !ascii.IsLetter(c) && c != '/' && c != '.' {
		return false
	}
	for range 3 { // an option among the first words
		var word []byte
		word, rest, _ = bytes.Cut(bytes.TrimLeft(rest, " "), []byte{' '})
		if isOption(word) {
			return true
		}
		if len(word) == 0 || word[len(word)-1] == ':' || IsErrorWord(word) || !ascii.IsLetter(word[0]) &&
			word[0] != '/' && word[0] != '.' {
			return false
		}
	}
	return false
}

// isOption reports whether a word is an option of a command: -x, --level, -Werror, --level=error.
func isOption(word []byte) bool {
	name := bytes.TrimLeft(word, "-")
	return len(name) < len(word) && len(name) > 0 && ascii.IsLetter(name[0]) && len(word)-len(name) <= 2 &&
		name[len(name)-1] != '-'
}

// isSubject reports whether a line is a commit with its subject, as "git log --oneline" and
// release notes have them: it begins with the hash of the commit, or ends with that or with the
// number of a request.
func isSubject(text []byte) bool {
	for len(text) > 0 && (ascii.IsBlank(text[0]) || bytes.IndexByte([]byte("*|\\/_"), text[0]) >= 0) {
		text = text[1:]
	}
	hash, rest, found := bytes.Cut(text, []byte{' '})
	if found && IsCommitHash(hash) {
		return len(levelOfText(rest)) == 0
	}
	if name, at, isStash := bytes.Cut(text, []byte("@{")); isStash && IsWord(name, "stash") &&
		ascii.LeadingDigits(at) > 0 {
		return true
	}
	open := bytes.LastIndexByte(text, '(')
	if open <= 0 || text[len(text)-1] != ')' || text[open-1] != ' ' {
		return false
	}
	of := text[open+1 : len(text)-1]
	number, isRequest := bytes.CutPrefix(of, []byte{'#'})
	return isRequest && len(number) > 0 && ascii.LeadingDigits(number) == len(number) || IsCommitHash(of)
}

// IsCommitHash reports whether a word is the hash of a commit, shortened or not: with letters and
// digits, so that it is no number.
func IsCommitHash(word []byte) bool {
	if len(word) < len("0000000") || len(word) > len("da39a3ee5e6b4b0d3255bfef95601890afd80709") {
		return false
	}
	digits := 0
	for _, c := range word {
		switch {
		case ascii.IsDigit(c):
			digits++
		case c < 'a' || c > 'f':
			return false
		}
	}
	return 0 < digits && digits < len(word)
}
