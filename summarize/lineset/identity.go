package lineset

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/summarize/mask"
	"github.com/kfw-dev/kfw/summarize/outlier"
	"github.com/kfw-dev/kfw/summarize/sketch"
)

// What stands out in a line that is a part of something is told with the line that says of what.

// SeeHead keeps the current line, the next one to be counted, if it is the head of a block.
func (s *Lines) SeeHead(line []byte) {
	h := &s.Out.Head
	if s.Has&(mask.Digit|mask.Letter) == 0 {
		s.Out.Identity.Key = 0 // the lines of a record end
		if outlier.IsBlankLine(line) {
			h.After = s.Count + 1
		}
		return
	}
	if s.Count != h.After {
		return
	}
	h.Count++
	if s.Out.Words.Add(sketch.Hash(line), 1) == 1 {
		h.Fresh++
	}
	h.Number, h.Indent = s.Count+1, outlier.IndentOf(line)
	h.Text = append(h.Text[:0], bytes.TrimSpace(line[:min(len(line), h.Indent+outlier.LongestHead+1)])...)
}

// ForgetIdentity is called for a line that is no name and its value: further out, or where nothing is indented, the
// lines of the record end. One that ends in the sign that comes after names is the name of what is under it, or of
// nothing.
func (s *Lines) ForgetIdentity(line []byte) {
	d := &s.Out.Identity
	text := bytes.TrimRight(line, " \t")
	switch isName := len(text) > 0 && strings.IndexByte(":|=", text[len(text)-1]) >= 0; {
	case isName:
		d.Sections.Open(text)
	case d.Key != 0 && outlier.IndentOf(line) < max(1, d.Indent):
		d.Key = 0
	}
}

// IsUnderIdentity says whether the current line, which may stand out and is no name and its value, is further in than
// what says which record it is of.
func (s *Lines) IsUnderIdentity(line []byte) bool {
	h, d := &s.Out.Head, &s.Out.Identity
	if len(s.Out.Row.Reasons) == 0 {
		return false
	}
	indent := outlier.IndentOf(line)
	return indent > h.Indent && h.Identifies(line, s.Count) || d.Key != 0 && indent > d.Indent
}

// KeepIdentity keeps the line that says which record the current line is of with that, if it may stand out.
func (s *Lines) KeepIdentity(line []byte) {
	r, d, text, key := s.Out.Row, &s.Out.Identity, []byte(nil), uint64(0)
	switch {
	case s.Out.Head.Identifies(line, s.Count):
		text = s.Out.Head.Text
	case d.Key != 0 && d.Number < s.Count && s.Count-d.Number <= outlier.MostUnderIdentity:
		text, key = d.Text, d.Key
	}
	if len(r.Reasons) == 0 || outlier.AreAlike(text, line) {
		return
	}
	if from := len(r.Bytes); len(text) > 0 && from+len(text) <= outlier.RowCap {
		r.Bytes = append(r.Bytes, text...)
		r.Identity, r.Record = ascii.Span{From: from, To: len(r.Bytes)}, key
	}
}

// IsKnownUnderIdentity reports whether the current line, a name and its value, belongs to the
// record that the lines before it say: it is indented deeper, or its name is one that most records
// have. A name that hardly came may begin something else, as "curl: (28) timed out" does, unless
// the record begins with what identifies it.
func (s *Lines) IsKnownUnderIdentity(name, line []byte) bool {
	h, d := &s.Out.Head, &s.Out.Identity
	indent := outlier.IndentOfName(line)
	isOfHead := h.Identifies(line, s.Count)
	if isOfHead && indent > h.Indent || !isOfHead && indent > d.Indent {
		return true
	}
	k := d.ValuesOf(sketch.Hash(name) ^ d.Sections.Around(indent)*sketch.PlaceFactor)
	isFirst := !isOfHead && d.Key == d.First
	if k == nil {
		return isFirst
	}
	s.Out.Row.Name = k.Key
	switch {
	case isFirst:
		return k.ComesAlone()
	case isOfHead:
		return k.IsOfEach(h.Count)
	}
	return k.IsOfEach(d.Values)
}

// IsOwned reports whether a line says which record a row is of, by all that has come.
func (s *Lines) IsOwned(r *outlier.Row) bool {
	switch {
	case r.Identity.To == 0:
		return false
	case r.Owner.Number > 0:
		return s.owns(r.Owner)
	}
	return s.Out.Identity.TellsApart(r.Record) && s.Out.Identity.ComesAlone(r.Name)
}
