//go:build unix

package postgres

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kfw-dev/kfw/internal/testpg"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/sessiontest"
)

func TestMain(m *testing.M) { os.Exit(testpg.Main(m)) }

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		check(t, err)
		return v
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var hasTables sync.Map // by server

// server returns the shared server, with tables.
func server(t testing.TB) *testpg.Server {
	t.Helper()
	s := testpg.Shared(t)
	if _, has := hasTables.LoadOrStore(s, true); !has {
		withTables(t, s)
	}
	return s
}

func withTables(t testing.TB, s *testpg.Server) {
	t.Helper()
	_, _, err := Init(must[*Place](t)(Parse(s.URL(""))), "")
	check(t, err)
}

// admin runs a statement as the superuser.
func admin(t testing.TB, s *testpg.Server, sql string, args ...any) {
	t.Helper()
	c := must[*pgx.Conn](t)(pgx.Connect(context.Background(), s.URL("")))
	defer c.Close(context.Background())
	if len(args) == 0 { // of several statements
		_, err := c.PgConn().Exec(context.Background(), sql).ReadAll()
		check(t, err)
		return
	}
	_, err := c.Exec(context.Background(), sql, args...)
	check(t, err)
}

// ask returns the only value of a query, as the superuser has it.
func ask[T any](t testing.TB, s *testpg.Server, sql string, args ...any) (v T) {
	t.Helper()
	c := must[*pgx.Conn](t)(pgx.Connect(context.Background(), s.URL("")))
	defer c.Close(context.Background())
	check(t, c.QueryRow(context.Background(), sql, args...).Scan(&v))
	return v
}

// named is a name that no other test has.
func named(t testing.TB) string {
	return strings.ReplaceAll(t.Name(), "/", ".") + "-" + newToken()[:8]
}

// at returns the session of a URL.
func at(t testing.TB, url string, s session.Settings) *Session {
	t.Helper()
	f := must[*Session](t)(At(must[*Place](t)(Parse(url)), s))
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// place is a session on a server. It implements sessiontest.Place.
type place struct {
	t      *testing.T
	server *testpg.Server
	dir    string // of the socket
	name   string
}

// Open implements sessiontest.Place.
func (p *place) Open(s session.Settings) session.Session {
	return must[*Session](p.t)(At(must[*Place](p.t)(Parse(testpg.URL(testpg.User, p.dir, p.name))), s))
}

// IsMade implements sessiontest.Place.
func (p *place) IsMade() bool {
	return ask[bool](p.t, p.server, "SELECT EXISTS (SELECT FROM kfw.session WHERE name = $1)", p.name)
}

// Age implements sessiontest.Place.
func (p *place) Age(by time.Duration, ids ...string) {
	const all = `UPDATE kfw.handle SET expires_at = expires_at - $1::bigint * interval '1 ms'
		WHERE session = (SELECT id FROM kfw.session WHERE name = $2)`
	if len(ids) == 0 {
		admin(p.t, p.server, all, by.Milliseconds(), p.name)
	}
	for _, id := range ids {
		number, _ := session.HandleNumber(id)
		admin(p.t, p.server, all+" AND number = $3", by.Milliseconds(), p.name, number)
	}
}

// Expire implements sessiontest.Place.
func (p *place) Expire(id string) {
	number, _ := session.GrantNumber(id)
	admin(p.t, p.server, `UPDATE kfw.invocation SET lease_until = '2000-01-01'
		WHERE session = (SELECT id FROM kfw.session WHERE name = $1) AND number = $2`, p.name, number)
}

// Stored implements sessiontest.Place. What handles say of it is what their blocks take.
func (p *place) Stored() int64 {
	const handles = `SELECT h.id FROM kfw.handle h JOIN kfw.session s ON s.id = h.session WHERE s.name = $1`
	said := ask[int64](p.t, p.server, "SELECT coalesce(sum(stored_bytes), 0)::bigint FROM kfw.handle WHERE id IN ("+handles+")", p.name)
	taken := ask[int64](p.t, p.server, "SELECT coalesce(sum(length(content)), 0)::bigint FROM kfw.block WHERE handle IN ("+handles+")",
		p.name)
	if said != taken {
		p.t.Errorf("%d bytes are stored, the handles say %d", taken, said)
	}
	return taken
}

func TestContract(t *testing.T) {
	sessiontest.Run(t, func(t *testing.T) sessiontest.Place {
		s := server(t)
		return &place{t, s, s.Dir, named(t)}
	})
}

// TestContractBehindAPool: the same with a pool in transaction mode, where each call may be on another connection.
func TestContractBehindAPool(t *testing.T) {
	sessiontest.Run(t, func(t *testing.T) sessiontest.Place {
		s := server(t)
		return &place{t, s, testpg.Pool(t).Dir, named(t)}
	})
}
