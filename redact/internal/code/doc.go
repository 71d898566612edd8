// Package code tells whether the lines of a text are of a program. What comes in are the lines before
// a place and the current one up to it; what goes out is a verdict that depends on nothing else. It
// goes by syntax that languages share: how a statement begins and ends, calls, comments, and what
// only other kinds of text have, as times of a log, assignments of an environment and sentences.
package code
