package excerpt

// leastOfMany is how many units come before one can stand out by a failure that others do not have.
const leastOfMany = 4

// Novelty finds units that stand out from those before them, as they come.
type Novelty struct {
	surprise *surprise
	records  records
	commits  commits
	words    []word
	units    int
	failures int
}

// NewNovelty returns a Novelty that has seen nothing.
func NewNovelty() Novelty {
	s := newSurprise()
	return Novelty{surprise: s, records: records{surprise: s}}
}

// See takes in the next unit. It returns why that stands out, a short phrase that may name a field, and of which kind
// the reason is; both are empty if it does not.
func (n *Novelty) See(u Unit) (why, kind string) {
	n.units++
	if u.IsRecord {
		return n.seeRecord(u.Text)
	}
	isMessage := n.commits.see(u.Text) >= subjectOfCommit
	n.words = appendWords(n.words[:0], u.Text)
	surprise := n.surprise.look(n.words)
	n.surprise.add(n.words)
	switch {
	case !isMessage && mentionIn(u.Text) == aFailure && n.fails():
		return "error", "error"
	case surprise >= leastRare:
		return "rare words", "rare words"
	}
	return "", ""
}

func (n *Novelty) seeRecord(record []byte) (why, kind string) {
	most := n.records.look(record)
	if most >= leastRare {
		for _, f := range n.records.fields {
			if f.surprise == most {
				kind = "rare " + string(n.records.of(f.path))
				break
			}
		}
	}
	n.records.watch(record)
	return kind, kind
}

// fails counts a unit that reports a failure, and reports whether few do.
func (n *Novelty) fails() bool {
	n.failures++
	return n.units > leastOfMany && float64(n.failures) <= fewFailures*float64(n.units)
}
