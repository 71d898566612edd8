// Package commands follows command lines that are lists: an array of JSON, the items of a list of
// YAML, the strings of a Dockerfile, a line that goes on over its end. What comes in are arguments,
// in order; what goes out is where in an argument the secret stands that the synopsis of its
// program tells. Of a command line no more is kept than its program, the commands of that and the
// last flag.
package commands
