//go:build unix

package postgres

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/internal/testpg"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/internal/sessiontest"
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
	c := connection(t, s.URL(""))
	defer c.Close(context.Background())
	if len(args) == 0 { // of several statements
		check(t, script(context.Background(), c, sql))
		return
	}
	check(t, asking(sql, args, nil)(context.Background(), c))
}

// connection returns a connection as whom a URL says.
func connection(t testing.TB, url string) *pgconn.PgConn {
	t.Helper()
	return must[*pgconn.PgConn](t)(pgconn.Connect(context.Background(), url))
}

// ask returns the only value of a query, as the superuser has it.
func ask[T any](t testing.TB, s *testpg.Server, sql string, args ...any) (v T) {
	t.Helper()
	c := connection(t, s.URL(""))
	defer c.Close(context.Background())
	check(t, asking(sql, args, []any{&v})(context.Background(), c))
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

// Stored implements sessiontest.Place. The counts in the handles equal the size of their blocks.
func (p *place) Stored() int64 {
	const handles = `SELECT h.id FROM kfw.handle h JOIN kfw.session s ON s.id = h.session WHERE s.name = $1`
	said := ask[int64](p.t, p.server,
		"SELECT coalesce(sum(stored_bytes), 0)::bigint FROM kfw.handle WHERE id IN ("+handles+")", p.name)
	taken := ask[int64](p.t, p.server,
		"SELECT coalesce(sum(length(content)), 0)::bigint FROM kfw.block WHERE handle IN ("+handles+")", p.name)
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
	names := []string{"Grant", "ExhaustedByReservations", "Ledger", "NotHeld", "HandlesAtOnce", "StoreMax", "Remove",
		"ShownAtOnce"}
	if testdepth.All() {
		names = nil
	}
	sessiontest.Run(t, func(t *testing.T) sessiontest.Place {
		s := server(t)
		return &place{t, s, testpg.Pool(t).Dir, named(t)}
	}, names...)
}

// TestTenants: a role has its own sessions, and those of the roles that it is a member of; of others it can read no
// block and call no function, and tables are closed to it.
func TestTenants(t *testing.T) {
	t.Parallel()
	s := testpg.New(t)
	admin(t, s, `CREATE ROLE runs NOLOGIN; CREATE ROLE shared NOLOGIN;
		CREATE ROLE one LOGIN IN ROLE runs, shared; CREATE ROLE two LOGIN IN ROLE runs, shared`)
	_, _, err := Init(must[*Place](t)(Parse(s.URL(""))), "runs")
	check(t, err)
	as := func(user string, more ...string) *Session {
		return at(t, testpg.URL(user, s.Dir, "name", more...), session.Settings{Total: 1000})
	}
	for _, f := range []*Session{as("one"), as("two"), as("one", "tenant", "shared")} {
		check(t, fill(f.NewHandle("x", "all")))
		_, err := f.Spend(10, "x")
		check(t, err)
	}
	_, err = as("two", "tenant", "shared").Spend(5, "x")
	check(t, err)
	for _, c := range []struct {
		f    *Session
		used int
	}{{as("one"), 10}, {as("two"), 10}, {as("one", "tenant", "shared"), 15}} {
		if status := must[session.Status](t)(c.f.Status()); status.Used != c.used {
			t.Errorf("%s: used %d, want %d", c.f.Path(), status.Used, c.used)
		}
	}
	if _, err := as("one", "tenant", "two").Status(); err == nil || !strings.Contains(err.Error(), "no such tenant") {
		t.Errorf("another's session: %v", err)
	}
	c := connection(t, testpg.URL("one", s.Dir, ""))
	defer c.Close(context.Background())
	var blocks, own int
	check(t, asking("SELECT count(*), count(*) FILTER (WHERE tenant IN ('one', 'shared')) FROM kfw.block", nil,
		[]any{&blocks, &own})(context.Background(), c))
	if blocks != 2 || own != 2 {
		t.Errorf("%d blocks can be read, %d of them its own", blocks, own)
	}
	for _, sql := range []string{"SELECT * FROM kfw.session", "SELECT * FROM kfw.handle", "DELETE FROM kfw.block",
		"UPDATE kfw.session SET used_tokens = 0", "INSERT INTO kfw.block SELECT * FROM kfw.block",
		"SELECT kfw.locked(1)", "SELECT kfw.stored(NULL::kfw.session)"} {
		if err := script(context.Background(), c, sql); code(err) != "42501" {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

// TestInit: what is there stays, and hosts that init at once do no harm.
func TestInit(t *testing.T) {
	t.Parallel()
	s := testpg.New(t)
	p := must[*Place](t)(Parse(s.URL("")))
	var all sync.WaitGroup
	var made sync.Map
	for range 4 {
		all.Go(func() {
			before, after, err := Init(p, "")
			if err != nil || after != len(migrations()) {
				t.Errorf("version %d: %v", after, err)
			}
			made.Store(before, true)
		})
	}
	all.Wait()
	if _, has := made.Load(0); !has {
		t.Error("nobody made the tables")
	}
	f := at(t, s.URL("a"), session.Settings{})
	_, err := f.Spend(7, "x")
	check(t, err)
	_, _, err = Init(p, "")
	check(t, err)
	if status := must[session.Status](t)(f.Status()); status.Used != 7 {
		t.Errorf("%+v", status)
	}
	about, err := About(p)
	if err != nil || about.Version != 1 || about.Newest != 1 || about.Sessions != 1 || about.Tenant != testpg.User ||
		about.SynchronousCommit != "on" {
		t.Errorf("%+v, %v", about, err)
	}
}
