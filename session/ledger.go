package session

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Exhausted is the error when a session has less left than an invocation needs. Nothing is recorded of it.
type Exhausted struct {
	Left, Total int // tokens
	Reserved    int // tokens that may come back
	Running     int // invocations that reserve some of them until they end
	Held        int // held grants that reserve the others
}

// Error implements error. It says what is left, and how much others reserve.
func (e *Exhausted) Error() string {
	said := fmt.Sprintf("session exhausted: %d of %d tokens left", e.Left, e.Total)
	var by []string
	switch e.Running {
	case 0:
	case 1:
		by = append(by, "a run that has not ended")
	default:
		by = append(by, fmt.Sprintf("%d runs that have not ended", e.Running))
	}
	switch e.Held {
	case 0:
	case 1:
		by = append(by, "a held grant")
	default:
		by = append(by, fmt.Sprintf("%d held grants", e.Held))
	}
	if len(by) == 0 {
		return said
	}
	return fmt.Sprintf("%s, %d reserved by %s", said, e.Reserved, strings.Join(by, " and "))
}

// OtherCounting is the error when an invocation counts tokens otherwise than those before it in the session: its
// amounts could not be added to theirs. Nothing is recorded of it.
type OtherCounting struct {
	Counting string // that of the session
}

// Error implements error.
func (e *OtherCounting) Error() string { return "the session counts by " + e.Counting }

// ErrTakenBack is the error for a grant that the session has given to others: its process was taken to be dead.
var ErrTakenBack = errors.New("spend: the grant was taken back: this process was taken to be dead")

// Entry is the row of a grant on a ledger.
type Entry interface {
	// Check returns why nothing more may be written, though it is drawn.
	Check() error

	// Draw records that drawn tokens, in all, may be written from now on. When it returns they are on disk.
	Draw(drawn int) error

	// End records that the invocation has ended, and that exactly so many tokens were written. tokensIn is what the
	// response would have cost.
	End(spent, tokensIn int) error
}

// Granted is what a ledger has granted, in tokens.
type Granted struct {
	Tokens int
	Left   int // of the session, the grant included
	Total  int // of the session
	Aside  int // of the grant: drawn for the end of the output
	Drawn  int // of the grant: that and what else is drawn already
	Slices int // a grant is drawn in about so many entries
}

// Grant is what one invocation may write. It belongs to the process that allocated it.
type Grant struct {
	entry   Entry
	granted Granted
	spent   int // what was written, or is about to be
	drawn   int // what the ledger says it was: never less
	closed  bool
}

// NewGrant returns a grant that was put on a ledger.
func NewGrant(on Entry, g Granted) *Grant { return &Grant{entry: on, granted: g, drawn: g.Drawn} }

// Tokens returns what was granted.
func (g *Grant) Tokens() int { return g.granted.Tokens }

// SessionLeft returns what the session had left when the grant was made, the grant included, in tokens.
func (g *Grant) SessionLeft() int { return g.granted.Left }

// SessionTotal returns what the session may write in all, in tokens.
func (g *Grant) SessionTotal() int { return g.granted.Total }

// Drawn returns what the ledger says was written: never less than was.
func (g *Grant) Drawn() int { return g.drawn }

// Spend records that this many tokens are about to be written. When it returns they are on the ledger, on disk. They
// are drawn in slices, so that most calls find them there already.
func (g *Grant) Spend(tokens int) error { return g.spend(tokens, g.granted.Aside) }

// Last is Spend for the end of the output. It may use the tokens that the grant has set aside for it, so it works on a
// full disk.
func (g *Grant) Last(tokens int) error { return g.spend(tokens, 0) }

func (g *Grant) spend(tokens, aside int) error {
	all := g.granted.Tokens
	switch {
	case g.closed:
		return errors.New("spend: the grant is closed")
	case tokens < 0:
		return errors.New("spend: a number of tokens is negative")
	case tokens > all-g.spent:
		return fmt.Errorf("spend: %d tokens asked, %d left of the grant", tokens, all-g.spent)
	}
	if needed := min(all, g.spent+tokens+aside); needed > g.drawn {
		if err := g.draw(min(all, max(needed, g.drawn+Slice(all, g.granted.Slices)))); err != nil {
			return err
		}
	}
	if err := g.entry.Check(); err != nil {
		return err
	}
	g.spent += tokens
	return nil
}

// Slice returns how much of a grant is drawn at once, in tokens.
func Slice(tokens, slices int) int { return (tokens + slices - 1) / slices }

func (g *Grant) draw(drawn int) error {
	err := g.entry.Draw(drawn)
	if err == nil {
		g.drawn = drawn
	}
	return err
}

// Close ends the invocation: what was spent stays on the ledger, exactly, and the rest goes back. tokensIn is what
// the response itself would have cost, in tokens; what was saved is the difference, which is negative for an
// invocation that only repeats. Closing again does nothing.
func (g *Grant) Close(tokensIn int) error {
	if g.closed {
		return nil
	}
	err := g.entry.End(g.spent, tokensIn)
	if err == nil {
		g.closed = true
	}
	return err
}

// Status is the account of a session at one moment.
type Status struct {
	Total, Used, Reserved, Left int     // tokens
	Share                       float64 // of the total that is left, 0 to 1
	// tokens, of all invocations that ended: what their responses would have cost, less what was written
	Saved    int
	Counting string // what its tokens are counted by; empty if there are none yet
	Recent   []Invocation
}

// Invocation is one use of the session. Amounts are tokens; those of one that still runs are what it has drawn so
// far.
type Invocation struct {
	Command                    string
	TokensIn, TokensOut, Saved int
	Started                    time.Time
	Held                       Held // zero if it is not a held grant
}

// Held is a grant that belongs to no process. It ends when it is settled or released, or when its time is over.
type Held struct {
	ID     string // g1, g2, ...; empty in an Invocation that is no held grant
	Tokens int
	Until  time.Time
}

// NotHeld is the error for a grant that can't be settled or released. Nothing is recorded.
type NotHeld struct {
	ID     string // empty if what was asked for has not the form of an ID
	Reason string // unknown, running, settled or expired
}

// Error implements error.
func (e *NotHeld) Error() string {
	switch e.Reason {
	case "running":
		return "grant " + e.ID + " belongs to a run that has not ended"
	case "settled":
		return "grant " + e.ID + " is settled or released already"
	case "expired":
		return "grant " + e.ID + " has expired: what it held is free already"
	}
	if e.ID == "" {
		return "no such grant"
	}
	return "no such grant: " + e.ID
}
