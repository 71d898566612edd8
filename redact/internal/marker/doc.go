// Package marker writes markers in place of matches, and counts them. What comes in are matches and
// what they read as; what goes out is [REDACTED:rule], or with numbers [REDACTED:rule:2]. Equal
// secrets of a rule have equal numbers, and of a secret no more is kept than a hash with a key of
// its own.
package marker
