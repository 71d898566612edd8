package redact

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/redact/lex"
	"github.com/kfw-dev/kfw/redact/match"
	"github.com/kfw-dev/kfw/redact/names"
	"github.com/kfw-dev/kfw/redact/structure"
)

const (
	maxCommand = 64 // of what a command line begins with
)

// commandLine is what is known of a command line that is an array of strings, as far as it
// tells how the program takes a password: ["docker","login","-p","x"]. It is empty unless a
// string before was the name of a program that does.
type commandLine struct {
	text [maxCommand + structure.MaxArgument + 2]byte
	size int // without the last argument
	flag int // with it, if that is a flag
}

// add goes on after an argument.
func (c *commandLine) add(argument []byte) {
	const begin = 8 // what is kept of an operand that is no command
	switch name := names.ProgramIn(argument); {
	case isProgram(name):
		c.size = copy(c.text[:], name)
	case c.size == 0:
		return
	case len(argument) == 0 || argument[0] == '-':
	case (lex.Letters | lex.Dash | lex.Underscore | lex.Colon).Within(argument) && c.size+1+len(argument) <= maxCommand:
		c.text[c.size] = ' '
		c.size += 1 + copy(c.text[c.size+1:], argument)
	case c.size+1+begin <= maxCommand:
		c.text[c.size], c.text[c.size+1] = ' ', 'x'
		if operand := argument[:min(len(argument), begin)]; (lex.NonSpace &^ lex.Quote).Within(operand) {
			c.size += 1 + copy(c.text[c.size+1:], operand)
		} else {
			c.size += 2
		}
	}
	c.flag = c.size
	if len(argument) > 1 && argument[0] == '-' && lex.NameOfKey.Within(argument) {
		c.text[c.size] = ' '
		c.flag += 1 + copy(c.text[c.size+1:], argument)
	}
}

// isOpen says whether an argument may follow.
func (c *commandLine) isOpen() bool { return c.size > 0 }

// beforeArgument returns what stands before the next argument: its last sign is a quote, since all of
// the argument is one word.
func (c *commandLine) beforeArgument() []byte {
	end := c.flag
	end += copy(c.text[end:], ` "`)
	return c.text[:end]
}

// secretIn returns where in an argument the secret is that form f finds on the command line with it.
func (c *commandLine) secretIn(argument []byte, f names.Form, a *names.Around) (from, to int) {
	const longestFlag = 24
	before := c.beforeArgument()
	text := append(append(make([]byte, 0, maxCommand+structure.MaxArgument+names.MaxValue), before...), argument...)
	w := names.Window{Text: text, End: true, Around: a}
	try := func(at, end int) bool {
		x := f.Find(w, at, end)
		if x.Verdict != names.Match || x.Start < len(before) {
			return false
		}
		from, to = x.Start-len(before), x.End-len(before)
		return true
	}
	for at, sign := range before { // behind the program and its commands, or a flag
		isLast := at+2 == len(before)
		if sign == ' ' && (try(0, at+1) || isLast && try(bytes.LastIndexByte(before[:at], ' ')+1, at+1)) {
			return from, to
		}
	}
	for size := 1; size <= min(len(argument), longestFlag); size++ { // glued to its flag
		if try(len(before), len(before)+size) {
			return from, to
		}
	}
	return 0, 0
}

// isProgram says whether name is that of a program that takes a password as one of its arguments.
func isProgram(name []byte) bool {
	return names.Commands.Programs[string(name)] || string(name) == "sqlplus"
}

// programName is the form of the name of such a program. It finds nothing: what matters is
// where the name stands.
type programName struct{}

func (programName) Find(names.Window, int, int) names.Finding { return names.Finding{} }

// Excludes implements excluder: it is all of a string, or the line goes on, or it is an item of YAML.
func (programName) Excludes(b []byte, at, to int) bool {
	if to >= len(b) || b[to] == '"' {
		return false
	}
	return !names.IsContinued(b) && !isItem(b[:at])
}

// isItem reports whether before, on a line of YAML, begins an item of a list and has nothing of it
// but a path and a quote.
func isItem(before []byte) bool {
	before = before[:(lex.NameOfKey|lex.Slash).RunBack(before, len(before), structure.MaxArgument)]
	before = bytes.TrimRight(before, `"'`)
	return bytes.HasSuffix(before, []byte("- "))
}

// anchors returns the names of programs that lists of arguments may have.
func (programName) anchors() []string {
	all := []string{"sqlplus"}
	for name, isInLists := range names.Commands.Programs {
		if isInLists {
			all = append(all, names.FoldDigits(strings.ToLower(name)))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// isArgumentOf says whether the string line[start:end] is of an array, and names such a program.
func isArgumentOf(line []byte, start, end int) bool {
	before := bytes.TrimRight(line[:start-1], " \t\r\n")
	isElement := len(before) == 0 || before[len(before)-1] == '[' || before[len(before)-1] == ','
	name := line[start:end]
	return isElement && isProgram(names.ProgramIn(name))
}

// argv is a command line whose arguments are the items of a list of YAML.
type argv struct {
	commandLine
	indent int
}

// readLine goes on after a line, which begins after so many characters.
func (a *argv) readLine(line []byte, indent int) {
	y := names.ReadYAML(line, indent)
	switch {
	case len(y.Value) == 0 && len(y.Key) == 0:
	case !y.IsItem || len(y.Key) > 0 || a.isOpen() && y.Indent != a.indent:
		a.size = 0
	default:
		a.indent = y.Indent
		a.add(names.Unquoted(y.Value))
	}
}

// isItemOfProgram reports whether a line is an item of a list of YAML that names a program.
func isItemOfProgram(line []byte) bool {
	y := names.ReadYAML(line, 0)
	return y.IsItem && len(y.Key) == 0 && isProgram(names.ProgramIn(y.Value))
}

// endArgument takes the secret that is in an argument of a command line, which is a line of YAML that ends at a place.
func (l *lines) endArgument(at int) {
	r := &l.row
	line := l.in.Buf[r.line:at]
	y := names.ReadYAML(line, r.indent.width)
	if !y.IsItem || len(y.Key) > 0 || y.Indent != l.argv.indent {
		return
	}
	from, to, _ := names.Scalar(y.Value)
	begin := r.line + bytes.LastIndex(line, y.Value) + from
	for _, rule := range l.rules.ofCommands {
		first, last := l.argv.secretIn(y.Value[from:to], l.rules.catalogue[rule].Form, l.around)
		if first == last {
			continue
		}
		s := names.Span{Start: begin + first, End: begin + last, Rule: rule}
		if l.yaml.is {
			place, end, _ := placeInYAML(names.Window{Text: l.in.Buf, End: true, Around: l.around}, &l.yaml, s.Start,
				s.End, false)
			s.End = end
			s = s.Placed(place)
		}
		l.matches.Reason = names.Reason{How: match.OnCommand}
		l.matches.Add(s)
		return
	}
}

// appendCommand appends to dst what the next line goes on with if a command line does: its program, the
// commands of that, and what lets it go on. It appends nothing if the line names no program.
func appendCommand(dst, line []byte) []byte {
	line = bytes.TrimRight(line, "\\`^\r")
	var c commandLine
	if len(line) == 0 {
		return dst
	}
	for word := range bytes.FieldsSeq(line[names.CommandStart(line, max(0, len(line)-names.MaxCommandLine),
		len(line)):]) {
		c.add(bytes.Trim(word, `"'`))
	}
	if !c.isOpen() {
		return dst
	}
	return append(append(dst, c.text[:c.flag]...), ` \`...)
}

// argumentList is the form of a secret in a command line that is a list of strings within text, as a Dockerfile
// and programs have it: CMD ["docker", "login", "-p", "x"].
type argumentList struct{ forms []names.Form }

func (f argumentList) Find(w names.Window, at, to int) names.Finding {
	b := w.Text
	if begin := (lex.NameOfKey | lex.Slash).RunBack(b, at, structure.MaxArgument); begin > 0 &&
		lex.Quote.Has(b[begin-1]) &&
		w.Cut(to+1) {
		return names.Finding{Verdict: names.Undecided, Start: to}
	}
	if f.Excludes(b, at, to) {
		return names.Finding{}
	}
	var c commandLine
	first := names.Finding{}
	for begin, end := (lex.NameOfKey|lex.Slash).RunBack(b, at, structure.MaxArgument), to; ; {
		c.add(b[begin:min(end, begin+structure.MaxArgument)])
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
		for _, one := range f.forms {
			from, last := c.secretIn(b[begin:end], one, w.Around)
			if from == last {
				continue
			}
			if w.Add(begin+from, begin+last); first.Verdict == names.NoMatch {
				first = names.Finding{Verdict: names.Match, Start: begin + from, End: begin + last}
			}
		}
	}
}

// Excludes implements excluder: the name of the program is all of a string that another one follows.
func (argumentList) Excludes(b []byte, at, to int) bool {
	begin := (lex.NameOfKey | lex.Slash).RunBack(b, at, structure.MaxArgument)
	return begin == 0 || to+1 >= len(b) || !lex.Quote.Has(b[to]) || b[begin-1] != b[to] || b[to+1] != ',' ||
		!isProgram(names.ProgramIn(b[begin:to]))
}

// nextArgument returns where the string begins that follows one that ends at i, or i if there is none.
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
