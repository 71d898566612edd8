package structure

import (
	"strings"
	"testing"
)

func TestPayload(t *testing.T) {
	long := strings.Repeat("x", 80)
	for _, test := range []struct{ value, opened string }{
		{`{"a":"{\"b\":\"` + long + `\"}"}`, `{"a":{"b":"` + long + `"}}`},
		{`{"z":"\"{","a":"[\"` + long + `\"]","c":1}`, `{"z":"\"{","a":["` + long + `"],"c":1}`},
		{`"[1,2,3,\"` + long + `\"]\n"`, `[1,2,3,"` + long + "\"]\n"},
		{value: `{"a":"{\"b\":1}"}`},
		{value: `{"a":"{\"b\":1}","c":"` + long + `"}`},
		{value: `{"a":"{\"b\":\"` + long + `"}`},
		{value: `{"a":"{\"b\":\"` + long + `\"} and more"}`},
		{value: `{"a":"` + long + `"}`},
		{value: `{"a":"\"{` + long + `}"}`},
		{value: `{"a":"\"[1` + strings.Repeat(",1", 60) + `]"}`},
		{value: `{"a":{"b":"` + long + `"}}`},
		{value: `{"{\"a\":\"` + long + `\"}" : 1}`},
		{value: `"{`},
		{value: ``},
	} {
		if opened, ok := AppendOpened(nil, []byte(test.value)); ok != (test.opened != "") ||
			string(opened) != test.opened {
			t.Errorf("%s: %s, %t", test.value, opened, ok)
		}
	}
}
