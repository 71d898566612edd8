package redact

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/internal/testdepth"
)

// TestCollections shows which values go of the flow collections of YAML that are the value of a name.
func TestCollections(t *testing.T) {
	const m = `"[REDACTED:password]"`
	for name, c := range map[string]struct{ in, out string }{
		"a map": {"password: {c: walnut93}\n", "password: {c: " + m + "}\n"},
		"keys in quotes": {"password: {\"c\": \"walnut93\", 'd': [oak77, b]}\n", "password: {\"c\": " + m +
			", 'd': [" + m + ", b]}\n"},
		"a list":   {"password: [walnut93, two]\n", "password: [" + m + ", two]\n"},
		"of lists": {"password: [[walnut93], {a: oak77}]\n", "password: [[" + m + "], {a: " + m + "}]\n"},
		"after a marker": {"password: [[REDACTED:password:1], walnut93, [REDACTED:email:2]]\n",
			"password: [[REDACTED:password:1], " + m + ", [REDACTED:email:2]]\n"},
		"below":        {"password:\n  {c: walnut}\n", "password:\n  {c: " + m + "}\n"},
		"a list below": {"password:\n  [walnut, oak]\n", "password:\n  [" + m + ", " + m + "]\n"},
		"an item": {"password:\n  - [walnut, oak]\n- {a: walnut}\n", "password:\n  - [" + m + ", " + m +
			"]\n- {a: " + m + "}\n"},
		"below a key": {"password:\n  b: {c: walnut}\n", "password:\n  b: {c: " + m + "}\n"},
		"a pair": {"password:\n  - {name: a, value: walnut}\n", "password:\n  - {name: a, value: " + m +
			"}\n"},
		"over lines": {"password: {c: walnut93,\n           d: oak77}\n", "password: {c: " + m +
			",\n           d: " + m + "}\n"},
		"a bracket a line": {"password: {\n  c: [\n    walnut93\n  ],\n  d: 'oak'\n}\nport: 5432\n",
			"password: {\n  c: [\n    " + m + "\n  ],\n  d: '[REDACTED:password]'\n}\nport: 5432\n"},
		"a brace on a line": {"password:\n  {\n    c: walnut,\n    d:\n      oak\n  }\n",
			"password:\n  {\n    c: " + m + ",\n    d:\n      " + m + "\n  }\n"},
		"a list on a line": {"password: [\n  {a: walnut93},\n  [oak77, x]\n]\n", "password: [\n  {a: " + m +
			"},\n  [" + m + ", x]\n]\n"},
		"a block goes on": {"password:\n  a: {c: walnut,\n    d: oak}\n  b: walnut\n", "password:\n  a: {c: " +
			m + ",\n    d: " + m + "}\n  b: " + m + "\n"},
		"within another": {"db: {password: {c: walnut93}, b: oak77}\n", "db: {password: {c: " + m +
			"}, b: oak77}\n"},
		"indented, an item": {"- a:\n    password: {c: walnut93}\n", "- a:\n    password: {c: " + m + "}\n"},
		"a tag, an anchor": {"password: !!map {a: &x walnut93, b: *x, c: !!str oak77}\n",
			"password: !!map {a: &x " + m + ", b: *x, c: !!str " + m + "}\n"},
		"comments": {"password: { # {of mara}\n  c: walnut93, # it's\n  d: oak77 # 'x\n}\n",
			"password: { # {of mara}\n  c: " + m + ", # it's\n  d: " + m + " # 'x\n}\n"},
		"quotes, escapes": {"password: {a: \"wal\\\"nut}\", b: 'oak''s, x'}\n", "password: {a: " + m +
			", b: '[REDACTED:password]'}\n"},
		"no blanks": {"password: {\"a\":\"walnut\",\"b\":oak77}\n", "password: {\"a\":" + m + ",\"b\":" +
			m + "}\n"},
		"words": {"password: {a: walnut oak 93, b: [1234, true, null]}\n", "password: {a: " + m +
			", b: [" + m + ", true, null]}\n"},
		"pairs in a list":   {"password:\n  - [a: walnut, name: oak]\n", "password:\n  - [a: " + m + ", name: oak]\n"},
		"cut off":           {"password: {c: walnut93, d: oak77", "password: {c: " + m + ", d: " + m},
		"cut off in quotes": {"password: {c: \"walnut93 oak", "password: {c: \"[REDACTED:password]"},
		"quotes over lines": {"password: {c: \"walnut 93\n    oak 77\", d: oak77}\nport: 5432\n",
			"password: {c: \"[REDACTED:password]\n    [REDACTED:password]\", d: " + m + "}\nport: 5432\n"},
		"two on a line": {"{password: {a: walnut93}, pwd: {a: oak77}, c: x}\n", "{password: {a: " + m +
			"}, pwd: {a: " + m + "}, c: x}\n"},
		"another after it": {"a: {password: {a: walnut93}} # password: {a: oak77}\n", "a: {password: {a: " + m +
			"}} # password: {a: " + m + "}\n"},
		"a list of such": {"passwords: [{user: mara, value: walnut93}]\n", "passwords: [{user: mara, value: " +
			m + "}]\n"},
		"a Secret": {"apiVersion: v1\nkind: Secret\ndata: {hush: d2FsbnV0VHJlZTkz, name: d2FsbnV0VHJlZTkz}\nstringData:\n  {a: walnut}\n", "apiVersion: v1\nkind: Secret\ndata: {hush: \"[REDACTED:secret]\", name: \"[REDACTED:secret]\"}\nstringData:\n  {a: \"[REDACTED:secret]\"}\n"},
		"before its kind": {"apiVersion: v1\ndata: {hush: d2FsbnV0VHJlZTkz, mode: production}\nkind: Secret\n",
			"apiVersion: v1\ndata: {hush: \"[REDACTED:secret]\", mode: production}\nkind: Secret\n"},
		"a pair's value": {"- name: DB_PASSWORD\n  value: {c: walnut}\n- name: MODE\n  value: {c: walnut}\n",
			"- name: DB_PASSWORD\n  value: {c: " + m + "}\n- name: MODE\n  value: {c: walnut}\n"},
		"a long scalar": {"password: {a: '" + strings.Repeat("walnut, ", 200) + "', b: " +
			strings.Repeat("oak77", 200) + ", c: x1y2}\n", "password: {a: '[REDACTED:password]', b: " + m +
			", c: " + m + "}\n"},
		"deep": {"password:\n  " + strings.Repeat("[", 80) + "{a: walnut}, oak" +
			strings.Repeat("]", 80) + "\nb: {a: walnut}\n", "password:\n  " + strings.Repeat("[", 80) + "{a: " + m +
			"}, " + m + strings.Repeat("]", 80) + "\nb: {a: walnut}\n"},
		"a name within": {"secretRef: {password: {c: walnut93}}\nsecret: {ref: {password: {c: walnut93}, d: oak77}}\n", "secretRef: {password: {c: " + m + "}}\nsecret: {ref: {password: {c: \"[REDACTED:secret]\"}, d: oak77}}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := redactLines(t, c.in); got != c.out {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.out)
			}
			if again := redactLines(t, c.out); again != c.out {
				t.Errorf("again:\n%s", again)
			}
			rules := compile(t, Options{})
			text := rules.Text()
			got := string(text.Flush(text.Append(nil, []byte(c.in))))
			// A single text is not known to be YAML, so its markers get no quotes.
			bare := strings.NewReplacer(`"[REDACTED:`, "[REDACTED:", `]"`, "]")
			if bare.Replace(got) != bare.Replace(c.out) {
				t.Errorf("as one text:\n%s", got)
			}
			cutEverywhere(t, NewReader(nil, rules, Auto), name, []byte(c.in))
		})
	}
}

// TestNoCollections: a schema, a reference and a program stay as they are.
func TestNoCollections(t *testing.T) {
	for _, in := range []string{
		"password: {type: string, minLength: 8, example: walnut93}\n",
		"password:\n  {type: string, pattern: '^[a-z]9+$'}\n",
		"secret: {name: db-creds9, key: password9}\nsecretKeyRef: {name: a, key: b9}\n",
		"secret: {defaultMode: 420, secretName: walnut93, optional: false}\n",
		"password: {required: true, default: null}\npassword: {}\npassword: []\n",
		"password: {id: number, name: string}\n",
		"const {password} = req.body\n",
		"struct Credentials { user: String, password: Secret<String> }\n",
		"f({ password: { ...opts9 } })\n",
		"secret: { get() { return x9 } }\nlogin(x93)\n",
		"password: { hash: sha256(walnut93), label: t('x9') },\n",
		"password: { value: form.password, check: (v) => v.length > 8 },\n",
		"password: {{ vault_password9 }}\npassword:\n  {{ vault_password9 }}\n",
		"password: { [key9: string]: T1 },\n",
		"password: { # as the guide says\n\nthe 9th of ten words\nsee: walnut93\n",
		"  password: {\n    type: String,\n    required: [true, 'Please add one'],\n    minlength: 6,\n    validate: v => v > 9,\n  },\n",
	} {
		if got := redactLines(t, in); got != in {
			t.Errorf("%s\ngives\n%s", in, got)
		}
	}
}

// collections draws documents of YAML, in blocks and in flow collections, in which all strings are the value
// of a sensitive name.
type collections struct{ files }

// text draws a scalar of no word that a program or a sentence has.
func (g collections) text() string {
	alphabet := []rune("abcdefgh0123456789ABCDEFGHxyz-_.,:;#'\"{}[]!&*?|>%@ \\/ßあ")
	b := []rune(fmt.Sprintf("q%dz", 10+g.IntN(90)))
	for range 6 + g.IntN(20) {
		b = append(b, alphabet[g.IntN(len(alphabet))])
	}
	return string(append(b, 'k', '7'))
}

func (g collections) scalar(all *[]string) string {
	s := g.text()
	switch g.IntN(3) {
	case 0:
		s = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
	case 1:
		s = "'" + strings.ReplaceAll(s, "'", "''") + "'"
	default:
		s = fmt.Sprintf("%s%d", g.of("walnut", "oak-", "Elm_", "ash.x"), 100+g.IntN(10_000))
	}
	*all = append(*all, s)
	return s
}

// gap draws what may stand between two signs of a collection.
func (g collections) gap(indent string) string {
	switch g.IntN(8) {
	case 0:
		return "\n" + indent + "      "
	case 1:
		return " # it's {a: note}\n" + indent + "      "
	}
	return g.of("", " ", "  ")
}

func (g collections) flow(depth int, indent string, all *[]string) string {
	if depth == 0 || g.IntN(4) == 0 {
		return g.scalar(all)
	}
	var parts []string
	isMap := g.IntN(2) == 0
	for i := range 1 + g.IntN(3) {
		v := g.flow(depth-1, indent, all)
		if isMap {
			k := fmt.Sprintf("%s%d", g.of("a", "part", "x-"), i)
			v = g.of(k, `"`+k+`"`, "'"+k+"'") + ": " + v
		}
		parts = append(parts, g.gap(indent)+v+g.of("", " "))
	}
	text := strings.Join(parts, ",") + g.gap(indent)
	if isMap {
		return "{" + text + "}"
	}
	return "[" + text + "]"
}

func (g collections) block(depth int, indent string, all *[]string) string {
	if depth == 0 || g.IntN(3) == 0 {
		return g.of(" ", "\n"+indent+"  ") + g.flow(1+g.IntN(3), indent, all) + "\n"
	}
	var b strings.Builder
	b.WriteByte('\n')
	isMap := g.IntN(2) == 0
	for i := range 1 + g.IntN(3) {
		if isMap {
			fmt.Fprintf(&b, "%s  part%d:%s", indent, i, g.block(depth-1, indent+"  ", all))
			continue
		}
		fmt.Fprintf(&b, "%s  - %s\n", indent, g.flow(1+g.IntN(2), indent+"  ", all))
	}
	return b.String()
}

// texts appends to all the strings in a value.
func texts(all []string, v any) []string {
	switch x := v.(type) {
	case map[string]any:
		for _, e := range x {
			all = texts(all, e)
		}
	case []any:
		for _, e := range x {
			all = texts(all, e)
		}
	case string:
		all = append(all, x)
	}
	return all
}

// TestAnyCollection: whatever collections are the value of a name, all strings in them go, the document keeps its
// shape, and neither a second time nor a cut changes that.
func TestAnyCollection(t *testing.T) {
	rules := compile(t, Options{})
	g := collections{files{rand.New(rand.NewPCG(7, 19))}}
	parsed := 0
	cases := testdepth.Cases(1_500)
	for range cases {
		var all []string
		indent := g.of("", "", "  ", "    ")
		head, nested := "", indent
		if len(indent) > 0 {
			head = indent[2:] + "db:\n"
			if len(indent) > 2 {
				head = "x:\n" + head
			}
		}
		if g.IntN(4) == 0 {
			head, nested = head+indent+"- port: 5432\n", indent+"  "
		}
		in := []byte(head + nested + g.of("password", "db_password", "passwords", "'pwd'", `"password"`) + ":" +
			g.block(g.IntN(3), nested, &all) + nested + "port: 5432\n")
		var before, after any
		if err := yaml.Unmarshal(in, &before); err != nil {
			continue // what the parser does not take, though it is YAML
		}
		parsed++
		out := redacted(t, rules, Auto, in)
		if err := yaml.Unmarshal(out, &after); err != nil || shapeOf(after) != shapeOf(before) {
			t.Fatalf("%v\n%s\ngives\n%s", err, in, out)
		}
		for _, s := range texts(nil, after) {
			if !strings.HasPrefix(s, lex.MarkerStart) {
				t.Fatalf("%q stays in\n%s\nof\n%s", s, out, in)
			}
		}
		if again := redacted(t, rules, Auto, out); !bytes.Equal(again, out) {
			t.Fatalf("twice\n%s\nonce\n%s", again, out)
		}
		for _, next := range []func() int{one, someOf(g.Uint64(), false)} {
			if cut, err := readAll(t, NewReader(&pieces{in, next, io.EOF}, rules, Auto)); err != io.EOF ||
				!bytes.Equal(cut, out) {
				t.Fatalf("cut\n%s\nin one piece\n%s", cut, out)
			}
		}
	}
	if parsed < cases*2/3 {
		t.Errorf("%d documents are too few", parsed)
	}
}
