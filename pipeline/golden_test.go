package pipeline

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/kfw-dev/kfw/internal/truth"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/redact"
)

var update = flag.Bool("update", false, "write what the golden files should have")

// goldenFolder has a txtar file for each response: the response, unless a generator makes it, and its outputs.
const goldenFolder = "../testdata/golden"

// goldenBudgets show a summary alone, a summary after raw chunks, and most of a short response.
var goldenBudgets = []int{150, 500, 1500}

// TestGolden compares the whole output for each response with its golden file, so that a fact that is added, lost or
// changed fails a test. It runs the firewall in this process, so that hundreds of outputs take seconds. With -update
// it writes the files: read their diff.
func TestGolden(t *testing.T) {
	responses := goldenResponses(t)
	if len(responses) < 60 {
		t.Errorf("%d responses", len(responses))
	}
	for name, response := range responses {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(goldenFolder, name+".txtar")
			got := goldenOutputs(t, response)
			want, err := txtar.ParseFile(file)
			switch {
			case *update:
				writeGolden(t, file, want, got)
			case err != nil:
				t.Fatal(err)
			default:
				compareGolden(t, want, got)
			}
		})
	}
}

// TestGoldenFiles reports whether each file has a response.
func TestGoldenFiles(t *testing.T) {
	responses := goldenResponses(t)
	files, err := filepath.Glob(goldenFolder + "/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".txtar"); responses[name] == nil {
			t.Errorf("%s: no response has this name", file)
		}
	}
}

// goldenResponses returns the responses by name: those of generators, and those that stand in their file as "response".
func goldenResponses(t *testing.T) map[string][]byte {
	t.Helper()
	responses := make(map[string][]byte)
	for seed := uint64(0); len(responses) < len(truth.Names()) && seed < 10_000; seed++ {
		r := truth.Generate(seed)
		if name := "truth " + r.Shape; responses[goldenName(name)] == nil {
			responses[goldenName(name)] = r.Input
		}
	}
	for name, generate := range kindsOfResponses {
		responses[goldenName("kind "+name)] = []byte(generate(rand.New(rand.NewPCG(1, 11)), 60))
	}
	files, err := filepath.Glob(goldenFolder + "/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, section := range archive.Files {
			if section.Name == "response" {
				responses[strings.TrimSuffix(filepath.Base(file), ".txtar")] = section.Data
			}
		}
	}
	return responses
}

func goldenName(name string) string {
	return strings.NewReplacer(" ", "_", "'", "", "/", "_").Replace(name)
}

// goldenOutputs returns a section for each format and budget.
func goldenOutputs(t *testing.T, response []byte) (sections []txtar.File) {
	t.Helper()
	rules, err := redact.Compile(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "frames"} {
		for _, tokens := range goldenBudgets {
			m := new(memory)
			fw := m.firewallWithoutRules(t, tokens)
			fw.Rules = rules
			if format == "text" {
				fw.Encoding = encode.Text{}
			}
			fw.Budget.Tokens = max(tokens, fw.Least())
			var b bytes.Buffer
			if err := fw.Run(bytes.NewReader(response), &b); err != nil {
				t.Fatal(err)
			}
			sections = append(sections,
				txtar.File{Name: fmt.Sprintf("%s %d", format, tokens), Data: quotedLines(b.Bytes())})
		}
	}
	return sections
}

// quotedLines returns text with each line in a form that a txtar file keeps: a line that has other characters than
// those that are printed, or ends in no line feed, is quoted.
func quotedLines(text []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(text) {
		body, isEnded := bytes.CutSuffix(line, []byte("\n"))
		isPlain := isEnded && !bytes.HasPrefix(body, []byte("-- ")) && !bytes.HasPrefix(body, []byte("\""))
		for _, r := range string(body) {
			isPlain = isPlain && (r == '\t' || r >= ' ' && r < 0x7f || r > 0xa0 && r < 0x2000)
		}
		if !isPlain {
			body = fmt.Appendf(nil, "%+q", line)
		}
		b.Write(body)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func compareGolden(t *testing.T, want *txtar.Archive, got []txtar.File) {
	t.Helper()
	known := make(map[string][]byte)
	for _, section := range want.Files {
		known[section.Name] = section.Data
	}
	for _, section := range got {
		data, isKnown := known[section.Name]
		if !isKnown {
			t.Errorf("%s: not in the file", section.Name)
			continue
		}
		if bytes.Equal(data, section.Data) {
			continue
		}
		wanted, shown := strings.Split(string(data), "\n"), strings.Split(string(section.Data), "\n")
		at := 0
		for at < min(len(wanted), len(shown))-1 && wanted[at] == shown[at] {
			at++
		}
		t.Errorf("%s, line %d:\n got %s\nwant %s", section.Name, at+1, shown[at], wanted[at])
	}
}

func writeGolden(t *testing.T, file string, old *txtar.Archive, got []txtar.File) {
	t.Helper()
	archive := new(txtar.Archive)
	if old != nil {
		archive.Comment = old.Comment
		for _, section := range old.Files {
			if section.Name == "response" {
				archive.Files = append(archive.Files, section)
			}
		}
	}
	archive.Files = append(archive.Files, got...)
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
