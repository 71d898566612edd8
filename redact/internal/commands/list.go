package commands

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

// ArgumentList is the form of a secret in a command line that is a list of strings within text, as
// a Dockerfile and programs have it: CMD ["docker", "login", "-p", "x"].
type ArgumentList struct {
	Forms []names.Form // of secrets on command lines, asked in turn
}

// Find implements names.Form.
func (f ArgumentList) Find(w names.Window, at, to int) names.Finding {
	b := w.Text
	if begin := (lex.NameOfKey | lex.Slash).RunBack(b, at, structure.MaxArgument); begin > 0 &&
		lex.Quote.Has(b[begin-1]) &&
		w.Cut(to+1) {
		return names.Finding{Verdict: names.Undecided, Start: to}
	}
	if f.Excludes(b, at, to) {
		return names.Finding{}
	}
	var c Line
	first := names.Finding{}
	for begin, end := (lex.NameOfKey|lex.Slash).RunBack(b, at, structure.MaxArgument), to; ; {
		c.Add(b[begin:min(end, begin+structure.MaxArgument)])
		begin = nextArgument(b, end)
		if w.Cut(begin + 1) {
			return names.Finding{Verdict: names.Undecided, Start: to}
		}
		if begin == end || begin >= len(b) || begin-to > lex.MaxLook/2 {
			return first
		}
		size := bytes.IndexByte(b[begin:min(len(b), begin+names.LongestSecret)], b[begin-1])
		if size < 0 && len(b) < begin+names.LongestSecret && !w.End {
			return names.Finding{Verdict: names.Undecided, Start: to}
		}
		if size <= 0 {
			return first
		}
		end = begin + size
		for _, one := range f.Forms {
			from, last := c.SecretIn(b[begin:end], one, w.Around)
			if from == last {
				continue
			}
			if w.Add(begin+from, begin+last); first.Verdict == names.NoMatch {
				first = names.Finding{Verdict: names.Match, Start: begin + from, End: begin + last}
			}
		}
	}
}

// Excludes implements detect.Excluder: the name of the program is all of a string that another one
// follows.
func (ArgumentList) Excludes(b []byte, at, to int) bool {
	begin := (lex.NameOfKey | lex.Slash).RunBack(b, at, structure.MaxArgument)
	return begin == 0 || to+1 >= len(b) || !lex.Quote.Has(b[to]) || b[begin-1] != b[to] || b[to+1] != ',' ||
		!isProgram(names.ProgramIn(b[begin:to]))
}

// nextArgument returns where the string begins that follows one that ends at i, or i if there is
// none.
func nextArgument(b []byte, i int) int {
	next := names.SkipBlanks(b, i+1)
	if next >= len(b) || b[next] != ',' {
		return i
	}
	if next = names.SkipBlanks(b, next+1); next < len(b) && !lex.Quote.Has(b[next]) {
		return i
	}
	return next + 1
}
