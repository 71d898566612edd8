package excerpt

import (
	"bytes"
	"math"
	"strings"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
)

// What makes a unit worth showing, on the scale of a word of the question that one unit of many has: that is worth
// the natural logarithm of how many units there are, some 3 to 7.
const (
	worthOfFailure   = 12.0 // what failed is what a reader acts on
	worthOfVerdict   = 8.0  // how a run ended
	worthOfMention   = 3.0  // a word for an error that nothing contradicts and nothing confirms
	worthOfWarning   = 5.0  // a warning
	worthOfExtreme   = 6.0  // the first number that is far from the others at its place
	worthOfMost      = 3.0  // the greatest number at its place
	worthOfRelated   = 6.0  // the first of the units that have an identifier of a failure
	worthOfHeading   = 1.5  // a heading, a file of a diff, a command
	worthOfFile      = 6.0  // a file of a diff, with how much of it changed
	worthOfSubject   = 4.0  // of a commit
	worthOfCaption   = 4.0  // the first line of a section: the command, the header of the table
	worthOfTitle     = 2.5  // a heading of the two upper levels
	worthOfReference = 3.0  // a file that a text names, in a document
	worthOfQuote     = 1.0  // a name in backquotes, in a document
	worthOfOutermost = 3.0  // a declaration that is not indented
	worthOfInner     = 1.2  // one that is
	worthOfRare      = 2.5  // one of few of its kind, where most units repeat
	worthOfRareValue = 6.0  // a value that few have, where a kind of unit has one of few
	leastTotal       = 2.0  // less is no reason to be shown before more that answers the question
	worthOfRange     = 10.0 // of the first unit of a range, twice that of the last one
	worthOfBeginning = 4.0  // of the first unit; a page begins as the response does
	worthOfEnd       = 3.0  // of the last one: many tools put what they found there
)

// How worth spreads.
const (
	beginningDecay = 15.0 // units after which the beginning is worth 1/e of it
	endDecay       = 5.0  // units before the end
	nextShare      = 0.3  // of what a unit answers of the question, for its neighbours
	secondShare    = 0.1  // for those next to these
	underFailure   = 0.55 // of a failure, for each unit under it, of the one above
	closeUnder     = 3    // units under a failure that may be usual ones
	aboveFailure   = 0.2  // for the unit above it
	ofOwner        = 0.5  // for what it belongs to: the file, the test, the command
	mostOwners     = 3    // units that one belongs to
	leastUnder     = 0.5  // a failure has no more units under it where they would be worth less
	fewAlike       = 4    // failures of one template that are each shown
	fewFailures    = 0.5  // of all units: more are what is usual
)

const leastRare = 3.0

// surprising is the surprise of a value that is worth showing as such: one of so many units is new there, e to the
// power of it.
const surprising = 6.0

// redacted begins a placeholder.
var redacted = []byte("[REDACTED:")

// fewRedacted is of how many units at most one has a placeholder, for those to be worth showing.
const fewRedacted = 50

// perUnit is added to the bytes of a unit where worth is weighed against cost: a reader needs whole thoughts, and short
// lines have few.
const perUnit = 100.0

// rate returns the worth of unit n without its place and without the question.
func (c *chooser) rate(n int, shown []byte, template int) float64 {
	text := bytes.TrimSpace(shown[c.ownNumberLen(shown):])
	if len(text) == 0 {
		return 0
	}
	seen, count := 1, 1
	if template >= 0 {
		t := &c.templates[template]
		t.seen++
		seen, count = t.seen, t.count
	}
	c.rare = 0
	worth := 0.0
	kind, surprise := 0, 0.0
	if c.now.learns {
		kind = c.kinds.look(c.words)
	}
	if seen <= lookedAtOfOne {
		worth = c.rateText(n, shown, text, kind < leastOfKind)
	}
	if worth >= worthOfFailure { // each of few that fail is news, though they read alike
		return worth / max(1, float64(seen-fewAlike)) / (1 + math.Log(max(1, float64(count)/fewAlike)))
	}
	far := 0.0
	if c.now.learns && !c.now.isQuoting {
		if nth, isMost := c.extremes.look(shown[ownNumberLen(shown):], c.words); nth > 0 {
			far = worthOfExtreme / float64(nth)
		} else if isMost {
			far = worthOfMost
		}
	}
	ofFailure := 0.0
	if c.now.areFewFailures {
		if nth := c.related.look(text); nth > 0 {
			ofFailure = worthOfRelated / float64(nth)
		}
	}
	if c.now.learns && c.now.isRepeating {
		surprise = c.surprise.look(c.words)
		worth = max(worth, worthOfRareValue*min(1, surprise/surprising))
	}
	if surprise >= leastRare {
		c.rare = surprise
	}
	if c.redacted*fewRedacted <= c.units && bytes.Contains(text, redacted) {
		worth = max(worth, worthOfRare)
	}
	if c.now.isRepeating && kind < leastRepeating {
		worth = max(worth, worthOfRare/float64(max(kind, 1)))
	}
	return max(worth/float64(seen), ofFailure, far)
}

// rateText returns what the text of a unit is worth. isAlone says that few are of its kind.
func (c *chooser) rateText(n int, shown, text []byte, isAlone bool) float64 {
	c.now.fence.see(text)
	if c.now.areFewFailures {
		if mention := c.mentionOf(n, text); mention == aFailure || hasFailureElement(text) {
			return worthOfFailure
		} else if mention == aMention {
			return worthOfMention
		}
	}
	rest := shown[c.ownNumberLen(shown):]
	isInner := rest[0] == ' ' || rest[0] == '\t'
	if c.now.isDiff {
		text = bytes.TrimLeft(text, "+- ")
		isInner = rest[0] == ' '
	}
	switch {
	case !c.now.isQuoting && isAlone && lineclass.OutcomeOf(text) != lineclass.NoOutcome:
		return worthOfVerdict
	case !c.now.isQuoting && isWarning(text):
		return worthOfWarning
	case c.now.isDocument && isTitle(text) && !c.now.fence.isOpen:
		return worthOfTitle / float64(1+bytes.IndexByte(text, ' ')/3)
	case c.now.isDocument && namesFile(text):
		return worthOfReference
	case c.now.isDocument && bytes.Count(text, []byte{'`'}) >= 2:
		return worthOfQuote
	case !c.now.isQuoting && isHeading(text):
		return worthOfHeading
	case len(text) > 0 && isDeclaration(text):
		if isInner {
			return worthOfInner
		}
		return worthOfOutermost
	}
	return 0
}

// ownNumberLen returns the length of the number that a unit brings with it, if most do; else 0.
func (c *chooser) ownNumberLen(shown []byte) int {
	if !c.now.bringNumbers || c.areRecords() {
		return 0
	}
	return ownNumberLen(shown)
}

// hasFailureElement reports whether a line begins with the element of a test that failed, as in reports of JUnit.
func hasFailureElement(text []byte) bool {
	return bytes.HasPrefix(text, []byte("<failure")) || bytes.HasPrefix(text, []byte("<error"))
}

// mentionOf returns whether unit n, with this text, says that something failed.
func (c *chooser) mentionOf(n int, text []byte) mention {
	if n <= len(c.mentions) && c.mentions[n-1] != unknownMention {
		return c.mentions[n-1]
	}
	return mentionIn(text)
}

// ofPlace returns what the place of a unit is worth, by number. The end of a text tells as much as its beginning.
func (c *chooser) ofPlace(n int) float64 {
	ofEnd, decay := worthOfEnd, endDecay
	if c.now.isDocument {
		ofEnd, decay = worthOfBeginning, beginningDecay
	}
	return fading(worthOfBeginning, n-1, beginningDecay) + fading(ofEnd, c.units-n, decay)
}

// fading returns a worth that decays over so many units; far away it is none.
func fading(worth float64, units int, decay float64) float64 {
	const far = 20 // times the decay
	if float64(units) > far*decay {
		return 0
	}
	return worth * math.Exp(-float64(units)/decay)
}

// namesFile reports whether a text names a file by its path: "cmd/kfw/main.go", "main.go:12".
func namesFile(text []byte) bool {
	for i, c := range text {
		if c != '.' || i == 0 || byteClasses[text[i-1]] == otherByte {
			continue
		}
		n := i + 1 + ascii.LeadingLetters(text[i+1:])
		if n-i-1 < 1 || n-i-1 > longestEnding || n < len(text) && byteClasses[text[n]] != otherByte {
			continue
		}
		from := i
		for from > 0 && (byteClasses[text[from-1]] != otherByte || bytes.IndexByte([]byte("/_-."), text[from-1]) >= 0) {
			from--
		}
		hasLine := n+1 < len(text) && text[n] == ':' && ascii.IsDigit(text[n+1])
		if hasLine || bytes.IndexByte(text[from:i], '/') >= 0 {
			return true
		}
	}
	return false
}

// longestEnding is how many letters the ending of the name of a file has at most.
const longestEnding = 5

// isWarning reports whether a line begins as a warning does: "WARNING: x", "[warn] x", "warning[E1]: x".
func isWarning(text []byte) bool {
	text = bytes.TrimLeft(text, "[(*!#: ")
	n := ascii.LeadingLetters(text)
	return n < len(text) && bytes.IndexByte([]byte(":]>["), text[n]) >= 0 &&
		(bytes.EqualFold(text[:n], []byte("warn")) || bytes.EqualFold(text[:n], []byte("warning")))
}

var headingSigns = [...]string{"# ", "## ", "### ", "#### ", "== ", "=== ", "==> ", "$ ", "##[group]",
	"##[error]", "commit "}

// isHeading reports whether a line without the blanks around it is the heading of what follows.
func isHeading(text []byte) bool {
	for _, sign := range headingSigns {
		if bytes.HasPrefix(text, []byte(sign)) {
			return true
		}
	}
	return false
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}
