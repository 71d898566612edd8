package summarize

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/summarize/fields"
)

// folderFacts are the facts of a field of paths.
type folderFacts struct {
	Folders map[string]int `json:"folders~"`
	Top     map[string]int `json:"top"`
}

func folderFactsOf(t *testing.T, values []string) folderFacts {
	t.Helper()
	var facts struct{ Fields map[string]folderFacts }
	decode(t, watched(recordsWith(t, values)).Facts(anyLength).JSON(), &facts)
	return facts.Fields["msg"]
}

// TestFoldersOfFields: what is told of a folder, or of the ending of files, is how many of the paths are in it, or
// end so; the largest that not all are in is among them.
func TestFoldersOfFields(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 3))
		root := []string{"", "/", "./", "https://a.example/", "s3://store/"}[seed%5]
		var paths []string
		counts := map[string]int{}
		for i := range 200 + random.IntN(400) {
			place := root + []string{"north/", "south/old/", "south/new/x/", "west/"}[random.IntN(4)]
			name := fmt.Sprintf("part%d%s", i, []string{".go", ".txt", ".go"}[random.IntN(3)])
			paths = append(paths, place+name)
			counts["*"+path.Ext(name)]++
			for at, c := range place {
				if c == '/' {
					counts[place[:at+1]]++
				}
			}
		}
		told := folderFactsOf(t, paths).Folders
		for folder, n := range told {
			if n != counts[folder] {
				t.Errorf("%d paths in %s, want %d", n, folder, counts[folder])
			}
		}
		for _, folder := range []string{root + "north/", root + "south/", "*.go"} {
			if told[folder] == 0 {
				t.Errorf("%s is not told: %v", folder, told)
			}
		}
	}
}

// TestNoFolders: texts that are no paths, or few of which are, have no folders, and neither have more fields than
// there is room for.
func TestNoFolders(t *testing.T) {
	var texts, few []string
	for i := range 300 {
		texts = append(texts, fmt.Sprintf("%d of a/b and c", i))
		few = append(few, []string{fmt.Sprintf("a/b%d/%d.go", i%5, i), fmt.Sprint("none", i),
			fmt.Sprint("and", i)}[i%3])
	}
	for _, values := range [][]string{texts, few} {
		if told := folderFactsOf(t, values).Folders; told != nil {
			t.Errorf("%v", told)
		}
	}
	var b strings.Builder
	for i := range 300 {
		b.WriteByte('{')
		for field := range 2 * fields.MaxFolderFields {
			fmt.Fprintf(&b, `"f%d":"a/b%d/c/%d.go",`, field, i%3, i)
		}
		fmt.Fprintf(&b, `"i":%d}`+"\n", i)
	}
	var facts struct{ Fields map[string]json.RawMessage }
	decode(t, watched(recordsOf([]byte(b.String()))).Facts(anyLength).JSON(), &facts)
	told := 0
	for _, f := range facts.Fields {
		if strings.Contains(string(f), "folders~") {
			told++
		}
	}
	if told != fields.MaxFolderFields {
		t.Errorf("the folders of %d fields are told", told)
	}
}

// TestFoldersOfWhatComesAgain: paths that come again are told themselves before their folders.
func TestFoldersOfWhatComesAgain(t *testing.T) {
	var paths []string
	for i := range 600 {
		paths = append(paths, fmt.Sprintf("src/p%d/f%d.go", i%3, i%20))
	}
	facts := folderFactsOf(t, paths)
	if facts.Top["src/p0/f0.go"] != 10 || facts.Folders["src/p0/"] != 200 {
		t.Errorf("%+v", facts)
	}
}
