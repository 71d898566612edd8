package findings

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"

	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/redact"
)

// The members of a log of SARIF 2.1.0 (OASIS, sarif-schema-2.1.0.json) that a report has.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool      `json:"tool"`
		Results    []sarifResult  `json:"results"`
		Properties map[string]int `json:"properties,omitempty"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID            string       `json:"id"`
		Short         sarifMessage `json:"shortDescription"`
		Configuration struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region struct {
				StartLine int64 `json:"startLine"`
			} `json:"region"`
		} `json:"physicalLocation"`
	}
)

// writeSARIF writes one run. A region is a whole line: SARIF counts columns in characters, and a place has bytes. The
// message has the byte.
func (f *Findings) writeSARIF(w io.Writer, rules *redact.Rules) error {
	groups := make(map[string]redact.Group)
	for x := range rules.List() {
		groups[x.Name] |= x.Group
	}
	run := sarifRun{Results: make([]sarifResult, len(f.places))}
	run.Tool.Driver = sarifDriver{Name: "kfw", Rules: make([]sarifRule, len(f.Counts))}
	index := make(map[string]int, len(f.Counts))
	for i, x := range f.Counts {
		index[x.Rule] = i
		rule := sarifRule{ID: x.Rule, Short: sarifMessage{fmt.Sprintf("%s: %s", x.Rule, kind(groups[x.Rule]))}}
		rule.Configuration.Level = level(groups[x.Rule])
		run.Tool.Driver.Rules[i] = rule
	}
	for i, x := range f.places {
		result := sarifResult{RuleID: x.rule, RuleIndex: index[x.rule], Level: level(groups[x.rule]),
			Message: sarifMessage{fmt.Sprintf("%s at byte %d of the line%s", x.rule, x.at.Column, x.reason())}}
		result.Locations = make([]sarifLocation, 1)
		result.Locations[0].Physical.Artifact.URI = uri(x.file)
		result.Locations[0].Physical.Region.StartLine = x.at.Line
		run.Results[i] = result
	}
	if f.more > 0 {
		run.Properties = map[string]int{"omittedResults": f.more}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// kind says what the rules of a group find.
func kind(group redact.Group) string {
	switch group {
	case redact.PII:
		return "personal data"
	case redact.PCI:
		return "payment data"
	}
	return "a secret"
}

// level is that of a rule: a secret that is out does harm at once.
func level(group redact.Group) string {
	if group == redact.PII {
		return "warning"
	}
	return "error"
}

// uri returns the reference of a file: relative, if its name is.
func uri(file string) string {
	reference := url.URL{Path: filepath.ToSlash(terminal.Sayable(file))}
	if filepath.IsAbs(file) {
		reference.Scheme = "file"
	}
	return reference.String()
}
