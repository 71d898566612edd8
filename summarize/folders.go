package summarize

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/facts"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/sketch"
)

// noteFolders counts the folders of a string that is a path, the inside of one in JSON.
func (s *recordReader) noteFolders(text []byte, f *fields.Field, place int) {
	l := f.Folders
	switch {
	case l == nil:
		if f.Seen.Types[jsonx.String] > fields.SoughtPaths || s.folderFields == fields.MaxFolderFields ||
			!fields.IsLocation(text) {
			return
		}
		l = new(fields.Folders)
		f.Folders = l
		s.folderFields++
	case l.IsNone:
		return
	case f.Seen.Counted%fields.ReviewPaths == 0 && !f.ArePaths():
		l.IsNone, l.Told = true, nil
		l.Phrases.Clear()
		return
	case !fields.IsLocation(text):
		return
	}
	l.Paths++
	ends := "?"
	if fields.SchemeLen(text) > 0 {
		ends = "?#"
	}
	if i := bytes.IndexAny(text, ends); i >= 0 {
		text = text[:i]
	}
	s.text.CountFolders(&l.Phrases, text, uint64(place)*sketch.PlaceFactor, l.Paths)
}

// writeFolders writes at most so many of the most frequent folders and endings, and how many of the values are in each.
func (o tree) writeFolders(l *fields.Folders, shown int) {
	if shown = min(shown, len(l.Told)); shown == 0 {
		return
	}
	o.Open(facts.Folders)
	for _, p := range l.Told[:shown] {
		o.CountNamed(p.Text, p.Count)
	}
	o.Close()
}
