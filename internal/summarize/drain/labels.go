package drain

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// numberLabel is the label of the number in one word of a template.
type numberLabel struct {
	At    int // index of the word
	Label []byte
}

// labelChoice holds the words that may label the number in one word of a template.
type labelChoice struct {
	at            int
	before, after []byte // nil where that neighbor labels nothing here
	unit          []byte // in the word of the number itself
	// A neighbor is contested where another number stands on its other side.
	isBeforeContested, isAfterContested bool
}

func (c *labelChoice) isContested() bool { return c.isBeforeContested || c.isAfterContested }

// Labels returns the label of each number of the template, and the labels of other values that may
// be such numbers, too. A name before "=" in the same word is the label. Else it is the word before
// the number or the word after it: numbers with one neighbor show which of the two the template
// uses. A number is left out where that remains unknown, and where two numbers of the template
// would have the same label.
func (t *Template) Labels() (all []numberLabel, others [][]byte) {
	var choices []labelChoice
	hasBefore, hasAfter := false, false
	for at := range t.Words {
		if !t.varies(at) {
			continue
		}
		c, name, isNumber := t.choiceOf(at)
		switch {
		case len(name) > 0 && isNumber:
			all = append(all, numberLabel{at, name})
		case len(name) > 0:
			others = append(others, name)
		case !isNumber:
			others = append(others, c.others()...)
		default:
			choices = append(choices, c)
			hasBefore = hasBefore || len(c.before) > 0 && len(c.after) == 0
			hasAfter = hasAfter || len(c.before) == 0 && len(c.after) > 0
		}
	}
	for i := range choices {
		c := &choices[i]
		if label := c.choose(hasBefore, hasAfter); len(label) > 0 {
			all = append(all, numberLabel{c.at, label})
		} else {
			others = append(others, c.others()...)
		}
	}
	return withoutShared(all, others)
}

// withoutShared moves the labels that several numbers have from all to others.
func withoutShared(all []numberLabel, others [][]byte) ([]numberLabel, [][]byte) {
	kept := all[:0:0]
	for i, l := range all {
		isShared := false
		for j, of := range all {
			isShared = isShared || i != j && bytes.Equal(l.Label, of.Label)
		}
		if isShared {
			others = append(others, l.Label)
		} else {
			kept = append(kept, l)
		}
	}
	return kept, others
}

// choiceOf returns the words that may label what varies in the word at that index, or the name that
// labels it in the same word. isNumber reports that each line has one number there and no more.
func (t *Template) choiceOf(at int) (c labelChoice, name []byte, isNumber bool) {
	w, word := &t.Words[at], t.Word(at)
	c.at = at
	before, after, isNumber := bytes.Cut(word, []byte(mask.AnyNumber))
	isNumber = isNumber && w.hasNumber && !w.Free && bytes.IndexByte(after, '<') < 0
	if bytes.IndexByte(before, '<') > 0 {
		return c, nil, false
	}
	before, _, _ = bytes.Cut(before, []byte{'<'})
	if name, ok := bytes.CutSuffix(before, []byte{'='}); ok {
		return c, labelIn(name), isNumber
	}
	if len(bytes.Trim(before, `"'([`)) > 0 {
		return c, nil, false
	}
	c.unit = labelIn(after)
	if isInBrackets := bytes.ContainsAny(after, ")]"); !isNumber || !beginsPart(before) || isInBrackets {
		c.before, c.isBeforeContested = t.labelBefore(at)
	}
	isPlace := bytes.HasSuffix(word, []byte{':'}) // "495: x", as of a line
	if bytes.Contains(word, []byte(mask.AnyNumber)) && !endsPart(word) && !isPlace {
		c.after, c.isAfterContested = t.labelAfter(at)
	}
	return c, nil, isNumber
}

// choose returns the label, nil for none. hasBefore and hasAfter report that some number of the
// template has only a word before it, or only one after it, that may label it.
func (c *labelChoice) choose(hasBefore, hasAfter bool) []byte {
	switch {
	case len(c.before) == 0 && len(c.after) == 0:
		return c.unit
	case len(c.after) == 0:
		if c.isBeforeContested && hasAfter {
			return nil
		}
		return withUnit(c.before, c.unit)
	case len(c.before) == 0:
		if c.isAfterContested && hasBefore {
			return nil
		}
		if len(c.unit) > 0 && !c.isAfterContested {
			return c.unit
		}
		return withUnit(c.after, c.unit)
	case isUnitWord(c.after) && lineclass.SaysVerdict(c.before): // "Passed 1.23 sec"
		return c.after
	case isUnitWord(c.after) && !c.isBeforeContested:
		return withUnit(c.before, c.unit)
	case c.isContested() && hasBefore == hasAfter:
		return nil
	case c.isContested() && hasAfter:
		return withUnit(c.after, c.unit)
	case !c.isContested() && !hasBefore: // both words are about this number alone
		return withUnit(slices.Concat(c.before, []byte{' '}, c.after), c.unit)
	}
	return withUnit(c.before, c.unit)
}

// others returns the labels that the number may have.
func (c *labelChoice) others() (labels [][]byte) {
	for _, label := range [...][]byte{c.before, c.after} {
		if len(label) > 0 {
			labels = append(labels, label)
		}
	}
	if len(labels) == 0 && len(c.unit) > 0 {
		labels = append(labels, c.unit)
	}
	return labels
}

// labelBefore returns the word before word i if it may label it, and whether a number before that
// contests it.
func (t *Template) labelBefore(i int) (label []byte, isContested bool) {
	if i == 0 || t.varies(i-1) || endsPart(t.Word(i-1)) {
		return nil, false
	}
	isContested = i > 1 && t.mayBeNumber(i-2) && !endsPart(t.Word(i-2))
	label = labelIn(t.Word(i - 1))
	if len(label) < 2 || isFunctionWord(label) || isContested && isUnitWord(label) {
		return nil, false
	}
	return label, isContested && !namesNext(t.Word(i-1))
}

// labelAfter returns the word after word i if it may label it, and whether a number after that
// contests it.
func (t *Template) labelAfter(i int) (label []byte, isContested bool) {
	if i+1 == len(t.Words) || t.varies(i+1) || namesNext(t.Word(i+1)) || beginsPart(t.Word(i+1)) {
		return nil, false
	}
	if label = labelIn(t.Word(i + 1)); len(label) == 0 || isFunctionWord(label) {
		return nil, false
	}
	isContested = i+2 < len(t.Words) && t.mayBeNumber(i+2) && !endsPart(t.Word(i+1))
	return label, isContested && !isUnitWord(label)
}

// mayBeNumber reports whether word i is a number in some lines.
func (t *Template) mayBeNumber(i int) bool {
	w := &t.Words[i]
	if w.Free {
		return w.hasNumeral
	}
	before, _, found := bytes.Cut(t.Word(i), []byte(mask.AnyNumber))
	return found && labelIn(before) == nil
}

// namesNext reports whether a word names what comes after it.
func namesNext(word []byte) bool {
	return len(word) > 0 && bytes.IndexByte([]byte(":="), word[len(word)-1]) >= 0
}

// isUnitWord reports whether a word is a unit of time or size: it belongs to the number before it.
func isUnitWord(word []byte) bool {
	switch string(word) {
	case "%", "byte", "bytes", "sec", "secs", "second", "seconds", "msec", "usec", "min", "mins", "minutes",
		"hours", "days", "milliseconds":
		return true
	}
	_, isUnit := value.Units[ascii.LentString(word)]
	return isUnit
}

// beginsPart reports whether a word opens a bracket: the words before it do not go on with it.
func beginsPart(word []byte) bool { return len(word) > 0 && (word[0] == '(' || word[0] == '[') }

// endsPart reports whether what comes after a word does not go on with it.
func endsPart(word []byte) bool {
	return len(word) > 0 && bytes.IndexByte([]byte(",;.)]}"), word[len(word)-1]) >= 0
}

func (t *Template) varies(i int) bool { return t.Words[i].Free || t.Words[i].variable }

// labelIn returns a word of letters without the marks around it; nil for any other word.
func labelIn(word []byte) []byte {
	word = bytes.TrimRight(bytes.Trim(word, `"'()[],;:=`), ".")
	for _, c := range word {
		if !ascii.IsLetter(c) && bytes.IndexByte([]byte("_-.%/"), c) < 0 && c < 0x80 {
			return nil
		}
	}
	saysNothing := mask.PartsOf(word)&mask.Letter == 0 && string(word) != "%"
	if _, isMonth := value.MonthNamed(word); saysNothing || isMonth || len(word) > longestOfLabel {
		return nil
	}
	return word
}

func withUnit(label, unit []byte) []byte {
	if len(unit) == 0 {
		return label
	}
	return slices.Concat(label, []byte{' '}, unit)
}

// isFunctionWord says whether a word is one of those that nearly every English sentence has, and so tells nothing of
// a text.
func isFunctionWord(word []byte) bool {
	switch string(word) {
	case "a", "an", "the", "this", "that", "these", "those", "it", "its", "is", "are", "was", "were", "be", "been",
		"has", "have", "had",
		"of", "to", "in", "on", "at", "by", "for", "from", "with", "as", "into", "and", "or", "but", "if", "than",
		"then", "so", "which",
		"what", "when", "where", "who", "how", "we", "you", "he", "she", "they", "them", "their", "his", "her",
		"our", "your", "will",
		"would", "can", "could", "may", "should", "do", "does", "also", "such", "there", "The", "This", "It", "In",
		"If", "A":
		return true
	}
	return false
}
