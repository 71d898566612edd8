package results

import "github.com/kfw-dev/kfw/session"

// handle keeps all texts of a result. It stays if a text named it. The zero value keeps nothing, and has no name.
type handle struct {
	*session.Handle
	isNamed  bool
	chunks   int
	endsLine bool // what is kept ends with a line feed, or there is nothing yet
}

// Keep implements pipeline.Handle.
func (h *handle) Keep(lead, source, path []byte, kind uint8) error {
	h.chunks++
	h.ends(source)
	if h.Handle == nil {
		return nil
	}
	return h.Handle.Keep(lead, source, path, kind)
}

// Tail implements pipeline.Handle.
func (h *handle) Tail(b []byte) error {
	h.ends(b)
	if h.Handle == nil {
		return nil
	}
	return h.Handle.Tail(b)
}

func (h *handle) ends(b []byte) {
	if len(b) > 0 {
		h.endsLine = b[len(b)-1] == '\n'
	}
}

// endLine separates a text from the next one.
func (h *handle) endLine() error {
	if h.endsLine || h.chunks == 0 {
		return nil
	}
	return h.Tail([]byte{'\n'})
}

// Name implements pipeline.Handle.
func (h *handle) Name() (string, error) {
	h.isNamed = true
	if h.Handle == nil {
		return "", nil
	}
	return h.Handle.Name()
}

func (h *handle) close() error {
	switch {
	case h == nil || h.Handle == nil:
		return nil
	case h.isNamed:
		return h.Commit()
	}
	return h.Discard()
}
