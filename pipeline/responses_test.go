package pipeline

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// kindsOfResponses make responses as tools give them, each of about so many records, from a seed.
var kindsOfResponses = map[string]func(r *rand.Rand, n int) string{
	"records":      func(r *rand.Rand, n int) string { return joined(r, n, "", someRecord, "\n", "\n") },
	"array":        func(r *rand.Rand, n int) string { return joined(r, n, "[", someRecord, ",\n ", "]") },
	"concatenated": func(r *rand.Rand, n int) string { return joined(r, n, "", pretty, "", "\n") },
	"document": func(r *rand.Rand, n int) string {
		return joined(r, n, `{"kind":"List","items":[`, someDocument, ",", `],"next":null}`)
	},
	"by name":      func(r *rand.Rand, n int) string { return joined(r, n, `{"parts":{`, member, ",", `},"size":1}`) },
	"values":       func(r *rand.Rand, n int) string { return joined(r, n, "", someValue, " ", "\n") },
	"events":       func(r *rand.Rand, n int) string { return joined(r, n, "", streamEvent, "\n", "") },
	"log":          func(r *rand.Rand, n int) string { return joined(r, n, "", logLine, "\n", "\n") },
	"log and JSON": func(r *rand.Rand, n int) string { return joined(r, n, "", logOrRecord, "\r\n", "\r\n") },
	"columns": func(r *rand.Rand,
		n int) string {
		return joined(r, n, "NAME      STATE   AGE\n", columns, "\n", "\n")
	},
	"stack traces": func(r *rand.Rand, n int) string { return joined(r, n, "", trace, "\n", "\n") },
	"CR lines":     func(r *rand.Rand, n int) string { return joined(r, n, "", logLine, "\r", "\r\r") },
	"other breaks": func(r *rand.Rand, n int) string { return joined(r, n, "", logLine, "\u2028", "\v\f") },
	"one line":     func(r *rand.Rand, n int) string { return joined(r, n, "", logLine, " ", "") },
	"long strings": func(r *rand.Rand, n int) string { return joined(r, n/8, "", longString, "\n", "\n") },
	"kfw's own":    func(r *rand.Rand, n int) string { return joined(r, n, "", ownLine, "\n", "\n") },
	"broken":       func(r *rand.Rand, n int) string { return joined(r, n, "", cutRecord, "\n", "") },
	"bytes":        func(r *rand.Rand, n int) string { return joined(r, n, "", someBytes, "", "") },
	"equal lines": func(_ *rand.Rand,
		n int) string {
		return strings.Repeat("still waiting for the other side\n", n)
	},
	"equal records": func(_ *rand.Rand, n int) string { return strings.Repeat(`{"ok":true,"n":1}`+"\n", n) },
	"deep": func(_ *rand.Rand, n int) string {
		return strings.Repeat(`{"a":[`, 5*n) +
			strings.Repeat(`]}`, 5*n)
	},
	"one record": func(r *rand.Rand, _ int) string { return someRecord(r, 0) },
	"one word":   func(*rand.Rand, int) string { return "done" },
	"nothing":    func(*rand.Rand, int) string { return "" },
}

func joined(r *rand.Rand, n int, before string, of func(r *rand.Rand, i int) string, between, after string) string {
	var b strings.Builder
	b.WriteString(before)
	for i := range n {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(of(r, i))
	}
	b.WriteString(after)
	return b.String()
}

var states = []string{"open", "paid", "sent", "closed by hand"}

func pick(r *rand.Rand, all []string) string { return all[r.IntN(len(all))] }

func someRecord(r *rand.Rand, i int) string {
	more := ""
	switch r.IntN(40) {
	case 0:
		more = fmt.Sprintf(`,"note":"left at door %d"`, i)
	case 1:
		more = `,"size":null,"tags":[]`
	case 2:
		more = fmt.Sprintf(`,"f%d":{"x y":%d}`, r.IntN(500), i)
	}
	return fmt.Sprintf(`{"id":%d,"state":%q,"ms":%.2f,"at":"2031-05-%02dT10:%02d:00Z"%s}`, i, pick(r, states),
		r.ExpFloat64()*40, 1+i/60%28, i%60, more)
}

func pretty(r *rand.Rand, i int) string {
	return strings.NewReplacer(",", ",\n  ", "{", "{\n  ").Replace(someRecord(r, i))
}

func someDocument(r *rand.Rand, i int) string {
	var tags []string
	for range r.IntN(4) {
		tags = append(tags, fmt.Sprintf(`{"k":"t%d","v":%d}`, r.IntN(9), r.IntN(100)))
	}
	return fmt.Sprintf(`{"meta":{"name":"unit-%d","labels":{"app":"a%d","tier.zone":%q}},"spec":{"tags":[%s],"on":%t}}`,
		i, r.IntN(6), pick(r, states), strings.Join(tags, ","), r.IntN(2) == 0)
}

func member(r *rand.Rand, i int) string { return fmt.Sprintf(`"p%d":%s`, i, someDocument(r, i)) }

func someValue(r *rand.Rand, i int) string {
	return [...]string{fmt.Sprint(i), `"word"`, "null", "true", "-1.5e300", `[1,[2,"3"]]`, `{}`,
		`"\u0041\n\ud83d\ude00"`}[r.IntN(8)]
}

func streamEvent(r *rand.Rand, i int) string {
	return fmt.Sprintf("data: {\"seq\":%d,\"delta\":{\"text\":%q}}\n", i, pick(r, states))
}

func logLine(r *rand.Rand, i int) string {
	forms := [...]string{"worker-%d finished job %d", "queue %d has %d waiting", "cache %d: %d bytes freed",
		"error: disk %d is full at %d"}
	form := forms[min(r.IntN(20), len(forms)*5-1)%len(forms)]
	return fmt.Sprintf("2031-05-01 10:%02d:%02d "+form, i/60%60, i%60, r.IntN(9), r.IntN(5000))
}

func logOrRecord(r *rand.Rand, i int) string {
	if r.IntN(5) == 0 {
		return someRecord(r, i)
	}
	return logLine(r, i)
}

func columns(r *rand.Rand, i int) string {
	return fmt.Sprintf("unit-%-5d%-8s%dd", i, pick(r, states[:3]), r.IntN(400))
}

func trace(r *rand.Rand, i int) string {
	return fmt.Sprintf("panic: index %d out of range\n\tat run (main.go:%d)\n\tat main (main.go:7)\n", i, r.IntN(90))
}

func longString(r *rand.Rand, i int) string {
	return fmt.Sprintf(`{"id":%d,"text":"%s"}`, i, strings.Repeat(pick(r, states)+`\n`, r.IntN(3000)))
}

func ownLine(r *rand.Rand, i int) string {
	return fmt.Sprintf("%s%d naïve 日本語 \U0001F600 \x00\t%s", pick(r, []string{"kfw: ", `\kfw: `, `\\`, "{", "  "}),
		i, strings.Repeat(" ", r.IntN(9)))
}

func cutRecord(r *rand.Rand, i int) string {
	whole := someRecord(r, i)
	return whole[:r.IntN(len(whole))+1]
}

func someBytes(r *rand.Rand, _ int) string {
	b := make([]byte, r.IntN(60))
	for i := range b {
		b[i] = "ab1{}[]\",:\\ \n\xff\xc3\x00"[r.IntN(16)]
	}
	return string(b)
}
