// Package border redacts texts that follow each other, such as the items of one result, as the one text that a reader
// makes of them, and keeps the borders between them.
//
// A border may stand at the end of a line, as between a header and its rows, or within a word, as where a server cuts
// its output into pieces of one size. So the texts are looked at twice: as lines, and without anything between them.
// What goes beyond a border is taken out of both texts; its placeholder stands in the first one.
package border

import (
	"cmp"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/redact"
)

// Redactor redacts texts that follow each other. It is for one goroutine.
type Redactor struct {
	reader *redact.Reader
	found  *redaction     // of the text that is looked at; nil between the calls
	counts map[string]int // see Count
}

// New returns a redactor by these rules, which choose no fields.
func New(rules *redact.Rules) *Redactor {
	r := &Redactor{reader: redact.NewReader(nil, rules, redact.Auto), counts: make(map[string]int)}
	r.reader.Observe(func(rule string, at redact.Place) {
		if r.found != nil {
			r.found.spans = append(r.found.spans, span{from: int(at.Offset), rule: rule})
		}
	})
	return r
}

// Reader returns the reader that is used, for other texts between the calls: equal secrets have equal numbers then.
func (r *Redactor) Reader() *redact.Reader { return r.reader }

// Count adds the matches of Redact, by rule, to counts, without those that Reader has counted.
func (r *Redactor) Count(counts map[string]int) {
	for rule, n := range r.counts {
		counts[rule] += n
	}
}

// withheld stands in the place of texts in which both looks have found secrets, and one of them has lost the borders.
const withheld = "kfw: withheld: the items of this result can't be redacted one by one\n"

// Redact returns the redaction of texts that follow each other. The first ones, so many as before says, stand before
// the others and are not shown again. Where the borders can't be found again, all that is left stands in one text.
func (r *Redactor) Redact(texts []string, before int) ([]string, error) {
	begins := make([]int, len(texts)+1) // of each text, in all of them
	var lines strings.Builder
	var feeds []int // where a line feed was added, in all of the texts
	for i, text := range texts {
		lines.WriteString(text)
		begins[i+1] = begins[i] + len(text)
		if text != "" && i+1 < len(texts) && !strings.HasSuffix(text, "\n") {
			lines.WriteByte('\n')
			feeds = append(feeds, begins[i+1])
		}
	}
	whole, err := r.redact(strings.Join(texts, ""))
	if err != nil {
		return nil, err
	}
	byLine, err := r.redact(lines.String())
	if err != nil {
		return nil, err
	}
	byLine.withoutFeeds(feeds)
	if whole.isLost || byLine.isLost {
		out := make([]string, len(texts))
		switch {
		case before > 0 || !whole.isClean && !byLine.isClean:
			out[before] = withheld
		case whole.isClean:
			out[0] = byLine.redacted
		default:
			out[0] = whole.redacted
		}
		return out, nil
	}
	all := merged(append(beyond(whole, byLine, texts, begins), byLine.spans...))
	for _, s := range all {
		if s.from >= begins[before] {
			r.counts[s.rule]++
		}
	}
	return apart(texts, begins, all), nil
}

// span is a match: where it is, and what stands in its place.
type span struct {
	from, to int
	rule     string
	marker   string
}

// redaction is what was found in a text.
type redaction struct {
	redacted string
	spans    []span // in order
	isClean  bool   // nothing was found
	isLost   bool   // where the matches end can't be told
}

func (r *Redactor) redact(text string) (*redaction, error) {
	found := &redaction{}
	r.found = found
	defer func() { r.found = nil }()
	for rule, n := range r.reader.Counts() {
		r.counts[rule] += n
	}
	r.reader.Reset(strings.NewReader(text), redact.Auto)
	var redacted strings.Builder
	if _, err := io.Copy(&redacted, r.reader); err != nil {
		return nil, err
	}
	for rule, n := range r.reader.Counts() {
		r.counts[rule] -= n
	}
	found.redacted = redacted.String()
	found.isClean = found.redacted == text
	found.isLost = !found.align(text)
	return found, nil
}

const markerBegin = "[REDACTED:"

// markerAt returns where the marker ends that begins at an offset, with the quotes that may stand around it; less than
// 0 if there is none.
func markerAt(redacted string, at int) int {
	isQuoted := strings.HasPrefix(redacted[at:], `"`+markerBegin)
	if !isQuoted && !strings.HasPrefix(redacted[at:], markerBegin) {
		return -1
	}
	end := strings.IndexByte(redacted[at:], ']')
	if end < 0 {
		return -1
	}
	if end += at + 1; isQuoted && strings.HasPrefix(redacted[end:], `"`) {
		end++
	}
	return end
}

// align finds the end of each match and its replacement: the text between two matches is the same before and after
// redaction. It reports whether all were found.
func (f *redaction) align(text string) bool {
	at, in := 0, 0 // what is known up to here, of the text and of its redaction
	for i := range f.spans {
		s := &f.spans[i]
		begin := in + s.from - at
		if s.from < at || begin > len(f.redacted) || text[at:s.from] != f.redacted[in:begin] {
			return false
		}
		end := markerAt(f.redacted, begin)
		if end < 0 {
			return false
		}
		s.marker = f.redacted[begin:end]
		next, following := len(text), len(f.redacted) // where the next match begins
		if i+1 < len(f.spans) {
			next = f.spans[i+1].from
			if following = followingMarker(text, f.redacted, s.from, next, end); following < 0 {
				return false
			}
		}
		s.to = next - (following - end)
		if s.to <= s.from || text[s.to:next] != f.redacted[end:following] {
			return false
		}
		at, in = s.to, end
	}
	return text[at:] == f.redacted[in:]
}

// mostTried is how many places are tried for a marker. A text may have markers of its own.
const mostTried = 64

// followingMarker returns where in a redaction the marker of the next match stands, which is at next in the text: the
// last place that leaves something for the match before it. That begins at from, and its marker ends at end. It is less
// than 0 if there is none.
func followingMarker(text, redacted string, from, next, end int) int {
	most := min(len(redacted), end+next-from+len(markerBegin))
	for range mostTried {
		at := strings.LastIndex(redacted[end:most], markerBegin)
		if at < 0 {
			return -1
		}
		at += end
		for _, begin := range []int{at - 1, at} { // with a quote before it, and without
			if begin < end || begin < at && redacted[begin] != '"' {
				continue
			}
			if to := next - (begin - end); to > from && text[to:next] == redacted[end:begin] {
				return begin
			}
		}
		most = at + len(markerBegin) - 1
	}
	return -1
}

// withoutFeeds gives the matches the places that they have without the line feeds that were added.
func (f *redaction) withoutFeeds(feeds []int) {
	n := 0
	without := func(at int) int { // is called in order
		for n < len(feeds) && feeds[n]+n < at {
			n++
		}
		return at - n
	}
	for i := range f.spans {
		f.spans[i].from = without(f.spans[i].from)
		f.spans[i].to = without(max(f.spans[i].from, f.spans[i].to))
	}
}

// beyond returns the matches in the whole. One that goes beyond a border only with a word that is no part of a secret
// ends there: an address of e-mail at the end of a text does not go on in the next one.
func beyond(whole, byLine *redaction, texts []string, begins []int) []span {
	other := 0
	arePieces := arePieces(texts)
	for i := range whole.spans {
		s := &whole.spans[i]
		for other < len(byLine.spans) && byLine.spans[other].to <= s.from {
			other++
		}
		first, _ := slices.BinarySearch(begins, s.from)
		next, _ := slices.BinarySearch(begins, s.to)
		last := next - 1 // the last border before the end
		if last < first || begins[last] <= s.from || arePieces {
			continue
		}
		isFound := other < len(byLine.spans) && byLine.spans[other].from < begins[last]
		if (isFound || first < last) && isWord(texts[last][:s.to-begins[last]]) {
			s.to = begins[last]
		}
	}
	return whole.spans
}

// leastPiece is how long a text is that may be a piece of a longer one, in bytes. Shorter ones may well be of one size.
const leastPiece = 64

// arePieces reports whether texts are one that was cut at every so many characters.
func arePieces(texts []string) bool {
	first, last := texts[0], texts[len(texts)-1]
	if len(first) < leastPiece || len(last) > len(first) {
		return false
	}
	isOdd := func(text string) bool {
		return len(text) != len(first) && utf8.RuneCountInString(text) != utf8.RuneCountInString(first)
	}
	return len(texts) > 2 && !slices.ContainsFunc(texts[1:len(texts)-1], isOdd)
}

// isWord reports whether the beginning of a text is a word, and does not look like the rest of a secret.
func isWord(text string) bool {
	const most = 3 // digits and the like that no secret is lost by
	isMixed := strings.ContainsFunc(text[min(1, len(text)):], func(r rune) bool { return !unicode.IsLower(r) })
	return len(text) <= most || !isMixed
}

// merged returns matches in order, those that overlap as one.
func merged(all []span) (out []span) {
	slices.SortStableFunc(all, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	for _, s := range all {
		if n := len(out); n > 0 && s.from < out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}

// apart returns the texts without the matches.
func apart(texts []string, begins []int, all []span) []string {
	out := slices.Clone(texts)
	next := 0
	for i, text := range texts {
		begin, end := begins[i], begins[i+1]
		for next < len(all) && all[next].to <= begin {
			next++
		}
		if next == len(all) || all[next].from >= end {
			continue
		}
		var b strings.Builder
		at := begin
		for n := next; n < len(all) && all[n].from < end; n++ {
			if s := all[n]; s.from >= begin {
				b.WriteString(text[at-begin : s.from-begin])
				b.WriteString(s.marker)
			}
			at = min(all[n].to, end)
		}
		b.WriteString(text[at-begin:])
		out[i] = b.String()
	}
	return out
}
