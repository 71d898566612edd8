package commands

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

const (
	maxCommand = 64 // of what a command line begins with
)

// Line is what is known of a command line that is an array of strings, as far as it
// tells how the program takes a password: ["docker","login","-p","x"]. It is empty unless a
// string before was the name of a program that does.
type Line struct {
	text [maxCommand + structure.MaxArgument + 2]byte
	size int // without the last argument
	flag int // with it, if that is a flag
}

// Add goes on after an argument.
func (c *Line) Add(argument []byte) {
	const begin = 8 // what is kept of an operand that is no command
	switch name := names.ProgramIn(argument); {
	case isProgram(name):
		c.size = copy(c.text[:], name)
	case c.size == 0:
		return
	case len(argument) == 0 || argument[0] == '-':
	case (lex.Letters | lex.Dash | lex.Underscore | lex.Colon).Within(argument) && c.size+1+len(argument) <= maxCommand:
		c.text[c.size] = ' '
		c.size += 1 + copy(c.text[c.size+1:], argument)
	case c.size+1+begin <= maxCommand:
		c.text[c.size], c.text[c.size+1] = ' ', 'x'
		if operand := argument[:min(len(argument), begin)]; (lex.NonSpace &^ lex.Quote).Within(operand) {
			c.size += 1 + copy(c.text[c.size+1:], operand)
		} else {
			c.size += 2
		}
	}
	c.flag = c.size
	if len(argument) > 1 && argument[0] == '-' && lex.NameOfKey.Within(argument) {
		c.text[c.size] = ' '
		c.flag += 1 + copy(c.text[c.size+1:], argument)
	}
}

// End forgets the command line.
func (c *Line) End() { c.size = 0 }

// IsOpen says whether an argument may follow.
func (c *Line) IsOpen() bool { return c.size > 0 }

// BeforeArgument returns what stands before the next argument: its last sign is a quote, since all
// of the argument is one word.
func (c *Line) BeforeArgument() []byte {
	end := c.flag
	end += copy(c.text[end:], ` "`)
	return c.text[:end]
}

// SecretIn returns where in an argument the secret is that form f finds on the command line with
// it.
func (c *Line) SecretIn(argument []byte, f names.Form, a *names.Around) (from, to int) {
	const longestFlag = 24
	before := c.BeforeArgument()
	text := append(append(make([]byte, 0, maxCommand+structure.MaxArgument+names.MaxValue), before...), argument...)
	w := names.Window{Text: text, End: true, Around: a}
	try := func(at, end int) bool {
		x := f.Find(w, at, end)
		if x.Verdict != names.Match || x.Start < len(before) {
			return false
		}
		from, to = x.Start-len(before), x.End-len(before)
		return true
	}
	for at, sign := range before { // behind the program and its commands, or a flag
		isLast := at+2 == len(before)
		if sign == ' ' && (try(0, at+1) || isLast && try(bytes.LastIndexByte(before[:at], ' ')+1, at+1)) {
			return from, to
		}
	}
	for size := 1; size <= min(len(argument), longestFlag); size++ { // glued to its flag
		if try(len(before), len(before)+size) {
			return from, to
		}
	}
	return 0, 0
}

// AppendCommand appends to dst what the next line goes on with if a command line does: its program,
// the commands of that, and what lets it go on. It appends nothing if the line names no program.
func AppendCommand(dst, line []byte) []byte {
	line = bytes.TrimRight(line, "\\`^\r")
	var c Line
	if len(line) == 0 {
		return dst
	}
	for word := range bytes.FieldsSeq(line[names.CommandStart(line, max(0, len(line)-names.MaxCommandLine),
		len(line)):]) {
		c.Add(bytes.Trim(word, `"'`))
	}
	if !c.IsOpen() {
		return dst
	}
	return append(append(dst, c.text[:c.flag]...), ` \`...)
}
