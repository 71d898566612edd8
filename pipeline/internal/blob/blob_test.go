package blob

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dustin/go-humanize"
)

var encodings = []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding,
	base64.RawURLEncoding}

// image returns so many random bytes that begin as a PNG does.
func image(r *rand.Rand, size int) []byte {
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	copy(data, "\x89PNG\r\n\x1a\n")
	return data
}

// wrapped cuts base64 into lines.
func wrapped(text string, line int, lineBreak string) string {
	var b strings.Builder
	for len(text) > line {
		b.WriteString(text[:line] + lineBreak)
		text = text[line:]
	}
	return b.String() + text
}

func labelOf(media string, size int) string {
	return fmt.Sprintf("[blob: %s, %s]", media, humanize.Bytes(uint64(size)))
}

// generated returns a JSON string with blobs in it, and the same with labels. The words around them are no base64.
func generated(r *rand.Rand) (text, labelled string) {
	words := func() string {
		return []string{"", "see ", "a\\n", "x: ", "{", "caf\\u00e9 ", "- "}[r.IntN(7)]
	}
	text, labelled = `"`, `"`
	for range r.IntN(4) {
		before, after, size := words(), " ", []int{800 + r.IntN(4000), 760 + r.IntN(16)}[r.IntN(2)]
		data := image(r, size)
		run := encodings[r.IntN(len(encodings))].EncodeToString(data)
		isBlob, media := len(run) >= Shortest, "image/png"
		switch {
		case isBlob && r.IntN(3) == 0:
			run = wrapped(run, []int{64, 76}[r.IntN(2)], []string{`\n`, `\r\n`, "\n"}[r.IntN(3)])
			after = `\n `
		case r.IntN(4) == 0:
			run = strings.ReplaceAll(run, "/", `\/`)
		}
		if r.IntN(3) == 0 {
			run, media = []string{"data:image/webp;base64,", `data:image\/webp;base64,`}[r.IntN(2)]+run, "image/webp"
			before += " "
		}
		label := run
		if isBlob {
			label = labelOf(media, size)
		}
		text += before + run + after
		labelled += before + label + after
	}
	return text + `"`, labelled + `"`
}

// TestLabels generates strings with blobs of both alphabets, with and without padding, escapes, lines and the scheme
// of a data URL: each is one label with the type and the size of its bytes, and nothing else has changed.
func TestLabels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var l Labeler
	for i := range 2000 {
		text, want := generated(r)
		got, n := l.Whole([]byte(text))
		if string(got) != want || n != strings.Count(want, "[blob: ") {
			t.Fatalf("%d: %d labels\n%s\nwant\n%s\nof\n%s", i, n, got, want, text)
		}
	}
}

// TestParts cuts strings into parts of any size: each blob has one label with its whole size unless it was shown in
// part before it was known to be one, and no label but that of a rest is larger or smaller than the blob.
func TestParts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var l Labeler
	for i := range 2000 {
		text, want := generated(r)
		size := []int{300, 1500, 5000}[r.IntN(3)]
		var got strings.Builder
		for rest := []byte(text); len(rest) > 0; {
			n := min(len(rest), 1+r.IntN(size))
			for n < len(rest) && bytes.IndexByte(rest[max(0, n-6):n], '\\') >= 0 {
				n++ // the splitter cuts no escape
			}
			labelled, _, isOpen := l.Part(bytes.Clone(rest[:n]), len(rest) < len(text))
			if !isOpen {
				got.Write(labelled)
			}
			rest = rest[n:]
		}
		if l.IsOpen() {
			t.Fatalf("%d: open at the end", i)
		}
		// what was shown before a label is the beginning of a blob, or of its data URL
		have := got.String()
		for wanted := want; wanted != ""; {
			before, label, isThere := strings.Cut(wanted, "[blob: ")
			if !isThere {
				if have != before {
					t.Fatalf("%d: ends in %q, not %q", i, have, before)
				}
				break
			}
			label, wanted, _ = strings.Cut(label, "]")
			_, blobSize, _ := strings.Cut(label, ", ")
			at := strings.Index(have, "[blob: ")
			if at < 0 || !strings.HasPrefix(have, before) || at-len(before) > Shortest+longestScheme+2*size {
				t.Fatalf("%d: %q\nhas no label for %s\nafter %q", i, have, label, before)
			}
			said, rest, _ := strings.Cut(have[at+len("[blob: "):], "]")
			if !strings.HasSuffix(said, ", "+blobSize) {
				t.Fatalf("%d: [%s] in the place of [%s]", i, said, label)
			}
			have = rest
		}
	}
}

// TestNoBlobs has long runs that are no base64.
func TestNoBlobs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	word := func() string {
		return []string{"get", "User", "By", "Id", "src", "main", "java", "com", "Example", "v2", "Test1"}[r.IntN(11)]
	}
	words := func(between string) string {
		var b strings.Builder
		for b.Len() < 3000 {
			b.WriteString(word() + between)
		}
		return b.String()
	}
	digits := func() string {
		var b strings.Builder
		for b.Len() < 3000 {
			fmt.Fprint(&b, r.IntN(1000))
		}
		return b.String()
	}
	var l Labeler
	for _, text := range []string{
		strings.Repeat("A", 5000), strings.Repeat("=", 3000), words(""), words("/"), words("_"), words("-"), words(`\n`),
		words("\n"), digits(), hex.EncodeToString(image(r, 2000)), strings.ToUpper(hex.EncodeToString(image(r, 2000))),
		base64.StdEncoding.EncodeToString(image(r, 700)), strings.Repeat("ab12", 900), strings.Repeat(`\u00e9`, 900),
		`{"` + base64.StdEncoding.EncodeToString(image(r, 3000)) + `": 1}`, strings.Repeat(`\`, 3000),
	} {
		if got, n := l.Whole([]byte(text)); n > 0 || string(got) != text {
			t.Errorf("%d labels in %.80s: %.200s", n, text, got)
		}
	}
}

// TestTypes has blobs of several kinds of bytes.
func TestTypes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	text := strings.Repeat("The quick brown fox, or 12 of them, jumped over the lazy dog.\n", 40)
	zeros := append([]byte("\x7fELF"), make([]byte, 1500)...)
	var l Labeler
	for _, c := range []struct{ data, want string }{
		{string(image(r, 151_234)), "[blob: image/png, 151 kB]"},
		{"\xff\xd8\xff\xe0" + string(image(r, 2000)), "[blob: image/jpeg, 2.0 kB]"},
		{"%PDF-1.7\n" + string(image(r, 2000)), "[blob: application/pdf, 2.0 kB]"},
		{"\x1f\x8b\x08" + string(image(r, 2000)), "[blob: application/gzip, 2.0 kB]"},
		{"RIFF\x01\x02\x03\x04WEBPVP8 " + string(image(r, 2000)), "[blob: image/webp, 2.0 kB]"},
		{"\x7fELF" + string(image(r, 2000)), "[blob: application/x-elf, 2.0 kB]"},
		{"\x01\x02" + string(image(r, 2000)), "[blob: application/octet-stream, 2.0 kB]"},
		{text, "[blob: text/plain, 2.5 kB]"},
		{string(zeros) + string(image(r, 3000)), "[blob: application/x-elf, 4.5 kB]"},
	} {
		got, _ := l.Whole([]byte(base64.StdEncoding.EncodeToString([]byte(c.data))))
		if string(got) != c.want {
			t.Errorf("%.60s, want %s", got, c.want)
		}
	}
}

// TestNamed has blobs that repeat themselves: what they are is shown by their beginning, or by a data URL.
func TestNamed(t *testing.T) {
	var l Labeler
	for before, data := range map[string]string{
		"":                       "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00", 3000),
		"data:image/gif;base64,": strings.Repeat("\xff\xff\x00", 1000),
	} {
		got, n := l.Whole([]byte(before + base64.StdEncoding.EncodeToString([]byte(data))))
		if n != 1 || !strings.HasPrefix(string(got), "[blob: image/") || !strings.HasSuffix(string(got), ", 3.0 kB]") {
			t.Errorf("%d labels, %.80s", n, got)
		}
	}
}

// TestAlone has parts of a blob of which the others are not known.
func TestAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	text := base64.StdEncoding.EncodeToString(image(r, 30_000))
	var l Labeler
	for _, c := range []struct {
		part, want string
		isFirst    bool
	}{
		{`"` + text[:8000], `"[blob: image/png, over 6.0 kB]`, true},
		{text[8000:16000], `[blob: over 6.0 kB]`, false},
		{text[32000:] + `"`, `[blob: over 6.0 kB]"`, false},
		{`some words`, `some words`, false},
		{`"some words`, `"some words`, true},
	} {
		if got, _ := l.Alone([]byte(c.part), c.isFirst); string(got) != c.want {
			t.Errorf("%.80s, want %s", got, c.want)
		}
	}
}

// TestAllocs checks that content without a blob costs no allocation.
func TestAllocs(t *testing.T) {
	text := []byte(strings.Repeat("2026-01-02T03:04:05Z GET /api/v1/users/7cc9d1 200 12 ms, ua=curl ", 200))
	var l Labeler
	if n := testing.AllocsPerRun(100, func() { l.Whole(text) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkNoBlobs(b *testing.B) {
	text := []byte(strings.Repeat("2026-01-02T03:04:05Z GET /api/v1/users/7cc9d1 200 12 ms, ua=curl ", 200))
	var l Labeler
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		l.Whole(text)
	}
}

func BenchmarkBlob(b *testing.B) {
	text := []byte(base64.StdEncoding.EncodeToString(image(rand.New(rand.NewPCG(1, 1)), 40_000)))
	var l Labeler
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		l.Whole(text)
	}
}
