package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/open"
)

// mostTokens is the largest number of tokens: beyond it sums would overflow, and there is no such window.
const mostTokens = 1 << 40

// budgeting is what the commands that write frames have in common.
type budgeting struct {
	settings *settings.Settings
	tokens   int
	mode     budget.Mode
	counting
	isText bool

	keepsHidden bool
	session     string
	total       int
	ttl         time.Duration
	storeMax    int64
	redaction   redaction
	flags       *pflag.FlagSet
	opened      session.Session // nil until asked for
}

func (b *budgeting) addFlags(c *cobra.Command, known *settings.Settings) {
	b.settings = known
	flags := c.Flags()
	b.flags = flags
	flags.Var(settings.NewParsed(&b.tokens, "4000", settings.KindNumber,
		settings.WholeNumber(math.MinInt, mostTokens)), "budget",
		"tokens that may be written")
	settings.AddChoice(c, &b.mode, "mode", "the least strict mode wanted: raw, table, summary or handle_only",
		modes()...)
	b.counting.addFlags(c)
	settings.AddChoice(c, &b.isText, "format", "frames (NDJSON) or text (a page for a prompt); text on a terminal",
		outputFormats()...)
	flags.StringVar(&b.session, "session", "",
		"session `file` or URL: a budget that many invocations share, and their handles")
	flags.Var(settings.NewParsed(&b.total, strconv.Itoa(session.DefaultTotal), settings.KindNumber,
		settings.WholeNumber(math.MinInt, mostTokens)),
		"total",
		"tokens of a session that this run creates")
	b.redaction.addFlags(c)
	manual.Group(c, manual.GroupBudget, "budget", "mode", "session", "total")
	settings.AddChoice(c, &b.keepsHidden, "hidden", "characters that people do not see: show ([U+202E]) or keep",
		hiddenChoices()...)
	manual.Group(c, manual.GroupOutput, "format", "hidden")
}

// countAsSession takes the tokenizer of a session that is there, unless the caller has given one. What was counted by
// another can't be added to what the session has used.
func (b *budgeting) countAsSession() error {
	if b.session == "" || b.settings.Given("tokenizer") || b.settings.Given("token-factor") {
		return nil
	}
	file, err := b.file()
	if err != nil {
		return err
	}
	known, err := file.Settings()
	if errors.Is(err, fs.ErrNotExist) || err == nil && known.Counting == "" {
		return nil
	}
	if err != nil {
		return err
	}
	encoding, factor, ok := countedBy(known.Counting)
	if !ok {
		return nil // the ledger compares it with what the settings say
	}
	for flag, text := range map[string]string{"tokenizer": encoding, "token-factor": factor} {
		if err := b.flags.Set(flag, text); err != nil {
			return &session.Unusable{Path: file.Path(), Reason: "counts tokens by what this kfw does not know"}
		}
		b.settings.From[flag] = settings.Origin{Kind: settings.FromSession, Name: file.Path()}
	}
	return nil
}

// Close closes the session file and ends a program that counts, if there are such.
func (b *budgeting) Close() error {
	err := b.counting.Close()
	if b.opened == nil {
		return err
	}
	return errors.Join(err, b.opened.Close())
}

// firewall sets up what the flags and the session say. Nothing outside of the process is changed,
// except that a program that counts is started.
func (b *budgeting) firewall(s streams) (*pipeline.Firewall, error) {
	if err := b.countAsSession(); err != nil {
		return nil, err
	}
	b.isText = b.isText || b.settings.IsDefault("format") && s.showsOutput()
	compiled, err := b.redaction.rules(b.settings)
	if err != nil {
		return nil, err
	}
	stderrRules, err := terminal.RulesOf(b.redaction.groups)
	if err != nil {
		return nil, err
	}
	if err := b.counting.open(s.err, stderrRules, b.settings.Name("tokenizer")); err != nil {
		return nil, err
	}
	f := &pipeline.Firewall{
		Rules:  compiled,
		Fields: b.redaction.allowFields,

		KeepsHidden: b.keepsHidden,
		Options: fit.Options{
			Budget:   pipeline.Budget{Tokens: b.tokens, Mode: b.mode},
			Counter:  budget.Scaled(b.counting.opened.Counter(), b.factor),
			Estimate: b.isEstimate(),
			Encoding: b.encoding(nil),
			Explain:  failure,
		},
		Ledger: noLedger{},
	}
	if b.redaction.groups == redact.None {
		f.Standing = append(f.Standing, pipeline.Warning{What: "redaction is off"})
	}
	return f, nil
}

// enough refuses a budget in which not even the least fits that is to be written.
func (b *budgeting) enough(least int, what string) error {
	if failed := budget.Err(b.counting.opened.Counter()); failed != nil {
		return failed // what the least is, it has not counted
	}
	for _, asked := range []struct {
		flag   string
		tokens int
	}{{"total", b.total}, {"budget", b.tokens}} {
		if asked.tokens < least {
			return fault.Usage(fmt.Sprintf("%s: too small for %s: %d is the smallest that works",
				b.settings.Name(asked.flag), what, least), "")
		}
	}
	return nil
}

// format is how frames are written, as --format has it.
func (b *budgeting) format() string {
	if b.isText {
		return encode.FormatText
	}
	return encode.FormatFrames
}

// encoding is how frames are written, of chunks that filters choose. What reads on in the environment of this run, or
// by its kfw.yaml, has the session from there.
func (b *budgeting) encoding(filters []string) pipeline.Encoding {
	if !b.isText {
		return encode.JSON{}
	}
	session := ""
	if b.settings.From["session"].Kind == settings.FromFlag {
		session = open.Shown(b.session)
	}
	return encode.TextOf(session, filters)
}

// file is the session file, or the default store for the handles of runs without a session.
func (b *budgeting) file() (session.Session, error) {
	if b.opened != nil {
		return b.opened, nil
	}
	path, asked := b.session, b.sessionSettings()
	if path == "" {
		var err error
		if path, err = settings.DefaultStore(); err != nil {
			return nil, err
		}
		asked.MakeDirectory = true
	}
	opened, err := openSession(path, asked)
	if err != nil {
		return nil, err
	}
	b.opened = opened
	return b.opened, nil
}

// sessionSettings are those that a session that is there does not know better.
func (b *budgeting) sessionSettings() session.Settings {
	s := session.Settings{Total: b.total, TTL: b.ttl, StoreMax: b.storeMax}
	knows := func(flag string) bool { // whether a server has the session shows when it is asked
		return b.settings.From[flag].Kind == settings.FromSession || session.IsURL(b.session) && b.settings.IsDefault(flag)
	}
	if knows("ttl") {
		s.TTL = 0
	}
	if knows("store-max") {
		s.StoreMax = 0
	}
	return s
}

// allocate draws the budget of this run from the session, if there is one.
func (b *budgeting) allocate(f *pipeline.Firewall, least int, file session.Session, command string) (*session.Grant,
	error) {
	if b.session == "" {
		return nil, nil
	}
	file.CountBy(b.counting.String())
	grant, err := file.Allocate(b.tokens, least, command)
	if other, ok := errors.AsType[*session.OtherCounting](err); ok {
		hint := "give the --tokenizer that it was made with, or another --session"
		if encoding, factor, ok := countedBy(other.Counting); ok {
			hint = "leave them out, give --tokenizer " + encoding + " --token-factor " + factor +
				", or another --session"
		}
		return nil, fault.Usage("--tokenizer, --token-factor: "+other.Error(), hint)
	}
	if err != nil {
		return nil, err
	}
	f.Ledger = grant
	f.Budget.Tokens = grant.Tokens()
	if grant.SessionTotal() < session.NoTotal {
		f.Budget.SessionLeft, f.Budget.SessionTotal = grant.SessionLeft(), grant.SessionTotal()
	}
	return grant, nil
}

// noLedger is that of a run without a session.
type noLedger struct{}

func (noLedger) Spend(int) error { return nil }
func (noLedger) Last(int) error  { return nil }

// pause is how long a source may be silent before what is gathered is looked at.
func pause(flushAfter time.Duration) time.Duration {
	return max(flushAfter/10, time.Millisecond)
}
