package gain

import (
	_ "embed"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/dustin/go-humanize"
)

//go:embed head.html
var head string

// Page writes the sums as one HTML file. It loads nothing and runs no script.
//
// It is not a template: a program with templates links every exported method of every type, a tenth of its size.
func (s *Sums) Page(w io.Writer) error {
	var b strings.Builder
	b.WriteString(head)
	fmt.Fprintf(&b, "<h1>%s</h1>\n", html.EscapeString(s.Sentence()))
	b.WriteString("<p>Tokens. What expansions and notes have cost is taken off; a row below zero cost more than it saved.</p>\n")
	writeTable(&b, "command", s.ByCommand[:min(len(s.ByCommand), mostRows)])
	writeTable(&b, "host", s.ByHost)
	writeTable(&b, "day", s.ByDay)
	b.WriteString("</html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// writeTable writes a table of sums with a bar for what each saved, or cost, the longest for the largest.
func writeTable(b *strings.Builder, title string, sums []Sum) {
	fmt.Fprintf(b, "\n<h2>by %[1]s</h2>\n<table>\n<thead><tr><th scope=\"col\">%[1]s</th>", title)
	for _, name := range []string{"calls", "read", "given", "saved", "%"} {
		fmt.Fprintf(b, `<th scope="col">%s</th>`, name)
	}
	b.WriteString("<th scope=\"col\" aria-hidden=\"true\"></th></tr></thead>\n<tbody>\n")
	most := 1
	for _, s := range sums {
		most = max(most, s.Saved, -s.Saved)
	}
	for _, s := range sums {
		fmt.Fprintf(b, "<tr><td>%s</td>", html.EscapeString(s.Name))
		for _, n := range []int{s.Calls, s.Read, s.Given, s.Saved} {
			fmt.Fprintf(b, "<td>%s</td>", humanize.Comma(int64(n)))
		}
		class := "saved"
		if s.Saved < 0 {
			class = "over"
		}
		fmt.Fprintf(b, `<td>%d</td><td class="bar"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">`+
			`<rect class="%s" width="%d" height="8" rx="1"></rect></svg></td></tr>`+"\n",
			s.Share(), class, max(s.Saved, -s.Saved)*100/most)
	}
	b.WriteString("</tbody>\n</table>\n")
}
