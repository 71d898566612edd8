package excerpt

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// A declaration is recognized by what languages have in common: words that declare, or a name with its arguments before
// a body. TestLanguages has a sample of each language.

// modifiers stand before the word that declares something.
var modifiers = wordSet("export default public private protected internal static final abstract async pub " +
	"unsafe override open sealed virtual inline extern data declare suspend partial readonly const mutating " +
	"fileprivate tailrec operator infix create CREATE or OR replace REPLACE temporary TEMPORARY unique UNIQUE")

// declarators are the words that declare something with a body.
var declarators = wordSet("func def class struct interface type fn impl trait enum module namespace function " +
	"fun protocol extension object record macro union actor sub " +
	"table TABLE view VIEW index INDEX procedure PROCEDURE trigger TRIGGER FUNCTION")

// statements are words that stand before parentheses and a body, and declare nothing.
var statements = wordSet("if for while switch catch else return do try with foreach synchronized using lock unless " +
	"finally until elif elsif when match guard select case await throw new then defer go loop")

// longestOfWords is more letters than any modifier or declarator has.
const longestOfWords = 16

// isDeclaration reports whether a line of source declares a function, a type or the like.
func isDeclaration(text []byte) bool {
	rest := text
	for range 5 {
		n := ascii.LeadingLetters(rest[:min(len(rest), longestOfWords)])
		word := rest[:n]
		if n == 0 || n == len(rest) || rest[n] != ' ' && rest[n] != '(' {
			break
		}
		if declarators[string(word)] {
			return opensBody(rest[n:])
		}
		if !modifiers[string(word)] {
			break
		}
		rest = bytes.TrimLeft(rest[n:], " ")
	}
	return text[len(text)-1] == '{' && (declaresFunction(text[:len(text)-1]) || isArrow(text))
}

// opensBody reports whether what follows the word that declares something is a name, and the line has a sign of a body
// or of arguments.
func opensBody(rest []byte) bool {
	return bytes.ContainsAny(rest, "({:=<") || rest[len(rest)-1] != '.' && bytes.Count(rest, []byte(" ")) == 1
}

// isArrow reports whether a line gives a function with a body a name: "const plant = async (n) => {".
func isArrow(text []byte) bool {
	return bytes.HasSuffix(text, []byte("=> {")) && bytes.Contains(text, []byte(" = ")) &&
		(bytes.HasPrefix(text, []byte("const ")) || bytes.HasPrefix(text, []byte("export const ")))
}

// declaresFunction reports whether a line, without the bracket that opens its body, is the head of a function without a
// word that declares it: a name with arguments, maybe types before it, and hardly more than types after it.
func declaresFunction(head []byte) bool {
	open := bytes.IndexByte(head, '(')
	end := bytes.LastIndexByte(head, ')')
	if open <= 0 || end < open || bytes.Count(head, []byte{'('}) != bytes.Count(head, []byte{')'}) {
		return false
	}
	before := head[:open]
	if byteClasses[before[len(before)-1]] == otherByte && before[len(before)-1] != '_' {
		return false
	}
	first := before[:ascii.LeadingLetters(before)]
	if len(first) == 0 && before[0] != '_' && before[0] != '~' || statements[string(first)] {
		return false
	}
	return isOfTypes(before) && isOfTypes(head[end+1:])
}

// isOfTypes reports whether a text has nothing but names and the signs that types have.
func isOfTypes(text []byte) bool {
	for _, c := range text {
		if byteClasses[c] == otherByte && bytes.IndexByte([]byte(" _:<>*&,?[]~-"), c) < 0 {
			return false
		}
	}
	return true
}
