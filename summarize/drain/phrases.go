package drain

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/summarize/lineclass"
)

const (
	maxPhrases    = 192 // words, and pairs of them, whose lines are counted
	MaxJoinedLen  = 120 // of one that is joined from pairs
	MaxFolders    = 5   // around a path that are counted
	sureCount     = 64  // lines: what else the sketch may have counted is a small share of more
	LeastRepeated = 4   // times that a word has come when it may become one of them
	sameLines     = 50  // a word tells no more than a pair of words that is in all but one in so many of its lines
)

// Phrases counts in how many lines the most frequent words and pairs of words are. What comes often enough, by the
// sketch of all words, replaces what has come least, so a count may be too high by what the sketch was.
type Phrases struct {
	All   []Phrase
	Index map[uint64]int32
	guess [256]uint8 // of the index, by the last byte of a hash
	least int        // the count of the rarest when they are full
}

// Phrase is a word, two words one after the other, a folder, a path or the ending of a file name,
// and in how many lines it came.
type Phrase struct {
	hash    uint64
	Count   int
	guessed int  // of that, by the sketch
	line    int  // that it was last counted in
	repeats bool // it came twice in a line
	Text    []byte
	IsPair  bool
	Word    [2]uint64 // of a pair; of a folder, twice the one around it
}

// See counts a word or a pair that has come so many times by the sketch. It returns where, -1 if it is not counted.
func (p *Phrases) See(hash uint64, times, line int, words [2]uint64, text func(dst []byte) []byte) (at int) {
	if times < LeastRepeated {
		return -1
	}
	guess := &p.guess[hash%256]
	known := int(*guess) < len(p.All) && p.All[*guess].hash == hash
	if !known {
		var i int32
		if i, known = p.Index[hash]; known {
			*guess = uint8(i)
		}
	}
	if known {
		p.CountAgain(int(*guess), uint32(hash), line)
		return int(*guess)
	}
	if p.Index == nil {
		p.Index = make(map[uint64]int32, maxPhrases)
		p.All = make([]Phrase, 0, maxPhrases)
	}
	i := len(p.All)
	if i < maxPhrases {
		p.All = append(p.All, Phrase{})
	} else {
		if times <= p.least {
			return -1
		}
		i = 0
		for j := range p.All {
			if p.All[j].Count < p.All[i].Count {
				i = j
			}
		}
		if p.least = p.All[i].Count; times <= p.least {
			return -1
		}
		delete(p.Index, p.All[i].hash)
	}
	e := &p.All[i]
	*e = Phrase{hash: hash, Count: min(times, line), guessed: min(times, line), line: line, Text: text(e.Text[:0]),
		IsPair: words[1] != 0, Word: words}
	p.Index[hash] = int32(i)
	return i
}

// CountAgain counts what is at a place, once for each line, if that still has a hash that ends so.
func (p *Phrases) CountAgain(at int, hash uint32, line int) {
	e := &p.All[at]
	switch {
	case uint32(e.hash) != hash:
	case e.line == line:
		e.repeats = true
	default:
		e.Count++
		e.line = line
	}
}

// Clear forgets all phrases, and keeps their memory for others.
func (p *Phrases) Clear() {
	clear(p.Index)
	p.All, p.least = p.All[:0], 0
}

// isGuess says whether most of a count is a small one of the sketch, which may be that of others.
func (e *Phrase) isGuess() bool {
	return e.guessed > LeastRepeated && e.Count < 2*e.guessed && e.Count < sureCount
}

// AreSame says whether two counts are so near each other that they are taken for those of the same lines.
func AreSame(a, b int) bool { return max(a-b, b-a) <= max(a, b)/sameLines }

// Ranked returns the phrases that tell something, the most frequent first: not what is in nearly all lines, nor a
// function word, nor one that comes nearly always in the same pair. What differs only in the punctuation around it is
// one.
func (p *Phrases) Ranked(lines int) []*Phrase {
	var telling, ranked []*Phrase
	isPart := map[uint64]bool{}
	all := slices.Clone(p.All)
	for i := range all {
		if e := &all[i]; e.IsPair {
			e.Count += p.uncounted(e)
			for _, word := range e.Word {
				if j, known := p.Index[word]; known && AreSame(all[j].Count, e.Count) {
					isPart[word] = true
				}
			}
		}
	}
	for i := range all {
		e := &all[i]
		if isPart[e.hash] || AreSame(e.Count, lines) || isFunctionWord(e.Text) || e.isGuess() {
			continue
		}
		isOwn := !isPart[e.Word[0]] && !isPart[e.Word[1]]
		isFolder := e.Word[0] == e.Word[1]
		if e.IsPair && isOwn && !isFolder && 2*e.Count < max(p.countOf(e.Word[0]), p.countOf(e.Word[1])) {
			continue
		}
		telling = append(telling, e)
	}
	counts := map[string]int{} // of all that read alike, told or not
	for i := range all {
		counts[string(all[i].Text)] += all[i].Count
	}
	for _, e := range p.JoinPairs(telling) {
		if slices.ContainsFunc(ranked, func(r *Phrase) bool { return bytes.Equal(r.Text, e.Text) }) {
			continue
		}
		sum := *e
		sum.Count = min(max(e.Count, counts[string(e.Text)]), lines)
		ranked = append(ranked, &sum)
	}
	slices.SortStableFunc(ranked, func(a, b *Phrase) int { return cmp.Compare(b.Count, a.Count) })
	return ranked
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

// JoinPairs makes one phrase of pairs of words that go on from each other in the same lines, where that can't be read
// in another way: "may change" and "change the" are "may change the", if "change" is in no other lines.
func (p *Phrases) JoinPairs(telling []*Phrase) (all []*Phrase) {
	next, isNext := map[*Phrase]*Phrase{}, map[*Phrase]bool{}
	for _, a := range telling {
		for _, b := range telling {
			isOther := func(c *Phrase) bool { return c != b && p.goesOn(a, c) || c != a && p.goesOn(c, b) }
			if p.goesOn(a, b) && !slices.ContainsFunc(telling, isOther) {
				next[a], isNext[b] = b, true
			}
		}
	}
	isTold := map[*Phrase]bool{}
	tell := func(a *Phrase) {
		whole := *a
		whole.Text = bytes.Clone(a.Text)
		isTold[a] = true
		for b := next[a]; b != nil && !isTold[b]; b = next[b] {
			_, second, _ := bytes.Cut(b.Text, []byte{' '})
			if len(whole.Text)+len(second) >= MaxJoinedLen {
				break
			}
			whole.Text = append(append(whole.Text, ' '), second...)
			whole.Count = min(whole.Count, b.Count)
			isTold[b] = true
		}
		all = append(all, &whole)
	}
	for _, a := range telling {
		if !isNext[a] {
			tell(a)
		}
	}
	for _, a := range telling {
		if !isTold[a] { // what a long one did not have room for, or pairs that go on in a circle
			tell(a)
		}
	}
	return all
}

// goesOn says whether a pair of words begins with the second word of another, and both are in all lines that have it,
// once in each.
func (p *Phrases) goesOn(a, b *Phrase) bool {
	if a == b || !a.isWords() || !b.isWords() || a.Word[1] != b.Word[0] || !AreSame(a.Count, b.Count) {
		return false
	}
	i, known := p.Index[a.Word[1]]
	return known && !p.All[i].repeats && AreSame(p.All[i].Count, min(a.Count, b.Count))
}

// uncounted is in how many lines a pair was, by what is known of its words, before these had come often enough for it
// to be counted.
func (p *Phrases) uncounted(pair *Phrase) int {
	n := min(p.countOf(pair.Word[0]), p.countOf(pair.Word[1])) - pair.Count
	if !pair.isWords() || n < 0 || n >= LeastRepeated {
		return 0
	}
	return n
}

// isWords says whether a phrase is a pair of different words.
func (e *Phrase) isWords() bool { return e.IsPair && e.Word[0] != e.Word[1] }

func (p *Phrases) countOf(word uint64) int {
	if i, known := p.Index[word]; known {
		return p.All[i].Count
	}
	return 0
}

// AppendPhrase appends a word without the punctuation around it.
func AppendPhrase(dst, word []byte) []byte {
	const marks, opening, closing = `"',;:`, "([{", ")]}"
	trimmed := bytes.Trim(word, marks)
	for len(trimmed) > 2 && strings.IndexByte(opening, trimmed[0]) >= 0 &&
		strings.IndexByte(closing, trimmed[len(trimmed)-1]) >= 0 {
		trimmed = bytes.Trim(trimmed[1:len(trimmed)-1], marks)
	}
	if !bytes.ContainsAny(trimmed, opening) {
		trimmed = bytes.TrimRight(trimmed, closing+marks)
	}
	if !bytes.ContainsAny(trimmed, closing) {
		trimmed = bytes.TrimLeft(trimmed, opening+marks)
	}
	if len(trimmed) == 0 {
		trimmed = word
	}
	return append(dst, trimmed...)
}

// HasVerdict reports whether a phrase has a word that says how something ended. How many lines have it is not how many
// ended so: a test runner names a failure in its list, in its details and in its summary.
func (e *Phrase) HasVerdict() bool { return lineclass.SaysVerdict(e.Text) }
