// Package redact takes secrets and personal data out of a stream of JSON, of
// text, or of both, in constant memory and however the stream is cut.
//
// String redacts a string with all rules, NewReader a stream, and Rules.Value a value; Compile chooses the rules.
//
// The way of a byte, from the outside in:
//
//	rules.go       Rules: what is compiled from Options, and redacts single values
//	fieldpaths.go  the paths of fields that are allowed to keep what is found
//	reader.go      Reader: buffers, sticky errors, the format
//	clean.go       the fast path: when to look for whole lines that hold nothing
//	lexer.go       JSON as a sequence of tokens: what is a key, a string, a broken line
//	token.go       numbers, words, escapes, and the end of a key
//	swallow.go     the value of a sensitive key, which is dropped as a whole
//	heldpair.go    the values that come before what names them: that of a pair, the numbers of a key
//	text.go        Text: one decoded text; finds matches, holds back what may still become one
//	recent.go      the lines before the current one, which tell whether it is of a program
//	stage.go       what is written in another way than it reads, and what is packed
//	known.go       names that were read before, and are not read again
//	pause.go       what is passed on where a sentence ends
//	nested.go      JSON in a string, or in a line of text
//	commandline.go command lines that are known to be some, as kfw stores and shows them
//	public.go      names of the packages below that are public here
//
// Below it: lex and decode read signs and escapes, prefilter finds the anchors of all rules in one
// pass, code tells whether lines are of a program, candidate what looks like a secret, names tells which names are
// sensitive, detect has the forms of the rules, structure carries a name through brackets, commands follows command
// lines that are lists, gitleaks reads files of rules, catalogue has the rules and compiles them, match keeps what was
// found in a text, lines finds values whose name stands on another line, marker writes what stands in its place,
// fieldpath follows the names of a record, selection drops the fields of a record that were not asked for, clean finds
// whole lines that hold nothing, report tells what was found in the order of the input.
//
// Four things hold for all of it. What is a match is a function of the text alone, never of the
// cuts. A rule is asked only where one of its anchors stands, and looks at a bounded stretch around
// it. A match that grows past that stretch is swallowed by state. And no error or message quotes
// the input.
package redact
