package pipeline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// oddOnes is a response in which records stand out in many ways, so many of each. Nothing else in it stands out.
func oddOnes(n int) string {
	var b strings.Builder
	for i := range 60 * n {
		state, more := "open", ""
		switch i % 60 {
		case 20:
			state = fmt.Sprintf("state %c%c", 'a'+i/60/26, 'a'+i/60%26)
		case 30:
			more = fmt.Sprintf(`,"f%d":true`, i)
		case 40:
			more = fmt.Sprintf(`,"ms":"%d"`, i)
		}
		fmt.Fprintf(&b, `{"id":%d,"state":%q,"size":%d%s}`+"\n", i*7919%1000, state, 10+i%5, more)
	}
	return b.String()
}

// TestLeftOutByKind: at every budget, what stands out and is shown and what is left out add up to the same, by kind
// where there is room for that.
func TestLeftOutByKind(t *testing.T) {
	response := oddOnes(8)
	all, byKind := 0, 0
	for tokens := 200; tokens < 900; tokens += 13 {
		out := live(t, response, tokens, 0)
		if !leavesOut(out) {
			continue // all of it is shown
		}
		final := lastLine(out)
		shown, left := strings.Count(final, `"chunk":`), 0
		if notable := gjson.Get(final, "omitted.notable"); notable.IsObject() {
			byKind++
			notable.ForEach(func(_, n gjson.Result) bool { left += int(n.Int()); return true })
		} else {
			left = int(notable.Int())
		}
		if all == 0 {
			all = shown + left
		}
		if shown+left != all || all < 12 {
			t.Errorf("%d tokens: %d shown and %d left out, before it were %d", tokens, shown, left, all)
		}
	}
	if byKind == 0 {
		t.Error("never told by kind")
	}
}
