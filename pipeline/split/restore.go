package split

import "github.com/kfw-dev/kfw/redact"

// innerKind is set in the kind of a chunk as it is kept, when it stood in a string.
const innerKind = 1 << 2

// StoredKind is the kind of the chunk as a handle stores it, for Restorer.
func (c *Chunk) StoredKind() uint8 {
	kind := uint8(c.Kind)
	if c.Inner != nil {
		kind |= innerKind
	}
	return kind
}

// Restorer makes chunks of what a handle has kept of them, redacted again, since a rule may be newer. What it returns
// is lent until the next call.
type Restorer struct {
	values       *redact.Values
	inner, clean []byte
}

// NewRestorer returns a Restorer that redacts by these rules.
func NewRestorer(rules *redact.Rules) *Restorer { return &Restorer{values: rules.Values()} }

// Chunk returns the chunk that stood at a path and was kept with that source and kind. Of a part alone nothing can be
// said that was not said when it was kept.
func (r *Restorer) Chunk(path, source []byte, kind uint8) Chunk {
	c := Chunk{Path: path, Source: source, Kind: Kind(kind &^ innerKind)}
	content := &c.Source
	if kind&innerKind != 0 {
		r.inner = AppendUnescaped(r.inner[:0], source)
		c.Inner = r.inner
		content = &c.Inner
	}
	switch c.Kind {
	case JSON:
		r.clean = r.values.Append(r.clean[:0], *content, redact.JSON)
		*content = r.clean
	case Text:
		r.clean = r.values.Append(r.clean[:0], *content, redact.Lines)
		*content = r.clean
	}
	return c
}
