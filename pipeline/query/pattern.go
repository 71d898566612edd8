package query

import (
	"bytes"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/pipeline/split"
)

// Pattern is a text that chunks hold or not: a regular expression (RE2), or a fixed string.
type Pattern struct {
	text        string
	isFixed     bool
	ignoresCase bool

	fixed      []byte         // nil if there is an expression
	expression *regexp.Regexp // in which ^ and $ are the ends of a line
}

// ParsePattern parses a fixed string or a regular expression (RE2). The error is that of package
// regexp.
func ParsePattern(text string, isFixed, ignoresCase bool) (p Pattern, err error) {
	p = Pattern{text: text, isFixed: isFixed, ignoresCase: ignoresCase}
	if !ignoresCase && (isFixed || regexp.QuoteMeta(text) == text) {
		p.fixed = []byte(text)
		return p, nil
	}
	expression, flags := text, "(?m)"
	if isFixed {
		expression = regexp.QuoteMeta(text)
	}
	if ignoresCase {
		flags = "(?mi)"
	}
	if _, err = regexp.Compile(expression); err != nil {
		return p, err // which quotes the expression as it was given
	}
	p.expression, err = regexp.Compile(flags + expression)
	return p, err
}

// isIn reports whether a text holds the pattern.
func (p *Pattern) isIn(text []byte) bool {
	if p.expression == nil {
		return bytes.Contains(text, p.fixed)
	}
	return p.expression.Match(text)
}

// holdsPatterns reports whether a chunk holds all patterns, as it is written or with the escapes of JSON undone.
func (f *Filter) holdsPatterns(c *split.Chunk) bool {
	content := c.Content()
	isEscaped := (c.Kind == split.JSON || c.Kind == split.JSONPart) && bytes.IndexByte(content, '\\') >= 0
	f.decoded = f.decoded[:0]
	for i := range f.Patterns {
		p := &f.Patterns[i]
		if p.isIn(content) || c.Notation.IsYAML() && p.isIn(c.Source) {
			continue
		}
		if !isEscaped {
			return false
		}
		if len(f.decoded) == 0 {
			f.decoded = split.AppendUnescaped(f.decoded, content)
		}
		if !p.isIn(f.decoded) {
			return false
		}
	}
	return true
}

// Other is a variant of a filter that users often mean instead.
type Other struct {
	Filter
	How      string // it differs, for "some do ..."
	IsSyntax bool   // its patterns are the same in the syntax of another program: nothing else can have been meant
}

// Meant returns the first variant of f that a chunk matches, or nil. It is for a filter without
// matches.
func (f *Filter) Meant(chunks iter.Seq2[split.Chunk, error]) (*Other, error) {
	others := f.others()
	if len(others) == 0 {
		return nil, nil
	}
	for l, err := range f.lines(chunks) {
		if err != nil {
			return nil, err
		}
		if l.Seq == 0 || l.Seq < f.First {
			continue
		}
		for i := range others {
			if others[i].matches(&l.Chunk, l.fields) {
				return &others[i], nil
			}
		}
	}
	return nil, nil
}

// others returns filters that may have been meant.
func (f *Filter) others() (all []Other) {
	if f.Invert {
		return nil
	}
	add := func(how string, isSyntax bool, change func(p Pattern) (Pattern, error)) {
		changed := *f
		changed.Patterns = nil
		isOther := false
		for _, p := range f.Patterns {
			q, err := change(p)
			if err != nil {
				return
			}
			isOther = isOther || q.text != p.text || q.ignoresCase != p.ignoresCase ||
				q.isFixed != p.isFixed && regexp.QuoteMeta(p.text) != p.text
			changed.Patterns = append(changed.Patterns, q)
		}
		if isOther {
			all = append(all, Other{changed, how, isSyntax})
		}
	}
	add("as a regular expression, without -F", true, func(p Pattern) (Pattern, error) {
		return ParsePattern(p.text, false, p.ignoresCase)
	})
	add("as a fixed string, with -F", true, func(p Pattern) (Pattern, error) {
		return ParsePattern(p.text, true, p.ignoresCase)
	})
	add("without the backslashes: | ( ) { } + and ? are operators as they stand", true,
		func(p Pattern) (Pattern, error) {
			return ParsePattern(withoutBasic.Replace(p.text), false, p.ignoresCase)
		})
	add("with -i, which ignores case", false, func(p Pattern) (Pattern, error) {
		return ParsePattern(p.text, p.isFixed, true)
	})
	for i, c := range f.Conditions {
		if c.operator != "=" || c.isNumber || c.value == "" {
			continue
		}
		quoted := regexp.QuoteMeta(c.value)
		for _, meant := range []struct{ expression, how string }{
			{"(?i)^" + quoted + "$", "if case is ignored: PATH ~ (?i)^VALUE$"},
			{"^(" + strings.NewReplacer(",", "|", `\|`, "|").Replace(quoted) + ")$",
				"as one of several: PATH ~ ^(A|B)$"},
			{quoted, "as a part: PATH ~ VALUE"},
		} {
			changed := *f
			changed.Conditions = slices.Clone(f.Conditions)
			c.operator, c.pattern = "~", regexp.MustCompile(meant.expression)
			changed.Conditions[i] = c
			all = append(all, Other{Filter: changed, How: meant.how})
		}
	}
	return all
}

// withoutBasic rewrites the operators of basic regular expressions (POSIX, as in grep) to those of
// RE2.
var withoutBasic = strings.NewReplacer(`\\`, `\\`, `\|`, `|`, `\(`, `(`, `\)`, `)`, `\{`, `{`, `\}`, `}`, `\+`, `+`,
	`\?`, `?`)
