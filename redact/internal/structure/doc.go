// Package structure holds the small machines that carry a sensitive name to its values through
// brackets and lines: lists of columns and their rows, values below a name, objects that name a
// secret, blocks of keys. What comes in are signs and scalars, in order; what goes out is the
// phrase that the next value falls under, or nil. What a machine keeps is bounded. The forms of
// what begins such a structure are here as well: they find nothing themselves.
package structure
