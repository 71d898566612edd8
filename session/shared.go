package session

// Shared is one handle for several texts. It stays if a text named it. The zero value keeps nothing, and has no name.
type Shared struct {
	handle   *Handle
	isNamed  bool
	chunks   int
	isInLine bool // what is kept does not end in a line feed
}

// NewShared returns a shared handle.
func NewShared(h *Handle) *Shared { return &Shared{handle: h} }

// Chunks returns how many chunks were kept.
func (s *Shared) Chunks() int { return s.chunks }

// Keep keeps a chunk, as [Handle.Keep] does.
func (s *Shared) Keep(lead, source, path []byte, kind uint8) error {
	s.chunks++
	s.see(source)
	if s.handle == nil {
		return nil
	}
	return s.handle.Keep(lead, source, path, kind)
}

// Tail keeps what follows the last chunk, as [Handle.Tail] does.
func (s *Shared) Tail(b []byte) error {
	s.see(b)
	if s.handle == nil {
		return nil
	}
	return s.handle.Tail(b)
}

func (s *Shared) see(b []byte) {
	if len(b) > 0 {
		s.isInLine = b[len(b)-1] != '\n'
	}
}

// EndLine separates a text from the next one.
func (s *Shared) EndLine() error {
	if !s.isInLine {
		return nil
	}
	return s.Tail([]byte{'\n'})
}

// Name returns the name of the handle, which stays then.
func (s *Shared) Name() (string, error) {
	s.isNamed = true
	if s.handle == nil {
		return "", nil
	}
	return s.handle.Name()
}

// Close commits the handle if it was named, and discards it else.
func (s *Shared) Close() error {
	switch {
	case s.handle == nil:
		return nil
	case s.isNamed:
		return s.handle.Commit()
	}
	return s.handle.Discard()
}
