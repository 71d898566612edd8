// Package lines finds values whose name stands on another line: in the header of a table, in the
// list of columns of an INSERT, before a block or a collection of YAML, in a part of a form, in a
// command line that goes on. What comes in are the lines of a text, read up to any place of them;
// what goes out are matches, and the place from which on nothing is decided. What a line says of
// those after it never depends on where the text was cut, and what is kept of it is bounded.
package lines
