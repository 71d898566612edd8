// Package decode reads encoded characters: escapes with a backslash, a percent sign or an ampersand, look-alikes, and
// text in base64 or hexadecimal digits. Parts of a text, of any size, come in, and the decoded text goes out. It never
// fails: a sequence that is no escape stays as it is.
package decode
