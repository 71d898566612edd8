package fit

import (
	"slices"
	"sort"

	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/summarize/facts"
)

// Bounds of what each half of a tail holds.
const (
	tailChunks = 512
	tailBytes  = 4 // for each token of the budget
)

// leastRoomForLines is the smallest room, in tokens, that is kept for the last lines before other facts are chosen.
const leastRoomForLines = 40

// leastTail is how many chunks a tail shows at least, since the facts have the very last one.
const leastTail = 2

// tail holds the last chunks of what has been read, since the end of a response is known only once it has come: at
// least as many bytes as one half has room for. A chunk that can't be shown as it is makes it forget those before.
type tail struct{ older, newer tailHalf }

// tailHalf holds chunks that follow each other.
type tailHalf struct {
	arena []byte
	held  []tailChunk
}

type tailChunk struct {
	seq    int
	source span
	kind   split.Kind
}

func newTail(bytes int) tail {
	newHalf := func() tailHalf {
		return tailHalf{make([]byte, 0, bytes), make([]tailChunk, 0, tailChunks)}
	}
	return tail{newHalf(), newHalf()}
}

func (h *tailHalf) clear() { h.arena, h.held = h.arena[:0], h.held[:0] }

// add takes a chunk, after all that came before it.
func (t *tail) add(c split.Chunk) {
	content := c.Content()
	if c.Kind >= split.JSONPart || c.Hidden || len(c.Path) > 0 || len(content) > cap(t.newer.arena) ||
		!split.IsValid(content) {
		t.older.clear()
		t.newer.clear()
		return
	}
	if len(content) > cap(t.newer.arena)-len(t.newer.arena) || len(t.newer.held) == cap(t.newer.held) {
		t.older, t.newer = t.newer, t.older
		t.newer.clear()
	}
	h := &t.newer
	from := len(h.arena)
	h.arena = append(h.arena, content...)
	h.held = append(h.held, tailChunk{c.Seq, span{from, len(h.arena)}, c.Kind})
}

// ending is the last chunks that no other frame shows, as the final frame shows them.
type ending struct {
	json   []byte // of each, with a comma before it
	starts []int  // of the commas
	isText bool   // the last one is a line
}

// endingAfter returns the chunks that are held with numbers above this one.
func (t *tail) endingAfter(seq int, present *split.Presenter) (e ending) {
	for _, h := range []*tailHalf{&t.older, &t.newer} {
		for _, c := range h.held {
			value, isText, warnings := present.Present(split.Chunk{Source: c.source.of(h.arena), Kind: c.kind})
			if len(warnings) > 0 { // it can't be shown as it is
				e.starts = e.starts[:0]
			} else if c.seq > seq {
				e.starts = append(e.starts, len(e.json))
				e.json = encode.AppendData(append(e.json, ','), value, isText)
				e.isText = isText
			}
		}
	}
	return e
}

// last returns the last n chunks as an array, nil if there are not enough for that.
func (e *ending) last(n int) []byte {
	if n < leastTail || n > len(e.starts) {
		return nil
	}
	return slices.Concat([]byte{'['}, e.json[e.starts[len(e.starts)-n]+len(","):], []byte{']'})
}

// roomForLines returns the room if the least of the last lines costs no more in a final frame, otherwise 0.
func (w *writer) roomForLines(frame *encode.Frame, e *ending, room int) int {
	probe := *frame
	probe.Facts, probe.Tail = new(facts.Tree), nil
	without := w.cost(&probe)
	if probe.Tail = e.last(leastTail); !e.isText || probe.Tail == nil || room < leastRoomForLines ||
		w.cost(&probe)-without > room {
		return 0
	}
	return room
}

// addTail adds to a final frame with facts the last chunks, as many as it has room for.
func (w *writer) addTail(frame *encode.Frame, e *ending, room int) {
	if frame.Facts == nil {
		return
	}
	all := len(e.starts)
	fewer := sort.Search(all, func(fewer int) bool {
		frame.Tail = e.last(all - fewer)
		return w.fits(frame, room)
	})
	frame.Tail = e.last(all - fewer)
}
