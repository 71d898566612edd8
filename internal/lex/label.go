package lex

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

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
		isScalar := IsLiteral(first) || jsonx.IsNumber(first)
		switch {
		case mark >= 0 && len(first) > 0 && (label[mark] != ',' || !isScalar): // [2026-01-02 03:04:05,678: INFO] ...
			return true, true
		case mark >= 0, isClosed && len(label) == 0:
			return false, true
		case !isClosed && (!isWhole || len(label) == 0):
			return false, isWhole
		case !IsLiteral(label) && !jsonx.IsNumber(label):
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

// MayBeJSON reports whether a line that begins with c may begin with a value of JSON, as BeginsJSON
// tells. isDocument says that JSON is likely: then a string, a number, or a comma with the next
// member or element of a value may begin it as well.
func MayBeJSON(c byte, isDocument bool) bool {
	return c == '{' || c == '[' || isDocument && (c == '"' || c == '-' || c == ',' || Digits.Has(c))
}

// BeginsJSON reports whether a line that begins with b begins with a value of JSON: an object, a
// list that is no label, a string or a number, or with a comma and more of a value. Beside a string,
// a number or a list of such nothing else stands on the line. It is decided by the first 256 bytes,
// or all of a line, or of the input if isEnd; until then more of it is to be read.
func BeginsJSON(b []byte, isEnd bool) (isJSON, decided bool) {
	if b[0] == '{' {
		return true, true
	}
	line := b[:min(len(b), LongestLabel)]
	if line[0] == '[' {
		first := Blank.Run(line, 1, len(line))
		if first < len(line) && line[first] == '{' {
			return true, true
		}
		if isWordOrDate(line[first:]) { // as in most labels
			return false, true
		}
		if isLabel, _ := BeginsLabel(b); isLabel {
			return false, true
		}
	}
	end := bytes.IndexByte(line, '\n')
	isWhole := isEnd || end >= 0 || len(line) == LongestLabel
	if end >= 0 {
		line = line[:end]
	}
	if line[0] == ',' {
		return goesOn(bytes.TrimLeft(line[1:], " \t\r"), isWhole)
	}
	var v Value
	for i, c := range line {
		after := line[i:]
		switch v.Read(c) {
		case ValueBroken:
			return false, true
		case ValueEnds:
			after = after[1:]
			fallthrough
		case ValueEnded:
			if after = bytes.TrimSpace(after); len(after) > 0 {
				return line[0] == '[' && (after[0] == '[' || after[0] == '{'), true
			}
			return HasScalars(line), isWhole
		}
	}
	if len(line) == LongestLabel { // the last word may go on
		line = line[:Scalars.RunBack(line, len(line), len(line))]
	}
	return HasScalars(line), isWhole
}

// isWordOrDate reports whether b begins with a word that is no literal, or with a date or a time.
func isWordOrDate(b []byte) bool {
	if len(b) == 0 || Letters.Has(b[0]) {
		return len(b) > 0 && b[0] != 't' && b[0] != 'f' && b[0] != 'n'
	}
	end := Digits.Run(b, 0, 5)
	return end > 0 && end < len(b) && (b[end] == '-' || b[end] == ':' || b[end] == '/')
}

// goesOn reports whether b, after a comma, begins with a member of an object, an object or a list.
func goesOn(b []byte, isWhole bool) (is, decided bool) {
	if len(b) == 0 || b[0] != '"' {
		return len(b) > 0 && (b[0] == '{' || b[0] == '['), isWhole || len(b) > 0
	}
	var key Value
	for i, c := range b {
		if key.Read(c) == ValueEnds {
			after := bytes.TrimLeft(b[i+1:], " \t\r")
			return len(after) > 0 && after[0] == ':', isWhole || len(after) > 0
		}
	}
	return false, isWhole
}

// HasScalars reports whether a value, which is in order otherwise, has no words in it except numbers
// and literals: code has.
func HasScalars(b []byte) bool {
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case Scalars.Has(c):
			end := Scalars.Run(b, i, len(b))
			if word := b[i:end]; !IsLiteral(word) && !jsonx.IsNumber(word) {
				return false
			}
			i = end - 1
		}
	}
	return true
}
