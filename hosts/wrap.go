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
	if at == nil || !t.IsBody {
		return []Text{t}
	}
	return t.apart(0, at[2])
}

// wrappedInput returns the input of a shell tool, its command with the suffix; nil if it stays as it is. A line after a
// backslash would be a part of the command.
func wrappedInput(event []byte) []byte {
	input := gjson.GetBytes(event, "tool_input")
	command := input.Get("command")
	text := command.String()
	if command.Type != gjson.String || strings.TrimSpace(text) == "" || strings.HasSuffix(strings.TrimRight(text, " \t\r\n"), `\`) ||
		strings.HasSuffix(text, statusSuffix) || isExpand(text) {
		return nil
	}
	raw := []byte(input.Raw)
	var out []byte
	gjson.ParseBytes(raw).ForEach(func(name, value gjson.Result) bool {
		if name.String() != "command" {
			return true
		}
		out = append(out, raw[:value.Index]...)
		out = append(out, quoted(text+statusSuffix)...)
		out = append(out, raw[value.Index+len(value.Raw):]...)
		return false
	})
	return out
}
