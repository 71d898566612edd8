package hosts

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/kfw-dev/kfw/internal/lazy"
)

var plainID = lazy.Regexp(`^[A-Za-z0-9_-]{1,64}$`)

// sessionPath is the session file of a host session, or of an agent in it, below the state directory. What an ID says
// never chooses the directory.
func sessionPath(state, host string, e *Event) string {
	return filepath.Join(state, "sessions", sessionName(host, e)+".kfw")
}

// sessionName is the name of the session of an event.
func sessionName(host string, e *Event) string {
	name := host + "-" + fileID(e.Session)
	if e.Agent != "" {
		name += "." + fileID(e.Agent)
	}
	return name
}

// fileID is an ID as part of a file name: itself, or a hash, which begins with what no plain ID has.
func fileID(id string) string {
	if plainID().MatchString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "~" + hex.EncodeToString(sum[:16])
}
