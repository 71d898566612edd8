package truth

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// timeOf judges the earliest or the latest time of lines.
func (j *judge) timeOf(s *Said, f Fact) {
	said := gjson.Parse(f.Value).String()
	var of []Time
	for _, t := range j.Times {
		if s.First <= t.Chunk && t.Chunk <= s.Last {
			of = append(of, t)
		}
	}
	if len(of) == 0 {
		j.says("%s: %s, and no line has a time", f.Name, said)
		return
	}
	best := of[0]
	for _, t := range of {
		if f.Name[0] == 'f' && t.At.Before(best.At) || f.Name[0] == 't' && t.At.After(best.At) {
			best = t
		}
	}
	isOne := slices.ContainsFunc(of, func(t Time) bool { return t.Text == said })
	isBest := slices.ContainsFunc(of, func(t Time) bool { return t.Text == said && t.At.Equal(best.At) })
	if !isOne || !isBest && !strings.HasSuffix(f.Name, "~") {
		j.says("%s: %s, of %s", f.Name, said, best.Text)
	}
}

// levels judges how many lines are of which level.
func (j *judge) levels(s *Said, f Fact) {
	left := map[string]int{}
	for chunk, level := range j.Levels {
		if s.First <= chunk && chunk <= s.Last {
			left[strings.ToLower(level)]++
		}
	}
	for _, c := range f.Counts {
		level := strings.ToLower(gjson.Parse(c.Value).String())
		if left[level] != c.N {
			j.says("levels: %s: %d, of %d", level, c.N, left[level])
		}
		delete(left, level)
	}
	for level, n := range left {
		j.says("levels: %s is not said, of %d", level, n)
	}
}

// aHit is the place of a hit, as grep -n prints it, or of a line around one.
var aHit = regexp.MustCompile(`^([^ \t]+?)(?::\d+:|-\d+-)`)

// hits returns how many lines of a part are hits of a search, and in how many files these and the lines around them
// are.
func (j *judge) hits(s *Said) (hits, files int) {
	paths := map[string]bool{}
	for chunk := s.First; chunk <= s.Last; chunk++ {
		m := aHit.FindStringSubmatch(j.shown(chunk))
		if m == nil {
			continue
		}
		if paths[m[1]] = true; strings.HasSuffix(m[0], ":") {
			hits++
		}
	}
	return hits, len(paths)
}

// place is a variable of a template: its numbers or words, by what is said of them.
type place struct {
	low, high string         // of a range
	counts    map[string]int // of each
}

var (
	aVariable   = regexp.MustCompile(`^<(num|hex|time|ip|mac|id|path|\*)>`)
	aRange      = regexp.MustCompile(`^<num (-?[\d.]+)\.\.(-?[\d.]+)>`)
	cutVariable = regexp.MustCompile(`^<[a-z*]*…`) // a long word may be cut within the name of a variable
	theCounts   = regexp.MustCompile(`^<(?:num )?([^<>]*: \d+(?:, [^<>]*: \d+)*)>`)
	patterns    = map[string]string{
		"num": `[-+]?\d[\d.,:/_-]*?`, "hex": `\S+?`, "time": `(?:.+ )??\S*\d\S*?(?: [AP]M| [A-Z]{3,4})?`, "ip": `\S+?`,
		"mac": `\S+?`, "id": `\S+?`,
		"path": `\S+?`, "*": `(?:` + aLabel + `|\S+?)`,
	}
)

// aLabel is the label of a blob, which is one word of a form.
const aLabel = `\[blob: [^\]]*\]`

// compiled returns the expression of a template, and its variables that are told by their values.
func compiled(line, start string) (*regexp.Regexp, []place) {
	if rest, ok := strings.CutPrefix(line, "… "); ok && start != "" {
		line = start + " " + rest
	}
	var b strings.Builder
	var places []place
	b.WriteString(`^[\s│├└─|` + "`" + `-]*?`)
	rest, isCut := line, false
	if cut, ok := strings.CutSuffix(line, " …"); ok {
		rest, isCut = cut, true
	}
	if cut, ok := strings.CutPrefix(rest, "… "); ok { // of the line itself
		b.WriteString(`… `)
		rest = cut
	}
	for rest != "" {
		if cut, ok := strings.CutPrefix(rest, "[blob: …]"); ok {
			b.WriteString(aLabel)
			rest = cut
		} else if m := cutVariable.FindString(rest); m != "" {
			b.WriteString(`\S*`)
			rest = rest[len(m):]
		} else if m := aVariable.FindStringSubmatch(rest); m != nil {
			b.WriteString(patterns[m[1]])
			rest = rest[len(m[0]):]
		} else if m := aRange.FindStringSubmatch(rest); m != nil {
			b.WriteString(`(-?\d+(?:\.\d+)?)`)
			places = append(places, place{low: m[1], high: m[2]})
			rest = rest[len(m[0]):]
		} else if m := theCounts.FindStringSubmatch(rest); m != nil {
			p := place{counts: map[string]int{}}
			isNumber := strings.HasPrefix(rest, "<num ")
			for item := range strings.SplitSeq(m[1], ", ") {
				value, n, _ := cutCount(item)
				p.counts[value] += n
			}
			if isNumber {
				b.WriteString(`(-?\d+(?:\.\d+)?)`)
			} else {
				b.WriteString(`(\S+?)`)
			}
			places = append(places, p)
			rest = rest[len(m[0]):]
		} else if rest[0] == ' ' {
			b.WriteString(`\s+`)
			rest = rest[1:]
		} else if cut, ok := strings.CutPrefix(rest, "…"); ok {
			b.WriteString(`\S*`)
			rest = cut
		} else {
			end := 1
			for end < len(rest) && rest[end] != '<' && rest[end] != ' ' && !strings.HasPrefix(rest[end:], "…") {
				end++
			}
			b.WriteString(regexp.QuoteMeta(rest[:end]))
			rest = rest[end:]
		}
	}
	switch {
	case isCut && strings.HasSuffix(line, "… …"): // within a word
		b.WriteString(`.*$`)
	case isCut:
		b.WriteString(`\s.*$`)
	default:
		b.WriteString(`\s*$`)
	}
	return regexp.MustCompile(b.String()), places
}

// templates judges how many lines are of which form.
func (j *judge) templates(s *Said) {
	more := false
	sum := 0
	for _, f := range s.Facts {
		switch f.Name {
		case "more_templates", "more_lines":
			more = true
		}
	}
	lines := map[int]string{}
	for chunk := s.First; chunk <= s.Last; chunk++ {
		if !j.isRecord(chunk) {
			lines[chunk] = j.text(chunk)
		}
	}
	unmarked := map[int]string{} // templates of a page may be of what follows the number or the place of a line
	for chunk, line := range lines {
		unmarked[chunk] = strings.TrimSpace(strings.TrimPrefix(line, ownMark.FindString(line)))
	}
	all := s.Templates
	for i := range all {
		sum += all[i].N
	}
	if sum > len(lines) && len(all) > 0 {
		j.says("templates of %d lines, of %d", sum, len(lines))
	}
	for i := range all {
		isElsewhere := func(chunk int) bool {
			if more || j.isShownElsewhere(chunk) {
				return true
			}
			for k := range all {
				if k != i {
					if e, _ := compiled(all[k].Line, ""); e.MatchString(lines[chunk]) ||
						e.MatchString(unmarked[chunk]) {
						return true
					}
				}
			}
			return false
		}
		j.either(func() { j.template("", all[i], unmarked, isElsewhere) },
			func() { j.template("", all[i], lines, isElsewhere) })
	}
}

// isShownElsewhere reports whether a line may be in no template: a row, a header, a name and its
// value, part of a trace
// or of a hunk.
func (j *judge) isShownElsewhere(chunk int) bool {
	if j.Headers[chunk] || j.Joined[chunk] || j.InHunks[chunk] {
		return true
	}
	is := func(r Record) bool { return r.Chunk == chunk }
	return slices.ContainsFunc(j.Rows, is) || slices.ContainsFunc(j.Keys, is)
}

// template judges one template against lines by number. isElsewhere reports whether a line that has
// the form may be in another one; if it is nil, all may be.
func (j *judge) template(of string, t Template, lines map[int]string, isElsewhere func(int) bool) {
	e, places := compiled(t.Line, "")
	said := fmt.Sprintf("%s%d x %s", of, t.N, t.Line)
	var match []int
	values := map[int][]string{}
	numbers := make([]int, 0, len(lines))
	for n := range lines {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		m := e.FindStringSubmatch(lines[n])
		if m == nil {
			continue
		}
		isIn := true
		for k, p := range places {
			isIn = isIn && p.holds(m[k+1])
		}
		if isIn {
			match = append(match, n)
			values[n] = m[1:]
		}
	}
	missing := 0
	for _, n := range match {
		if isElsewhere == nil || isElsewhere(n) {
			missing++
		}
	}
	slack := 0
	if t.IsEstimate {
		slack = 2 + t.N/10
	}
	switch {
	case t.N > len(match)+slack:
		j.says("%s: %d lines have that form", said, len(match))
		return
	case t.N < len(match)-missing-slack:
		j.says("%s: %d lines have that form, of which %d may be told otherwise", said, len(match), missing)
	}
	if t.First > 0 {
		if !slices.Contains(match, t.First) && !t.IsEstimate || !slices.Contains(match, t.Last) {
			j.says("%s: %d or %d is no such line", said, t.First, t.Last)
		} else if t.N == len(match) && (t.First != match[0] && !t.IsEstimate || t.Last != match[len(match)-1]) {
			j.says("%s: %d to %d, of %d to %d", said, t.First, t.Last, match[0], match[len(match)-1])
		}
	}
	for k, p := range places {
		had := map[string]int{}
		for _, n := range match {
			had[number1(values[n][k])]++
		}
		if p.counts == nil {
			for _, end := range []string{p.low, p.high} {
				if had[number1(end)] == 0 {
					j.says("%s: no line has %s", said, end)
				}
			}
			continue
		}
		sum := 0
		for value, n := range p.counts {
			sum += n
			if had[number1(value)] < n || t.N == len(match) && had[number1(value)] != n {
				j.says("%s: %s came %d times", said, value, had[number1(value)])
			}
		}
		if sum != t.N {
			j.says("%s: %d in one place", said, sum)
		}
	}
}

// number1 returns a number in one spelling, and another word as it is.
func number1(word string) string {
	if n, err := strconv.ParseFloat(word, 64); err == nil {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return word
}

// holds reports whether a word is one of those that are said.
func (p *place) holds(word string) bool {
	if p.counts != nil {
		for value := range p.counts {
			if number1(value) == number1(word) {
				return true
			}
		}
		return false
	}
	n, err := strconv.ParseFloat(word, 64)
	low, _ := strconv.ParseFloat(p.low, 64)
	high, _ := strconv.ParseFloat(p.high, 64)
	return err == nil && low <= n && n <= high
}

// verdicts judges how many lines say by a word how a test ended: as many as begin with the word, and maybe lines that
// have it elsewhere.
func (j *judge) verdicts(s *Said, f Fact) {
	for _, c := range f.Counts {
		word := strings.Trim(gjson.Parse(c.Value).String(), " …")
		begin, have := 0, 0
		for chunk := s.First; chunk <= s.Last; chunk++ {
			text := strings.TrimSpace(j.text(chunk))
			if rest, ok := strings.CutPrefix(text, word); ok && rest != "" && strings.Contains(" \t", rest[:1]) {
				begin++
			}
			if strings.Contains(text, word) {
				have++
			}
		}
		if c.N < begin || c.N > have {
			j.says("verdicts: %d x %s: %d lines begin with it, %d have it", c.N, word, begin, have)
		}
	}
}
