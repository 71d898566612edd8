package file

import (
	"os"
	"time"
)

// process identifies one process, even when its pid is used again.
type process struct {
	pid     int
	start   string // when it started, in a unit of the system; "" if unknown
	machine string
}

type life int

const (
	alive   life = iota
	dead         // it ended, for certain
	unknown      // it cannot be seen from here, as in another container
)

// leaseOfUnseen is how long a process that cannot be seen from here keeps what it holds.
const leaseOfUnseen = 24 * time.Hour

func self() process {
	start, _ := startOf(os.Getpid())
	return process{pid: os.Getpid(), start: start, machine: machine()}
}

// gone reports whether what p has held since then can be given back.
func (p process) gone(since, now time.Time) bool {
	switch p.life() {
	case alive:
		return false
	case unknown:
		return now.Sub(since) > leaseOfUnseen
	default:
		return true
	}
}
