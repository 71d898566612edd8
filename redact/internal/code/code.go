package code

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
)

const (
	// Look is how many bytes before a line tell what kind of text it is in. A larger one sees more
	// of a file with long comments, and is slower to leave one kind for another.
	Look = lex.LookBehind - 24
	// enough is how many votes make a text a program, and settled is when no more lines are asked.
	enough, settled = 2, 4
	// longest is how much of a line is looked at, in bytes.
	longest = 160
)

// What the votes of a line must be at least, for a verdict that fails closed and for one that does not.
const (
	Itself = 1 // it has what only programs have: settings and data may follow a program in one output
	Among  = 0 // it is of no other kind of text
)

// Context are the lines before the current one.
type Context interface {
	Votes() int           // what Votes returns of them
	Block(indent int) int // what Block returns of them
}

// Before are lines that are read each time that they are asked for. They may begin within one.
type Before []byte

// Votes implements Lines.
func (b *Before) Votes() int { return Votes(*b) }

// Block implements Lines.
func (b *Before) Block(indent int) int { return Block(*b, indent) }

// Is reports whether a line belongs to a program: it does if there are enough votes, and as many of its own as least
// says. A line without any has those of the block that it stands in. before is asked only if the line does not decide;
// line is the current line up to where it was read.
func Is(before Context, line []byte, least int) bool {
	n := vote(line, true)
	if n == 0 && least > 0 {
		n = before.Block(indentOf(line))
	}
	return n >= least && n+before.Votes() >= enough
}

// Block returns the vote of the line that begins the block in which a line indented by so many characters stands, after
// the lines in b: the nearest that is indented less and is for one kind of text. It is 0 if the line goes back to an
// indentation that no line of a block has. Of a part of a block, where all lines are indented, it is the vote of the
// nearest that is indented as much.
func Block(b []byte, indent int) int {
	beside := 0
	isDeeper, isLevel := false, false // of the lines so far: one had more, and before that none as much
	isHead := false                   // the next line is before a brace
	for b = b[max(0, len(b)-Look):]; len(b) > 0 && indent > 0; {
		b = bytes.TrimRight(b, "\r\n")
		last := bytes.LastIndexByte(b, '\n') + 1
		line := b[last:]
		b = b[:last]
		width := indentOf(line)
		switch {
		case len(bytes.TrimSpace(line[lex.PrefixEnd(line):])) == 0:
		case isHead && (width+1 != indent || bytes.HasSuffix(line, []byte{';'})):
			return 0
		case width > indent:
			isDeeper = isDeeper || !isLevel
		case width == indent:
			if isDeeper, isLevel = false, true; beside == 0 {
				beside = vote(line, false)
			}
		case isDeeper:
			return 0
		default:
			if n := vote(line, false); n != 0 {
				return n
			}
			indent, isLevel, beside = width, true, 0
			if isHead = isBrace(line); isHead {
				indent++
			}
		}
	}
	if indent > 0 && !isDeeper {
		return beside
	}
	return 0
}

// isBrace reports whether a line has a brace that opens a block, and nothing else.
func isBrace(line []byte) bool { return string(bytes.TrimSpace(line[lex.PrefixEnd(line):])) == "{" }

// indentOf returns how many characters a line is indented, behind what a program put before it.
func indentOf(line []byte) int {
	line = line[lex.PrefixEnd(line):]
	return lex.Blank.Run(line, 0, longest)
}

// Votes returns how much speaks for a program in the last lines of b, less what speaks against it. The
// nearest lines are asked first, until it is clear.
func Votes(b []byte) (n int) {
	for b = b[max(0, len(b)-Look):]; len(b) > 0 && n < settled && n > -settled; {
		b = bytes.TrimRight(b, "\r\n")
		last := bytes.LastIndexByte(b, '\n') + 1
		n += vote(b[last:], false)
		b = b[:last]
	}
	return n
}

// vote returns 1 or more for a line of a program, and less than 0 for one of another kind of text.
// A part of a line has no end to tell by.
func vote(line []byte, isPart bool) int {
	if isTime(line) || isDate(line) { // as of most logs
		return -2
	}
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
	if isDeclaration(text) {
		return 1
	}
	switch {
	case !isPart:
		return byEnd(text)
	case isMember(text) && !bytes.ContainsAny(text, "\"'`("):
		return -1
	}
	return 0
}

// isDeclaration reports whether a line begins with the name of a type, of several words or with parameters, and a name
// that is given a value: AccessToken accessToken = ...
func isDeclaration(text []byte) bool {
	const capitals, small = lex.Upper | lex.HexUpper, lex.Lower | lex.HexLower
	if !capitals.Has(text[0]) {
		return false
	}
	end := lex.Word.Run(text, 0, longest)
	words := 0
	for i := 1; i < end; i++ {
		if capitals.Has(text[i]) && !capitals.Has(text[i-1]) {
			words++
		}
	}
	if words == 0 {
		return false
	}
	if end < len(text) && text[end] == '<' {
		size := bytes.LastIndexByte(text, '>')
		if size < end {
			return false
		}
		end = size + 1
	}
	name := lex.Word.Run(text, min(end+1, len(text)), longest)
	return end+1 < name && text[end] == ' ' && small.Has(text[end+1]) && bytes.HasPrefix(text[name:], []byte(" ="))
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
	case lex.Digits.Has(c) && isTime(text), isDate(text):
		return -2, true
	case c == '[' && lex.Upper.Has(second) && text[min(len(text)-1, lex.Word.Run(text, 1, longest))] == '(': // of C#
		return 1, true
	case c == '[' && (lex.Digits.Has(second) || lex.Upper.Has(second) || lex.HexUpper.Has(second)):
		return -1, true
	case c == '$' && second == ' ', c == '%' && second == ' ':
		return -1, true
	case c == '=' && len(text) > 1 && text[len(text)-1] == '=': // a heading: === Data ===
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
	return end > 0 && end+2 < len(text) && (text[end] == '-' || text[end] == ':' || text[end] == '/') &&
		lex.Digits.Has(text[end+1]) && lex.Digits.Has(text[end+2])
}

// isDate reports whether a line begins with a month and a day, as those of syslog do.
func isDate(text []byte) bool {
	const month = len("Nov")
	return len(text) > month+2 && (lex.Upper | lex.HexUpper).Has(text[0]) && text[month] == ' ' &&
		(lex.Digits | lex.Blank).Has(text[month+1]) && lex.Digits.Has(text[month+2]) &&
		bytes.Contains([]byte("JanFebMarAprMayJunJulAugSepOctNovDec"), text[:month])
}

// isEnvironment reports whether a line assigns to a variable of the environment: NAME=value, with
// nothing between.
func isEnvironment(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("export "))
	end := lex.Word.Run(text, 0, longest)
	return end > 0 && end < len(text) && text[end] == '=' && (end+1 == len(text) || text[end+1] != '=' &&
		!lex.Whitespace.Has(text[end+1])) && text[len(text)-1] != ';' && text[len(text)-1] != ',' &&
		!bytes.Contains(text, []byte("=>"))
}

// byOperator judges a line by a sign between two words that only programs have, or a call.
func byOperator(text []byte) int {
	for at := 1; at < len(text); at++ {
		size := bytes.IndexByte(text[at:], '=')
		if size < 0 {
			break
		}
		if at += size; at+2 > len(text) {
			break
		}
		before, after := text[at-1], text[at+1]
		switch {
		case before == ':' && after == ' ', (before == '!' || before == '+') && after == ' ',
			before == '!' && after == '=':
			return 1
		case after == '=' && at+2 < len(text) && text[at+2] == '=',
			after == '>' && bytes.HasSuffix(text[:at], []byte(") ")):
			return 1
		case before == ' ' && after == ' ':
			if n := byValue(text[at+2:]); n > 0 {
				return n
			}
		}
	}
	for at := 1; at < len(text); at++ {
		size := bytes.IndexByte(text[at:], '>')
		if size < 0 {
			break
		}
		if at += size; at+1 < len(text) && (text[at-1] == '-' && joinsNames(text, at-1, at+1) ||
			text[at-1] == '-' && bytes.HasSuffix(text[:at-1], []byte(") ")) || text[at-1] == '|' && text[at+1] == ' ') {
			return 1
		}
	}
	if at := bytes.Index(text, []byte("::")); at > 0 && joinsNames(text, at, at+2) {
		return 1
	}
	return 0
}

// joinsNames reports whether a sign stands between a name, or a call, and another.
func joinsNames(text []byte, from, to int) bool {
	return from > 0 && to < len(text) && lex.Letters.Has(text[to]) &&
		(lex.Word.Has(text[from-1]) || text[from-1] == ')')
}

// byValue judges what a line assigns: a call or a new object.
func byValue(value []byte) int {
	const name = lex.Word | lex.Dot | lex.Dollar
	end := name.Run(value, 0, longest)
	switch {
	case end == 0 || end == len(value):
		return 0
	case value[end] == '(' || value[end] == '<' || value[end] == '{':
		return 2
	case string(value[:end]) == "new" && value[end] == ' ':
		return 1
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
		!bytes.ContainsAny(labels, "(=,:")
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
		!bytes.ContainsAny(text, "(){};=")
}
