package worth

// Level is how much the facts say about one field.
type Level uint8

const (
	Absent Level = iota // counted
	Named
	Basic
	More
	Full
)

// What a form of field tells, and how much of it each level adds. They order the steps in which
// detail is added; nothing else depends on them.
const (
	Few           = 1.0
	Number        = 0.9
	Time          = 0.9
	Frequent      = 1.1
	Unique        = 0.85
	Forms         = 1.2
	Constant      = 0.35
	Types         = 0.2
	SharePerDepth = 0.8
	ShareWhenOne  = 0.8 // of a field with few values that has one of them nearly always
)
