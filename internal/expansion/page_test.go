package expansion

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/testinput"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/file"
)

// store puts a response behind a handle.
func store(t *testing.T, file session.Session, response string) *session.Stored {
	t.Helper()
	handle := file.NewHandle("a test", "none").ShownAs(encode.FormatText)
	f, err := pipeline.New(pipeline.Options{Rules: testinput.PlainRules(t), Handle: handle, Plan: fit.Digest})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Run(strings.NewReader(response), new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	name, err := handle.Name()
	if err := errors.Join(err, handle.Commit()); err != nil {
		t.Fatal(err)
	}
	stored, err := Handle(file, name)
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

// shown returns a page as text.
func shown(t *testing.T, stored *session.Stored, o Filtering, offset, tokens int) (string, error) {
	t.Helper()
	rules := testinput.PlainRules(t)
	page, err := o.Page(rules)
	if err != nil {
		return "", err
	}
	page.Stored, page.Offset = stored, offset
	_, notes, err := page.Known()
	if err != nil {
		return "", err
	}
	f, err := pipeline.New(pipeline.Options{Rules: rules, Budget: tokens, Encoding: encode.TextOf("", o.Repeated(0)),
		Plan: fit.Digest, Handle: NamedHandle(stored.Info().ID)})
	if err != nil {
		t.Fatal(err)
	}
	f.Filtered, f.Names, f.Standing = page.IsSelection(), page.Filter.Names(), notes
	var out bytes.Buffer
	if err := page.Write(f, &out); err != nil {
		t.Fatal(err)
	}
	if spent := f.Cost(out.Bytes()); spent > tokens {
		t.Fatalf("%d tokens of %d", spent, tokens)
	}
	return out.String(), nil
}

// responses are of several layouts, each with some chunks.
func responses(random *rand.Rand, count int) map[string]string {
	var lines, crlf, records, pretty, small strings.Builder
	pretty.WriteString("\n[\n")
	small.WriteString("[")
	for i := range count {
		text := strings.Repeat("ab ", random.IntN(4))
		lines.WriteString(text + "\n")
		crlf.WriteString(text + "\r\n")
		fmt.Fprintf(&records, "{\"n\": %d}%s\n", i, strings.Repeat(" ", random.IntN(3)))
		fmt.Fprintf(&pretty, "  {\n    \"n\": %d\n  },\n", i)
		fmt.Fprintf(&small, `{"n":%d},`, i)
	}
	return map[string]string{"lines": lines.String(), "lines with CR": crlf.String(), "no last end": lines.String() + "x",
		"records": records.String(), "pretty array": pretty.String() + "  1\n]\n", "array": small.String() + "1]"}
}

// TestRangesAreTheResponse: pages of ranges that divide a response, joined, are the response byte for byte.
func TestRangesAreTheResponse(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	file := file.At(filepath.Join(t.TempDir(), "s.kfw"), session.Settings{})
	defer file.Close()
	for range 12 {
		for name, response := range responses(random, 1+random.IntN(30)) {
			stored := store(t, file, response)
			all := stored.Info().Chunks
			if all == 0 { // one blank line
				continue
			}
			var joined strings.Builder
			for first := 1; first <= all; {
				last := min(all, first+random.IntN(7))
				lines := fmt.Sprintf("%d-%d", first, last)
				switch {
				case first == last:
					lines = strconv.Itoa(first)
				case first == 1:
					lines = fmt.Sprintf("-%d", last)
				case last == all:
					lines = fmt.Sprintf("%d-", first)
				}
				page, err := shown(t, stored, Filtering{Lines: lines}, 0, 4000)
				if err != nil {
					t.Fatal(err)
				}
				joined.WriteString(page)
				first = last + 1
			}
			if joined.String() != response {
				t.Fatalf("%s: ranges joined are\n%q, not\n%q", name, joined.String(), response)
			}
			tail, err := shown(t, stored, Filtering{Tail: 1}, 0, 4000)
			if err != nil || !strings.HasSuffix(response, tail) || tail == "" {
				t.Fatalf("%s: the last is %q, %v", name, tail, err)
			}
			_, err = shown(t, stored, Filtering{Lines: fmt.Sprintf("%d-", all+1)}, 0, 4000)
			if usage, ok := errors.AsType[*fault.UsageError](err); !ok ||
				!strings.Contains(usage.Error(), fmt.Sprintf("%d is past the end, the response has %d chunk", all+1, all)) {
				t.Fatalf("%s: past the end: %v", name, err)
			}
		}
	}
}

var (
	numberedLine = regexp.MustCompile(`^(\d+): (.*)$`)
	gapLine      = regexp.MustCompile(`^… (\d+) lines?$`)
	moreLine     = regexp.MustCompile(`^kfw: more: .* --offset (\d+)$`)
)

// TestSelectionsAreTrue: pages of a selection have each chunk that is selected once, with its number, and count those
// between them; no line of data reads as one of kfw's.
func TestSelectionsAreTrue(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 1))
	file := file.At(filepath.Join(t.TempDir(), "s.kfw"), session.Settings{})
	defer file.Close()
	words := []string{"hit", "kfw: end: 1 chunk", "… 9 lines", "7: x", "a\rkfw: all\u2028= b", "\\kfw: x", "", "= 3", "… 1 line\v2: y"}
	for range 60 {
		var lines []string
		for range 1 + random.IntN(90) {
			lines = append(lines, words[random.IntN(len(words))]+strings.Repeat(" hit", random.IntN(2)))
		}
		stored := store(t, file, strings.Join(lines, "\n")+"\n")
		o := Filtering{Grep: []string{"hit"}, Context: random.IntN(3), Invert: random.IntN(2) == 0}
		var numbers []int
		tokens := 130 + random.IntN(300)
		for offset, last := 0, 0; ; {
			page, err := shown(t, stored, o, offset, tokens)
			if err != nil {
				t.Fatal(err)
			}
			next, gap := 0, 0
			last = 0
			for line := range strings.Lines(page) {
				line = strings.TrimSuffix(line, "\n")
				switch number, isGap, more := numberedLine.FindStringSubmatch(line), gapLine.FindStringSubmatch(line),
					moreLine.FindStringSubmatch(line); {
				case number != nil:
					n, _ := strconv.Atoi(number[1])
					want := strings.NewReplacer("\r", `\r`, "\v", `\v`, "\u2028", `\u2028`).Replace(lines[n-1])
					if number[2] != want {
						t.Fatalf("line %d is %q, shown as %q", n, lines[n-1], number[2])
					}
					if last > 0 && n-last-1 != gap {
						t.Fatalf("between %d and %d there are not %d:\n%s", last, n, gap, page)
					}
					numbers, last, gap = append(numbers, n), n, 0
				case isGap != nil:
					gap, _ = strconv.Atoi(isGap[1])
				case more != nil:
					next, _ = strconv.Atoi(more[1])
				case !strings.HasPrefix(line, "kfw: "):
					t.Fatalf("%q begins with nothing that kfw writes:\n%s", line, page)
				}
			}
			if next == 0 {
				break
			}
			if next <= offset {
				t.Fatalf("the page after %d begins after %d:\n%s", offset, next, page)
			}
			offset = next
		}
		var want []int
		for i := range lines {
			for near := max(0, i-o.Context); near <= min(len(lines)-1, i+o.Context); near++ {
				if strings.Contains(lines[near], "hit") != o.Invert {
					want = append(want, i+1)
					break
				}
			}
		}
		if !slices.Equal(numbers, want) {
			t.Fatalf("pages of %d tokens have %v, not %v", tokens, numbers, want)
		}
		o.Count, o.Context = true, 0
		matching := 0
		for _, line := range lines {
			if strings.Contains(line, "hit") != o.Invert {
				matching++
			}
		}
		if count, err := shown(t, stored, o, 0, tokens); err != nil || count != fmt.Sprintln(matching) {
			t.Fatalf("%q match, not %d: %v", count, matching, err)
		}
	}
}
