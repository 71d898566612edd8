package cmd

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kfw-dev/kfw/internal/answer"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/process"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/encode"
)

type turnOptions struct {
	settings     *settings.Settings
	redaction    redaction
	protocol     turn.Protocol
	format       func(chosen turn.Protocol) answer.Format
	args         string
	redactArgs   bool
	maxLine      int64
	drain        time.Duration
	tools        []string
	onInvalid    turn.Action
	judge        []string
	judgeTimeout time.Duration
	judgeContext bool
	failOnBlock  bool
	deny         []string
	session      string
	total        int
}

func turnCommand(s streams, known *settings.Settings) *cobra.Command {
	o := turnOptions{settings: known}
	c := &cobra.Command{
		Use:   "turn [flags]",
		Short: "assemble and guard a model's streamed answer",
		Long: `turn reads one streamed answer of a language model from standard input, as the provider sends it, and writes events as it
goes: one JSON object a line. The last one is the complete turn, equal to what the provider's call without streaming would
have returned. Text and reasoning are redacted and written at once.

With --tools a call of any other tool is told the moment that its name is known, before anything of it is passed on, and
--on-invalid says what becomes of it: fail ends kfw's reading, so that the producer is told to stop; repair passes it on
under the nearest name; skip and retry abandon the turn and write the messages for the next request.

With --judge each complete call is one line of JSON on the standard input of a program, and what that answers in a line is
what becomes of the call: {"k":2,"act":"allow"} with the k of the question, "block" with a "why", "replace" with a "text",
"rewrite" with "args", or "fail". For a call of a tool that is not among --tools, which has "invalid":true, it may answer
"repair" with a "name", "skip", "retry" or "fail" in place of --on-invalid. No answer in time, one that can't be understood,
or none at all: blocked. --deny does the same for simple rules without a program: a name, or NAME:PATH=~REGEXP, which looks
at an argument.`,
		Example: `  curl -sN ... | kfw turn --tools add,subtract --on-invalid repair
  curl -sN ... | kfw turn --tools @tools.json --judge ./policy.py --session agent.kfw
  curl -sN ... | kfw turn --format text
  kfw turn --deny 'delete_file' --deny 'run:command=~\bsudo\b' < answer.sse`,
		Args: onlyInput,
		RunE: func(_ *cobra.Command, _ []string) error { return o.run(s) },
	}
	o.redaction.addFlags(c)
	flags := c.Flags()
	settings.AddList(c, &o.redaction.ruleFiles, "rules", "a `file` of more rules: a gitleaks config (TOML)")
	flags.BoolVar(&o.redaction.honorAllowlists, "honor-allowlists", false,
		"let the allowlists of --rules keep what its rules find")
	settings.AddChoice(c, &o.redaction.numbered, "placeholder",
		"name ([REDACTED:email]) or numbered ([REDACTED:email:2]: equal numbers for what is equal)", placeholders()...)
	protocols := settings.Named(append([]turn.Protocol{turn.Auto}, turn.Protocols()...)...)
	settings.AddChoice(c, &o.protocol, "protocol", "auto, or one of "+protocolNames(), protocols...)
	settings.AddChoice(c, &o.format, "format",
		"events (NDJSON), text (only the text), turn (only the turn) or chunks (the provider's own, guarded); a flag alone",
		turnFormats()...)
	settings.MarkAlone(flags, "format") // elsewhere it is that of frames
	settings.AddChoice(c, &o.args, "args",
		"held (arguments of a call are written when it is complete) or stream (also as they come, unjudged)",
		settings.Named("held", "stream")...)
	flags.Var(settings.NewParsed(&o.maxLine, "64MiB", settings.KindSize, settings.Size[int64](1, math.MaxInt64)),
		"max-line",
		"the longest line that the stream may have")
	flags.Var(settings.NewParsed(&o.drain, "2s", settings.KindDuration, settings.PositiveDuration), "drain",
		"how long to read on after the end of the turn for what it cost, before the input is closed")
	flags.StringSliceVar(&o.tools, "tools", nil,
		"names of the tools of the request: a,b; or @FILE, which is the request or its list of tools")
	flags.StringVar(&o.session, "session", "",
		"session `file` or URL on whose ledger the usage is recorded that the provider tells")
	flags.Var(settings.NewParsed(&o.total, strconv.Itoa(session.DefaultTotal), settings.KindNumber,
		settings.WholeNumber(1, mostTokens)), "total",
		"tokens of a session that this run creates")
	o.addPolicyFlags(c)
	manual.Group(c, manual.GroupBudget, "session", "total")
	manual.Group(c, manual.GroupInput, "protocol", "max-line", "drain")
	manual.Group(c, manual.GroupRedaction, "rules", "honor-allowlists", "placeholder")
	manual.Group(c, manual.GroupCalls, "tools", "args")
	manual.Group(c, manual.GroupOutput, "format")
	return c
}

// addPolicyFlags adds those flags of turn that kfw.yaml has keys for: what a team decides, and not a request.
func (o *turnOptions) addPolicyFlags(c *cobra.Command) {
	flags := c.Flags()
	settings.AddChoice(c, &o.onInvalid, "on-invalid",
		"what becomes of a call of another tool than --tools of kfw turn: fail, repair, skip or retry",
		settings.Named(turn.Fail, turn.Repair, turn.Skip, turn.Retry)...)
	flags.StringArrayVar(&o.deny, "deny", nil,
		"calls that kfw turn blocks: `rule` is NAME, or NAME:PATH=~REGEXP for an argument")
	flags.Var(&settings.Parsed[[]string]{To: &o.judge, Kind: settings.KindText, Parse: commandLine}, "judge",
		"a `command` that kfw turn asks about every complete call; it is split at spaces, and by no shell")
	flags.Var(settings.NewParsed(&o.judgeTimeout, "10s", settings.KindDuration, settings.PositiveDuration),
		"judge-timeout",
		"how long the judge may take for a call")
	flags.BoolVar(&o.judgeContext, "judge-context", false,
		"tell the judge of kfw turn the text so far, and the calls before the one that it is asked about")
	flags.BoolVar(&o.failOnBlock, "fail-on-block", false, "end kfw turn with status 124 if a call was blocked")
	flags.BoolVar(&o.redactArgs, "redact-args", false, "redact the arguments of calls in kfw turn, too")
	manual.Group(c, manual.GroupCalls, "on-invalid", "deny", "judge", "judge-timeout", "judge-context", "fail-on-block",
		"redact-args")
}

func (o *turnOptions) run(s streams) (err error) {
	if term.IsTerminal(int(s.in.Fd())) {
		return fault.Usage("nothing to read: standard input is a terminal",
			"pipe a streamed answer in: curl -sN ... | kfw turn")
	}
	if o.redactArgs && o.args == "stream" {
		return fault.Usage(o.settings.Name("redact-args")+
			": arguments are redacted when they are whole, and --args stream writes them before", "")
	}
	var request answer.Request
	chosen := o.protocol
	if o.settings.Given("tools") {
		if request, err = answer.Tools(o.tools); err != nil {
			return err
		}
		if chosen == turn.Auto {
			chosen = request.Protocol
		}
	}
	rules, err := o.redaction.rules(o.settings)
	if err != nil {
		return err
	}
	ending := process.CatchInterruption()
	defer closing(&err, ending)
	policies, asks, err := o.policies(s, request, ending.Came)
	if err == nil && asks != nil {
		err = asks.Start() // what is wrong with it is said before anything is read
	}
	if err != nil {
		return err
	}
	to := turn.Options{Protocol: o.protocol, MaxLine: int(min(o.maxLine, 1<<31-1)), Advertised: request.Tools,
		Allowed: request.Allowed, Policies: policies, Judge: len(o.deny) > 0 || asks != nil,
		StreamArguments: o.args == "stream"}
	if o.redaction.groups != redact.None || len(o.redaction.ruleFiles) > 0 {
		to.NewRedactor = func() turn.Redactor { return rules.Text() }
		to.RedactJSON = func(json string) string { return string(rules.Value(nil, []byte(json), redact.JSON)) }
		if o.redactArgs {
			to.RedactArguments = to.RedactJSON
		}
	}
	r := &answer.Run{Assembler: turn.New(to), Judge: asks, Ending: ending, FailOnBlock: o.failOnBlock,
		In: s.in, Out: s.out, Format: o.format(chosen), Drain: o.drain}
	if o.session != "" {
		if r.Session, err = openSession(o.session, session.Settings{Total: o.total}); err != nil {
			return err
		}
	}
	return r.Run()
}

// turnFormats are the formats of a turn. The protocol that kfw was told matters where no chunk
// shows which it is.
func turnFormats() []settings.Option[func(chosen turn.Protocol) answer.Format] {
	always := func(f answer.Format) func(turn.Protocol) answer.Format {
		return func(turn.Protocol) answer.Format { return f }
	}
	chunks := func(chosen turn.Protocol) answer.Format {
		x := encode.Encoder{Protocol: chosen}
		return func(to *jsonx.Parts, e *turn.Event) { to.B = x.Append(to.B, e) }
	}
	return []settings.Option[func(chosen turn.Protocol) answer.Format]{
		{Name: "events", Value: func(turn.Protocol) answer.Format { return (&encode.EventLines{}).Write }},
		{Name: "text", Value: always(answer.Text)},
		{Name: "turn", Value: always(answer.Turn)},
		{Name: "chunks", Value: chunks},
	}
}

func protocolNames() string {
	var names []string
	for _, p := range turn.Protocols() {
		names = append(names, string(p))
	}
	return strings.Join(names, ", ")
}

// commandLine splits a command at its spaces. There is none only where the flag is not given:
// nothing would be judged.
func commandLine(text string) ([]string, error) {
	argv := strings.Fields(text)
	if len(argv) == 0 {
		return nil, errors.New("no command")
	}
	return argv, nil
}
