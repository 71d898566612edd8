package drain

import (
	"bytes"
	"strconv"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/mask"
)

// When the words that lines begin with are told.
const (
	MaxFirstWords  = 16 // different words; if there are more, none is told
	longFirstWord  = 32 // bytes of one
	LeastFirstWord = .9 // share of all lines that begin with one of them
)

// FirstWord is a word and how many lines begin with it.
type FirstWord struct {
	Text  []byte // the inside of a JSON string
	Lines int
}

// FirstWords counts by what lines of a form begin with: the same word, or one with a number of which there are few.
func (t *Template) FirstWords() (words []FirstWord) {
	w := &t.Words[0]
	before, after, found := bytes.Cut(t.Word(0), []byte(mask.AnyNumber))
	if found && w.hasFew() && w.Low < w.High && !w.isUneven && len(before)+len(after) > 0 {
		for _, n := range w.Few.all[:w.Few.different] {
			word := strconv.AppendFloat(jsonx.AppendCanonicalText(nil, before), n.number, 'f', int(w.decimals), 64)
			words = append(words, FirstWord{jsonx.AppendCanonicalText(word, after), n.count})
		}
		return words
	}
	word := t.appendWithNumber(nil, 0, false)
	if len(word) == 0 || len(word) > longFirstWord || bytes.IndexByte(word, '<') >= 0 {
		return nil
	}
	return append(words, FirstWord{word, t.Count})
}
