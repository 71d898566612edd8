package worth

// Level is how much the facts say about one field.
type Level uint8

// The levels, each of which says more than the one before it.
const (
	Absent Level = iota // nothing: the field is only counted
	Named               // its name
	Basic               // what its values are: the constant, the most frequent few, or the range
	More                // more of the values, and percentiles
	Full                // all that is known: sums, lengths, and how many values are different, too
)

// What a form of field tells, and how much of it each level adds. They order the steps in which
// detail is added; nothing else depends on them.
const (
	Few           = 1.0  // few values, each with its count
	Number        = 0.9  // numbers: their range
	Time          = 0.9  // times: their range
	Frequent      = 1.1  // the most frequent of many values
	Unique        = 0.85 // values that hardly come twice
	TextTemplates = 1.2  // texts by their forms, or paths by their folders
	Constant      = 0.35 // one value
	Types         = 0.2  // types alone: most values were not counted
	SharePerDepth = 0.8  // of the weight, for each level of nesting below the first
	ShareWhenOne  = 0.8  // of a field with few values that has one of them nearly always
)
