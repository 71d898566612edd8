package fit

import (
	"fmt"
	"slices"
	"testing"

	"github.com/kfw-dev/kfw/pipeline/encode"
)

// TestNearLines: lines near each other are shown one after the other, in their order, where the
// first one would be.
func TestNearLines(t *testing.T) {
	for _, test := range []struct {
		chunks, shown []int // records are below 0
	}{
		{[]int{9, 50, 7, 8, 30}, []int{7, 8, 9, 50, 30}},
		{[]int{9, 50, 12, 6}, []int{9, 50, 12, 6}},
		{[]int{-9, 50, -8, 51}, []int{-9, 50, 51, -8}},
		{[]int{5, 3, 4, 6, 1}, []int{1, 3, 4, 5, 6}},
		{[]int{5, -6, 6}, []int{5, 6, -6}},
	} {
		var shown []encode.Notable
		for _, chunk := range test.chunks {
			n := encode.Notable{Chunk: max(chunk, -chunk), IsText: chunk > 0}
			shown = withNear(shown, n)
		}
		var got []int
		for _, n := range shown {
			if !n.IsText {
				n.Chunk = -n.Chunk
			}
			got = append(got, n.Chunk)
		}
		if !slices.Equal(got, test.shown) {
			t.Errorf("%d: %d, not %d", test.chunks, got, test.shown)
		}
	}
}

// TestSameRecord: of lines of one record that follow each other, only the first names the record.
func TestSameRecord(t *testing.T) {
	const head = "name: a\n"
	line := func(chunk int, of string) encode.Notable {
		whole := of + fmt.Sprint("  line ", chunk)
		return encode.Notable{Chunk: chunk, IsText: true, Data: []byte(whole), Of: len(of), Whole: []byte(whole)}
	}
	var shown []encode.Notable
	for _, n := range []encode.Notable{line(9, head), line(50, head), line(8, head), line(10, ""), line(11, head),
		line(7, head), line(51, "name: b\n")} {
		shown = withNear(shown, n)
	}
	got := ""
	for _, n := range shown {
		got += string(n.Data) + "|"
	}
	if want := "name: a\n  line 7|  line 8|  line 9|  line 10|name: a\n  line 11|name: a\n  line 50|name: b\n  line 51|"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}
