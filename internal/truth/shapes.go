package truth

// shapes are all that are generated, in the order in which seeds choose them.
var shapes = []Shape{
	{"go test", goTest},
	{"pytest", pytest},
	{"suites", suites},
	{"dated log", datedLog},
	{"logfmt", logfmt},
	{"blocks under headers", blocks},
	{"separated values", separated},
	{"aligned table", aligned},
	{"flat records", flatRecords},
	{"nested records", nestedRecords},
	{"envelope", envelope},
	{"names and values", namesAndValues},
	{"access log", accessLog},
	{"parts and retries", parts},
	{"versions and codes", versions},
	{"amounts of mixed units", mixedUnits},
	{"traces in a log", traces},
	{"compiler", compiler},
	{"progress", progress},
	{"matches", matches},
	{"services", services},
	{"long lines", longLines},
	{"redacted", redacted},
	{"exit status", exitStatus},
}
