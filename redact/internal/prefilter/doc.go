// Package prefilter finds where a rule can match at all. Literals that every match of an expression holds become
// anchors, and one automaton looks for the anchors of all rules. Where no anchor is, no rule is asked.
package prefilter
