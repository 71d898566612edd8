package mask

import "testing"

// TestSectionChapter: numbers of sections begin a heading and have small parts; addresses that begin a line are none.
func TestSectionChapter(t *testing.T) {
	for line, want := range map[string]int{
		"7.1.2.3 Title of it": 7, "   3.4.1.12.  Title of it . . . 12": 3, "### 2.12.3.1 \u00dcber": 2,
		"<h4 class=\"x\">7.1.2.3 <b>Name</b></h4>": 7, "10.1.2.3 Title": 10, "1.1.1.2\tTitle": 1,
		"192.168.1.1 host": 0, "1.2.0.3 host": 0, "1.2.3.44 host": 0, "1.2.3.4 - - [now]": 0, "1.2.3.4": 0,
		"from 1.2.3.4 again": 0, "-> 1.2.3.4 again": 0, "1.2.3.4:80 answers": 0, "1.1.1.1 answers": 0,
		"9.9.9.9 answers": 0, "1.2.3.4, host": 0, "<td>172.16.1.1 host</td>": 0, "1.02.3.4 host": 0,
	} {
		start, end := NextAddress([]byte(line), 0)
		if start == end {
			t.Fatalf("%q: no address", line)
		}
		if got := SectionChapter([]byte(line), start, end); got != want {
			t.Errorf("%q: %d, not %d", line, got, want)
		}
	}
}
