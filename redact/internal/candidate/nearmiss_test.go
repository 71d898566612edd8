package candidate

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/nearmiss"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// judges are what a value is judged by.
var judges = []struct {
	name string
	is   func(v []byte) bool
}{
	{"constant", IsConstant}, {"size", IsSize}, {"object ID", IsObjectID}, {"endpoint", IsEndpoint},
	{"harmless", IsHarmless}, {"stand-in", IsStandIn}, {"plain URL", IsPlainURL}, {"reference", IsReference},
	{"sentence", IsSentence}, {"made", IsMade}, {"likely secret", IsLikelySecret}, {"salt", IsSalt},
	{"strong", IsStrong}, {"scrambled", IsScrambled}, {"has scrambled", HasScrambled}, {"phrase", IsPhrase},
	{"identifier", IsIdentifier}, {"numbered", IsNumbered}, {"fingerprint", IsFingerprint}, {"replica", IsReplica},
	{"dated", IsDated}, {"metavariable", IsMetavariable}, {"figures", HoldsFigures}, {"typed", IsTyped},
	{"source file", IsSourceFile}, {"command", IsCommand}, {"variable", IsVariable}, {"stop word", IsStopWord},
	{"stop words", AreStopWords}, {"prose", IsProse}, {"list item", IsListItem}, {"template", IsTemplateOfWords},
	{"path", IsPath}, {"qualified", IsQualified}, {"field list", IsFieldList}, {"public", IsPublic},
	{"verifier", IsVerifierKey}, {"account", IsSystemAccount}, {"name service", IsNameService},
	{"encoding", IsEncoding}, {"font", IsFontChange},
	{"placeholder", func(v []byte) bool { return IsPlaceholder(v, false) }},
	{"quoted placeholder", func(v []byte) bool { return IsPlaceholder(v, true) }},
	{"filled", func(v []byte) bool { return IsFilled(v, false) }},
	{"ID", func(v []byte) bool { return IsID(v, 8) }},
	{"varied", func(v []byte) bool { return IsVaried(v, 6) }},
	{"tuple", func(v []byte) bool { return IsTuple(v, 0) }},
	{"translation", func(v []byte) bool { return IsTranslation([]byte("password"), v, false) }},
	{"part of name", func(v []byte) bool { return IsPartOfName([]byte("db_password_hash"), v) }},
	{"spelled out", func(v []byte) bool { return IsSpelledOut([]byte("dbPassword"), v) }},
	{"same name", func(v []byte) bool { return IsSameName([]byte("db_password"), v) }},
}

// values are of the kinds that names of secrets have beside them.
var values = []string{
	"walnut-Tree93x", "hunter2", "correct horse battery staple", "x7Kq2mV9pL4wZ8",
	"0123456789abcdef0123456789abcdef", "DEADBEEF0123456789ABCDEF0123456789ABCDEF",
	"e3b0c442-98fc-1c14-9afb-f4c8996fb924", "MTIzNDU2Nzg5MDEyMzQ1Ng==", "CbgbUPYrUyhnNoBZNXyeEXnYzMPQikVT",
	"tok_live_FesQytDQUnxysAUbNJnxKvPHdLjTDKDr", "$2b$12$abcdefghijklmnopqrstuv", "${DB_PASSWORD}",
	"$DB_PASSWORD", "%DB_PASSWORD%", "<your-password>", "{{ vault.password }}", "********", "xxxxxxxx",
	"changeme", "your_api_key_here", "REDACTED", "null", "None", "true", "example", "todo", "n/a", "password",
	"dbPassword", "DB_PASSWORD", "db.password", "Password", "password123", "env:DB_PASSWORD",
	"process.env.DB_PASSWORD", "os.environ['DB_PASSWORD']", "System.getenv(\"KEY\")", "config.get(key)",
	"vault:secret/data/app#password", "arn:aws:iam::123456789012:role/deploy", "s3://bucket/key.pem",
	"/etc/ssl/private/key.pem", "C:\\keys\\server.key", "./secrets/app.env",
	"https://example.org/login?next=%2F", "https://ann:pw@example.org/x", "http://localhost:8080",
	"Std::Vector::Map2", "com.example.app.Key", "github.com/x/y.Token", "GetUserCredentials",
	"get_user_credentials", "MAX_CONNECTIONS", "*string", "Optional[str]", "std::string", "String?", "[]byte",
	"map[string]int", "int32", "2026-01-02T03:04:05Z", "1700000000", "12:30", "v1.2.3-rc.1", "1.10.0",
	"10.0.0.1:5432", "::1", "15m", "10 MB", "5GiB", "utf-8", "base64", "sha256",
	"SHA256:abcDEF0123456789abcDEF0123456789abcDEF01234", "aes-256-gcm", "bearer", "Basic",
	"the password of the user", "label!=<key>=<value>", "an object key must come here",
	"Enter your password:", "Passwort", "must not be empty", "one, two, three",
	"a,b,c", "(1,'ann','x')", "[a, b]", "{\"a\":1}", "user@example.org", "root", "postgres", "www-data",
	"systemd-resolve", "files dns", "compat", "pbkdf2:sha256:260000", "AAAAB3NzaC1yc2EAAAADAQABAAABAQ",
	"ssh-rsa", "-----BEGIN", "--verbose", "-p", "deploy.sh", "main.go", "key.pem", "\x1b[31mred",
	"web-7f9c6d5b8-x2x4z", "app-20260102", "node_1", "item #3", "aaaaaaaaaaaaaaaa", "abcdefgh", "qwertyuiop",
	"12345678", "A1B2C3D4E5F6", "ya29.a0AfH6SMB", "sum.example.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8",
	"eyJhbGciOiJIUzI1NiJ9",
}

// TestNearMisses counts, for each value and each judge, how many texts that differ from the value by one byte are of
// its kind; + says that the value is. -update writes them to testdata: look at each that is new.
func TestNearMisses(t *testing.T) {
	var b strings.Builder
	for _, value := range values {
		fmt.Fprintf(&b, "%q:", value)
		for _, judge := range judges {
			is := func(text string) bool { return text != "" && judge.is([]byte(text)) }
			n, sign := 0, ""
			for _, way := range nearmiss.Ways {
				n += way.Count(value, is)
			}
			if is(value) {
				sign = "+"
			}
			if n > 0 || sign != "" {
				fmt.Fprintf(&b, " %s %d%s;", judge.name, n, sign)
			}
		}
		b.WriteByte('\n')
	}
	nearmiss.Compare(t, "testdata/nearmisses.txt", b.String(), *update)
}
