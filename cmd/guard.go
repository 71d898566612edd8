package cmd

import (
	"github.com/kfw-dev/kfw/internal/answer"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/guard"
)

// policies are what decides about the calls of a turn, in the order that they are asked in, and the
// judge among them, which is to be closed; nil if there is none.
func (o *turnOptions) policies(
	s streams, request answer.Request, ending <-chan struct{},
) (all []turn.Policy, _ *answer.Judge, err error) {
	if o.settings.Given("on-invalid") && o.onInvalid != turn.Fail && request.Tools == nil {
		return nil, nil, fault.Usage(o.settings.Name("on-invalid")+": no call is invalid without --tools", "")
	}
	var rules guard.Rules
	for _, text := range o.deny {
		rule, err := guard.ParseRule(text)
		if err != nil {
			return nil, nil, fault.Usage(o.settings.Name("deny")+": "+err.Error(), "NAME, or NAME:PATH=~REGEXP")
		}
		rules = append(rules, rule)
	}
	var allowed []string // what a call may be repaired to
	callable := request.Allowed
	if callable == nil {
		callable = request.Tools
	}
	for _, name := range callable {
		if !rules.Deny(name) {
			allowed = append(allowed, name)
		}
	}
	if len(rules) > 0 {
		all = append(all, rules)
	}
	var asks *answer.Judge
	if len(o.judge) > 0 {
		stderrRules, err := terminal.RulesOf(o.redaction.groups)
		if err != nil {
			return nil, nil, err
		}
		asks = &answer.Judge{Argv: o.judge, Timeout: o.judgeTimeout, Stderr: s.err, Rules: stderrRules, Ending: ending}
		all = append(all, &guard.Judge{Ask: asks.Ask, Context: o.judgeContext, Allowed: allowed, Rules: rules})
	}
	if request.Tools != nil {
		all = append(all, guard.Invalid{Action: o.onInvalid, Allowed: allowed, Rules: rules})
	}
	if len(rules) > 0 {
		all = append(all, guard.Others{})
	}
	return all, asks, nil
}
