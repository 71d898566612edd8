package hosts

import (
	"regexp"
	"strings"

	"github.com/tidwall/gjson"
)

// statusSuffix makes a shell command end well and say its status, for a host whose hooks see successes only. A command
// that succeeds says nothing more. It is a line of its own, not a program around the command: the host's rules still
// see every part of it.
const statusSuffix = "\n" + `kfw_status=$?; [ "$kfw_status" = 0 ] || echo "[exit $kfw_status]"`

var statusLine = regexp.MustCompile(`(?:^|\n)(\[exit \d+\]\n?)$`)

// withoutStatus takes the line of statusSuffix from the end of a text.
func withoutStatus(t Text) []Text {
	at := statusLine.FindStringSubmatchIndex(t.Value)
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

// withCommands returns the input of a shell tool with its commands in another form; nil if all stay as they are. name
// is the member that has the command, or an array of them. A line after a backslash would be a part of the command,
// so a command that ends in one stays.
func withCommands(input []byte, name string, other func(string) string) []byte {
	var out []byte
	at := 0
	change := func(command gjson.Result) {
		text := command.String()
		trimmed := strings.TrimRight(text, " \t\r\n")
		if command.Type != gjson.String || trimmed == "" || strings.HasSuffix(trimmed, `\`) ||
			strings.HasSuffix(text, statusSuffix) || isPiped(text) || isExpand(text) {
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
