package hosts

import (
	"path/filepath"
	"strings"
)

// isExpand reports whether a shell command is one kfw expand and nothing else: no second command, no substitution.
func isExpand(command string) bool {
	if strings.ContainsAny(command, ";&|$`\n\r<>(){}") {
		return false
	}
	program, rest := firstWord(strings.TrimLeft(command, " \t"))
	argument, _ := firstWord(rest)
	return filepath.Base(program) == "kfw" && argument == "expand"
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
