package code

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
)

// what must follow a word at the begin of a line to make it one of a program
type follows uint8

const (
	nothing follows = iota
	aName           // a name, and a sign of a declaration behind it
	aSign           // a sign of an expression anywhere, or only names
	aBlock          // the line ends with what begins a block
	aModule         // what is imported
)

// keywords are words that statements begin with in many languages.
var keywords = func() map[string]follows {
	m := make(map[string]follows)
	for what, words := range map[follows]string{
		aName: `func def fn fun sub class interface struct enum trait impl defmodule defp defmacro type protocol
			extension object const let var val my our static final public private protected internal override
			abstract virtual async export extern inline unsigned signed void int char bool double float string auto
			pub mut readonly declare volatile typedef template function record local int64 uint32 size_t String
			boolean long`,
		aSign: `return throw raise yield assert await delete new goto defer go echo print super this self expect it
			test describe`,
		aBlock: `if for while switch elif else elsif unless foreach match try catch except finally case when do select
			default begin rescue`,
		aModule: `import from package using use namespace require require_relative include module alias extern`,
	} {
		for word := range bytes.FieldsSeq([]byte(words)) {
			m[string(word)] = what
		}
	}
	return m
}()

// byKeyword judges a line by the word that it begins with.
func byKeyword(text []byte, isPart bool) int {
	const longestWord = 16
	text = bytes.TrimLeft(text, "} ")
	word := (lex.Letters | lex.Underscore | lex.Digits).Run(text, 0, longestWord+1)
	what := keywords[string(text[:word])]
	if what == nothing {
		return 0
	}
	rest := text[word:]
	if len(rest) == 0 || string(rest) == ";" {
		return min(1, int(what)-1)
	}
	last := rest[len(rest)-1]
	next := lex.Blank.Run(rest, 0, len(rest))
	isBare := (lex.Word | lex.Blank | lex.Dot | lex.Comma | lex.Colon | lex.Slash | lex.Dash | lex.Quote | lex.Punctuation |
		lex.Paren | lex.Backslash).Within(rest)
	hasSign := bytes.ContainsAny(rest, "(){}[];=<\"'`&")
	words := bytes.Count(bytes.TrimLeft(rest, " \t"), []byte{' '}) + 1
	switch what {
	case aName:
		name := (lex.Word | lex.Dot | lex.Colon | lex.Angle | lex.Dollar | lex.Punctuation).Run(rest, next, len(rest))
		isNamed := next > 0 && next < len(rest) &&
			(lex.Letters | lex.Underscore | lex.Dollar | lex.Punctuation | lex.Paren).Has(rest[next])
		if isNamed && (isPart && name == len(rest) && words == 1 || hasSign && !isEnvironment(rest[next:]) ||
			last == ':' || words == 1) {
			return 1
		}
	case aSign:
		if hasSign || words <= 2 {
			return 1
		}
	case aBlock:
		if last == '{' || last == ':' || bytes.HasSuffix(rest, []byte(" do")) ||
			hasSign && (last == ')' || isPart && rest[next] == '(') ||
			bytes.Contains(rest, []byte(" {")) {
			return 1
		}
	case aModule:
		if name := bytes.TrimLeft(rest, " "); isPart && next == 1 && (lex.Word | lex.Dot).Within(name) &&
			bytes.Count(name, []byte{'.'}) > 1 {
			return 2
		}
		isOfPython := bytes.Contains(rest, []byte(" import "))
		if next > 0 && isBare && !isPart && (isOfPython || string(text[:word]) != "from" &&
			(words == 1 || hasSign || last == ',' ||
				bytes.Contains(rest, []byte(" as ")))) {
			return 2
		}
	}
	return 0
}
