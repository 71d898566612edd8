package settings

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
			got := CommonFields(a, b)
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
		if got, want := keeps(CommonFields(listA, listB)), keeps(listA) && keeps(listB); got != want {
			t.Errorf("%q and %q keep %q: %t, want %t", listA, listB, path, got, want)
		}
	})
}
