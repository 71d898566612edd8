package summarize

import (
	"fmt"
	"strings"
	"testing"
)

// TestDump: the rows of a dump have the facts of the columns of their tables.
func TestDump(t *testing.T) {
	var b strings.Builder
	b.WriteString("BEGIN TRANSACTION;\nCREATE TABLE item(id INTEGER, state TEXT, cost REAL);\n")
	for i := range 60 {
		fmt.Fprintf(&b, "INSERT INTO item VALUES(%d,'%s',%d.5);\nINSERT INTO log (id, note) VALUES (%d, 'it''s %s');\n", i, []string{"new", "old"}[i%3/2], i*i%90, i%7, nameOf(i%3))
	}
	b.WriteString("COMMIT;\n")
	fields := factsOf(t, watched(linesOf(b.String()))).Fields
	if fields["item.state"].Values["new"] != 40 || fields["item.cost"].In != 60 || fields["item.cost"].Max != "85.5" || fields["log.id"].In != 60 ||
		fields["log.note"].Values["it's "+nameOf(1)] != 20 {
		t.Errorf("%+v", fields)
	}
}
