package lex

const (
	// LookBehind is how much of what has been passed on is kept, as it was read,
	// for rules that look at what stands before a match.
	LookBehind = 1 << 10
	// MaxLook is how far beyond its anchor a rule may look before it decides.
	MaxLook = 768
	// MaxLead is how far before its anchor a match may start.
	MaxLead = 96
)
