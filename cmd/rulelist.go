package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/redact"
)

// listRules writes what kfw redact --list shows.
func listRules(out io.Writer, rules *redact.Rules, asJSON bool) error {
	write := writeRules
	if asJSON {
		write = writeRulesJSON
	}
	if err := write(out, rules); err != nil {
		return &pipeline.WriteError{Err: err}
	}
	return nil
}

func writeRules(out io.Writer, rules *redact.Rules) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "rule\tgroup\tlooks at\tsource\texample")
	for x := range rules.List() {
		example := strings.ReplaceAll(x.Example, "\n", `\n`)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", x.Name, groupOf(x), anchors(x.Anchors), terminal.Printable(x.Source),
			terminal.Printable(example))
	}
	return w.Flush()
}

// groupOf is what --sensitivity calls the group of a rule; any for one that is on whatever it says.
func groupOf(x redact.Entry) string {
	if x.Group == redact.None {
		return "any"
	}
	return x.Group.String()
}

// anchors is as many of them as a column has room for.
func anchors(all []string) string {
	const width = 40
	shown := ""
	for i, anchor := range all {
		if len(shown)+len(anchor) > width && i > 0 {
			return fmt.Sprintf("%s and %d more", shown, len(all)-i)
		}
		shown = strings.TrimPrefix(shown+", "+anchor, ", ")
	}
	return terminal.Printable(shown)
}

func writeRulesJSON(out io.Writer, rules *redact.Rules) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for x := range rules.List() {
		err := encoder.Encode(struct {
			Rule    string   `json:"rule"`
			Group   string   `json:"group"`
			Anchors []string `json:"anchors"`
			Source  string   `json:"source"`
			Example string   `json:"example"`
		}{x.Name, groupOf(x), x.Anchors, x.Source, x.Example})
		if err != nil {
			return err
		}
	}
	return nil
}
