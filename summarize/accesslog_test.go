package summarize

import (
	"fmt"
	"strings"
	"testing"
)

// TestAccessLog: an access log has the facts of its fields.
func TestAccessLog(t *testing.T) {
	var text strings.Builder
	for i := range 400 {
		method, status := "GET", 200
		if i%8 == 0 {
			method, status = "POST", 201+i/8%9
		}
		fmt.Fprintf(&text, "10.0.%d.7 - - [02/Jan/2006:15:%02d:05 -0700] \"%s /items/%d HTTP/1.1\" %d %d \"-\" \"curl/8.5.0\"\n", i%30, i/8, method, i, status, 10*i)
	}
	var facts struct {
		Rows   int
		Fields map[string]struct {
			Const       string
			Max         int
			Distinct    int
			Values, Top map[string]int
		}
	}
	decode(t, watched(linesOf(text.String())).Facts(anyLength).JSON(), &facts)
	f := facts.Fields
	if facts.Rows != 400 || f["method"].Values["GET"] != 350 || f["method"].Values["POST"] != 50 ||
		f["status"].Top["200"] != 350 || f["status"].Distinct != 10 {
		t.Errorf("%+v", facts)
	}
	if f["bytes"].Max != 3990 || f["host"].Distinct != 30 || f["agent"].Const != "curl/8.5.0" ||
		f["referer"].Const != "" {
		t.Errorf("%+v", f)
	}
	if f["status"].Top["203"] == 0 {
		t.Errorf("of the codes there are %v", f["status"].Top)
	}
}
