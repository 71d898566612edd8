// Package gitleaks reads files of rules in the form of gitleaks. What comes in is a config and those that it extends;
// what goes out are rules with anchors, whose expressions are asked only where an anchor stands. A rule that can't be
// used is an error, never left out.
package gitleaks
