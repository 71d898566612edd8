// Package gain adds up what kfw has saved.
//
// It reads the invocations on the ledgers of sessions and adds them up by command, host and day.
// It writes the sums as text, as JSON and as an HTML page. Expansions and notes count against the
// saving, so a row may be negative.
//
//   - gain.go: Sums, and their text and JSON; page.go, page.html: the page
//   - transcripts.go: Replay, an estimate of the saving in sessions that hosts have recorded
package gain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

// Call is one result of a tool that went through kfw.
type Call struct {
	Host    string // that it was for: claude-code, mcp, or shell for none
	Command string // redacted
	Started time.Time
	Read    int // tokens: what the result would have cost
	Given   int // tokens: what was shown of it
	Saved   int // tokens, below zero where more was shown, as by an expansion
}

// Sum is the saving of a group of calls. Amounts are tokens.
type Sum struct {
	Name  string `json:"name,omitempty"`
	Calls int    `json:"calls"`
	Read  int    `json:"read"`
	Given int    `json:"given"`
	Saved int    `json:"saved"`
}

// worstShare is the lowest percentage that is reported.
const worstShare = -999

// Share returns the saving in percent of the tokens read.
func (s Sum) Share() int {
	if s.Read == 0 {
		return 0
	}
	return max(worstShare, s.Saved*100/s.Read)
}

func (s *Sum) add(c *Call) {
	s.Calls++
	s.Read += c.Read
	s.Given += c.Given
	s.Saved += c.Saved
}

// Sums are the total, and the sums by command, host and day.
type Sums struct {
	All       Sum
	ByCommand []Sum // the largest saving first
	ByHost    []Sum // the same
	ByDay     []Sum // the oldest first; names are as 2026-01-31
}

// Of adds up calls. Days are those of the location.
func Of(calls []Call, location *time.Location) *Sums {
	var s Sums
	commands, hosts, days := make(map[string]*Sum), make(map[string]*Sum), make(map[string]*Sum)
	for i := range calls {
		c := &calls[i]
		s.All.add(c)
		in(commands, nameOf(c)).add(c)
		in(hosts, c.Host).add(c)
		in(days, c.Started.In(location).Format(time.DateOnly)).add(c)
	}
	s.ByCommand, s.ByHost, s.ByDay = sorted(commands), sorted(hosts), sorted(days)
	slices.SortFunc(s.ByDay, func(a, b Sum) int { return cmp.Compare(a.Name, b.Name) })
	return &s
}

func in(all map[string]*Sum, name string) *Sum {
	if all[name] == nil {
		all[name] = &Sum{Name: name}
	}
	return all[name]
}

func sorted(all map[string]*Sum) []Sum {
	list := make([]Sum, 0, len(all))
	for _, s := range all {
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b Sum) int {
		return cmp.Or(cmp.Compare(b.Saved, a.Saved),
			cmp.Compare(a.Name, b.Name))
	})
	return list
}

// nameOf returns the group of a call: the name of the program, after the tool if a host made the
// call. Variables before the program, and its directory, are left out.
func nameOf(c *Call) string {
	words := strings.Fields(c.Command)
	tool := ""
	if c.Host != Shell && len(words) > 0 {
		tool, words = words[0], words[1:]
	}
	for len(words) > 0 && isAssignment(words[0]) {
		words = words[1:]
	}
	program := ""
	if len(words) > 0 && !strings.HasPrefix(words[0], "{") { // arguments of an MCP tool are JSON
		program = words[0][1+strings.LastIndexByte(words[0], '/'):]
	}
	return cmp.Or(strings.TrimSpace(tool+" "+program), "(no name)")
}

// Shell is the host of calls that no agent host made.
const Shell = "shell"

func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && !strings.ContainsAny(name, "/-{\"'")
}

// JSON writes the sums for programs. Later versions may add members, and keep these.
func (s *Sums) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		Sum
		ByCommand []Sum `json:"by_command"`
		ByHost    []Sum `json:"by_host"`
		ByDay     []Sum `json:"by_day"`
	}{s.All, s.ByCommand, s.ByHost, s.ByDay})
}

// mostRows is the number of commands in the text and on the page.
const mostRows = 25

// Text writes the sums for people. printable makes a name safe for a terminal.
func (s *Sums) Text(w io.Writer, printable func(string) string) error {
	var b strings.Builder
	b.WriteString(s.Sentence() + "\n")
	for _, t := range []struct {
		title string
		rows  []Sum
	}{{"command", s.ByCommand[:min(len(s.ByCommand), mostRows)]}, {"host", s.ByHost},
		{"day", s.ByDay[max(0, len(s.ByDay)-mostRows):]}} {
		if len(t.rows) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%8s  %11s  %11s  %11s  %5s  %s\n", "calls", "read", "given", "saved", "", t.title)
		for _, r := range t.rows {
			fmt.Fprintf(&b, "%8s  %11s  %11s  %11s  %4d%%  %s\n", humanize.Comma(int64(r.Calls)),
				humanize.Comma(int64(r.Read)),
				humanize.Comma(int64(r.Given)), humanize.Comma(int64(r.Saved)), r.Share(), printable(r.Name))
		}
	}
	if more := len(s.ByCommand) - mostRows; more > 0 {
		fmt.Fprintf(&b, "\n%d more commands: --json has all\n", more)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Sentence says what was saved in all.
func (s *Sums) Sentence() string {
	a := s.All
	if a.Calls == 0 {
		return "nothing went through kfw yet"
	}
	return fmt.Sprintf("%s results of %s tokens: the model got %s, %s were saved (%d %%)",
		humanize.Comma(int64(a.Calls)),
		humanize.Comma(int64(a.Read)), humanize.Comma(int64(a.Given)), humanize.Comma(int64(a.Saved)), a.Share())
}
