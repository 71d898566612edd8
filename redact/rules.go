package redact

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/kfw-dev/kfw/redact/commands"
	"github.com/kfw-dev/kfw/redact/detect"
	"github.com/kfw-dev/kfw/redact/fieldpath"
	"github.com/kfw-dev/kfw/redact/gitleaks"
	"github.com/kfw-dev/kfw/redact/lex"
	"github.com/kfw-dev/kfw/redact/names"
	"github.com/kfw-dev/kfw/redact/prefilter"
	"github.com/kfw-dev/kfw/redact/structure"
)

// ParseGroups reads a list such as "pii,pci,secrets", or "none".
func ParseGroups(s string) (names.Group, error) {
	if strings.TrimSpace(s) == "none" {
		return names.None, nil
	}
	var g names.Group
	for name := range strings.SplitSeq(s, ",") {
		switch strings.TrimSpace(name) {
		case "secrets":
			g |= names.Secrets
		case "pii":
			g |= names.PII
		case "pci":
			g |= names.PCI
		default:
			return names.None, fmt.Errorf("unknown group: choose from pii, pci, secrets, or none alone")
		}
	}
	return g, nil
}

// Options chooses what is redacted.
type Options struct {
	// Groups are the kinds of what is redacted; All if none is named.
	Groups names.Group
	// Off turns all groups off.
	Off bool
	// AllowFields, if there are any, are the dotted paths of the only fields of
	// each record that are kept. A path keeps all that is below it.
	AllowFields []string
	// Numbered gives equal secrets that go by the same name equal numbers:
	// [REDACTED:email:2] is the second address of a run. The first 4096 secrets of
	// all rules together have a number.
	Numbered bool
	// Files are rules that hold in addition, whatever the groups, unless there are none.
	Files []*gitleaks.RuleFile
	// RedactFields are names that are sensitive as well, whatever the groups, and
	// KeepFields are names that are not. A name that is in both is sensitive.
	RedactFields, KeepFields []string
	// Allow are the rules that find nothing, RULE, or nothing in the field of a record at a path,
	// RULE@PATH: the names of the objects around it, with dots between. A * stands for any name, arrays
	// do not count, and a backslash stands before a dot, a * or a backslash of a name.
	Allow []string
}

// Rules is a compiled choice of rules. It is immutable, and safe for use by any
// number of goroutines.
type Rules struct {
	groups     names.Group
	catalogue  []detect.Rule
	automaton  *prefilter.Automaton
	names      *names.Names
	markers    map[string]bool // the names of all rules, chosen or not
	allowed    *selection      // nil: every field
	numbered   bool
	passAll    bool
	paths      [][]fieldpath.Pattern // where each rule is allowed to leave its matches, by rule
	patterns   bool                  // there are rules of files
	dropped    int                   // index of the rule that fields are counted under that were not asked for
	withheld   int                   // index of the rule for what is not a record
	ofCommands []int                 // indexes of the rules for command lines
	filters    sync.Pool
}

// Compile prepares the rules that o asks for. It fails if a path of AllowFields
// is not one, or a name of RedactFields or KeepFields, with a *FieldError, or an entry
// of Allow, with an *AllowError; and if the files have too many keywords together, with
// a *RuleError.
func Compile(o Options) (*Rules, error) {
	switch {
	case o.Off:
		o.Groups = names.None
	case o.Groups&names.All == names.None:
		o.Groups = names.All
	}
	r := &Rules{
		groups: o.Groups & names.All, passAll: o.Groups&names.All == names.None, numbered: o.Numbered,
		names: names.NewNames(), markers: make(map[string]bool),
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
	r.names.Chosen = chosen.phrases
	states := 0
	for _, f := range o.Files {
		if states += f.States; states > gitleaks.MostFileStates {
			return nil, f.TooManyKeywords()
		}
	}
	r.catalogue = r.entries(o.Files, chosen)
	if err := allow.check(o.Allow, r.catalogue); err != nil {
		return nil, err
	}
	r.paths = allow.patterns(r.catalogue)
	var anchors []prefilter.AnchorOf
	for i := range r.catalogue {
		x := &r.catalogue[i]
		x.Marker = []byte(lex.MarkerStart + x.Name + "]")
		if len(x.Name) > 0 {
			r.markers[x.Name] = true
		}
		switch x.Name {
		case droppedField:
			r.dropped = i
		case notARecord:
			r.withheld = i
		}
		if x.Form != nil && allow.rules[x.Name] {
			x.Form = nil
		}
		if x.Form == nil || x.Group != names.None && x.Group&o.Groups == names.None {
			continue
		}
		if f, ok := x.Form.(*gitleaks.Pattern); ok {
			x.Leads = f.Leads
			r.patterns = true
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
				p.Rule = i
				r.names.Add(p)
			}
		}
		switch x.Form.(type) {
		case structure.Manifest, commands.ProgramName:
			x.SaysOfLines = true
		case names.FlagValue, names.OperandValue:
			r.ofCommands = append(r.ofCommands, i)
		}
		for _, a := range x.Anchors {
			anchors = append(anchors, prefilter.AnchorOf{Anchor: a, Rule: i})
		}
	}
	r.automaton = prefilter.NewAutomaton(anchors)
	r.filters.New = func() any { return newFilter(r, r.text(false)) }
	r.allowed, err = newSelection(o.AllowFields)
	return r, err
}

// entries returns the catalogue with the rules of files and for chosen names in
// it: before the others, so that they name what is theirs, but after the entries
// that are always on.
func (r *Rules) entries(files []*gitleaks.RuleFile, chosen *chosenNames) []detect.Rule {
	own := catalogue(r.names)
	at := slices.IndexFunc(own, func(x detect.Rule) bool { return x.Group != names.None })
	more := chosen.rules(r.names)
	for _, f := range files {
		more = append(more, f.Rules...)
	}
	return slices.Insert(own, at, more...)
}

// Groups returns the groups that were asked for.
func (r *Rules) Groups() names.Group { return r.groups }

// Value appends to dst the redaction of src: of one whole value if f is JSON, of
// one whole line without its end if f is Lines. It is for what comes from no
// stream of records: what has been stored, a command line, a message. AllowFields
// does not apply, so no field is dropped; counts are not kept, and no marker has
// a number.
func (r *Rules) Value(dst, src []byte, f Format) []byte {
	v := Values{r, nil}
	if !r.passAll {
		v.filter = r.filters.Get().(*filter)
		defer r.filters.Put(v.filter)
	}
	return v.Append(dst, src, f)
}

// Values redacts many values, one after another, each as Rules.Value does, in memory of its own. It is for one
// goroutine.
type Values struct {
	rules  *Rules
	filter *filter
}

// Values returns a redactor of values.
func (r *Rules) Values() *Values { return &Values{r, newFilter(r, r.text(false))} }

// Append appends to dst the redaction of src, as Rules.Value does.
func (v *Values) Append(dst, src []byte, f Format) []byte {
	if v.rules.passAll {
		return append(dst, src...)
	}
	v.filter.text.isAlone = true
	v.filter.start(f)
	dst, _ = v.filter.feed(dst, src)
	return v.filter.finish(dst)
}
