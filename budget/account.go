package budget

// Account is the ledger of a session at one moment, in tokens.
type Account struct {
	Total    int // what the session may write in all
	Used     int // what has been written, or drawn in order to be written
	Reserved int // what running invocations have been granted and have not drawn
}

// Left returns what can still be granted, never less than zero.
func (a Account) Left() int {
	return max(0, a.Total-max(0, a.Used)-max(0, a.Reserved))
}

// Grant returns what an invocation that asks for this many tokens gets: the smaller of what it asks and what is left.
func (a Account) Grant(asked int) int {
	return max(0, min(asked, a.Left()))
}
