package summarize

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/mask"
)

const (
	maxFirstWords  = 16
	longFirstWord  = 32 // bytes
	leastFirstWord = .9 // of all lines begin with one of them
)

// firstWord is a word and how many lines begin with it.
type firstWord struct {
	text  []byte // the inside of a JSON string
	lines int
}

// firstWords counts by what lines begin with: the service whose line it is, or its level. That is told where there are a few such words,
// and fewer than forms that begin with them. areAll says that every line begins with one.
func (s *Summary) firstWords() (words []firstWord, areAll bool) {
	forms, lines := 0, 0
	for i := range s.templates.all {
		t := &s.templates.all[i]
		if t.count == 0 || len(t.words) < 2 || t.words[0].free || s.isToldByKey(t) {
			continue
		}
		begins := t.firstWords()
		if len(begins) == 0 {
			continue
		}
		forms++
		lines += t.count
		for _, begin := range begins {
			same := slices.IndexFunc(words, func(w firstWord) bool { return bytes.Equal(w.text, begin.text) })
			if same >= 0 {
				words[same].lines += begin.lines
			} else if words = append(words, begin); len(words) > maxFirstWords {
				return nil, false
			}
		}
	}
	if len(words) < 2 || len(words) >= forms || float64(lines) < leastFirstWord*float64(s.lines) {
		return nil, false
	}
	slices.SortStableFunc(words, func(a, b firstWord) int { return cmp.Compare(b.lines, a.lines) })
	return words, lines == s.lines
}

// firstWords counts by what lines of a form begin with: the same word, or one with a number of which there are few.
func (t *template) firstWords() (words []firstWord) {
	w := &t.words[0]
	before, after, found := bytes.Cut(t.word(0), []byte(mask.AnyNumber))
	if found && w.hasFew() && w.low < w.high && !w.isUneven && len(before)+len(after) > 0 {
		for _, n := range w.few.all[:w.few.different] {
			word := strconv.AppendFloat(jsonx.AppendCanonicalText(nil, before), n.number, 'f', int(w.decimals), 64)
			words = append(words, firstWord{jsonx.AppendCanonicalText(word, after), n.count})
		}
		return words
	}
	word := t.appendWithNumber(nil, 0, false)
	if len(word) == 0 || len(word) > longFirstWord || bytes.IndexByte(word, '<') >= 0 {
		return nil
	}
	return append(words, firstWord{word, t.count})
}

// firstWords writes words, and how many lines begin with each.
func (o *object) firstWords(words []firstWord, areAll bool) {
	name := "first_words"
	if !areAll {
		name += "~"
	}
	o.open(name)
	for _, w := range words {
		o.count(ascii.LentString(w.text), w.lines)
	}
	o.close()
}
