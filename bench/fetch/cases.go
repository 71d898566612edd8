package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Case is a result, what the agent knew when it came, and what it used of it next. Command compare reads it.
type Case struct {
	ID      string          `json:"id"`
	Session string          `json:"session"`
	Group   string          `json:"group"`
	Input   json.RawMessage `json:"input"`
	About   string          `json:"about"`
	Text    string          `json:"text"`
	Next    Needed          `json:"n10"`
}

// Needed is what the next calls used, and only this result had.
type Needed struct {
	Atoms []string `json:"atoms"`
	Lines []string `json:"lines"`
}

// Edit is what an edit replaces, and the lines that it was read from.
type Edit struct {
	Session string `json:"session"`
	Old     string `json:"old"`
	Read    string `json:"read"`
}

const (
	leastText = 2000 // characters of a result that is a case
	leastRead = 4000 // of one of Read
	nextCalls = 10
	mostAbout = 6000 // characters
	mostTexts = 40   // events that are looked at for it
	around    = 5    // lines before and after what an edit replaces
	leastLine = 6    // characters of a line that counts
)

func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// group returns the group of a tool; empty if the results of the tool are not cases.
func (s *session) group(tool string) string {
	switch tool {
	case "Bash", "Grep", "Read":
		return tool
	case "Task", "Agent", "TaskOutput", "Glob", "WebFetch", "WebSearch":
		return "Other"
	}
	if s.isMCP || strings.HasPrefix(tool, "mcp__") {
		return "MCP"
	}
	return ""
}

var (
	lineNumber = regexp.MustCompile(`(?m)^\s*\d+[→\t]`)
	wordForm   = regexp.MustCompile(`[A-Za-z0-9_][A-Za-z0-9_./-]*[A-Za-z0-9_]`)
	partForm   = regexp.MustCompile(`[A-Za-z0-9_]+`)
	// An atom is an identifier with an underscore, a digit or a capital inside, a path, a hash or a long number.
	atomForm = regexp.MustCompile(`^(?:[A-Za-z]\w*(?:_\w|[0-9A-Z])\w*|[\w.-]*/[\w./-]+|[0-9a-f]{7,}|\d{3,})$`)
)

func unnumbered(text string) string { return lineNumber.ReplaceAllString(text, "") }

// wordsOf calls yield for the words of a text, and for their parts.
func wordsOf(text string, yield func(word string)) {
	for _, word := range wordForm.FindAllString(text, -1) {
		yield(word)
		if parts := partForm.FindAllString(word, -1); len(parts) > 1 {
			for _, part := range parts {
				yield(part)
			}
		}
	}
}

// known is the words that the agent has seen or written, with the numbers of the first and the last event of each.
type known struct{ first, last map[string]int }

func (k *known) add(text string, at int) {
	note := func(word string) {
		if _, isThere := k.first[word]; !isThere {
			k.first[word] = at
		}
		k.last[word] = at
	}
	text = unnumbered(text)
	wordsOf(text, note)
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); len(line) >= leastLine {
			note("\n" + line) // no word
		}
	}
}

// cases returns the results of a session that the agent took something from in its next calls.
func (s *session) cases() (all []Case) {
	calls := make(map[string]int) // by ID, the event
	for i, e := range s.events {
		if e.kind == called {
			calls[e.id] = i
		}
	}
	k := known{make(map[string]int), make(map[string]int)}
	for i, e := range s.events {
		if at, isKnown := calls[e.id]; e.kind == gave && isKnown {
			if c, isOne := s.caseOf(i, at, &k); isOne {
				all = append(all, c)
			}
		}
		k.add(e.text, i)
	}
	return all
}

// caseOf returns the case of a result, if it is one. before is what was known before it.
func (s *session) caseOf(result, call int, before *known) (c Case, isOne bool) {
	e, by := &s.events[result], &s.events[call]
	c.Group = s.group(by.tool)
	least := leastText
	if c.Group == "Read" {
		least = leastRead
	}
	if c.Group == "" || utf8.RuneCountInString(e.text) <= least {
		return c, false
	}
	own := known{make(map[string]int), make(map[string]int)}
	own.add(e.text, result)
	isOnly := func(word string, others *known) bool {
		_, isThere := own.first[word]
		_, isOld := before.first[word]
		_, isElsewhere := others.first[word]
		return isThere && !isOld && !isElsewhere
	}
	others := known{make(map[string]int), make(map[string]int)} // results and texts after it
	found := make(map[string]bool)
	take := func(to *[]string, name, word string) {
		if !found[name] && isOnly(name, &others) {
			found[name] = true
			*to = append(*to, word)
		}
	}
	count := 0
	for i := result + 1; i < len(s.events) && count < nextCalls; i++ {
		next := &s.events[i]
		switch {
		case next.kind == gave:
			others.add(next.text, i)
		case next.kind == called && (next.message == "" || next.message != by.message):
			count++
			wordsOf(inputText(next.input), func(word string) {
				if atomForm.MatchString(word) {
					take(&c.Next.Atoms, word, word)
				}
			})
			for _, old := range replaced(next.input) {
				for line := range strings.SplitSeq(old, "\n") {
					if trimmed := strings.TrimSpace(line); len(trimmed) >= leastLine {
						take(&c.Next.Lines, "\n"+trimmed, line)
					}
				}
			}
		}
	}
	body := unnumbered(e.text)
	c.Next.Lines = slices.DeleteFunc(c.Next.Lines, func(line string) bool { return !strings.Contains(body, line) })
	if len(c.Next.Atoms)+len(c.Next.Lines) == 0 {
		return c, false
	}
	c.Next.Atoms, c.Next.Lines = append([]string{}, c.Next.Atoms...), append([]string{}, c.Next.Lines...)
	c.ID, c.Session, c.Text, c.Input = hashed(fmt.Sprint(s.id, result)), s.id, e.text, by.input
	c.About = s.about(call)
	return c, true
}

// inputText returns the strings of a call's input, unescaped.
func inputText(input json.RawMessage) string {
	var value any
	if json.Unmarshal(input, &value) != nil {
		return ""
	}
	var b strings.Builder
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			b.WriteString(v + "\n")
		case float64:
			fmt.Fprintln(&b, v)
		case []any:
			for _, one := range v {
				walk(one)
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				walk(v[name])
			}
		}
	}
	walk(value)
	return b.String()
}

// replaced returns the texts that a call replaces.
func replaced(input json.RawMessage) (all []string) {
	var call struct {
		Old   string `json:"old_string"`
		Edits []struct {
			Old string `json:"old_string"`
		} `json:"edits"`
	}
	if json.Unmarshal(input, &call) != nil {
		return nil
	}
	for _, e := range call.Edits {
		all = append(all, e.Old)
	}
	if call.Old != "" {
		all = append(all, call.Old)
	}
	return all
}

// about returns the last texts and calls before a call, the newest last, and the call itself.
func (s *session) about(call int) string {
	var parts []string
	for i := max(0, call-mostTexts); i < call; i++ {
		switch e := &s.events[i]; e.kind {
		case said:
			parts = append(parts, "[text] "+e.text)
		case called:
			parts = append(parts, "[call "+e.tool+"] "+e.text)
		}
	}
	by := &s.events[call]
	all := []rune(strings.Join(append(parts, "[this call] "+by.tool+" "+by.text), "\n"))
	return string(all[max(0, len(all)-mostAbout):])
}

// edits returns the edits of a session whose text was read before.
func (s *session) edits() (all []Edit) {
	for i, e := range s.events {
		if e.kind != called {
			continue
		}
		for _, old := range replaced(e.input) {
			if read := s.readBefore(i, old); read != "" {
				all = append(all, Edit{s.id, old, read})
			}
		}
	}
	return all
}

// readBefore returns the lines of the last result before an event that have a text, with some around them.
func (s *session) readBefore(event int, old string) string {
	for i := event - 1; i >= 0; i-- {
		if s.events[i].kind != gave {
			continue
		}
		body := unnumbered(s.events[i].text)
		at := strings.Index(body, old)
		if at < 0 {
			continue
		}
		lines := strings.Split(s.events[i].text, "\n")
		from := strings.Count(body[:at], "\n")
		to := from + strings.Count(old, "\n") + 1
		return strings.Join(lines[max(0, from-around):min(len(lines), to+around)], "\n")
	}
	return ""
}
