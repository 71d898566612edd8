package catalogue

import (
	"fmt"
	"strings"

	"github.com/kfw-dev/kfw/redact/gitleaks"
	"github.com/kfw-dev/kfw/redact/names"
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
	// Groups are the groups of rules that redact: secrets, personal data, card data. None means All.
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
	// RULE@PATH: the names of the objects around it, with dots between. A * stands for any name,
	// arrays do not count, and a backslash stands before a dot, a * or a backslash of a name.
	Allow []string
}
