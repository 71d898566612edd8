package structure

import "testing"

// TestPlaceIn: elements of one array have one place, whatever stands before it.
func TestPlaceIn(t *testing.T) {
	for path, want := range map[string]string{
		"": "", "0": "", "17": "", "a": "a", "a.0": "a.", "a.17": "a.", "a.b": "a.b", "0.0.12": "0.0.", `a\.3`: `a\.3`,
	} {
		if got := string(PlaceIn([]byte(path))); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}
