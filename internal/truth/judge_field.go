package truth

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// hasField reports whether a view has values at a path.
func (j *judge) hasField(view View, path string) bool { return len(view.at(j.columnName(path))) > 0 }

// columnName returns the name of a column that is called by its number, as where no header is seen.
func (j *judge) columnName(path string) string {
	if n, ok := strings.CutPrefix(path, "$"); ok && number(n) >= 1 && number(n) <= len(j.Columns) {
		return j.Columns[number(n)-1]
	}
	return path
}

// keyName returns the name of pairs whose sign is told with it.
func (j *judge) keyName(name string) string {
	if bare, ok := strings.CutSuffix(name, "="); ok {
		return bare
	}
	return name
}

// field judges what is said of the values at one path.
func (j *judge) field(s *Said, view View, of *OfName, isKey bool) {
	name := of.Name
	if isKey {
		name = j.keyName(name)
	} else {
		name = j.columnName(name)
	}
	values := view.at(name)
	say := func(f Fact, format string, args ...any) {
		j.says("%s: %s, %s", of.Name, factsText([]Fact{f}), fmt.Sprintf(format, args...))
	}
	if len(values) == 0 {
		j.says("%s: %s: there are no such values", of.Name, factsText(of.Facts))
		return
	}
	counts := map[string]int{}
	in := map[int]bool{}
	if !isKey && j.IsLines && slices.ContainsFunc(values, func(v placed) bool { return typeOf(v.raw) != "number" }) {
		for i := range values { // a column of texts
			values[i].raw = quoted(gjson.Parse(values[i].raw).String())
		}
	}
	for _, v := range values {
		counts[v.raw]++
		in[v.record] = true
	}
	hasIn, hasN, isSome := false, false, false
	for _, f := range of.Facts {
		isAbout := strings.HasSuffix(f.Name, "~")
		n := int(gjson.Parse(f.Value).Int())
		switch base := strings.TrimSuffix(f.Name, "~"); base {
		case "in":
			hasIn = true
			if isAbout && n > len(in) || !isAbout && n != len(in) {
				say(f, "of %d", len(in))
			}
		case "n":
			hasN = true
			if isAbout && n > len(values) || !isAbout && n != len(values) {
				say(f, "of %d", len(values))
			}
		case "const":
			for raw := range counts {
				if !isValue(f.Value, raw) && !(isKey && gjson.Parse(raw).String() == f.Value) {
					say(f, "and there is %s", raw)
					break
				}
			}
		case "values", "top":
			more := of.fact("more_values")
			isSome = base == "values" && len(f.Counts) == 1 && more == nil
			j.counts(of, f, counts, isAbout, isKey)
			if base == "values" && !isAbout && of.fact("redacted") == nil && of.fact("blobs") == nil {
				left := 0
				if more != nil {
					left = int(gjson.Parse(more.Value).Int())
				}
				if len(f.Counts)+left != len(counts) && of.fact("nulls") == nil {
					say(f, "and there are %d different ones", len(counts))
				}
			}
		case "distinct":
			different := len(counts)
			if of.fact("nulls") != nil && counts["null"] > 0 {
				different-- // null is counted by itself
			}
			isPart := isAbout && (of.fact("n~") != nil || of.fact("in~") != nil) && n < different
			if !isAbout && n != different || isAbout && !isPart &&
				math.Abs(float64(n-different)) > 0.1*float64(different)+1 {
				say(f, "of %d", different)
			}
		case "nulls":
			if n != counts["null"] {
				say(f, "of %d", counts["null"])
			}
		case "types":
			j.types(of, f, view.at(name))
		case "min", "max", "sum", "mean":
			if j.Unordered[name] && hasNoOrder(name, counts) {
				say(f, "and these have no order")
				continue
			}
			j.numbers(of, f, values, isAbout)
		case "numerals":
			numerals := 0
			for _, v := range values {
				if isNumeral(v.raw) {
					numerals++
				}
			}
			if n != numerals {
				say(f, "of %d", numerals)
			}
		case "from", "to":
			j.fieldTime(of, f, counts)
		case "len":
			low, high := math.MaxInt, 0
			for raw := range counts {
				if text := gjson.Parse(raw); text.Type == gjson.String {
					low, high = min(low, len(text.String())), max(high, len(text.String()))
				}
			}
			if !j.isLength(f, view.at(name), low, high) {
				say(f, "of [%d,%d]", low, high)
			}
		case "example":
			isThere := false
			for raw := range counts {
				isThere = isThere || isValue(f.Value, raw)
			}
			if !isThere {
				say(f, "which is no value")
			}
		case "redacted", "blobs":
			placeholders := 0
			for raw, n := range counts {
				if isRedacted(raw) && isLabel(gjson.Parse(raw).String()) == (f.Name == "blobs") {
					placeholders += n
				}
			}
			if n != placeholders {
				say(f, "of %d", placeholders)
			}
		case "folders":
			j.folders(of, f, values)
		case "records":
			j.says("%s: %s, and no records are there", of.Name, f.Value)
		}
	}
	if !hasIn && len(in) != len(view) && !(isSome && len(counts) == 1) {
		j.says("%s: %s, as if in all %d, and it is in %d", of.Name, factsText(of.Facts), len(view), len(in))
	}
	if !hasN && len(values) != len(in) && of.fact("in~") == nil {
		j.says("%s: %s, as if one in each, and there are %d in %d", of.Name, factsText(of.Facts), len(values), len(in))
	}
	for _, t := range of.Forms {
		texts := map[int]string{}
		for i, v := range values {
			if strings.HasPrefix(v.raw, `"`) {
				texts[i+1], _, _ = strings.Cut(gjson.Parse(v.raw).String(), "\n")
			}
		}
		j.template(of.Name+": ", t, texts, nil)
	}
}

// isLength reports whether the length of the shortest and the longest string is said. In lines, a
// number between texts is one or is none.
func (j *judge) isLength(f Fact, values []placed, low, high int) bool {
	said := compact(f.Value)
	if said == fmt.Sprintf("[%d,%d]", low, high) || !j.IsLines {
		return said == fmt.Sprintf("[%d,%d]", low, high)
	}
	low, high = math.MaxInt, 0
	for _, v := range values {
		if typeOf(v.raw) == "string" {
			low, high = min(low, len(v.raw)-2), max(high, len(v.raw)-2)
		}
	}
	return said == fmt.Sprintf("[%d,%d]", low, high)
}

// hasNoOrder reports whether it shows in these values, or in their name, that they have no order:
// 1.10 comes after 1.9, a code begins with 0, only some have a unit.
func hasNoOrder(name string, counts map[string]int) bool {
	isVersion, isCode, isNumber, isAmount := strings.Contains(name, "version"), false, false, false
	for raw := range counts {
		text := gjson.Parse(raw).String()
		_, fraction, _ := strings.Cut(text, ".")
		isVersion = isVersion || len(fraction) == 2 && fraction[1] == '0'
		isCode = isCode || len(text) > 1 && text[0] == '0' && isDigit(text[1])
		isPlain := isDigit(text[len(text)-1])
		isNumber, isAmount = isNumber || isPlain, isAmount || !isPlain
	}
	return isVersion || isCode || isNumber && isAmount || name == "latency"
}

// isRedacted reports whether a placeholder is all of a value.
func isRedacted(raw string) bool {
	text := gjson.Parse(raw).String()
	return isLabel(text) || strings.HasPrefix(text, "[REDACTED:") && strings.HasSuffix(text, "]") && strings.Count(text, "[") == 1
}

// counts judges how often values came.
func (j *judge) counts(of *OfName, f Fact, counts map[string]int, isAbout, isKey bool) {
	least := math.MaxInt
	known := map[string]bool{}
	for _, c := range f.Counts {
		least = min(least, c.N)
		raw := c.Value
		if isKey || j.IsLines && counts[raw] == 0 { // all are texts
			if gjson.Parse(raw).Type != gjson.String {
				raw = quoted(raw)
			}
		}
		n, ok := counts[raw]
		known[raw] = true
		if !ok {
			for other, count := range counts {
				if strings.Contains(raw, "…") && isValue(raw, other) && (!ok || count == c.N) {
					n, ok = count, true
					known[other] = true
				}
			}
		}
		slack := 0
		if isAbout {
			slack = max(2, n/10)
		}
		if !ok || c.N < n-slack || c.N > n+slack {
			j.says("%s: %s %s: %d, of %d", of.Name, f.Name, c.Value, c.N, n)
		}
	}
	for raw, n := range counts {
		isNull := raw == "null" && of.fact("nulls") != nil
		if !isAbout && f.Name == "top" && !known[raw] && n > least && !isNull && !isRedacted(raw) {
			j.says("%s: top to %d, and %s came %d times", of.Name, least, raw, n)
		}
	}
}

func (j *judge) types(of *OfName, f Fact, values []placed) {
	types := map[string]int{}
	for _, v := range values {
		types[typeOf(v.raw)]++
	}
	for _, c := range f.Counts {
		if name := gjson.Parse(c.Value).String(); types[name] != c.N {
			j.says("%s: types %s: %d, of %d", of.Name, name, c.N, types[name])
		}
	}
}

func typeOf(raw string) string {
	switch raw[0] {
	case '"':
		return "string"
	case '[':
		return "array"
	case '{':
		return "object"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// units are how many of the smallest unit of its kind each one is.
var units = map[string]float64{
	"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9, "m": 60e9, "min": 60e9, "h": 3600e9, "d": 86400e9,
	"B": 1, "kB": 1e3, "KB": 1e3, "K": 1024, "k": 1e3, "KiB": 1024, "MB": 1e6, "M": 1 << 20, "MiB": 1 << 20,
	"Mi": 1 << 20,
	"Ki": 1024, "Gi": 1 << 30, "GB": 1e9, "G": 1 << 30, "GiB": 1 << 30, "T": 1 << 40, "TiB": 1 << 40, "%": 1,
}

// quantity reads a number and its unit.
func quantity(text string) (n *big.Rat, unit string, ok bool) {
	end := len(text)
	for end > 0 && !isDigit(text[end-1]) {
		end--
	}
	digits := strings.ReplaceAll(strings.TrimPrefix(text[:end], "$"), ",", "")
	n, ok = new(big.Rat).SetString(digits)
	return n, strings.TrimSpace(text[end:]), ok && !strings.ContainsAny(digits, "eE/_xX")
}

// isNumeral reports whether a value is a number, or a string that is one.
func isNumeral(raw string) bool {
	if typeOf(raw) != "string" {
		return typeOf(raw) == "number"
	}
	_, unit, ok := quantity(gjson.Parse(raw).String())
	_, known := units[unit]
	return ok && (unit == "" || known)
}

// numbers judges what is said of numbers.
func (j *judge) numbers(of *OfName, f Fact, values []placed, isAbout bool) {
	unit := ""
	if u := of.fact("unit"); u != nil {
		unit = gjson.Parse(u.Value).String()
	}
	var all []*big.Rat
	isConverted := false
	for _, v := range values {
		if typeOf(v.raw) != "number" && typeOf(v.raw) != "string" {
			continue
		}
		n, own, ok := quantity(gjson.Parse(v.raw).String())
		if j.Commas {
			n, own, ok = quantity(strings.Replace(gjson.Parse(v.raw).String(), ",", ".", 1))
		}
		if typeOf(v.raw) == "number" {
			n, ok = new(big.Rat).SetString(v.raw)
			own = ""
		}
		if !ok {
			continue
		}
		if own != unit {
			from, ok1 := units[own]
			to, ok2 := units[unit]
			if !ok1 || !ok2 {
				j.says("%s: %s of %q as if all were in %q", of.Name, f.Name, v.raw, unit)
				return
			}
			n.Mul(n, new(big.Rat).Quo(new(big.Rat).SetFloat64(from), new(big.Rat).SetFloat64(to)))
			isConverted = true
		}
		all = append(all, n)
	}
	said, ok := new(big.Rat).SetString(gjson.Parse(f.Value).Raw)
	if !ok { // of what clocks show
		if f.Name == "min" || f.Name == "max" {
			j.clock(of, f, values)
			return
		}
		j.says("%s: %s %s is no number", of.Name, f.Name, f.Value)
		return
	}
	if len(all) == 0 {
		j.says("%s: %s %s, and there are no numbers", of.Name, f.Name, f.Value)
		return
	}
	slices.SortFunc(all, (*big.Rat).Cmp)
	sum := new(big.Rat)
	for _, n := range all {
		sum.Add(sum, n)
	}
	mean := new(big.Rat).Quo(sum, big.NewRat(int64(len(all)), 1))
	isNear := func(want *big.Rat, share float64) bool {
		a, _ := said.Float64()
		b, _ := want.Float64()
		low, _ := all[0].Float64()
		high, _ := all[len(all)-1].Float64()
		return math.Abs(a-b) <= share*max(math.Abs(b), high-low)+1e-12
	}
	isPart := strings.HasSuffix(f.Name, "~") && of.fact("n~") != nil || of.fact("in~") != nil
	var want *big.Rat
	isTrue := false
	switch strings.TrimSuffix(f.Name, "~") {
	case "min":
		want = all[0]
		isTrue = said.Cmp(want) == 0 || isAbout && isNear(want, 1e-4) || isPart && said.Cmp(want) >= 0
	case "max":
		want = all[len(all)-1]
		isTrue = said.Cmp(want) == 0 || isAbout && isNear(want, 1e-4) || isPart && said.Cmp(want) <= 0
	case "sum":
		want = sum
		isTrue = said.Cmp(want) == 0 || isAbout && isNear(want, 1e-4) || isPart
	case "mean":
		want = mean
		isTrue = said.Cmp(want) == 0 || isAbout && isNear(want, 1e-4) || isPart
	}
	if !isTrue {
		converted := ""
		if isConverted {
			converted = " (converted)"
		}
		j.says("%s: %s %s, of %s%s", of.Name, f.Name, f.Value, want.FloatString(6), converted)
	}
}

// clock judges the least and the greatest of what clocks show.
func (j *judge) clock(of *OfName, f Fact, values []placed) {
	seconds := func(text string) (n float64) {
		days, rest, found := strings.Cut(text, "-")
		if !found {
			days, rest = "0", text
		}
		for part := range strings.SplitSeq(rest, ":") {
			var x float64
			fmt.Sscan(part, &x)
			n = 60*n + x
		}
		return n + 86400*float64(number(days))
	}
	said := gjson.Parse(f.Value).String()
	isThere := false
	for _, v := range values {
		text := gjson.Parse(v.raw).String()
		isThere = isThere || text == said
		if f.Name == "min" && seconds(text) < seconds(said) || f.Name == "max" && seconds(text) > seconds(said) {
			j.says("%s: %s %s, and there is %s", of.Name, f.Name, said, text)
			return
		}
	}
	if !isThere {
		j.says("%s: %s %s, which is no value", of.Name, f.Name, said)
	}
}

// layouts are those of the times of all shapes.
var layouts = []string{time.RFC3339Nano, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02",
	"2006/01/02 15:04:05",
	"02/Jan/2006:15:04:05 -0700", "15:04:05", "Jan _2 15:04:05", "15:04:05.000", "2006-01-02 15:04:05,000"}

// parseTime reads a time of a shape.
func parseTime(text string) (at time.Time, ok bool) {
	for _, layout := range layouts {
		if at, err := time.Parse(layout, text); err == nil {
			return at, true
		}
	}
	return at, false
}

// fieldTime judges the earliest and the latest time of a field.
func (j *judge) fieldTime(of *OfName, f Fact, counts map[string]int) {
	said := gjson.Parse(f.Value).String()
	at, ok := parseTime(said)
	if !ok || counts[quoted(said)] == 0 {
		j.says("%s: %s %s, which is no value", of.Name, f.Name, said)
		return
	}
	for raw := range counts {
		other, ok := parseTime(gjson.Parse(raw).String())
		if ok && (f.Name == "from" && other.Before(at) || f.Name == "to" && other.After(at)) {
			j.says("%s: %s %s, and there is %s", of.Name, f.Name, said, raw)
			return
		}
	}
}

// folders judges how many paths are in folders, or end so: never more than there are.
func (j *judge) folders(of *OfName, f Fact, values []placed) {
	for _, c := range f.Counts {
		name, n := gjson.Parse(c.Value).String(), 0
		end, isEnding := strings.CutPrefix(name, "*")
		for _, v := range values {
			text := gjson.Parse(v.raw).String()
			if isEnding && strings.HasSuffix(text, end) || !isEnding &&
				strings.Contains(text, strings.Trim(name, "/")) {
				n++
			}
		}
		if float64(c.N) > 1.1*float64(n)+2 {
			j.says("%s: %s %s: %d, of %d", of.Name, f.Name, name, c.N, n)
		}
	}
}
