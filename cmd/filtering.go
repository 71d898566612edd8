package cmd

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/internal/expansion"
	"github.com/kfw-dev/kfw/internal/lazy"
	"github.com/kfw-dev/kfw/internal/settings"
)

const filterHelp = `
--grep takes a regular expression (RE2), and finds text in strings of JSON however it is escaped. -F, -i, -w, -v, -A, -B
and -C work as in grep. Repeat --grep or --where, and all must hold.

A PATH is a name that a page shows, or one in gjson syntax: status.phase, items[].id, items.#(id=7).name,
labels.app\.kubernetes\.io/name. * is any member, ** any depth; @path is where a record stood, @key the last part of it.
Columns of tables, pairs in lines and the level of a log are fields. A name that no record has is an error that names
the nearest.

  PATH=VALUE   also != < <= > >=. Numbers compare as numbers, strings byte by byte, times as ISO 8601 has them,
               units converted: modified>=2026-05, size>1.5G. A VALUE in double quotes is a JSON string, in
               single quotes a text. A path that the record lacks is null.
  PATH~REGEXP  the string, or the number as written, matches

--at PATH shows the elements of an array, or the members of an object, in place of the records that have them; --lines,
--offset and other paths then begin there. --sort compares 128 bytes of a string, and shows the first 4096 records.
--mode table and --mode summary sum up what matches.`

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
var grepFlags = lazy.Regexp(`^-[EFPcinvw]+$`)

// filterFlags are the names of the flags that addFilterFlags adds.
func filterFlags() []string {
	return []string{"at", "lines", "fields", "where", "grep", "fixed-strings", "ignore-case", "word-regexp",
		"invert-match",
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
	for _, asUsual := range []struct{ name, short string }{{"extended-regexp", "E"}, {"perl-regexp", "P"},
		{"line-number", "n"}} {
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
