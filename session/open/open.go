// Package open finds the session of a name: that of a file, or that of a URL on a server.
//
// It is apart from package session, which the kinds of sessions import.
package open

import (
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/file"
	"github.com/kfw-dev/kfw/session/postgres"
)

// At returns the session of a path, or of a URL. It touches nothing until something is kept or asked. An error is of
// the URL, and does not quote it.
func At(where string, s session.Settings) (session.Session, error) {
	if !session.IsURL(where) {
		return file.At(where, s), nil
	}
	place, err := postgres.Parse(where)
	if err != nil {
		return nil, err
	}
	found, err := postgres.At(place, s)
	if err != nil {
		return nil, err
	}
	return found, nil
}

// Shown returns the name of a session as messages show it: without the user of a URL.
func Shown(where string) string {
	if !session.IsURL(where) {
		return where
	}
	place, err := postgres.Parse(where)
	if err != nil {
		return "the URL of a session"
	}
	return place.String()
}
