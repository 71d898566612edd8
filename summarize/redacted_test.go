package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// TestRedactedValues generates fields of which some or all values have a placeholder, in records, rows and
// lines: how many is said, and nothing as if they were equal.
func TestRedactedValues(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 41))
	placeholders := []string{
		"[REDACTED:email]", "ann [REDACTED:email]", "[REDACTED:token] of [REDACTED:email]",
		strings.Repeat("x", 80) + " [REDACTED:email]",
	}
	others := []string{"ann", "bob", "cid"}
	forms := []string{`{"id":%d,"mail":"%s"}`, "mail: %[2]s", "done %d=x mail=\"%s\" t=1", "row-%d,x,\"%s\""}
	for seed := range 120 {
		form, placeholder := seed%len(forms), placeholders[seed/4%len(placeholders)]
		share := []int{1, 2, 10}[random.IntN(3)] // one in so many has the placeholder
		redacted := 0
		var b strings.Builder
		if form == 3 {
			b.WriteString("id,n,mail\n")
		}
		for i := range 150 {
			value := others[random.IntN(len(others))]
			if i%share == 0 {
				value = placeholder
				redacted++
			}
			b.WriteString(fmt.Sprintf(forms[form]+"\n", i, value))
		}
		var facts string
		if form == 0 {
			facts = string(watched(recordsOf([]byte(b.String()))).Facts(anyLength).JSON())
		} else {
			facts = string(watched(linesOf(b.String())).Facts(anyLength).JSON())
		}
		of := gjson.Get(facts, "fields.mail")
		if !of.Exists() {
			of = gjson.Get(facts, "keys.mail")
		}
		if isAll := placeholder == "[REDACTED:email]"; isAll && of.Exists() &&
			int(of.Get("redacted").Int()) != redacted || !isAll && of.Get("redacted").Exists() {
			t.Errorf("seed %d: not %d redacted: %s", seed, redacted, of.Raw)
		} else if isAll && strings.Contains(of.Raw, "REDACTED:") {
			t.Errorf("seed %d: %s", seed, of.Raw)
		}
		for _, fact := range []string{"values", "top", "const", "distinct", "len"} {
			if has := of.Get(fact); strings.Contains(has.Raw, "REDACTED") || has.Exists() &&
				(fact == "distinct" || fact == "len") {
				t.Errorf("seed %d: %s of %s", seed, fact, of.Raw)
			}
		}
		if !of.Exists() && form != 1 && form != 2 { // long values are no values of a name
			t.Errorf("seed %d: no such field in %s", seed, facts)
		}
	}
	facts := string(watched(recordsOf([]byte(strings.Repeat(`{"mail":"[REDACTED:email:7]"}`+"\n", 9)))).Facts(anyLength).JSON())
	if !strings.Contains(facts, `"const":"[REDACTED:email:7]"`) { // one with a number stands for one value
		t.Error(facts)
	}
}
