package truth

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// separated are values between commas, tabs or semicolons, with a header or without.
func separated(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(60, 300)
	separator := pick(r, ",", "\t", ";")
	hasHeader := b.chance(2)
	hasNumbers := b.chance(2)
	hasComma := separator == ";" && b.chance(2)
	b.Columns = []string{"host", "state", "zone", "owner"}
	if hasNumbers {
		b.Columns = append(b.Columns, "size", "share")
	}
	if hasHeader {
		b.Headers[1] = true
		b.line("%s", strings.Join(b.Columns, separator))
	}
	for i := range n {
		cells := []string{fmt.Sprintf("%s-%s-%d", pick(r, "stone", "grove", "river"), pick(r, "alpha", "bravo"), i),
			pick(r, "ready", "done"), pick(r, "eu", "us", "ap"), pick(r, "ann", "bob", "cid")}
		written := cells
		if hasNumbers {
			share := fmt.Sprintf("%d.%03d", b.between(0, 40), b.IntN(1000))
			cells = append(cells, fmt.Sprint(b.between(0, 9000)), share)
			if written = cells; hasComma {
				written = append(cells[:5:5], strings.Replace(share, ".", ",", 1))
				cells = written
			}
		}
		b.row(cells...)
		b.line("%s", strings.Join(written, separator))
	}
	b.Commas = hasComma && hasNumbers
	return b.done()
}

// aligned is a table as kubectl and docker print it.
func aligned(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(60, 250)
	hasHeader := !b.chance(4)
	b.Columns = []string{"NAME", "READY", "STATUS", "RESTARTS", "AGE"}
	bad := -1
	if b.chance(2) {
		bad = b.IntN(n)
	}
	const form = "%-26s %-7s %-18s %-10s %s"
	every := n
	if b.chance(4) {
		every = b.between(20, 60)
	}
	for i := range n {
		if hasHeader && i%every == 0 {
			b.Headers[b.next()] = true
			b.line(form, "NAME", "READY", "STATUS", "RESTARTS", "AGE")
		}
		status := pick(r, "Running", "Running", "Pending", "Completed")
		if i == bad {
			status = pick(r, "CrashLoopBackOff", "Error")
			b.Failures[b.next()] = true
		}
		cells := []string{fmt.Sprintf("%s-%05x-%d", pick(r, "checkout", "billing"), b.IntN(1<<20), i),
			pick(r, "1/1", "0/1"), status,
			fmt.Sprint(b.between(0, 9)), fmt.Sprintf("%d%s", b.between(1, 50), pick(r, "d", "h", "m"))}
		b.row(cells...)
		b.line(form, cells[0], cells[1], cells[2], cells[3], cells[4])
	}
	return b.done()
}

// versions are versions and codes, which are no numbers.
func versions(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(60, 250)
	b.Columns = []string{"package", "release", "code", "size"}
	isTable := b.chance(2)
	var values []any
	if isTable {
		b.Headers[1] = true
		b.line("%s", strings.Join(b.Columns, ","))
	}
	for i := range n {
		name := fmt.Sprintf("%s-%d", pick(r, "lib", "tool"), i)
		version := fmt.Sprintf("%d.%d", b.between(1, 2), b.between(0, 40))
		code := fmt.Sprintf("%08d", b.IntN(40000000))
		size := b.between(1, 9000)
		if isTable {
			b.row(name, version, code, fmt.Sprint(size))
			b.line("%s,%s,%s,%d", name, version, code, size)
			b.Unordered = map[string]bool{"release": true, "code": true}
		} else {
			values = append(values, object{{"package", name}, {"version", literal(version)}, {"code", code},
				{"size", size}})
		}
	}
	if !isTable {
		return recordsOf(values, map[string]bool{"version": true, "code": true})
	}
	return b.done()
}

// mixedUnits are amounts of which some have a unit, or whose unit is another field.
func mixedUnits(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(60, 200)
	switch b.IntN(3) {
	case 0: // in one unit system
		b.Columns = []string{"POD", "CPU", "MEMORY"}
		b.Headers[1] = true
		b.line("%-16s %-8s %s", "POD", "CPU", "MEMORY")
		for i := range n {
			cpu := fmt.Sprintf("%dm", b.between(1, 900))
			if b.chance(3) {
				cpu = fmt.Sprint(b.between(1, 8))
			}
			cells := []string{fmt.Sprintf("pod-%d", i), cpu, fmt.Sprintf("%dMi", b.between(1, 4000))}
			b.row(cells...)
			b.line("%-16s %-8s %s", cells[0], cells[1], cells[2])
		}
		b.Unordered = map[string]bool{"CPU": true}
		return b.done()
	case 1: // the unit is a field
		var values []any
		for i := range n {
			values = append(values, object{{"id", i}, {"latency", b.between(1, 900)},
				{"latency_unit", pick(r, "ms", "us")}})
		}
		return recordsOf(values, map[string]bool{"latency": true})
	}
	var values []any
	for i := range n {
		values = append(values, object{{"id", i},
			{"took", fmt.Sprintf("%d%s", b.between(1, 900), pick(r, "ms", "ms", "s"))},
			{"share", fmt.Sprintf("%d%%", b.between(1, 100))}})
	}
	return recordsOf(values, nil)
}
