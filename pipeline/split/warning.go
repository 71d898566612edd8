package split

import "strconv"

// Warning is something about the response that a reader has to know. It quotes nothing of it.
type Warning struct {
	What         string
	Count        int // of what; 0 if it can't be counted
	Line, Column int // where broken JSON is in the redacted response, from 1; 0 for nowhere. The column is in bytes
}

func (w Warning) Append(dst []byte) []byte {
	if w.Line > 0 {
		dst = append(dst, "line "...)
		dst = strconv.AppendInt(dst, int64(w.Line), 10)
		dst = append(dst, ", column "...)
		dst = strconv.AppendInt(dst, int64(w.Column), 10)
		dst = append(dst, ": broken JSON: "...)
	}
	if w.Count > 0 {
		dst = strconv.AppendInt(dst, int64(w.Count), 10)
		dst = append(dst, ' ')
	}
	return append(dst, w.What...)
}

// maxWarnings is how many warnings are kept for the next frame that is not raw.
const maxWarnings = 3

// warnings are those that have not been told.
type Warnings struct {
	Kept []Warning
	More int // that were not kept
}

// add keeps what is new, adds up what is the same, and counts what is too much.
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

// take adds what others have, and leaves them empty.
func (ws *Warnings) Take(others *Warnings) {
	ws.Add(others.Kept)
	ws.More += others.More
	*others = Warnings{Kept: others.Kept[:0]}
}
