package postgres

import (
	"errors"
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/session"
)

// slicesOfGrant is in about how many calls a grant is drawn: each costs the way to the server and back.
const slicesOfGrant = 4

// Allocate implements session.Session.
func (s *Session) Allocate(asked, least int, command string) (*session.Grant, error) {
	if asked < 0 || least < 0 {
		return nil, errors.New("allocate: a number of tokens is negative")
	}
	token := newToken()
	var state, counting string
	var number, reserved, running, held *int64
	var granted, drawn *int64
	var left, total, id int64
	sent := time.Now()
	err := s.synced(`SELECT * FROM kfw.allocate($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		s.made(token, int64(asked), int64(least), int64(slicesOfGrant), s.place.lease.Milliseconds(), s.settings.Counting,
			command, hostName()),
		&state, &number, &granted, &drawn, &left, &total, &counting, &reserved, &running, &held, &id)
	if err != nil {
		return nil, err
	}
	switch state {
	case "counting":
		return nil, &session.OtherCounting{Counting: counting}
	case "exhausted":
		return nil, &session.Exhausted{Left: int(left), Total: int(total), Reserved: of(reserved), Running: of(running),
			Held: of(held)}
	}
	e := &entry{s: s, id: id, number: *number, token: token}
	e.lease = lease{length: s.place.lease, renew: e.renew}
	e.lease.confirmed(sent)
	return session.NewGrant(e, session.Granted{Tokens: of(granted), Left: int(left), Total: int(total),
		Aside: min(least, of(granted)), Drawn: of(drawn), Slices: slicesOfGrant}), nil
}

// of returns a number of the server, 0 for null.
func of(n *int64) int {
	if n == nil {
		return 0
	}
	return int(*n)
}

// entry is the row of a grant. It implements session.Entry.
type entry struct {
	s      *Session
	id     int64 // of the session
	number int64
	token  string
	lease  lease
}

// Check implements session.Entry.
func (e *entry) Check() error { return e.refused(e.lease.check()) }

// refused says what a lost lease means for a grant.
func (e *entry) refused(err error) error {
	if errors.Is(err, errLost) {
		return e.s.place.refused("has taken back the grant: its server has not heard of this run for too long",
			session.ErrTakenBack)
	}
	return err
}

// Draw implements session.Entry.
func (e *entry) Draw(drawn int) error {
	sent := time.Now()
	var isOwn bool
	err := e.s.row("SELECT kfw.draw($1, $2, $3, $4, $5)",
		[]any{e.id, e.number, e.token, int64(drawn), e.s.place.lease.Milliseconds()}, &isOwn)
	switch {
	case err != nil:
		return err
	case !isOwn:
		e.lease.lost()
		return e.refused(errLost)
	}
	e.lease.confirmed(sent)
	return nil
}

func (e *entry) renew() (isOwn bool, err error) {
	err = e.s.row("SELECT kfw.renew($1, $2, $3, $4)",
		[]any{e.id, e.number, e.token, e.s.place.lease.Milliseconds()}, &isOwn)
	return isOwn, err
}

// End implements session.Entry. A run that was taken back stays charged with what it drew.
func (e *entry) End(spent, tokensIn int) error {
	e.lease.end()
	var isOwn bool
	return e.s.row("SELECT kfw.ended($1, $2, $3, $4, $5)",
		[]any{e.id, e.number, e.token, int64(spent), int64(tokensIn)}, &isOwn)
}

// Hold implements session.Session.
func (s *Session) Hold(asked int, hold time.Duration, command string) (session.Held, budget.Account, error) {
	if asked <= 0 || hold <= 0 {
		return session.Held{}, budget.Account{}, errors.New("hold: tokens and time must be positive")
	}
	var number, granted, running, others *int64
	var until *time.Time
	var account budget.Account
	err := s.synced("SELECT * FROM kfw.hold($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
		s.made(newToken(), int64(asked), hold.Milliseconds(), command, hostName()),
		&number, &granted, &until, &account.Total, &account.Used, &account.Reserved, &running, &others)
	if err != nil {
		return session.Held{}, account, err
	}
	if number == nil {
		return session.Held{}, account, &session.Exhausted{Left: account.Left(), Total: account.Total,
			Reserved: account.Reserved, Running: of(running), Held: of(others)}
	}
	return session.Held{ID: session.GrantID(*number), Tokens: of(granted), Until: *until}, account, nil
}

// Spend implements session.Session.
func (s *Session) Spend(tokens int, command string) (account budget.Account, err error) {
	if tokens < 0 {
		return account, errors.New("spend: a number of tokens is negative")
	}
	err = s.synced("SELECT * FROM kfw.spend($1, $2, $3, $4, $5, $6, $7, $8, $9)",
		s.made(newToken(), int64(tokens), command, hostName()), &account.Total, &account.Used, &account.Reserved)
	return account, err
}

// Settle implements session.Session.
func (s *Session) Settle(id string, tokens int, command string) (late bool, account budget.Account, err error) {
	if tokens < 0 {
		return false, account, errors.New("settle: a number of tokens is negative")
	}
	state, _, account, err := s.settle(id, tokens, &command)
	return state == "late", account, err
}

// Release implements session.Session.
func (s *Session) Release(id string) (tokens int, account budget.Account, err error) {
	_, tokens, account, err = s.settle(id, 0, nil)
	return tokens, account, err
}

// settle ends a held grant. Without a command it is released.
func (s *Session) settle(id string, tokens int, command *string) (state string, granted int, account budget.Account,
	err error) {
	number, ok := session.GrantNumber(id)
	if !ok {
		if _, err := s.Settings(); err != nil {
			return "", 0, account, err
		}
		return "", 0, account, &session.NotHeld{Reason: "unknown"}
	}
	var was *int64
	err = s.synced("SELECT * FROM kfw.settle($1, $2, $3, $4, $5, $6)",
		s.named(newToken(), number, int64(tokens), command), &state, &was, &account.Total, &account.Used, &account.Reserved)
	if err != nil {
		return "", 0, account, err
	}
	if state != "ended" && state != "late" {
		return "", 0, budget.Account{}, &session.NotHeld{ID: id, Reason: state}
	}
	return state, of(was), account, nil
}

// Record implements session.Session.
func (s *Session) Record(command string, in, out int) error {
	if in < 0 || out < 0 {
		return errors.New("record: a number of tokens is negative")
	}
	return s.synced("SELECT kfw.record($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
		s.made(newToken(), command, hostName(), int64(in), int64(out)))
}

// Status implements session.Session.
func (s *Session) Status() (status session.Status, err error) {
	begin := func() { status = session.Status{} }
	err = s.rows("SELECT * FROM kfw.status($1, $2, $3)", s.named(int64(session.Recent)), begin,
		func(row rowValues) (bool, error) {
			var number, in, out, saved, granted *int64
			var command *string
			var started, until *time.Time
			err := row.scan(&status.Total, &status.Used, &status.Reserved, &status.Saved, &status.Counting,
				&number, &command, &in, &out, &saved, &started, &granted, &until)
			if err != nil || number == nil { // a session without entries
				return false, err
			}
			i := session.Invocation{Command: *command, TokensIn: of(in), TokensOut: of(out), Saved: of(saved), Started: *started}
			if until != nil {
				i.Held = session.Held{ID: session.GrantID(*number), Tokens: of(granted), Until: *until}
			}
			status.Recent = append(status.Recent, i)
			return true, nil
		})
	account := budget.Account{Total: status.Total, Used: status.Used, Reserved: status.Reserved}
	if status.Left = account.Left(); status.Total > 0 {
		status.Share = float64(status.Left) / float64(status.Total)
	}
	return status, err
}

// History implements session.Session.
func (s *Session) History() (all []session.Invocation, err error) {
	err = s.rows("SELECT * FROM kfw.history($1, $2, $3)", s.named(int64(session.Remembered)), func() { all = nil },
		func(row rowValues) (bool, error) {
			var i session.Invocation
			err := row.scan(&i.Command, &i.TokensIn, &i.TokensOut, &i.Saved, &i.Started)
			all = append(all, i)
			return true, err
		})
	return all, err
}

// SetTotal implements session.Session.
func (s *Session) SetTotal(tokens int) error {
	if tokens < 0 {
		return errors.New("set: a number of tokens is negative")
	}
	args := s.made()
	args[2] = int64(tokens)
	return s.onceSynced("SELECT kfw.set_total($1, $2, $3, $4, $5)", args)
}

// Reset implements session.Session.
func (s *Session) Reset() error {
	return s.onceSynced("SELECT kfw.reset($1, $2)", s.named())
}
