//go:build linux

package file

import (
	"testing"
	"time"
)

func TestLife(t *testing.T) {
	me := self()
	now := time.Now()
	ended := processAs(t, "ask", "")
	_ = ended.Run() // it fails, and has ended

	changed := func(change func(p *process)) process {
		p := me
		change(&p)
		return p
	}
	for _, c := range []struct {
		name string
		p    process
		life life
	}{
		{"this process", me, alive},
		{"one that ended", process{ended.Process.Pid, me.start, me.machine}, dead},
		{"a pid used again", changed(func(p *process) { p.start += "0" }), dead},
		{"start unknown", changed(func(p *process) { p.start = "" }), alive},
		{"before the machine was started again", changed(func(p *process) { p.machine = "other" + p.machine }), dead},
		{"where the kernel does not name itself", changed(func(p *process) { p.machine = " x" }), unknown},
		{"in another container", changed(func(p *process) { p.machine += "1" }), unknown},
	} {
		if got := c.p.life(); got != c.life {
			t.Errorf("%s: %v, want %v", c.name, got, c.life)
		}
		wantGone := c.life == dead
		if got := c.p.gone(now, now); got != wantGone {
			t.Errorf("%s: gone is %v", c.name, got)
		}
		wantGone = c.life != alive
		if got := c.p.gone(now.Add(-leaseOfUnseen-1), now); got != wantGone {
			t.Errorf("%s, after the lease: gone is %v", c.name, got)
		}
	}
	if me.start == "" || me.machine == " " {
		t.Errorf("this process is not told from others: %+v", me)
	}
}
