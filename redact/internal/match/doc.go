// Package match keeps what was found in a text until it is passed on. What comes in are the bytes
// of a text as they read, and the stretches of it that rules find; what goes out are these
// stretches, joined where they touch, in order, and the bytes between them as they were written. No
// stretch begins before what has been passed on, and a stretch that was let in before its end was
// read grows with what is read.
package match
