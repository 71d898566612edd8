package cmd

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/file"
)

// mostSessions is how many session files findSession opens, the last written first.
const mostSessions = 64

// findSession chooses a session file of hooks or of kfw mcp, if the user named none and the
// default store lacks the handle; an empty id stands for any handle. If several files have the
// handle, it chooses the newest one and returns a note. If none has it, the session stays as it
// is.
func (o *expandOptions) findSession(id string) (notes []pipeline.Warning, err error) {
	if o.session != "" {
		return nil, nil
	}
	store, err := o.file()
	if err != nil {
		return nil, err
	}
	if _, isThere := handleIn(store, id); isThere {
		return nil, nil
	}
	type candidate struct {
		path string
		info session.Info
	}
	var found []candidate
	for _, path := range lastWritten(settings.Sessions(), mostSessions) {
		file := file.At(path, session.Settings{})
		if info, isThere := handleIn(file, id); isThere {
			found = append(found, candidate{path, info})
		}
		if err := file.Close(); err != nil {
			return nil, err
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	newest := slices.MaxFunc(found, func(a, b candidate) int { return a.info.Created.Compare(b.info.Created) })
	if id != "" && len(found) > 1 {
		notes = []pipeline.Warning{{What: fmt.Sprintf("%s is in %d sessions: this one was made last, at %s; --session "+
			"names another", id, len(found), newest.info.Created.UTC().Format(time.RFC3339))}}
	}
	if err := store.Close(); err != nil {
		return nil, err
	}
	o.opened, o.session = nil, newest.path
	o.settings.From["session"] = settings.Origin{Kind: settings.FromFlag} // what reads on needs it
	return notes, nil
}

// handleIn returns the handle of that name in a session, or the last one if id is empty. A file that can't be read
// has none.
func handleIn(file session.Session, id string) (info session.Info, isThere bool) {
	infos, err := file.Handles()
	if err != nil || len(infos) == 0 {
		return info, false
	}
	if id == "" {
		return infos[len(infos)-1], true
	}
	at := slices.IndexFunc(infos, func(info session.Info) bool { return info.ID == id })
	if at < 0 {
		return info, false
	}
	return infos[at], true
}

// lastWritten returns so many of the files that were written last, the latest first.
func lastWritten(paths []string, most int) []string {
	when := make(map[string]time.Time, len(paths))
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil { // else it was removed
			when[path] = info.ModTime()
		}
	}
	slices.SortStableFunc(paths, func(a, b string) int {
		return cmp.Or(when[b].Compare(when[a]), cmp.Compare(a, b))
	})
	return paths[:min(len(paths), most)]
}
