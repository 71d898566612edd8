// Package structure says where the values of a response are: records and their paths, the objects and
// arrays that hold records, arrays that are rows of a table, objects that are maps, and JSON in strings.
// Chunks come in; places go out, numbered from the root.
//
// A tree of places has a bounded number of nodes; places past it are one, Other.
package structure
