package illformed

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// TestLen: text decoded with Len is what the decoder of golang.org/x/text makes of it. The texts are all sequences of
// four bytes from the ends of the ranges in the standard.
func TestLen(t *testing.T) {
	kinds := []byte("\x00A\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xff")
	decoder := unicode.UTF8.NewDecoder()
	text := make([]byte, 4)
	for _, text[0] = range kinds {
		for _, text[1] = range kinds {
			for _, text[2] = range kinds {
				for _, text[3] = range kinds {
					var got []byte
					for rest := text; len(rest) > 0; {
						r, n := utf8.DecodeRune(rest)
						if size := Len(rest); size > 0 {
							r, n = utf8.RuneError, size
						}
						got, rest = utf8.AppendRune(got, r), rest[n:]
					}
					want, err := decoder.Bytes(text)
					if err != nil || !bytes.Equal(got, want) {
						t.Fatalf("%q becomes %q, not %q: %v", text, got, want, err)
					}
				}
			}
		}
	}
	if n := Len(nil); n != 0 {
		t.Errorf("of nothing: %d", n)
	}
}
