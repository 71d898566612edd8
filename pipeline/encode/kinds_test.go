package encode

import "testing"

// TestKindsTold: the most frequent kinds come first, the others are summed, and an estimate says that it is one.
func TestKindsTold(t *testing.T) {
	counts := Kinds{{"a", 1}, {"b", 5}, {"c", 2}, {Weaker, 64}, {"d", 2}, {"e", 0}, {"f", 3}}
	for n, want := range []string{
		`,"omitted":{"rows":3,"notable~":77}`,
		`,"omitted":{"rows":3,"notable":{"b":5,"other":8,"weaker~":64}}`,
		`,"omitted":{"rows":3,"notable":{"b":5,"f":3,"other":5,"weaker~":64}}`,
		`,"omitted":{"rows":3,"notable":{"b":5,"f":3,"c":2,"other":3,"weaker~":64}}`,
		`,"omitted":{"rows":3,"notable":{"b":5,"f":3,"c":2,"d":2,"a":1,"weaker~":64}}`,
	} {
		o := Omitted{Notable: counts, Kinds: n}
		o.Rows = 3
		if got := string(o.append(nil)); got != want {
			t.Errorf("%d kinds: %s, want %s", n, got, want)
		}
	}
	text := string((&Omitted{Notable: counts, Kinds: 1}).appendText(nil))
	if want := "77 notable~ left out: 5 b, 8 other, 64 weaker~; "; text != want {
		t.Errorf("%q, want %q", text, want)
	}
}
