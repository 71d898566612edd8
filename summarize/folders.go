package summarize

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/summarize/fields"
	"github.com/kfw-dev/kfw/summarize/sketch"
)

// noteFolders counts the folders of a string that is a path, the inside of one in JSON.
func (s *Summary) noteFolders(text []byte, f *fields.Field, place int) {
	l := f.Folders
	switch {
	case l == nil:
		if f.Seen.Types[jsonx.String] > fields.SoughtPaths || s.folderFields == fields.MaxFolderFields || !fields.IsLocation(text) {
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
func (o *object) writeFolders(l *fields.Folders, shown int) {
	if shown = min(shown, len(l.Told)); shown == 0 {
		return
	}
	o.open("folders~")
	for _, p := range l.Told[:shown] {
		o.count(ascii.LentString(p.Text), p.Count)
	}
	o.close()
}
