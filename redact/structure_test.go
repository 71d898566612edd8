package redact

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/tailscale/hujson"

	"github.com/kfw-dev/kfw/internal/testdepth"
)

// files draws files of the kinds that agents read most, with secrets and personal data in some of
// their values, and much that is named like a secret and is none.
type files struct{ *rand.Rand }

func (g files) of(all ...string) string { return all[g.IntN(len(all))] }

func (g files) word() string {
	return g.of("orders", "billing", "gateway", "reports", "search", "mailer", "ledger", "catalog") + g.of("", "-v2",
		"-eu", "-blue")
}

// secret draws what is to be replaced under a sensitive name.
func (g files) secret() any {
	switch g.IntN(6) {
	case 0:
		return 100000 + g.IntN(900000)
	case 1:
		return "mara" + fmt.Sprint(g.IntN(100)) + "@example.org"
	case 2:
		return "ghp_" + fmt.Sprintf("%036x", g.Uint64())
	case 3:
		return "Walnut" + fmt.Sprint(g.IntN(100)) + g.of("!", "-Tree", "_x", "%q", ".oak9")
	}
	return fmt.Sprintf("%016x", g.Uint64())
}

func (g files) sensitive() string {
	return g.of("password", "db_password", "apiKey", "client_secret", "accessToken", "token", "secret", "pin",
		"passwords", "authToken", "privateKey")
}

type object = map[string]any

// about draws what is named like a secret and says something about it.
func (g files) about() any {
	switch g.IntN(8) {
	case 0:
		return object{"type": "string", "format": "password", "minLength": 8, "description": "what the user types"}
	case 1:
		return object{"secretName": g.word() + "-tls", "defaultMode": 420, "optional": false,
			"items": []any{object{"key": "ca.crt", "path": "ca.crt"}}}
	case 2:
		return object{"secretKeyRef": object{"name": g.word(), "key": "password"}}
	case 3:
		return object{"allowed": true, "reason": "rbac"}
	case 4:
		return object{"$ref": "#/components/schemas/Secret"}
	case 5:
		return true
	case 6:
		return nil
	}
	return []any{}
}

// value draws a value that may hold secrets at any depth.
func (g files) value(depth int) any {
	n := 9
	if depth == 0 {
		n = 6
	}
	switch g.IntN(n) {
	case 0:
		return g.IntN(100000)
	case 1:
		return g.IntN(2) == 0
	case 2:
		return "the " + g.word() + " service, restarted"
	case 3:
		return g.secret()
	case 4, 5:
		return g.word()
	case 6:
		list := []any{}
		for range g.IntN(4) {
			list = append(list, g.value(depth-1))
		}
		return list
	}
	o := object{}
	for range g.IntN(6) {
		switch g.IntN(5) {
		case 0:
			o[g.sensitive()] = g.secret()
		case 1:
			o[g.sensitive()] = g.about()
		case 2:
			o[g.sensitive()] = g.value(depth - 1)
		case 3:
			o[g.of("mara", "olga", "ada", "lin")+"@"+g.of("example.org", "example.com")] = g.value(0)
		default:
			o[g.of("name", "labels", "spec", "port", "status", "image", "owner")] = g.value(depth - 1)
		}
	}
	return o
}

func (g files) kubernetes() any {
	items := []any{}
	for range 1 + g.IntN(4) {
		items = append(items, object{
			"apiVersion": "v1", "kind": g.of("Pod", "Deployment"),
			"metadata": object{"name": g.word() + "-7d9f8b6c5d-x2x" + fmt.Sprint(g.IntN(10)),
				"uid": "4f9a01c7-be4f-4a01-87be-4f9a01c7be4f", "annotations": object{"owner": "mara@example.org"}},
			"spec": object{
				"volumes": []any{object{"name": "tls", "secret": object{"secretName": "tls", "defaultMode": 420}},
					object{"name": "t", "projected": object{"sources": []any{object{"serviceAccountToken": object{"expirationSeconds": 3607, "path": "token"}}}}}},
				"containers": []any{object{"name": g.word(), "image": "registry.example.org/" + g.word() + ":1.4.2",
					"env": []any{
						object{"name": "DB_PASSWORD", "value": g.secret()},
						object{"name": "API_TOKEN",
							"valueFrom": object{"secretKeyRef": object{"name": g.word(), "key": "token"}}},
						object{"name": "PORT", "value": "8080"},
					}, "imagePullSecrets": []any{object{"name": "regcred"}}}},
				"automountServiceAccountToken": false, "extra": g.value(3),
			},
		})
	}
	return object{"apiVersion": "v1", "kind": "List", "items": items}
}

func (g files) openAPI() any {
	return object{"openapi": "3.1.0", "paths": object{"/login": object{"post": object{
		"security": []any{object{"bearerAuth": []any{}}},
		"parameters": []any{object{"name": "Authorization", "in": "header", "required": true,
			"schema": object{"type": "string"}}},
		"requestBody": object{"content": object{"application/json": object{"schema": object{"$ref": "#/components/schemas/Login"}}}}}}},
		"components": object{"securitySchemes": object{"bearerAuth": object{"type": "http", "scheme": "bearer"}},
			"schemas": object{"Login": object{
				"type": "object", "required": []any{"username", "password"}, "properties": object{
					"username": object{"type": "string"}, "password": object{"type": "string", "format": "password"},
					g.sensitive(): g.about(),
					"refresh_token": object{"anyOf": []any{object{"type": "string"}, object{"type": "null"}},
						"title": "Refresh token"}}}}},
		"info":    object{"title": g.word(), "version": "1.0", "contact": object{"email": "mara@example.org"}},
		"x-extra": g.value(2)}
}

func (g files) sbom() any {
	var parts []any
	for range 1 + g.IntN(6) {
		version := g.of("5.4.10.Final", "2.3.1.RELEASE", "9.4.43.v20210629", "1.0.0.GA", "3.2.1", "2.0.0-rc.1")
		parts = append(parts, object{"type": "library", "group": "org.hibernate", "name": "hibernate-core",
			"version": version,
			"purl":    "pkg:maven/org.hibernate/hibernate-core@" + version + "?type=jar",
			"bom-ref": "org.hibernate:hibernate-core@" + version,
			"hashes":  []any{object{"alg": "SHA-256", "content": strings.Repeat("4f9a01c7", 8)}}})
	}
	return object{"bomFormat": "CycloneDX", "specVersion": "1.5", "components": parts,
		"metadata": object{"authors": []any{object{"name": "Mara Lind", "email": "mara@example.org"}}}}
}

func (g files) lock() any {
	o := object{}
	for range 1 + g.IntN(6) {
		o["node_modules/"+g.of("csrf-token", "jsonwebtoken", "basic-auth", "passport", "cookie-session",
			"left-pad")] = object{
			"version": "4." + fmt.Sprint(g.IntN(30)) + ".1", "resolved": "https://registry.npmjs.org/x/-/x-4.1.1.tgz",
			"integrity": "sha512-" + strings.Repeat("7hQ2mX9kV4", 8) + "==", "license": "MIT",
			"dependencies": object{"ms": "^2.1.1"}}
	}
	return object{"name": g.word(), "lockfileVersion": 3, "packages": o}
}

func (g files) document() any {
	switch g.IntN(5) {
	case 0:
		return g.kubernetes()
	case 1:
		return g.openAPI()
	case 2:
		return g.sbom()
	case 3:
		return g.lock()
	}
	return object{"data": g.value(4), "more": g.value(4)}
}

// shapeOf returns what of a value is to stay: brackets, the number of members, literals. A number may
// become a string.
func shapeOf(v any) string {
	switch x := v.(type) {
	case map[string]any:
		var all []string
		for _, k := range slices.Sorted(maps.Keys(x)) {
			all = append(all, shapeOf(x[k]))
		}
		slices.Sort(all)
		return "{" + strings.Join(all, ",") + "}"
	case []any:
		var all []string
		for _, e := range x {
			all = append(all, shapeOf(e))
		}
		return "[" + strings.Join(all, ",") + "]"
	case bool, nil:
		return fmt.Sprint(x)
	}
	return "s"
}

func jsonShape(b []byte) (string, error) {
	var v any
	err := json.Unmarshal(b, &v)
	return shapeOf(v), err
}

func yamlShape(b []byte) (string, error) {
	var v any
	err := yaml.Unmarshal(b, &v)
	return shapeOf(v), err
}

func csvShape(b []byte) (string, error) {
	r := csv.NewReader(bytes.NewReader(b))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	var widths []int
	for _, row := range rows {
		widths = append(widths, len(row))
	}
	return fmt.Sprint(widths), err
}

var (
	markerOrKey = regexp.MustCompile(`\[REDACTED:[a-z_]+(:\d+)?\](#\d+)?`)
	anyLiteral  = regexp.MustCompile(`"(\\.|[^"\\\n])*"|'(\\.|[^'\\\n])*'`)
)

// signs returns a shape of code: its brackets and separators outside strings, line by line.
func signs(b []byte) (string, error) {
	b = anyLiteral.ReplaceAll(markerOrKey.ReplaceAll(b, []byte("m")), []byte("s"))
	return string(regexp.MustCompile(`[^{}()\[\];,|=\n]+`).ReplaceAll(b, nil)), nil
}

// file is one of them, and how its shape is read.
type file struct {
	kind  string
	text  []byte
	shape func([]byte) (string, error)
}

func (g files) file() file {
	asJSON := func(v any, isIndented bool) []byte {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if isIndented {
			e.SetIndent("", g.of(" ", "  ", "\t"))
		}
		_ = e.Encode(v) // of such values it never fails
		return b.Bytes()
	}
	switch g.IntN(10) {
	case 0:
		return file{"JSON", asJSON(g.document(), g.IntN(2) == 0), jsonShape}
	case 1:
		head := g.of("$ kubectl get pods -o json\n", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n",
			"warning: old server\n", "[INFO] done\n")
		return file{"JSON after text", append([]byte(head), asJSON(g.document(), g.IntN(4) > 0)...),
			func(b []byte) (string, error) {
				if !bytes.HasPrefix(b, []byte(head)) {
					return "", fmt.Errorf("another begin: %.60q", b)
				}
				return jsonShape(b[len(head):])
			}}
	case 2:
		text := bytes.ReplaceAll(asJSON(g.document(), true), []byte(",\n"), []byte(", // a note\n"))
		return file{"JSONC", append([]byte("{ // settings\n"), bytes.TrimPrefix(text, []byte("{\n"))...),
			func(b []byte) (string, error) {
				plain, err := hujson.Standardize(b)
				if err != nil {
					return "", err
				}
				return jsonShape(plain)
			}}
	case 3, 4:
		options := []yaml.EncodeOption{yaml.Indent(2 + 2*g.IntN(2)), yaml.IndentSequence(g.IntN(2) == 0),
			yaml.UseSingleQuote(g.IntN(2) == 0)}
		if g.IntN(6) == 0 {
			options = append(options, yaml.Flow(true))
		}
		text, err := yaml.MarshalWithOptions(g.document(), options...)
		if err != nil {
			panic(err)
		}
		return file{"YAML", text, yamlShape}
	case 9:
		return file{"YAML", g.inBothStyles(), yamlShape}
	case 5:
		return file{"CSV", g.csv(), csvShape}
	case 6:
		return file{"JavaScript", g.script(), signs}
	case 7:
		return file{"HCL", g.hcl(), signs}
	}
	return file{"Markdown", g.table(), signs}
}

// inBothStyles writes a map as YAML whose values are blocks, collections on the line of their key, or such on the
// next line.
func (g files) inBothStyles() []byte {
	document := g.document().(object)
	for range 1 + g.IntN(3) {
		document[g.sensitive()] = []any{g.value(3), g.about()}[g.IntN(2)]
	}
	var b bytes.Buffer
	for _, k := range slices.Sorted(maps.Keys(document)) {
		isFlow := g.IntN(3) > 0
		text, err := yaml.MarshalWithOptions(document[k], yaml.Flow(isFlow), yaml.UseSingleQuote(g.IntN(2) == 0))
		if err != nil {
			panic(err)
		}
		if text = bytes.TrimSpace(text); isFlow {
			gap := " "
			if text[0] == '{' || text[0] == '[' {
				gap = g.of(" ", "\n  ")
			}
			fmt.Fprintf(&b, "%s:%s%s\n", k, gap, text)
			continue
		}
		block, err := yaml.Marshal(object{k: document[k]})
		if err != nil {
			panic(err)
		}
		b.Write(block)
	}
	return b.Bytes()
}

func (g files) csv() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"id", "user", "note", "phone", "at", "amount"})
	for i := range 3 + g.IntN(20) {
		note := g.of("password=", "token: ", "login with password ", "api_key=", "session ", "see ", "pin=",
			"activity token: ") + fmt.Sprint(g.secret())
		if g.IntN(4) == 0 {
			note += ", twice"
		}
		_ = w.Write([]string{fmt.Sprint(i), "mara" + fmt.Sprint(i) + "@example.org", note,
			g.of("+44 20 7946 0958", "(212) 555-0187", ""), "2026-04-01T00:00:00Z", "12.50"})
	}
	w.Flush()
	return b.Bytes()
}

func (g files) script() []byte {
	var b strings.Builder
	for range 5 + g.IntN(30) {
		name := g.of("password", "apiKey", "secret", "accessToken", "token", "privateKey", "clientSecret",
			"sessionToken")
		b.WriteString(g.of(
			"var a={size:!0,"+name+":!0,range:!1};",
			"function me(s){return s."+name+"=n."+name+",s}",
			"if(\"text\"===e.type||\""+name+"\"===e.type)return t(n);",
			"t."+name+"=e."+name+"||r."+name+",i("+name+");",
			"const{"+name+":a,size:b}=this.props;return a(b);",
			"e.exports={"+name+":n(12)."+name+",x:r(44)};",
			"x={members:{"+name+":{"+name+":!0},data:{type:\"blob\"}}};",
			"y={type:\"structure\",required:[\""+name+"\"],members:{"+name+":{},n:{}}};",
			"u=v?."+name+"??w."+name+";",
			"this.#"+name+"!==this.#o."+name+"&&f();",
			"login({user:\"mara\","+name+":\"Walnut93-Tree\",port:5432});",
			name+"=\"7hQ2mX9kV47hQ2mX9kV4\";",
			"for(var i=0;i<n."+name+".length;i++)g(i);",
		))
		b.WriteString(g.of("", "", "\n"))
	}
	return []byte(b.String())
}

func (g files) hcl() []byte {
	var b strings.Builder
	for range 2 + g.IntN(8) {
		name := g.of("password", "api_key", "client_secret", "master_password", "token")
		fmt.Fprintf(&b, "resource \"aws_db_instance\" \"%s\" {\n  %s = %s\n  tags = { owner = \"mara@example.org\", tier = \"gold\" }\n  ports = [5432, 5433]\n}\n", g.word(), name,
			g.of("var."+name, "random_password.db.result", "data.vault_generic_secret.db.data[\"password\"]",
				"\"Walnut93-Tree\"", "local."+name, "sensitive(var."+name+")"))
		fmt.Fprintf(&b, "variable \"%s\" {\n  type      = string\n  sensitive = true\n  default   = \"%s\"\n}\n", name,
			g.of("", "Walnut93-Tree"))
	}
	return []byte(b.String())
}

func (g files) table() []byte {
	var b strings.Builder
	b.WriteString("| name | type | default | note |\n|---|---|---|---|\n")
	for range 2 + g.IntN(10) {
		fmt.Fprintf(&b, "| %s | %s | %v | %s |\n", g.of("`password`", "token", "**api_key**", "secret"),
			g.of("string", "int", "object"), g.secret(), g.of("mara@example.org", "password=Walnut93x", "required"))
	}
	return []byte(b.String())
}

// TestStructure reports whether files keep their shape, whether redacting them twice changes nothing,
// and whether any cut gives the same bytes.
func TestStructure(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	numbered := compile(t, Options{Groups: All, Numbered: true})
	g := files{rand.New(rand.NewPCG(17, 42))}
	failed := map[string]int{}
	for n := range testdepth.Cases(1_500) {
		f := g.file()
		want, err := f.shape(f.text)
		if err != nil {
			t.Fatalf("%s is none: %v\n%s", f.kind, err, f.text)
		}
		out := redacted(t, rules, Auto, f.text)
		got, err := f.shape(out)
		switch {
		case failed[f.kind] > 2:
			continue
		case err != nil || got != want:
			failed[f.kind]++
			t.Errorf("%s: %v\n%s\ngives\n%s\nshape\n%s\nnot\n%s", f.kind, err, f.text, out, got, want)
		case !bytes.Equal(redacted(t, rules, Auto, out), out):
			failed[f.kind]++
			t.Errorf("%s: twice is not once\n%s\n%s", f.kind, out, redacted(t, rules, Auto, out))
		}
		if got, err := f.shape(redacted(t, numbered, Auto, f.text)); err != nil || got != want {
			failed[f.kind]++
			t.Errorf("%s: with numbers %v\n%s", f.kind, err, f.text)
		}
		for how, next := range map[string]func() int{"byte by byte": one, "in pieces": someOf(g.Uint64(), false)} {
			if n%4 > 0 && how != "in pieces" {
				continue
			}
			cut, err := readAll(t, NewReader(&pieces{f.text, next, io.EOF}, rules, Auto))
			if err != io.EOF || !bytes.Equal(cut, out) {
				failed[f.kind]++
				t.Errorf("%s: %s another\n%s\n%s", f.kind, how, cut, out)
			}
		}
	}
}

// ownFiles returns the files of the project of the kinds that have a shape, those within scripts and Markdown too.
func ownFiles(t *testing.T) (all []file) {
	shapes := map[string]file{".json": {kind: "JSON", shape: jsonShape}, ".yaml": {kind: "YAML", shape: yamlShape},
		".csv": {kind: "CSV", shape: csvShape}, ".tf": {kind: "HCL", shape: signs},
		".js": {kind: "JavaScript", shape: signs}}
	add := func(name string, text []byte) {
		f := shapes[filepath.Ext(name)]
		if f.text = text; f.shape == nil {
			return
		}
		if _, err := f.shape(text); err == nil { // some are broken, as their tests ask for
			all = append(all, f)
		}
	}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch filepath.Ext(path) {
		case ".txtar":
			archive, err := txtar.ParseFile(path)
			if err != nil {
				return err
			}
			for _, f := range archive.Files {
				add(f.Name, f.Data)
			}
		case ".md":
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, rows := range markdownTable.FindAll(text, -1) {
				all = append(all, file{"Markdown", rows, signs})
			}
		default:
			if shapes[filepath.Ext(path)].shape == nil {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			add(path, text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var markdownTable = regexp.MustCompile(`(?m)(^\|.*\n)+`)

// TestStructureOfOwnFiles reports whether the files of the project keep their shape, and redacting them twice changes
// nothing.
func TestStructureOfOwnFiles(t *testing.T) {
	rules := compile(t, Options{})
	kinds := map[string]int{}
	for _, f := range ownFiles(t) {
		kinds[f.kind]++
		want, _ := f.shape(f.text)
		out := redacted(t, rules, Auto, f.text)
		if got, err := f.shape(out); err != nil || got != want {
			t.Errorf("%s: %v\n%s\ngives\n%s", f.kind, err, f.text, out)
		}
		if again := redacted(t, rules, Auto, out); !bytes.Equal(again, out) {
			t.Errorf("%s: twice is not once\n%s\n%s", f.kind, out, again)
		}
	}
	for kind, least := range map[string]int{"JSON": 50, "YAML": 20, "Markdown": 20} {
		if kinds[kind] < least {
			t.Errorf("%d files of %s are too few", kinds[kind], kind)
		}
	}
}
