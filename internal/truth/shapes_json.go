package truth

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/kfw-dev/kfw/internal/testinput"
)

// recordsOf is a response of JSON values, one a line. unordered are the fields that have no least or
// greatest value.
func recordsOf(values []any, unordered map[string]bool) Response {
	r := Response{Redacted: map[string]int{}, Unordered: unordered, Failures: map[int]bool{}}
	for i, value := range values {
		text := jsonOf(value, "")
		r.Chunks = append(r.Chunks, text)
		r.Input = append(append(r.Input, text...), '\n')
		r.Records = append(r.Records, recordOf(i+1, value))
	}
	return r
}

// flatRecords are records without nesting.
func flatRecords(r *rand.Rand) Response {
	b := newBuilder(r)
	var values []any
	failures := map[int]bool{}
	n := b.between(60, 300)
	for i := range n {
		at := b.tick(3600e9)
		o := object{{"id", fmt.Sprintf("ord_%d", 1000+i)}, {"at", at.Format("2006-01-02T15:04:05Z")},
			{"state", pick(r, "open", "closed", "paid")}}
		if b.chance(50) {
			o[2].value = "failed"
			failures[i+1] = true
		}
		o = append(o, member{"total", literal(fmt.Sprintf("%d.%02d", b.between(1, 300), b.IntN(100)))})
		if b.chance(3) {
			o = append(o, member{"note", pick[any](r, nil, "deliver before noon", "call first, then ring", "")})
		}
		if b.chance(4) {
			o = append(o, member{"count", b.between(-50, 50)})
		}
		o = append(o, member{"ok", b.chance(2)})
		values = append(values, o)
	}
	response := recordsOf(values, nil)
	response.Failures = failures
	return response
}

// nestedValues are records with objects and arrays in them.
func nestedValues(b *builder, n int) (values []any) {
	r := b.Rand
	for i := range n {
		var labels []any
		for range b.IntN(4) {
			labels = append(labels, object{{"name", pick(r, "bug", "docs", "good first issue")},
				{"weight", b.between(1, 9)}})
		}
		user := object{{"login", fmt.Sprintf("u%d", b.between(1, 30))}, {"admin", b.chance(9)}}
		o := object{{"number", 100 + i}, {"title", fmt.Sprintf("%s %s", pick(r, "typo", "colors", "speed"), pick(r,
			"in reader", "at start", "of menus"))},
			{"user", user}, {"labels", labels}}
		if b.chance(3) {
			o = append(o, member{"closed_at", b.tick(7200e9).Format("2006-01-02T15:04:05Z")})
		} else if b.chance(2) {
			o = append(o, member{"closed_at", nil})
		}
		o = append(o, member{"stats", object{{"views", b.between(0, 100000)}, {"ratio", literal(fmt.Sprintf("%d.%d",
			b.IntN(9), b.IntN(10)))}}})
		values = append(values, o)
	}
	return values
}

// nestedRecords are records with objects and arrays in them, one a line, in one array, or in YAML.
func nestedRecords(r *rand.Rand) Response {
	b := newBuilder(r)
	values := nestedValues(b, b.between(40, 160))
	response := recordsOf(values, nil)
	if b.chance(2) {
		blank, between := pick(r, "", " "), pick(r, ",", ",\n", ", ")
		var texts []string
		for _, v := range values {
			texts = append(texts, jsonOf(v, blank))
		}
		response.Input = []byte("[" + strings.Join(texts, between) + "]\n")
	} else if b.chance(2) {
		response.Input = documents(values, b.chance(2))
	}
	return response
}

// documents are values as documents of YAML, or as the items of one.
func documents(values []any, asItems bool) (input []byte) {
	for _, v := range values {
		if text := jsonOf(v, ""); asItems {
			input = append(input, testinput.YAML("["+text+"]", 0)...)
		} else {
			input = append(append(input, "---\n"...), testinput.YAML(text, 0)...)
		}
	}
	return input
}

// envelope is one document with its records in an array.
func envelope(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(40, 150)
	values := nestedValues(b, n)
	around := object{{"total", n}, {"page", object{{"size", n}, {"next", pick[any](r, nil, "abc")}}}}
	name := pick(r, "items", "data", "results")
	document := append(append(object{}, around...), member{name, values})
	if b.chance(2) {
		document = append(object{{name, values}}, around...)
	}
	response := recordsOf([]any{document}, nil)
	response.At = name + "[]"
	for _, v := range values {
		response.Inner = append(response.Inner, recordOf(1, v))
	}
	response.Around = View{recordOf(1, around)}
	return response
}

// opened is one document that is too large for a chunk, so that its members are chunks.
func opened(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(700, 1200)
	values := nestedValues(b, n)
	name := pick(r, "items", "rows")
	response := Response{Redacted: map[string]int{}, Failures: map[int]bool{}, At: name + "[]",
		Input: []byte(jsonOf(object{{"total", n}, {name, values}}, "")), Chunks: []string{fmt.Sprint(n)},
		Paths: []string{"total"}, Around: View{recordOf(1, object{{"total", n}})}}
	response.Records = response.Around
	for i, value := range values {
		response.Chunks = append(response.Chunks, jsonOf(value, ""))
		response.Paths = append(response.Paths, fmt.Sprintf("%s.%d", name, i))
		response.Inner = append(response.Inner, recordOf(i+2, value))
		response.Records = append(response.Records, recordOf(i+2, object{{name, []any{value}}}))
	}
	return response
}

// redacted are records with addresses in a field.
func redacted(r *rand.Rand) Response {
	b := newBuilder(r)
	n := b.between(60, 200)
	if b.chance(2) {
		for i := range n {
			b.keys("status", "sent", "id", fmt.Sprint(i))
			mail := fmt.Sprintf("%s%d@example.com", pick(r, "ann", "bob", "cid"), i)
			at := b.line("mail to [REDACTED:email] status=sent id=%d", i)
			was := len(b.Chunks[at-1]) + 1
			b.Input = append(b.Input[:len(b.Input)-was], fmt.Sprintf("mail to %s status=sent id=%d\n", mail, i)...)
			b.Redacted["email"]++
		}
		return b.done()
	}
	var values []any
	for i := range n {
		values = append(values, object{{"id", i}, {"mail", "[REDACTED:email]"}, {"state", pick(r, "new", "old")}})
	}
	response := recordsOf(values, nil)
	for i := range n {
		mail := fmt.Sprintf("%s%d@example.com", pick(r, "ann", "bob", "cid"), i)
		response.Input = []byte(strings.Replace(string(response.Input), "[REDACTED:email]", mail, 1))
	}
	response.Redacted["email"] = n
	return response
}
