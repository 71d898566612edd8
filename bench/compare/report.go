package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// document returns docs/benchmark.md.
func (r *Results) document() []byte {
	var b strings.Builder
	b.WriteString(start)
	r.tools(&b)
	r.replay(&b)
	r.questions(&b)
	r.leaks(&b)
	r.costs(&b)
	r.better(&b)
	b.WriteString(limits)
	return []byte(b.String())
}

const start = "# Benchmark\n" + `
A program writes this document. CONTRIBUTING.md says how to measure anew. No model takes part. A token is
four characters, for all tools alike; what a tool without a budget shows is cut to it by head and tail.

`

const limits = `
## Limits

- The sessions are of a few developers with one agent, mostly in two repositories in Go. An
  agent may have needed more than it repeated. The replay never runs "kfw expand".
- The cases are a sample of the commits that fetch pins. fetch takes more of them: its figures will differ.
- The questions and the secrets are ours. Others would choose others.
- snip changes the arguments of some commands. Here its filters get what was recorded without that.
- Peers that only see what a shell writes have head and tail in the other rows.
- Not measured: rtk, tokf, lean-ctx (no program in the registries of Go and npm), headroom (needs a server).
`

// row writes a row of a table.
func row(b *strings.Builder, cells ...string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// head writes the header row of a table whose columns after the first are numbers.
func head(b *strings.Builder, cells ...string) {
	row(b, cells...)
	b.WriteString("|---|" + strings.Repeat("--:|", len(cells)-1) + "\n")
}

func whole(x float64) string { return strconv.FormatFloat(x, 'f', 0, 64) }

func (r *Results) tools(b *strings.Builder) {
	var all []string
	for _, t := range r.Tools {
		if t.Version != "" && !strings.Contains(t.Name, ",") {
			all = append(all, t.Name+" "+t.Version)
		}
	}
	fmt.Fprintf(b, "Measured on %s:\n%s.\n", r.Machine, strings.Join(all, ", "))
	b.WriteString("`query` is a mark to pass: half of the room is head and tail, half the lines with the rarest\n" +
		"words of what the agent said last.\n")
}

func (r *Results) replay(b *strings.Builder) {
	const group = 1000 // tokens at which groups are compared
	b.WriteString(`
## What agents used next

Recorded results that do not fit. An agent used some of each in its next ten calls, and can have it from
nowhere else. How much of that is still on the page, in percent, as a mean of cases:

`)
	var columns []column
	for _, budget := range budgets {
		columns = append(columns, column{fmt.Sprintf("%d tokens (%d cases)", budget, r.Replay.Cases[key(budget, all)]),
			key(budget, all)})
	}
	r.Replay.shares(b, columns)
	fmt.Fprintf(b, "\nBy tool of the agent, at %d tokens:\n\n", group)
	columns = nil
	for _, g := range r.groups(group) {
		columns = append(columns, column{fmt.Sprintf("%s (%d)", g, r.Replay.Cases[key(group, g)]), key(group, g)})
	}
	r.Replay.shares(b, columns)
	if len(r.Replay.OwnSizes) > 0 {
		b.WriteString("\nTools without a budget, at the size that they choose:\n\n")
		head(b, "tool", "cases", "characters shown, %", "kept, %", "head and tail there", "query there")
		for _, o := range r.Replay.OwnSizes {
			row(b, o.Tool, strconv.Itoa(o.Cases), whole(o.Shown), whole(o.Kept), whole(o.HeadTail), whole(o.Queried))
		}
	}
	e := r.Edits
	fmt.Fprintf(b, "\nAn edit breaks when redaction changes the text that it names: %d of %d recorded edits, in %d of\n"+
		"%d sessions. The peers redact nothing, and break none.\n", e.Broken, e.All, e.Touched, e.Sessions)
}

// column is a column of a table of shares: its title, and the key of the shares.
type column struct{ title, key string }

// shares writes a table of how much each tool kept, with a column for each key.
func (r *Replay) shares(b *strings.Builder, columns []column) {
	cells := []string{"tool"}
	for _, c := range columns {
		cells = append(cells, c.title)
	}
	head(b, cells...)
	for _, k := range r.Kept {
		cells := []string{k.Tool}
		for _, c := range columns {
			cells = append(cells, whole(k.Share[c.key]))
		}
		row(b, cells...)
	}
}

// groups returns the groups that have cases at a budget.
func (r *Results) groups(budget int) (found []string) {
	for where := range r.Replay.Cases {
		if at, group, _ := strings.Cut(where, " "); at == strconv.Itoa(budget) && group != all {
			found = append(found, group)
		}
	}
	slices.Sort(found)
	return found
}

func (r *Results) questions(b *strings.Builder) {
	b.WriteString(`
## Questions on outputs

Questions on outputs of go, git, grep, ls and on the sample of this repository that the page answers, in
percent. No tool is told them. The last row adds one command of "kfw expand" that a reader would type.

`)
	cells := []string{"tool"}
	for _, budget := range budgets {
		cells = append(cells, fmt.Sprintf("%d tokens (%d)", budget, r.Questions[0].Questions[strconv.Itoa(budget)]))
	}
	head(b, cells...)
	line := func(name string, share map[string]float64) {
		cells := []string{name}
		for _, budget := range budgets {
			cells = append(cells, whole(share[strconv.Itoa(budget)]))
		}
		row(b, cells...)
	}
	for _, a := range r.Questions {
		line(a.Tool, a.Right)
	}
	for _, a := range r.Questions {
		if a.Expanded != nil {
			line(a.Tool+", expanded", a.Expanded)
		}
	}
	for _, a := range r.Questions {
		if len(a.Slow) > 0 {
			fmt.Fprintf(b, "\n%s takes more than a minute for %s: they are shown by head and tail.\n",
				a.Tool, strings.Join(a.Slow, ", "))
		}
	}
}

func (r *Results) leaks(b *strings.Builder) {
	fmt.Fprintf(b, `
## Planted secrets

%d kinds of secrets in %d forms, with room to show all: how many pass. Of values that only look like secrets:
how many are changed.

`, r.Leaks[0].Planted/len(forms), len(forms))
	head(b, "tool", fmt.Sprintf("passed, of %d", r.Leaks[0].Planted), fmt.Sprintf("changed, of %d", r.Leaks[0].Plain))
	for _, l := range r.Leaks {
		row(b, l.Tool, strconv.Itoa(l.Passed), strconv.Itoa(l.Changed))
	}
	if kinds := r.Leaks[0].Kinds; len(kinds) > 0 {
		fmt.Fprintf(b, "\nkfw lets pass: %s.\n", strings.Join(kinds, "; "))
	}
}

func (r *Results) costs(b *strings.Builder) {
	fmt.Fprintf(b, `
## Time and memory

CPU time for one line (median of %d), and for a log of %d MB, with the peak of memory.

`, starts, largeSize/1_000_000)
	head(b, "tool", "start, ms", "log, s", "log, MB of memory", "log shown, %")
	for _, c := range r.Costs {
		took, shown := strconv.FormatFloat(c.LargeMS/1000, 'f', 1, 64), strconv.FormatFloat(c.LargeOut, 'f', 2, 64)
		if c.LargeMS == 0 {
			took, shown = "more than 60", "-"
		}
		row(b, c.Tool, whole(c.StartMS), took, whole(c.LargeMB), shown)
	}
}

// better lists where another tool is better than kfw.
func (r *Results) better(b *strings.Builder) {
	b.WriteString("\n## Where others do better\n\n")
	var lines []string
	add := func(what, other, its, own string) {
		lines = append(lines, fmt.Sprintf("- %s: %s %s, kfw %s", what, other, its, own))
	}
	for _, budget := range budgets {
		for _, group := range append([]string{all}, r.groups(budget)...) {
			if line := r.betterKept(budget, group); line != "" {
				lines = append(lines, line)
			}
		}
	}
	for _, a := range r.Questions[1:] {
		for _, budget := range budgets {
			at := strconv.Itoa(budget)
			if its, own := a.Right[at], r.Questions[0].Right[at]; whole(its) != whole(own) && its > own {
				add(fmt.Sprintf("questions, %d tokens", budget), a.Tool, whole(its), whole(own))
			}
		}
	}
	if own := r.Leaks[0]; own.Changed > 0 {
		lines = append(lines, fmt.Sprintf("- harmless values changed: kfw %d of %d, the others none", own.Changed, own.Plain))
	}
	if r.Edits.Broken > 0 {
		lines = append(lines, fmt.Sprintf("- edits broken: kfw %d of %d, the others none", r.Edits.Broken, r.Edits.All))
	}
	for _, c := range r.Costs[1:] {
		if c.LargeOut == 100 { // it lets all pass
			continue
		}
		own := r.Costs[0]
		if its, mine := whole(c.StartMS), whole(own.StartMS); c.StartMS < own.StartMS && its != mine {
			add("start, ms", c.Tool, its, mine)
		}
		if c.LargeMS > 0 && c.LargeMS < own.LargeMS {
			add("a log of 10 MB, s", c.Tool, fmt.Sprintf("%.1f", c.LargeMS/1000), fmt.Sprintf("%.1f", own.LargeMS/1000))
		}
		if c.LargeMS > 0 && c.LargeMB < own.LargeMB {
			add("memory for it, MB", c.Tool, whole(c.LargeMB), whole(own.LargeMB))
		}
	}
	if len(lines) == 0 {
		lines = append(lines, "In none of these figures.")
	}
	fmt.Fprintf(b, "%s\n\nGroups with less than %d cases are left out here.\n", strings.Join(lines, "\n"), leastCases)
}

// betterKept names the tools that kept more than kfw at a budget in a group; empty if kfw kept most. Head and tail show
// what a peer does not see; such a result counts for head and tail alone.
func (r *Results) betterKept(budget int, group string) string {
	where := key(budget, group)
	own := r.Replay.Kept[0].Share[where]
	if r.Replay.Cases[where] < leastCases {
		return ""
	}
	const least = 0.01 // difference, in percent: a sum depends on its order
	var all []string
	for i, k := range r.Replay.Kept[2:] { // after kfw, with and without a question
		its, ends := k.Share[where], r.Replay.Kept[2].Share[where]
		if whole(its) != whole(own) && its > own && (i == 0 || math.Abs(its-ends) > least) {
			all = append(all, k.Tool+" "+whole(its))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("- used next, %d tokens, %s: kfw %s, %s", budget, group, whole(own), strings.Join(all, ", "))
}

// leastCases is how many cases a group has at least whose shares are compared.
const leastCases = 10
