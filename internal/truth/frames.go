package truth

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/tidwall/gjson"
)

// ParseFrames reads the output of kfw stream in frames.
func ParseFrames(out string, r *Response, forms *Forms) ([]Said, error) {
	p := framesReader{forms: forms, noun: r.noun()}
	for line := range strings.Lines(out) {
		if !gjson.Valid(line) {
			return nil, fmt.Errorf("not JSON: %s", line)
		}
		p.frame(gjson.Parse(line))
	}
	return p.all, errors.Join(p.errs...)
}

type framesReader struct {
	forms *Forms
	noun  string // what the chunks are
	all   []Said
	raw   int // chunks that raw frames have shown
	errs  []error
}

func (p *framesReader) see(group, name string) {
	if err := p.forms.see(group, name); err != nil {
		p.errs = append(p.errs, err)
	}
}

func (p *framesReader) frame(frame gjson.Result) {
	s := Said{Mode: frame.Get("mode").String(), Offset: -1}
	members(frame, func(name string, value gjson.Result) {
		p.see("frame ", name)
		switch name {
		case "chunks":
			s.First, s.Last = int(value.Get("0").Int()), int(value.Get("1").Int())
		case "data":
			s.IsRaw, s.Raw = true, []string{value.Raw}
		case "columns":
			p.columns(&s.Table, value)
		case "rows":
			s.HasTable = true
			p.rows(&s.Table, value)
		case "facts":
			s.HasFacts = true
			p.facts(&s, value)
		case "notable":
			for _, n := range value.Array() {
				p.notable(&s, n)
			}
		case "omitted":
			members(value, func(name string, n gjson.Result) {
				p.see("omitted ", name)
				s.Omitted = append(s.Omitted, Count{name, int(n.Int())})
			})
		case "error":
			s.Failed = fmt.Sprintf("%s %d", value.Get("code").String(), value.Get("exit").Int())
		case "totals":
			s.HasTotals, s.Chunks, s.Bytes = true, int(value.Get("chunks").Int()), int(value.Get("bytes").Int())
			members(value, func(name string, _ gjson.Result) { p.see("totals ", name) })
			members(value.Get("redactions"), func(rule string, n gjson.Result) {
				s.Redactions = append(s.Redactions, Count{rule, int(n.Int())})
			})
		case "is_final":
			s.IsFinal = true
		}
	})
	if s.IsRaw && s.First == 0 {
		s.First, s.Last = p.raw+1, p.raw+1
	}
	p.raw = max(p.raw, s.Last)
	p.all = append(p.all, s)
	if sections := frame.Get("sections"); sections.Exists() {
		p.sections(len(p.all)-1, sections.Array())
	}
}

// sections reads the sections of the final frame, which is p.all[at], as a page. The gaps follow from the numbers.
func (p *framesReader) sections(at int, sections []gjson.Result) {
	s := p.all[at]
	s.Page = &Page{Noun: p.noun, Size: humanize.Bytes(uint64(s.Bytes))}
	lines, done, last, unit := &s.Page.Lines, 0, 0, 0
	upTo := func(chunk int) {
		if gap := chunk - done - 1; gap > 0 && p.noun != "record" {
			*lines = append(*lines, PageLine{Gap: gap})
			done += gap
		}
	}
	for _, section := range sections {
		first, end := int(section.Get("chunks.0").Int()), int(section.Get("chunks.1").Int())
		shown := section.Get("lines").Array()
		here := 0
		members(section, func(name string, value gjson.Result) {
			if p.see("section ", name); name == "facts" {
				one := Said{Mode: "summary", First: first, Last: end, Offset: -1, Summary: Summary{HasFacts: true}}
				one.IsFinal = first == 1 && end == s.Chunks
				p.facts(&one, value)
				s.Sections = append(s.Sections, one)
			}
		})
		for _, line := range shown {
			members(line, func(name string, _ gjson.Result) { p.see("line ", name) })
			chunk, text := int(line.Get("chunk").Int()), line.Get("text").String()
			if chunk < first || chunk > end {
				p.errs = append(p.errs, fmt.Errorf("%d is not of section %d to %d", chunk, first, end))
			}
			if chunk != unit {
				upTo(chunk)
				done, here, unit = done+1, here+1, chunk
			}
			if note := line.Get("note"); note.Exists() {
				text += "  ‹" + note.String() + "›"
			}
			*lines = append(*lines, PageLine{Unit: chunk, Text: text})
		}
		if n := int(section.Get("left_out").Int()); first <= last || end < first || here+n != end-first+1 {
			p.errs = append(p.errs, fmt.Errorf("section %d to %d: %d shown, %d left out", first, end, here, n))
		}
		last = end
	}
	if upTo(s.Chunks + 1); done < s.Chunks {
		*lines = append(*lines, PageLine{Gap: s.Chunks - done})
	}
	p.all[at] = s
}

// members calls visit for each member of an object.
func members(object gjson.Result, visit func(name string, value gjson.Result)) {
	object.ForEach(func(name, value gjson.Result) bool {
		visit(name.String(), value)
		return true
	})
}

func (p *framesReader) columns(t *table, columns gjson.Result) {
	for _, c := range columns.Array() {
		if !c.IsObject() {
			t.columns = append(t.columns, c.String())
			continue
		}
		members(c, func(name string, value gjson.Result) {
			switch name {
			case "@missing":
				t.missing = value.Raw
			case "@around":
				members(value, func(name string, value gjson.Result) {
					t.around = append(t.around, Fact{Name: name,
						Value: value.Raw})
				})
			case "@path":
				t.path = value.String()
			default:
				t.same = append(t.same, Fact{Name: name, Value: value.Raw})
			}
		})
	}
}

func (p *framesReader) rows(t *table, rows gjson.Result) {
	for _, r := range rows.Array() {
		if !r.IsArray() || len(t.columns) == 0 && len(t.same) == 0 && t.path == "" && t.missing == "" {
			t.rows, t.whole = append(t.rows, nil), append(t.whole, r.Raw)
			continue
		}
		var cells []string
		for _, c := range r.Array() {
			if c.Raw == t.missing {
				cells = append(cells, "")
			} else {
				cells = append(cells, c.Raw)
			}
		}
		t.rows, t.whole = append(t.rows, cells), append(t.whole, "")
	}
}

func (p *framesReader) notable(s *Said, of gjson.Result) {
	n := Notable{Chunk: int(of.Get("chunk").Int()), Why: of.Get("why").String()}
	p.see("why ", formOfWhy(n.Why))
	members(of, func(name string, value gjson.Result) {
		p.see("notable ", name)
		if name == "data" {
			n.Text = value.Raw
			if value.Type == gjson.String {
				n.Text = value.String()
			}
		}
	})
	s.Notables = append(s.Notables, n)
}

func (p *framesReader) facts(s *Said, facts gjson.Result) {
	members(facts, func(name string, value gjson.Result) {
		p.see("fact ", name)
		switch name {
		case "fields":
			s.Fields = p.ofNames("field ", value)
		case "around":
			s.Around = p.ofNames("field ", value)
		case "keys":
			s.Keys = p.ofNames("field ", value)
		case "other_fields":
			s.OtherFields = named(value)
		case "other_around":
			s.OtherAround = named(value)
		case "templates":
			for _, t := range value.Array() {
				s.Templates = append(s.Templates, p.template(t))
			}
		case "levels", "verdicts":
			s.Facts = append(s.Facts, Fact{Name: name, Counts: countsOf(value, true)})
		default:
			s.Facts = append(s.Facts, Fact{Name: name, Value: value.Raw})
		}
	})
}

func (p *framesReader) template(of gjson.Result) (t Template) {
	members(of, func(name string, value gjson.Result) {
		p.see("template ", name)
		switch strings.TrimSuffix(name, "~") {
		case "n":
			t.N, t.IsEstimate = int(value.Int()), name == "n~"
		case "line":
			t.Line = value.String()
		case "first":
			t.First = int(value.Int())
		case "last":
			t.Last = int(value.Int())
		}
	})
	if t.Last == 0 {
		t.Last = t.First
	}
	return t
}

func named(names gjson.Result) (all []string) {
	for _, n := range names.Array() {
		all = append(all, n.String())
	}
	return all
}

func (p *framesReader) ofNames(group string, object gjson.Result) (all []OfName) {
	members(object, func(name string, facts gjson.Result) {
		of := OfName{Name: name}
		members(facts, func(name string, value gjson.Result) {
			p.see(group, name)
			switch {
			case name == "forms":
				members(value, func(line string, n gjson.Result) {
					of.Forms = append(of.Forms, Template{N: int(n.Int()), Line: line})
				})
			case name == "const", name == "const~":
				of.Facts = append(of.Facts, Fact{Name: name, Value: value.Raw})
			case value.IsObject():
				of.Facts = append(of.Facts, Fact{Name: name, Counts: countsOf(value, false)})
			default:
				of.Facts = append(of.Facts, Fact{Name: name, Value: value.Raw})
			}
		})
		all = append(all, of)
	})
	return all
}

// countsOf reads how often each value came. The name of a value that is no string is its JSON; so
// is that of a string that could be taken for one, unless all are texts.
func countsOf(object gjson.Result, areTexts bool) (all []Count) {
	members(object, func(name string, n gjson.Result) {
		value := quoted(name)
		if !areTexts {
			value = rawOfToken(name)
		}
		all = append(all, Count{value, int(n.Int())})
	})
	return all
}

// rawOfToken returns the JSON of a value that is written without quotes if it reads like a string.
func rawOfToken(token string) string {
	switch {
	case token == "" || !gjson.Valid(token) || strings.ContainsAny(token[:1], " \t"):
	case token[0] == '"':
		return quoted(gjson.Parse(token).String()) // in one spelling
	default:
		return token
	}
	return quoted(token)
}

// formOfWhy returns a reason without what is of one record alone.
func formOfWhy(why string) string {
	if prefix, _, found := strings.Cut(why, ": "); found {
		if of, _, inField := strings.Cut(prefix, " in "); inField {
			return of + " in FIELD"
		}
		switch prefix {
		case "number far out", "rare number", "error":
			return prefix
		case "far out":
			return "far out: FIELD"
		}
	}
	if why != "rare words" && strings.HasPrefix(why, "rare ") {
		return "rare FIELD"
	}
	return why
}
