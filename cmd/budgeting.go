package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
)

// budgeting is what the commands that write frames have in common.
type budgeting struct {
	tokens      int
	mode        string
	tokenizer   string
	format      string
	session     string
	total       int
	sensitivity string
	allowFields []string
}

func (b *budgeting) addFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.IntVar(&b.tokens, "budget", 4000, "tokens that may be written")
	flags.StringVar(&b.mode, "mode", budget.Raw.String(), "the least strict mode wanted: raw, table, summary or handle_only")
	flags.StringVar(&b.tokenizer, "tokenizer", budget.Counters()[0],
		"what counts tokens: "+strings.Join(budget.Counters(), ", ")+" (chars is characters / 4, which is less than a model counts on JSON)")
	flags.StringVar(&b.format, "format", "frames", "frames (NDJSON) or text (for direct use in a prompt)")
	flags.StringVar(&b.session, "session", "", "session `file`: a budget that many invocations share, and their handles")
	flags.IntVar(&b.total, "total", 0, "tokens of a session that this run creates (default 100000)")
	flags.StringVar(&b.sensitivity, "sensitivity", "pii,pci,secrets", "what is redacted; none must be said explicitly")
	flags.StringSliceVar(&b.allowFields, "allow-fields", nil, "keep only these fields of each record: a,b.c")
	for flag, choices := range map[string][]string{
		"mode":        {"raw", "table", "summary", "handle_only"},
		"tokenizer":   budget.Counters(),
		"format":      {"frames", "text"},
		"sensitivity": {"pii", "pci", "secrets", "none"},
	} {
		complete(c, flag, choices)
	}
}

// complete offers choices for a flag in shell completion.
func complete(c *cobra.Command, flag string, choices []string) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag does not exist
	}
}

// rules compiles what is to be redacted.
func rules(sensitivity string, allowFields []string) (*redact.Rules, error) {
	groups, err := redact.ParseGroups(sensitivity)
	if err != nil {
		return nil, usage("--sensitivity: "+err.Error(), "")
	}
	compiled, err := redact.Compile(redact.Options{Groups: groups, AllowFields: allowFields})
	if err != nil {
		return nil, usage("--allow-fields: "+err.Error(), "")
	}
	return compiled, nil
}

// firewall sets up what the flags say, without touching anything outside of the process.
func (b *budgeting) firewall() (*pipeline.Firewall, error) {
	mode, err := budget.ParseMode(b.mode)
	if err != nil {
		return nil, usage("--mode: "+err.Error(), "")
	}
	counter, err := budget.NewCounter(b.tokenizer)
	if err != nil {
		return nil, usage("--tokenizer: "+err.Error(), "")
	}
	encoding := pipeline.AppendFrame
	switch b.format {
	case "frames":
	case "text":
		encoding = pipeline.AppendText
	default:
		return nil, usage("--format: unknown format: choose frames or text", "")
	}
	compiled, err := rules(b.sensitivity, b.allowFields)
	if err != nil {
		return nil, err
	}
	f := &pipeline.Firewall{
		Rules:    compiled,
		Budget:   pipeline.Budget{Tokens: b.tokens, Mode: mode, SessionLeft: -1},
		Counter:  counter,
		Encoding: encoding,
		Ledger:   noLedger{},
		Explain:  failure,
	}
	if b.sensitivity == "none" {
		f.Standing = append(f.Standing, pipeline.Warning{What: "redaction is off"})
	}
	// Beyond it sums would overflow, and there is no such window.
	const mostTokens = 1 << 40
	if b.tokens > mostTokens || b.total > mostTokens {
		return nil, usage(fmt.Sprintf("--budget, --total: %d is the largest", mostTokens), "")
	}
	if least := f.Least(); b.total != 0 && b.total < least {
		return nil, usage(fmt.Sprintf("--total: too small for a final frame: %d is the smallest that works", least), "")
	} else if b.tokens < least {
		return nil, usage(fmt.Sprintf("--budget: too small for a final frame: %d is the smallest that works", least), "")
	}
	return f, nil
}

// file is the session file, or the default store for the handles of runs without a session.
func (b *budgeting) file() (*session.File, error) {
	if b.session != "" {
		return session.At(b.session, session.Settings{Total: b.total}), nil
	}
	path, err := defaultStore()
	if err != nil {
		return nil, err
	}
	return session.At(path, session.Settings{}), nil
}

// defaultStore follows the XDG base directory specification: state that outlives a run but is not worth a backup.
func defaultStore() (string, error) {
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("no place for handles: set XDG_STATE_HOME or --session: %w", err)
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "kfw", "default.kfw"), nil
}

// allocate draws the budget of this run from the session, if there is one.
func (b *budgeting) allocate(f *pipeline.Firewall, least int, file *session.File, command string) (*session.Grant, error) {
	if b.session == "" {
		return nil, nil
	}
	grant, err := file.Allocate(b.tokens, least, command)
	if err != nil {
		return nil, err
	}
	f.Ledger = grant
	f.Budget.Tokens = grant.Tokens()
	f.Budget.SessionLeft, f.Budget.SessionTotal = grant.SessionLeft(), grant.SessionTotal()
	return grant, nil
}

// noLedger is that of a run without a session.
type noLedger struct{}

func (noLedger) Spend(int) error { return nil }
func (noLedger) Last(int) error  { return nil }

// everything is all rules.
var everything = sync.OnceValues(func() (*redact.Rules, error) { return redact.Compile(redact.Options{Groups: redact.All}) })

// described is a command line that may be stored: all that any rule matches is taken out, whatever the flags say.
func described(argv []string) (string, error) {
	all, err := everything()
	if err != nil {
		return "", err
	}
	line := strings.ReplaceAll(strings.Join(argv, " "), "\n", " ")
	return string(all.Value(nil, []byte(line), redact.Lines)), nil
}

// pause is how long a source may be silent before what is gathered is looked at.
func pause(flushAfter time.Duration) time.Duration {
	return max(flushAfter/10, time.Millisecond)
}
