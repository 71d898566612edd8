// Package formats cuts lines of known formats into fields: access logs, logfmt, listings of files,
// names with values. A line comes in; fields go out, as parts of the line, or nothing if it is of another format.
//
// A cutter keeps at most what one line needs.
package formats
