package postgres

import (
	"errors"
	"strings"
	"testing"
)

// TestParse: what a URL says, what it shows, and when TLS is verified.
func TestParse(t *testing.T) {
	for _, variable := range []string{"PGHOST", "PGSSLMODE", "PGSERVICE", "PGUSER"} {
		t.Setenv(variable, "")
	}
	for _, c := range []struct {
		url, shown string
		isVerified bool
	}{
		{"postgres://team@db.internal/kfw?session=a", "postgres://db.internal/kfw?session=a", true},
		{"postgresql://team@db.internal:6432/kfw?session=a&tenant=t&lease=30s",
			"postgresql://db.internal:6432/kfw?lease=30s&session=a&tenant=t", true},
		{"postgres://team@one,two/kfw?session=a", "postgres://one,two/kfw?session=a", true},
		{"postgres://team@one:5432,two:5433/kfw?session=a&target_session_attrs=read-write",
			"postgres://one:5432,two:5433/kfw?session=a", true},
		{"postgres://team@localhost,two/kfw?session=a", "postgres://localhost,two/kfw?session=a", true},
		{"postgres://team@localhost/kfw?session=a", "postgres://localhost/kfw?session=a", false},
		{"postgres://team@127.0.0.2/kfw?session=a", "postgres://127.0.0.2/kfw?session=a", false},
		{"postgres://team@[::1]:5432/kfw?session=a", "postgres://[::1]:5432/kfw?session=a", false},
		{"postgres:///kfw?host=/run/x&user=team&session=a", "postgres:///kfw?host=%2Frun%2Fx&session=a", false},
		{"postgres://team@db.internal/kfw?session=a&sslmode=disable",
			"postgres://db.internal/kfw?session=a&sslmode=disable", false},
	} {
		p, err := Parse(c.url)
		if err != nil {
			t.Errorf("%s: %v", c.url, err)
			continue
		}
		if p.String() != c.shown || p.Name() != "a" || !strings.Contains(p.server, "team") {
			t.Errorf("%s: shown as %s, for the driver %s", c.url, p, p.server)
		}
		config, err := p.config()
		if err != nil {
			t.Errorf("%s: %v", c.url, err)
			continue
		}
		first := config.TLSConfig
		isVerified := first != nil && first.ServerName == config.Host && !first.InsecureSkipVerify
		for _, other := range config.Fallbacks {
			isVerified = isVerified && other.TLSConfig != nil && !other.TLSConfig.InsecureSkipVerify
		}
		if isVerified != c.isVerified || config.User != "team" || config.Database != "kfw" {
			t.Errorf("%s: TLS is verified: %v, user %s, database %s", c.url, isVerified, config.User, config.Database)
		}
		again, err := Parse(p.String())
		if err != nil || again.String() != p.String() || p.Named("b").Name() != "b" || p.Name() != "a" {
			t.Errorf("%s: read again as %v, %v", c.url, again, err)
		}
	}
	for url, want := range map[string]error{
		"postgres://team:word@localhost/kfw?session=a":       ErrPassword,
		"postgres://team@localhost/kfw?password=word":        ErrPassword,
		"postgres://team:word@one:1,two:2/kfw?sslpassword=w": ErrPassword,
		"mysql://team@localhost/kfw":                         nil,
		"postgres://team@local host/kfw":                     nil,
		"postgres://localhost/kfw?lease=1ms":                 nil,
		"postgres://localhost/kfw?lease=word":                nil,
	} {
		_, err := Parse(url)
		if err == nil || want != nil && !errors.Is(err, want) || strings.Contains(err.Error(), "word@") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// TestBlanksInURL: the driver is told of a setting with a blank as the URL has it. It reads a + as a +.
func TestBlanksInURL(t *testing.T) {
	p, err := Parse("postgres://db/x?session=a%20b&application_name=kfw%20of%20a%2Bb")
	if err != nil {
		t.Fatal(err)
	}
	config, err := p.config()
	if err != nil {
		t.Fatal(err)
	}
	if got := config.RuntimeParams["application_name"]; got != "kfw of a+b" || p.Name() != "a b" {
		t.Errorf("application_name is %q in session %q", got, p.Name())
	}
	if again, err := Parse(p.String()); err != nil || again.Name() != "a b" {
		t.Errorf("%s is another session", p)
	}
}
