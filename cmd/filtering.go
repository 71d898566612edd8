package cmd

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/internal/expansion"
	"github.com/kfw-dev/kfw/internal/settings"
)

const filterHelp = `
A PATH leads into the data of a frame, in gjson syntax: metadata.name, items.0.id, items.# (how many), items.#.id (of
each; items[].id is the same), items.#(id=7).name (a query), labels.app\.kubernetes\.io/name; @this is the data itself.
Where that leads nowhere, dots may be those of a name (labels.app.kubernetes.io/name), and a string that is an object
as JSON is that object (payload.state). One that no record of the handle has is an error that names the nearest.

The names of values that a table or a summary shows are PATHs, as they stand: * is any member of an object, ** and [**]
are those of a tree, at any depth; meta.{name,uid} are two; a value beside records that became chunks of their own has
its path in the response (total); @path is where a record stood, @key the last part of that, @value what is no object;
cells of rows have the headings that the response has for them. A line that is a row of a table, pairs or a name and its
value has the names of the columns, or of the values. What is not found in a document is looked for in the records in
it, as with --at. No PATHs are the words, templates and measures of lines, the columns $1, $2 of a part of a table whose
header is not in that part, and the names of what is in lines within a string: --grep finds these.

  PATH=VALUE   PATH!=VALUE   also <, <=, > and >=, with or without spaces around. Numbers compare as numbers if both
               are, strings byte by byte, so that dates as in RFC 3339 do too; true, false and null by = and !=. VALUE
               in double quotes is a JSON string and nothing else, in single quotes a text as it stands; no VALUE is the
               empty string, by = and !=. A path that the record lacks is null: != holds there.
  PATH~REGEXP  the string, or the number as written, matches (RE2)

--at PATH chooses the elements of an array, or the members of an object, within each record, by a path as a page names
it: items, items.# or items[], repos.#.issues. They are numbered from 1. --offset counts them, and other paths begin at
each of them: --at items --where status.phase=Failed. An element larger than a chunk counts as several.

Each --where is one condition. Repeat it, and all must hold; of an array, one element that satisfies is enough. A line
without fields passes neither --where nor --fields. The level that a logger wrote into a line is its field level.
--fields shows, of each record, these paths alone: as an object, or in text as a row of a table. A record with none of
them is left out, and a warning counts it.

--grep takes a regular expression (RE2), for lines and records alike. It finds text in strings of JSON however that is
escaped. ^ and $ are the ends of a line. -F, -i, -w, -v, -C, -B and -A work as in grep, on chunks. Repeat --grep, and all must match.

--lines A-B shows the chunks with these numbers, as a page names them; with --at, the elements. --tail N shows the last
N that match. --sort PATH sorts what matches: numbers before other strings, records without a value last, equal ones in
their order. It compares 128 bytes of a string and shows the first 4096 records; --offset then counts sorted records.
--count writes how many match. --mode table and --mode summary sum up what matches.`

// otherNames are those by which grep, head, gh and jq, and whoever guesses, call flags of kfw expand.
var otherNames = map[string]string{
	"regexp": "grep", "regex": "grep", "pattern": "grep", "search": "grep", "match": "grep",
	"filter": "where", "json": "fields", "select": "fields", "columns": "fields", "field": "fields",
	"line": "lines", "range": "lines", "head": "limit", "first": "limit", "max-count": "limit", "last": "tail",
	"sort-by": "sort", "order-by": "sort", "after": "after-context", "before": "before-context",
}

// insteadOf says what does the work of a flag of grep, jq or a pager that kfw expand does not have; empty for others.
func insteadOf(name string) string {
	switch name {
	case "o", "only-matching":
		return "--grep shows whole chunks, --fields a,b.c parts of records"
	case "q", "jq", "query":
		return "--fields a,b.c shows parts, --where a=1 chooses; kfw expand --raw | jq has all of jq"
	case "all", "full":
		return "--raw writes the whole response, without a budget"
	case "start", "end", "from", "to":
		return "--lines A-B shows a range"
	case "page":
		return "the end of a page says how the next one is asked for"
	}
	return ""
}

// grepFlags matches a word that gives --grep flags in place of a pattern.
var grepFlags = regexp.MustCompile(`^-[EFPcinvw]+$`)

// filterFlags are the names of the flags that addFilterFlags adds.
func filterFlags() []string {
	return []string{"at", "lines", "fields", "where", "grep", "fixed-strings", "ignore-case", "word-regexp", "invert-match",
		"context", "before-context", "after-context", "sort", "tail", "count"}
}

// addFilterFlags adds the flags that choose what kfw expand shows. paths completes a flag that takes paths.
func addFilterFlags(c *cobra.Command, o *expansion.Filtering,
	paths func(c *cobra.Command, args []string, flag string) []string) {
	flags := c.Flags()
	flags.StringVar(&o.At, "at", "", "the elements at this `path` instead of the records that have them")
	flags.StringArrayVar(&o.Fields, "fields", nil, "of each record only these `paths`: a,b.c")
	flags.StringArrayVar(&o.Where, "where", nil,
		"only records for which this `condition` holds: 'path OP value', OP one of = != < <= > >= ~ (repeated: and)")
	flags.StringArrayVarP(&o.Grep, "grep", "e", nil, "only chunks in which this `regexp` matches (repeated: and)")
	flags.BoolVarP(&o.Fixed, "fixed-strings", "F", false, "--grep takes fixed strings")
	flags.BoolVarP(&o.IgnoreCase, "ignore-case", "i", false, "--grep ignores case")
	flags.BoolVarP(&o.Words, "word-regexp", "w", false, "--grep matches whole words")
	flags.BoolVarP(&o.Invert, "invert-match", "v", false, "only chunks in which --grep does not match")
	flags.IntVarP(&o.Context, "context", "C", 0, "`chunks` before and after each that matches")
	flags.IntVarP(&o.Before, "before-context", "B", 0, "`chunks` before each that matches")
	flags.IntVarP(&o.Behind, "after-context", "A", 0, "`chunks` after each that matches")
	flags.StringVar(&o.Lines, "lines", "", "chunks by number, from 1: `A-B`, A-, -B or A, or several: A-B,C-D")
	flags.StringVar(&o.Sort, "sort", "", "sort by the value at this `path`; -PATH is largest first")
	flags.IntVar(&o.Tail, "tail", 0, "only the last `n` that match")
	flags.BoolVarP(&o.Count, "count", "c", false, "only how many match")
	for _, asUsual := range []struct{ name, short string }{{"extended-regexp", "E"}, {"perl-regexp", "P"}, {"line-number", "n"}} {
		flags.BoolP(asUsual.name, asUsual.short, false, "as it is without the flag")
		flags.Lookup(asUsual.name).Hidden = true
	}
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if usual, isOther := otherNames[name]; isOther {
			name = usual
		}
		return pflag.NormalizedName(name)
	})
	for _, flag := range []string{"grep", "lines", "tail", "context"} {
		settings.Complete(c, flag, nil)
	}
	for _, flag := range []string{"at", "fields", "where", "sort"} {
		completion := func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			before := ""
			switch {
			case flag == "fields":
				before = begun[:strings.LastIndexByte(begun, ',')+1]
			case flag == "sort" && strings.HasPrefix(begun, "-"):
				before = "-"
			}
			choices := paths(c, args, flag)
			for i := range choices {
				choices[i] = before + choices[i]
			}
			return choices, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
		if err := c.RegisterFlagCompletionFunc(flag, completion); err != nil {
			panic(err) // the flag does not exist
		}
	}
}
