package lex

import "bytes"

// LongestLabel is how much of an input is read to tell a label from JSON, in bytes.
const LongestLabel = 256

// BeginsLabel says whether b, which begins with a bracket, is a line of text with a label before
// it, or a heading, and no JSON: [INFO] ..., [ 0.014938] ..., [1/300] ..., [2026-01-02
// 03:04:05,678: INFO] ..., [0.038s][info] ..., [section]. It is decided by the first 256 bytes, or
// all of a line; until then more of it is to be read.
func BeginsLabel(b []byte) (isLabel, decided bool) {
	line := b[:min(len(b), LongestLabel)]
	end := bytes.IndexByte(line, '\n')
	isWhole := end >= 0 || len(line) == LongestLabel
	if end >= 0 {
		line = line[:end]
	}
	for { // a number in brackets may stand before another label
		label, after, isClosed := bytes.Cut(line[1:], []byte{']'})
		label, after = bytes.TrimSpace(label), bytes.TrimSpace(after)
		mark := bytes.IndexAny(label, `"{[,`)
		first := bytes.TrimSpace(label[:max(mark, 0)])
		isScalar := IsLiteral(first) || IsNumber(first)
		switch {
		case mark >= 0 && len(first) > 0 && (label[mark] != ',' || !isScalar): // [2026-01-02 03:04:05,678: INFO] ...
			return true, true
		case mark >= 0, isClosed && len(label) == 0:
			return false, true
		case !isClosed && (!isWhole || len(label) == 0):
			return false, isWhole
		case !IsLiteral(label) && !IsNumber(label):
			return true, true
		case !isClosed:
			return false, true
		case len(after) == 0:
			return false, isWhole
		case after[0] != '[':
			return after[0] != '{', true
		}
		line = after
	}
}
