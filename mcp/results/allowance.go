package results

import (
	"errors"

	"github.com/kfw-dev/kfw/session"
)

// allowance is what one result may cost. It is the ledger of each of its texts.
type allowance struct {
	grant  *session.Grant // nil if the session had nothing left, or there is none
	file   *session.File  // on which what has no grant is recorded; nil without a session
	from   string
	tokens int
	spent  int

	sessionLeft, sessionTotal int // total is 0 for a session that has none
}

// allocate draws a result's budget from the session. A result is never refused: if nothing is left, it is written in
// mode handle_only, beyond the total.
func allocate(f *Filter, least int, from string, tokens int) (*allowance, error) {
	least *= 2 // for a text, and for those that are left out
	a := &allowance{file: f.Session, from: from, tokens: max(tokens, least)}
	f.Session.CountBy(f.Counting)
	grant, err := f.Session.Allocate(a.tokens, least, from)
	if exhausted, ok := errors.AsType[*session.Exhausted](err); ok {
		a.tokens, a.sessionLeft, a.sessionTotal = least, 0, max(exhausted.Total, 1)
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	a.grant, a.tokens = grant, grant.Tokens()
	if grant.SessionTotal() < session.NoTotal {
		a.sessionLeft, a.sessionTotal = grant.SessionLeft(), grant.SessionTotal()
	}
	return a, nil
}

// Spend implements pipeline.Ledger.
func (a *allowance) Spend(tokens int) error { return a.record(tokens, (*session.Grant).Spend) }

// Last implements pipeline.Ledger.
func (a *allowance) Last(tokens int) error { return a.record(tokens, (*session.Grant).Last) }

func (a *allowance) record(tokens int, granted func(*session.Grant, int) error) (err error) {
	a.spent += tokens
	switch {
	case a.grant != nil:
		err = granted(a.grant, tokens)
	case a.file != nil:
		_, err = a.file.Spend(tokens, a.from)
	}
	return err
}

// close ends the allowance. read is what the result would have cost, in tokens.
func (a *allowance) close(read int) error {
	if a == nil || a.grant == nil {
		return nil
	}
	return a.grant.Close(read)
}
