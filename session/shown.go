package session

import (
	"errors"
	"io/fs"
	"time"
)

// Shown is what a response that was shown is recognized by. Both are hashes, of redacted text.
type Shown struct {
	Result []byte // of the response: that of an equal one is the same
	Call   []byte // of what it is the response to: a later response to the same is compared with it
	InPart bool   // the reader is shown some of it; not looked at by Again
}

// Earlier is a response that was shown since the last Reset and can be read. Looking at it does not
// count as a use.
type Earlier struct {
	*Stored
	Ago    int    // entries on the ledger since it was shown, its own included: 1 is the last one
	InPart bool   // it was shown in part
	Asked  []byte // if so, Given.Asked; empty where it is not known that the reader has it
}

// CommitShown is Commit for a response that is about to be shown: the handle gets a name if it has
// none, and Again finds it until the next Reset. In the same transaction the tokens, unless
// they are 0, go on the ledger as File.Spend puts them there; command must be redacted already.
func (h *Handle) CommitShown(s Shown, tokens int, command string) error {
	if tokens < 0 {
		return errors.New("shown: a number of tokens is negative")
	}
	if err := h.settle(); err != nil {
		return err
	}
	if h.ended {
		return errors.New("handle: closed before it was shown")
	}
	h.err = h.do(write{block: h.endBlock(), sync: true, also: func(c *connection) error {
		now := time.Now()
		if tokens > 0 {
			if err := c.spend(tokens, command, now); err != nil {
				return err
			}
		}
		number, isNamed := handleNumber(h.name)
		if !isNamed {
			var err error
			if number, err = c.nextNumber(); err != nil {
				return err
			}
			h.name = handleID(number)
		}
		return c.exec(`UPDATE handle SET state = 'complete', number = ?, last_used_at = ?, result = ?, call = ?,
			entry = (SELECT coalesce(max(id), 0) FROM invocation), asked = iif(?, x'', NULL) WHERE id = ?`,
			number, now.UnixMilli(), s.Result, s.Call, toInt(s.InPart), h.id)
	}})
	h.end()
	return h.err
}

// bestEarlier is the last equal response, or else the last one of the same call.
const bestEarlier = `SELECT result = ?1, (SELECT coalesce(max(id), 0) FROM invocation) - entry + 1,
	asked IS NOT NULL, coalesce(asked, x''), ` + infoColumns + ` FROM handle
	WHERE (result = ?1 OR call = ?2) AND state = 'complete' AND last_used_at + ttl_ms > ?3
	ORDER BY result = ?1 DESC, number DESC LIMIT 1`

// earlier returns the response that was shown since the last Reset and is equal, or else that of
// the same call; nil if there is none.
func (f *File) earlier(c *connection, s Shown, now time.Time) (e *Earlier, isEqual bool, err error) {
	var equal, ago, inPart int
	var asked []byte
	var r infoRow
	found, err := c.one(append([]any{&equal, &ago, &inPart, &asked}, r.columns()...), bestEarlier, s.Result, s.Call,
		now.UnixMilli())
	if err != nil || !found {
		return nil, false, err
	}
	return &Earlier{&Stored{file: f, row: r.id, info: r.info()}, ago, inPart == 1, asked}, equal == 1, nil
}

// Again finds the last response that was shown with this Result. It calls refer, which must not use
// the file and may be called twice, for the tokens that it costs to refer to that response. Unless they are less than
// 0, they go on the ledger in the same transaction, the handle counts as used, and isReferred is true.
// Else nothing is changed, and the last response that was shown with this Call is returned, nil if
// there is none. command is what the ledger calls the entry, redacted already.
func (f *File) Again(
	s Shown, command string, refer func(*Earlier) (tokens int),
) (last *Earlier, isReferred bool, err error) {
	err = f.existing(func(c *connection) error {
		var isEqual bool
		if last, isEqual, err = f.earlier(c, s, time.Now()); err != nil || !isEqual {
			return err // most responses are new: they wait for no other process
		}
		if refer(last) < 0 { // it may read files, and none is read while others wait
			last = nil
			return nil
		}
		return c.transaction(true, func() error {
			now := time.Now()
			if last, isEqual, err = f.earlier(c, s, now); err != nil || !isEqual {
				return err
			}
			tokens := refer(last)
			if tokens < 0 {
				last = nil
				return nil
			}
			isReferred = true
			if err := c.spend(tokens, command, now); err != nil {
				return err
			}
			return c.exec("UPDATE handle SET last_used_at = ? WHERE id = ?", now.UnixMilli(), last.row)
		})
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return last, isReferred, nil
}

// forgetShown makes every response that was shown one that Again does not find.
func (c *connection) forgetShown() error {
	return c.exec(`UPDATE handle SET result = NULL, call = NULL, entry = NULL, asked = NULL,
		lines_of = NULL, lines = NULL
		WHERE result IS NOT NULL`)
}
