package file

import (
	"errors"
	"io/fs"
	"time"

	"github.com/kfw-dev/kfw/session"
)

// show ends a handle as one that is about to be shown.
func (c *connection) show(w *session.Write, now time.Time) error {
	if w.Tokens > 0 {
		if err := c.spend(w.Tokens, w.Command, now); err != nil {
			return err
		}
	}
	return c.exec(`UPDATE handle SET state = 'complete', last_used_at = ?, result = ?, call = ?,
		entry = (SELECT coalesce(max(id), 0) FROM invocation), asked = iif(?, x'', NULL) WHERE id = ?`,
		now.UnixMilli(), w.Shown.Result, w.Shown.Call, toInt(w.Shown.InPart), w.Handle)
}

// bestEarlier is the last equal response, or else the last one of the same call.
const bestEarlier = `SELECT result = ?1, (SELECT coalesce(max(id), 0) FROM invocation) - entry + 1,
	asked IS NOT NULL, coalesce(asked, x''), ` + infoColumns + ` FROM handle
	WHERE (result = ?1 OR call = ?2) AND state = 'complete' AND last_used_at + ttl_ms > ?3
	ORDER BY result = ?1 DESC, number DESC LIMIT 1`

// earlier returns the response that was shown since the last Reset and is equal, or else that of
// the same call; nil if there is none.
func (f *Session) earlier(c *connection, s session.Shown, now time.Time) (e *session.Earlier, isEqual bool, err error) {
	var equal, ago, inPart int
	var asked []byte
	var r infoRow
	found, err := c.one(append([]any{&equal, &ago, &inPart, &asked}, r.columns()...), bestEarlier, s.Result, s.Call,
		now.UnixMilli())
	if err != nil || !found {
		return nil, false, err
	}
	return &session.Earlier{Stored: f.stored(&r), Ago: ago, InPart: inPart == 1, Asked: asked}, equal == 1, nil
}

// Again finds the last response that was shown with this Result. It calls refer, which must not use
// the file and may be called twice, for the tokens that it costs to refer to that response. Unless they are less than
// 0, they go on the ledger in the same transaction, the handle counts as used, and isReferred is true.
// Else nothing is changed, and the last response that was shown with this Call is returned, nil if
// there is none. command is what the ledger calls the entry, redacted already.
func (f *Session) Again(
	s session.Shown, command string, refer func(*session.Earlier) (tokens int),
) (last *session.Earlier, isReferred bool, err error) {
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
			return c.exec("UPDATE handle SET last_used_at = ? WHERE id = ?", now.UnixMilli(), last.Row())
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
