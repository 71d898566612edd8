package pipeline

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/pipeline/encode"
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
	for tokens := 200; tokens < 3000; tokens += 47 {
		out, _ := filtered(t, []byte(response), tokens, 0, encode.JSON{}, nil)
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

// TestAlikeErrorsAreToldLast: of many errors of one form three are told before the facts, the others where there is
// room after them; at every budget those that are not are counted.
func TestAlikeErrorsAreToldLast(t *testing.T) {
	const errors = 30
	var lines strings.Builder
	for i := range 60 * errors {
		if i%60 == 37 {
			fmt.Fprintf(&lines, "worker %d: error: no answer from /srv/nodes/n%d after a while\n", i, i)
		} else {
			fmt.Fprintf(&lines, "%s %d: took %d jobs from queue %c\n", strings.Repeat("worker-and-", 1+i%7), i, i%9,
				'a'+i%5)
		}
	}
	few, more := 0, 0
	for tokens := 300; tokens < 4000; tokens += 53 {
		m := new(memory)
		var out bytes.Buffer
		if err := m.firewall(t, tokens).Run(strings.NewReader(lines.String()), &out); err != nil {
			t.Fatal(err)
		}
		final := out.String()[bytes.LastIndexByte(bytes.TrimSpace(out.Bytes()), '\n')+1:]
		shown, left := int(gjson.Get(final, "notable.#").Int()), 0
		gjson.Get(final, "omitted.notable").ForEach(func(_, n gjson.Result) bool {
			left += int(n.Int())
			return true
		})
		if n := gjson.Get(final, "omitted.notable"); n.Type == gjson.Number {
			left = int(n.Int())
		}
		switch {
		case shown+left != errors:
			t.Errorf("%d tokens: %d shown and %d left out of %d", tokens, shown, left, errors)
		case shown > 3 && gjson.Get(final, "facts.more_templates").Exists():
			t.Errorf("%d tokens: %d shown before all forms", tokens, shown)
		case shown > 3:
			more++
		case shown == 3:
			few++
		}
	}
	if few == 0 || more == 0 {
		t.Errorf("three were told %d times, more %d times", few, more)
	}
}

// TestMoreOfWhatStandsOut: the records that stand out are told whole where there is room for that, the first ones
// before the others, and never in place of one of them.
func TestMoreOfWhatStandsOut(t *testing.T) {
	var response strings.Builder
	for i := range 3000 {
		state, note := "open", fmt.Sprintf("the door of house number %d is shut", i%7)
		if i%1000 == 700 {
			state, note = fmt.Sprint("odd", i), fmt.Sprintf("nobody knows why that of number %d is not", i)
		}
		fmt.Fprintf(&response, `{"id":%d,"state":%q,"size":%d,"width":%d,"depth":%d,"height":%d,"note":%q,"weight":%d,"girth":%d,"reach":%d}`+"\n",
			i, state, i%90, i%70, i%50, i%30, note, i%40, i%20, i%60)
	}
	brief, whole := 0, 0
	for tokens := 400; tokens < 6000; tokens += 200 {
		out, _ := filtered(t, []byte(response.String()), tokens, 0, encode.JSON{}, nil)
		final := out[strings.LastIndexByte(strings.TrimSpace(out), '\n')+1:]
		notable := gjson.Get(final, "notable").Array()
		isBrief := false
		for _, n := range notable {
			switch {
			case n.Get("fields.height").Exists() && n.Get("fields.reach").Exists():
				if whole++; isBrief {
					t.Errorf("%d tokens: one after a brief one is whole: %s", tokens, n.Raw)
				}
			default:
				brief++
				isBrief = true
			}
		}
		if left := gjson.Get(final, "left").Int() - int64(len(final)/4); isBrief && left > 400 &&
			!gjson.Get(final, "omitted.notable").Exists() {
			t.Errorf("%d tokens: %d are left, and not all is told of %s", tokens, left, notable)
		}
	}
	if brief == 0 || whole == 0 {
		t.Errorf("%d are brief and %d whole", brief, whole)
	}
}
