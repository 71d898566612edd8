package truth

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// blocks are the same few lines under headers that name what they are of.
func blocks(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(20, 70)
	header := pick(r, "== https://svc-%s.example/health", "### host %s", "==> node-%s <==", "[cluster-%s]",
		"Checking %s:")
	hasBlank := b.chance(2)
	hasUptime := b.chance(2)
	bad := map[int]bool{}
	for range b.between(0, 3) {
		bad[b.IntN(n)] = true
	}
	for i := range n {
		name := fmt.Sprintf("%s%d", pick(r, "onyx", "opal", "ruby"), i)
		owners := []int{b.line(header, name)}
		under := func(format string, args ...any) {
			b.Owners[b.next()] = owners
			b.line(format, args...)
		}
		if hasUptime {
			up := b.between(1, 900)
			b.keys("uptime", fmt.Sprint(up))
			under("uptime: %d", up)
			owners = append(owners[:1:1], len(b.Chunks)) // nearly all are different
		}
		if hasBlank && b.chance(2) {
			under("")
		}
		if bad[i] {
			b.Failures[b.next()] = true
			text := pick(r, "curl: (28) Connection timed out after 5001 ms", "error: no route to host",
				"FATAL: no space left on device")
			name, value, _ := strings.Cut(text, ": ")
			b.keys(name, value)
			under("%s", text)
		} else {
			under("service is healthy")
		}
		if hasBlank {
			b.line("")
		}
	}
	switch failed := len(b.Failures); {
	case b.chance(2):
		b.line("%d checked", n)
	case failed > 0:
		b.Failures[b.next()] = true
		b.line("%d of %d failed", failed, n)
	}
	return b.done()
}

// namesAndValues are blocks of lines that are a name and its value, as dpkg -s prints them, or a
// list of YAML.
func namesAndValues(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(20, 70)
	isYAML := b.chance(3)
	var values []any
	for i := range n {
		head := b.next()
		pair := func(lead, name, value string) {
			b.keys(name, value)
			if b.next() != head {
				b.Owners[b.next()] = []int{head}
			}
			b.line("%s%s: %s", lead, name, value)
		}
		name := fmt.Sprintf("%s-%d", pick(r, "lib", "tool", "font"), i)
		status := pick(r, "installed", "installed", "installed", "removed")
		size := fmt.Sprint(b.between(1, 9000))
		version := fmt.Sprintf("%d.%d", b.between(1, 3), b.between(0, 20))
		if isYAML {
			values = append(values, object{{"name", name}, {"status", status}, {"size", literal(size)}})
			continue
		}
		pair("", "Package", name)
		pair("", "Status", status)
		pair("", "Size", size)
		pair("", "Version", version)
		if i < n-1 {
			b.line("")
		}
	}
	if isYAML {
		response := recordsOf(values, nil)
		response.Input = documents(values, true)
		return response
	}
	return b.done()
}

// compiler is what compilers and linters print.
func compiler(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(60, 250)
	isTSC := b.chance(2)
	for range n {
		file := fmt.Sprintf("src/%s/%s.ts", pick(r, "api", "store", "errors"), pick(r, "main", "read", "write", "list"))
		line := b.between(1, 400)
		severity := pick(r, "warning", "warning", "warning", "error")
		code := pick(r, "TS2307", "TS2345", "TS6133")
		message := pick(r, "name is not used", "types do not match", "module is not found")
		if severity == "error" {
			b.Failures[b.next()] = true
		}
		if isTSC {
			b.keys("file", file, "severity", severity, "code", code)
			b.line("%s(%d,%d): %s %s: %s", file, line, b.between(1, 80), severity, code, message)
		} else {
			b.keys("file", file, "severity", severity)
			b.line("%s:%d:%d: %s: %s", file, line, b.between(1, 80), severity, message)
		}
	}
	return b.done()
}

// matches is what grep -rn prints.
func matches(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(80, 300)
	for range n {
		file := fmt.Sprintf("internal/%s/%s.go", pick(r, "wire", "store", "errors"),
			pick(r, "main", "read", "write", "list"))
		b.keys("file", file)
		text := pick(r, "\tif err != nil {", "\treturn fmt.Errorf(\"no such name\")",
			"// an error is returned if the name is unknown", "\tlog.Print(\"failed\")")
		b.line("%s:%d:%s", file, b.between(1, 900), text)
	}
	return b.done()
}

// exitStatus is a program that says little and ends with a status.
func exitStatus(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(2, 200)
	for range n {
		at := b.between(1, 5000)
		b.line("- line %d removed", at)
		if b.chance(2) {
			b.line("+ line %d added", at)
		}
	}
	b.Exit = b.IntN(3)
	return b.done()
}
