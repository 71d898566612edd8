package cmd

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/process"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/redact"
)

// mostPlaces is how many matches a report names the place of.
const mostPlaces = 1000

// findings are what the matches of a run were, and where: never what they said.
type findings struct {
	file    string // that is being read
	reasons bool   // are shown
	places  []foundAt
	more    int // places that were not kept
	counts  []countOf
}

type foundAt struct {
	file, rule string
	at         redact.Place
	why        redact.Reason
}

type countOf struct {
	rule string
	n    int
}

func (f *findings) add(rule string, at redact.Place, why redact.Reason) {
	if len(f.places) == mostPlaces {
		f.more++
		return
	}
	f.places = append(f.places, foundAt{f.file, rule, at, why})
}

func (f *findings) count(counts iter.Seq2[string, int]) {
	for rule, n := range counts {
		f.counts = append(f.counts, countOf{rule, n})
	}
}

// report writes all of it to a file, or to standard error.
func (f *findings) report(stderr io.Writer, path string) error {
	if path == standardError {
		return f.write(stderr)
	}
	if err := process.Replace(path, f.write); err != nil {
		return fmt.Errorf("%s: %w", path, fault.WithoutPath(err))
	}
	return nil
}

func (f *findings) write(to io.Writer) error {
	w := bufio.NewWriter(to)
	var file, shown string
	for _, x := range f.places {
		if shown == "" || x.file != file {
			file, shown = x.file, terminal.Printable(terminal.Sayable(x.file))
		}
		fmt.Fprintf(w, "%s:%d:%d: %s%s\n", shown, x.at.Line, x.at.Column, x.rule, f.reason(x.why))
	}
	if f.more > 0 {
		fmt.Fprintf(w, "and %s more\n", terminal.Counted(f.more, "place"))
	}
	for _, x := range f.counts {
		fmt.Fprintf(w, "%7d %s\n", x.n, x.rule)
	}
	return w.Flush()
}

// reason is what a line of the report says after the rule of why there is a match: in which field, how, by which name.
func (f *findings) reason(why redact.Reason) string {
	if !f.reasons {
		return ""
	}
	reason := ": " + why.How
	if why.Path != "" {
		reason = "@" + terminal.Printable(why.Path) + reason
	}
	if why.Name != "" {
		reason += ": " + terminal.Printable(why.Name)
	}
	return reason
}

// matched is what --check has found.
type matched struct {
	counts []countOf
	told   bool // where
}

func (e *matched) Error() string {
	var b strings.Builder
	for i, x := range e.counts {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d %s", x.n, x.rule)
	}
	return "to be redacted: " + b.String()
}
