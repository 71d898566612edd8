package summarize

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/summarize/lineclass"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/sketch"
)

const (
	maxPhrases    = 192 // words, and pairs of them, whose lines are counted
	maxJoinedLen  = 120 // of one that is joined from pairs
	maxFolders    = 5   // around a path that are counted
	sureCount     = 64  // lines: what else the sketch may have counted is a small share of more
	leastRepeated = 4   // times that a word has come when it may become one of them
	sameLines     = 50  // a word tells no more than a pair of words that is in all but one in so many of its lines
)

// phrases counts in how many lines the most frequent words and pairs of words are. What comes often enough, by the
// sketch of all words, replaces what has come least, so a count may be too high by what the sketch was.
type phrases struct {
	all   []phrase
	index map[uint64]int32
	guess [256]uint8 // of the index, by the last byte of a hash
	least int        // the count of the rarest when they are full
}

type phrase struct {
	hash    uint64
	count   int
	guessed int  // of that, by the sketch
	line    int  // that it was last counted in
	repeats bool // it came twice in a line
	text    []byte
	isPair  bool
	word    [2]uint64 // of a pair; of a folder, twice the one around it
}

// see counts a word or a pair that has come so many times by the sketch. It returns where, -1 if it is not counted.
func (p *phrases) see(hash uint64, times, line int, words [2]uint64, text func(dst []byte) []byte) (at int) {
	if times < leastRepeated {
		return -1
	}
	guess := &p.guess[hash%256]
	known := int(*guess) < len(p.all) && p.all[*guess].hash == hash
	if !known {
		var i int32
		if i, known = p.index[hash]; known {
			*guess = uint8(i)
		}
	}
	if known {
		p.countAgain(int(*guess), uint32(hash), line)
		return int(*guess)
	}
	if p.index == nil {
		p.index = make(map[uint64]int32, maxPhrases)
		p.all = make([]phrase, 0, maxPhrases)
	}
	i := len(p.all)
	if i < maxPhrases {
		p.all = append(p.all, phrase{})
	} else {
		if times <= p.least {
			return -1
		}
		i = 0
		for j := range p.all {
			if p.all[j].count < p.all[i].count {
				i = j
			}
		}
		if p.least = p.all[i].count; times <= p.least {
			return -1
		}
		delete(p.index, p.all[i].hash)
	}
	e := &p.all[i]
	*e = phrase{hash: hash, count: min(times, line), guessed: min(times, line), line: line, text: text(e.text[:0]), isPair: words[1] != 0, word: words}
	p.index[hash] = int32(i)
	return i
}

// countAgain counts what is at a place, once for each line, if that still has a hash that ends so.
func (p *phrases) countAgain(at int, hash uint32, line int) {
	e := &p.all[at]
	switch {
	case uint32(e.hash) != hash:
	case e.line == line:
		e.repeats = true
	default:
		e.count++
		e.line = line
	}
}

func (p *phrases) clear() {
	clear(p.index)
	p.all, p.least = p.all[:0], 0
}

// isGuess says whether most of a count is a small one of the sketch, which may be that of others.
func (e *phrase) isGuess() bool {
	return e.guessed > leastRepeated && e.count < 2*e.guessed && e.count < sureCount
}

// areSame says whether two counts are so near each other that they are taken for those of the same lines.
func areSame(a, b int) bool { return max(a-b, b-a) <= max(a, b)/sameLines }

// ranked returns the phrases that tell something, the most frequent first: not what is in nearly all lines, nor a function word, nor
// one that comes nearly always in the same pair. What differs only in the punctuation around it is one.
func (p *phrases) ranked(lines int) []*phrase {
	var telling, ranked []*phrase
	isPart := map[uint64]bool{}
	all := slices.Clone(p.all)
	for i := range all {
		if e := &all[i]; e.isPair {
			e.count += p.uncounted(e)
			for _, word := range e.word {
				if j, known := p.index[word]; known && areSame(all[j].count, e.count) {
					isPart[word] = true
				}
			}
		}
	}
	for i := range all {
		e := &all[i]
		if isPart[e.hash] || areSame(e.count, lines) || isFunctionWord(e.text) || e.isGuess() {
			continue
		}
		isOwn := !isPart[e.word[0]] && !isPart[e.word[1]]
		isFolder := e.word[0] == e.word[1]
		if e.isPair && isOwn && !isFolder && 2*e.count < max(p.countOf(e.word[0]), p.countOf(e.word[1])) {
			continue
		}
		telling = append(telling, e)
	}
	counts := map[string]int{} // of all that read alike, told or not
	for i := range all {
		counts[string(all[i].text)] += all[i].count
	}
	for _, e := range p.joinPairs(telling) {
		if slices.ContainsFunc(ranked, func(r *phrase) bool { return bytes.Equal(r.text, e.text) }) {
			continue
		}
		sum := *e
		sum.count = min(max(e.count, counts[string(e.text)]), lines)
		ranked = append(ranked, &sum)
	}
	slices.SortStableFunc(ranked, func(a, b *phrase) int { return cmp.Compare(b.count, a.count) })
	return ranked
}

// isFunctionWord says whether a word is one of those that nearly every English sentence has, and so tells nothing of a text.
func isFunctionWord(word []byte) bool {
	switch string(word) {
	case "a", "an", "the", "this", "that", "these", "those", "it", "its", "is", "are", "was", "were", "be", "been", "has", "have", "had",
		"of", "to", "in", "on", "at", "by", "for", "from", "with", "as", "into", "and", "or", "but", "if", "than", "then", "so", "which",
		"what", "when", "where", "who", "how", "we", "you", "he", "she", "they", "them", "their", "his", "her", "our", "your", "will",
		"would", "can", "could", "may", "should", "do", "does", "also", "such", "there", "The", "This", "It", "In", "If", "A":
		return true
	}
	return false
}

// joinPairs makes one phrase of pairs of words that go on from each other in the same lines, where that can't be read in another
// way: "may change" and "change the" are "may change the", if "change" is in no other lines.
func (p *phrases) joinPairs(telling []*phrase) (all []*phrase) {
	next, isNext := map[*phrase]*phrase{}, map[*phrase]bool{}
	for _, a := range telling {
		for _, b := range telling {
			isOther := func(c *phrase) bool { return c != b && p.goesOn(a, c) || c != a && p.goesOn(c, b) }
			if p.goesOn(a, b) && !slices.ContainsFunc(telling, isOther) {
				next[a], isNext[b] = b, true
			}
		}
	}
	isTold := map[*phrase]bool{}
	tell := func(a *phrase) {
		whole := *a
		whole.text = bytes.Clone(a.text)
		isTold[a] = true
		for b := next[a]; b != nil && !isTold[b]; b = next[b] {
			_, second, _ := bytes.Cut(b.text, []byte{' '})
			if len(whole.text)+len(second) >= maxJoinedLen {
				break
			}
			whole.text = append(append(whole.text, ' '), second...)
			whole.count = min(whole.count, b.count)
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

// goesOn says whether a pair of words begins with the second word of another, and both are in all lines that have it, once in each.
func (p *phrases) goesOn(a, b *phrase) bool {
	if a == b || !a.isWords() || !b.isWords() || a.word[1] != b.word[0] || !areSame(a.count, b.count) {
		return false
	}
	i, known := p.index[a.word[1]]
	return known && !p.all[i].repeats && areSame(p.all[i].count, min(a.count, b.count))
}

// uncounted is in how many lines a pair was, by what is known of its words, before these had come often enough for it to be counted.
func (p *phrases) uncounted(pair *phrase) int {
	n := min(p.countOf(pair.word[0]), p.countOf(pair.word[1])) - pair.count
	if !pair.isWords() || n < 0 || n >= leastRepeated {
		return 0
	}
	return n
}

// isWords says whether a phrase is a pair of different words.
func (e *phrase) isWords() bool { return e.isPair && e.word[0] != e.word[1] }

func (p *phrases) countOf(word uint64) int {
	if i, known := p.index[word]; known {
		return p.all[i].count
	}
	return 0
}

// notePhrases counts the words of the line at hand, which has come so many times more, and the pairs of them.
func (s *Summary) notePhrases(came int) {
	o, times := s.out, s.out.times
	o.seen.count, o.seen.hasNew = 0, false
	m := &s.line
	for i, w := range m.Words {
		if w.IsPath {
			s.notePath(m.Line[w.From:w.To])
		}
		if !w.IsTelling {
			continue
		}
		hash := uint64(w.Hash)*sketch.PlaceFactor + 1
		o.seen.add(o.phrases.see(hash, times[i], s.lines, [2]uint64{hash}, func(dst []byte) []byte {
			return appendPhrase(dst, m.Word(i))
		}), hash)
		if i+1 == len(m.Words) || times[i] < leastRepeated || times[i+1] < leastRepeated || !m.Words[i+1].IsTelling {
			continue
		}
		second := uint64(m.Words[i+1].Hash)*sketch.PlaceFactor + 1
		pair := hash*31 + second
		together := o.words.Add(pair, came)
		o.seen.hasNew = o.seen.hasNew || together < leastRepeated
		o.seen.add(o.phrases.see(pair, together, s.lines, [2]uint64{hash, second}, func(dst []byte) []byte {
			return appendPhrase(append(appendPhrase(dst, m.Word(i)), ' '), m.Word(i+1))
		}), pair)
	}
}

// notePath counts the folders that a path is in, the path itself, and what the name of the file ends with.
func (s *Summary) notePath(path []byte) {
	o := s.out
	path = mask.WithoutPosition(path)
	around := s.countFolders(&o.phrases, path, 0, s.lines)
	hash := sketch.Hash(path)*sketch.PlaceFactor + 2
	o.phrases.see(hash, o.words.Add(hash, 1), s.lines, [2]uint64{around, around}, func(dst []byte) []byte {
		return append(dst, path...)
	})
}

// countFolders counts the folders that a path is in, the outer ones, from the first with a letter in its name, and what the name of the
// file ends with. What is counted for one field has hashes of its own. It returns the hash of the innermost that is counted.
func (s *Summary) countFolders(p *phrases, path []byte, of uint64, line int) (around uint64) {
	words := &s.out.words
	from := schemeLen(path)
	hasLetter := from > 0 || len(path) > 0 && mask.Parts[path[0]] == mask.Letter
	for i, depth := max(1, from), 0; i < min(len(path), maxFolderLen) && depth < maxFolders; i++ {
		hasLetter = hasLetter || mask.Parts[path[i]] == mask.Letter
		if path[i] != '/' {
			continue
		}
		if depth++; !hasLetter {
			continue
		}
		folder := path[:i+1]
		hash := (sketch.Hash(folder)+of)*sketch.PlaceFactor + 2
		p.see(hash, words.Add(hash, 1), line, [2]uint64{around, around}, func(dst []byte) []byte {
			return append(dst, folder...)
		})
		around = hash
	}
	if ending := mask.FileEnding(path[from:]); len(ending) > 0 {
		hash := (sketch.Hash(ending)+of)*sketch.PlaceFactor + 3
		p.see(hash, words.Add(hash, 1), line, [2]uint64{hash}, func(dst []byte) []byte {
			return append(append(dst, '*'), ending...)
		})
	}
	return around
}

// appendPhrase appends a word without the punctuation around it.
func appendPhrase(dst, word []byte) []byte {
	const marks, opening, closing = `"',;:`, "([{", ")]}"
	trimmed := bytes.Trim(word, marks)
	for len(trimmed) > 2 && strings.IndexByte(opening, trimmed[0]) >= 0 && strings.IndexByte(closing, trimmed[len(trimmed)-1]) >= 0 {
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

// hasVerdict reports whether a phrase has a word that says how something ended. How many lines have it is not how many
// ended so: a test runner names a failure in its list, in its details and in its summary.
func (e *phrase) hasVerdict() bool { return lineclass.SaysVerdict(e.text) }
