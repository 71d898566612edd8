package redact

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"testing"
)

// TestGrids shows which values in lists go for a name in a list beside them.
func TestGrids(t *testing.T) {
	testValues(t, map[string]valuesCase{
		"columns and rows": {
			`{"columns":["id","password"],"rows":[[1,"hunter2"],[2,null],[3,""]],"n":["x","hunter2"]}`,
			`{"columns":["id","password"],"rows":[[1,"[REDACTED:password]"],[2,null],[3,""]],"n":["x","hunter2"]}`,
		},
		"columns with types": {
			`{"columns":[{"name":"id","type":"int"},{"type":"text","name":"password"}],"data":[[{"n":1},{"s":"hunter2"}]]}`,
			`{"columns":[{"name":"id","type":"int"},{"type":"text","name":"password"}],"data":[[{"n":1},{"s":"[REDACTED:password]"}]]}`,
		},
		"a sheet": {
			`{"values":[["login","pin"],["mara",4711],["ed","4711"]],"n":[["x",4711]]}`,
			`{"values":[["login","pin"],["mara","[REDACTED:pin]"],["ed","[REDACTED:pin]"]],"n":[["x",4711]]}`,
		},
		"another object": {
			`[{"required":["login","password"]},{"rows":[["x","hunter2"]]}]`,
			`[{"required":["login","password"]},{"rows":[["x","hunter2"]]}]`,
		},
		"no names": {
			`{"tags":["the words login, and so","password"],"rows":[["x","hunter2"]],"sizes":[1,"password"],"more":[["x","hunter2"]]}`,
			`{"tags":["the words login, and so","password"],"rows":[["x","hunter2"]],"sizes":[1,"password"],"more":[["x","hunter2"]]}`,
		},
	})
}

// TestSecretsInJSON: whatever the keys are called, the data of a Secret go, before its kind and after it.
func TestSecretsInJSON(t *testing.T) {
	testValues(t, map[string]valuesCase{
		"after its kind": {
			`{"kind":"Secret","metadata":{"name":"x"},"data":{"hush":"x","type":"y","n":1},"stringData":{"key":"z"},"type":"Opaque"}`,
			`{"kind":"Secret","metadata":{"name":"x"},"data":{"hush":"[REDACTED:secret]","type":"[REDACTED:secret]","n":"[REDACTED:secret]"},"stringData":{"key":"[REDACTED:secret]"},"type":"Opaque"}`,
		},
		"before its kind": {
			`{"apiVersion":"v1","data":{"hush":"d2FsbnV0VHJlZTkz","mode":"production"},"kind":"Secret"}`,
			`{"apiVersion":"v1","data":{"hush":"[REDACTED:secret]","mode":"production"},"kind":"Secret"}`,
		},
		"in a list": {
			`{"kind":"SecretList","items":[{"metadata":{"name":"x"},"data":{"hush":"x"}}]}`,
			`{"kind":"SecretList","items":[{"metadata":{"name":"x"},"data":{"hush":"[REDACTED:secret]"}}]}`,
		},
		"beside others": {
			`{"items":[{"kind":"Secret","data":{"a":"x"}},{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"d2FsbnV0VHJlZTkz"}}]}`,
			`{"items":[{"kind":"Secret","data":{"a":"[REDACTED:secret]"}},{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"d2FsbnV0VHJlZTkz"}}]}`,
		},
	})
}

// TestHeldPairs: the name of a pair may come after its value.
func TestHeldPairs(t *testing.T) {
	testValues(t, map[string]valuesCase{
		"value, name": {
			`[{"value":"hunter2","name":"DB_PASSWORD"},{"value":4711,"more":{"name":"x","a":[1]},"key":"pin"},{"value":"hunter2","name":"MODE"}]`,
			`[{"value":"[REDACTED:password]","name":"DB_PASSWORD"},{"value":"[REDACTED:pin]","more":{"name":"x","a":[1]},"key":"pin"},{"value":"hunter2","name":"MODE"}]`,
		},
		"matches between": {
			`{"value":"hunter2","password":"hunter3","mail":"mara@example.org","name":"API_TOKEN","n":1}`,
			`{"value":"[REDACTED:api_key]","password":"[REDACTED:password]","mail":"[REDACTED:email]","name":"API_TOKEN","n":1}`,
		},
		"the name of another object": {
			`{"value":"hunter2","more":{"name":"DB_PASSWORD"}}`,
			`{"value":"hunter2","more":{"name":"DB_PASSWORD"}}`,
		},
		"nothing to hide": {
			`[{"value":"","name":"DB_PASSWORD"},{"value":null,"name":"DB_PASSWORD"},{"value":true,"name":"DB_PASSWORD"}]`,
			`[{"value":"","name":"DB_PASSWORD"},{"value":null,"name":"DB_PASSWORD"},{"value":true,"name":"DB_PASSWORD"}]`,
		},
	})
}

// TestPlacesAroundHeldPair: matches have their places, in the order of the input.
func TestPlacesAroundHeldPair(t *testing.T) {
	const in = "{\"value\":\"hunter2\",\n\"password\":\"hunter3\",\n\"name\":\"DB_PASSWORD\"}\n"
	want := []Place{{Offset: 10, Line: 1, Column: 11}, {Offset: 32, Line: 2, Column: 13}}
	for _, size := range []int{len(in), 1, 3} {
		r := NewReader(&pieces{[]byte(in), func() int { return size }, io.EOF}, compile(t, Options{}), JSON)
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

type valuesCase struct{ in, out string }

// testValues redacts JSON as it is, indented, and in a string, in any pieces, and twice.
func testValues(t *testing.T, cases map[string]valuesCase) {
	t.Helper()
	rules := compile(t, Options{})
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, indent := range []string{"", "  "} {
				in, want := []byte(c.in+"\n"), []byte(c.out+"\n")
				if indent != "" {
					in, want = indented(t, in, indent), indented(t, want, indent)
				}
				for _, format := range []Format{Auto, Lines} {
					for _, size := range []int{len(in) + 1, 1, 3} {
						var b bytes.Buffer
						r := NewReader(&pieces{in, func() int { return size }, io.EOF}, rules, format)
						if _, err := io.Copy(&b, r); err != nil {
							t.Fatal(err)
						}
						if !bytes.Equal(b.Bytes(), want) {
							t.Fatalf("in pieces of %d:\n%s\nwant:\n%s", size, b.Bytes(), want)
						}
					}
				}
				if again := redacted(t, rules, Auto, want); !bytes.Equal(again, want) {
					t.Errorf("again:\n%s", again)
				}
				text, err := json.Marshal(map[string]string{"text": string(in)})
				if err != nil {
					t.Fatal(err)
				}
				var out struct{ Text string }
				if err := json.Unmarshal(redacted(t, rules, Auto, text), &out); err != nil {
					t.Fatal(err)
				}
				if out.Text != string(want) {
					t.Errorf("in a string:\n%s\nwant:\n%s", out.Text, want)
				}
			}
		})
	}
}

func indented(t *testing.T, b []byte, indent string) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Indent(&out, bytes.TrimSpace(b), "", indent); err != nil {
		t.Fatal(err)
	}
	out.WriteByte('\n')
	return out.Bytes()
}
