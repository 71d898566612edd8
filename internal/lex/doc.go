// Package lex holds what every rule of redact reads text with: classes of bytes, the state of a value of JSON that is
// read byte by byte, scalars of JSON, and markers. What comes in are bytes, of which nothing is kept.
package lex
