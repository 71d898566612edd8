package hosts

import (
	"path/filepath"
	"strings"
)

// isOwn reports whether all that a shell command says was on the ledger when it was said: it is one kfw expand, and the
// program is this very one, or its output goes through kfw hook.
func (d *Door) isOwn(e *Event) bool {
	if program, isExpand := expandOf(e.Command); isExpand && d.IsSelf != nil && d.IsSelf(program) {
		return true
	}
	return isPiped(e.Command) && strings.Contains(e.Command, " | "+d.pipe(e)+" >")
}

// expandOf returns the program of a shell command that is one kfw expand by its name and nothing else: no second
// command, no substitution.
func expandOf(command string) (program string, isExpand bool) {
	if !isOneCommand(command) {
		return "", false
	}
	program, rest := firstWord(strings.TrimLeft(command, " \t"))
	argument, _ := firstWord(rest)
	return program, filepath.Base(program) == "kfw" && argument == "expand"
}

func isExpand(command string) bool {
	_, isExpand := expandOf(command)
	return isExpand
}

// isOneCommand reports whether POSIX shells take a text for one command without substitutions and redirections (Shell
// Command Language, 2.2). In quotes a pattern may have operators in it. What is not plain at once is not one.
func isOneCommand(command string) bool {
	quote := byte(0)
	for i := range len(command) {
		switch c := command[i]; {
		case c == '\n' || c == '\r':
			return false
		case quote == c:
			quote = 0
		case quote == '\'':
		case quote == '"':
			if strings.IndexByte("$`\\!", c) >= 0 {
				return false
			}
		case c == '\'' || c == '"':
			quote = c
		case strings.IndexByte(";&|$`<>(){}\\", c) >= 0:
			return false
		}
	}
	return quote == 0
}

// firstWord takes the first word off a simple command, without the quotes around it.
func firstWord(command string) (word, rest string) {
	if command == "" {
		return "", ""
	}
	if quote := command[0]; quote == '\'' || quote == '"' {
		if end := strings.IndexByte(command[1:], quote); end >= 0 {
			return command[1 : 1+end], strings.TrimLeft(command[end+2:], " \t")
		}
		return "", ""
	}
	word, rest, _ = strings.Cut(command, " ")
	return word, strings.TrimLeft(rest, " \t")
}
