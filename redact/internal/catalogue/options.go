package catalogue

import (
	"fmt"
	"strings"

	"github.com/kfw-dev/kfw/redact/internal/gitleaks"
	"github.com/kfw-dev/kfw/redact/internal/names"
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

// Options is redact.Options, which documents the fields.
type Options struct {
	Groups                   names.Group
	Off                      bool
	AllowFields              []string
	Numbered                 bool
	Files                    []*gitleaks.RuleFile
	RedactFields, KeepFields []string
	Allow                    []string
}
