package lineset

const (
	firstTries   = 1024    // before it is known whether trying pays
	fewestHits   = 4       // one in so many tries pays
	triesBetween = 16      // of times to try when it does not: it may again
	mostTries    = 1 << 13 // then those before count half
)

// habit is something that is tried for each line and pays where it succeeds now and then: where it hardly ever does, it
// is tried once in a while only.
type habit struct{ tries, hits, passed int }

// isDue reports whether to try it now.
func (h *habit) isDue() bool {
	if h.tries >= firstTries && h.hits*fewestHits < h.tries && h.passed < triesBetween {
		h.passed++
		return false
	}
	h.passed = 0
	if h.tries++; h.tries == mostTries {
		h.tries, h.hits = h.tries/2, h.hits/2
	}
	return true
}

// pays says that a try has succeeded.
func (h *habit) pays() { h.hits++ }
