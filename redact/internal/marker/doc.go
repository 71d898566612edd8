// Package marker writes markers in place of matches, and counts them. Matches with their decoded text come in, and
// [REDACTED:rule], or with numbers [REDACTED:rule:2], goes out. Equal secrets of a rule have equal numbers, and of a
// secret no more is kept than a hash with a key of its own.
package marker
