package names

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/code"
)

// What a program has where the value of a name would be: a type, an expression, the next statement.

// lookForBracket is how far before a name it is looked for the bracket that it stands in, in bytes.
const lookForBracket = 256

// inBrackets reports whether the name at i stands in a { or a ( that is open on its line.
func inBrackets(b []byte, i int) bool {
	closed := 0
	for from := max(0, i-lookForBracket); i > from; i-- {
		switch b[i-1] {
		case '\n':
			return false
		case '}', ')':
			closed++
		case '{', '(':
			if closed--; closed < 0 {
				return true
			}
		}
	}
	return false
}

// codeEnd returns where the value w.text[start:to], which is in no quotes, ends in a program or a
// row of fields: before a bracket that closes the one it stands in, before a comma or a semicolon
// after which the next name or statement begins, and at any comma in a row of CSV. It may begin
// with a marker that ends at from.
func codeEnd(w Window, start, from, to int) int {
	const sign = lex.Paren | lex.Comma | lex.Punctuation
	b := w.Text[:to]
	i := w.Run(lex.Everything&^sign, from, to-from)
	if i == to {
		return to
	}
	isInside, isRow := inBrackets(b, start), isOfCSV(b, start, len(b))
	open := 0
	for ; i < len(b); i = (lex.Everything &^ sign).Run(b, i+1, len(b)) {
		head := b[start:i]
		isMarker := i == from && from > start
		switch b[i] {
		case '(', '{', '[':
			if open++; open == 1 && !isClosed(b[i:]) {
				return len(b) // an open bracket, and no closing one
			}
		case ']':
			open = max(0, open-1)
		case ')', '}':
			if open--; open < 0 {
				if isInside || isMarker || isCode(head) {
					return i
				}
				open = 0
			}
		case ',', ';':
			if len(head) == 0 && b[i] == ',' && isRow && bytes.IndexByte(b[max(0, start-longestCell):start], ',') >= 0 {
				return i // the cell ends without a value
			}
			if open > 0 || len(head) == 0 {
				continue
			}
			isStatement := i+1 < len(b) && lex.Letters.Has(b[i+1]) &&
				(isMarker || isInside && candidate.IsVariable(head) || isCode(head) || isObjectName(head))
			if isStatement || beginsNext(b, i+1) || b[i] == ',' && isRow {
				return i
			}
		}
	}
	return len(b)
}

// isClosed reports whether v has a closing bracket.
func isClosed(v []byte) bool {
	return bytes.IndexByte(v, ')') >= 0 || bytes.IndexByte(v, '}') >= 0 || bytes.IndexByte(v, ']') >= 0
}

// longestCell is how much of a row is read back for the comma before a cell, in bytes.
const longestCell = 128

// isOfCSV reports whether the value b[start:end] stands in a row of fields apart by commas: there is one
// before it, or there are two in it.
func isOfCSV(b []byte, start, end int) bool {
	switch bytes.Count(b[start:end], []byte{','}) {
	case 0:
		return false
	case 1:
	default:
		return true
	}
	for from := max(0, start-longestCell); start > from; start-- {
		switch b[start-1] {
		case ';', '\n':
			return false
		case ',':
			return !lex.Whitespace.Has(b[start])
		}
	}
	return false
}

// beginsNext reports whether a name that is given a value, or called, begins at i after blanks.
func beginsNext(b []byte, i int) bool {
	const longest = 64
	i = lex.Blank.Run(b, i, 4)
	from := lex.Quote.Run(b, i, 1)
	end := (lex.NameOfKey | lex.Dollar).Run(b, from, longest)
	if end == from || lex.Digits.Has(b[from]) || end == len(b) {
		return false
	}
	if from > i {
		end = lex.Quote.Run(b, end, 1)
	}
	return end < len(b) && (b[end] == '=' || b[end] == ':' || b[end] == '(')
}

// isCode reports whether v is an expression of a program: names that signs join, such as a.b, a?.b,
// this.#a, a||b, !0, or the begin of a call.
func isCode(v []byte) bool {
	is, _ := readCode(v)
	return is
}

// isOperation reports whether v is such an expression with another sign than dots.
func isOperation(v []byte) bool {
	is, hasSign := readCode(v)
	return is && hasSign
}

func readCode(v []byte) (is, hasSign bool) {
	const longestName = 40
	joins := 0
	for i := 0; i < len(v); {
		isNegated := v[i] == '!' || v[i] == '#'
		if isNegated {
			i++
		}
		end := (lex.Word | lex.Dollar).Run(v, i, longestName)
		name := v[i:end]
		if len(name) == 0 || len(name) == longestName || lex.Digits.Has(name[0]) && len(name) > 1 ||
			candidate.IsMade(name) {
			return false, false
		}
		if isNegated && (lex.Digits.Has(name[0]) || joins > 0 || end < len(v)) { // not !word
			hasSign = true
		}
		if end == len(v) {
			return joins > 0 || hasSign, hasSign
		}
		join := joinEnd(v, end)
		switch {
		case join > end:
			hasSign = hasSign || join > end+1
		case v[end] == '(' || v[end] == '[' || end+1 == len(v) && v[end] == '!':
			return true, hasSign
		default:
			return false, false
		}
		joins++
		i = join
	}
	return false, false
}

// joinEnd returns the end of what joins two operands at i, or i.
func joinEnd(v []byte, i int) int {
	for _, join := range []string{"?.", "!.", ".#", "::", "||", "&&", "??", "===", "!==", "==", "!=", "."} {
		if bytes.HasPrefix(v[i:], []byte(join)) && i+len(join) < len(v) {
			return i + len(join)
		}
	}
	return i
}

// typeNames are types that many languages have, and the names of their literals.
var typeNames = set(`null none undefined string str number int bool boolean bytes byte any unknown never void object false true
	nil float double char short long rune error uintptr size_t int8 int16 int32 int64 uint uint8 uint16 uint32 uint64
	float32 float64 strings i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 usize isize`)

// IsTypeName reports whether v is a type that many languages have.
func IsTypeName(v []byte) bool {
	const longest = 12
	var lower [longest]byte
	return len(v) <= longest && typeNames[string(candidate.AppendLower(lower[:0], v))]
}

// isObjectName reports whether v is how Java writes an object that has no text: a class of a package,
// and a number in hexadecimal digits.
func isObjectName(v []byte) bool {
	const longest = 8
	at := bytes.IndexByte(v, '@')
	if at < 1 || len(v)-at-1 < 1 || len(v)-at-1 > longest {
		return false
	}
	class := v[:at]
	name := bytes.LastIndexByte(class, '.')
	return name > 0 && name+1 < at && (lex.Upper | lex.HexUpper).Has(class[name+1]) &&
		(lex.Word | lex.Dot | lex.Dollar).Within(class) &&
		lex.LowerHex.Within(v[at+1:])
}

// isSentence reports whether v is words of a text: three at least, of letters alone, and fewer than a
// secret of words has.
func isSentence(v []byte) bool {
	const least, most = 3, 12
	if bytes.IndexByte(v, ' ') < 0 {
		return false
	}
	n := 0
	for part := range bytes.FieldsSeq(v) {
		if part = bytes.Trim(part, ".,:;!?'-()%\""); len(part) == 0 {
			continue
		}
		if !(lex.Letters | lex.Quote | lex.Dash | lex.Slash).Within(part) {
			return false
		}
		n++
	}
	return n >= least && n < most
}

// IsCode reports whether the line of text[at] is of a program, by votes of its own that are at least so
// many and those of the lines before. It is false for a line that is looked at to see if it is clean: what
// stands before it is not known there.
func (w Window) IsCode(at, least int) bool {
	if len(w.Text) == 0 || w.Programs.First != &w.Text[0] {
		return false
	}
	from := max(0, at-code.Look)
	line := from + bytes.LastIndexByte(w.Text[from:at], '\n') + 1
	if line == from && from > 0 {
		return false
	}
	if w.Before == nil || w.Before.AreOfText() {
		w.before = w.Text[from:line]
		return code.Is(&w.before, w.Text[line:at], least)
	}
	return code.Is(w.Before, w.Before.WithIndent(w.Text[line:at]), least)
}

// LineBefore returns the line before the one of text[at], without the prefix of each line, as far
// as the window still has it.
func (w Window) LineBefore(at int) []byte {
	line := bytes.LastIndexByte(w.Text[:at], '\n') + 1
	if line == 0 && w.Before != nil && !w.Before.AreOfText() {
		return w.Before.Last()
	}
	before := w.Text[:max(0, line-1)]
	return before[bytes.LastIndexByte(before, '\n')+1:]
}

// isVariableOfCode reports whether the value x of the name at start, without quotes, is a variable that a
// program has there: a word of letters in a bracket that is open on a line of a program.
func isVariableOfCode(w Window, start int, x Finding) bool {
	return !lex.Quote.Has(w.Text[x.Start-1]) && (lex.Letters | lex.Underscore).Within(w.Text[x.Start:x.End]) &&
		inBrackets(w.Text, start) && w.IsExpression(x.Start)
}

// IsExpression reports whether what is at i, without quotes, is of a program and not in a string of it.
func (w Window) IsExpression(i int) bool {
	line := w.Text[max(0, i-code.Look):i]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	for _, quote := range []byte("\"'`") {
		if bytes.Count(line, []byte{quote})%2 == 1 {
			return false
		}
	}
	return w.IsCode(i, code.Itself)
}
