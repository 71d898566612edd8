package fit

// Plan is how one invocation divides its budget.
type Plan uint8

const (
	// Live is the plan for a reader that consumes frames as they come: raw chunks while more than 60 % of the budget is
	// left, then windows of chunks as tables, below 30 % as summaries, and below 10 % one frame that names the handle.
	// The same chunks give the same frames however fast they come, except for those that Options.FlushAfter forces.
	Live Plan = iota
	// Digest is the plan for a reader that sees the whole output at the end, such as a model: what does not fit is
	// shown when the response has ended, as one page of what tells most. Time plays no part.
	Digest
)

// Plans returns all plans, the default of frames first.
func Plans() []Plan { return []Plan{Live, Digest} }

// String returns the name of the plan.
func (p Plan) String() string {
	if p == Digest {
		return "digest"
	}
	return "live"
}
