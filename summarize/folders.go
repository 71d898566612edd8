package summarize

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/sketch"
)

const (
	maxFolderFields = 4  // fields of paths whose folders are counted
	soughtPaths     = 20 // first strings of a field, one of which is a path if the others are
	leastPaths      = .75
	reviewPaths     = 256 // values of it after which it is asked whether they still are
	maxSchemeLen    = 16  // bytes of the scheme of a URL
	maxFolderLen    = 120 // bytes
)

// folders counts, for a field whose strings are paths or URLs, how many of them are in each folder, and how often each ending of a
// file comes.
type folders struct {
	phrases drain.Phrases
	paths   int
	isNone  bool            // too few of the strings are paths: they are counted no longer
	told    []*drain.Phrase // the most frequent first
}

// noteFolders counts the folders of a string that is a path, the inside of one in JSON.
func (s *Summary) noteFolders(text []byte, f *field, place int) {
	l := f.folders
	switch {
	case l == nil:
		if f.types[jsonx.String] > soughtPaths || s.folderFields == maxFolderFields || !isLocation(text) {
			return
		}
		l = new(folders)
		f.folders = l
		s.folderFields++
	case l.isNone:
		return
	case f.counted%reviewPaths == 0 && !f.arePaths():
		l.isNone, l.told = true, nil
		l.phrases.Clear()
		return
	case !isLocation(text):
		return
	}
	l.paths++
	ends := "?"
	if schemeLen(text) > 0 {
		ends = "?#"
	}
	if i := bytes.IndexAny(text, ends); i >= 0 {
		text = text[:i]
	}
	s.countFolders(&l.phrases, text, uint64(place)*sketch.PlaceFactor, l.paths)
}

// countsFolders says whether the folders of all values of a field are counted.
func (f *field) countsFolders() bool { return f.folders != nil && !f.folders.isNone }

// arePaths says whether the values of a field whose folders are counted are paths.
func (f *field) arePaths() bool { return float64(f.folders.paths) >= leastPaths*float64(f.counted) }

// isLocation says whether a text is a path, or a URL (RFC 3986) with something after its host.
func isLocation(text []byte) bool {
	if len(text) == 0 || len(text) > mask.MaxLineLen || bytes.IndexByte(text, ' ') >= 0 {
		return false
	}
	if n := schemeLen(text); n > 0 {
		return bytes.IndexByte(text[n:], '/') > 0
	}
	return mask.IsPath(text)
}

// schemeLen is the length of the scheme that a URL begins with and of the :// after it, 0 if there is none.
func schemeLen(text []byte) int {
	n := bytes.Index(text[:min(len(text), maxSchemeLen)], []byte("://"))
	if n <= 0 || bytes.ContainsFunc(text[:n], func(r rune) bool { return !isSchemeLetter(r) }) {
		return 0
	}
	return n + len("://")
}

func isSchemeLetter(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '+' || r == '-' || r == '.'
}

// areFolders says whether the values of a field are paths, and are told by what they are in.
func (f *field) areFolders() bool {
	return f.countsFolders() && f.arePaths() && len(f.folders.told) > 0
}

// comesAgain says whether a value of a field comes twice on average.
func (f *field) comesAgain() bool {
	different := len(f.counts.entries)
	if !f.isExact() {
		different, _, _ = f.distinct.Count()
	}
	return 2*different <= f.counted
}

// rank finds what is to be told of the paths.
func (l *folders) rank() { l.told = l.phrases.Ranked(l.paths) }

// withoutFolders leaves out of the phrases of lines what is told of a column of paths.
func (s *Summary) withoutFolders(all []*drain.Phrase) []*drain.Phrase {
	for id := range s.fields {
		if l := s.fields[id].folders; l != nil {
			all = slices.DeleteFunc(all, l.tells)
		}
	}
	return all
}

// tells says whether a phrase of lines is told as a folder.
func (l *folders) tells(p *drain.Phrase) bool {
	return slices.ContainsFunc(l.told, func(t *drain.Phrase) bool { return t.Count == p.Count && bytes.Equal(t.Text, p.Text) })
}

// writeFolders writes at most so many of the most frequent folders and endings, and how many of the values are in each.
func (o *object) writeFolders(l *folders, shown int) {
	if shown = min(shown, len(l.told)); shown == 0 {
		return
	}
	o.open("folders~")
	for _, p := range l.told[:shown] {
		o.count(ascii.LentString(p.Text), p.Count)
	}
	o.close()
}
