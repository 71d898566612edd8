package lineset

import (
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/sketch"
)

// NotePhrases counts the words of the current line, which has come so many times more, and the pairs of them.
func (s *Lines) NotePhrases(came int) {
	o, times := s.Out, s.Out.Times
	o.Seen.Count, o.Seen.HasNew = 0, false
	m := &s.Line
	for i, w := range m.Words {
		if w.IsPath {
			s.NotePath(m.Line[w.From:w.To])
		}
		if !w.IsTelling {
			continue
		}
		hash := uint64(w.Hash)*sketch.PlaceFactor + 1
		o.Seen.Add(o.Phrases.See(hash, times[i], s.Count, [2]uint64{hash}, func(dst []byte) []byte {
			return drain.AppendPhrase(dst, m.Word(i))
		}), hash)
		if i+1 == len(m.Words) || times[i] < drain.LeastRepeated || times[i+1] < drain.LeastRepeated ||
			!m.Words[i+1].IsTelling {
			continue
		}
		second := uint64(m.Words[i+1].Hash)*sketch.PlaceFactor + 1
		pair := hash*31 + second
		together := o.Words.Add(pair, came)
		o.Seen.HasNew = o.Seen.HasNew || together < drain.LeastRepeated
		o.Seen.Add(o.Phrases.See(pair, together, s.Count, [2]uint64{hash, second}, func(dst []byte) []byte {
			return drain.AppendPhrase(append(drain.AppendPhrase(dst, m.Word(i)), ' '), m.Word(i+1))
		}), pair)
	}
}

// NotePath counts the folders that a path is in, the path itself, and what the name of the file ends with.
func (s *Lines) NotePath(path []byte) {
	o := s.Out
	path = mask.WithoutPosition(path)
	around := s.CountFolders(&o.Phrases, path, 0, s.Count)
	hash := sketch.Hash(path)*sketch.PlaceFactor + 2
	o.Phrases.See(hash, o.Words.Add(hash, 1), s.Count, [2]uint64{around, around}, func(dst []byte) []byte {
		return append(dst, path...)
	})
}

// CountFolders counts the folders that a path is in, the outer ones, from the first with a letter in its name, and
// what the name of the file ends with. What is counted for one field has hashes of its own. It returns the hash of
// the innermost that is counted.
func (s *Lines) CountFolders(p *drain.Phrases, path []byte, of uint64, line int) (around uint64) {
	words := &s.Out.Words
	from := fields.SchemeLen(path)
	hasLetter := from > 0 || len(path) > 0 && mask.Parts[path[0]] == mask.Letter
	for i, depth := max(1, from), 0; i < min(len(path), fields.MaxFolderLen) && depth < drain.MaxFolders; i++ {
		hasLetter = hasLetter || mask.Parts[path[i]] == mask.Letter
		if path[i] != '/' {
			continue
		}
		if depth++; !hasLetter {
			continue
		}
		folder := path[:i+1]
		hash := (sketch.Hash(folder)+of)*sketch.PlaceFactor + 2
		p.See(hash, words.Add(hash, 1), line, [2]uint64{around, around}, func(dst []byte) []byte {
			return append(dst, folder...)
		})
		around = hash
	}
	if ending := mask.FileEnding(path[from:]); len(ending) > 0 {
		hash := (sketch.Hash(ending)+of)*sketch.PlaceFactor + 3
		p.See(hash, words.Add(hash, 1), line, [2]uint64{hash}, func(dst []byte) []byte {
			return append(append(dst, '*'), ending...)
		})
	}
	return around
}
