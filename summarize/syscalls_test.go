package summarize

import (
	"fmt"
	"strings"
	"testing"
)

// TestCalls: a trace of system calls has the facts of its fields, each call once, and the one that took longest
// stands out.
func TestCalls(t *testing.T) {
	var text strings.Builder
	for i := range 200 {
		switch {
		case i == 130:
			text.WriteString("[pid 7] 15:04:05.000130 fsync(5) = 0 <2.500000>\n")
		case i%10 == 3:
			fmt.Fprintf(&text, "[pid 7] 15:04:05.000%03d stat(\"/etc/%d\", 0x7ffe) = -1 ENOENT (No such file or directory) <0.0000%02d>\n", i, i, i%7+10)
		case i%10 == 5:
			fmt.Fprintf(&text, "[pid 7] 15:04:05.000%03d read(3,  <unfinished ...>\n[pid 8] 15:04:05.000%03[1]d <... read resumed>\"\", 4096) = 0 <0.0000%[2]d>\n", i, i%7+10)
		default:
			fmt.Fprintf(&text, "[pid 7] 15:04:05.000%03d close(%d) = 0 <0.0000%02d>\n", i, i%5, i%7+10)
		}
	}
	s := watched(linesOf(text.String()))
	facts := string(s.Facts(anyLength).JSON())
	for _, want := range []string{
		`"call":{"distinct":4,"values":{"close":159,"stat":20,"read":20,"fsync":1},"in":200}`,
		`"error":{"values":{"ENOENT":20}}`,
		`"resumed":{"values":{"read":20}}`, `"min":0.000010,"max":2.500000`, `"pid":{"values":{"7":200,"8":20}`,
	} {
		if !strings.Contains(facts, want) {
			t.Errorf("no %s in\n%s", want, facts)
		}
	}
}

// TestResultsInOctal: a result that is written as umask's is no number of JSON.
func TestResultsInOctal(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "umask(0%d)                             = 0%d <0.0000%d>\n", 22+i%2, 22+i%2, 10+i%7)
	}
	if facts := factsOf(t, watched(linesOf(b.String()))); facts.Fields["result"].Values[`"022"`] != 30 ||
		facts.Fields["seconds"].Max == "" {
		t.Errorf("%+v", facts)
	}
}
