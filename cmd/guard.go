package cmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/turn"
)

// guard decides what becomes of the calls of a turn.
type guard struct {
	allowed   []string // what a call may be repaired to
	onInvalid turn.Action
	rules     []denyRule
	judge     *judge // nil if there is none
}

func (o *turnOptions) guard(s streams, tools []string, ending <-chan struct{}) (*guard, error) {
	g := &guard{onInvalid: o.onInvalid}
	if o.settings.given("on-invalid") && g.onInvalid != turn.Fail && tools == nil {
		return nil, usage(o.settings.name("on-invalid")+": no call is invalid without --tools", "")
	}
	for _, text := range o.deny {
		rule, err := parseDenyRule(text)
		if err != nil {
			return nil, usage(o.settings.name("deny")+": "+err.Error(), "NAME, or NAME:PATH=~REGEXP")
		}
		g.rules = append(g.rules, rule)
	}
	for _, name := range tools {
		if !slices.ContainsFunc(g.rules, func(r denyRule) bool { return r.name == name && r.pattern == nil }) {
			g.allowed = append(g.allowed, name)
		}
	}
	if len(o.judge) > 0 {
		stderrRules, err := rulesOf(o.redaction.groups)
		if err != nil {
			return nil, err
		}
		g.judge = &judge{argv: o.judge, timeout: o.judgeTimeout, stderr: s.err, rules: stderrRules, ending: ending}
		if err := g.judge.start(); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// judges reports whether complete calls are to be judged.
func (g *guard) judges() bool { return g.judge != nil || len(g.rules) > 0 }

// resolve says what becomes of a call of a tool that is not allowed: what the judge says, if there is one that does,
// and else what --on-invalid does.
func (g *guard) resolve(e *turn.Event) turn.Resolution {
	answer := turn.Resolution{Action: g.onInvalid}
	if g.judge != nil {
		said, err := g.judge.ask(e.Block, invalidQuestion(e, g.allowed))
		if err != nil {
			return turn.Resolution{Action: turn.Fail}
		}
		switch said.action {
		case turn.Fail, turn.Repair, turn.Skip, turn.Retry:
			answer = turn.Resolution{Action: said.action, Name: said.name, Feedback: said.why}
		}
	}
	if answer.Action != turn.Repair {
		return answer
	}
	if answer.Name == "" {
		if best := nearest(e.Name, g.allowed, 1); len(best) > 0 {
			answer.Name = best[0]
		}
	}
	if !slices.Contains(g.allowed, answer.Name) {
		return turn.Resolution{Action: turn.Fail}
	}
	return answer
}

// decide says what becomes of a complete call: what a rule says first, and then the judge.
func (g *guard) decide(e *turn.Event) turn.Verdict {
	for _, rule := range g.rules {
		if rule.forbids(e) {
			return turn.Verdict{Action: turn.Block, Why: "a rule forbids it"}
		}
	}
	if g.judge == nil {
		return turn.Verdict{Action: turn.Allow}
	}
	said, err := g.judge.ask(e.Block, question(e))
	if err != nil {
		return turn.Verdict{Action: turn.Block, Why: err.Error(), FailSafe: true}
	}
	switch said.action {
	case turn.Allow, turn.Block:
		return turn.Verdict{Action: said.action, Why: said.why}
	case turn.Replace:
		if said.text != "" {
			return turn.Verdict{Action: turn.Replace, Text: said.text, Why: said.why}
		}
	}
	return turn.Verdict{Action: turn.Block, Why: errNoAnswer.Error(), FailSafe: true}
}

// Close ends the judge.
func (g *guard) Close() error {
	if g.judge == nil {
		return nil
	}
	return g.judge.Close()
}

// denyRule blocks calls without asking anybody.
type denyRule struct {
	name    string
	path    string         // of an argument, as gjson writes it
	pattern *regexp.Regexp // nil: all calls of that name
}

func parseDenyRule(text string) (denyRule, error) {
	name, rest, isPattern := strings.Cut(text, ":")
	if name == "" {
		return denyRule{}, errors.New("no name of a tool")
	}
	if !isPattern {
		return denyRule{name: name}, nil
	}
	path, pattern, ok := strings.Cut(rest, "=~")
	if !ok || path == "" {
		return denyRule{}, errors.New("a rule for an argument has the form NAME:PATH=~REGEXP")
	}
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return denyRule{}, errors.New("not a regular expression")
	}
	return denyRule{name: name, path: path, pattern: compiled}, nil
}

// forbids reports whether the rule blocks a call. Arguments that can't be understood are not let by.
func (r denyRule) forbids(e *turn.Event) bool {
	if e.Name != r.name {
		return false
	}
	if r.pattern == nil || !e.Valid {
		return true
	}
	canonical, err := lastMembers(e.Arguments)
	if err != nil {
		return true
	}
	value := gjson.GetBytes(canonical, r.path)
	return value.Exists() && r.pattern.MatchString(value.String())
}

// lastMembers is JSON in which every name is there once, with the value that it has last: what a tool would read.
func lastMembers(text string) ([]byte, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	return out.Bytes(), nil
}
