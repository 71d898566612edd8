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
)

// mostSessions is how many session files are looked into for a handle, those that were written last.
const mostSessions = 64

// findSession makes the session one of hooks or of kfw mcp, if none was asked for and the default store does not have
// the handle, or no handle at all if id is empty. Where several have it, it takes the one that was made last, and says
// so. If none has it, nothing is changed.
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
		file := session.At(path, session.Settings{})
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
func handleIn(file *session.File, id string) (info session.Info, isThere bool) {
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
