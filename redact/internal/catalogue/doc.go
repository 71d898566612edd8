// Package catalogue holds the rules: the entries, in the order in which they name a match, and what
// is compiled from them, from files of rules, and from the names and fields that the caller chose.
// What comes in are Options; what goes out is a Set, which does not change and which any number of
// goroutines may use. No error quotes an entry.
package catalogue
