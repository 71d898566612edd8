package redact

import (
	"os"
	"strings"
	"testing"
)

// TestFalseAlarms reports whether lines of programs, of logs and of documents that speak of secrets
// and hold none stay as they are.
func TestFalseAlarms(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	b, err := os.ReadFile("testdata/falsealarms.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if got := string(redacted(t, rules, Lines, []byte(line))); got != line {
			t.Errorf("%sgives\n%s", line, got)
		}
	}
}

// TestRowsAreNoHeader holds that a row of a listing or of a status is no header of columns, whatever it names.
func TestRowsAreNoHeader(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, text := range []string{
		"total 8\n-rw-------  1 root     root         0 May 20  2025 .pwd.lock\n" +
			"drwxr-xr-x  2 root     root      4096 May  9  2026 packages\n",
		"-rw-r--r--   1 mara  staff   12 Mar  2 10:01 token\n-rw-r--r--   1 mara  staff  340 Mar  2 10:04 readme\n",
		"  12  root   3 days   7 api key\n  14  root   4 days   9 crontab\n",
	} {
		if got := string(redacted(t, rules, Auto, []byte(text))); got != text {
			t.Errorf("%sgives\n%s", text, got)
		}
	}
	const table = "USER    PASSWORD         3D MODEL\nmara    Walnut93xyzTree  cube\n"
	want := strings.Replace(table, "Walnut93xyzTree", "[REDACTED:password]", 1)
	if got := string(redacted(t, rules, Auto, []byte(table))); strings.Contains(got, "Walnut93") {
		t.Errorf("%sgives\n%snot\n%s", table, got, want)
	}
}

// TestBesideFalseAlarms reports whether what stands beside a secret stays, and the secret goes.
func TestBesideFalseAlarms(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for in, want := range map[string]string{
		`login({user:"mara",password:"Walnut93x",port:1});f(x)`: `login({user:"mara",password:"[REDACTED:password]",port:1});f(x)`,
		`1,mara,password=Walnut93x,7,2026-04-01`:                `1,mara,password=[REDACTED:password],7,2026-04-01`,
		`1,mara,password=,ada@example.org,12.50`:                `1,mara,password=,[REDACTED:email],12.50`,
		`user{name=mara,password=Walnut93x}`:                    `user{name=mara,password=[REDACTED:password]}`,
		`Server=db;Password=secret;Database=shop;`:              `Server=db;Password=[REDACTED:password];Database=shop;`,
		`postgres://app:Walnut93x@db.internal:5432/app`:         `postgres://app:[REDACTED:url_password]@db.internal:5432/app`,
		`postgres://svc:walnut%2FTree93@db01/x`:                 `postgres://svc:[REDACTED:url_password]@db01/x`,
		`postgres://svc:walnut%0ATree93@db01/x`:                 `postgres://svc:[REDACTED:url_password]@db01/x`,
		`postgres://svc:walnut?Tr'ee93@db01/x`:                  `postgres://svc:[REDACTED:url_password]@db01/x`,
		`password: [-Walnut93x-]{+Oak93xyz+}`:                   `password: ["[REDACTED:password]"]{+[REDACTED:password]+}`,
		`passwords = ["Walnut93x", "Oak93xyz"]`:                 `passwords = ["[REDACTED:password]", "[REDACTED:password]"]`,
		`{"authorization":"Token Walnut93x"}`:                   `{"authorization":"[REDACTED:authorization]"}`,
		`{"authorization":"https://idp.example.org/v1/auth"}`:   `{"authorization":"https://idp.example.org/v1/auth"}`,
		`{"a@example.org":1,"b@example.org" : 2}`:               `{"[REDACTED:email]":1,"[REDACTED:email]#2" : 2}`,
		`{"pwd":{"old":"x","type":"string","n":[1,true,null]}}`: `{"pwd":{"old":"[REDACTED:password]","type":"string","n":["[REDACTED:password]",true,null]}}`,
		`{"password":{"a":"x" hunter2}}`:                        `{"password":{"a":"[REDACTED:password]" `,
	} {
		if got := string(redacted(t, rules, Auto, []byte(in))); got != want {
			t.Errorf("%s\ngives\n%s\nnot\n%s", in, got, want)
		}
	}
}

// TestCode holds that in a program only literals are values, and addresses and columns of names are none,
// through what other programs put before its lines.
func TestCode(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	const source = "func open(c *Config) (*Client, error) {\n" +
		"\tif c == nil {\n" +
		"\t\treturn nil, errEmpty\n" +
		"\t}\n" +
		"\tauth := &Basic{User: user, Password: pass}\n" +
		"\tclient.Credentials = loadCredentials9(c)\n" +
		"\tsig := Signature{Name: \"Mara\", Email: \"mara@example.org\"}\n" +
		"\tvar (\n" +
		"\t\tapiKey           string\n" +
		"\t\twebIdentityToken string\n" +
		"\t\tregion           string\n" +
		"\t)\n"
	for _, prefix := range []string{"", "+", "  12→", "    12\t", "a/open.go:12:", "a/open.go-12-"} {
		text := strings.ReplaceAll("\n"+strings.TrimSuffix(source, "\n"), "\n", "\n"+prefix) + "\n"
		if got := string(redacted(t, rules, Auto, []byte(text))); got != text {
			t.Errorf("%q:\n%s", prefix, got)
		}
		with := text + prefix + "\tc.Password = \"Walnut93x\"\n"
		if got := string(redacted(t, rules, Auto, []byte(with))); strings.Contains(got, "Walnut93x") {
			t.Errorf("%q:\n%s", prefix, got)
		}
	}
}

// TestAfterCode holds that settings, logs and data behind a program in one output are none of it.
func TestAfterCode(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	programs := []string{
		"package main\n\nimport (\n\t\"fmt\"\n)\n\nfunc main() {\n\tx := load(ctx)\n" +
			"\tif x == nil {\n\t\treturn\n\t}\n\tfmt.Println(x)\n}\n",
		"import os\nfrom a.b import c\n\n\ndef main(x):\n    y = load(x)\n    return y\n",
		"<?php\n\nnamespace App;\n\nclass C {\n    public function d() {\n        return $this->e();\n    }\n}\n",
		"#!/bin/bash\nset -e\nfor f in *.txt; do\n  echo \"$f\"\ndone\nif [ -f x ]; then\n  rm x\nfi\n",
		"     1\tfunc f() {\n     2\t\tx := y(z)\n     3\t\treturn x\n     4\t}\n",
		"```go\nfunc main() {\n\tx := load()\n\treturn x\n}\n```\n",
	}
	settings := []string{
		"DB_HOST = db\nDB_PASSWORD = %\n", "export DB_PASSWORD=%\n", "db:\n  password: %\n", "password: %\n",
		"[db]\npassword = %\n",
		"db_host     = x\ndb_password = %\n", "spring.datasource.password = %\n", "INFO login(user=mara, password=%)\n",
		"User{id=1, password=%, x=y}\n", "&{Host:db Password:% Port:1}\n", "+  password: %\n", "+password = %\n",
		"DB_PASSWORD := %\n",
		"  password: %,\n", "-- password: %\n", "    env:\n      DB_PASSWORD: %\n", "mysql -u root --password % db\n",
	}
	for _, program := range programs {
		for _, between := range []string{"", "\n", "$ cat .env\n", "==> .env <==\n", "# settings\n"} {
			for _, setting := range settings {
				for _, secret := range []string{"Walnut93x", "velvet-Otter41x", "sunny_day_77"} {
					text := program + between + strings.Replace(setting, "%", secret, 1)
					if got := string(redacted(t, rules, Auto, []byte(text))); strings.Contains(got, secret) {
						t.Errorf("stays:\n%s", got)
					}
				}
			}
			for _, line := range []string{"  \"mail\": \"%\",\n", "mail: %\n", "1,Mara,%\n", "sent to %\n"} {
				text := program + between + strings.Replace(line, "%", "mara@example.org", 1)
				if got := string(redacted(t, rules, Auto, []byte(text))); strings.Contains(got, "mara@") {
					t.Errorf("stays:\n%s", got)
				}
			}
		}
	}
}

// TestProgramsStay holds that what lines of programs have beside a name and is no literal stays, and so do literals
// that only name something. The lines around it tell that it is a program.
func TestProgramsStay(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, text := range []string{
		// casts, members, names with figures, calls that go on in the next line
		"class A {\n  void f() {\n    OAuth2AccessToken accessToken = (OAuth2AccessToken) token;\n",
		"class A {\n  void f() {\n    AuthSettings2 authorizationSettings = OAuth2Utils\n        .settings(http);\n",
		"class A {\n  void f() {\n    OAuth2CodeToken authorizationCode = (OAuth2CodeToken) c.convert(request);\n",
		"#include <x.h>\nint f(void)\n{\n  const char *passwd = data->state.creds ? data->state.creds->passwd : NULL;\n",
		"#include <x.h>\nint f(void)\n{\n  if(key) {\n    found.key = found_base64;\n",
		"#include <x.h>\nint f(void)\n{\n  if(token == QPACK_TOKEN__STATUS_200) {\n",
		"class A {\n  void f() {\n    String password73 = password72chars + \"3\";\n",
		"class A\n  def f\n    config.reset_password_within = 6.hours\n",
		"class A {\n  const RESET = PasswordBroker::RESET_LINK_SENT;\n",
		"class A {\n  private var opaqueToken: ((ResourceServer<Http>.Opaque2) -> Unit)? = null\n",
		"class A {\n  where TAuthorization : MongoDbAuthorization2\n",
		"class A {\n  params.put(\"SAMLRequest\", TestPayloads2.SAML_REQUEST);\n",
		"return [\n    'auth' => \\Illuminate\\Auth\\Authenticate::class,\n",
		"func f() {\n    let credentials = \"\\(basic.username):\\(basic.password)\"\n",
		"package a\n\nimport \"x\"\n\nconst NSS_BUFLEN_PASSWD     = 1024   // pwd.h:123:1:\n",
		"func f() {\n\tif err == nil || token != (x509Token{}) {\n",
		"// sends the key as an Authorization: Bearer header\n",
		"return [\n    'passwords' => env('AUTH_PASSWORD_BROKER', 'users'),\n",
		"var vocabulary = map[string]uint{\n\t\"word\": 3635,\n\t\" password\": 36362,\n",
		"\tListParamsOrderAsc AdminAPIKeyListParamsOrder = \"asc\"\n",
		"body := `{\"access_token\":\"` + syntheticToken + `\"}`\n",
		"\"webhook-signature\" => \"v1,#{@signature}\",\n",
		"        \"attribute\" => x,\n        'password' => '--password='.$connection['password'],\n",
		"    this.tag.setAccess(\"hasPermission(#domain,'read') or hasPermission(#domain,'write')\");\n",
		"    return Utils.newSecretKey(\"PBKDF2WithHmacSHA256\", spec);\n",
		"static final String PASSWORD_AUTHORITY = \"FACTOR_PASSWORD\";\n",
		"  req->auth = TRUE; /* Authorization: header present! */\n",
		// literals that only name
		`#define TLS_PSK_TXT "TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256"` + "\n",
		`#define TLS_PSK_TXT "DHE-PSK-AES128-CCM"` + "\n",
		`static final String JWT_TOKEN_TYPE_VALUE = "urn:ietf:params:oauth:token-type:jwt";` + "\n",
		`static final String AUTHORIZATION_SCHEMA = "org/example/security/oauth2-schema.sql";` + "\n",
		`static final String INVALID_ID_TOKEN_ERROR_CODE = "invalid_id_token";` + "\n",
		`{"x-auth-token": "java.util.ArrayList"}` + "\n",
		// a list of lines is no table
		"syn keyword oraKeyword      INTERNAL_PASSWORD INTERNAL\nsyn keyword oraKeyword      NO_INITIAL_SERVER NOCONFIRM\n" +
			"syn keyword oraKeyword      WALLET5 LOCATION\n",
		"syn keyword smclWord pwd\t\t\tcontained\nsyn keyword smclWord dirsep7\t\t\tcontained\n",
		"hi def link groupName           Identifier\nhi def link groupPassword       Number\n" +
			"hi def link groupShadow9         Special\n",
		"\tCount            uint32\n\tSessionToken     uint32\n\tCm2MsgidOfAll    uint32\n\tCm2DomTokenOfIt  uint32\n",
		"        \"cache_mem_low\", \"cache_mgr\", \"cachemgr_passwd\", \"cache_peer\",\n" +
			"        \"cache_peer_access2\", \"cache_policy\", \"cache_stoplist9\",\n",
	} {
		if got := string(redacted(t, rules, Auto, []byte(text))); got != text {
			t.Errorf("%sgives\n%s", text, got)
		}
	}
	// Where nothing tells of a program, or a literal stands there, it goes.
	for _, text := range []string{
		"[db]\npassword = Violet42Comet\n",
		"class A {\n  void f() {\n    String password = \"Violet42Comet\";\n",
		"user     password\nuser     Violet42Comet\nmara     Violet42Comet\nivo      Violet42Comet\n",
		"client_secret: Violet42Comet.blue7\n",
	} {
		if got := string(redacted(t, rules, Auto, []byte(text))); strings.Contains(got, "Violet42") {
			t.Errorf("%sgives\n%s", text, got)
		}
	}
}

// TestPublicDER holds that what begins as a public key in base64 stays whatever its name, and a private key goes.
func TestPublicDER(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for der, stays := range map[string]bool{
		"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAnzyis1ZjfNB0bBgKFMSvvkTtwlvBsaJq7S5wA+kzeVOVpVWw": true,
		"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEVs/o5+uQbTjL3chynL4wXgUg2R9q9UU8I5mEovUf86QZ7kOBIjJwqnz": true,
		"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCfPKKzVmN80HRsGAoUxK++RO3CW8GxomrtLnAD6TN5": false,
		"MIIFHDBOBgkqhkiG9w0BBQ0wQTApBgkqhkiG9w0BBQwwHAQIiW8r3lVQ3vMCAggAMAwGCCqGSIb3DQIJBQAwFAYIKoZI": false,
	} {
		text := "verify_key = \"" + der + "\"\n"
		if got := string(redacted(t, rules, Auto, []byte(text))); (got == text) != stays {
			t.Errorf("%sgives\n%s", text, got)
		}
	}
}
