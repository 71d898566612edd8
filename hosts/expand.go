package hosts

import (
	"path/filepath"
	"strings"
)

// isExpand reports whether a shell command is one kfw expand and nothing else: no second command, no substitution.
func isExpand(command string) bool {
	if !isOneCommand(command) {
		return false
	}
	program, rest := firstWord(strings.TrimLeft(command, " \t"))
	argument, _ := firstWord(rest)
	return filepath.Base(program) == "kfw" && argument == "expand"
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
