package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/testdepth"
)

// TestAllow: what a rule finds in a field that the caller named passes, and nothing else.
func TestAllow(t *testing.T) {
	for _, test := range []struct {
		allow    []string
		in, want string
	}{
		{[]string{"password"}, `{"password":"walnut-Tree93","mail":"mara@example.org"}`,
			`{"password":"walnut-Tree93","mail":"[REDACTED:email]"}`},
		{[]string{"password"}, "db_password=walnut-Tree93 mara@example.org",
			"db_password=walnut-Tree93 [REDACTED:email]"},
		{[]string{"card_number"}, "card 4012 8888 8888 1881", "card 4012 8888 8888 1881"},
		{[]string{"password@db.password"}, `{"db":{"password":"walnut-Tree93"},"password":"oak-Hill77x"}`,
			`{"db":{"password":"walnut-Tree93"},"password":"[REDACTED:password]"}`},
		{[]string{"password@db.password"}, `{"db":[1,[{"password":"walnut-Tree93"}]]}`,
			`{"db":[1,[{"password":"walnut-Tree93"}]]}`},
		{[]string{"password@db.password"}, `{"db":{"password":1234567}}`, `{"db":{"password":1234567}}`},
		{[]string{"password@*.password"}, `{"db":{"password":"walnut-Tree93"},"password":"oak-Hill77x"}`,
			`{"db":{"password":"walnut-Tree93"},"password":"[REDACTED:password]"}`},
		{[]string{"password@db"}, `{"db":{"password":"walnut-Tree93"}}`, `{"db":{"password":"[REDACTED:password]"}}`},
		{[]string{"password@db.password"}, `{"db":{"password":{"a":"walnut-Tree93"}}}`,
			`{"db":{"password":{"a":"[REDACTED:password]"}}}`},
		{[]string{"password@db.password.*"}, `{"db":{"password":{"a":"walnut-Tree93"}}}`,
			`{"db":{"password":{"a":"walnut-Tree93"}}}`},
		{[]string{`email@a\.b`}, `{"a.b":"mara@example.org","a":{"b":"mara@example.org"}}`,
			`{"a.b":"mara@example.org","a":{"b":"[REDACTED:email]"}}`},
		{[]string{"email@users.*"}, `{"users":{"mara@example.org":1,"a":"olga@example.org"}}`,
			`{"users":{"mara@example.org":1,"a":"olga@example.org"}}`},
		{[]string{"email@users.mara"}, `{"users":{"mara@example.org":"olga@example.org"}}`,
			`{"users":{"[REDACTED:email]":"[REDACTED:email]"}}`},
		{[]string{"password@env.value"},
			`{"env":[{"name":"DB_PASSWORD","value":"walnut-Tree93"},{"value":"oak-Hill77x","name":"DB_PASSWORD"}]}`,
			`{"env":[{"name":"DB_PASSWORD","value":"walnut-Tree93"},{"value":"oak-Hill77x","name":"DB_PASSWORD"}]}`},
		{[]string{"password@env.name"}, `{"env":[{"value":"oak-Hill77x","name":"DB_PASSWORD"}]}`,
			`{"env":[{"value":"[REDACTED:password]","name":"DB_PASSWORD"}]}`},
		// The rest of a field goes by its other rules, and what is in a string is in its field.
		{[]string{"password@password"}, `{"password":"mara@example.org"}`, `{"password":"[REDACTED:email]"}`},
		{[]string{"password@log"}, `{"log":"{\"password\":\"walnut-Tree93\",\"a\":\"mara@example.org\"}"}`,
			`{"log":"{\"password\":\"walnut-Tree93\",\"a\":\"[REDACTED:email]\"}"}`},
		{[]string{"password@log.password"}, `{"log":"{\"password\":\"walnut-Tree93\"}"}`,
			`{"log":"{\"password\":\"[REDACTED:password]\"}"}`},
		// A line of text has no path, nor has what follows a broken line, up to the next record.
		{[]string{"email@a"}, "a, mara@example.org\n", "a, [REDACTED:email]\n"},
		{[]string{"email@a"}, "{\"a\":1 x\n \"a\":\"mara@example.org\"\n{\"a\":\"mara@example.org\"}\n",
			"{\"a\":1 x\n \"a\":\"[REDACTED:email]\"\n{\"a\":\"mara@example.org\"}\n"},
		{[]string{"email@a"}, "{\"b\":{\"c\":1}\n{\"a\":\"mara@example.org\"}\n",
			"{\"b\":{\"c\":1}\n{\"a\":\"mara@example.org\"}\n"},
		{[]string{"email@a.a"}, "{\"a\":{\"c\":1}\n{\"a\":\"mara@example.org\"}\n",
			"{\"a\":{\"c\":1}\n{\"a\":\"[REDACTED:email]\"}\n"},
		{[]string{"private_key@key"},
			"{\"key\":\"-----BEGIN PRIVATE KEY-----\\nMIIa\\n-----END PRIVATE KEY-----\",\"b\":\"mara@example.org\"}",
			"{\"key\":\"-----BEGIN PRIVATE KEY-----\\nMIIa\\n-----END PRIVATE KEY-----\",\"b\":\"[REDACTED:email]\"}"},
	} {
		rules := compile(t, Options{Allow: test.allow})
		if got := redacted(t, rules, Auto, []byte(test.in)); string(got) != test.want {
			t.Errorf("%v\n%s\ngives\n%s\nnot\n%s", test.allow, test.in, got, test.want)
		}
		if strings.HasPrefix(test.in, "{") && strings.Count(test.in, "\n") == 0 {
			if got := rules.Value(nil, []byte(test.in), JSON); string(got) != test.want {
				t.Errorf("%v\n%s\nalone gives\n%s\nnot\n%s", test.allow, test.in, got, test.want)
			}
		}
	}
}

// TestAllowErrors: an entry that can't be one says which it is and why, and repeats nothing.
func TestAllowErrors(t *testing.T) {
	for entry, want := range map[string]string{
		"*":                                "entry 2: a rule is named as a whole",
		"*@a":                              "entry 2: a rule is named as a whole",
		"pass*":                            "entry 2: a rule is named as a whole",
		"":                                 "entry 2: it names no rule",
		"@a":                               "entry 2: it names no rule",
		"pasword":                          "entry 2: there is no such rule",
		"pasword@a":                        "entry 2: there is no such rule",
		"dropped_field":                    "entry 2: there is no such rule",
		"not_a_record@a":                   "entry 2: there is no such rule",
		"email@":                           "entry 2: an empty name in its path",
		"email@a..b":                       "entry 2: an empty name in its path",
		"email@a*":                         "entry 2: a * in its path stands for a whole name",
		"email@**":                         "entry 2: a * in its path stands for a whole name",
		`email@a\`:                         "entry 2: a backslash at its end",
		"email@" + strings.Repeat("a", 65): "entry 2: a name of more than 64 bytes in its path",
		"email@" + strings.Repeat("a.", 64) + "a": "entry 2: more than 64 names in its path",
	} {
		_, err := Compile(Options{Allow: []string{"email", entry}})
		wrong, is := errors.AsType[*AllowError](err)
		if !is || wrong.Index != 1 || wrong.Hint == "" || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, not %s", entry, err, want)
		}
	}
	for _, entry := range []string{"field", "field@a", `email@a\*`, "email@*", `email@a\\`} {
		if _, err := Compile(Options{Allow: []string{entry}}); err != nil {
			t.Errorf("%s: %v", entry, err)
		}
	}
}

// matchAt is a match as Explain has it.
type matchAt struct {
	rule   string
	offset int64
	path   string
}

func explained(t testing.TB, r *Rules, f Format, in []byte) (out []byte, matches []matchAt) {
	t.Helper()
	x := NewReader(bytes.NewReader(in), r, f)
	x.Explain(func(rule string, at Place, why Reason) {
		matches = append(matches, matchAt{rule, at.Offset, why.Path})
	})
	out, err := readAll(t, x)
	if err != io.EOF {
		t.Fatal(err)
	}
	return out, matches
}

// lines draws an input of a few lines.
func (m madeUp) lines() (in []byte) {
	for range 1 + m.IntN(4) {
		in = append(append(in, m.line()...), '\n')
	}
	return in
}

// TestFollowingPaths: the output is the same whether paths are followed or not.
func TestFollowingPaths(t *testing.T) {
	rules := compile(t, Options{})
	following := compile(t, Options{Allow: []string{"password@a name of no field", "email@a name of no field"}})
	m, g := madeUp{rand.New(rand.NewPCG(3, 7))}, files{rand.New(rand.NewPCG(3, 9))}
	for n := range testdepth.Cases(6_000) {
		in := m.lines()
		if n%4 == 0 {
			in = g.file().text
		}
		for _, format := range []Format{Auto, Lines} {
			want := redacted(t, rules, format, in)
			if got := redacted(t, following, format, in); !bytes.Equal(got, want) {
				t.Fatalf("with paths\n%s\nwithout\n%s\nof\n%q", got, want, in)
			}
			if got, _ := explained(t, rules, format, in); !bytes.Equal(got, want) {
				t.Fatalf("explained\n%s\nwithout\n%s\nof\n%q", got, want, in)
			}
		}
	}
}

// pathsIn returns the path of each string and number of a document, by where it begins and ends.
func pathsIn(t *testing.T, in []byte) (all []fieldAt) {
	d := json.NewDecoder(bytes.NewReader(in))
	d.UseNumber()
	var walk func(path []string)
	walk = func(path []string) {
		token, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		switch delim, _ := token.(json.Delim); delim {
		case '{':
			for d.More() {
				key, _ := d.Token()
				all = append(all, fieldAt{d.InputOffset(), append(slices.Clone(path), "")})
				walk(append(slices.Clone(path), key.(string)))
			}
			_, _ = d.Token()
		case '[':
			for d.More() {
				walk(path)
			}
			_, _ = d.Token()
		default:
			all = append(all, fieldAt{d.InputOffset(), path})
		}
	}
	walk(nil)
	return all
}

// fieldAt is the path of what ends at an offset. The last name of that of a key is empty.
type fieldAt struct {
	end  int64
	path []string
}

// TestExplainedPaths: the path of a match is that of the field it is in. A name that has a match in it is not shown.
func TestExplainedPaths(t *testing.T) {
	rules := compile(t, Options{})
	g := files{rand.New(rand.NewPCG(5, 9))}
	seen := 0
	cases := testdepth.Cases(400)
	for range cases {
		f := file{}
		for f.kind != "JSON" {
			f = g.file()
		}
		fields := pathsIn(t, f.text)
		_, matches := explained(t, rules, Auto, f.text)
		for _, m := range matches {
			i := slices.IndexFunc(fields, func(x fieldAt) bool { return x.end > m.offset })
			var want []string
			for _, name := range fields[i].path {
				if name == "" || strings.Contains(name, "@example") {
					want = append(want, "*")
					continue
				}
				want = append(want, strings.ReplaceAll(name, ".", `\.`))
			}
			if seen++; m.path != strings.Join(want, ".") {
				t.Fatalf("%s at %d is in %s, not %s of\n%s", m.rule, m.offset, strings.Join(want, "."), m.path, f.text)
			}
		}
	}
	if seen < 2*cases {
		t.Errorf("%d matches are too few", seen)
	}
}

// TestAllowedAlone: an entry with a path changes what its rule finds there, and nothing else: every
// other match is found as before, and what comes in its place stands in what it was. Without its
// path the rule is as good as none: what other rules find is still found, if by another. Any cut
// gives the same.
func TestAllowedAlone(t *testing.T) {
	plain := compile(t, Options{})
	m, g := madeUp{rand.New(rand.NewPCG(11, 7))}, files{rand.New(rand.NewPCG(11, 9))}
	changed := 0
	for n := range testdepth.Cases(1_500) {
		in := m.lines()
		if n%2 == 0 {
			in = g.file().text
		}
		before, found := explained(t, plain, Auto, in)
		if len(found) == 0 {
			continue
		}
		one := found[m.IntN(len(found))]
		entry, atAll := one.rule, one.path == ""
		if !atAll {
			entry += "@" + one.path
		}
		rules := compile(t, Options{Allow: []string{entry}})
		after, left := explained(t, rules, Auto, in)
		isIt := func(x matchAt) bool {
			return x.rule == one.rule && (atAll || x.path == one.path || strings.Contains(one.path, "*"))
		}
		for _, x := range found {
			next := math.MaxInt
			for _, y := range found {
				if y.offset > x.offset {
					next = min(next, int(y.offset))
				}
			}
			isLeft := func(y matchAt) bool { // in a container of the rule, another one may find only a part of it
				return y == x || atAll && y.offset >= x.offset && int(y.offset) < next
			}
			if !isIt(x) && !slices.ContainsFunc(left, isLeft) {
				t.Fatalf("%s takes %v along in\n%q\nbefore\n%s\nafter\n%s", entry, x, in, before, after)
			}
		}
		for _, x := range left {
			if x == one {
				t.Fatalf("%s does not let it pass in\n%q\n%s", entry, in, after)
			}
			last := slices.IndexFunc(found, func(y matchAt) bool { return y.offset > x.offset })
			if last < 0 {
				last = len(found)
			}
			if !atAll && !slices.Contains(found, x) && (last == 0 || !isIt(found[last-1])) {
				t.Fatalf("%s adds %v in\n%q\nbefore\n%s\nafter\n%s", entry, x, in, before, after)
			}
		}
		if !bytes.Equal(before, after) {
			changed++
		}
		for how, next := range map[string]func() int{"byte by byte": func() int { return 1 },
			"in pieces": someOf(m.Uint64(), false)} {
			cut, err := readAll(t, NewReader(&pieces{in, next, io.EOF}, rules, Auto))
			if err != io.EOF || !bytes.Equal(cut, after) {
				t.Fatalf("%s: %s\n%s\nin one piece\n%s\nof\n%q", entry, how, cut, after, in)
			}
		}
	}
	if changed < testdepth.Cases(500) {
		t.Errorf("%d were changed: too few", changed)
	}
}

// TestAllowedNameElsewhere: a name that an entry allows in one field is found in another.
func TestAllowedNameElsewhere(t *testing.T) {
	rules := compile(t, Options{Allow: []string{"email@who.*"}})
	in := `{"who":{"ada@example.org":1,"ada@example.org":{"ada@example.org":2}},"ada@example.org":3}`
	want := `{"who":{"ada@example.org":1,"ada@example.org":{"[REDACTED:email]":2}},"[REDACTED:email]#2":3}`
	for range 3 { // names that came before are remembered
		if got := string(redacted(t, rules, Auto, []byte(in))); got != want {
			t.Errorf(" got %s\nwant %s", got, want)
		}
	}
}
