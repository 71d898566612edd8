package excerpt

import "bytes"

// What makes lines of a diff worth showing: the files first, then what changed in them and where, then what is beside
// it.
const (
	worthOfChange = 2.6  // of the first line of a run of changes
	ofChanged     = 1.5  // of what a line is worth elsewhere, for one that changed
	worthOfHunk   = 3.5  // where it is, and in which function
	slowChanges   = 10.0 // lines of a run after which one is worth half
	nearChange    = 0.15 // of a change, for the context next to it
	ofContext     = 0.5  // of what a line is worth elsewhere, for one of context
	ofNamed       = 0.1  // likewise, for one that repeats the name of a file
	ofFileAsked   = 1.0  // of what the name of a file answers of the question, for what changed in it
)

// diffs weighs the lines of a diff in the second pass.
type diffs struct {
	hunks
	part  diffPart       // of the current line
	run   int            // lines of the same part in a row, the current one included
	near  float64        // worth that a change gives to the next line of context
	came  map[uint64]int // how often a text came: the name of a file, a change
	asked float64        // what the name of the current file answers of the question
}

// see takes in a line.
func (d *diffs) see(line []byte) {
	was := d.part
	if d.part = d.hunks.see(line); d.part != was {
		d.run = 0
	}
	d.run++
}

// nth counts a text, and returns how often it came; 1 if too many others are known.
func (d *diffs) nth(text []byte) int {
	hash := hashOf(text)
	if d.came == nil {
		d.came = make(map[uint64]int)
	}
	if _, isKnown := d.came[hash]; !isKnown && len(d.came) == mostFiles {
		return 1
	}
	d.came[hash]++
	return d.came[hash]
}

// ofRun returns the share of the worth of a change that its place in the run has.
func (d *diffs) ofRun() float64 { return 1 / (1 + float64(d.run-1)/slowChanges) }

// ofDiff returns what a line is worth as a part of a diff: own, if it is none. A change gives of its worth to the
// context above and below it. isName says that the page names a file by the line.
func (c *chooser) ofDiff(own float64, shown []byte, isName bool) float64 {
	d := &c.diffs
	switch {
	case d.part == headOfHunk:
		d.near = 0
		return max(own, worthOfHunk)
	case d.part.isChange():
		if own > 0 { // a declaration, for one
			own *= ofChanged
		}
		own = max(own, worthOfChange*d.ofRun()/float64(d.nth(bytes.TrimSpace(shown[1:]))))
		d.near = own * nearChange
		share := nearChange
		for i := len(c.window) - 1; i >= 0 && i >= len(c.window)-around; i-- {
			c.window[i].own = max(c.window[i].own, own*share)
			share *= nearChange
		}
	case d.part == contextLine:
		own = max(own*ofContext, d.near)
		d.near *= nearChange
	case d.part == headOfFile && !isName:
		return 0
	}
	return own
}

// answers returns what a line of a diff answers of the question, of what its words do.
func (d *diffs) answers(score float64, note note) float64 {
	switch {
	case note == ofFile:
		d.asked = score
	case d.part == headOfFile:
		return score * ofNamed
	case d.part.isChange():
		return score + d.asked*ofFileAsked*d.ofRun()
	}
	return score
}
