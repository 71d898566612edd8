// Package findings collects where a redactor found something, and writes it: as lines, as JSON or as SARIF.
//
// In come the rule, the place and the reason of each match, file by file. Out comes a report that names places, rules
// and names of fields, never what a match said.
package findings

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/redact"
)

// Format is how a report is written.
type Format uint8

const (
	Text  Format = iota // a line for each place, then one for each rule
	JSON                // an object a line for each place, then one that sums up
	SARIF               // a log of SARIF 2.1.0
)

// How many places a report keeps: as many as a person reads, as many as GitHub takes of one SARIF run.
const (
	maxTextPlaces = 1000
	maxPlaces     = 25_000
)

// Findings are the matches of a run. The zero value is ready for use as a report of text without reasons.
type Findings struct {
	Format  Format
	Reasons bool   // Text shows them; the other formats always do
	File    string // that is being read
	Files   int    // that were read
	Changed int    // files of these that --in-place has replaced
	Counts  []Count
	places  []place
	more    int // places that were not kept
}

// Count is how many matches a rule has.
type Count struct {
	Rule string
	N    int
}

type place struct {
	file, rule string
	at         redact.Place
	why        redact.Reason
}

// Add adds a match in the current file.
func (f *Findings) Add(rule string, at redact.Place, why redact.Reason) {
	limit := maxPlaces
	if f.Format == Text {
		limit = maxTextPlaces
	}
	if len(f.places) == limit {
		f.more++
		return
	}
	f.places = append(f.places, place{f.File, rule, at, why})
}

// Count takes how many matches each rule has in all.
func (f *Findings) Count(counts iter.Seq2[string, int]) {
	for rule, n := range counts {
		f.Counts = append(f.Counts, Count{rule, n})
	}
}

// Sum returns the counts as text: 2 email, 1 password.
func (f *Findings) Sum() string {
	var b strings.Builder
	for i, x := range f.Counts {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d %s", x.N, x.Rule)
	}
	return b.String()
}

// Write writes the report. The rules describe those that SARIF names.
func (f *Findings) Write(to io.Writer, rules *redact.Rules) error {
	w := bufio.NewWriter(to)
	switch f.Format {
	case JSON:
		f.writeJSON(w)
	case SARIF:
		if err := f.writeSARIF(w, rules); err != nil {
			return err
		}
	default:
		f.writeText(w)
	}
	return w.Flush()
}

func (f *Findings) writeText(w io.Writer) {
	var file, shown string
	for _, x := range f.places {
		if shown == "" || x.file != file {
			file, shown = x.file, terminal.Printable(terminal.Sayable(x.file))
		}
		fmt.Fprintf(w, "%s:%d:%d: %s", shown, x.at.Line, x.at.Column, x.rule)
		if f.Reasons {
			fmt.Fprint(w, x.reason())
		}
		fmt.Fprintln(w)
	}
	if f.more > 0 {
		fmt.Fprintf(w, "and %s more\n", terminal.Counted(f.more, "place"))
	}
	for _, x := range f.Counts {
		fmt.Fprintf(w, "%7d %s\n", x.N, x.Rule)
	}
}

// reason is what a line says after the rule of why there is a match: in which field, how, by which name.
func (x *place) reason() string {
	reason := ": " + x.why.How
	if x.why.Path != "" {
		reason = "@" + terminal.Printable(x.why.Path) + reason
	}
	if x.why.Name != "" {
		reason += ": " + terminal.Printable(x.why.Name)
	}
	return reason
}

// writeJSON writes an object for each place, and at the end one with the sums. The columns count bytes.
func (f *Findings) writeJSON(w io.Writer) {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, x := range f.places {
		encoder.Encode(struct { // w keeps the error
			File   string `json:"file"`
			Line   int64  `json:"line"`
			Column int64  `json:"column"`
			Rule   string `json:"rule"`
			Path   string `json:"path,omitempty"`
			How    string `json:"how,omitempty"`
			Name   string `json:"name,omitempty"`
		}{terminal.Sayable(x.file), x.at.Line, x.at.Column, x.rule, x.why.Path, x.why.How, x.why.Name})
	}
	rules := make(map[string]int, len(f.Counts))
	for _, x := range f.Counts {
		rules[x.Rule] += x.N
	}
	encoder.Encode(struct {
		Files   int            `json:"files"`
		Changed int            `json:"changed"`
		Omitted int            `json:"omitted_places"`
		Rules   map[string]int `json:"rules"`
	}{f.Files, f.Changed, f.more, rules})
}
