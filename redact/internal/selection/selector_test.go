package selection

import (
	"bytes"
	"testing"
)

// FuzzCuts: what is kept, and what is counted, is a function of the input alone, not of where it is cut.
func FuzzCuts(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"x":2}],"b":{"c":"d,}","e":3}} [{"b":{"c":null}}]`), uint8(3), false)
	f.Add([]byte("[x] text\n{\"a\":\"b\"\n{\"\\u0061\":[{\"y\":1}],\"z\":2}\n[INFO] x\n"), uint8(1), true)
	f.Fuzz(func(t *testing.T, in []byte, size uint8, isText bool) {
		fields, err := Parse([]string{"a", "b.c"})
		if err != nil {
			t.Fatal(err)
		}
		pass := func(size int) (out []byte, dropped, withheld int) {
			s := New(fields, []byte("[REDACTED:not_a_record]"), &dropped, &withheld)
			s.Start(isText)
			for rest := in; len(rest) > 0; rest = rest[min(len(rest), size):] {
				out = s.Feed(out, rest[:min(len(rest), size)])
			}
			return s.Finish(out), dropped, withheld
		}
		want, dropped, withheld := pass(len(in) + 1)
		got, gotDropped, gotWithheld := pass(int(size) + 1)
		if !bytes.Equal(got, want) || gotDropped != dropped || gotWithheld != withheld {
			t.Errorf("cut every %d bytes: %q, %d dropped, %d withheld; whole: %q, %d, %d", int(size)+1, got, gotDropped,
				gotWithheld, want, dropped, withheld)
		}
	})
}

// TestParse: a path has names, and no error quotes one.
func TestParse(t *testing.T) {
	for _, path := range []string{"", "a.", ".a", "a..b"} {
		if _, err := Parse([]string{"ok", path}); err == nil || err.Error() != "field 2: an empty name" {
			t.Errorf("%q: %v", path, err)
		}
	}
}
