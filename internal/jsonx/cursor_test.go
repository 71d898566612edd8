package jsonx

import (
	"bytes"
	"encoding/json"
	"testing"
)

func FuzzMinified(f *testing.F) {
	for _, seed := range []string{`{"a":{"b":[1,{"c":"}"}]}, "d" : "x\\"}`, `[ ]`, "7", `{"a"1]`, `"open`, `{,}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		c := Cursor{Source: value}
		c.Take() // must end, whatever it is
		for c = (Cursor{Source: value}); c.At < len(value); {
			if _, ok := c.Member(); !ok && !c.Element() {
				break
			}
			c.Take()
		}
		var want bytes.Buffer
		if json.Compact(&want, value) != nil {
			return
		}
		if got := AppendMinified(nil, value); !bytes.Equal(got, want.Bytes()) {
			t.Errorf("got %s, want %s", got, want.Bytes())
		}
	})
}
