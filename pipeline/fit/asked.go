package fit

import (
	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/pipeline/encode"
)

// shareOfTable is what a table that leaves something out has of the room, in percent. The page of all records has the
// rest: rows are hard to count for a reader.
const shareOfTable = 75

// showTable writes the table that says most, if the caller asked for one and all units are records. It reports whether
// it shows them whole.
func (d *digest) showTable(failed error, redacted Source) (isWhole bool) {
	if d.Budget.Mode != budget.Table || d.mode() != budget.Table || !d.units.areRecords() {
		return false
	}
	least := d.final(failed, redacted)
	d.shrink(&least, 0)
	room := d.left - d.costLater(&least, 1)
	w := d.windowOf(max(windowBytes, room*bytesPerToken))
	if w.held.len() == w.count {
		frame, ok := d.wholeTable(&w, w.count, room)
		if ok && d.nameBlobs(&frame) && d.send(&frame, room) {
			d.notices.due.Clear()
			return d.blobs.count == 0
		}
	}
	if frame, ok := d.table(&w, room*shareOfTable/100); ok && d.send(&frame, room) {
		d.notices.due.Clear()
	}
	return false
}

// windowOf returns a window of all units, which holds the first ones in so many bytes, and the last one.
func (d *digest) windowOf(most int) (w window) {
	var frame encode.Frame
	for u := range d.units.all() {
		if len(w.held.arena) > most && u.index < d.units.count {
			continue
		}
		frame = encode.Frame{Mode: budget.Raw, First: u.Seq, Last: u.Seq,
			Raw: encode.Raw{Path: u.Path, Data: u.Value, IsText: u.IsText, GoesOn: u.GoesOn, Top: u.Top}}
		w.gather(&frame, "", "")
	}
	w.count, w.blobs = d.units.count, d.blobs.count
	return w
}
