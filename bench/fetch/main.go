// Command fetch gets recorded sessions of agents from public repositories, and writes the cases that command compare
// measures: cases.ndjson.gz and edits.ndjson.gz. None of the recorded text is in this repository.
//
//	go -C bench run ./fetch --to DIR
//	go -C bench run ./fetch --to DIR --repositories CLONES   # has clones by name: entireio-cli and so on
//
// The commits are pinned, so each run gives the same files. Names and addresses of the people who wrote the sessions,
// folders of users and keys are replaced by invented ones.
//
//   - sources.go: the repositories; sessions.go: their files as events
//   - cases.go: which results are cases, and what was used of them next
//   - people.go: what is replaced
package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "fetch:", err)
		os.Exit(1)
	}
}

func run() error {
	to := flag.String("to", "", "`directory` that gets the cases")
	clones := flag.String("repositories", "", "`directory` with clones of the repositories; empty to fetch them")
	flag.Parse()
	if *to == "" || flag.NArg() > 0 {
		return errors.New("give a directory with --to")
	}
	if err := os.MkdirAll(*to, 0o700); err != nil {
		return err
	}
	var all set
	for _, s := range sources {
		dir, err := s.repository(*clones, *to)
		if err != nil {
			return err
		}
		sessions, people, err := s.read(dir)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		for _, one := range sessions {
			all.add(one, people)
		}
		fmt.Fprintf(os.Stderr, "fetch: %s: %d sessions\n", s.name, len(sessions))
	}
	all.sample()
	return errors.Join(save(filepath.Join(*to, "cases.ndjson.gz"), all.cases),
		save(filepath.Join(*to, "edits.ndjson.gz"), all.edits))
}

// save writes values as JSON, one a line.
func save[T any](path string, all []T) (err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	packed := gzip.NewWriter(file)
	out := json.NewEncoder(packed)
	out.SetEscapeHTML(false)
	for _, one := range all {
		if err := out.Encode(one); err != nil {
			return err
		}
	}
	return packed.Close()
}

// set is what has been found.
type set struct {
	cases []Case
	edits []Edit
}

// add adds the cases and edits of a session, without the names of people.
func (a *set) add(s session, who *people) {
	anonymize := func(texts ...*string) {
		for _, text := range texts {
			*text = who.replace(*text)
		}
	}
	for _, c := range s.cases() {
		input := string(c.Input)
		anonymize(&input, &c.About, &c.Text)
		c.Input = json.RawMessage(input)
		for _, list := range [][]string{c.Next.Atoms, c.Next.Lines} {
			for i := range list {
				anonymize(&list[i])
			}
		}
		if json.Valid(c.Input) {
			a.cases = append(a.cases, c)
		}
	}
	for _, e := range s.edits() {
		anonymize(&e.Old, &e.Read)
		a.edits = append(a.edits, e)
	}
}

// mostOfGroup is how many cases of a group are kept, and mostEdits how many edits: those whose IDs come first.
const mostOfGroup, mostEdits = 160, 4000

func (a *set) sample() {
	slices.SortFunc(a.cases, func(a, b Case) int { return strings.Compare(a.ID, b.ID) })
	count := make(map[string]int)
	a.cases = slices.DeleteFunc(a.cases, func(c Case) bool {
		count[c.Group]++
		return count[c.Group] > mostOfGroup
	})
	slices.SortFunc(a.edits, func(a, b Edit) int {
		return strings.Compare(hashed(a.Session+a.Old), hashed(b.Session+b.Old))
	})
	a.edits = a.edits[:min(len(a.edits), mostEdits)]
}
