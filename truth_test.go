//go:build unix

package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/internal/truth"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
)

var (
	truthResponses = flag.Int("truth", 0, "how many responses TestTruth judges; 300 or fewer by KFW_TESTS if 0")
	truthSeed      = flag.Int("truth-seed", -1, "the only seed that TestTruth judges, with all that is said")
)

// statements is the page that lists the forms of all statements.
const statements = "internal/truth/statements.md"

// truthFormats are the outputs of which each is judged: what is shown as it comes, in frames and as
// text, and the text of a response that has ended, whole or as a page.
var truthFormats = []truthFormat{
	{"frames", "frames", fit.Live, encode.JSON{}, truth.ParseFrames},
	{"frames of digest", "frames", fit.Digest, encode.JSON{}, truth.ParseFrames},
	{"live text", "text", fit.Live, encode.Text{}, truth.ParseText},
	{"page", "text", fit.Digest, encode.Text{}, truth.ParseText},
}

type truthFormat struct {
	name     string
	option   string // of kfw stream
	plan     fit.Plan
	encoding encode.Encoding
	parse    func(out string, r *truth.Response, forms *truth.Forms) ([]truth.Said, error)
}

// TestTruth generates responses of which the truth is known, has each shown in all formats
// at a budget from 200 to 1,500 tokens, and judges what is said of it. A statement of a form that
// this page does not list fails. Equal seeds give equal responses and budgets.
func TestTruth(t *testing.T) {
	t.Parallel()
	forms, err := truth.ReadForms(statements)
	if err != nil {
		t.Fatal(err)
	}
	first, last := 0, cmp.Or(*truthResponses, testdepth.Cases(300))
	if *truthSeed >= 0 {
		first, last = *truthSeed, *truthSeed+1
	}
	for seed := first; seed < last; seed++ {
		judgeResponse(t, uint64(seed), forms)
	}
	if *truthSeed >= 0 {
		return
	}
	for form, isJudged := range forms.Listed() {
		if isJudged && forms.Seen[form] == 0 {
			t.Logf("no statement of the form %q has come", form)
		}
	}
}

// judgeResponse judges all formats of one response.
func judgeResponse(t *testing.T, seed uint64, forms *truth.Forms) {
	t.Helper()
	r := truth.Generate(seed)
	tokens := 200 + rand.New(rand.NewPCG(seed, 42)).IntN(1301)
	for i := range truthFormats {
		format := &truthFormats[i]
		if r.HasSections && format.plan != fit.Digest {
			continue
		}
		out := shown(t, &r, tokens, format)
		said, err := format.parse(out, &r, forms)
		var problems []string
		if err != nil {
			problems = strings.Split(err.Error(), "\n")
		} else {
			problems = truth.Judge(&r, said, format.option == "text")
		}
		if *truthSeed >= 0 {
			input := filepath.Join(os.TempDir(), fmt.Sprintf("kfw-truth-%d", seed))
			if err := os.WriteFile(input, r.Input, 0o600); err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, %s at %d tokens, the input is %s\n%s", r.Shape, format.name, tokens, input, out)
		}
		for _, problem := range problems {
			t.Errorf("seed %d, %s, %s at %d tokens: %s", seed, r.Shape, format.name, tokens, problem)
		}
	}
}

// shown returns what kfw stream writes of a response. One that ends with a status is that of a
// program; all others are filtered by a pipeline in this process.
func shown(t *testing.T, r *truth.Response, tokens int, format *truthFormat) string {
	t.Helper()
	if r.Shape == "exit status" {
		state := t.TempDir()
		name := filepath.Join(state, "in")
		if err := os.WriteFile(name, r.Input, 0o600); err != nil {
			t.Fatal(err)
		}
		return kfw(t, state, "stream", "--flush-after", "1h", "--budget", strconv.Itoa(tokens),
			"--format", format.option, "--plan", format.plan.String(), "--",
			"sh", "-c", `cat "$1"; exit "$2"`, "sh", name, strconv.Itoa(r.Exit)).run(t, r.Exit)
	}
	o := pipeline.Options{Budget: tokens, Handle: nameless{}, FlushAfter: time.Hour,
		Plan: format.plan, Encoding: format.encoding}
	firewall, err := pipeline.New(o)
	if err != nil {
		t.Fatal(err)
	}
	firewall.Explain = func(error) pipeline.Failure {
		return pipeline.Failure{Code: truth.LostSource, Exit: truth.LostExit}
	}
	var out bytes.Buffer
	var source io.Reader = bytes.NewReader(r.Input)
	lost := errors.New("the source is lost")
	if r.Fails {
		source = io.MultiReader(source, iotest.ErrReader(lost))
	}
	if err := firewall.Run(source, &out); err != nil && !(r.Fails && errors.Is(err, lost)) {
		t.Fatal(err)
	}
	return out.String()
}

// nameless is a handle that keeps nothing and has a name all the same.
type nameless struct{}

func (nameless) Keep(_, _, _ []byte, _ uint8) error { return nil }
func (nameless) Tail([]byte) error                  { return nil }
func (nameless) Name() (string, error)              { return "h1", nil }

// TestTruthShapes: there are at least 15 shapes, and 300 responses have some of each.
func TestTruthShapes(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(300) {
		seen[truth.Generate(seed).Shape]++
	}
	names := truth.Names()
	if len(slices.Compact(names)) < 15 || len(seen) < 15 {
		t.Errorf("%d shapes, %d have come", len(names), len(seen))
	}
}
