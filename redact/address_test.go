package redact

import (
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
)

// What has an @ in it is no address if it goes on with a version or is a file.
func TestNoAddress(t *testing.T) {
	rules := compile(t, Options{Groups: PII})
	const marker = lex.MarkerStart + "email]"
	for in, want := range map[string]string{
		"org/toolchain@v0.0.1-go1.9.aix-ppc64":  "org/toolchain@v0.0.1-go1.9.aix-ppc64",
		"po/sr@latin.po, po/en@quot.header":     "po/sr@latin.po, po/en@quot.header",
		"f@.got.plt":                            "f@.got.plt",
		"mara@v2.example.org, mara@163.example": marker + ", " + marker,
		"mara@7even.example":                    marker,
		"mara@3.2.example.com, mara@umac.mo":    marker + ", " + marker,
	} {
		if got := string(whole(rules, []byte(in))); got != want {
			t.Errorf("%q gives %q", in, got)
		}
	}
}

// Of a URL the password goes, however it is written, and the host stays; an address behind it is one.
func TestHostStays(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, scheme := range []string{"postgres", "https", "amqp", "mongodb+srv", "redis", "ftp", "x"} {
		for _, host := range []string{"db", "db.internal:5432", "db.example.org", "10.1.2.3",
			"a.example.org,b.example.org"} {
			for _, password := range []string{"tr0ub4dor", "walnut%2FTree93", "walnut%40Tree93", "walnut%20Tree93",
				"wal.nut.93", "walnut%23%3F93"} {
				text := scheme + "://app:" + password + "@" + host + "/app"
				want := scheme + "://app:[REDACTED:url_password]@" + host + "/app"
				if got := string(whole(rules, []byte("see "+text+" x"))); got != "see "+want+" x" {
					t.Errorf("%q gives %q", text, got)
				}
			}
		}
	}
	for _, c := range []struct{ in, want string }{
		{"ssh://git@github.com/a/b.git git@github.com:a/b.git", "ssh://git@github.com/a/b.git git@github.com:a/b.git"},
		{"ftp://ada:x1y2z3@ftp.example.org;bob@example.org",
			"ftp://ada:[REDACTED:url_password]@ftp.example.org;[REDACTED:email]"},
	} {
		if got := string(whole(rules, []byte(c.in))); got != c.want {
			t.Errorf("%q gives %q", c.in, got)
		}
	}
}
