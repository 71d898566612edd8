package split

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kfw-dev/kfw/redact"
)

// Warning is something about the response that a reader has to know. It quotes nothing of it.
type Warning struct {
	What         string
	Count        int           // of what; 0 if it can't be counted
	Line, Column int           // where broken JSON is in the redacted response, from 1; 0 for nowhere. The column is in bytes
	Format       redact.Format // what is broken: redact.YAML, or else JSON
}

// Append appends the warning in a line, as frames write it: the place and the count, if there are
// some, then What.
func (w Warning) Append(dst []byte) []byte {
	if w.Line > 0 {
		dst = append(dst, "line "...)
		dst = strconv.AppendInt(dst, int64(w.Line), 10)
		dst = append(dst, ", column "...)
		dst = strconv.AppendInt(dst, int64(w.Column), 10)
		dst = append(append(append(dst, ": broken "...), formatName(w.Format)...), ": "...)
	}
	if w.Count > 0 {
		dst = strconv.AppendInt(dst, int64(w.Count), 10)
		dst = append(dst, ' ')
	}
	if w.Count == 1 {
		return append(dst, singular.Replace(w.What)...)
	}
	return append(dst, w.What...)
}

// singular has the plurals that a count stands before.
var singular = strings.NewReplacer("characters ", "character ", "chunks ", "chunk ", "sequences ", "sequence ",
	"more lines ",
	"more line ", "more values ", "more value ", "more warnings", "more warning")

// formatName is the name of a format that may be broken.
func formatName(f redact.Format) string {
	if f == redact.YAML {
		return "YAML"
	}
	return "JSON"
}

// String is the warning as frames say it.
func (w Warning) String() string { return string(w.Append(nil)) }

// maxWarnings is how many warnings are kept for the next frame that is not raw.
const maxWarnings = 3

// Warnings gathers warnings for a frame to come.
type Warnings struct {
	Kept []Warning
	More int // how many were not kept
}

// Add keeps the warnings that are new, adds up the equal ones, and counts those that are too many.
func (ws *Warnings) Add(all []Warning) {
next:
	for _, w := range all {
		for i, k := range ws.Kept {
			if k.What == w.What && k.Line == w.Line && k.Column == w.Column {
				ws.Kept[i].Count += w.Count
				continue next
			}
		}
		if len(ws.Kept) < maxWarnings {
			ws.Kept = append(ws.Kept, w)
		} else {
			ws.More++
		}
	}
}

// Take adds what others have, and leaves them empty.
func (ws *Warnings) Take(others *Warnings) {
	ws.Add(others.Kept)
	ws.More += others.More
	*others = Warnings{Kept: others.Kept[:0]}
}

// Clear forgets the warnings that are kept: a frame has them.
func (ws *Warnings) Clear() { ws.Kept = ws.Kept[:0] }

// All returns the warnings, and after them how many more there were.
func (ws *Warnings) All() []Warning {
	if ws.More == 0 {
		return ws.Kept
	}
	return append(slices.Clip(ws.Kept), Warning{What: "more warnings", Count: ws.More})
}
