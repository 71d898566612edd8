package postgres

import (
	"errors"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kfw-dev/kfw/session"
)

// How long a lease is if the URL does not say, and what it may say.
const (
	defaultLease = time.Minute
	leastLease   = time.Second
	mostLease    = time.Hour
)

// Place is a session on a server.
type Place struct {
	server string // the URL for the driver
	shown  url.URL
	name   string // of the session
	tenant string // empty for the role that logs in
	lease  time.Duration

	hasMode bool // somebody says how TLS is used
}

// ErrPassword is the error for a URL with a password: everybody on the machine can read command lines.
var ErrPassword = errors.New("a URL with a password: PGPASSFILE or PGPASSWORD takes it")

// Parse reads the URL of a session: postgres://USER@HOST,HOST/DATABASE?session=NAME&tenant=T&lease=1m, and what else
// libpq takes. The session may be left out, for Named. No error quotes the URL.
func Parse(where string) (*Place, error) {
	scheme, rest, _ := strings.Cut(where, "://")
	if scheme != "postgres" && scheme != "postgresql" {
		return nil, errors.New("no session has such a URL: postgres:// is the one that is known")
	}
	authority, _, _ := strings.Cut(rest, "/")
	authority, _, _ = strings.Cut(authority, "?")
	u, err := url.Parse(where)
	if err != nil && strings.Contains(authority, ",") {
		u, err = parseHosts(scheme, rest, authority)
	}
	if err != nil {
		return nil, errors.New("not a URL")
	}
	if _, has := u.User.Password(); has {
		return nil, ErrPassword
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, errors.New("not a URL: what follows the ? can't be read")
	}
	if query.Has("password") || query.Has("sslpassword") {
		return nil, ErrPassword
	}
	p := &Place{name: query.Get("session"), tenant: query.Get("tenant"), lease: defaultLease}
	if text := query.Get("lease"); text != "" {
		if p.lease, err = time.ParseDuration(text); err != nil || p.lease < leastLease || p.lease > mostLease {
			return nil, errors.New("lease: from 1s to 1h")
		}
	}
	shown := *u
	shown.User = nil
	keep := url.Values{}
	for _, name := range []string{"host", "port", "dbname", "service", "sslmode", "session", "tenant", "lease"} {
		if query.Has(name) {
			keep[name] = query[name]
		}
	}
	query.Del("session")
	query.Del("tenant")
	query.Del("lease")
	p.hasMode = query.Has("sslmode") || os.Getenv("PGSSLMODE") != ""
	if query.Has("user") {
		u.User = url.User(query.Get("user"))
		query.Del("user")
	}
	u.RawQuery = encodeQuery(query)
	shown.RawQuery = encodeQuery(keep)
	p.server, p.shown = u.String(), shown
	return p, nil
}

// encodeQuery writes a query as the driver and libpq read one: to them a + is no blank.
func encodeQuery(query url.Values) string { return strings.ReplaceAll(query.Encode(), "+", "%20") }

// parseHosts is url.Parse for several hosts with ports, which it refuses.
func parseHosts(scheme, rest, authority string) (*url.URL, error) {
	user, hosts, has := strings.Cut(authority, "@")
	if !has {
		user, hosts = "", authority
	} else {
		user += "@"
	}
	u, err := url.Parse(scheme + "://" + user + "host" + rest[len(authority):])
	if err == nil {
		u.Host = hosts
	}
	return u, err
}

// config is how the driver connects. Unless somebody says otherwise, TLS is verified with every host that is not this
// machine, wherever its name comes from.
func (p *Place) config() (*pgconn.Config, error) {
	c, err := pgconn.ParseConfig(p.server)
	if err == nil && !p.hasMode && !isLocal(c) {
		server, query, _ := strings.Cut(p.server, "?")
		c, err = pgconn.ParseConfig(server + "?sslmode=verify-full&" + query)
	}
	return c, err
}

// isLocal reports whether all hosts are this machine: by a socket or a loopback address.
func isLocal(c *pgconn.Config) bool {
	isThis := func(host string) bool {
		return strings.HasPrefix(host, "/") || host == "localhost" || net.ParseIP(host).IsLoopback()
	}
	for _, other := range c.Fallbacks {
		if !isThis(other.Host) {
			return false
		}
	}
	return isThis(c.Host)
}

// Name returns the name of the session; empty if the URL has none.
func (p *Place) Name() string { return p.name }

// Named returns the session of another name on the same server, for the same tenant.
func (p *Place) Named(name string) *Place {
	q := *p
	q.name = name
	query := q.shown.Query()
	query.Set("session", name)
	q.shown.RawQuery = encodeQuery(query)
	return &q
}

// String returns the URL without user and password. kfw takes it as well, if the user is in PGUSER or needs not be
// said.
func (p *Place) String() string { return p.shown.String() }

// refused returns an error of this place.
func (p *Place) refused(reason string, cause error) *session.Unusable {
	return &session.Unusable{Path: p.String(), Reason: reason, Cause: cause, IsServer: true}
}
