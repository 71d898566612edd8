package split

import (
	"bytes"
	"slices"
	"testing"

	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/redact"
)

// kept is a chunk that outlives the next one.
type keptChunk struct {
	Seq          int
	Path, Source string
	Kind         Kind
	Warnings     []Warning
	Inner        []byte
	Notation     Notation
}

func (c *keptChunk) Chunk() Chunk {
	return Chunk{Seq: c.Seq, Path: []byte(c.Path), Source: []byte(c.Source), Kind: c.Kind, Inner: c.Inner,
		Notation: c.Notation}
}

// chunksOf cuts data and checks that nothing of it is lost, and that the bytes that were lent are not needed later.
func chunksOf(t testing.TB, data, sizes []byte, format redact.Format, max int, oneAnswer bool) (all []keptChunk) {
	var whole []byte
	in := redact.NewReader(&testinput.Pieces{Data: data, Sizes: sizes}, testinput.PlainRules(t), format)
	for c, err := range Chunks(in, max, false, oneAnswer) {
		if err != nil {
			t.Fatalf("chunks end with %v", err)
		}
		whole = append(append(whole, c.Lead...), c.Source...)
		if c.Seq == 0 {
			if len(c.Source) > 0 {
				t.Fatal("no chunk has a source")
			}
			if len(c.Warnings) > 0 {
				all = append(all, keptChunk{Warnings: slices.Clone(c.Warnings)})
			}
			continue
		}
		all = append(all, keptChunk{c.Seq, string(c.Path), string(c.Source), c.Kind, slices.Clone(c.Warnings),
			slices.Clone(c.Inner), c.Notation})
	}
	if !bytes.Equal(whole, data) {
		t.Fatalf("leads and sources are %d bytes, not the %d of the input", len(whole), len(data))
	}
	seq := 0
	for _, c := range all {
		if c.Seq == 0 {
			continue
		}
		if seq++; c.Seq != seq {
			t.Fatalf("chunk %d is numbered %d", seq, c.Seq)
		}
	}
	return all
}
