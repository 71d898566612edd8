package cmd

import (
	"strings"

	"github.com/spf13/cobra"

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

--at PATH makes records of the elements of the array, or of the members of the object, that the path leads to in each
record, as a summary or a table names it: items, items.# or items[], repos.#.issues. They are numbered from 1, --offset
counts them, and the other paths begin at each of them: --at items --where status.phase=Failed. One that is too large to
be a chunk is as many as the response was cut into there.

Of an array any element that satisfies is enough. Another line of text has no fields: it passes neither --where nor
--fields.
--fields makes of a record an object whose keys are the paths; one that has none of them is left out and counted in a
warning. --grep is for records and lines alike, and finds text in strings of JSON however it is escaped there.`

// addFilterFlags adds the flags that choose what kfw expand shows. paths completes a flag that takes paths.
func addFilterFlags(c *cobra.Command, o *expansion.Filtering,
	paths func(c *cobra.Command, args []string, flag string) []string) {
	flags := c.Flags()
	flags.StringVar(&o.At, "at", "", "the elements at this `path` instead of the records that have them")
	flags.StringArrayVar(&o.Fields, "fields", nil, "of each record only these `paths`: a,b.c")
	flags.StringArrayVar(&o.Where, "where", nil,
		"only records for which this `condition` holds: 'path OP value', OP one of = != < <= > >= ~ (repeated: and)")
	flags.StringArrayVar(&o.Grep, "grep", nil, "only chunks that hold this `text`; case counts (repeated: and)")
	settings.Complete(c, "grep", nil)
	for _, flag := range []string{"at", "fields", "where"} {
		completion := func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			before := ""
			if flag == "fields" {
				before = begun[:strings.LastIndexByte(begun, ',')+1]
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
