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
	if len(line) == 0 || !(Word | Slash | Dot).Has(line[0]) ||
		!bytes.ContainsAny(line[:min(len(line), longestPath)], "./") {
		return 0
	}
	const path = Word | Slash | Dot | Dash | Plus | Punctuation
	end := path.Run(line, 0, longestPath)
	number := end
	if end < len(line) && line[end] == ':' {
		number = Digits.Run(line, end+1, longestNumber)
	}
	if number <= end+1 || number == len(line) || line[number] != ':' || !bytes.ContainsAny(line[:end], "./") {
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
	if column := Digits.Run(line, number+1, longestNumber); column > number+1 && column < len(line) &&
		line[column] == ':' {
		return column + 1
	}
	return number + 1
}

// LongestPrefix is how much of a line tells whether it has something before its text, in bytes.
const LongestPrefix = 128

// AnyPrefixEnd is PrefixEnd for structures that go over lines, which logs have, too: a time, the name of a
// service and a bar, the job and the step of CI, the sign of a quotation.
func AnyPrefixEnd(line []byte) int {
	line = line[:min(len(line), LongestPrefix)]
	at := serviceEnd(line)
	if end := timeEnd(line, at); end > at {
		return end
	}
	if at > 0 {
		return at
	}
	if len(line) > 1 && line[0] == '>' && line[1] == ' ' {
		return 2
	}
	return PrefixEnd(line)
}

// serviceEnd returns where the text begins after the name of a service and a bar, as of docker compose, or
// after the job and the step that two tabs end.
func serviceEnd(line []byte) int {
	name := (NameOfKey | Slash).Run(line, 0, LongestPrefix)
	bar := Blank.Run(line, name, LongestPrefix)
	if name > 0 && bar > name && bar < len(line) && line[bar] == '|' && Letters.Has(line[0]) {
		if bar+1 < len(line) && line[bar+1] == ' ' {
			return bar + 2
		}
		return bar + 1
	}
	if step := bytes.IndexByte(line, '\t'); step > 0 {
		end := bytes.IndexByte(line[step+1:], '\t')
		if end > 0 && timeEnd(line, step+1+end+1) > step+1+end+1 {
			return step + 1 + end + 1
		}
	}
	return 0
}

// timeEnd returns where the text begins after a date and a time (RFC 3339), which may stand in brackets, or at.
func timeEnd(line []byte, at int) int {
	const ofTime = Digits | Dash | Colon | Dot | Plus | Comma
	begin := at
	if begin < len(line) && line[begin] == '[' {
		begin++
	}
	date := (Digits | Dash).Run(line, begin, LongestPrefix)
	if date-begin != len("2026-01-02") || date >= len(line) || line[date] != 'T' && line[date] != ' ' {
		return at
	}
	end := ofTime.Run(line, date+1, LongestPrefix)
	if end-date < len(" 03:04") || bytes.IndexByte(line[date:end], ':') < 0 {
		return at
	}
	if end < len(line) && line[end] == 'Z' {
		end++
	}
	if begin > at && end < len(line) && line[end] == ']' {
		end++
	}
	if end == len(line) || line[end] != ' ' && line[end] != '\t' {
		return at
	}
	return end + 1
}
