// Package chunktest makes chunks that outlive the reading, for tests of what reads chunks.
package chunktest

import (
	"bytes"
	"iter"
	"slices"
	"testing"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
)

// Kept is a chunk that outlives the next one.
type Kept struct {
	Seq          int
	Path, Source string
	Kind         split.Kind
	Warnings     []split.Warning
	Inner        []byte
	Notation     split.Notation
}

// Chunk returns the chunk, with bytes of its own.
func (c *Kept) Chunk() split.Chunk {
	return split.Chunk{Seq: c.Seq, Path: []byte(c.Path), Source: []byte(c.Source), Kind: c.Kind, Inner: c.Inner,
		Notation: c.Notation}
}

// Of cuts data and checks that nothing of it is lost, that what is called JSON is JSON, and that the bytes that were
// lent are not needed later.
func Of(t testing.TB, data, sizes []byte, format redact.Format, max int, oneAnswer bool) (all []Kept) {
	var whole []byte
	in := redact.NewReader(&testinput.Pieces{Data: data, Sizes: sizes}, testinput.PlainRules(t), format)
	for c, err := range split.Chunks(in, max, false, oneAnswer) {
		if err != nil {
			t.Fatalf("chunks end with %v", err)
		}
		whole = append(append(whole, c.Lead...), c.Source...)
		if c.Seq == 0 {
			if len(c.Source) > 0 {
				t.Fatal("no chunk has a source")
			}
			if len(c.Warnings) > 0 {
				all = append(all, Kept{Warnings: slices.Clone(c.Warnings)})
			}
			continue
		}
		all = append(all, Kept{c.Seq, string(c.Path), string(c.Source), c.Kind, slices.Clone(c.Warnings),
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
		chunk := c.Chunk()
		if content := chunk.Content(); c.Kind == split.JSON && !jsonx.Valid(content, len(content)) {
			t.Fatalf("chunk %d is not JSON: %.100q", seq, content)
		}
	}
	return all
}

// Page yields kept chunks after an offset, as a handle does. The bytes of each are spoilt when the next one is due.
func Page(all []Kept, offset int) iter.Seq2[split.Chunk, error] {
	return func(yield func(split.Chunk, error) bool) {
		for _, c := range all[min(offset, len(all)):] {
			chunk := c.Chunk()
			if !yield(chunk, nil) {
				return
			}
			clear(chunk.Source)
		}
	}
}
