// Package summarize says what a response holds in fewer words: facts over any
// number of records, and which record stands out. It is deterministic, does no
// I/O and keeps its memory constant. Records come in, one at a time; typed
// facts and outliers go out.
//
// A map for the newcomer:
//
//   - summary.go: [Summary], the one type that takes records in: what each is, and which part counts it
//   - facts.go: which facts a Summary tells, and in which order detail is shed; tree.go: how numbers are told
//   - outlines.go: the lines that an agent needs next, where the lines have a shape
//   - notable.go, standout.go, early.go: what stands out, weighed again at the end
//   - nested.go, opened.go, maps.go, payload.go, cells.go: where records are: in larger ones, in parts, in maps, in
//     strings
//   - lines.go, textrows.go, logfmt.go, keylines.go, diagnostic.go, blocks.go: lines, and what they are read as
//
// The parts are packages of their own, from the bottom up:
//
//   - sketch: cardinality, frequency and percentiles
//   - facts: the kinds of facts, and the tree of them that encoders walk
//   - surprise, worth: the scales on which reasons and facts are compared
//   - value: numbers, quantities and times in text
//   - mask: the words of a line, and what is variable in them
//   - lineclass: the level of a line, whether it reports an error, the verdict of a run
//   - formats: cutters of lines in known formats; a new one is a file there and a line in texttable
//   - drain: templates of lines
//   - structure: records, paths, maps and headings; places: the fields by number
//   - fields: what is counted of one field
//   - texttable: tables in lines; tabulate: tables of records
//   - outline: the shape of lines, source or a document, and the lines that it is told by
//   - outlier: candidates and their reasons; lineset: the lines of a response
//
// Everything keyed by data has a cap, and what is written is exact or its name
// ends in "~".
package summarize
