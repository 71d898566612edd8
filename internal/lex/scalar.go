package lex

import "strings"

// ByteOrderMark is passed over at the start of an input and of a line.
const ByteOrderMark = "\xef\xbb\xbf"

// IsNumberByte reports whether c may stand in a number of JSON.
func IsNumberByte(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

// EndsToken says whether c may follow a number or a word.
func EndsToken(c byte) bool { return strings.IndexByte(" \t\r\n,:]}[{\"", c) >= 0 }

// IsLiteral reports whether tok is one of the words that a JSON value may be.
func IsLiteral(tok []byte) bool {
	switch string(tok) {
	case "true", "false", "null", "NaN", "Infinity": // the last two as Python writes them
		return true
	}
	return false
}

// ObjectBegin is what an object with members begins with within a line.
const ObjectBegin = `{"`
