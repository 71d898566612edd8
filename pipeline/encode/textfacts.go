package encode

import (
	"bytes"
	"fmt"

	"github.com/kfw-dev/kfw/internal/summarize/facts"
)

// appendFacts appends a line for each fact, and one for each of the fields and templates.
func appendFacts(dst []byte, tree *facts.Tree) []byte {
	for fact := range tree.All() {
		dst = appendFact(dst, fact)
	}
	return dst
}

// appendFact appends the lines of one fact.
func appendFact(dst []byte, fact facts.Fact) []byte {
	var line []byte
	switch form := fact.Kind().Shape; {
	case !fact.IsOpened():
		line = append(append(line, fact.Label()...), ": "...)
		line = appendUnbroken(line, facts.AppendShown(nil, fact.Value()))
	case form == facts.Named:
		return appendNamed(dst, fact)
	case form == facts.List:
		for template := range fact.Inside() {
			line = appendTemplate(line[:0], template)
			dst = appendLine(dst, line)
		}
		return dst
	case form == facts.Names:
		line = append(append(line, fact.Label()...), ':')
		separator := " "
		for name := range fact.Inside() {
			line = appendCell(append(line, separator...), name.Value())
			separator = ", "
		}
	default:
		line = append(append(line, fact.Label()...), ": "...)
		line = appendValueCounts(line, fact)
	}
	return appendLine(dst, line)
}

// appendNamed appends a line for each name with its facts, and one for each of the forms of its texts.
func appendNamed(dst []byte, all facts.Fact) []byte {
	if all.Kind() == facts.Around {
		dst = appendLine(dst, []byte("around them:"))
	}
	return appendNamedIf(dst, all, func(_, _ facts.Fact) bool { return true })
}

// appendNamedIf appends the names that has selects, with their facts. Members of one object with a
// constant value each share a line: "limits.{cpu: 2, memory: 4Gi}".
func appendNamedIf(dst []byte, all facts.Fact, has func(in, fact facts.Fact) bool) []byte {
	var line []byte
	var shown []facts.Fact
	for field := range all.Inside() {
		if has(all, field) {
			shown = append(shown, field)
		}
	}
	for len(shown) > 0 {
		if alike := constantsOf(shown, has); alike > 1 {
			line = appendConstants(line[:0], shown[:alike])
			dst = appendLine(dst, line)
			shown = shown[alike:]
			continue
		}
		dst = appendField(dst, shown[0], has)
		shown = shown[1:]
	}
	return dst
}

// constantsOf returns the number of leading fields that are members of one object and have a
// constant value each.
func constantsOf(shown []facts.Fact, has func(in, fact facts.Fact) bool) (n int) {
	object, _ := cutMember(shown[0].Name())
	if len(object) == 0 {
		return 0
	}
	for ; n < len(shown); n++ {
		of, _ := cutMember(shown[n].Name())
		if !bytes.Equal(of, object) {
			break
		}
		isConstant := false
		for fact := range shown[n].Inside() {
			if has(shown[n], fact) {
				if isConstant = fact.Kind() == facts.Const && !fact.IsEstimate(); !isConstant {
					break
				}
			}
		}
		if !isConstant {
			break
		}
	}
	return n
}

// appendConstants appends members of one object and the value of each.
func appendConstants(line []byte, fields []facts.Fact) []byte {
	for i, field := range fields {
		object, member := cutMember(field.Name())
		if i == 0 {
			line = append(appendCell(line, object), ".{"...)
		} else {
			line = append(line, ", "...)
		}
		line = append(appendCell(line, member), ": "...)
		value, _ := field.Find(facts.Const)
		line = appendListed(line, value.Value())
	}
	return append(line, '}')
}

// cutMember cuts a path, a JSON string, at its last dot that is not of a name. Both parts are JSON strings; object is
// nil if there is no such dot.
func cutMember(path []byte) (object, member []byte) {
	for at := bytes.LastIndexByte(path, '.'); at > 1; at = bytes.LastIndexByte(path[:at], '.') {
		if path[at-1] != '\\' {
			return append(bytes.Clone(path[:at]), '"'), append([]byte{'"'}, path[at+1:]...)
		}
	}
	return nil, path
}

// appendField appends a line for a name with its facts, and one for each of the forms of its texts.
func appendField(dst []byte, field facts.Fact, has func(in, fact facts.Fact) bool) []byte {
	line := append(appendCell(nil, field.Name()), ": "...)
	separator := ""
	for fact := range field.Inside() {
		if fact.Kind().Shape == facts.CountLines || !has(field, fact) {
			continue
		}
		line = append(line, separator...)
		separator = ", "
		if fact.Kind() != facts.Values || fact.IsEstimate() {
			line = append(append(line, fact.Label()...), ' ')
		}
		if fact.IsOpened() {
			line = appendValueCounts(line, fact)
		} else {
			line = appendListed(line, fact.Value())
		}
	}
	dst = appendLine(dst, line)
	for fact := range field.Inside() {
		if fact.Kind().Shape != facts.CountLines {
			continue
		}
		for text := range fact.Inside() {
			line = append(append(line[:0], text.Value()...), " x "...)
			dst = appendLine(dst, appendUnbroken(line, facts.AppendShown(nil, text.Name())))
		}
	}
	return dst
}

// appendTemplate appends how many lines are of a form, and the first and the last of them if they are shown.
func appendTemplate(line []byte, template facts.Fact) []byte {
	mark := ""
	if n, ok := template.Find(facts.TemplateLines); ok {
		if n.IsEstimate() {
			mark = "~"
		}
		line = append(append(append(line, n.Value()...), mark...), " x "...)
	}
	if text, ok := template.Find(facts.TemplateText); ok {
		line = appendUnbroken(line, facts.AppendShown(nil, text.Value()))
	}
	first, isShown := template.Find(facts.TemplateFirst)
	if last, ok := template.Find(facts.TemplateLast); ok {
		line = fmt.Appendf(line, " (%s%s to %s)", first.Value(), mark, last.Value())
	} else if isShown {
		line = fmt.Appendf(line, " (%s%s)", first.Value(), mark)
	}
	return line
}

// appendValueCounts appends how often each text came. The name of a string that could be taken for another value is in
// quotes already.
func appendValueCounts(line []byte, counts facts.Fact) []byte {
	separator := ""
	for count := range counts.Inside() {
		line = append(line, separator...)
		if readsAsList(count.Name()) {
			line = append(line, count.Name()...)
		} else {
			line = appendUnbroken(line, facts.AppendShown(nil, count.Name()))
		}
		line = append(append(line, ": "...), count.Value()...)
		separator = ", "
	}
	return line
}
