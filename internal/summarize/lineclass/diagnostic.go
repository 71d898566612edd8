package lineclass

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

// DiagnosticNames are those of the keys of a diagnostic.
var DiagnosticNames = struct{ File, Severity, Code []byte }{[]byte("file"), []byte("severity"), []byte("code")}

const longestCode = 40 // bytes

// diagnostic is what such a line begins with. What it does not have is empty.
type diagnostic struct{ File, Severity, Code []byte }

// severities are those that compilers and linters name.
var severities = [...]string{
	"error", "fatal error", "fatal", "warning", "note", "info", "information", "hint", "remark", "style",
	"performance", "portability",
}

// CutDiagnostic cuts a line of a compiler, a linter or a search that begins with a place in a file,
// or with a severity and a code: "x.go:12:7: error: text [E1]", "error[E0382]: text". ok is false
// for any other line. The parts are lent from line.
func CutDiagnostic(line []byte) (d diagnostic, ok bool) {
	if arrow, found := bytes.CutPrefix(ascii.TrimBlanks(line), []byte("--> ")); found { // as rustc has it
		line = arrow
	}
	file, text, ok := CutPlace(line)
	if !ok {
		return cutCodedError(line)
	}
	d.File = file
	if len(text) < 2 || text[0] != ' ' || ascii.IsBlank(text[1]) {
		return d, true // as grep has it
	}
	text = bytes.TrimRight(text[1:], " \t")
	if name, rest, found := bytes.Cut(text, []byte(": ")); found {
		if severity, code, isOne := cutSeverity(name); isOne {
			d.Severity, d.Code, text = severity, code, rest
		}
	}
	if len(d.Code) == 0 {
		d.Code = codeIn(text)
	}
	return d, true
}

// cutCodedError cuts a line that begins with a severity and a code, the place of which is elsewhere.
func cutCodedError(line []byte) (d diagnostic, ok bool) {
	if len(line) > 0 && 'a' <= line[0] && line[0] <= 'z' {
		name, _, _ := bytes.Cut(line[:min(len(line), 2*longestCode)], []byte(": "))
		d.Severity, d.Code, ok = cutSeverity(name)
	}
	return d, ok && len(d.Code) > 0
}

// CutPlace cuts a line that begins with the path of a file and a number of a line of it: "x.go:12: text", "x.go:12:7:
// text", "x.ts(12,7): text".
func CutPlace(line []byte) (file, text []byte, ok bool) {
	end := 0
	for end < len(line) && !ascii.IsBlank(line[end]) && line[end] != ':' && line[end] != '(' {
		end++
	}
	file = line[:end]
	digits := ascii.LeadingDigits(line[min(end+1, len(line)):])
	rest := line[min(end+1+digits, len(line)):]
	switch {
	case end == 0 || digits == 0 || len(rest) == 0:
		return nil, nil, false
	case line[end] == '(':
		if rest[0] == ',' {
			rest = rest[1+ascii.LeadingDigits(rest[1:]):]
		}
		text, ok = bytes.CutPrefix(rest, []byte("):"))
		return file, text, ok && isFile(file, false)
	case rest[0] != ':':
		return nil, nil, false
	}
	text = rest[1:]
	column := ascii.LeadingDigits(text)
	hasColumn := column > 0 && column < len(text) && text[column] == ':'
	if hasColumn {
		text = text[column+1:]
	}
	return file, text, isFile(file, hasColumn && beginsWithSeverity(text))
}

// beginsWithSeverity reports whether a severity is the first word of a text, as compilers write it: " error: ", " C: ".
func beginsWithSeverity(text []byte) bool {
	if len(text) == 0 || text[0] != ' ' {
		return false
	}
	name, _, found := bytes.Cut(text[1:min(len(text), longestCode)], []byte{':'})
	_, _, isOne := cutSeverity(name)
	return found && isOne
}

// filesWithoutEnding are those that many projects have.
var filesWithoutEnding = [...]string{
	"Makefile", "Dockerfile", "Containerfile", "Gemfile", "Rakefile", "Jenkinsfile", "Vagrantfile", "Procfile",
	"Brewfile", "Podfile",
	"Justfile", "Guardfile", "Capfile", "Fastfile", "Berksfile",
}

// isFile says whether a word is the path or the name of a file, and not that of a host, which has a port after it:
// one with an ending, or called as many are that have none, or in a folder if two numbers and a severity come after
// it.
func isFile(word []byte, hasSeverity bool) bool {
	ending := mask.FileEnding(word)
	hasFolder := bytes.IndexByte(word, '/') >= 0
	switch {
	case bytes.Contains(word, []byte("//")):
		return false
	case len(ending) == 0:
		name := word[bytes.LastIndexByte(word, '/')+1:]
		return slices.Contains(filesWithoutEnding[:], string(name)) || hasFolder && hasSeverity &&
			!ascii.IsDigit(word[0])
	case hasFolder:
		return true
	}
	for _, domain := range topDomains {
		if string(ending) == domain {
			return false
		}
	}
	return ascii.IsLetter(word[0])
}

// topDomains are what the names of most hosts end with that are no endings of files of source code.
var topDomains = [...]string{".com", ".org", ".net", ".edu", ".gov", ".io", ".dev", ".app", ".cloud", ".local",
	".internal", ".lan", ".home", ".test"}

// cutSeverity cuts what is before the text of a message: "warning", "error TS2307", "error[E0382]", or a capital.
func cutSeverity(name []byte) (severity, code []byte, ok bool) {
	if len(name) == 1 && ascii.IsUpper(name[0]) {
		return name, nil, true
	}
	for _, s := range severities {
		rest, found := bytes.CutPrefix(name, []byte(s))
		switch {
		case !found:
		case len(rest) == 0:
			return name, nil, true
		case rest[0] == ' ' && isRuleCode(rest[1:]):
			return name[:len(s)], rest[1:], true
		case rest[0] == '[' && rest[len(rest)-1] == ']' && isRuleCode(rest[1:len(rest)-1]):
			return name[:len(s)], rest[1 : len(rest)-1], true
		}
	}
	return nil, nil, false
}

// codeIn returns the code that a text ends with, in brackets after a blank, or that it begins with: capitals and
// digits, or the name of a rule in a group of them, as Layout/LineLength.
func codeIn(text []byte) []byte {
	if len(text) == 0 {
		return nil
	}
	if last := text[len(text)-1]; last == ')' || last == ']' {
		opening := byte('(')
		if last == ']' {
			opening = '['
		}
		at := bytes.LastIndexByte(text, opening)
		if at > 0 && text[at-1] == ' ' && isRuleCode(text[at+1:len(text)-1]) {
			return text[at+1 : len(text)-1]
		}
	}
	word, _, _ := bytes.Cut(text, []byte{' '})
	word, hasColon := bytes.CutSuffix(word, []byte{':'})
	if hasColon && len(word) > 0 && ascii.IsUpper(word[0]) && bytes.IndexByte(word, '/') > 0 && isRuleCode(word) {
		return word
	}
	capitals := 0
	for capitals < len(word) && ascii.IsUpper(word[capitals]) {
		capitals++
	}
	if digits := ascii.LeadingDigits(word[capitals:]); capitals > 0 && digits > 1 && capitals+digits == len(word) {
		return word
	}
	return nil
}

// isRuleCode says whether a text may be the code of a message, or the name of the rule that has it: TS2307, -Wformat=,
// no-unused-vars, @typescript-eslint/ban-types.
func isRuleCode(text []byte) bool {
	letters := 0
	for _, c := range text {
		switch {
		case ascii.IsLetter(c):
			letters++
		case !ascii.IsDigit(c) && bytes.IndexByte([]byte("-_/@.=+:,"), c) < 0:
			return false
		}
	}
	return letters > 0 && len(text) <= longestCode
}
