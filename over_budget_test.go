//go:build unix

package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// responses are long ones that make a budget tight, each in its own way.
func responses() map[string]string {
	var records, lines, strange, fields strings.Builder
	for i := range 200 {
		fmt.Fprintf(&records, `{"id":%d,"name":"item %d","price":%d.5,"ok":%t,"tags":["a","b%d"]}`+"\n", i, i*7,
			i*i, i%3 == 0, i%5)
		fmt.Fprintf(&lines, "2031-05-%02d 10:00:%02d worker-%d finished job %d in %d ms\n", 1+i%28, i%60, i%4, i*31,
			i*i%977)
		fmt.Fprintf(&strange, "kfw: \\ \t%s\x00\u2028 naïve 日本語 \U0001F600 %d \xff\n", strings.Repeat("  ", i%9), i)
		fmt.Fprintf(&fields, `{"k%d":{"%d":null}}`+"\n", i, i*i)
	}
	return map[string]string{"records": records.String(), "lines": lines.String(), "strange": strange.String(),
		"fields": fields.String()}
}

var least = regexp.MustCompile(`(\d+) is the smallest that works`)

// TestNeverOverBudget counts what kfw writes, frames line by line and a text as a whole, from the smallest budget that
// works upwards.
func TestNeverOverBudget(t *testing.T) {
	for name, response := range responses() {
		for _, format := range []string{"frames", "text"} {
			t.Run(name+", "+format, func(t *testing.T) {
				t.Parallel()
				in, state := saved(t, []byte(response)), t.TempDir()
				small := kfw(t, state, "stream", "--format", format, "--budget", "1")
				small.run(t, 2)
				match := least.FindStringSubmatch(small.errs.String())
				if match == nil {
					t.Fatalf("stderr: %q", small.errs.String())
				}
				smallest, err := strconv.Atoi(match[1])
				if err != nil {
					t.Fatal(err)
				}
				for _, more := range []int{0, 1, 3, 13, 100, 1000} {
					budget := smallest + more
					if _, err := in.Seek(0, 0); err != nil {
						t.Fatal(err)
					}
					p := kfw(t, state, "stream", "--format", format, "--budget", strconv.Itoa(budget))
					p.Stdin = in
					out := p.run(t, 0)
					spent := tokens(out)
					if format == "text" {
						spent = tokensOfText(out)
					}
					if spent > budget || spent == 0 || format == "text" && more == 1000 && 10*spent < 9*budget {
						t.Errorf("budget %d: %d tokens", budget, spent)
					}
					if format == "frames" {
						if problem := checkFrames(out, budget); problem != "" {
							t.Errorf("budget %d: %s", budget, problem)
						}
					}
				}
			})
		}
	}
}

// TestNeverOverBudgetOfModel does so with the tokens of a model, as the reference implementation counts them.
func TestNeverOverBudgetOfModel(t *testing.T) {
	t.Parallel()
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	all := responses()
	for _, encoding := range []string{tiktoken.MODEL_O200K_BASE, tiktoken.MODEL_CL100K_BASE} {
		reference, err := tiktoken.GetEncoding(encoding)
		if err != nil {
			t.Fatal(err)
		}
		for name, format := range map[string]string{"records": "frames", "strange": "text"} {
			t.Run(encoding+", "+name+", "+format, func(t *testing.T) {
				const budget = 300
				p := kfw(t, t.TempDir(), "stream", "--tokenizer", encoding, "--format", format, "--budget",
					strconv.Itoa(budget))
				p.Stdin = saved(t, []byte(all[name]))
				out, spent := p.run(t, 0), 0
				if format == "text" {
					spent = len(reference.EncodeOrdinary(out))
				} else {
					for line := range strings.Lines(out) {
						spent += len(reference.EncodeOrdinary(line))
					}
				}
				if spent > budget || spent < budget/4 || format == "text" && spent < budget*9/10 {
					t.Errorf("%d tokens of %d", spent, budget)
				}
			})
		}
	}
}
