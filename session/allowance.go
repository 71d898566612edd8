package session

import "errors"

// Allowance is what the result of a tool may cost that can't be refused: where a session has nothing left, the result
// gets its least, and what it writes is recorded beyond the total. It is for one goroutine, and not nil.
type Allowance struct {
	grant  *Grant  // nil if the session had nothing left, or there is none
	on     Session // where what has no grant is recorded; nil without a session
	from   string
	tokens int
	least  int // of tokens
	spent  int
	aside  int  // of tokens, taken for what is spent last
	isHeld bool // what is spent is not on the ledger before Settle: something else may be shown

	left, total int // of the session; total is 0 for one that has none
}

// Allow draws tokens for a result from a session, at least so many. from says what the result is of.
func Allow(s Session, tokens, least int, from string) (*Allowance, error) {
	a := &Allowance{on: s, from: from, tokens: max(tokens, least), least: least}
	grant, err := s.Allocate(a.tokens, least, from)
	if exhausted, ok := errors.AsType[*Exhausted](err); ok {
		a.tokens, a.total = least, max(exhausted.Total, 1)
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	a.grant, a.tokens = grant, grant.Tokens()
	if grant.SessionTotal() < NoTotal {
		a.left, a.total = grant.SessionLeft(), grant.SessionTotal()
	}
	return a, nil
}

// Unrecorded is an allowance that is on no ledger.
func Unrecorded(tokens int) *Allowance { return &Allowance{tokens: tokens} }

// Tokens returns how many the result may cost.
func (a *Allowance) Tokens() int { return a.tokens }

// Spent returns how many it has cost.
func (a *Allowance) Spent() int { return a.spent }

// Session returns the session's total, 0 if it has none, and its tokens left without those set
// aside.
func (a *Allowance) Session() (left, total int) {
	if a.total == 0 {
		return 0, 0
	}
	return a.left - a.spent - a.aside, a.total
}

// SetAside takes tokens for what costs some beside the result, and returns how many it has taken: there may be too
// few for all of it.
func (a *Allowance) SetAside(tokens int) int {
	if a.grant == nil {
		return tokens
	}
	tokens = max(0, min(tokens, a.tokens-a.least))
	a.tokens -= tokens
	a.aside += tokens
	return tokens
}

// Spend records tokens that are shown next, before others that are.
func (a *Allowance) Spend(tokens int) error { return a.record(tokens, (*Grant).Spend) }

// Last records tokens that are shown next, and may be the last.
func (a *Allowance) Last(tokens int) error { return a.record(tokens, (*Grant).Last) }

func (a *Allowance) record(tokens int, granted func(*Grant, int) error) (err error) {
	a.spent += tokens
	switch {
	case a.isHeld:
	case a.grant != nil:
		err = granted(a.grant, tokens)
	case a.on != nil:
		_, err = a.on.Spend(tokens, a.from)
	}
	return err
}

// Hold keeps what is spent from now on off the ledger until Settle.
func (a *Allowance) Hold() { a.isHeld = true }

// Instead says that what was held costs so many tokens: something else is shown.
func (a *Allowance) Instead(tokens int) { a.spent = tokens }

// Settle records what was held, if anything was.
func (a *Allowance) Settle() error {
	if !a.isHeld {
		return nil
	}
	held := a.spent
	a.isHeld, a.spent = false, 0
	if held == 0 {
		return nil
	}
	return a.Last(held)
}

// Close gives back what was not spent. read is what the result would have cost whole, in tokens.
func (a *Allowance) Close(read int) error {
	if a.grant == nil {
		return nil
	}
	return a.grant.Close(read)
}
