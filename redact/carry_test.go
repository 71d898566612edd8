package redact

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/testdepth"
)

// TestCarried shows which values go for a name that an earlier line has.
func TestCarried(t *testing.T) {
	for name, c := range map[string]struct{ in, out string }{
		"a scalar below its key": {
			"db:\n  password:\n    \"walnut-Tree93\"  # of mara\n  port: 5432\n",
			"db:\n  password:\n    \"[REDACTED:password]\"  # of mara\n  port: 5432\n",
		},
		"a list and a map below it": {
			"passwords:\n- hunter2\n- value: hunter3\n  name: mara\nport: 5432\n",
			"passwords:\n- \"[REDACTED:password]\"\n- value: \"[REDACTED:password]\"\n  name: mara\nport: 5432\n",
		},
		"a block": {
			"secret: |\n  walnut-Tree93\n  oak-Hill77\nnote: |\n  walnut-Tree93\n",
			"secret: |\n  [REDACTED:secret]\n  [REDACTED:secret]\nnote: |\n  walnut-Tree93\n",
		},
		"a tag and an anchor": {
			"password: !!str walnut-Tree93\nsecret: &main\n  walnut-Tree93\n",
			"password: !!str \"[REDACTED:password]\"\nsecret: &main\n  \"[REDACTED:secret]\"\n",
		},
		"arguments": {
			"args:\n- --admin-password\n- walnut-Tree93\n- walnut-Tree93\n",
			"args:\n- --admin-password\n- \"[REDACTED:password]\"\n- walnut-Tree93\n",
		},
		"a pair": {
			"- name: DB_PASSWORD\n  description: x\n  value: \"hunter2\"\n- name: MODE\n  value: \"hunter2\"\n",
			"- name: DB_PASSWORD\n  description: x\n  value: \"[REDACTED:password]\"\n- name: MODE\n  value: \"hunter2\"\n",
		},
		"a pair whose value comes first": {
			"- value: hunter2\n  # of mara\n  name: DB_PASSWORD\n- value: 'hunter2'\n  name: API_KEY\n- value: hunter2\n  name: MODE\n",
			"- value: \"[REDACTED:password]\"\n  # of mara\n  name: DB_PASSWORD\n- value: '[REDACTED:api_key]'\n  name: API_KEY\n- value: hunter2\n  name: MODE\n",
		},
		"a variable of HCL": {
			"variable \"db_password\" {\n  type    = string\n  default = \"hunter2\"\n}\n\nvariable \"mode\" {\n  default = \"hunter2\"\n}\n",
			"variable \"db_password\" {\n  type    = string\n  default = \"[REDACTED:password]\"\n}\n\nvariable \"mode\" {\n  default = \"hunter2\"\n}\n",
		},
		"an entry of a .netrc": {
			"machine example.org\n  login mara\n  password hunterTwo\nmachine example.com login ed password hunterTwo\n  password hunterTwo\n",
			"machine example.org\n  login mara\n  password [REDACTED:password]\nmachine example.com login ed password [REDACTED:password]\n  password hunterTwo\n",
		},
		"a password file of PostgreSQL": {
			"# host:port\ndb.example.org:5432:shop:mara:hunter2\n*:*:*:ed:hun\\:ter\nx:*:y:z:w v\n",
			"# host:port\ndb.example.org:5432:shop:mara:[REDACTED:password]\n*:*:*:ed:[REDACTED:password]\nx:*:y:z:w v\n",
		},
		"braces of ODBC": {
			"Driver={ODBC};Uid=sa;Pwd={hun;ter}}2};\npwd={hun=ter,2};uid=sa\n<Login password={state.password} />\nf();password={a:1};b=2;\n",
			"Driver={ODBC};Uid=sa;Pwd={[REDACTED:password]};\npwd={[REDACTED:password]};uid=sa\n<Login password={state.password} />\nf();password={a:1};b=2;\n",
		},
		"a string with a prefix": {
			"CREATE LOGIN svc WITH PASSWORD = N'hunter2', CHECK_POLICY=OFF\nwchar_t *password = L\"hunter2\";\n",
			"CREATE LOGIN svc WITH PASSWORD = N'[REDACTED:password]', CHECK_POLICY=OFF\nwchar_t *password = L\"[REDACTED:password]\";\n",
		},
		"a part of a form": {
			"--x\nContent-Disposition: form-data; name=\"password\"\n\nwalnut-Tree93\n--x\n",
			"--x\nContent-Disposition: form-data; name=\"password\"\n\n[REDACTED:password]\n--x\n",
		},
		"a schema and a reference": {
			"password:\n  type: string\n  description: walnut-Tree93\npasswordSecretRef:\n  name: walnut-Tree93\n",
			"password:\n  type: string\n  description: walnut-Tree93\npasswordSecretRef:\n  name: walnut-Tree93\n",
		},
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
		})
	}
}

// TestPlaceOfLateMatch: a value that a later line names has the place where it stands.
func TestPlaceOfLateMatch(t *testing.T) {
	const in = "mode: 1\n- value: hunter2\n  note: x\n  name: DB_PASSWORD\n- password: hunter2\n"
	want := []Place{{Offset: 17, Line: 2, Column: 10}, {Offset: 67, Line: 5, Column: 13}}
	for _, size := range []int{len(in), 1, 3} {
		r := NewReader(&pieces{[]byte(in), func() int { return size }, io.EOF}, compile(t, Options{}), Lines)
		var got []Place
		r.Observe(func(_ string, at Place) { got = append(got, at) })
		if _, err := io.Copy(io.Discard, r); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("in pieces of %d: %v, want %v", size, got, want)
		}
	}
}

// TestSecretOfKubernetes: whatever the keys are called, the data of a Secret go, before its kind and after it.
func TestSecretOfKubernetes(t *testing.T) {
	for name, c := range map[string]struct{ in, out string }{
		"after its kind": {
			"apiVersion: v1\nkind: Secret\nmetadata:\n  name: db-password\n  labels:\n    app: walnut-Tree93\nstringData:\n  hush: walnut-Tree93\ndata:\n  murmur: b2FrSGlsbDc3NzE=\ntype: Opaque\nnote: walnut-Tree93\n",
			"apiVersion: v1\nkind: Secret\nmetadata:\n  name: db-password\n  labels:\n    app: walnut-Tree93\nstringData:\n  hush: \"[REDACTED:secret]\"\ndata:\n  murmur: \"[REDACTED:secret]\"\ntype: Opaque\nnote: walnut-Tree93\n",
		},
		"before its kind, in a list": {
			"items:\n- apiVersion: v1\n  data:\n    hush: d2FsbnV0VHJlZTkz\n  kind: Secret\n- apiVersion: v1\n  data:\n    mode: production\n    other: disabled\n  kind: ConfigMap\n",
			"items:\n- apiVersion: v1\n  data:\n    hush: \"[REDACTED:secret]\"\n  kind: Secret\n- apiVersion: v1\n  data:\n    mode: production\n    other: disabled\n  kind: ConfigMap\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := redactLines(t, c.in); got != c.out {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.out)
			}
		})
	}
}

// hiddenWords are a secret that looks like none.
const hiddenWords = "two plain words"

// manifestParts are the members of a Secret of which the order says nothing.
var manifestParts = []struct{ yaml, json string }{
	{"apiVersion: v1\n", `"apiVersion":"v1"`},
	{"kind: Secret\n", `"kind":"Secret"`},
	{"data:\n  a: eA==\n  hush: " + hiddenPacked + "\n", `"data":{"a":"eA==","hush":"` + hiddenPacked + `"}`},
	{"data: {hush: " + hiddenPacked + "}\n", `"data":{"hush":"` + hiddenPacked + `"}`},
	{"stringData:\n  hush: " + hiddenWords + "\n", `"stringData":{"hush":"` + hiddenWords + `"}`},
	{
		"metadata:\n  name: a\n  ownerReferences:\n  - apiVersion: v1\n    kind: Node\n",
		`"metadata":{"name":"a","ownerReferences":[{"apiVersion":"v1","kind":"Node"}]}`,
	},
}

// TestSecretInAnyOrder: the data of a Secret go whatever comes before them, alone, in documents and in lists.
func TestSecretInAnyOrder(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, parts := range slices.Concat(permutations(manifestParts, 1), permutations(manifestParts, 2),
		testdepth.Some(permutations(manifestParts, 4))) {
		var yaml string
		var members []string
		for _, p := range parts {
			yaml += p.yaml
			members = append(members, p.json)
		}
		if !strings.Contains(yaml, "kind: Secret") && strings.Contains(yaml, "\ndata:") {
			continue
		}
		object := "{" + strings.Join(members, ",") + "}"
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, []byte(object), "", "  "); err != nil {
			t.Fatal(err)
		}
		item := func(indent string) string {
			lines := strings.ReplaceAll(strings.TrimSuffix(yaml, "\n"), "\n", "\n"+indent+"  ")
			return indent + "- " + lines + "\n"
		}
		for _, in := range []string{
			yaml, "---\n" + yaml + "---\n" + yaml, "apiVersion: v1\nitems:\n" + item("") + item("") + "kind: List\n",
			"kind: List\nitems:\n" + item("    ") + item("    "), "- kind: ConfigMap\n  data:\n    a: b\n" + item(""),
			object + "\n", "[" + object + "," + object + "]", `{"apiVersion":"v1","items":[` + object + "," + object + `],"kind":"List"}`,
			pretty.String(), "[" + pretty.String() + ",\n" + pretty.String() + "]\n", "up\n" + pretty.String() + "\n" + yaml,
		} {
			got := redacted(t, rules, Auto, []byte(in))
			if bytes.Contains(got, []byte(hiddenWords)) || bytes.Contains(got, []byte(hiddenPacked)) {
				t.Errorf("%s\nshows\n%s", in, got)
			}
			if pieces, _ := readAll(t, NewReader(&pieces{[]byte(in), one, io.EOF}, rules, Auto)); !bytes.Equal(pieces, got) {
				t.Fatalf("%s\nis byte by byte\n%s\nand not\n%s", in, pieces, got)
			}
		}
	}
}

// permutations returns all orders of as many of the elements.
func permutations[T any](of []T, size int) (all [][]T) {
	if size == 0 {
		return [][]T{nil}
	}
	for i, x := range of {
		for _, more := range permutations(slices.Concat(of[:i], of[i+1:]), size-1) {
			all = append(all, append([]T{x}, more...))
		}
	}
	return all
}

// TestDataOfOthers: what is known to be no data of a Secret stays, and what doesn't look like such data.
func TestDataOfOthers(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, in := range []string{
		"kind: ConfigMap\ndata:\n  a: " + hiddenPacked + "\napiVersion: v1\n",
		"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: " + hiddenPacked + "\n  b: {c: " +
			hiddenPacked + "}\n",
		"kind: ConfigMap\ndata: {a: " + hiddenPacked + "}\n",
		`{"kind":"ConfigMap","data":{"a":"` + hiddenPacked + "\"}}\n",
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"a":{}},"data":{"a":"` + hiddenPacked + "\"}}\n",
		"apiVersion: v1\ndata:\n  a: plain\n  n: \"12345678\"\n  f: |\n    some text\n    abcdefgh\nkind: ConfigMap\n",
		"data:\n  sha: d1b2a3c4d5e6f7a8d1b2a3c4d5e6f7a8d1b2a3c4\n  state: complete\n  url: https://example.org\n",
		`{"data":{"state":"complete","user":{"id":"` + hiddenPacked + "\"}}}\n",
		"fetch({ url, data: { id: \"abcdefgh\", n: 12345678 } })\n",
	} {
		if got := redacted(t, rules, Auto, []byte(in)); string(got) != in {
			t.Errorf("%s\nis\n%s", in, got)
		}
	}
}
