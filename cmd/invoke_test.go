package cmd

import (
	"slices"
	"strings"
	"testing"
)

func TestCommonFields(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"id", "id", "id"},
		{"id,name", "name,mail", "name"},
		{"user", "user.name,id", "user.name"},
		{"user.name,user.age,mail", "user,id", "user.name,user.age"},
		{"a.b,c", "a.b.d,c.e,f", "a.b.d,c.e"},
		{"user", "username", ""},
		{"user.na", "user.name", ""},
		{"a,a.b", "a.b", "a.b"},
	} {
		for _, swapped := range []bool{false, true} {
			a, b := strings.Split(c.a, ","), strings.Split(c.b, ",")
			if swapped {
				a, b = b, a
			}
			got := commonFields(a, b)
			want := strings.FieldsFunc(c.want, func(r rune) bool { return r == ',' })
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s and %s: %q, want %q", c.a, c.b, got, want)
			}
		}
	}
}

// FuzzCommonFields: a path is kept if and only if it stands in or below a path of both lists.
func FuzzCommonFields(f *testing.F) {
	f.Add("a,b.c", "a.b,b", "a.b")
	f.Add("a.b", "a.b.c,a", "a.b.c.d")
	f.Fuzz(func(t *testing.T, a, b, path string) {
		keeps := func(paths []string) bool {
			return slices.ContainsFunc(paths,
				func(p string) bool { return p == path || strings.HasPrefix(path, p+".") })
		}
		listA, listB := strings.Split(a, ","), strings.Split(b, ",")
		if got, want := keeps(commonFields(listA, listB)), keeps(listA) && keeps(listB); got != want {
			t.Errorf("%q and %q keep %q: %t, want %t", listA, listB, path, got, want)
		}
	})
}

func TestNearest(t *testing.T) {
	keys := topKeys(settable())
	for name, want := range map[string]string{"bugdet": "budget", "max-chunk": "max_chunk",
		"flushafter": "flush_after", "capability": "capabilities", "": "ttl"} {
		if got := nearest(name, keys, 1); len(got) != 1 || got[0] != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := nearest("x", []string{"b", "a"}, 3); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("of two: %q", got)
	}
}
