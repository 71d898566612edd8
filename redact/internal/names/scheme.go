package names

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
)

// afterScheme skips the word that tells the kind of credentials: Bearer, Basic.
func afterScheme(w Window, start int) int {
	const longest = 24
	end := (lex.Alnum | lex.Dash).Run(w.Text, start, longest)
	if end == start || end == len(w.Text) || !lex.Blank.Has(w.Text[end]) {
		return start
	}
	return lex.Blank.Run(w.Text, end, 4)
}

// isSchemeWord says whether v is a word that tells the kind of credentials.
func isSchemeWord(v []byte) bool {
	return lex.EqualFold(v, "basic") || lex.EqualFold(v, "bearer") || lex.EqualFold(v, "digest") ||
		lex.EqualFold(v, "negotiate")
}

// isSchemeAlone says whether after the word that tells the kind of credentials v has none,
// but what stands for them: "Basic " + x, "Bearer %s".
func isSchemeAlone(v []byte) bool {
	if name := lex.Letters.Run(v, 0, len(v)); bytes.HasPrefix(v[name:], []byte(": ")) && isHeader(v[:name]) {
		if v = v[name+2:]; len(v) == 0 {
			return true
		}
	}
	scheme := (lex.Alnum | lex.Dash).Run(v, 0, len(v))
	rest := bytes.TrimLeft(v[scheme:], " ")
	return v[0] == ',' || scheme < len(v) &&
		(len(rest) == 0 || v[scheme] == ' ' && (candidate.IsPlaceholder(rest, true) || isParameter(rest)))
}

// isParameter says whether v is the name of a parameter of credentials and no more: Auth=.
func isParameter(v []byte) bool {
	const longest = 12
	name, found := bytes.CutSuffix(v, []byte{'='})
	return found && len(name) > 0 && len(name) <= longest && lex.Letters.Within(name) && !candidate.IsScrambled(name)
}
