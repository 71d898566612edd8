package redact

import (
	"encoding/json"
	"strings"
	"testing"
)

// diffs are changes of structures over several lines. Each secret of the old version is Walnut93xyz or that in base64,
// each of the new one Granite88moor.
var diffs = []string{
	" kind: Secret\n data:\n-  hush: V2FsbnV0OTN4eXo=\n+  hush: R3Jhbml0ZTg4bW9vcg==\n   more: R3Jhbml0ZTg4bW9vcg==\n",
	" apiVersion: v1\n kind: Secret\n data:\n   host: ZGIuZXhhbXBsZQ==\n-  hush: V2FsbnV0OTN4eXo=\n" +
		"   more: R3Jhbml0ZTg4bW9vcg==\n",
	" password:\n-  Walnut93xyz\n+  Granite88moor\n port: 1\n",
	" password: |\n-  Walnut93xyz\n-  Walnut93xyz\n+  Granite88moor\n+  Granite88moor\n",
	" passwords:\n-  - Walnut93xyz\n+  - Granite88moor\n   - Walnut93xyz\n",
	" - name: DB_PASSWORD\n-  value: Walnut93xyz\n+  value: Granite88moor\n - name: MODE\n",
	"   {\n     \"name\": \"DB_PASSWORD\",\n-    \"value\": \"Walnut93xyz\"\n+    \"value\": \"Granite88moor\"\n   }\n",
	" {\n   \"passwords\": [\n-    \"Walnut93xyz\",\n+    \"Granite88moor\",\n     \"Walnut93xyz\"\n   ]\n }\n",
	" {\n   \"a\": 1,\n-  \"password\": \"Walnut93xyz\"\n+  \"password\": \"Granite88moor\"\n }\n",
	" variable \"db_password\" {\n-  default = \"Walnut93xyz\"\n+  default = \"Granite88moor\"\n }\n",
	" args:\n - --password\n-- Walnut93xyz\n+- Granite88moor\n",
	" machine example.org\n   login mara\n-  password Walnut93xyz\n+  password Granite88moor\n",
	"-password:\n-  Walnut93xyz\n+password:\n+  Granite88moor\n port: 1\n",
	"-  - name: DB_PASSWORD\n+  - name: DB_HOST\n     value: Walnut93xyz\n",
	"-  - name: DB_HOST\n+  - name: DB_PASSWORD\n     value: Walnut93xyz\n",
	" passwords:\n+  - Granite88moor\n+host:\n   - Walnut93xyz\n",
	" password: |\n-  Walnut93xyz\n+  Granite88moor\n-  Walnut93xyz\n+  Granite88moor\n",
}

// TestDiffs holds that the removed and the added lines of a diff are each read after the lines before them, at any cut.
func TestDiffs(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, change := range diffs {
		for _, head := range []string{"", "--- a/x.yaml\n+++ b/x.yaml\n@@ -1,4 +1,4 @@\n"} {
			in := head + change
			quoted, err := json.Marshal(map[string]string{"stdout": in})
			if err != nil {
				t.Fatal(err)
			}
			got := string(redacted(t, rules, Auto, []byte(in)))
			for _, out := range []string{got, string(redacted(t, rules, Auto, quoted))} {
				for _, secret := range []string{"Walnut93", "V2FsbnV0", "Granite88", "R3Jhbml0"} {
					if strings.Contains(out, secret) {
						t.Errorf("shows %s:\n%s", secret, out)
					}
				}
			}
			if a, b := strings.Count(got, "\n"), strings.Count(in, "\n"); a != b {
				t.Errorf("%d lines, not %d:\n%s", a, b, got)
			}
			if cut := byteByByte(rules, Lines, in); cut != got {
				t.Errorf("byte by byte:\n%s\nnot\n%s", cut, got)
			}
		}
	}
}

// TestDiffOfPropertyList holds that the key before a removed and an added string names both.
func TestDiffOfPropertyList(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	in := " <key>password</key>\n-<string>Walnut93xyz</string>\n+<string>Granite88moor</string>\n"
	want := " <key>password</key>\n-<string>[REDACTED:password]</string>\n+<string>[REDACTED:password]</string>\n"
	if got := string(redacted(t, rules, Auto, []byte(in))); got != want {
		t.Errorf("gives\n%s", got)
	}
}

// TestDiffsOfOther holds that what follows a structure in a diff or in a list is not taken for a part of it.
func TestDiffsOfOther(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, in := range []string{
		" password:\n-  \n+host:\n+  Granite88moor\n",
		" kind: ConfigMap\n data:\n-  hush: V2FsbnV0OTN4eXo=\n+  hush: R3Jhbml0ZTg4bW9vcg==\n",
		" - name: DB_HOST\n-  value: Walnut93xyz\n+  value: Granite88moor\n",
		" password:\n   secretKeyRef: x\n-host: Walnut93xyz\n+host: Granite88moor\n port: Granite88moor\n",
		" {\n   \"name\": \"DB_HOST\",\n-  \"value\": \"Walnut93xyz\"\n+  \"value\": \"Granite88moor\"\n }\n",
		" {\n-  \"port\": 1,\n+  \"port\": 2,\n   \"values\": [\n-5,\n+6\n ]\n }\n",
		"- name: DB_PASSWORD\n  value: \"\"\n- name: DB_HOST\n  value: Granite88moor\n",
		"- name: DB_PASSWORD\n- value: Granite88moor\n",
		"passwords:\n- \"\"\nhosts:\n- Granite88moor\n+ Granite88moor\n",
	} {
		stays(t, rules, in)
	}
}
