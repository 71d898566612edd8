// Package names knows the names of secrets, and where their values stand in a text: behind a sign, a flag or an
// element, on a command line, in a list. What comes in is a window of a text and a place in it; what goes out is a
// finding: the stretch to be replaced, no match, or that more of the text is needed. Within a window the answer never
// depends on how the text was cut.
package names
