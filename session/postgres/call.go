package postgres

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// How long is waited before a call is repeated: the first time, and at the most.
const (
	firstPause = 20 * time.Millisecond
	mostPause  = 500 * time.Millisecond
)

// row runs a statement that is one transaction, and scans its only row; without pointers, it passes over what there is.
// It is repeated if the connection is lost: it must change nothing the second time.
func (s *Session) row(sql string, args []any, to ...any) error {
	return s.do(true, asking(sql, args, to))
}

// once is row for a statement that must not be repeated where it may have been done.
func (s *Session) once(sql string, args []any, to ...any) error {
	return s.do(false, asking(sql, args, to))
}

func asking(sql string, args []any, to []any) func(context.Context, *pgconn.PgConn) error {
	return func(ctx context.Context, c *pgconn.PgConn) error {
		found, err := execute(ctx, c, sql, args)
		if err != nil {
			return err
		}
		return scanOnly(found, to)
	}
}

// execute sends a statement, which is not prepared under any name. Whoever reads the result closes it.
func execute(ctx context.Context, c *pgconn.PgConn, sql string, args []any) (*pgconn.ResultReader, error) {
	values, formats, err := encode(args)
	if err != nil {
		return nil, err
	}
	return c.ExecParams(ctx, sql, values, nil, formats, allBinary), nil
}

// readRows calls each for every row of a result as long as it returns true, and closes the result.
func readRows(found *pgconn.ResultReader, each func(rowValues) (bool, error)) (err error) {
	for goesOn := true; goesOn && err == nil && found.NextRow(); {
		goesOn, err = each(found.Values())
	}
	_, lost := found.Close()
	return cmp.Or(err, lost)
}

// scanOnly scans the only row of a result, and closes the result. Without pointers there need be no row.
func scanOnly(found *pgconn.ResultReader, to []any) error {
	if len(to) == 0 {
		_, err := found.Close()
		return err
	}
	isThere := false
	err := readRows(found, func(row rowValues) (bool, error) {
		isThere = true
		return false, row.scan(to...)
	})
	if err == nil && !isThere {
		return fmt.Errorf("%w: no row", errUnreadable)
	}
	return err
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

func flushing(sql string, args []any, to []any) func(context.Context, *pgconn.PgConn) error {
	return func(ctx context.Context, c *pgconn.PgConn) error {
		values, formats, err := encode(args)
		if err != nil {
			return err
		}
		var b pgconn.Batch
		b.ExecParams("BEGIN", nil, nil, nil, nil)
		b.ExecParams(sql, values, nil, formats, allBinary)
		b.ExecParams("COMMIT", nil, nil, nil, nil)
		b.ExecParams("SELECT kfw.flushed()", nil, nil, nil, nil)
		all := c.ExecBatch(ctx, &b)
		for i := 0; err == nil && all.NextResult(); i++ {
			pointers := to
			if i != 1 {
				pointers = nil
			}
			err = scanOnly(all.ResultReader(), pointers)
		}
		err = cmp.Or(err, all.Close())
		if err != nil && !c.IsClosed() {
			if _, left := c.Exec(ctx, "ROLLBACK").ReadAll(); left != nil {
				_ = c.Close(ctx) // which ends the transaction as well
			}
		}
		return err
	}
}

// rows calls each for every row of a statement that changes nothing, as long as it returns true. begin is called
// before the first, and again where the statement is repeated.
func (s *Session) rows(sql string, args []any, begin func(), each func(rowValues) (bool, error)) error {
	return s.do(true, func(ctx context.Context, c *pgconn.PgConn) error {
		begin()
		found, err := execute(ctx, c, sql, args)
		if err != nil {
			return err
		}
		return readRows(found, each)
	})
}

// do calls fn with the connection, which is made if there is none. It is repeated while the server can't be reached
// and there is time left, unless it may have changed something and mayRepeat is false.
func (s *Session) do(mayRepeat bool, fn func(context.Context, *pgconn.PgConn) error) error {
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
func (s *Session) try(ctx context.Context, fn func(context.Context, *pgconn.PgConn) error) (isDone bool, err error) {
	if s.conn != nil && s.conn.IsClosed() {
		s.conn = nil
	}
	if s.conn == nil {
		if s.config == nil {
			if s.config, err = s.place.config(); err != nil {
				return false, err
			}
		}
		if s.conn, err = pgconn.ConnectConfig(ctx, s.config.Copy()); err != nil {
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
