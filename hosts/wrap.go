package hosts

import (
	"strings"

	"github.com/tidwall/gjson"
	"mvdan.cc/sh/v3/syntax"

	"github.com/kfw-dev/kfw/internal/lazy"
)

// statusSuffix makes a shell command end well and say its status, for a host whose hooks see successes only. A command
// that succeeds says nothing more. It is a line of its own, not a program around the command: the host's rules still
// see every part of it.
const statusSuffix = "\n" + `kfw_status=$?; [ "$kfw_status" = 0 ] || echo "[exit $kfw_status]"`

var statusLine = lazy.Regexp(`(?:^|\n)(\[exit \d+\]\n?)$`)

// withoutStatus takes the line of statusSuffix from the end of a text.
func withoutStatus(t Text) []Text {
	at := statusLine().FindStringSubmatchIndex(t.Value)
	if at == nil || !t.isPlain {
		return []Text{t}
	}
	return t.apart(0, at[2])
}

// piped is a shell command of which all that it says goes through another. It ends with the status of the first one.
// The command stands in it as it is: whoever reads it sees what runs.
func piped(command, through string) string {
	return pipedLead + command + "\n) 2>&1 3>&- 4>&-; echo $? >&3; } | " + through +
		" >&4 3>&-; } 3>&1 ); } 4>&1; (exit \"$kfw_status\")"
}

const pipedLead = "{ kfw_status=$( { { ( "

// isPiped reports whether a command is one that piped has made.
func isPiped(command string) bool {
	return strings.HasPrefix(command, pipedLead) && strings.Contains(command, textFlag)
}

// textFlag is the option with which kfw hook reads text in place of an event. The ID of the session follows.
const textFlag = " --text "

// mostCommand is how long a command may be that is taken apart, in bytes. It bounds the stack of the parser.
const mostCommand = 8 << 10

// isClosed reports whether a command ends where its text does, so that a line after it is another command: nothing of
// it is open, such as a quotation, a bracket, a here-document, or a list that ends in an operator. What is not shell
// syntax stays what it is.
func isClosed(command string) bool {
	if len(command) > mostCommand {
		return false
	}
	parse := func(text string) ([]*syntax.Stmt, error) {
		file, err := syntax.NewParser().Parse(strings.NewReader(text), "")
		if err != nil {
			return nil, err
		}
		return file.Stmts, nil
	}
	alone, err := parse(command)
	if err != nil || len(alone) == 0 {
		return false
	}
	followed, err := parse(command + "\n:")
	return err == nil && len(followed) == len(alone)+1
}

// withCommands returns the input of a shell tool with its commands in another form; nil if all stay as they are. name
// is the member that has the command, or an array of them. A command that is not closed stays.
func withCommands(input []byte, name string, other func(string) string) []byte {
	var out []byte
	at := 0
	change := func(command gjson.Result) {
		text := command.String()
		if command.Type != gjson.String || strings.HasSuffix(text, statusSuffix) || isPiped(text) || isExpand(text) ||
			!isClosed(text) {
			return
		}
		out = append(out, input[at:command.Index]...)
		out = append(out, quoted(other(text))...)
		at = command.Index + len(command.Raw)
	}
	gjson.ParseBytes(input).ForEach(func(key, value gjson.Result) bool {
		switch {
		case key.String() != name:
			return true
		case value.IsArray():
			value.ForEach(func(_, command gjson.Result) bool {
				change(command)
				return true
			})
		default:
			change(value)
		}
		return false
	})
	if at == 0 {
		return nil
	}
	return append(out, input[at:]...)
}
