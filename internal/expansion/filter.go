package expansion

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/pipeline/query"
	"github.com/kfw-dev/kfw/redact"
)

// Filtering is what chooses from the chunks of a handle, as the flags of kfw expand and the arguments of the tool
// have it.
type Filtering struct {
	At         string   // the elements at this path in place of the records that have them; empty for the records
	Lines      string   // chunks by number: A-B; empty for all
	Fields     []string // paths to keep of each record; empty keeps all
	Where      []string // conditions that hold for each record
	Grep       []string // regular expressions that match in each chunk
	Fixed      bool     // these are fixed strings
	IgnoreCase bool     // of these
	Words      bool     // these match as whole words
	Invert     bool     // chunks that do not hold these
	Context    int      // chunks before and after each that matches
	Before     int      // chunks before each that matches, if not Context
	Behind     int      // chunks after each that matches, if not Context
	Tail       int      // only so many of the last that match; 0 for all
	Sort       string   // path of the value to sort by, with a minus before it in a descending order; empty for none
	Count      bool     // only how many match
}

// Repeated returns the options that the next page is asked for with.
func (o *Filtering) Repeated(limit int) (words []string) {
	add := func(name string, values ...string) {
		for _, value := range values {
			if value != "" {
				words = append(words, name, value)
			}
		}
	}
	add("--at", o.At)
	add("--lines", o.Lines)
	add("--fields", o.Fields...)
	add("--where", o.Where...)
	for _, pattern := range o.Grep {
		words = append(words, "--grep", pattern)
	}
	for _, flag := range []struct {
		name  string
		isSet bool
	}{{"-F", o.Fixed}, {"-i", o.IgnoreCase}, {"-w", o.Words}, {"-v", o.Invert}} {
		if flag.isSet {
			words = append(words, flag.name)
		}
	}
	for _, flag := range []struct {
		name string
		n    int
	}{{"-C", o.Context}, {"-B", o.Before}, {"-A", o.Behind}, {"--tail", o.Tail}, {"--limit", limit}} {
		if flag.n > 0 {
			words = append(words, flag.name, strconv.Itoa(flag.n))
		}
	}
	if o.Sort != "" {
		words = append(words, "--sort="+o.Sort)
	}
	return words
}

// Page returns the page that is asked for, without the response that it is of. The error is one of usage.
func (o *Filtering) Page(rules *redact.Rules) (p *Page, err error) {
	p = &Page{Rules: rules, Tail: o.Tail, isCount: o.Count}
	if p.At, err = o.place(rules); err != nil {
		return nil, err
	}
	var ranges []query.Range
	if o.Lines != "" {
		if ranges, p.Range, err = query.ParseRanges(o.Lines); err != nil {
			return nil, fault.Usage("--lines: "+err.Error(),
				"for example --lines 40-80, --lines 600- or --lines 1-9,40-80")
		}
	}
	if p.Filter, err = o.filter(rules); err != nil {
		return nil, err
	}
	p.Filter.Ranges = ranges
	return p, nil
}

// place returns the place that at names; nil if that is empty.
func (o *Filtering) place(rules *redact.Rules) (*query.Place, error) {
	if o.At == "" {
		return nil, nil
	}
	at, err := query.ParsePlace(o.At, rules)
	if err != nil {
		return nil, fault.Usage("--at: "+err.Error(), "for example --at items")
	}
	return at, nil
}

// filter returns what the other options choose.
func (o *Filtering) filter(rules *redact.Rules) (*query.Filter, error) {
	fields, err := query.ParseFields(o.Fields, rules)
	if err != nil {
		return nil, fault.Usage("--fields: "+err.Error(), "for example --fields metadata.name,status.message")
	}
	filter := &query.Filter{Fields: fields, Invert: o.Invert,
		Before: min(cmp.Or(o.Before, o.Context), mostChunks), Behind: min(cmp.Or(o.Behind, o.Context), mostChunks)}
	for _, text := range o.Where {
		condition, err := query.ParseCondition(text)
		if joined, ok := errors.AsType[*query.Joined](err); ok {
			return nil, fault.Usage("--where: "+err.Error(), joined.Hint())
		}
		if err != nil {
			return nil, fault.Usage("--where: "+err.Error(),
				"for example --where status.phase=Failed, or --where 'level ~ ^(ERROR|WARN)$'")
		}
		filter.Conditions = append(filter.Conditions, condition)
	}
	for _, text := range o.Grep {
		isFixed := o.Fixed
		if o.Words {
			if isFixed {
				text = regexp.QuoteMeta(text)
			}
			text, isFixed = `\b(?:`+text+`)\b`, false
		}
		pattern, err := query.ParsePattern(text, isFixed, o.IgnoreCase)
		if err != nil {
			why := err.Error()
			if wrong, ok := errors.AsType[*syntax.Error](err); ok {
				why = wrong.Code.String()
			}
			return nil, fault.Usage("--grep: not a regular expression (RE2): "+why,
				"-F takes the text as it stands; a backslash takes the meaning from | ( ) [ { . * + ?")
		}
		filter.Patterns = append(filter.Patterns, pattern)
	}
	if o.Sort != "" {
		if filter.Order, err = query.ParseOrder(o.Sort); err != nil {
			return nil, fault.Usage("--sort: "+err.Error(), "for example --sort total, or --sort=-total for the largest first")
		}
	}
	return filter, o.fit()
}

// hasContext reports whether chunks around those that match are shown.
func (o *Filtering) hasContext() bool { return o.Context > 0 || o.Before > 0 || o.Behind > 0 }

// fit refuses options that mean nothing together.
func (o *Filtering) fit() error {
	switch {
	case min(o.Context, o.Before, o.Behind, o.Tail) < 0:
		return fault.Usage("-C, -B, -A, --tail: must not be negative", "")
	case len(o.Grep) == 0 && (o.Fixed || o.IgnoreCase || o.Words || o.Invert):
		return fault.Usage("-F, -i, -w and -v say how --grep matches: there is none", "for example --grep timeout -i")
	case o.hasContext() && len(o.Grep)+len(o.Where) == 0:
		return fault.Usage("-C, -B and -A show chunks around those that match: nothing is matched",
			"give --grep or --where with it")
	case o.Sort != "" && o.hasContext():
		return fault.Usage("--sort and -C: a sorted record has no neighbours", "")
	case o.Sort != "" && o.Tail > 0:
		hint := "--sort=-" + o.Sort
		if o.Sort[0] == '-' {
			hint = "--sort=" + o.Sort[1:]
		}
		return fault.Usage("--sort and --tail do not go together",
			fmt.Sprintf("sort the other way: %s --limit %d", hint, o.Tail))
	}
	return nil
}
