package split

import (
	"bytes"
	"time"
)

// The chunker may have to hold lines until their format is known: whether the first lines are YAML,
// whether a YAML document goes on, whether lines of a text are a JSON value. For a reader who waits,
// it decides after it has waited flushAfter for the source. Only time in which nothing could be read
// counts, so a slow reader or a slow machine changes no decision.

// held is since when bytes of whole lines are held.
type held struct {
	flushAfter time.Duration // how long they may be; 0 is for ever
	waited     time.Duration // for the source, so far
	arrivals   []arrival     // of what was read, the last ones
}

// arrival is when bytes came.
type arrival struct {
	from   int64         // offset of the first of them
	waited time.Duration // for the source, until then
}

// Bounds of arrivals. Bytes that come within a part of flushAfter count as one arrival.
const (
	mostArrivals    = 64
	partsOfArrivals = 20
)

// arrived notes that bytes came, from an offset on.
func (h *held) arrived(from int64) {
	if n := len(h.arrivals); n > 0 && h.waited-h.arrivals[n-1].waited < h.flushAfter/partsOfArrivals {
		return
	} else if n == mostArrivals {
		h.arrivals = append(h.arrivals[:0], h.arrivals[1:]...)
	}
	h.arrivals = append(h.arrivals, arrival{from, h.waited})
}

// since returns what had been waited when the byte at an offset came.
func (h *held) since(offset int64) time.Duration {
	for i := len(h.arrivals) - 1; i > 0; i-- {
		if h.arrivals[i].from <= offset {
			return h.arrivals[i].waited
		}
	}
	if len(h.arrivals) == 0 {
		return 0
	}
	return h.arrivals[0].waited
}

// readOn is readOn of the input, which adds how long that takes to what was waited.
func (c *chunker) readOn() (n int, isLast bool) {
	if c.flushAfter == 0 {
		return c.input.readOn()
	}
	from, before := time.Now(), c.offset(c.end)
	n, isLast = c.input.readOn()
	c.waited += time.Since(from)
	if n > 0 {
		c.arrived(before)
	}
	return n, isLast
}

// IsDue reports whether what waits since then, as Chunk.Waited was, has waited as long as it may. A
// source that pauses is looked at every tenth of flushAfter, so that is how much it may be too
// early.
func IsDue(since, waited, flushAfter time.Duration) bool {
	return flushAfter > 0 && waited-since >= flushAfter-flushAfter/10
}

// isOverdue reports whether lines have been held for as long as they may.
func (c *chunker) isOverdue() bool {
	if c.flushAfter == 0 || c.stopped {
		return false
	}
	from, areHeld := c.heldFrom()
	if !areHeld {
		return false
	}
	return IsDue(c.since(c.offset(from)), c.waited, c.flushAfter)
}

// heldFrom returns where the lines begin in the buffer that are whole and held, if there are any.
func (c *chunker) heldFrom() (from int, areHeld bool) {
	switch c.yaml.state {
	case maybeYAML:
		return c.pos, c.yaml.head.read > 0
	case isYAML:
		return c.unit, c.unit >= 0 && c.pos > c.unit
	case notYAML:
		isAttempt := c.asLines && !c.line && c.unit >= 0 && (c.json.floor == 0 || c.attempt.isArray)
		return c.unit, isAttempt && bytes.IndexByte(c.buf[c.unit:c.pos], '\n') >= 0
	}
	return 0, false
}

// decide takes the held lines for what they seem to be now: possible YAML is lines, a unit of YAML has ended, a JSON
// value in a text is one if it is complete, and lines if not. It reports whether that was possible.
func (c *chunker) decide() bool {
	switch {
	case c.yaml.state == maybeYAML:
		c.yaml.state, c.yaml.head = notYAML, yamlHead{}
	case c.attempt.isComplete:
		c.takeValue()
	case c.yaml.state == notYAML:
		c.toLines()
	default:
		return c.pauseYAML()
	}
	return true
}
