package summarize

import (
	"github.com/kfw-dev/kfw/internal/summarize/formats"
	"github.com/kfw-dev/kfw/internal/summarize/texttable"
)

// lineReader takes in lines: as rows of a table, pairs, a name and its value, parts of a block, or by their form.
type lineReader struct {
	*Summary

	table        texttable.Table // in the lines
	pairs        formats.Pairs   // in the current line
	unescaped    []byte          // the current line, without escapes
	partsOfLines int             // that go on with one
	lastKey      int             // the field of the last line that was a name and its value
	arePairsCut  bool            // some line has pairs past what is read of it: what is counted of pairs is an estimate
	namesVary    bool            // what such lines begin with is no key, by what is known so far
	lineFields   *lineFields     // of the lines, nil if they are not wanted
}
