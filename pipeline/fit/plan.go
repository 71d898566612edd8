package fit

// Plan is how one invocation divides its budget: Live or Digest.
type Plan struct {
	Name string

	// Phases says that the share of the budget that is left sets the least strict mode (budget.Phase), and that a
	// window of chunks is written when it is full. Without phases, what does not fit raw waits until the response has
	// ended, and time plays no part.
	Phases bool

	Shares Shares
}

// Shares are the parts of a budget, in percent of it unless the comment says otherwise.
type Shares struct {
	// Beginning is for raw chunks that are written at once. In a digest it is small: a few records show what all look
	// like, and the summary of the whole says more for a token. With phases, the raw phase ends it.
	Beginning int
	// First is the same if the first chunk alone costs more: there is no better example of the response.
	First int
	// Window is for the frame of one window: enough to say what is in some dozens of chunks, and several of them fit.
	Window int
	// KeptBack is what other frames leave to the final one, beside the smallest that it can be.
	KeptBack int
	// Final is, of the room left at the end, the least for the summary of a response that all but fits. The less of the
	// response fits, the more the summary gets.
	Final int
	// Notable is, of a final frame, for outliers, before it is known how much room the facts take.
	Notable int
	// Tail is, of a final frame, for the last lines, at least. They get a quarter of what the facts leave.
	Tail int
	// Facts is, of a table that shows all, for the facts beside it: rows are hard to count for a model.
	Facts int
}

// Live is the plan for a reader that consumes frames as they come: raw chunks while more than 60 % of the budget is
// left, then windows of chunks as tables, below 30 % as summaries, and below 10 % one frame that names the handle.
// The same chunks give the same frames however fast they come, except for those that Options.FlushAfter forces.
func Live() Plan {
	return Plan{Name: "live", Phases: true, Shares: Shares{
		Beginning: 100, First: 100, Window: 5, KeptBack: 6, Final: 15, Notable: 43, Tail: 5,
	}}
}

// Digest is the plan for a reader that sees the whole output at the end, such as a model: a short beginning raw, and
// all else when the response has ended, most of it as the summary of the whole.
func Digest() Plan {
	return Plan{Name: "digest", Shares: Shares{
		Beginning: 8, First: 25, Window: 5, KeptBack: 6, Final: 15, Notable: 43, Tail: 5, Facts: 20,
	}}
}

// Plans returns all plans, the default of frames first.
func Plans() []Plan { return []Plan{Live(), Digest()} }
