// Package summarize says what a response holds in fewer words: facts over any number of records. It is deterministic,
// does no I/O and keeps its memory constant. Records come in, one at a time; typed facts go out.
//
// A map for the newcomer:
//
//   - summary.go: [Summary], the one type that takes records in: what each is, and which part counts it
//   - facts.go: which facts a Summary tells, and in which order detail is shed; factwriter.go: how numbers are shown
//   - bases.go, recordnested.go, opened.go, recordmaps.go, stringreader.go: where records are: in larger ones, in
//     parts, in maps, in strings
//   - linereader.go, linesalone.go, linekeys.go, tabletrial.go, tableheader.go: lines, and what they are read as
//
// The parts are packages of their own in internal/summarize, from the bottom up:
//
//   - sketch: cardinality and frequency
//   - facts: the kinds of facts, and the tree of them that encoders walk
//   - worth: the scale on which facts are compared
//   - value: numbers, quantities and times in text
//   - mask: the words of a line, and what is variable in them
//   - lineclass: the level of a line, whether it reports an error, the verdict of a run
//   - formats: names with values and listings of files, cut into fields
//   - drain: templates of lines
//   - structure: records, paths, maps and names of columns; places: the fields by number
//   - fields: what is counted of one field
//   - texttable: tables in lines; tabulate: tables of records
//   - lineset: the lines of a response
//   - excerpt: which lines and records a page shows
//
// Everything keyed by data has a cap, and what is written is exact or its name
// ends in "~".
package summarize
