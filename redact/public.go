package redact

import (
	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/catalogue"
	"github.com/kfw-dev/kfw/redact/internal/gitleaks"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/report"
)

// Group is a set of kinds of rules.
type Group = names.Group

const (
	Secrets = names.Secrets // what opens a door: tokens, keys, passwords
	PII     = names.PII     // what tells who somebody is
	PCI     = names.PCI     // what moves somebody's money

	None = names.None // no kind of rule; as Options.Groups it stands for All
	All  = names.All  // every kind
)

// Reason is why there is a match. The words of a name are those of the rule; nothing but the names in a path is from
// the input, and these have no match in them.
type Reason = names.Reason

// RuleFile is the rules of a gitleaks config and of the files that it extends.
type RuleFile = gitleaks.RuleFile

// RuleError is why a file of rules can't be used. It quotes nothing of the file but the id of a rule.
type RuleError = gitleaks.RuleError

// ReadRules reads a gitleaks config, and by read the files that it extends, whose paths are relative to it. Its
// allowlists count only if they are to be honored, since what they do is to leave secrets alone. An error is one or
// more *RuleError, joined; one of read is in it as its reason.
func ReadRules(path string, read func(path string) ([]byte, error), honorAllowlists bool) (*RuleFile, error) {
	return gitleaks.ReadRules(path, read, honorAllowlists)
}

// Options chooses what is redacted. The zero value asks for every rule.
type Options struct {
	// Groups are the groups of rules that redact: Secrets, PII, PCI, or several joined by |. None stands for All.
	Groups Group
	// Off turns all rules off, those of Files and RedactFields, too.
	Off bool
	// AllowFields are the paths of the only fields of each record that are kept: "user.id" keeps the member id of user,
	// and all below it. If there are none, every field is kept.
	AllowFields []string
	// Numbered gives equal secrets that go by the same name equal numbers: [REDACTED:email:2] is the second address
	// of a run. The first 4096 secrets of all rules together have a number.
	Numbered bool
	// Files are rules that hold in addition, as ReadRules reads them.
	Files []*RuleFile
	// RedactFields are names whose values are redacted as well: "badge_no" is badgeNo and BADGE-NO, too.
	// KeepFields are names whose values are not redacted for the name. A name in both is redacted.
	RedactFields, KeepFields []string
	// Allow are the rules that find nothing: RULE, anywhere, or RULE@PATH, in the field of a record at a path, as in
	// "email@user.contact". A path has the names of the objects around a value, with dots between. A * stands for any
	// name, arrays do not count, and a backslash stands before a dot, a * or a backslash of a name.
	Allow []string
}

// FieldError is a name of a field that can't be one.
type FieldError = catalogue.FieldError

// AllowError reports an invalid entry of Allow.
type AllowError = catalogue.AllowError

// Entry is what a person wants to know of a rule. A name may have several.
type Entry = catalogue.Entry

// ParseGroups reads a list such as "pii,pci,secrets", or "none".
func ParseGroups(s string) (Group, error) { return catalogue.ParseGroups(s) }

// Place is where in its input a match begins: an offset from 0, a line and a column from 1, in bytes.
type Place = report.Place

// BeginsLabel says whether b, which begins with a bracket, is a line of text with a label before it, or a heading,
// and no JSON: [INFO] ..., [ 0.014938] ..., [1/300] ..., [2026-01-02 03:04:05,678: INFO] ..., [0.038s][info] ...,
// [section]. It is decided by the first 256 bytes, or all of a line; until then more of it is to be read.
func BeginsLabel(b []byte) (isLabel, decided bool) { return lex.BeginsLabel(b) }
