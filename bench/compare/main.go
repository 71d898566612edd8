// Command compare measures what kfw and other tools do to the output of tools, and writes docs/benchmark.md:
//
//	go -C bench run ./fetch --to DIR      # recorded sessions, once
//	go -C bench run ./compare --data DIR  # results.json, and docs/benchmark.md
//	go -C bench run ./compare             # only docs/benchmark.md, from results.json
//
// It builds kfw, and installs the others from their registries into a cache. One that can't be installed is left out,
// with a message. No model and no account is needed.
//
//   - replay.go: whether an agent would still have had what it used next; recorded.go: the recorded cases
//   - baselines.go: head and tail, and lines with the rarest words of the last texts
//   - questions.go: questions on outputs of Go's tools; leaks.go: planted secrets; cost.go: time and memory
//   - tools.go: who is measured; report.go: the document
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

// setup is what a run is asked for.
type setup struct {
	data  string // directory of recorded cases, as fetch writes them
	cache string // directory of installed tools
	snip  string // program; empty to install it
}

// Results is what was measured.
type Results struct {
	Machine   string     `json:"machine"`
	Tools     []Tool     `json:"tools"`
	Replay    Replay     `json:"replay"`
	Edits     Edits      `json:"edits"`
	Questions []Answered `json:"questions"`
	Leaks     []Leaked   `json:"leaks"`
	Costs     []Cost     `json:"costs"`
}

// Tool is a tool that was measured, or could not be.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func run() error {
	var s setup
	root, err := repository()
	if err != nil {
		return err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	resultsFile := filepath.Join(root, "bench", "compare", "results.json")
	flag.StringVar(&s.data, "data", "", "measure, with the recorded cases in this `directory`")
	flag.StringVar(&s.cache, "cache", filepath.Join(cache, "kfw-bench", "peers"), "`directory` for installed tools")
	flag.StringVar(&s.snip, "snip", "", "a built `program` of snip, in place of the one from the Go proxy")
	flag.Parse()
	if s.data != "" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		results, err := measure(ctx, root, s)
		if err != nil {
			return err
		}
		b, err := json.MarshalIndent(results, "", "\t")
		if err != nil {
			return err
		}
		if err := os.WriteFile(resultsFile, append(b, '\n'), 0o644); err != nil {
			return err
		}
	}
	results, err := read(resultsFile)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "docs", "benchmark.md"), results.document(), 0o644)
}

// repository returns the directory of kfw's repository.
func repository() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "goreleaser.yaml")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("run it in kfw's repository")
		}
	}
	return "", err
}

func read(path string) (*Results, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var r Results
	return &r, json.Unmarshal(b, &r)
}

// measure measures everything.
func measure(ctx context.Context, root string, s setup) (*Results, error) {
	dir, err := os.MkdirTemp("", "kfw-compare-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	cases, err := load[Case](s.data, "cases.ndjson.gz")
	if err != nil {
		return nil, err
	}
	edits, err := load[Edit](s.data, "edits.ndjson.gz")
	if err != nil {
		return nil, err
	}
	tools, err := install(ctx, root, dir, s)
	if err != nil {
		return nil, err
	}
	r := &Results{Machine: machine()}
	for _, t := range tools {
		r.Tools = append(r.Tools, t.Tool)
	}
	step := func(what string) { fmt.Fprintln(os.Stderr, "compare:", what) }
	step("questions")
	if r.Questions, err = ask(ctx, root, dir, tools); err != nil {
		return nil, err
	}
	step("recorded edits")
	if r.Edits, err = brokenEdits(ctx, tools[0], edits); err != nil {
		return nil, err
	}
	step("recorded cases")
	if r.Replay, err = replay(ctx, tools, cases); err != nil {
		return nil, err
	}
	step("planted secrets")
	if r.Leaks, err = leaks(ctx, tools); err != nil {
		return nil, err
	}
	step("time and memory")
	r.Costs, err = costs(ctx, tools, dir)
	return r, err
}
