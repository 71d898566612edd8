package fields

import (
	"bytes"
	"slices"

	"github.com/kfw-dev/kfw/summarize/drain"
	"github.com/kfw-dev/kfw/summarize/mask"
)

const (
	MaxFolderFields = 4  // fields of paths whose folders are counted
	SoughtPaths     = 20 // first strings of a field, one of which is a path if the others are
	leastPaths      = .75
	ReviewPaths     = 256 // values of it after which it is asked whether they still are
	maxSchemeLen    = 16  // bytes of the scheme of a URL
	MaxFolderLen    = 120 // bytes
)

// Folders counts, for a field whose strings are paths or URLs, how many of them are in each folder, and how often each ending of a
// file comes.
type Folders struct {
	Phrases drain.Phrases
	Paths   int
	IsNone  bool            // too few of the strings are paths: they are counted no longer
	Told    []*drain.Phrase // the most frequent first
}

// CountsFolders says whether the folders of all values of a field are counted.
func (f *Field) CountsFolders() bool { return f.Folders != nil && !f.Folders.IsNone }

// ArePaths says whether the values of a field whose folders are counted are paths.
func (f *Field) ArePaths() bool {
	return float64(f.Folders.Paths) >= leastPaths*float64(f.Seen.Counted)
}

// IsLocation says whether a text is a path, or a URL (RFC 3986) with something after its host.
func IsLocation(text []byte) bool {
	if len(text) == 0 || len(text) > mask.MaxLineLen || bytes.IndexByte(text, ' ') >= 0 {
		return false
	}
	if n := SchemeLen(text); n > 0 {
		return bytes.IndexByte(text[n:], '/') > 0
	}
	return mask.IsPath(text)
}

// SchemeLen is the length of the scheme that a URL begins with and of the :// after it, 0 if there is none.
func SchemeLen(text []byte) int {
	n := bytes.Index(text[:min(len(text), maxSchemeLen)], []byte("://"))
	if n <= 0 || bytes.ContainsFunc(text[:n], func(r rune) bool { return !isSchemeLetter(r) }) {
		return 0
	}
	return n + len("://")
}

func isSchemeLetter(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '+' || r == '-' || r == '.'
}

// AreFolders says whether the values of a field are paths, and are told by what they are in.
func (f *Field) AreFolders() bool {
	return f.CountsFolders() && f.ArePaths() && len(f.Folders.Told) > 0
}

// ComesAgain says whether a value of a field comes twice on average.
func (f *Seen) ComesAgain() bool {
	different := len(f.Counts.Entries)
	if !f.IsExact() {
		different, _, _ = f.Distinct.Count()
	}
	return 2*different <= f.Counted
}

// Rank finds what is to be told of the paths.
func (l *Folders) Rank() { l.Told = l.Phrases.Ranked(l.Paths) }

// Tells says whether a phrase of lines is told as a folder.
func (l *Folders) Tells(p *drain.Phrase) bool {
	return slices.ContainsFunc(l.Told, func(t *drain.Phrase) bool { return t.Count == p.Count && bytes.Equal(t.Text, p.Text) })
}
