package redact

import "github.com/kfw-dev/kfw/redact/names"

// Group is a set of kinds of rules.
type Group = names.Group

const (
	Secrets = names.Secrets // what opens a door: tokens, keys, passwords
	PII     = names.PII     // what tells who somebody is
	PCI     = names.PCI     // what moves somebody's money

	None = names.None
	All  = names.All
)

// Reason is why there is a match.
type Reason = names.Reason
