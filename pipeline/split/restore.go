package split

import (
	"github.com/kfw-dev/kfw/pipeline/internal/yaml"
	"github.com/kfw-dev/kfw/redact"
)

// notationShift is where the notation of a chunk stands in its kind as it is kept.
const notationShift = 2

// StoredKind is the kind of the chunk as a handle stores it, for Restorer.
func (c *Chunk) StoredKind() uint8 { return uint8(c.Kind) | uint8(c.Notation)<<notationShift }

// mostRestored is how many bytes of JSON a chunk of YAML may stand for: it had no more than a chunk when it was kept.
const mostRestored = 64 << 20

// Restorer makes chunks of what a handle has kept of them, redacted again, since a rule may be newer. What it returns
// is lent until the next call.
type Restorer struct {
	values       *redact.Values
	inner, clean []byte
	lines        []byte // of YAML
	yaml         yaml.Converter
}

// NewRestorer returns a Restorer that redacts by these rules.
func NewRestorer(rules *redact.Rules) *Restorer { return &Restorer{values: rules.Values()} }

// Chunk returns the chunk that stood at a path and was kept with that source and kind. Of a part alone nothing can be
// said that was not said when it was kept.
func (r *Restorer) Chunk(path, source []byte, kind uint8) Chunk {
	c := Chunk{Path: path, Source: source, Kind: Kind(kind & (1<<notationShift - 1)),
		Notation: Notation(kind >> notationShift)}
	content := &c.Source
	switch {
	case c.Notation == InString:
		r.inner = AppendUnescaped(r.inner[:0], source)
		c.Inner = r.inner
		content = &c.Inner
	case c.Notation.IsYAML():
		r.lines = r.values.Append(r.lines[:0], source, redact.Lines)
		c.Source = r.lines
		value, err := r.yaml.JSON(c.Source, yaml.Part(c.Notation-InYAML), mostRestored)
		if err != nil { // it was kept before a rule that cuts it otherwise
			c.Notation, c.Kind = Plain, Text
			break
		}
		c.Inner = value
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
