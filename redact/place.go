package redact

import "bytes"

// Place is where in its input a match begins.
type Place struct {
	Offset int64 // bytes before it
	Line   int64 // from 1
	Column int64 // from 1, in bytes
}

// position is how much of its input a filter has taken in.
type position struct {
	offset int64
	lines  int64 // whole ones; counted only if somebody asks for places
	line   int64 // offset of the first byte after them
}

func (p *position) pass(part []byte, countLines bool) {
	if countLines {
		if end := bytes.LastIndexByte(part, '\n'); end >= 0 {
			p.lines += int64(bytes.Count(part, []byte{'\n'}))
			p.line = p.offset + int64(end) + 1
		}
	}
	p.offset += int64(len(part))
}

// place is that of an offset on the line at hand.
func (p *position) place(offset int64) Place {
	return Place{Offset: offset, Line: p.lines + 1, Column: offset - p.line + 1}
}
