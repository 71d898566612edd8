package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// source is a repository with recorded sessions.
type source struct {
	name    string // owner/name at github.com
	license string
	commits []string // whose files are read
	isOf    func(path string) bool
	parse   func(file []byte) ([]session, error)
	authors bool // the people who wrote the sessions are those of the commits
}

func isTranscript(path string) bool {
	return strings.HasSuffix(path, "/full.jsonl") || strings.HasSuffix(path, "/transcript.jsonl")
}

var sources = []source{
	{name: "entireio/cli", license: "MIT", commits: []string{"394f81fab87f71aa8938d91ff7a067c524ff344b"},
		isOf: isTranscript, parse: claudeCode, authors: true},
	{name: "entireio/git-sync", license: "MIT", commits: []string{"0a9ff16869fc0070252da7d04956422707d4af41",
		"8fe394b5b9cfd1a2c4b5b472fdaf37a765c23037", "ffb3a8442952a0a0f1cacf51e1509b4a3116008a",
		"e537c14e0dce4de55d665b3d168e9bedeec86dea", "131d6418009c8ca6a6329d55f9d7549304cf87b0",
		"349b70c572d13cc7824311f76f0fc7ab98698e90", "8e24a4e9214edf84e753675e5c3ebe0f60e15264"},
		isOf: isTranscript, parse: claudeCode, authors: true},
	{name: "icip-cas/LiveMCPBench", license: "Apache-2.0", commits: []string{"a928e57d1ee7a25579b9a7036030faffff72d15b"},
		isOf: func(path string) bool {
			return strings.HasSuffix(path, "_Qwen3-Embedding-0.6B.json") && strings.HasPrefix(path, "baseline/output/")
		}, parse: liveMCPBench},
	{name: "sierra-research/tau-bench", license: "MIT", commits: []string{"59a200c6d575d595120f1cb70fea53cef0632f6b"},
		isOf: func(path string) bool { return strings.HasPrefix(path, "historical_trajectories/") }, parse: tauBench},
}

// git runs git in a repository, and returns what it writes.
func git(dir string, args ...string) ([]byte, error) {
	c := exec.Command("git", append([]string{"-C", dir}, args...)...)
	c.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}

// repository returns the directory of a repository that has the commits: a clone, or one that is fetched.
func (s *source) repository(clones, to string) (string, error) {
	name := strings.ReplaceAll(s.name, "/", "-")
	if clones != "" {
		dir := filepath.Join(clones, name)
		for _, commit := range s.commits {
			if _, err := git(dir, "cat-file", "-e", commit+"^{commit}"); err != nil {
				return "", fmt.Errorf("%s has no commit %s of %s: %w", dir, commit, s.name, err)
			}
		}
		return dir, nil
	}
	dir := filepath.Join(to, "repositories", name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if _, err := git(dir, "init", "-q", "--bare"); err != nil {
		return "", err
	}
	for _, commit := range s.commits {
		if _, err := git(dir, "cat-file", "-e", commit+"^{tree}"); err == nil {
			continue
		}
		if _, err := git(dir, "fetch", "-q", "https://github.com/"+s.name, commit); err != nil {
			return "", fmt.Errorf("%s can't be fetched: %w\nhint: --repositories DIR takes clones that you have, here %s",
				s.name, err, filepath.Join("DIR", name))
		}
	}
	return dir, nil
}

// read returns the sessions of a repository, and the people who wrote them.
func (s *source) read(dir string) (all []session, who *people, err error) {
	who = newPeople()
	seen := make(map[string]int) // by name, the place of the longest copy
	absent := 0
	for _, commit := range s.commits {
		if s.authors {
			authors, err := git(dir, "log", "--format=%an%n%ae%n%cn%n%ce", commit)
			if err != nil {
				return nil, nil, err
			}
			who.authors(string(authors))
		}
		list, err := git(dir, "ls-tree", "-r", "-z", "--name-only", commit)
		if err != nil {
			return nil, nil, err
		}
		for path := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
			if !s.isOf(path) {
				continue
			}
			file, err := git(dir, "cat-file", "blob", commit+":"+path)
			if err != nil {
				absent++
				continue
			}
			found, err := s.parse(file)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", path, err)
			}
			for _, one := range found {
				if one.id == "" {
					one.id = fmt.Sprintf("%s %s", path, one.task)
				}
				one.id = hashed(s.name + " " + one.id)
				at, isThere := seen[one.id] // a later checkpoint has the session from its beginning
				switch {
				case !isThere:
					seen[one.id] = len(all)
					all = append(all, one)
				case len(one.events) > len(all[at].events):
					all[at] = one
				}
				for _, e := range one.events {
					who.folders(e.text)
				}
			}
		}
	}
	if absent > 0 {
		fmt.Fprintf(os.Stderr, "fetch: %s: %d files are not in the clone, and left out\n", s.name, absent)
	}
	return all, who, nil
}

// valid returns JSON as it stands, or as a string of it.
func valid(raw string) json.RawMessage {
	if json.Valid([]byte(raw)) {
		return json.RawMessage(raw)
	}
	b, _ := json.Marshal(raw) // a string
	return b
}
