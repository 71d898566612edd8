package postgres

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kfw-dev/kfw/session"
)

// defaultWait is how long a call may take if its settings don't say, with all that is repeated.
const defaultWait = 5 * time.Second

// Session is a session on a server. It implements session.Session.
type Session struct {
	place    *Place
	settings session.Settings

	mu     sync.Mutex
	conn   *pgx.Conn // nil until needed, and after it was lost
	config *pgx.ConnConfig
	closed bool
}

// At returns the session of a place, which must have a name. It touches nothing until something is kept or asked.
func At(p *Place, s session.Settings) (*Session, error) {
	if p.name == "" {
		return nil, errors.New("the URL names no session: session=NAME")
	}
	return &Session{place: p, settings: s}, nil
}

func (s *Session) wait() time.Duration { return cmp.Or(s.settings.Wait, defaultWait) }

// Path implements session.Session: the URL without user and password.
func (s *Session) Path() string { return s.place.String() }

// CountBy implements session.Session.
func (s *Session) CountBy(counting string) { s.settings.Counting = counting }

// Usable implements session.Session.
func (s *Session) Usable() error {
	if _, err := s.Settings(); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Settings implements session.Session.
func (s *Session) Settings() (known session.Settings, err error) {
	var ttl int64
	err = s.row("SELECT * FROM kfw.settings($1, $2)", s.named(),
		&known.Total, &ttl, &known.StoreMax, &known.Counting)
	known.TTL = time.Duration(ttl) * time.Millisecond
	return known, err
}

// named are the arguments that name the session.
func (s *Session) named(more ...any) []any {
	return append([]any{s.place.tenant, s.place.name}, more...)
}

// made are those, and how the session is made if it is not there.
func (s *Session) made(more ...any) []any {
	d := s.settings.OrDefault()
	return append(s.named(int64(d.Total), d.TTL.Milliseconds(), d.StoreMax), more...)
}

// Close implements session.Session.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.conn == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = s.conn.Close(ctx) // nothing is under way
	s.conn = nil
	return nil
}

// hostName is what the ledger calls this host.
var hostName = sync.OnceValue(func() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
})
