package session

import (
	"cmp"
	"time"

	"github.com/kfw-dev/kfw/budget"
)

const (
	// DefaultTotal is how many tokens a session may write when nothing else was said at its creation.
	DefaultTotal = 100_000

	// NoTotal is the total of a session that only counts: more than anything can use.
	NoTotal = 1 << 50

	// DefaultTTL is how long a handle lives from its last use.
	DefaultTTL = 24 * time.Hour

	// DefaultStoreMax is how many bytes all handles of a session may take together.
	DefaultStoreMax = 1 << 30

	// MostUsed is where the used tokens of a session stop growing, so that sums of amounts never overflow. It is a
	// million times the largest total that a user can set.
	MostUsed = 1 << 60

	// Remembered is how many invocations that have ended a session remembers.
	Remembered = 1000

	// Recent is how many of them are in a Status.
	Recent = 10
)

// Session is a ledger and its handles. Its methods, and those of what it hands out, may be called from several
// goroutines, except that each Grant, Handle and Stored belongs to one at a time.
//
// A session is made by the first method that keeps something: Allocate, Hold, Spend, Record, SetTotal, and a Handle
// that is written. The others return an error that wraps fs.ErrNotExist if the session is not there, where nothing
// else is said. What makes a session unusable is an *Unusable.
type Session interface {
	// Path returns where the session is, as messages show it.
	Path() string

	// Usable returns what makes it impossible to keep something in the session, as far as that shows before it is tried.
	// It changes nothing.
	Usable() error

	// Settings returns what the session says.
	Settings() (Settings, error)

	// CountBy says what the tokens of this process are counted by. Before that, or if it is empty, any session will do.
	CountBy(counting string)

	// Allocate reserves what is asked, or what is left if that is less, for an invocation of command. What ended
	// invocations held is given back first. If less than least is left, the error is an *Exhausted; if the session's
	// tokens are counted otherwise, an *OtherCounting.
	Allocate(asked, least int, command string) (*Grant, error)

	// Hold reserves what is asked, or what is left if that is less, until the grant is settled or released, or that time
	// is over. The account is the one after the grant. If nothing is left, the error is an *Exhausted.
	Hold(asked int, hold time.Duration, command string) (Held, budget.Account, error)

	// Spend records tokens that were used without a grant, all of them, even if less is left. The account is the one
	// after the entry.
	Spend(tokens int, command string) (budget.Account, error)

	// Settle records the tokens that a held grant was used for, all of them, even if they are more than it. What it did
	// not use is free again. The tokens of a grant that has expired are recorded as well, once, and late is true.
	// command takes the place of the one given to Hold. For a grant that can't be settled the error is a *NotHeld.
	Settle(id string, tokens int, command string) (late bool, account budget.Account, err error)

	// Release gives a held grant back unused and returns its tokens. Errors are those of Settle; that a grant has
	// expired is one of them.
	Release(id string) (tokens int, account budget.Account, err error)

	// Record puts on the ledger what something cost that was not paid from the session's tokens: a model's turn, as its
	// provider tells it. in and out are tokens.
	Record(command string, in, out int) error

	// Status returns the account, and the last ten invocations and all held grants, the newest first. What ended
	// invocations and expired grants held is free in it.
	Status() (Status, error)

	// History returns the invocations that have ended and that a response paid for, the oldest first: the last thousand
	// are known.
	History() ([]Invocation, error)

	// SetTotal changes what all invocations together may write.
	SetTotal(tokens int) error

	// Reset forgets what was written, except what invocations that still run have drawn, and what was shown: no response
	// is an Earlier any more. Held grants stay held.
	Reset() error

	// NewHandle returns a handle for a response from there, a command or a file name, of which redacted was taken out,
	// in the words of the caller.
	NewHandle(from, redacted string) *Handle

	// Handle returns the response of this name, and counts as a use of it. The error is a *Gone if it is not there.
	Handle(id string) (*Stored, error)

	// Handles returns the handles that can be read, the oldest first.
	Handles() ([]Info, error)

	// LastHandle returns the name of the handle that was named last and can be read; empty if there is none.
	LastHandle() (id string, err error)

	// Remove removes the handles of these names, or none if one of them is not there: the error is a *Gone then.
	Remove(ids ...string) error

	// Again finds the last response that was shown with this Result. It calls refer, which must not use the session and
	// may be called several times, for the tokens that it costs to refer to that response. Unless they are less than 0,
	// they go on the ledger in the same transaction, the handle counts as used, and isReferred is true. Else nothing is
	// changed, and the last response that was shown with this Call is returned, nil if there is none. Without a session
	// there is none.
	Again(s Shown, command string, refer func(*Earlier) (tokens int)) (last *Earlier, isReferred bool, err error)

	// Give records that the reader has what was shown of a response, after CommitShown. It records nothing if there was
	// a Reset since. Until it is called, no line counts as shown.
	Give(g Given) error

	// ShownLines returns the lines that the reader has since the last Reset, those recognized by of: the handle that was
	// shown last with each, by the hash of the line. Handles that are gone have none. Without a session there are none.
	ShownLines(of []byte) (map[uint64]string, error)

	// Close gives back what was opened.
	Close() error
}

// Settings are what a process asks of a session. Zero is what the session says, or its default when it is made.
type Settings struct {
	Total    int           // tokens that all invocations together may write; of a session that is there it stays as it is
	TTL      time.Duration // how long a handle made by this process lives from its last use
	StoreMax int64         // bytes that all handles together may take, as long as this process adds to them
	Counting string        // what tokens are counted by; of a session in which some were, it stays as it is

	Wait time.Duration // for other processes that write, or for a server, at the most; 0 is the default of the kind

	MakeDirectory bool // of a file: make the one that it is to be in, and those above it, where it is not there
}

// OrDefault returns the settings of a session that is made with s.
func (s Settings) OrDefault() Settings {
	s.Total, s.TTL = cmp.Or(s.Total, DefaultTotal), cmp.Or(s.TTL, DefaultTTL)
	s.StoreMax = cmp.Or(s.StoreMax, DefaultStoreMax)
	return s
}

// CountsOtherwise reports whether a session whose tokens are counted by counted can't take those of this process.
func (s Settings) CountsOtherwise(counted string) bool {
	return counted != "" && s.Counting != "" && counted != s.Counting
}

// Unusable is the error for a session that cannot be worked with. A file that is not a session, or is of a newer kfw,
// is left byte for byte as it is.
type Unusable struct {
	Path   string // without user and password
	Reason string
	Full   bool // its handles take all that they may

	NoDirectory bool   // it can't be made where there is none
	NoSpace     bool   // the disk is full
	OpenTo      string // the directory that others can write; empty for none

	IsServer bool  // it is on a server
	NoTables bool  // which has no tables of kfw, or those of an earlier version
	Cause    error // what the system or the database reported, nil if the session was refused for what it holds
}

// Error implements error.
func (e *Unusable) Error() string { return e.Path + ": " + e.Reason }

// Unwrap returns the cause.
func (e *Unusable) Unwrap() error { return e.Cause }

// Damaged is the error for a session whose stored data has changed.
func Damaged(path string) *Unusable {
	return &Unusable{Path: path, Reason: "is damaged", Cause: ErrDamaged}
}
