package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Case is the result of a tool that was recorded in a session of an agent, with what the agent knew and what it used
// next.
type Case struct {
	ID    string          `json:"id"`
	Group string          `json:"group"` // Bash, Grep, MCP, Other or Read
	Input json.RawMessage `json:"input"` // of the call
	About string          `json:"about"` // the last texts and calls, and this call
	Text  string          `json:"text"`
	Next  Needed          `json:"n10"` // by the next ten calls
}

// Needed is what calls used that can only be from one result.
type Needed struct {
	Atoms []string `json:"atoms"` // identifiers, paths, hashes, numbers
	Lines []string `json:"lines"` // that an edit quotes
}

// Edit is text that was read and the part of it that an edit named.
type Edit struct {
	Session string `json:"session"`
	Old     string `json:"old"`
	Read    string `json:"read"`
}

// load reads a file of JSON values, one a line.
func load[T any](dir, name string) (all []T, err error) {
	file, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	defer file.Close() // nothing was written
	plain, err := gzip.NewReader(bufio.NewReader(file))
	if err != nil {
		return nil, err
	}
	for in := json.NewDecoder(plain); ; {
		var one T
		switch err := in.Decode(&one); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		all = append(all, one)
	}
}

// command returns the command line of a shell, empty for other tools.
func (c *Case) command() string {
	var input struct {
		Command string `json:"command"`
	}
	if c.Group != "Bash" || json.Unmarshal(c.Input, &input) != nil {
		return ""
	}
	return input.Command
}

var (
	lineNumber = regexp.MustCompile(`(?m)^\s*\d+[→\t]`) // before a line of a file that was read
	// ownNumber is what pages of kfw put before a line: no atom is in it.
	ownNumber = regexp.MustCompile(`(?m)\Akfw: .*$|^kfw: chunk \d+|^ *\d+: |^… \d+ lines`)
)

func unnumbered(text string) string { return lineNumber.ReplaceAllString(text, "") }

// kept returns how many of the needed atoms and lines a text contains. An atom counts as a whole word, a line in full.
func (n Needed) kept(shown string) (count int) {
	shown = ownNumber.ReplaceAllString(shown, "")
	body := unnumbered(shown)
	for _, atom := range n.Atoms {
		if hasWord(body, atom) {
			count++
		}
	}
	for _, line := range n.Lines {
		if strings.Contains(shown, line) || strings.Contains(body, line) {
			count++
		}
	}
	return count
}

func (n Needed) size() int { return len(n.Atoms) + len(n.Lines) }

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

// hasWord reports whether a word stands in a text with no character of a word beside it.
func hasWord(text, word string) bool {
	for at := 0; ; at++ {
		i := strings.Index(text[at:], word)
		if i < 0 || word == "" {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(word):])
		if !isWord(before) && !isWord(after) {
			return true
		}
	}
}
