package redact

import "bytes"

const (
	maxArgument = 32 // what of an argument is kept
	maxCommand  = 64 // of what a command line begins with
)

// appendEnd appends the end of an argument to dst.
func appendEnd(dst, argument []byte) []byte {
	return append(dst, argument[max(0, len(argument)-maxArgument):]...)
}

// commandLine is what is known of a command line that is an array of strings, as far as it
// tells how the program takes a password: ["docker","login","-p","x"]. It is empty unless a
// string before was the name of a program that does.
type commandLine struct {
	text [maxCommand + maxArgument + 2]byte
	size int // without the last argument
	flag int // with it, if that is a flag
}

// add goes on after an argument.
func (c *commandLine) add(argument []byte) {
	switch {
	case isProgram(argument[bytes.LastIndexByte(argument, '/')+1:]):
		c.size = copy(c.text[:], argument[bytes.LastIndexByte(argument, '/')+1:])
	case c.size == 0:
		return
	case letters.within(argument) && len(argument) > 0 && c.size+1+len(argument) <= maxCommand:
		c.text[c.size] = ' '
		c.size += 1 + copy(c.text[c.size+1:], argument)
	}
	c.flag = c.size
	if len(argument) > 1 && argument[0] == '-' && nameOfKey.within(argument) {
		c.text[c.size] = ' '
		c.flag += 1 + copy(c.text[c.size+1:], argument)
	}
}

// isOpen says whether an argument may follow.
func (c *commandLine) isOpen() bool { return c.size > 0 }

// beforeArgument returns what stands before the next argument: after a flag, that is a quote,
// since all of the argument is its value.
func (c *commandLine) beforeArgument() []byte {
	end := c.flag
	c.text[end] = ' '
	end++
	if c.flag > c.size {
		c.text[end] = '"'
		end++
	}
	return c.text[:end]
}

// isProgram says whether name is that of a program that takes a password as one of its arguments.
func isProgram(name []byte) bool {
	for i := range usages {
		if usages[i].program == string(name) {
			return true
		}
	}
	return string(name) == "curl" || string(name) == "sqlplus"
}

// programName is the form of the name of such a program. It finds nothing: what matters is
// where the name stands.
type programName struct{}

func (programName) find(window, int, int) finding { return finding{} }

// excludes implements excluder: as an argument it is all of its string.
func (programName) excludes(b []byte, _, to int) bool { return to < len(b) && b[to] != '"' }

func (programName) anchors() []string {
	all := []string{"curl", "sqlplus"}
	for i := range usages {
		all = append(all, usages[i].program)
	}
	return all
}

// isArgumentOf says whether the string line[start:end] is of an array, and names such a program.
func isArgumentOf(line []byte, start, end int) bool {
	before := bytes.TrimRight(line[:start-1], " \t\r\n")
	isElement := len(before) == 0 || before[len(before)-1] == '[' || before[len(before)-1] == ','
	name := line[start:end]
	return isElement && isProgram(name[bytes.LastIndexByte(name, '/')+1:])
}
