package guard

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/wire"
	"github.com/kfw-dev/kfw/turn"
)

// The form of calls in the arguments of another one. OpenAI's models write several calls as one of
// multi_tool_use.parallel at times, and clients take it apart:
// https://github.com/Azure/azure-rest-api-specs/issues/32329
const (
	wrappedCalls     = "tool_uses"
	wrappedName      = "recipient_name"
	wrappedArguments = "parameters"
	namespace        = "functions." // of the caller's tools
)

// wrapped returns the calls in the arguments of another one. If some of them can't be read, opaque
// is true.
func wrapped(c *turn.Call) (calls []turn.Call, opaque bool) {
	if c.Custom || !wire.Valid(c.Arguments) {
		return nil, false
	}
	uses := valuesAt(c.Arguments, wrappedCalls)
	for _, use := range uses.values {
		if !gjson.Parse(use).IsObject() || !wire.Valid(use) {
			continue
		}
		names, parameters := valuesAt(use, wrappedName).values, valuesAt(use, wrappedArguments).values
		if len(parameters) == 0 {
			parameters = []string{"{}"}
		}
		opaque = opaque || len(names) > 0 && hasTwice(gjson.Parse(use), plain, 0)
		whole := parameters[0] // the others are what it holds
		for _, name := range names {
			calls = append(calls, turn.Call{Name: strings.TrimPrefix(plain(name), namespace), Arguments: whole,
				Valid: wire.Valid(whole)})
		}
	}
	return calls, opaque || uses.opaque && len(uses.values) > 0
}

// forbidWrapped reports whether a call in the arguments of another one is denied.
func (rules Rules) forbidWrapped(c *turn.Call, depth int) bool {
	calls, opaque := wrapped(c)
	return opaque || depth > wrapsMax && len(calls) > 0 || slices.ContainsFunc(calls, func(inner turn.Call) bool {
		return rules.forbid(&inner, depth+1)
	})
}
