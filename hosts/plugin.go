package hosts

import (
	"bytes"
	"embed"
	"encoding/json"

	"github.com/tidwall/gjson"
)

// plugins are what hosts load: each starts kfw hook for every event, and withholds a result if that fails. Those of hosts
// that take no program as a hook say that they are the host, and are answered with other values for members of the
// response. That of Claude Code stands beside the hook of the settings, and is answered as that one.
//
//go:embed plugins
var plugins embed.FS

// commandLine begins the line of a plugin that holds the words of the command.
const commandLine = "const command"

// pluginFile returns a plugin with these lists in it, in the order of the file: the words of the command that it runs,
// and the tools before which it does as well, if it has them.
func pluginFile(name string, lists ...[]string) []byte {
	text, err := plugins.ReadFile("plugins/" + name)
	if err != nil {
		panic(err) // it is a part of the program
	}
	for _, list := range lists {
		value, _ := json.Marshal(list) // has no errors
		text = bytes.Replace(text, []byte(" = []\n"), append(append([]byte(" = "), value...), '\n'), 1)
	}
	return text
}

// pluginHooks lists the hook of a plugin: none if another program has made the file.
func pluginHooks(source []byte, after string) ([]Hook, bool, error) {
	if !bytes.HasPrefix(source, []byte("// Made by kfw init ")) {
		return nil, false, nil
	}
	for line := range bytes.Lines(source) {
		_, list, found := bytes.Cut(bytes.TrimSpace(line), []byte("= "))
		var words []string
		if bytes.HasPrefix(line, []byte(commandLine)) && found && json.Unmarshal(list, &words) == nil {
			return []Hook{{Event: after, IsAfter: true, Words: words, Line: shellLine(words),
				IsKfw: isHook(words)}}, false, nil
		}
	}
	return nil, false, errNotSettings
}

// isPluginOf reports whether an event is from the plugin of a host.
func isPluginOf(event []byte, host string) bool {
	return gjson.GetBytes(event, "host").String() == host
}

// pluginDenial is what makes a plugin refuse a tool.
func pluginDenial(reason string) []byte {
	return append(append([]byte(`{"deny":`), quoted(reason)...), "}\n"...)
}

// pluginAnswer is the answer to a plugin: the response with other texts, or why it is to withhold its response.
func pluginAnswer(e *Event, texts []string) []byte {
	answer := []byte{'{'}
	if e.unread != nil {
		answer = append(append(append(answer, `"withheld":`...), quoted(e.unread.Error())...), ',')
	}
	answer = append(append(answer, `"tool_response":`...), replaced(e.Response, e.Texts, texts)...)
	return append(answer, "}\n"...)
}

// pluginProbe returns an event as a plugin writes it.
func pluginProbe(host, name, tool, response string) []byte {
	return []byte(`{"host":"` + host + `","hook_event_name":"` + name + `","session_id":"` + probeSession +
		`","tool_use_id":"c","tool_name":"` + tool + `","tool_input":{"command":"cat notes.txt"},"tool_response":` +
		response + `}`)
}

// pluginShown returns a text of what a plugin puts in the place of a response.
func pluginShown(event, answer []byte, path string) string {
	if v := gjson.GetBytes(answer, "tool_response."+path); v.Exists() {
		return v.String()
	}
	return gjson.GetBytes(event, "tool_response."+path).String()
}
