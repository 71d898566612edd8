package budget

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestModeText(t *testing.T) {
	for _, test := range []struct {
		mode Mode
		name string
	}{
		{Raw, "raw"}, {Table, "table"}, {Summary, "summary"}, {HandleOnly, "handle_only"},
	} {
		if got := test.mode.String(); got != test.name {
			t.Errorf("String of %d: got %s, want %s", test.mode, got, test.name)
		}
		encoded, err := json.Marshal(test.mode)
		if err != nil || string(encoded) != `"`+test.name+`"` {
			t.Errorf("json of %s: got %s, %v", test.name, encoded, err)
		}
		var decoded Mode
		if err := json.Unmarshal(encoded, &decoded); err != nil || decoded != test.mode {
			t.Errorf("json of %s and back: got %v, %v", test.name, decoded, err)
		}
	}
}

func TestModeUnknown(t *testing.T) {
	for _, name := range []string{"", "RAW", "rawish", "handle-only", "3"} {
		mode := Summary
		err := mode.UnmarshalText([]byte(name))
		if err == nil {
			t.Errorf("%q: accepted as %v", name, mode)
			continue
		}
		if mode != Summary {
			t.Errorf("%q: refused, yet the mode is now %v", name, mode)
		}
		for m := Raw; m <= HandleOnly; m++ {
			if !strings.Contains(err.Error(), m.String()) {
				t.Errorf("%q: the error does not offer %v: %v", name, m, err)
			}
		}
		if len(name) > len("raw") && strings.Contains(err.Error(), name) {
			t.Errorf("%q: the error repeats it: %v", name, err)
		}
	}
	if text, err := Mode(HandleOnly + 1).MarshalText(); err == nil {
		t.Errorf("a mode out of range became %q", text)
	}
	if got, want := Mode(9).String(), "Mode(9)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestStrictest(t *testing.T) {
	for _, test := range []struct {
		modes []Mode
		want  Mode
	}{
		{nil, Raw},
		{[]Mode{Raw}, Raw},
		{[]Mode{Raw, Table}, Table},
		{[]Mode{Summary, Raw, Table}, Summary},
		{[]Mode{HandleOnly, Raw, Summary}, HandleOnly},
	} {
		if got := Strictest(test.modes...); got != test.want {
			t.Errorf("%v: got %v, want %v", test.modes, got, test.want)
		}
	}
}
