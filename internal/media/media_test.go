package media

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"io"
	"strings"
	"testing"
)

// FuzzFilter: what has nothing to change stays, an image passes, and of anything else the content goes through the
// filter: nothing that it takes out comes through.
func FuzzFilter(f *testing.F) {
	for _, content := range []string{"", "a", "SECRET", "a SECRET b\n", "\x89PNG\r\n\x1a\nx\xffSECRET",
		"\xff\xfeSECRET"} {
		f.Add([]byte(content))
		f.Add([]byte(strings.Repeat("word ", 2000) + content))
	}
	without := func(in io.Reader) io.Reader {
		all, err := io.ReadAll(in)
		return io.MultiReader(bytes.NewReader(bytes.ReplaceAll(all, []byte("SECRET"), []byte("*"))), broken{err})
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		text := base64.StdEncoding.EncodeToString(content)
		all, err := io.ReadAll(Filter(strings.NewReader(text), without))
		if err != nil {
			t.Fatal(err)
		}
		got, err := base64.StdEncoding.DecodeString(string(all))
		if err != nil {
			t.Fatal(err)
		}
		want := bytes.ReplaceAll(content, []byte("SECRET"), []byte("*"))
		if !bytes.Equal(got, want) && !(bytes.Equal(got, content) && is(content[:min(len(content), head/4*3)])) {
			t.Errorf("%q, want %q", got, want)
		}
		if len(text) > head {
			_, err := io.ReadAll(Filter(strings.NewReader(text+"?"), without))
			if err == nil && !is(content[:head/4*3]) {
				t.Error("what is no base64 at its end has no error")
			}
		}
	})
}

type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, cmp.Or(b.err, io.EOF) }
