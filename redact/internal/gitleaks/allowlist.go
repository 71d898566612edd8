package gitleaks

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/kfw-dev/kfw/internal/lex"
)

// allowlist tells what a RuleFile says is no secret after all.
type allowlist struct {
	target    string // what the expressions are asked of: secret, match or line
	all       bool   // each of its conditions must hold, not any
	sources   []string
	words     [][]byte // in lower case; the secret holds one
	elsewhere bool     // it also asks for a path or a commit, of which a stream has none

	once    sync.Once
	regexes []*regexp.Regexp
}

// allows says whether a secret, which is part of match, which is part of line, is
// none.
func (a *allowlist) allows(secret, match, line []byte) bool {
	a.once.Do(func() {
		for _, source := range a.sources {
			a.regexes = append(a.regexes, regexp.MustCompile(source)) // which has been parsed before
		}
	})
	var holds, fails bool
	note := func(is bool) { holds, fails = holds || is, fails || !is }
	if len(a.regexes) > 0 {
		text := secret
		switch a.target {
		case "match":
			text = match
		case "line":
			text = line
		}
		note(matchesAny(a.regexes, text))
	}
	if len(a.words) > 0 {
		note(holdsAny(bytes.ToLower(secret), a.words))
	}
	if a.elsewhere {
		note(false)
	}
	if a.all {
		return holds && !fails
	}
	return holds
}

func matchesAny(regexes []*regexp.Regexp, text []byte) bool {
	for _, re := range regexes {
		if m := re.FindIndex(text); m != nil && m[1] > m[0] { // what matches nothing allows nothing
			return true
		}
	}
	return false
}

func holdsAny(text []byte, words [][]byte) bool {
	for _, word := range words {
		if bytes.Contains(text, word) {
			return true
		}
	}
	return false
}

// lineAround returns the line of text in which text[start:end] begins, to the end
// of the line in which it ends; but not what is far before.
func lineAround(text []byte, start, end int) []byte {
	from := max(0, start-lex.LookBehind/2)
	from += bytes.LastIndexByte(text[from:start], '\n') + 1
	if n := bytes.IndexByte(text[end:], '\n'); n >= 0 {
		return text[from : end+n]
	}
	return text[from:]
}
