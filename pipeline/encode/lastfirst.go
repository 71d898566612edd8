package encode

import "strings"

// MostAdded is what LastFirst adds at most. It stands before the beginning of a text that comes after its summary.
const MostAdded = OwnPrefix + "the beginning\n"

// LastFirst keeps what a firewall writes as [Text], a frame at a time, and gives it with the last frame first, which is
// the summary of the whole: a reader who stops early has seen it, and so has a model whose host cuts the middle.
type LastFirst struct {
	text []byte
	last int // where the last frame begins
}

// Write takes a frame. It implements io.Writer.
func (w *LastFirst) Write(b []byte) (int, error) {
	w.last = len(w.text)
	w.text = append(w.text, b...)
	return len(b), nil
}

// Text returns the text, and what was added to it. A response that is shown whole has no summary.
func (w *LastFirst) Text() (text, added string) {
	rest, last := string(w.text[:w.last]), string(w.text[w.last:])
	if !strings.HasPrefix(last, OwnPrefix) || !strings.HasSuffix(rest, "\n") {
		return string(w.text), ""
	}
	added = addedTo(rest)
	return last + added + rest, added
}

// Adds returns what Text adds if the next frame is the last one, and a summary.
func (w *LastFirst) Adds() string { return addedTo(string(w.text)) }

// addedTo returns what is added before the frames that come after the last one.
func addedTo(rest string) string {
	if !strings.HasSuffix(rest, "\n") || strings.HasPrefix(rest, OwnPrefix) {
		return ""
	}
	return MostAdded
}
