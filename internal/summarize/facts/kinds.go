package facts

import "strings"

// Shape is what the value of a fact is, and so how it is shown.
type Shape uint8

const (
	// Value is one JSON value: a number, a text, or an array of numbers.
	Value Shape = iota
	// Counts is an object: texts, and how often each came.
	Counts
	// CountLines is as Counts; as text, each has a line of its own.
	CountLines
	// Named is an object: names, each with facts of its own.
	Named
	// Names is an array of names.
	Names
	// List is an array, each element with facts of its own.
	List
)

// isArray reports whether what is in a fact of the form has no names.
func (f Shape) isArray() bool { return f >= Names }

// Scope is what a fact is of.
type Scope uint8

const (
	Response Scope = iota // of all that is summarized
	Field                 // of a field of its records, or of a name in its lines
	Template              // of the lines of one form
)

// Kind is a kind of fact.
type Kind struct {
	Name  string // in a frame; one that ends in "~" is always an estimate
	Scope Scope
	Shape Shape
	Says  string // what it says, in Markdown; empty where another kind says it for both
	Bound string // how exact it is, and of how many things it is kept, in Markdown
	// isSure says that it is no estimate, even in a field that has one in all others.
	isSure bool

	estimate string // the name with the mark of an estimate
}

// Kinds are all kinds of facts, by scope in the order of their reference.
var Kinds []*Kind

// register adds a kind to the list.
func register(k Kind) *Kind {
	k.estimate = strings.TrimSuffix(k.Name, "~") + "~"
	Kinds = append(Kinds, &k)
	return &k
}

// The facts of a response.
var (
	Records   = register(Kind{Name: "records", Says: "how many records there are"})
	At        = register(Kind{Name: "at", Says: "the path of the records, where they are within a document"})
	LineCount = register(Kind{Name: "lines", Says: "how many lines there are", Bound: "a line over 64 KiB is one line"})
	LinesFrom = register(Kind{Name: "from", Says: "the earliest time at the start of a line: ISO 8601, RFC 3339, syslog, " +
		"ctime, access logs, Log4j, logcat, glog, Tomcat, DB2, ClickHouse",
		Bound: "`~` where times may be of the message, or without a year went back"})
	LinesTo = register(Kind{Name: "to", Says: "the latest one", Bound: "as `from`"})
	Rows    = register(Kind{Name: "rows", Says: "lines that are rows of tables",
		Bound: "`~` where the header may be a row itself"})
	Headers     = register(Kind{Name: "headers", Says: "headers of tables, if there are several"})
	Fields      = register(Kind{Name: "fields", Shape: Named, Says: "facts of each field, by path", Bound: "256 fields"})
	OtherFields = register(Kind{Name: "other_fields", Shape: Names,
		Says: "the names of fields of which no facts are shown; `a.{b,c}` are two"})
	Around = register(Kind{Name: "around", Shape: Named,
		Says: "facts of the other fields of a document that holds the records"})
	OtherAround = register(Kind{Name: "other_around", Shape: Names, Says: "as `other_fields`, of the fields in `around`"})
	MoreFields  = register(Kind{Name: "more_fields", Says: "how many fields are not named",
		Bound: "exact up to 512, then an estimate"})
	Keys = register(Kind{Name: "keys", Shape: Named, Says: "facts of the names that lines have a value for",
		Bound: "96 names"})
	MoreKeys   = register(Kind{Name: "more_keys", Says: "how many such names are not shown"})
	Traces     = register(Kind{Name: "traces", Says: "stack traces; their causes are in `keys`"})
	TraceLines = register(Kind{Name: "trace_lines", Says: "their lines"})
	Hits       = register(Kind{Name: "hits", Says: "on a page, hits of a search, as `grep -n` prints them"})
	Commits    = register(Kind{Name: "commits", Says: "on a page, commits, as `git log` prints them"})
	Files      = register(Kind{Name: "files", Says: "on a page, the files of a search or of a diff"})
	Added      = register(Kind{Name: "added", Says: "on a page, the lines that a diff adds"})
	Removed    = register(Kind{Name: "removed", Says: "on a page, those that it removes"})
	Levels     = register(Kind{Name: "levels", Shape: Counts,
		Says: "lines of each level (`INFO`, `[warn]`, `WARNING:root:`), if one line in ten has one"})
	Verdicts = register(Kind{Name: "verdicts", Shape: Counts,
		Says: "on a page, lines by the word or the sign that says how a test or a step ended (`--- FAIL`, `ok`, " +
			"`✓`); those that are indented for themselves"})
	Templates = register(Kind{Name: "templates", Shape: List,
		Says: "lines by form, found as by Drain (He et al. 2017)", Bound: "128 templates"})
	MoreTemplates = register(Kind{Name: "more_templates", Says: "how many templates are not shown"})
	MoreLines     = register(Kind{Name: "more_lines", Says: "lines that are in no template"})
)

// The facts of a field.
var (
	RecordsAround = register(Kind{Name: "records", Scope: Field, Says: "how many larger records there are, which the " +
		"records are in"})
	Redacted = register(Kind{Name: "redacted", Scope: Field,
		Says: "how many values are a placeholder and nothing else; they are not compared"})
	Blobs = register(Kind{Name: "blobs", Scope: Field,
		Says: "how many values are the label of a blob and nothing else; they are not compared"})
	Const  = register(Kind{Name: "const", Scope: Field, Says: "the one value of all records"})
	Values = register(Kind{Name: "values", Scope: Field, Shape: Counts, Says: "how often each of few values came",
		Bound: "exact up to 64 values of 64 bytes"})
	MoreValues = register(Kind{Name: "more_values", Scope: Field, Says: "how many of these are not shown"})
	Top        = register(Kind{Name: "top", Scope: Field, Shape: Counts, Says: "the most frequent of many values",
		Bound: "exact up to 64 values; then a count-min sketch (Cormode, Muthukrishnan 2005), of a window Space-Saving " +
			"(Metwally et al. 2005)"})
	Distinct = register(Kind{Name: "distinct", Scope: Field,
		Says:  "how many different values, without null if `nulls` counts it",
		Bound: "exact up to 512, then HyperLogLog (Flajolet et al. 2007), standard error 1.6 %"})
	Numerals = register(Kind{Name: "numerals", Scope: Field,
		Says: "how many strings are numbers, if one in ten or fewer are not"})
	Unit = register(Kind{Name: "unit", Scope: Field, isSure: true,
		Says: "the unit of `39.8ms`, `12%`, `1h30m`, to which other units of time or size are converted"})
	Min = register(Kind{Name: "min", Scope: Field,
		Says:  "the least of numbers, and of strings that are numbers (`\"0.25\"`, `\"1,234,567\"`, `\"$1,234.50\"`)",
		Bound: "exact; with `~` where units were converted"})
	Max      = register(Kind{Name: "max", Scope: Field, Says: "the greatest", Bound: "as `min`"})
	Mean     = register(Kind{Name: "mean", Scope: Field, Says: "the mean, of amounts", Bound: "as `min`"})
	Sum      = register(Kind{Name: "sum", Scope: Field, Says: "the sum, of amounts", Bound: "as `min`"})
	Earliest = register(Kind{Name: "from", Scope: Field, Says: "the earliest time: RFC 3339, RFC 1123, `Jan 2, 2006`, " +
		"`2006/01/02`, `31.01.2006`"})
	Latest = register(Kind{Name: "to", Scope: Field, Says: "the latest time"})
	Forms  = register(Kind{Name: "forms", Scope: Field, Shape: CountLines,
		Says: "texts of more than two words by template", Bound: "8 fields, 32 templates each"})
	MoreForms = register(Kind{Name: "more_forms", Scope: Field, Says: "how many templates are not shown"})
	MoreTexts = register(Kind{Name: "more_texts", Scope: Field, Says: "how many texts are in none"})
	Example   = register(Kind{Name: "example", Scope: Field, Says: "one value", isSure: true})
	Length    = register(Kind{Name: "len", Scope: Field, Says: "least and greatest length of a string, in bytes"})
	In        = register(Kind{Name: "in", Scope: Field, Says: "how many records have it, if not all",
		Bound: "`in~` where some came before it was known what the records are"})
	Count = register(Kind{Name: "n", Scope: Field, Says: "how many values there are, in elements of arrays"})
	Nulls = register(Kind{Name: "nulls", Scope: Field,
		Says: "how many values are null, if all others are of one type"})
	Types  = register(Kind{Name: "types", Scope: Field, Shape: Counts, Says: "how many values are of each type"})
	Others = register(Kind{Name: "keys", Scope: Field, Says: "how many names `*` stands for, if no other name is in its " +
		"place"})
	FurtherOthers = register(Kind{Name: "other_keys", Scope: Field,
		Says: "how many names `*` stands for, beside those that " +
			"have a place of their own"})
)

// The facts of a template.
var (
	TemplateLines = register(Kind{Name: "n", Scope: Template, Says: "how many lines have the form",
		Bound: "`~` of a form that came late"})
	TemplateText  = register(Kind{Name: "line", Scope: Template, Says: "the form, or the only line"})
	TemplateFirst = register(Kind{Name: "first", Scope: Template, Says: "the number of its first chunk", Bound: "as `n`"})
	TemplateLast  = register(Kind{Name: "last", Scope: Template, Says: "the number of its last chunk"})
)
