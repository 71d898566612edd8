package detect

import "github.com/kfw-dev/kfw/redact/internal/names"

// unlike returns x with a text that looks like a match of it and is none, which a test runs.
func (x Rule) unlike(text string) Rule {
	x.Refused = text
	return x
}

// Rule is an entry of the catalogue.
type Rule struct {
	Name        string      // as it stands in the marker
	Group       names.Group // None: always on
	Anchors     []string
	Form        names.Form
	IsNamed     bool
	SaysOfLines bool   // a line with an anchor may say something of the lines after it
	Opens       bool   // an anchor that its form does not exclude begins what is read beyond it
	IsMark      bool   // its form finds nothing
	Leads       bool   // an anchor in a key of JSON may tell of the value
	IsLast      bool   // put off to the end of the current text: others are likely to have found what it finds
	Example     string // a text that it matches, made up
	Refused     string // a text that looks like one and that no rule matches; empty: there is none
	Source      string // of the format
	Marker      []byte
}
