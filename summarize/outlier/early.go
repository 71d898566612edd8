package outlier

// MaxEarly is how many of the first records are judged again at the end: when they came, there was nothing to tell them
// from. Lines are not: those that a log begins with are unlike all others as a rule.
const MaxEarly = 24

// KeepEarly keeps the current record if it is one of the first.
func (o *Candidates) KeepEarly() {
	isRecord := !o.Row.IsLine || o.Row.Filled > 0
	if o.Judged < MaxEarly && isRecord && len(o.Row.Cells) > 0 {
		o.Early[o.Judged].Keep(o.Row)
		o.Judged++
	}
}
