package names

import "strings"

// Group is a set of kinds of rules.
type Group uint8

const (
	Secrets Group = 1 << iota // what opens a door: tokens, keys, passwords
	PII                       // what tells who somebody is
	PCI                       // what moves somebody's money

	None Group = 0                   // no kind of rule
	All        = Secrets | PII | PCI // every kind
)

// Names returns what ParseGroups calls the groups, nothing for None.
func (g Group) Names() []string {
	names := []string{}
	for _, one := range []struct {
		group Group
		name  string
	}{{PII, "pii"}, {PCI, "pci"}, {Secrets, "secrets"}} {
		if g&one.group != 0 {
			names = append(names, one.name)
		}
	}
	return names
}

// String returns what ParseGroups reads.
func (g Group) String() string {
	if g == None {
		return "none"
	}
	return strings.Join(g.Names(), ",")
}
