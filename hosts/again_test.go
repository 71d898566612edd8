package hosts

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/file"
)

var (
	againHead   = regexp.MustCompile(`^kfw: (\d+) lines, [^\n]*; any of it: \S+ expand (h\d+) `)
	againGap    = regexp.MustCompile(`^… (\d+) lines?(?: as shown in (h\d+)|: .*)?$`)
	againLeft   = regexp.MustCompile(`^kfw: (\d+) lines? left out, as shown (?:in (h\d+(?:, h\d+)*)|before)$`)
	againNumber = regexp.MustCompile(`^(\d+): (.*)$`)
)

// seenLines are the lines that a model has seen of each handle, by the key of a line.
type seenLines map[string]map[string]bool

func keyOf(n int, line string, isRead bool) string {
	if isRead {
		return line
	}
	return fmt.Sprint(n, ":", line)
}

// judgeAgain reads a page of lines, and returns the keys of those that it shows, and what is wrong in it: lines shown
// and gaps are all, and what it says to be shown before was shown then. Of a result that fits, all else is shown.
func judgeAgain(page string, lines []string, isRead, fits bool, seen seenLines) (shown map[string]bool, reported int,
	wrong string) {
	shown = map[string]bool{}
	done := 0
	var left []int // units in gaps that say nothing
	var count int
	var names []string
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if m := againLeft.FindStringSubmatch(line); m != nil {
			count, _ = strconv.Atoi(m[1])
			if names = strings.Split(m[2], ", "); m[2] == "" {
				names = slices.Collect(maps.Keys(seen))
			}
			continue
		}
		if strings.HasPrefix(line, "kfw: ") || strings.HasPrefix(line, "= ") {
			continue
		}
		if m := againGap.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			for range n {
				done++
				if m[2] == "" {
					left = append(left, done)
				} else if reported++; done > len(lines) || !seen[m[2]][keyOf(done, lines[done-1], isRead)] {
					return shown, reported, fmt.Sprintf("line %d was not shown in %s", done, m[2])
				}
			}
			continue
		}
		done++
		text := line
		if m := againNumber.FindStringSubmatch(line); m != nil && (done > len(lines) || line != lines[done-1]) {
			if text = m[2]; m[1] != strconv.Itoa(done) {
				return shown, reported, fmt.Sprintf("%q stands at %d", line, done)
			}
		}
		switch {
		case done > len(lines):
			return shown, reported, fmt.Sprintf("line %d of %d", done, len(lines))
		case text == lines[done-1]:
			shown[keyOf(done, text, isRead)] = true
		case !strings.HasSuffix(text, "…") || !strings.HasPrefix(lines[done-1], strings.TrimSuffix(text, "…")):
			return shown, reported, fmt.Sprintf("%q is not line %d, %q", text, done, lines[done-1])
		}
	}
	for _, n := range left {
		if slices.ContainsFunc(names, func(name string) bool { return seen[name][keyOf(n, lines[n-1], isRead)] }) {
			count--
		} else if fits {
			return shown, reported, fmt.Sprintf("line %d is left out, was not shown before, and all fits", n)
		}
	}
	if count > 0 {
		wrong = fmt.Sprintf("%d lines more are said to be left out than were shown before in %v", count, names)
	}
	if done != len(lines) {
		wrong = fmt.Sprintf("%d of %d lines", done, len(lines))
	}
	return shown, reported, wrong
}

// TestShownBefore: of results that come again to other questions, of files that are edited and read again in part, and
// of answers that never reach the model: what is said to be shown before was shown to the model since its context was
// compacted, in the result that is named, redacted as it is now. Nothing costs more than its budget, and no result that
// would be shown whole costs more than without.
func TestShownBefore(t *testing.T) {
	_, secrets := plantedSecrets()
	reported, pages := map[bool]int{}, 0 // lines, by whether they are of a file that was read
	base := door(t, claudeCode{}, "")
	base.Filter.Budget, base.Repeats = 700, Refer
	for _, name := range []string{"claude-code", "codex", "opencode"} {
		for seed := range uint64(testdepth.Cases(8)) {
			r := rand.New(rand.NewPCG(seed, 17))
			d := *base
			d.Host, d.State, d.Policies = Named(name), t.TempDir(),
				Policies{{Pattern: "*", Treatment: Full, Floor: 300}}
			without := d
			without.Repeats, without.State = Show, t.TempDir()
			file := file.At(sessionPath(d.State, name, &Event{Session: "s"}), session.Settings{})
			var content []string
			for i := range 60 + r.IntN(200) {
				content = append(content, fmt.Sprintf("plant %d grows in bed %x", i, r.IntN(1<<20)))
			}
			content[7] = "mail " + secrets[0] + " end"
			log := strings.Join(content[:len(content)-1], "\n") + "\nrake\n"
			seen := seenLines{}
			for step := range 25 {
				switch r.IntN(10) {
				case 0:
					d.Answer(strings.NewReader(forgets[name]))
					clear(seen)
				case 1, 2:
					content[r.IntN(len(content))] = fmt.Sprintf("edited %d", step)
				}
				isRead := r.IntN(3) > 0
				s := said{command: fmt.Sprint("show ", []string{"bed", "mail", "rake", "plant edited"}[r.IntN(4)]),
					output: log}
				if isRead {
					from := r.IntN(len(content) - 20)
					to := from + 20 + r.IntN(len(content)-20-from+1)
					s.output = ""
					for i := from; i < to; i++ {
						s.output += fmt.Sprintf("%6d\t%s\n", i+1, content[i])
					}
				}
				e := d.Host.Read([]byte(events[name](s)))
				texts, err := d.filtered(&e)
				if err != nil {
					t.Fatal(err)
				}
				got := ""
				for i, text := range texts {
					if e.Texts[i].IsBody {
						got += text
					}
				}
				redacted, err := (&Filter{}).redacted(d.Filter.Rules, s.output)
				if err != nil {
					t.Fatal(err)
				}
				plain, _ := shownBy(t, &without, events[name](s))
				if cost := d.Filter.cost(got); cost > 700 || plain == redacted && cost > d.Filter.cost(plain) {
					t.Errorf("%s %d: %d tokens:\n%s", name, seed, cost, got)
				}
				lines := strings.Split(strings.TrimSuffix(redacted, "\n"), "\n")
				shown := map[string]bool{}
				if againHead.MatchString(got) {
					pages++
					var n int
					var wrong string
					if shown, n, wrong = judgeAgain(got, lines, isRead, plain == redacted, seen); wrong != "" {
						t.Fatalf("%s %d, %d: %s\n%s", name, seed, step, wrong, got)
					}
					reported[isRead] += n
				} else if withFeed(got) == redacted {
					for i, line := range lines {
						shown[keyOf(i+1, line, isRead)] = true
					}
				}
				if r.IntN(5) == 0 { // the answer is lost
					d.given = nil
					continue
				}
				d.Given()
				id, err := file.LastHandle()
				if err != nil {
					t.Fatal(err)
				}
				if seen[id] == nil {
					seen[id] = shown
				}
			}
			if err := file.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if least := testdepth.Cases(250); min(reported[true], reported[false]) < least || pages < testdepth.Cases(50) {
		t.Errorf("lines that are said to be shown before in %d pages, of reads and others: %v", pages, reported)
	}
}

// TestOtherQuestion: the same result to another question is a page of other lines, to the same it is one line; what the
// model never got is shown again, and a result that was shown whole is one line to any question.
func TestOtherQuestion(t *testing.T) {
	d := door(t, claudeCode{}, t.TempDir())
	d.Policies = Policies{{Pattern: "*", Treatment: Full, Budget: 500, Floor: 300}}
	var long strings.Builder
	for i := range 900 {
		fmt.Fprintf(&long, "plant %d grows in bed %d\n", i, i*i%977)
	}
	ask := func(command, output string) string {
		got, _ := shownBy(t, d, string(bash(output, "", command)))
		return got
	}
	first := ask("show --plant 333", long.String())
	second := ask("show --plant 777", long.String())
	if !strings.Contains(first, "\n334: plant 333 ") || !strings.Contains(second, "\n778: plant 777 ") {
		t.Errorf("%s\n\n%s", first, second)
	}
	for line := range strings.Lines(second) {
		if againNumber.MatchString(line) && strings.Contains(first, "\n"+line) {
			t.Errorf("shown again: %s", line)
		}
	}
	if again := ask("show --plant 777", long.String()); !strings.HasPrefix(again, "kfw: same as 1 result ago") {
		t.Error(again)
	}
	e := d.Host.Read(bash("another\n"+long.String(), "", "show --plant 111"))
	lost, err := d.filtered(&e)
	if err != nil {
		t.Fatal(err)
	}
	d.given = nil
	again := ask("show --plant 111", "another\n"+long.String())
	handle := regexp.MustCompile(`expand h\d+`)
	if want := handle.ReplaceAllString(lost[0], "H"); handle.ReplaceAllString(again, "H") != want {
		t.Errorf("got\n%s\nwant\n%s", again, want)
	}
	ask("show", long.String()[:1100])
	if got := ask("show --plant 5", long.String()[:1100]); !strings.HasPrefix(got, "kfw: same as 1 result ago") {
		t.Error(got)
	}
}
