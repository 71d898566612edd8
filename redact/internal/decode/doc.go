// Package decode reads characters that are written in another way than they read: in backslashes, percents and
// character references, as a look-alike or within base64 and hexadecimal digits. What comes in are parts of a text of
// any size, what goes out is what they read as. It never fails: what is no escape reads as it is written.
package decode
