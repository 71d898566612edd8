package redact

import (
	"strings"
	"testing"
)

// TestSignsInPasswords holds that a password without quotes goes to its end, whatever sign is in it, wherever settings
// and tables are shown.
func TestSignsInPasswords(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, place := range []struct{ text, without string }{
		{"HOME=/root\nDB_PASSWORD=#\nPATH=/bin\n", "$'\"`%"},
		{"export DB_PASSWORD=#\n", "$'\"`%="},
		{"  99 ?  Sl  4:20 app LANG=C DB_PASSWORD=# HOME=/srv\n", "$'\"`%="},
		{"[client]\nuser=root\npassword = #\nhost = db\n", "$'\"`%=<"},
		{"host: db\npassword: #\nport: 1\n", "!@#%&*{},?|>'\"`-:$=<"},
		{"    Environment:\n      DB_PASSWORD:  #\n      LEVEL:        debug\n", "$'\"`%*&=<!|>"},
		{"2026-01-02T03:04:05Z INFO password: #\n", "$'\"`%*&=<!|>"},
		{"config: {Host:db Password:# Port:5432}\n", "$'\"`%*&=<!|>[({)}"},
		{"id,password\n1,#\n2,x\n", ",\"$'%`|;"},
		{" id | password\n----+----------------\n  1 | #\n", "|$'%`\""},
		{"machine x login y password #\n", "$'\"`%"},
		{"Key         Value\n---         -----\npassword    #\n", "$'\"`%|"},
		{"<password>#</password>\n", "<&$%'\"`"},
	} {
		for _, c := range "!@#$%^&*()-_=+[]{};:,.<>?/|~'\"`" {
			sign := string(c)
			for _, password := range []string{sign + "Walnut77Tree", "Walnut" + sign + "77Tree", "Walnut77Tree" + sign} {
				isInner := password[0] == 'W' && !strings.HasSuffix(password, sign)
				if strings.Contains(place.without, sign) && (!isInner || strings.Contains(",;:|\")}", sign)) ||
					strings.Contains("<&", sign) && place.text[0] == '<' {
					continue
				}
				in := strings.Replace(place.text, "#", password, 1)
				got := string(redacted(t, rules, Auto, []byte(in)))
				if strings.Contains(got, "Walnut") || strings.Contains(got, "77Tree") {
					t.Errorf("%sgives\n%s", in, got)
				}
				if begin := strings.Index(in, password); !strings.HasPrefix(got, in[:begin]) {
					t.Errorf("%sloses what stands before:\n%s", in, got)
				}
			}
		}
	}
	for in, want := range map[string]string{
		"<password>Walnut77&amp;Tree</password>\n":         "<password>#</password>\n",
		"<password>Walnut77&lt;Tree}x</password>\n":        "<password>#</password>\n",
		"password: 'Walnut''77Tree'\nport: 1\n":            "password: '#'\nport: 1\n",
		"export DB_PASSWORD='Walnut'\\''77Tree'\n":         "export DB_PASSWORD='#'\n",
		"declare -x DB_PASSWORD=$'Walnut\\'77Tree'\n":      "declare -x DB_PASSWORD=$'#'\n",
		"DB_PASSWORD=Walnut77Tree!\nA=1\n":                 "DB_PASSWORD=#\nA=1\n",
		"masterauth Walnut77Tree!\n":                       "masterauth #\n",
		"password=Walnut77&user=mara\n":                    "password=#&user=mara\n",
		"<b>password=Walnut77</b>\n":                       "<b>password=#</b>\n",
		"PASSWORD=Walnut77Tree&&run\n":                     "PASSWORD=#&&run\n",
		"run --set 'password=Walnut77Tree' x\n":            "run --set 'password=#' x\n",
		"connecting with password=Walnut(77Tree to db\n":   "connecting with password=# to db\n",
		"password=Walnut77Tree;Database=shop\n":            "password=#;Database=shop\n",
		"id,password\n1,\"Walnut\"\"77Tree\"\n2,-\n":       "id,password\n1,\"#\"\n2,-\n",
		"INSERT INTO t (password) VALUES ('Wal''77Tree');": "INSERT INTO t (password) VALUES ('#');",
	} {
		want = strings.ReplaceAll(want, "#", "[REDACTED:password]")
		if got := string(redacted(t, rules, Auto, []byte(in))); got != want {
			t.Errorf("%q gives\n%q not\n%q", in, got, want)
		}
	}
}

// TestPlurals holds that what looks made goes from a collection of secrets or tokens, and that words, numbers and names
// of secrets stay.
func TestPlurals(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	const made = "r0chNk3AXkN2o4Me4nFqGbhBK7DVc01Q"
	for _, in := range []string{
		`{"secrets":["#"]}`, `{"secrets":{"smtp":"#"}}`, "secrets:\n  smtp: #\nport: 1\n", "secrets:\n  - #\n",
		`{"tokens":["#"]}`, `{"tokens":{"bob":"#"}}`, "tokens:\n  bob: #\n", "tokens: [#]\n",
		"secrets = {\n  smtp = \"#\"\n}\nport = 1\n",
	} {
		in = strings.ReplaceAll(in, "#", made)
		if got := string(redacted(t, rules, Auto, []byte(in))); strings.Contains(got, made) {
			t.Errorf("%s stays", in)
		}
	}
	for _, in := range []string{
		`{"tokens":["Hello"," world","sha256"]}`, `{"tokens":[101,2023,102]}`, `{"tokens":{"input":12,"text":"abc"}}`,
		"tokens:\n  - Hello\n  - world\n", "secrets: inherit\n", "secrets:\n  - db_password\n  - source: db_password2\n",
		"secrets:\n- name: default-token-x7k2m\n", "secrets:\n  token: ${{ secrets.GITHUB_TOKEN }}\n",
		`{"secrets":[{"name":"API_KEY","valueFrom":"arn:aws:ssm:eu-west-1:123456789012:parameter/api-key"}]}`,
		`{"Secrets":[{"RuleID":"aws-access-key-id","Severity":"CRITICAL","StartLine":10,"Match":"AWS key"}]}`,
		`{"secrets":["DB_PASSWORD","API_KEY"],"env":{"secrets":"inherit"},"x":{"secrets":3}}`,
		"secrets = {\n  mode = \"production\"\n  region = \"eu-west-1\"\n}\n",
		"secrets:\n  db_password:\n    file: ./db_password1.txt\n", "const tokens = [\n  { type: \"IDENT\" },\n]\n",
		`{"secrets":[{"name":"default-token-x7k2m","id":"0c084df6-8481-4041-8f74-f77e178caba5"}]}`,
	} {
		stays(t, rules, in)
	}
}

// TestExpressionsWithSigns holds that expressions of programs stay, on lines of programs and on a line alone.
func TestExpressionsWithSigns(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, text := range []string{
		"password = getpass(prompt)\n",
		"password = getpass.getpass(\n    \"Password: \")\n",
		"password = load2(path1\n    .join(name))\n",
		"token = cfg[\"x\"]\npassword = cfg[KEY2]\n",
		"run(password=args.get('p'), token=t[0])\n",
		"password=hash512(md5Sum(v1))\n",
		"password = sha256(\nseed)\n",
		"f(a, password=keys[2px], b)\nwait(password=after(90ms))\n",
		"SELECT 1 WHERE password = @NewPassword1;\n",
		"UPDATE users SET password = :newPassword2 WHERE id = 1;\n",
		"DB_PASSWORD=$(cat /run/secrets/db2)\nDB_PASSWORD=${DB_PASSWORD2:-x}\n",
		"password: {{ .Values.db1.password2 }}\n",
		"<password>${db2.password1}</password>\n<token-uri>@var2.x1@</token-uri>\n",
		"password: don't use 12 letters\n",
		"password==1.2.3\n",
		"if (password == user2.hash1(salt)) {\n",
		"password:Map<String,U8>\n",
	} {
		stays(t, rules, text)
	}
}

// TestInnerSigns holds that a word with a sign between two letters, as only passwords have it, is one where no sign gives
// it to its name, with or without a digit.
func TestInnerSigns(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, text := range []string{
		"-[ RECORD 1 ]-+----\nid            | 7\npassword      | #\nrole          | admin\n",
		"2026-01-02T03:04:05Z INFO connecting with password # to db\n",
		`{"msg":"login failed for mara with password #.","level":"warn"}` + "\n",
		`{"msg":"tried password '#', then gave up"}` + "\n",
		"the password is # and the port is 5432\n",
		"  database.connections.mysql.password ......... #\n  database.default ......... mysql\n",
	} {
		for _, password := range []string{"Correct-Horse!Battery", "hunter2!x", "walnut^tree"} {
			in := strings.Replace(text, "#", password, 1)
			want := strings.Replace(text, "#", "[REDACTED:password]", 1)
			if got := string(redacted(t, rules, Auto, []byte(in))); got != want {
				t.Errorf("%sgives\n%s", in, got)
			}
		}
	}
	for _, text := range []string{
		"No password given! try again\nwrong password!!! bye\npassword hash!\nEnter password (again)!\n",
		"Use the password field, password-less login or the password policy^2 of it\n",
		"password ~ /^[a-z]+$/\nassert password !~ x\nit has the password HEAD~1 had\n",
		"Password Hashing ...... bcrypt\npassword ........ NULL\nthe password ... what2\n{\"passwordMtime\":\"2024-05-01T10:00:00Z\"}\n",
		"password      | character varying(64) | not null\n",
	} {
		stays(t, rules, text)
	}
}
