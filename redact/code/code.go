package code

import (
	"bytes"

	"github.com/kfw-dev/kfw/redact/lex"
)

const (
	// Look is how many bytes before a line tell what kind of text it is in. A larger one sees more
	// of a file with long comments, and is slower to leave one kind for another.
	Look = lex.LookBehind - 24
	// enough is how many votes make a text a program.
	enough = 2
	// longest is how much of a line is looked at, in bytes.
	longest = 160
)

// Is reports whether a text is of a program, given the end of the lines before, which may begin
// within one, and the current line up to where it was read.
func Is(before, line []byte) bool {
	return Votes(before)+vote(line, true) >= enough
}

// Votes returns how much speaks for a program in the last lines of b, less what speaks against it.
func Votes(b []byte) (n int) {
	const most = 4 // of either side, so that a text of another kind is soon seen
	b = b[max(0, len(b)-Look):]
	for line := range bytes.Lines(b) {
		n = min(most, max(-most, n+vote(bytes.TrimRight(line, "\r\n"), false)))
	}
	return n
}

// vote returns 1 or more for a line of a program, and less than 0 for one of another kind of text.
// A part of a line has no end to tell by.
func vote(line []byte, isPart bool) int {
	line = line[lex.PrefixEnd(line):]
	text := bytes.TrimLeft(line, " \t")
	indent := line[:len(line)-len(text)]
	if text = bytes.TrimRight(text[:min(len(text), longest)], " \t"); len(text) == 0 {
		return 0
	}
	if n, isKnown := byFirstSign(text, indent); isKnown {
		return n
	}
	if isEnvironment(text) {
		return -2
	}
	if n := byKeyword(text, isPart); n != 0 {
		return n
	}
	if n := byOperator(text); n != 0 {
		return n
	}
	if isPart {
		return 0
	}
	return byEnd(text)
}

// byFirstSign judges a line by the sign that it begins with.
func byFirstSign(text, indent []byte) (n int, isKnown bool) {
	second := byte(' ')
	if len(text) > 1 {
		second = text[1]
	}
	switch c := text[0]; {
	case c == '/' && (second == '/' || second == '*'):
		return 1, true
	case c == '*' && isInComment(indent) && (second == ' ' || second == '/' || second == '*'):
		return 1, true
	case c == '<' && second == '?':
		return 1, true
	case c == '#' && isDirective(text[1:]):
		return 2, true
	case c == '#':
		return 0, true
	case c == '@' && lex.Letters.Has(second):
		name := (lex.Word | lex.Dot).Run(text, 1, len(text))
		if name == len(text) || text[name] == '(' {
			return 1, true
		}
	case c == '"' && second == ' ' && bytes.Count(text, []byte{'"'})%2 == 1: // a comment of Vim
		return 1, true
	case bytes.HasPrefix(text, []byte(`"""`)), bytes.HasPrefix(text, []byte("```")):
		return 0, true
	case lex.Digits.Has(c) && isTime(text):
		return -2, true
	case c == '[' && (lex.Digits.Has(second) || lex.Upper.Has(second) || lex.HexUpper.Has(second)):
		return -1, true
	case c == '$' && second == ' ', c == '%' && second == ' ':
		return -1, true
	case bytes.IndexByte([]byte(")}]"), c) >= 0:
		rest := bytes.TrimLeft(text, ")}]")
		switch {
		case len(rest) == 0 && c != ')' && bytes.IndexByte(text, ')') < 0, string(rest) == ",":
			return 0, true
		case len(rest) == 0, string(rest) == ";":
			return 1, true
		}
	}
	return 0, false
}

// isInComment reports whether an asterisk after such blanks goes on with a comment of C: it stands one
// column to the right of an indentation.
func isInComment(indent []byte) bool {
	spaces := len(indent) - 1 - bytes.LastIndexByte(indent, '\t')
	return spaces%2 == 1
}

// isDirective reports whether what follows a # makes the line a directive of C's preprocessor, an
// attribute of Rust, or the name of an interpreter that is no shell.
func isDirective(b []byte) bool {
	if len(b) > 1 && b[0] == '!' {
		return b[1] == '[' || !bytes.HasSuffix(b, []byte("sh")) && bytes.Contains(b, []byte("bin/"))
	}
	word := (lex.Lower | lex.HexLower).Run(b, lex.Blank.Run(b, 0, 8), 8)
	switch string(bytes.TrimLeft(b[:word], " \t")) {
	case "include", "define", "ifdef", "ifndef", "endif", "pragma", "undef":
		return true
	}
	return len(b) > 0 && b[0] == '['
}

// isTime reports whether a line begins with a date or a time, as those of a log do.
func isTime(text []byte) bool {
	end := lex.Digits.Run(text, 0, 5)
	return end+2 < len(text) && (text[end] == '-' || text[end] == ':' || text[end] == '/') && lex.Digits.Has(text[end+1]) &&
		lex.Digits.Has(text[end+2])
}

// isEnvironment reports whether a line assigns to a variable of the environment: NAME=value, with
// nothing between.
func isEnvironment(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("export "))
	end := lex.Word.Run(text, 0, longest)
	return end > 0 && end < len(text) && text[end] == '=' && (end+1 == len(text) || text[end+1] != '=' &&
		!lex.Whitespace.Has(text[end+1])) && text[len(text)-1] != ';' && text[len(text)-1] != ',' && !bytes.Contains(text, []byte("=>"))
}

// byOperator judges a line by a sign between two words that only programs have, or a call.
func byOperator(text []byte) int {
	for _, sign := range []string{" := ", " === ", " !== ", ") => ", ") -> ", " |> ", " += ", " != nil"} {
		if bytes.Contains(text, []byte(sign)) {
			return 1
		}
	}
	for _, sign := range []string{"->", "::", " = new "} {
		if i := bytes.Index(text, []byte(sign)); i > 0 && i+len(sign) < len(text) &&
			lex.Letters.Has(text[i+len(sign)]) && (lex.Word.Has(text[i-1]) || text[i-1] == ')') {
			return 1
		}
	}
	const name = lex.Word | lex.Dot | lex.Dollar
	if _, value, isSet := bytes.Cut(text, []byte(" = ")); isSet {
		end := name.Run(value, 0, longest)
		if end > 0 && end < len(value) && (value[end] == '(' || value[end] == '<' || value[end] == '{') {
			return 2
		}
	}
	return 0
}

// byEnd judges a line by its end.
func byEnd(text []byte) int {
	last := text[len(text)-1]
	hasCall := bytes.IndexByte(text, '(') > 0
	switch {
	case last == '{' && isBlockOfHCL(text):
		return -2
	case last == ';' && isStatementOfSQL(text):
		return -1
	case last == ';' && (hasCall || bytes.Contains(text, []byte(" = ")) || bytes.Contains(text, []byte(`="`))):
		return 1
	case last == '{' && hasCall, last == '(' && len(text) > 1 && lex.Word.Has(text[len(text)-2]):
		return 1
	case last == ')' || bytes.HasSuffix(text, []byte("),")):
		// a call
		end := (lex.Word | lex.Dot).Run(text, 0, longest)
		if end > 0 && end < len(text)-3 && text[end] == '(' {
			return 1
		}
		return 0
	case isMember(text):
		return -1
	case isSentence(text):
		return -1
	}
	return 0
}

// isBlockOfHCL reports whether a line begins a block of HCL, as in resource "a" "b" {.
func isBlockOfHCL(text []byte) bool {
	word := lex.Word.Run(text, 0, longest)
	labels := bytes.TrimSpace(text[word : len(text)-1])
	return word > 0 && len(labels) > 2 && labels[0] == '"' && labels[len(labels)-1] == '"' && text[word] == ' ' &&
		bytes.IndexAny(labels, "(=,:") < 0
}

// isStatementOfSQL reports whether a line begins with a verb of SQL.
func isStatementOfSQL(text []byte) bool {
	word := lex.Letters.Run(text, 0, 8)
	for _, verb := range []string{"insert", "update", "select", "create", "delete", "values", "set", "alter", "copy"} {
		if lex.EqualFold(text[:word], verb) {
			return true
		}
	}
	return false
}

// isMember reports whether a line is a member of a map of YAML, or a header: a name, a colon, a blank
// and a value, or nothing.
func isMember(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("- "))
	end := lex.NameOfKey.Run(text, 0, longest)
	return end > 0 && end+1 < len(text) && text[end] == ':' && text[end+1] == ' ' &&
		bytes.IndexByte([]byte(",({"), text[len(text)-1]) < 0
}

// isSentence reports whether a line is of prose: words, of which the first has a capital.
func isSentence(text []byte) bool {
	const least = 5
	return (lex.Upper | lex.HexUpper).Has(text[0]) && bytes.Count(text, []byte{' '}) >= least &&
		bytes.IndexAny(text, "(){};=") < 0
}

// IsComment reports whether a line, given up to a place, is a comment of a program there.
func IsComment(line []byte) bool {
	line = line[lex.PrefixEnd(line):]
	text := bytes.TrimLeft(line, " \t")
	return len(text) > 0 && (text[0] == '#' || text[0] == '*' && isInComment(line[:len(line)-len(text)])) ||
		bytes.HasPrefix(text, []byte("//")) || bytes.HasPrefix(text, []byte("/*"))
}
