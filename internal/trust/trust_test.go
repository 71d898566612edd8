package trust

import (
	"path/filepath"
	"testing"
	"time"
)

func TestStore(t *testing.T) {
	s := Store{filepath.Join(t.TempDir(), "state", "trust")}
	if ok, err := s.Has("/a", func() string { return "x" }); ok || err != nil {
		t.Fatal(ok, err)
	}
	if all, err := s.List(); len(all) > 0 || err != nil {
		t.Fatal(all, err)
	}
	for _, e := range []Entry{{"/b", "1", time.Time{}}, {"/a", "x", time.Time{}}, {"/a", "y", time.Time{}}} {
		if err := s.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	for digest, want := range map[string]bool{"x": false, "y": true, "": false} {
		if ok, err := s.Has("/a", func() string { return digest }); ok != want || err != nil {
			t.Errorf("%q: %v, %v", digest, ok, err)
		}
	}
	if all, err := s.List(); err != nil || len(all) != 2 || all[0].Dir != "/a" || all[1].Dir != "/b" {
		t.Errorf("%v, %v", all, err)
	}
	for _, want := range []bool{true, false} {
		if was, err := s.Remove("/a"); was != want || err != nil {
			t.Errorf("%v, %v", was, err)
		}
	}
	if ok, _ := s.Has("/a", func() string { return "y" }); ok {
		t.Error("it is trusted though it was removed")
	}
}

// TestDigest: files that differ in any way have another digest.
func TestDigest(t *testing.T) {
	lists := [][]Content{nil, {{"a", nil}}, {{"", []byte("a")}}, {{"a", []byte("b")}}, {{"ab", nil}},
		{{"a", nil}, {"b", nil}}, {{"b", nil}, {"a", nil}}}
	seen := map[string]int{}
	for i, list := range lists {
		if other, known := seen[Digest(list)]; known {
			t.Errorf("%d and %d have the same", i, other)
		}
		seen[Digest(list)] = i
	}
}
