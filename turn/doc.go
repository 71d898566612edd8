// Package turn puts a language model's streamed answer together, and guards it: a state machine without I/O that bytes
// are pushed into and events are pulled out of.
//
//	a := turn.New(turn.Options{Advertised: []string{"add"}})
//	a.Push(bytes)                        // cut anywhere
//	for e, ok := a.Next(); ok; e, ok = a.Next() {
//		// text and reasoning as they come; calls when they are whole
//		// turn.InvalidCall: a.Resolve, turn.AwaitVerdict: a.Decide
//	}
//	t := a.Close()                       // the turn, as a call without streaming would have returned it
//
// The way of a byte:
//
//	wire        cuts the stream into JSON texts: events, lines, values, elements of an array, binary frames
//	protocol    what a chunk of a provider says, as steps that are the same for all; one file for each provider
//	turn        the Assembler takes in steps and gives out events; it knows no provider and no framing
//	guard       policies for calls: rules, a judge, what is repaired to what
//	encode      events as chunks of the provider's own protocol again; one file for each provider
//
// In this package:
//
//	assembler.go    Assembler: takes in steps, gives out events
//	stream.go       bytes to steps: the framing, and which protocol it is
//	core.go         what all parts of a turn share: events to be pulled, how it ends, what is left to do
//	choice.go       one answer of the turn: its prose, its calls, why it ended
//	prose.go        texts, refusals and reasoning of a choice
//	block.go        one text, refusal or piece of reasoning, redacted
//	calls.go        calls of a choice: which one a piece belongs to, in which order they are let through
//	call.go         one call: its name, its arguments, when it is whole
//	guard.go        what becomes of a call: resolutions and verdicts
//	policy.go       Policy: what is asked about every chunk
//	redactor.go     Redactor: what takes secrets out of a text
//	snapshot.go     Snapshot: everything that was assembled so far
//	usage.go        what the provider says that the turn cost
//	events.go       Event, and its form as a line
//	result.go       Turn, why it ended, and its form as JSON
//	stored.go       a Turn and a Snapshot that are read back
//	json.go         members of a JSON object
//
// # Which call a piece belongs to
//
// A call is known by its choice and index. A piece opens a new one if there is none with that index, or if it has an id
// other than that one's together with a name. An id that is known comes before the index. Without an index the id
// tells, and without both it is the call touched last. Where the protocol numbers its blocks or items the number alone
// tells.
//
// The first name of a call is final, as it is what the list of tools has seen; another one later ends the turn. A call
// is whole when its block ends, or when the finish reason arrives; never because its arguments happen to parse.
//
// # What always holds
//
// The last event is the turn, whatever the input was. Events do not depend on how the input was cut. Nothing of a call
// is told before its name was allowed; a call is let through once, after it was whole and, if calls are judged,
// allowed. Time is linear in the input, and what is kept of it is bounded. No message of this package quotes the
// input, but that of a provider's own error and the first words of what is no answer, which are redacted.
package turn
