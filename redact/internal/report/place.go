package report

import (
	"bytes"

	"github.com/kfw-dev/kfw/redact/internal/lines"
)

// Place is where in its input a match begins.
type Place struct {
	Offset int64 // bytes before it
	Line   int64 // from 1
	Column int64 // from 1, in bytes
}

// Position is how much of its input a filter has taken in.
type Position struct {
	Offset int64 // bytes
	lines  int64 // whole ones; counted only if somebody asks for places
	line   int64 // offset of the first byte after them
	starts [2 * lines.MaxUnnamedLines]int64
}

// Pass goes on after part. It keeps where the last lines begin: a match may show some lines late.
func (p *Position) Pass(part []byte, countLines bool) {
	if countLines {
		last := p.lines + int64(bytes.Count(part, []byte{'\n'}))
		end := len(part)
		for line := last; line > p.lines && line > last-int64(len(p.starts)); line-- {
			end = bytes.LastIndexByte(part[:end], '\n')
			p.starts[line%int64(len(p.starts))] = p.Offset + int64(end) + 1
		}
		p.lines = last
		p.line = p.starts[last%int64(len(p.starts))]
	}
	p.Offset += int64(len(part))
}

// PlaceOf returns the place of an offset on the current line, or on one of the last before it.
func (p *Position) PlaceOf(offset int64) Place {
	line, start := p.lines, p.line
	for n := 1; offset < start && line > 0 && n < len(p.starts); n++ {
		line--
		start = p.starts[line%int64(len(p.starts))]
	}
	return Place{Offset: offset, Line: line + 1, Column: offset - start + 1}
}
