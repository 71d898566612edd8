//go:build !race

// The race detector makes pools, as regexp has, forget at random.

package redact

import (
	"bytes"
	"strings"
	"testing"
)

// What only looks like a match costs no memory.
func TestRuleFileAllocs(t *testing.T) {
	x := compileTeam(t).Text()
	in := []byte(strings.Repeat("acme is 7 years old, blob: none, badge: none, Q1 and Z9Q ~tkt~ ", 20))
	var out []byte
	if n := testing.AllocsPerRun(100, func() { out = x.Flush(x.Append(out[:0], in)) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if !bytes.Equal(out, in) {
		t.Errorf("%q gives %q", in, out)
	}
}
