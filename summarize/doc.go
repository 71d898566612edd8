// Package summarize says what a response holds in fewer words: facts over any
// number of records, tables of a few, and which record stands out. It is
// deterministic, does no I/O and keeps its memory constant.
//
// A map for the newcomer:
//
//   - summary.go: Summary, the one type that takes records in
//   - facts.go: what a Summary writes, and in which order detail is shed;
//     object.go writes it as JSON
//   - table.go: Tabulate, a window of records as rows: what is shed until it fits
//   - layout.go: what is known of the records of a table; columns.go: what
//     their columns tell; around.go: what is around them; row.go and cell.go
//     write them
//   - standout.go: which records stand out from the whole response: candidates,
//     weighed again at the end; early.go: the first records, which are, too;
//     rarewords.go, timeline.go and sequence.go find reasons, package sketch counts
//     words; notable.go tells what stands out
//   - rows.go, maps.go: where the records of a document are; nested.go: those in
//     larger ones; opened.go: those that came in parts; cells.go: arrays
//     that are rows; payload.go: JSON and lines in a string
//   - novelty.go: why a record stands out from what came before; errorwords.go:
//     which words name an error; errorlevels.go: which numbers do; errorline.go, errormark.go,
//     errortoken.go, lineverdict.go,
//     leveloftext.go, sourceline.go: whether a line reports the error that a word in it names;
//     errorrecord.go: whether a record does
//   - field.go: what is kept for one field; values.go, redacted.go and fieldnumbers.go are its parts, and package
//     value reads numbers, quantities and times; timeofline.go: the time that a line begins with
//   - phrases.go: the most frequent words of lines, pairs of words, paths and endings of files
//   - template.go: line templates; alone.go: lines that are alone in theirs; few.go: numbers and words in them of which
//     there are few; measures.go and labels.go: numbers beside the same word in any; mask.go: the
//     variables in a line; start.go and firstwords.go: what
//     templates have in common; knownwords.go and knownlines.go: what is known of words and lines
//     that came before; recognize.go: lines that are known without being cut
//     into words
//   - texts.go: the strings of a field by their form, as lines are; folders.go: paths and URLs by what they are in
//   - textrows.go: lines that are the rows of a table; textcolumns.go: its header, and how a row is cut into
//     cells; textheader.go: a header that may be a row; fieldnames.go: directives that name them;
//     logfmt.go: lines of names and values,
//     accesslog.go: those of web servers, samples.go: those of metrics and benchmarks,
//     syscalls.go: those of strace, inserts.go: those of dumps of databases, listing.go: those of
//     files,
//     keylines.go: names and their values in any, keyheadings.go: of what part of a record they
//     are, identity.go: of which record these are, section.go: the same of headings in output,
//     diagnostic.go: those of compilers, linters and grep, addresses.go: addresses in lines
//   - blocks.go: lines that belong to the one before: stack traces, hunks and
//     what is indented under a failure
//   - paths.go: the tree of field names
//
// Everything keyed by data has a cap, and what is written is exact or its name
// ends in "~".
package summarize
