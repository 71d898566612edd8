package settings

import (
	"slices"
	"testing"
)

// TestEffects: each key of kfw.yaml has an effect, and no other name has one. A new key is to be judged by whoever
// adds it.
func TestEffects(t *testing.T) {
	keys := topKeys(testFlags())
	for _, key := range keys {
		if effects[key] == 0 {
			t.Errorf("%s: nothing says what it does in a kfw.yaml that is not trusted", key)
		}
		if effects[key]&tightens != 0 && effects[key] != tightens {
			t.Errorf("%s: it does more than tighten", key)
		}
	}
	for key := range effects {
		if !slices.Contains(keys, key) {
			t.Errorf("%s: there is no such key", key)
		}
	}
}

// TestTighter: of two values the one counts, or the part, with which less passes.
func TestTighter(t *testing.T) {
	for _, test := range []struct {
		flag    string
		now, as []string
		want    []string // nil if the flag stays as it is
		isWhole bool
	}{
		{"budget", []string{"4000"}, []string{"900"}, []string{"900"}, true},
		{"budget", []string{"4000"}, []string{"4000"}, nil, true},
		{"budget", []string{"4000"}, []string{"9000"}, nil, false},
		{"total", []string{"9000"}, []string{"8000"}, []string{"8000"}, true},
		{"mode", []string{"table"}, []string{"summary"}, []string{"summary"}, true},
		{"mode", []string{"table"}, []string{"raw"}, nil, false},
		{"sensitivity", []string{"pii"}, []string{"pci"}, []string{"pii", "pci"}, false},
		{"sensitivity", []string{"pii"}, []string{"pii,pci"}, []string{"pii", "pci"}, true},
		{"sensitivity", []string{"pii"}, []string{"none"}, nil, false},
		{"redact-fields", []string{"a"}, []string{"b", "a"}, []string{"a", "b"}, true},
		{"deny", []string{"run"}, []string{"rm"}, []string{"run", "rm"}, true},
		{"allow-fields", nil, []string{"a", "b"}, []string{"a", "b"}, true},
		{"allow-fields", []string{"a", "c.d"}, []string{"c", "b"}, []string{"c.d"}, true},
	} {
		f := testFlags().Lookup(test.flag)
		text := ""
		for i, one := range test.now {
			if text += one; i+1 < len(test.now) {
				text += ","
			}
		}
		if err := setTo(f, Value{text: text, list: test.now}); err != nil {
			t.Fatal(err)
		}
		v := Value{text: test.as[0], list: test.as, at: "kfw.yaml:1"}
		got, isWhole, err := tighter(f, v)
		if err != nil || !slices.Equal(got, test.want) || isWhole != test.isWhole {
			t.Errorf("%s: %v and %v: %v, %v, %v", test.flag, test.now, test.as, got, isWhole, err)
		}
	}
	f := testFlags().Lookup("allow-fields")
	if err := setTo(f, Value{list: []string{"a"}}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := tighter(f, Value{list: []string{"b"}, at: "kfw.yaml:1"}); err == nil {
		t.Error("fields that have nothing in common would keep all")
	}
}
