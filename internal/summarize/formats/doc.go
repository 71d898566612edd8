// Package formats cuts lines of known formats into fields: access logs, logfmt, inserts of SQL,
// listings of files, samples of metrics and of benchmarks, calls of strace, names with values. A line
// comes in; fields go out, as parts of the line, or nothing if it is of another format.
//
// A cutter keeps at most what one line needs, and Inserts the columns of the tables that it saw made.
package formats
