package truth

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// brokenBuild is a test run after packages that do not compile, with drawn lines in it.
func brokenBuild(r *rand.Rand) Response {
	b := newBuilder(r)
	for range b.between(1, 4) {
		name := pick(r, "crate", "pallet", "shelf")
		b.line("# orchard.example/%s [orchard.example/%s.test]", name, name)
		for range b.between(1, 3) {
			b.Failures[b.next()] = true
			place := fmt.Sprintf("%s/%s.go", name, name)
			b.keys("file", place)
			b.line("%s:%d:%d: undefined: %s", place, b.between(3, 90), b.between(2, 40), pick(r, "stem", "leaf", "root"))
		}
		b.Failures[b.next()] = true
		b.line("FAIL\torchard.example/%s [build failed]", name)
	}
	n := b.between(60, 250)
	for i := range n {
		name := fmt.Sprintf("Test_%s_%d", testNames[b.IntN(len(testNames))], i)
		run := b.line("=== RUN   %s", name)
		isBad := b.chance(60)
		if isBad {
			b.IsDrawn[b.line("%s", strings.Repeat("=", 18))] = true
			b.Failures[b.next()] = true
			b.Owners[b.next()] = []int{run}
			b.keys("WARNING", "DATA RACE")
			b.line("WARNING: DATA RACE")
			b.Owners[b.next()] = []int{run, b.next() - 1}
			b.line("Read at 0x00c%09x by goroutine %d:", b.IntN(1<<30), b.between(6, 90))
			b.IsDrawn[b.line("%s", strings.Repeat("=", 18))] = true
		}
		verdict := "PASS"
		if isBad {
			verdict = "FAIL"
			b.Failures[b.next()] = true
			b.Owners[b.next()] = []int{run}
		}
		took := b.IntN(300)
		b.line("--- %s: %s (%d.%02ds)", verdict, name, took/100, took%100)
	}
	b.Failures[b.next()] = true
	b.line("FAIL")
	return b.done()
}

// longestPreamble is more lines than may come before a JSON value on several lines for it to be read as one.
const longestPreamble = 64

// logBeforeJSON are lines of a log, and then a JSON document over many lines: records after a preamble, and lines in a
// document.
func logBeforeJSON(r *rand.Rand) Response {
	b := newBuilder(r)
	loaded := b.between(5, longestPreamble)
	if b.chance(3) {
		loaded = longestPreamble + b.between(1, 60)
	}
	for i := range loaded {
		b.line("loaded part %d", i)
	}
	preamble := b.done()
	b.IsDrawn[b.line("[")] = true
	n := b.between(30, 90)
	var values []any
	for i := range n {
		state := pick(r, "ready", "ready", "stale")
		values = append(values, object{{"id", i}, {"state", state}})
		b.IsDrawn[b.line("  {")] = true
		b.line(`    "id": %d,`, i)
		b.line(`    "state": "%s"`, state)
		b.IsDrawn[b.line("  }%s", strings.Repeat(",", min(1, n-1-i)))] = true
	}
	b.IsDrawn[b.line("]")] = true
	if loaded >= longestPreamble {
		return b.done()
	}
	preamble.Input = b.Input
	preamble.IsLines, preamble.IsUneven, preamble.Texts = false, true, map[int]bool{}
	for chunk := range loaded {
		preamble.Texts[chunk+1] = true
	}
	for i, value := range values {
		preamble.Chunks = append(preamble.Chunks, jsonOf(value, ""))
		preamble.Records = append(preamble.Records, recordOf(loaded+i+1, value))
	}
	return preamble
}

// cutRecord generates records of JSON, one a line, and cuts one of them.
func cutRecord(r *rand.Rand) Response {
	b := newBuilder(r)
	var values []any
	for i := range b.between(60, 200) {
		values = append(values, object{{"id", i}, {"crop", pick(r, "plum", "pear", "fig")}, {"weight", b.between(1, 900)}})
	}
	response := recordsOf(values, nil)
	at := b.between(2, len(values)-1)
	whole := response.Chunks[at-1]
	crop := strings.Index(whole, `"crop":"`) + len(`"crop":"`)
	response.Chunks[at-1] = whole[:crop+b.IntN(4)] // within a string
	response.Records = append(response.Records[:at-1], response.Records[at:]...)
	response.Texts, response.Broken = map[int]bool{at: true}, map[int]bool{at: true}
	response.Input = []byte(strings.Join(response.Chunks, "\n") + "\n")
	return response
}

// terminal is what a program writes for one: colours, and states of a progress bar over each other.
func terminal(r *rand.Rand) Response {
	b := newBuilder(r)
	for i := range b.between(60, 200) {
		name := fmt.Sprintf("%s%d", pick(r, "seed", "bulb"), i)
		switch b.IntN(4) {
		case 0:
			var states []string
			for share := 0; share <= 100; share += b.between(10, 40) {
				states = append(states, fmt.Sprintf("fetching %s %d%%", name, share))
			}
			b.line("%s", strings.Join(append(states, "fetched "+name), "\r"))
		case 1:
			b.line("\x1b[1;33mnote\x1b[0m %s is old", name)
		default:
			b.line("\x1b[32mplanted\x1b[0m %s", name)
		}
	}
	return b.done()
}

// equalLines are few lines, again and again.
func equalLines(r *rand.Rand) Response {
	b := newBuilder(r)
	few := []string{"waiting for the gardener", "still waiting", "  },", "", "retry"}[:b.between(1, 5)]
	for range b.between(150, 500) {
		line := pick(r, few...)
		b.IsDrawn[b.next()] = strings.TrimSpace(line) == "},"
		b.line("%s", line)
	}
	return b.done()
}

// oneLine is a single long line.
func oneLine(r *rand.Rand) Response {
	b := newBuilder(r)
	var words []string
	for range b.between(900, 6000) {
		words = append(words, pick(r, "apple", "beech", "clover,", "daisy.", "elder")+fmt.Sprint(b.IntN(2000)))
	}
	b.line("%s", strings.Join(words, " "))
	return b.done()
}

// numbered are lines that bring the number that they have in a file.
func numbered(r *rand.Rand) Response {
	b := newBuilder(r)
	form, indent := pick(r, "%6d\t%s", "%6d→%s", "beds/rows.go:%d:%s"), "\t"
	if b.chance(4) { // no table of a place and a text
		form, indent = "beds/rows.go-%d-%s", ""
	}
	first, hits, firstHit := b.between(1, 900), 0, 0
	areHits := strings.HasSuffix(form, ":%s")
	for i := range b.between(80, 250) {
		if b.chance(30) {
			b.line("%s", pick(r, "--", "= rows: 3", "… 2 lines"))
		}
		text := pick(r, "", indent+"sow(bed)", "// the gardener is away", indent+"if frost {", indent+"}")
		if areHits {
			b.keys("file", "beds/rows.go")
			b.Total["files"] = 1
			hits++
		}
		if at := b.line(form, first+i, text); firstHit == 0 {
			firstHit = at
		}
	}
	if areHits {
		b.Outlined[firstHit] = Outlined{Counts: map[string]int{"hits": hits}}
	}
	return b.done()
}

// commandsOutput is what several commands print, each under its own line.
func commandsOutput(r *rand.Rand) Response {
	b := newBuilder(r)
	for range b.between(4, 9) {
		switch b.IntN(4) {
		case 0:
			b.line("$ ls beds")
			for i := range b.between(10, 300) {
				b.line("bed-%d.txt", i)
			}
		case 1:
			command, said := "$ date", "sometime in spring"
			if b.chance(2) {
				command, said = "$ pytest beds", "no tests ran in 0.01s"
			}
			b.Owners[b.next()+1] = []int{b.line("%s", command)}
			b.line("%s", said)
		case 2:
			owners := []int{b.line("$ build beds")}
			for i := range b.between(10, 200) {
				b.line("compiling bed %d of many", i)
			}
			if b.chance(2) {
				b.Failures[b.next()] = true
				b.Owners[b.next()] = append(owners, b.next()-1)
				b.keys("error", "no space left on device")
				b.line("error: no space left on device")
				if b.chance(2) {
					b.Failures[b.next()] = true
					b.Owners[b.next()] = append(owners, b.next()-1)
					b.line("make: *** [Makefile:12: beds] Error %d", b.between(1, 9))
				}
			}
		default:
			b.line("$ echo $?")
			b.line("%d", b.IntN(2))
		}
	}
	return b.done()
}

// severalTables are tables of different columns after each other, with or without a blank line between them: what is
// said of one is not of the others.
func severalTables(r *rand.Rand) Response {
	b := newBuilder(r)
	b.HasSections = true
	table := func(form string, names []string, row func() []string) {
		if b.chance(2) && b.next() > 1 {
			b.line("")
		}
		b.Columns = names
		anyOf := func(cells []string) (of []any) {
			for _, cell := range cells {
				of = append(of, cell)
			}
			return of
		}
		b.Headers[b.next()] = true
		b.line(form, anyOf(names)...)
		for range b.between(8, 90) {
			cells := row()
			b.row(cells...)
			b.line(form, anyOf(cells)...)
		}
	}
	for range b.between(1, 2) {
		table("%-22s %8s %6s  %s", []string{"Orchard", "Trees", "Use%", "Gate"}, func() []string {
			return []string{fmt.Sprintf("orchard%d", b.IntN(900)), fmt.Sprint(b.IntN(9000)),
				fmt.Sprintf("%d%%", b.IntN(100)), pick(r, "north", "south", "west")}
		})
		table("%-20s %-12s %-14s %s", []string{"BASKET", "BASKET ID", "PICKED", "WEIGHT"}, func() []string {
			days, kilos := b.between(2, 90), b.between(1, 90)
			return []string{pick(r, "plum", "pear", "fig"), fmt.Sprintf("b%05x", b.IntN(1<<20)),
				fmt.Sprintf("%d days", days), fmt.Sprintf("%dkg", kilos)}
		})
	}
	return b.done()
}

// blanks are line breaks that are blanks between words.
var blanks = strings.NewReplacer("\r", " ", "\v", " ", "\f", " ")

// imitations are lines, or records with a text, that read like the lines of a page.
func imitations(r *rand.Rand) Response {
	b := newBuilder(r)
	breaks := []string{"\r", "\v", "\f", "\u0085", "\u2028", "\u2029"}
	own := []string{"kfw: 3 lines, 3 B", "= rows: 3", "= 9 x <n>", "12: x", "kfw: chunk 4, error: x", `\kfw: y`,
		"… 3 lines", "… 3 records: <n>", "3: …x…"}
	areRecords := b.chance(3)
	if areRecords {
		own = own[:6] // an ellipsis is that of a cell
	}
	var values []any
	for i := range b.between(60, 200) {
		line := pick(r, own...)
		if b.chance(4) {
			line = "edge" + pick(r, breaks...) + line
		}
		if strings.Contains(line, "error:") {
			b.Failures[i+1] = true
		}
		switch {
		case areRecords:
			values = append(values, object{{"id", i}, {"text", line}})
		case b.chance(4):
			b.line("plain line %s", strings.Repeat("and so on ", b.IntN(4)))
		default:
			b.Owners[b.next()] = []int{b.next() - 1}
			if name, value, isNamed := strings.Cut(line, ": "); isNamed {
				b.keys(blanks.Replace(name), value)
			}
			b.line("%s", line)
		}
	}
	if areRecords {
		response := recordsOf(values, nil)
		response.Failures = b.Failures
		return response
	}
	return b.done()
}
