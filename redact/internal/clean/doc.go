// Package clean finds whole lines that hold nothing to redact, so that they are passed on as they
// are, without being taken apart. What comes in are lines as they are written; what goes out is
// where the clean ones end. A line that can't be told to be clean is none, so this is a matter of
// speed alone.
package clean
