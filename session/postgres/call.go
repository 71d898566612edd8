package postgres

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// How long is waited before a call is repeated: the first time, and at the most.
const (
	firstPause = 20 * time.Millisecond
	mostPause  = 500 * time.Millisecond
)

// row runs a statement that is one transaction, and scans its only row. It is repeated if the connection is lost: it
// must change nothing the second time.
func (s *Session) row(sql string, args []any, to ...any) error {
	return s.do(true, func(ctx context.Context, c *pgx.Conn) error {
		return c.QueryRow(ctx, sql, args...).Scan(to...)
	})
}

// once is row for a statement that must not be repeated where it may have been done.
func (s *Session) once(sql string, args []any, to ...any) error {
	return s.do(false, func(ctx context.Context, c *pgx.Conn) error {
		return c.QueryRow(ctx, sql, args...).Scan(to...)
	})
}

// synced is row for what must be on disk when it returns. The transaction itself does not wait for the disk, so that
// others need not wait as long for the row of a session; a second one does, in the same round trip.
func (s *Session) synced(sql string, args []any, to ...any) error {
	return s.do(true, flushing(sql, args, to))
}

// onceSynced is synced for a statement that must not be repeated where it may have been done.
func (s *Session) onceSynced(sql string, args []any, to ...any) error {
	return s.do(false, flushing(sql, args, to))
}

func flushing(sql string, args []any, to []any) func(context.Context, *pgx.Conn) error {
	return func(ctx context.Context, c *pgx.Conn) error {
		var b pgx.Batch
		b.Queue("BEGIN")
		b.Queue(sql, args...)
		b.Queue("COMMIT")
		b.Queue("SELECT kfw.flushed()")
		r := c.SendBatch(ctx, &b)
		_, err := r.Exec()
		if err == nil && len(to) > 0 {
			err = r.QueryRow().Scan(to...)
		} else if err == nil {
			_, err = r.Exec()
		}
		for range 2 {
			if err == nil {
				_, err = r.Exec()
			}
		}
		err = cmp.Or(err, r.Close())
		if err != nil && !c.IsClosed() {
			if _, left := c.Exec(ctx, "ROLLBACK"); left != nil {
				_ = c.Close(ctx) // which ends the transaction as well
			}
		}
		return err
	}
}

// exec is row for a statement without one.
func (s *Session) exec(sql string, args []any) error {
	return s.do(true, func(ctx context.Context, c *pgx.Conn) error {
		_, err := c.Exec(ctx, sql, args...)
		return err
	})
}

// rows calls each for every row of a statement that changes nothing, as long as it returns true. begin is called before
// the first, and again where the statement is repeated.
func (s *Session) rows(sql string, args []any, begin func(), each func(pgx.Rows) (bool, error)) error {
	return s.do(true, func(ctx context.Context, c *pgx.Conn) error {
		begin()
		found, err := c.Query(ctx, sql, args...)
		if err != nil {
			return err
		}
		defer found.Close()
		for goesOn := true; goesOn && found.Next(); {
			if goesOn, err = each(found); err != nil {
				return err
			}
		}
		found.Close()
		return found.Err()
	})
}

// do calls fn with the connection, which is made if there is none. It is repeated while the server can't be reached and
// there is time left, unless it may have changed something and mayRepeat is false.
func (s *Session) do(mayRepeat bool, fn func(context.Context, *pgx.Conn) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fmt.Errorf("%s: %w", s.place, fs.ErrClosed)
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.wait())
	defer cancel()
	var first error
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		isDone, err := s.try(ctx, fn)
		if err == nil {
			return nil
		}
		if first == nil || !errors.Is(err, context.DeadlineExceeded) {
			first = err
		}
		if !isTransient(err) || isDone && !mayRepeat && !pgconn.SafeToRetry(err) && !isRolledBack(err) {
			return s.place.explain(first, s.wait())
		}
		select {
		case <-ctx.Done():
			return s.place.explain(first, s.wait())
		case <-time.After(pause):
		}
	}
}

// try calls fn once. isDone says that fn was called.
func (s *Session) try(ctx context.Context, fn func(context.Context, *pgx.Conn) error) (isDone bool, err error) {
	if s.conn != nil && s.conn.IsClosed() {
		s.conn = nil
	}
	if s.conn == nil {
		if s.config == nil {
			if s.config, err = s.place.config(); err != nil {
				return false, err
			}
		}
		if s.conn, err = pgx.ConnectConfig(ctx, s.config.Copy()); err != nil {
			s.conn = nil
			return false, err
		}
	}
	if err = fn(ctx, s.conn); err != nil && s.conn.IsClosed() {
		s.conn = nil
	}
	return true, err
}

// newToken returns a random UUID.
func newToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
