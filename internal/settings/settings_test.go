package settings

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/redact"
)

// testFlags returns flags of the names and kinds that kfw.yaml has keys for. TestAnnotatedYAML holds them to
// docs/kfw.yaml, as a test of package cmd does with the flags of the commands.
func testFlags() *pflag.FlagSet {
	c := &cobra.Command{}
	flags := c.Flags()
	for _, name := range []string{"session", "tokenizer", "judge"} {
		flags.String(name, "", "")
	}
	for _, name := range []string{"strict", "honor-allowlists", "judge-context", "fail-on-block", "redact-args"} {
		flags.Bool(name, false, "")
	}
	for _, name := range []string{"budget", "total"} {
		flags.Var(NewParsed(new(int), "4000", KindNumber, WholeNumber(math.MinInt, 1<<40)), name, "")
	}
	for _, name := range []string{"flush-after", "judge-timeout", "ttl"} {
		flags.Var(NewParsed(new(time.Duration), "1s", KindDuration, PositiveDuration), name, "")
	}
	for _, name := range []string{"allow-fields", "redact-fields", "rules"} {
		AddList(c, new([]string), name, "")
	}
	for _, name := range []string{"keep-fields", "allow"} {
		flags.StringSlice(name, nil, "")
	}
	flags.StringArray("deny", nil, "")
	flags.Var(NewParsed(new(int), "64k", KindSize, Size(1<<10, 16<<20)), "max-chunk", "")
	flags.Var(NewParsed(new(int64), "1GiB", KindSize, Size[int64](4<<10, math.MaxInt64)), "store-max", "")
	factor := func(text string) (float64, error) { return strconv.ParseFloat(text, 64) }
	flags.Var(NewParsed(new(float64), "1", KindFactor, factor), "token-factor", "")
	flags.Var(NewParsed(new(redact.Group), redact.All.String(), KindList, redact.ParseGroups), "sensitivity", "")
	for name, choices := range map[string]string{
		"mode": strings.Join(budget.Modes(), " "), "format": "frames text", "placeholder": "name numbered",
		"input": "auto json yaml text", "hidden": "show keep", "plan": "auto live digest", "stderr": "pass merge tail",
		"progress": "auto always never", "on-invalid": "fail repair skip retry",
	} {
		AddChoice(c, new(string), name, "", Named(strings.Fields(choices)...)...)
	}
	return flags
}
