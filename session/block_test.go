package session

import (
	"bytes"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// FuzzBlockReader holds that no bytes make a reader panic or give back more than there is.
func FuzzBlockReader(f *testing.F) {
	w := newBlockWriter()
	w.addBetween([]byte("[\n"))
	w.addChunk([]byte("  "), []byte("1"), []byte("a.0"), 0)
	w.addChunk([]byte(",\n"), []byte("2"), []byte("a.1"), 1)
	w.addBetween([]byte("]"))
	index := w.appendBetween(bytes.Clone(w.index))
	f.Add(w.bytes, index)
	f.Add([]byte("abc"), []byte{0, 2})
	f.Add([]byte("abc"), []byte{1, 1, 2, 4})
	f.Add([]byte("abc"), []byte{5, 1, 2, 0, 9})
	f.Add([]byte("abc"), []byte{5, 0, 0, 1, 0})
	f.Add([]byte("abc"), []byte{8, 0, 3})
	f.Add([]byte("abc"), bytes.Repeat([]byte{255}, 12))
	f.Fuzz(func(t *testing.T, data, index []byte) {
		var r blockReader
		packed := blockWriter{bytes: append(bytes.Clone(data), index...)}
		check(t, r.open(packed.seal(nil), int64(len(data))))
		var back []byte
		for {
			p, more, err := r.next()
			if err != nil {
				return
			}
			if !more {
				break
			}
			back = append(append(back, p.lead...), p.source...)
			if len(p.path) > len(index) && len(p.path) > 1<<16 {
				t.Fatalf("a path of %d bytes out of an index of %d", len(p.path), len(index))
			}
		}
		if !bytes.Equal(back, data) {
			t.Fatal("a block that was accepted gave back other bytes")
		}
	})
}

func TestBlockRefusesDamage(t *testing.T) {
	w := newBlockWriter()
	w.addChunk([]byte("\n"), bytes.Repeat([]byte("some bytes "), 50), []byte("p"), 0)
	refusesDamage(t, w, w.seal(nil))
}

// A block that was packed before schema 5 is read as it was.
func TestBlockReadsZstd(t *testing.T) {
	w := newBlockWriter()
	w.addChunk([]byte("\n"), bytes.Repeat([]byte("some bytes "), 50), []byte("p"), 0)
	z := must[*zstd.Encoder](t)(zstd.NewWriter(nil))
	sealed := z.EncodeAll(append(bytes.Clone(w.bytes), w.index...), nil)
	var r blockReader
	check(t, r.open(sealed, int64(len(w.bytes))))
	p, _, err := r.next()
	if check(t, err); !p.chunk || string(p.lead)+string(p.source) != string(w.bytes) || string(p.path) != "p" {
		t.Errorf("it gave back %+v", p)
	}
	refusesDamage(t, w, sealed)
}

// refusesDamage holds that whatever byte of a packed block is lost or changed, no other bytes come back.
func refusesDamage(t *testing.T, w *blockWriter, sealed []byte) {
	t.Helper()
	for i := range sealed {
		for _, broken := range [][]byte{sealed[:i],
			append(append(bytes.Clone(sealed[:i]), sealed[i]^0x55), sealed[i+1:]...)} {
			var r blockReader
			if err := r.open(broken, int64(len(w.bytes))); err == nil && !bytes.Equal(r.bytes, w.bytes) {
				t.Fatalf("broken at byte %d of %d: other bytes came back", i, len(sealed))
			}
		}
	}
	for _, n := range []int64{-1, int64(len(w.bytes)) * 2} {
		var r blockReader
		if err := r.open(sealed, n); err == nil {
			t.Errorf("a length of %d was accepted", n)
		}
	}
}
