package redact

import (
	"bytes"
	"encoding/json"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/catalogue"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// Arguments returns the redaction of a command line: a program and its arguments. A value that synopses know for
// no program is taken out as well if it looks like a secret, and so is an argument that looks made by a machine.
// AllowFields does not apply. What can't be redacted is withheld.
func (r *Rules) Arguments(argv []string) []string {
	if r.set.PassAll || len(argv) == 0 {
		return argv
	}
	var line bytes.Buffer
	to := json.NewEncoder(&line)
	to.SetEscapeHTML(false)
	if err := to.Encode(append([]string{names.AnyProgram}, argv...)); err != nil {
		return withheld(argv)
	}
	var redacted []string
	err := json.Unmarshal(r.Value(nil, bytes.TrimRight(line.Bytes(), "\n"), JSON), &redacted)
	if err != nil || len(redacted) != len(argv)+1 {
		return withheld(argv)
	}
	redacted = redacted[1:]
	if r.set.Groups&names.Secrets == names.None {
		return redacted
	}
	for i, argument := range redacted {
		if v := []byte(argument); i > 0 && isMadeArgument(v) {
			redacted[i] = lex.MarkerStart + "generic_secret]"
		}
	}
	return redacted
}

// isMadeArgument reports whether an argument is more likely a secret than a name, a path or an id.
func isMadeArgument(v []byte) bool {
	return len(v) > 0 && v[0] != '-' && lex.NonSpace.Within(v) && !bytes.Contains(v, []byte(lex.MarkerStart)) &&
		(candidate.IsMade(v) || candidate.IsStrong(v)) && !candidate.IsIdentifier(v) && !candidate.IsReplica(v) &&
		!bytes.ContainsAny(v, "/=:@")
}

// withheld returns a command line without its arguments.
func withheld(argv []string) []string {
	redacted := make([]string, len(argv))
	for i := range redacted {
		redacted[i] = lex.MarkerStart + catalogue.NotARecord + "]"
	}
	return redacted
}
