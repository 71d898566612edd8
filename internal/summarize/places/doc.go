// Package places holds the places of a response, numbered from the root, with the field of each: what
// is counted of the values there, and the room in bytes that all of them have left. Paths and names
// come in; numbers of places go out, and how places lie in each other.
//
// A Places has a bounded number of places; names past it are counted as further ones.
package places
