package truth

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// source is a program: comments, declarations and their bodies, in one of four languages.
func source(r *rand.Rand) Response {
	b := newBuilder(r)
	name := func() string { return pick(r, "amber", "birch", "cedar", "dune", "ember") + fmt.Sprint(b.IntN(900)) }
	language := b.IntN(4)
	b.line("%s", []string{"package orchard",
		`"""Reads orchards."""`, "import { tree } from './tree'", "use std::fmt;"}[language])
	for range b.between(20, 60) {
		b.line("")
		switch language {
		case 0:
			b.line("// read%s reads one of the trees and returns it.", name())
			b.line("func read%s(n int) (string, error) {", name())
			b.line("\treturn strings.Repeat(%q, n), nil", name())
			b.line("}")
		case 1:
			b.line("class Tree%s(Plant):", name())
			b.line("    def read_%s(self, n=%d):", name(), b.IntN(99))
			b.line("        return '%s' * n", name())
		case 2:
			b.line("export async function read%s(n: number) {", name())
			b.line("  if (n > %d) { throw new Error('error in %s') }", b.IntN(99), name())
			b.line("}")
		default:
			b.line("pub fn read_%s(n: usize) -> String {", name())
			b.line("    %q.repeat(n + %d)", name(), b.IntN(99))
			b.line("}")
		}
	}
	return b.done()
}

// document is a page of Markdown or of a manual.
func document(r *rand.Rand) Response {
	b := newBuilder(r)
	word := func() string {
		return pick(r, "harvest", "orchard", "prune", "error", "graft") + fmt.Sprint(b.IntN(900))
	}
	isManual := b.chance(2)
	heading := func(level int, text string) {
		if isManual {
			b.line("%s", strings.ToUpper(strings.Map(func(r rune) rune {
				if '0' <= r && r <= '9' {
					return -1
				}
				return r
			}, text)))
		} else {
			b.line("%s %s", strings.Repeat("#", level), text)
			b.line("")
		}
	}
	heading(1, word())
	for range b.between(6, 30) {
		heading(b.between(2, 4), "The "+word())
		indent := ""
		if isManual {
			indent = "       "
		}
		for range b.between(1, 8) {
			b.line(indent+"How to %s the trees of the old %s in a warm year.", word(), word())
			b.line(indent+"Set TREE_%s=1 or see https://example.org/%s for more of it.", strings.ToUpper(word()), word())
			if isManual {
				b.line(indent+"--%s  the one to %s", word(), word())
			}
			b.line("")
		}
	}
	return b.done()
}

// diff is what git diff prints: files that are changed, new or deleted, and their hunks.
func diff(r *rand.Rand) Response {
	b := newBuilder(r)
	for i := range b.between(4, 40) {
		path := fmt.Sprintf("%s/%s-%d.go", pick(r, "wire", "store"), pick(r, "main", "read", "errors"), i)
		b.line("diff --git a/%s b/%s", path, path)
		of := Outlined{Is: pick(r, "", "", "", "new", "deleted"), Counts: map[string]int{}}
		switch of.Is {
		case "new":
			b.line("new file mode 100644")
			b.line("--- /dev/null")
			b.Outlined[b.line("+++ b/%s", path)] = of
		case "deleted":
			b.line("deleted file mode 100644")
			b.Outlined[b.line("--- a/%s", path)] = of
			b.line("+++ /dev/null")
		default:
			b.Outlined[b.line("--- a/%s", path)] = of
			b.line("+++ b/%s", path)
		}
		b.Total["files"]++
		for range b.between(1, 4) {
			removed, added, around := b.IntN(9), b.IntN(9), 3
			switch of.Is {
			case "new":
				removed, around = 0, 0
			case "deleted":
				added, around = 0, 0
			}
			added += 1 - min(1, added+removed) // a hunk changes something
			of.Counts["added"] += added
			of.Counts["removed"] += removed
			b.Total["hunks"]++
			b.Total["added"] += added
			b.Total["removed"] += removed
			b.Total["hunk_lines"] += added + removed + around
			b.line("@@ -%d,%d +%d,%d @@ func read() {", b.IntN(900), removed+around, b.IntN(900), added+around)
			for i := range around + removed + added {
				b.InHunks[b.next()+i] = true
			}
			for range around {
				b.line(" \tfor n := range %d {", b.IntN(900))
			}
			for range removed {
				b.line("-\treturn nil, fmt.Errorf(\"no name %d\")", b.IntN(900))
			}
			for range added {
				b.line("+\treturn name%d, nil", b.IntN(900))
			}
		}
	}
	return b.done()
}

// hitsByFile is what grep -rn finds, all of one file after each other.
func hitsByFile(r *rand.Rand) Response {
	b := newBuilder(r)
	for i := range b.between(3, 60) {
		path := fmt.Sprintf("src/%s/%s-%d.py", pick(r, "wire", "store"), pick(r, "main", "read", "errors"), i)
		b.Total["files"]++
		hits := b.between(1, 12)
		for n := range hits {
			b.keys("file", path)
			at := b.line("%s:%d:%s", path, 10*n+b.between(1, 9), pick(r, "    return backoff(n)", "def backoff(n):",
				"# see backoff", "from retries import backoff"))
			if n == 0 {
				b.Outlined[at] = Outlined{Counts: map[string]int{"hits": hits}}
			}
		}
	}
	return b.done()
}
