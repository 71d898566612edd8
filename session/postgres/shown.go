package postgres

import (
	"errors"
	"io/fs"

	"github.com/kfw-dev/kfw/session"
)

// earlier returns the response that was shown since the last Reset and is equal, or else that of the same call; nil
// if there is none.
func (s *Session) earlier(shown session.Shown) (e *session.Earlier, isEqual bool, err error) {
	err = s.rows("SELECT * FROM kfw.earlier($1, $2, $3, $4)", s.named(shown.Result, shown.Call), func() { e = nil },
		func(row rowValues) (bool, error) {
			var r infoRow
			var ago int64
			var asked []byte
			if err := row.scan(append([]any{&isEqual, &ago, &asked}, r.columns()...)...); err != nil {
				return false, err
			}
			e = &session.Earlier{Stored: s.stored(&r), Ago: int(ago), InPart: asked != nil, Asked: asked}
			return true, nil
		})
	return e, isEqual && e != nil, err
}

// Again implements session.Session. refer is called again where another response, or another entry, has come since.
func (s *Session) Again(shown session.Shown, command string, refer func(*session.Earlier) (tokens int)) (
	last *session.Earlier, isReferred bool, err error) {
	for {
		last, isEqual, err := s.earlier(shown)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, false, nil
		}
		if err != nil || !isEqual {
			return last, false, err
		}
		tokens := refer(last)
		if tokens < 0 {
			return nil, false, nil
		}
		err = s.synced("SELECT kfw.refer($1, $2, $3, $4, $5, $6, $7, $8, $9)",
			s.named(newToken(), shown.Result, last.Row(), int64(last.Ago), int64(tokens), command, hostName()), &isReferred)
		if err != nil || isReferred {
			return last, isReferred, err
		}
	}
}

// Give implements session.Session.
func (s *Session) Give(g session.Given) error {
	number, err := g.Number()
	if err != nil {
		return err
	}
	as := []int64{}
	for _, id := range g.As {
		n, _ := session.HandleNumber(id) // there is no handle 0
		as = append(as, n)
	}
	return s.row("SELECT kfw.give($1, $2, $3, $4, $5, $6, $7)", s.named(number, g.Asked, g.Of, g.PackedLines(), as))
}

// ShownLines implements session.Session.
func (s *Session) ShownLines(of []byte) (map[uint64]string, error) {
	var all session.LinesShown
	err := s.rows("SELECT * FROM kfw.lines($1, $2, $3)", s.named(of),
		func() { all = session.LinesShown{By: make(map[uint64]string)} },
		func(row rowValues) (bool, error) {
			var number int64
			var lines []byte
			if err := row.scan(&number, &lines); err != nil {
				return false, err
			}
			return all.Add(number, lines), nil
		})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return all.By, err
}
