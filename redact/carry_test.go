package redact

import (
	"io"
	"slices"
	"strings"
	"testing"
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
