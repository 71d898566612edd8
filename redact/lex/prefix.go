package lex

import "bytes"

// PrefixEnd returns where a line begins that a program wrote with something before it: the number of
// cat -n and of the readers of files, those of grep with or without the name of a file, and the sign
// of a diff that was added. It is 0 if there is no such.
func PrefixEnd(line []byte) int {
	const longestNumber = 7
	at := Blank.Run(line, 0, len(line))
	if end := Digits.Run(line, at, longestNumber); end > at && end < len(line) {
		rest := line[end:]
		switch {
		case rest[0] == '\t':
			return end + 1
		case bytes.HasPrefix(rest, []byte("→")):
			return end + len("→")
		case at == 0 && (rest[0] == ':' || rest[0] == '-') && (end+1 == len(line) || !Digits.Has(line[end+1])):
			return end + 1
		case bytes.HasPrefix(rest, []byte(" | ")):
			return end + len(" | ")
		}
	}
	if len(line) > 0 && (line[0] == '+' || line[0] == '-') && !bytes.HasPrefix(line[1:], line[:1]) &&
		!(len(line) > 1 && line[1] == ' ' && (len(line) < 3 || line[2] != ' ')) {
		return 1
	}
	return pathEnd(line)
}

// pathEnd returns where what grep found begins after the name of a file and the number of a line.
func pathEnd(line []byte) int {
	const longestPath, longestNumber = 200, 7
	const path = Word | Slash | Dot | Dash | Plus | Punctuation
	end := path.Run(line, 0, longestPath)
	if end == 0 || end == len(line) || line[end] != ':' {
		// path-12-text
		for at := bytes.IndexByte(line[:end], '-'); at >= 0; {
			number := Digits.Run(line, at+1, longestNumber)
			if number > at+1 && number < len(line) && line[number] == '-' && bytes.IndexByte(line[:at], '.') > 0 {
				return number + 1
			}
			next := bytes.IndexByte(line[at+1:end], '-')
			if next < 0 {
				break
			}
			at += 1 + next
		}
		return 0
	}
	number := Digits.Run(line, end+1, longestNumber)
	if number == end+1 || number == len(line) || line[number] != ':' || bytes.IndexAny(line[:end], "./") < 0 {
		return 0
	}
	if column := Digits.Run(line, number+1, longestNumber); column > number+1 && column < len(line) && line[column] == ':' {
		return column + 1
	}
	return number + 1
}
