package testinput

import (
	"strings"

	"github.com/tidwall/gjson"
)

// YAML returns a JSON object or array as block collections of YAML, each line indented by so many
// blanks. Strings that are no plain words are in quotes.
func YAML(value string, indent int) string {
	var b strings.Builder
	writeYAML(&b, gjson.Parse(value), strings.Repeat(" ", indent), true)
	return b.String()
}

// writeYAML writes a value after a key or a dash, or at the start of a line.
func writeYAML(b *strings.Builder, value gjson.Result, indent string, isStart bool) {
	switch {
	case value.IsObject() && value.Raw != "{}":
		if !isStart {
			b.WriteByte('\n')
		}
		value.ForEach(func(key, member gjson.Result) bool {
			b.WriteString(indent + yamlScalar(key) + ":")
			writeYAML(b, member, indent+"  ", false)
			return true
		})
	case value.IsArray() && value.Raw != "[]":
		if !isStart {
			b.WriteByte('\n')
		}
		value.ForEach(func(_, element gjson.Result) bool {
			b.WriteString(indent + "-")
			if element.IsObject() && element.Raw != "{}" {
				b.WriteString(" " + strings.TrimLeft(YAML(element.Raw, len(indent)+2), " "))
			} else {
				writeYAML(b, element, indent+"  ", false)
			}
			return true
		})
	default:
		b.WriteString(" " + yamlScalar(value) + "\n")
	}
}

// yamlScalar returns a scalar as YAML has it. A JSON string is one of YAML in double quotes.
func yamlScalar(value gjson.Result) string {
	plain := value.Type == gjson.String && len(value.Str) > 0 && value.Str != "null" && value.Str != "true" &&
		value.Str != "false" && strings.Trim(value.Str, "abcdefghijklmnopqrstuvwxyz_") == ""
	if plain {
		return value.Str
	}
	return value.Raw
}
