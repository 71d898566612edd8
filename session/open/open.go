// Package open finds the session of a name: that of a file.
//
// It is apart from package session, which the kinds of sessions import.
package open

import (
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/file"
)

// At returns the session of this path. It touches nothing until something is kept or asked.
func At(where string, s session.Settings) (session.Session, error) { return file.At(where, s), nil }
