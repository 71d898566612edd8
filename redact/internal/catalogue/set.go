package catalogue

import (
	"slices"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/commands"
	"github.com/kfw-dev/kfw/redact/internal/detect"
	"github.com/kfw-dev/kfw/redact/internal/fieldpath"
	"github.com/kfw-dev/kfw/redact/internal/gitleaks"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/prefilter"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

// Set is a compiled choice of rules. It is immutable, and safe for use by any
// number of goroutines.
type Set struct {
	Groups     names.Group           // that were asked for
	Catalogue  []detect.Rule         // all rules; those that are off have no anchor in Automaton
	Automaton  *prefilter.Automaton  // of the anchors of the rules that are on
	Names      *names.Names          // that are sensitive
	Markers    map[string]bool       // the names of all rules, chosen or not
	Numbered   bool                  // equal secrets have equal numbers
	PassAll    bool                  // nothing is redacted
	Paths      [][]fieldpath.Pattern // where each rule is allowed to leave its matches, by rule; nil: nowhere
	Patterns   bool                  // there are rules of files
	Dropped    int                   // index of the rule that fields are counted under that were not asked for
	Withheld   int                   // index of the rule for what is not a record
	OfCommands []int                 // indexes of the rules for command lines
}

// Compile prepares the rules that o asks for, but not its AllowFields. It fails if a name of
// RedactFields or KeepFields is not one, with a *FieldError, or an entry of Allow, with an
// *AllowError; and if the files have too many keywords together, with a *gitleaks.RuleError.
func Compile(o Options) (*Set, error) {
	switch {
	case o.Off:
		o.Groups = names.None
	case o.Groups&names.All == names.None:
		o.Groups = names.All
	}
	r := &Set{
		Groups: o.Groups & names.All, PassAll: o.Groups&names.All == names.None, Numbered: o.Numbered,
		Names: names.NewNames(), Markers: make(map[string]bool),
	}
	allow, err := newAllowed(o.Allow)
	if err != nil {
		return nil, err
	}
	if allow.rules[chosenField] {
		o.RedactFields = nil
	}
	chosen, err := newChosenNames(o.RedactFields, o.KeepFields)
	if err != nil {
		return nil, err
	}
	r.Names.Chosen = chosen.phrases
	states := 0
	for _, f := range o.Files {
		if states += f.States; states > gitleaks.MostFileStates {
			return nil, f.TooManyKeywords()
		}
	}
	r.Catalogue = r.entries(o.Files, chosen)
	if err := allow.check(o.Allow, r.Catalogue); err != nil {
		return nil, err
	}
	r.Paths = allow.patterns(r.Catalogue)
	var anchors []prefilter.AnchorOf
	for i := range r.Catalogue {
		x := &r.Catalogue[i]
		x.Marker = []byte(lex.MarkerStart + x.Name + "]")
		if len(x.Name) > 0 {
			r.Markers[x.Name] = true
		}
		switch x.Name {
		case droppedField:
			r.Dropped = i
		case NotARecord:
			r.Withheld = i
		}
		if x.Form != nil && allow.rules[x.Name] {
			x.Form = nil
		}
		if x.Form == nil || x.Group != names.None && x.Group&o.Groups == names.None {
			continue
		}
		if f, ok := x.Form.(*gitleaks.Pattern); ok {
			x.Leads = f.Leads
			r.Patterns = true
		}
		if f, ok := x.Form.(*detect.Near); ok {
			f.Rule = i
			x.IsLast = true
		}
		if f, ok := x.Form.(*names.Named); ok {
			f.Rule = i
			x.IsNamed, x.SaysOfLines = true, true
			if x.Name == chosenField {
				chosen.setRule(i)
			}
			for j := range f.Phrases {
				p := &f.Phrases[j]
				p.Rule, p.IsSecret = i, x.Group == names.Secrets
				r.Names.Add(p)
			}
		}
		switch x.Form.(type) {
		case structure.PairMark, structure.DeclaredMark, structure.KeyNumber, structure.KeyMemberMark,
			commands.ProgramName:
			x.IsMark = true
		}
		switch x.Form.(type) {
		case structure.Manifest, commands.ProgramName:
			x.SaysOfLines = true
		case names.FlagValue, names.OperandValue:
			r.OfCommands = append(r.OfCommands, i)
		}
		for _, a := range x.Anchors {
			anchors = append(anchors, prefilter.AnchorOf{Anchor: a, Rule: i})
		}
	}
	r.Automaton = prefilter.NewAutomaton(anchors)
	return r, nil
}

// entries returns the catalogue with the rules of files and for chosen names in
// it: before the others, so that they name what is theirs, but after the entries
// that are always on.
func (r *Set) entries(files []*gitleaks.RuleFile, chosen *chosenNames) []detect.Rule {
	own := Rules(r.Names)
	at := slices.IndexFunc(own, func(x detect.Rule) bool { return x.Group != names.None })
	more := chosen.rules(r.Names)
	for _, f := range files {
		more = append(more, f.Rules...)
	}
	return slices.Insert(own, at, more...)
}
