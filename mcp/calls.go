package mcp

import (
	"math"
	"strconv"
	"sync"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

const (
	// maxID is how many bytes an ID may have that an answer is found by.
	maxID = 1 << 10
	// maxOpen is how many requests may wait for their answers. With more of them, the oldest is forgotten: its answer
	// is treated like that of an unknown tool.
	maxOpen = 1024
	// maxAsked is how many of them keep their arguments, which are the question of the result. With more of them, the
	// oldest loses its own. Longer arguments than mostAsked, in bytes, are not kept.
	maxAsked, mostAsked = 256, 16 << 10

	methodCall       = "tools/call"
	methodList       = "tools/list"
	methodTaskResult = "tasks/result"
)

// call is a request of the client that has no answer yet.
type call struct {
	id      []byte // as the client wrote it
	method  string
	isFirst bool // of tools/list: it asks for the first page
	number  int  // in the order of requests

	Call // of tools/call
}

// isTool reports whether the answer is what a tool gave.
func (c *call) isTool() bool {
	return c.method == "" || c.method == methodCall || c.method == methodTaskResult
}

// calls are the requests that have no answer yet. It may be used from several goroutines.
type calls struct {
	mu     sync.Mutex
	open   map[string]call
	number int
	asked  int  // of those that keep their arguments
	isPart bool // there may be other requests that wait
}

// miss says that there may be a request that is not among them.
func (c *calls) miss() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isPart = true
}

func (c *calls) add(one call) {
	key := keyOf(one.id)
	if key == "" {
		c.miss()
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	other, isThere := c.open[key]
	if isThere && (other.method != one.method || other.Tool != one.Tool) {
		one.method, one.Call = "", Call{} // which of the two is answered is not known
	}
	if isThere || len(one.Arguments) > mostAsked {
		one.Arguments = nil
	}
	if !isThere && len(c.open) >= maxOpen {
		c.isPart = true
		c.remove(c.oldest(func(call) bool { return true }))
	}
	if one.Arguments != nil && c.asked >= maxAsked {
		key := c.oldest(func(o call) bool { return o.Arguments != nil })
		silent := c.open[key]
		silent.Arguments = nil
		c.open[key] = silent
		c.asked--
	}
	c.remove(key)
	c.number++
	one.number = c.number
	c.open[key] = one
	if one.Arguments != nil {
		c.asked++
	}
}

// oldest returns the key of the oldest request for which isOne says yes. There must be one.
func (c *calls) oldest(isOne func(call) bool) (key string) {
	least := math.MaxInt
	for k, o := range c.open {
		if o.number < least && isOne(o) {
			key, least = k, o.number
		}
	}
	return key
}

// remove forgets the request with this key, if there is one.
func (c *calls) remove(key string) {
	if c.open[key].Arguments != nil {
		c.asked--
	}
	delete(c.open, key)
}

// take returns the request with this ID, and forgets it. One that is not known has no method.
func (c *calls) take(id []byte) (one call, isKnown bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := keyOf(id)
	one, isKnown = c.open[key]
	c.remove(key)
	return one, isKnown
}

// only returns the one request that waits, if there is no other.
func (c *calls) only() (one call, isOnly bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one = range c.open {
	}
	return one, len(c.open) == 1
}

// candidates returns the requests that a message may answer: the one with its ID, or if that is nil
// all that wait. isAll says that it can answer no other.
func (c *calls) candidates(id []byte) (all []call, isAll bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if id != nil {
		if one, isKnown := c.open[keyOf(id)]; isKnown {
			return []call{one}, true
		}
		return nil, false
	}
	for _, one := range c.open {
		all = append(all, one)
	}
	return all, !c.isPart
}

// keyOf returns what is equal for equal IDs, however they are written; empty if id is none.
func keyOf(id []byte) string {
	if len(id) == 0 || len(id) > maxID {
		return ""
	}
	if id[0] == '"' {
		return string(jsonx.AppendUnescaped([]byte{'"'}, id[1:len(id)-1]))
	}
	if n, err := strconv.ParseInt(string(id), 10, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	if f, err := strconv.ParseFloat(string(id), 64); err == nil && f == math.Trunc(f) && math.Abs(f) < maxExact {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return string(id) // a float would be equal to others
}

// maxExact is where integers end to be exact as floats.
const maxExact = 1 << 53
