package truth

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/dustin/go-humanize"
)

// shortestBlob is how many bytes of base64 have a label in their place when not all of a response fits.
const shortestBlob = 1 << 10

// blobs are records or lines with images in base64, some of them large enough for a label.
func blobs(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(2, 60)
	if b.chance(2) {
		for i := range n {
			run, label := b.image()
			at := b.line("shot %d %s", i, label)
			was := len(b.Chunks[at-1]) + 1
			b.asIs(at, label, fmt.Sprintf("shot %d %s", i, run))
			b.Input = append(b.Input[:len(b.Input)-was], b.AsIs[at-1]+"\n"...)
			for range b.IntN(3) {
				took := b.between(1, 900)
				b.asIs(b.line("took %d ms", took), "", "")
			}
		}
		return b.done()
	}
	var values, asIs []any
	var labels []string
	for i := range n {
		run, label := b.image()
		before := pick(r, "", "", "see ")
		o := object{{"id", i}, {"state", pick(r, "new", "old")}, {"image", before + label}}
		values = append(values, o)
		o = append(object{}, o...)
		o[2].value = before + run
		asIs, labels = append(asIs, o), append(labels, label)
	}
	response := recordsOf(values, nil)
	response.Input = nil
	for i, value := range asIs {
		response.asIs(i+1, labels[i], jsonOf(value, ""))
		response.Input = append(append(response.Input, response.AsIs[i]...), '\n')
	}
	return response
}

// image returns an image in base64, and what is shown in the place of it.
func (b *builder) image() (run, label string) {
	data := make([]byte, b.between(500, 3000))
	for i := range data {
		data[i] = byte(b.Uint32())
	}
	copy(data, "\x89PNG\r\n\x1a\n")
	run = strings.ReplaceAll(base64.StdEncoding.EncodeToString(data), "+", "A") // no token of any provider by chance
	media := "image/png"
	isShort := len(run) < shortestBlob
	if b.chance(3) {
		run, media = "data:image/webp;base64,"+run, "image/webp"
	}
	if isShort {
		return run, run
	}
	return run, fmt.Sprintf("[blob: %s, %s]", media, humanize.Bytes(uint64(len(data))))
}

// asIs says how a chunk reads as it is, and that it has a label in the place of a blob.
func (r *Response) asIs(at int, label, chunk string) {
	if label == "" {
		chunk = r.Chunks[at-1]
	}
	r.AsIs = append(r.AsIs, chunk)
	if r.Blobs == nil {
		r.Blobs = map[int]int{}
	}
	r.Blobs[at] = strings.Count(label, "[blob: ")
}

// isLabel reports whether the label of a blob is all of a text.
func isLabel(text string) bool {
	return strings.HasPrefix(text, "[blob: ") && strings.IndexByte(text, ']') == len(text)-1
}
