package cmd

import (
	"cmp"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/turn"
	"github.com/kfw-dev/kfw/turn/encode"
)

type turnOptions struct {
	settings     *settings
	redaction    redaction
	protocol     turn.Protocol
	format       func(told turn.Protocol) turnFormat
	args         string
	redactArgs   bool
	maxLine      int64
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

// turnReadSize is how much is read at once, in bytes.
const turnReadSize = 64 << 10

func turnCommand(s streams, known *settings) *cobra.Command {
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
	addList(c, &o.redaction.ruleFiles, "rules", "a `file` of more rules: a gitleaks config (TOML)")
	flags.BoolVar(&o.redaction.honorAllowlists, "honor-allowlists", false,
		"let the allowlists of --rules keep what its rules find")
	addChoice(c, &o.redaction.numbered, "placeholder",
		"name ([REDACTED:email]) or numbered ([REDACTED:email:2]: equal numbers for what is equal)", placeholders()...)
	protocols := named(append([]turn.Protocol{turn.Auto}, turn.Protocols()...)...)
	addChoice(c, &o.protocol, "protocol", "auto, or one of "+protocolNames(), protocols...)
	addChoice(c, &o.format, "format",
		"events (NDJSON), text (only the text), turn (only the turn) or chunks (the provider's own, guarded); a flag alone",
		turnFormats()...)
	flagAlone(flags, "format") // elsewhere it is that of frames
	addChoice(c, &o.args, "args",
		"held (arguments of a call are written when it is complete) or stream (also as they come, unjudged)",
		named("held", "stream")...)
	flags.Var(newParsed(&o.maxLine, "64MiB", kindSize, size[int64](1, math.MaxInt64)), "max-line",
		"the longest line that the stream may have")
	flags.StringSliceVar(&o.tools, "tools", nil,
		"names of the tools of the request: a,b; or @FILE, which is the request or its list of tools")
	flags.StringVar(&o.session, "session", "",
		"session `file` on whose ledger the usage is recorded that the provider tells")
	flags.Var(newParsed(&o.total, strconv.Itoa(session.DefaultTotal), kindNumber, number(1, mostTokens)), "total",
		"tokens of a session that this run creates")
	o.addPolicyFlags(c)
	group(c, groupBudget, "session", "total")
	group(c, groupInput, "protocol", "max-line")
	group(c, groupRedaction, "rules", "honor-allowlists", "placeholder")
	group(c, groupCalls, "tools", "args")
	group(c, groupOutput, "format")
	return c
}

// addPolicyFlags adds those flags of turn that kfw.yaml has keys for: what a team decides, and not a request.
func (o *turnOptions) addPolicyFlags(c *cobra.Command) {
	flags := c.Flags()
	addChoice(c, &o.onInvalid, "on-invalid",
		"what becomes of a call of another tool than --tools of kfw turn: fail, repair, skip or retry",
		named(turn.Fail, turn.Repair, turn.Skip, turn.Retry)...)
	flags.StringArrayVar(&o.deny, "deny", nil,
		"calls that kfw turn blocks: `rule` is NAME, or NAME:PATH=~REGEXP for an argument")
	flags.Var(&parsed[[]string]{to: &o.judge, kind: kindText, parse: commandLine}, "judge",
		"a `command` that kfw turn asks about every complete call; it is split at spaces, and by no shell")
	flags.Var(newParsed(&o.judgeTimeout, "10s", kindDuration, positiveDuration), "judge-timeout",
		"how long the judge may take for a call")
	flags.BoolVar(&o.judgeContext, "judge-context", false,
		"tell the judge of kfw turn the text so far, and the calls before the one that it is asked about")
	flags.BoolVar(&o.failOnBlock, "fail-on-block", false, "end kfw turn with status 124 if a call was blocked")
	flags.BoolVar(&o.redactArgs, "redact-args", false, "redact the arguments of calls in kfw turn, too")
	group(c, groupCalls, "on-invalid", "deny", "judge", "judge-timeout", "judge-context", "fail-on-block",
		"redact-args")
}

func (o *turnOptions) run(s streams) (err error) {
	if term.IsTerminal(int(s.in.Fd())) {
		return usage("nothing to read: standard input is a terminal",
			"pipe a streamed answer in: curl -sN ... | kfw turn")
	}
	if o.redactArgs && o.args == "stream" {
		return usage(o.settings.name("redact-args")+
			": arguments are redacted when they are whole, and --args stream writes them before", "")
	}
	var tools []string
	told := o.protocol
	if o.settings.given("tools") {
		var request turn.Protocol
		if tools, request, err = toolNames(o.tools); err != nil {
			return err
		}
		if told == turn.Auto {
			told = request
		}
	}
	rules, err := o.redaction.rules(o.settings)
	if err != nil {
		return err
	}
	ending := catchInterruption()
	defer closing(&err, ending)
	policies, asks, err := o.policies(s, tools, ending.came)
	if err != nil {
		return err
	}
	to := turn.Options{Protocol: o.protocol, MaxLine: int(min(o.maxLine, 1<<31-1)), Advertised: tools,
		Policies: policies, Judge: len(o.deny) > 0 || asks != nil, StreamArguments: o.args == "stream"}
	if o.redaction.groups != redact.None || len(o.redaction.ruleFiles) > 0 {
		to.NewRedactor = func() turn.Redactor { return rules.Text() }
		if o.redactArgs {
			to.RedactArguments = func(arguments string) string {
				return string(rules.Value(nil, []byte(arguments), redact.JSON))
			}
		}
	}
	r := &turnRun{a: turn.New(to), judge: asks, ending: ending, failOnBlock: o.failOnBlock, out: s.out, in: s.in,
		format: o.format(told)}
	if o.session != "" {
		r.session = session.At(o.session, session.Settings{Total: o.total})
	}
	return r.run()
}

// turnRun is one turn on its way through kfw.
type turnRun struct {
	a       *turn.Assembler
	judge   *judge // nil if there is none
	ending  *interruption
	in      io.ReadCloser
	out     io.Writer
	format  turnFormat
	line    []byte
	inLine  bool // what was written does not end with a line feed
	stopped bool // standard input was closed before its end
	session *session.File
	result  *turn.Turn
	why     string // the turn is not complete

	failOnBlock bool
}

// run reads the answer to its end. What kfw says of a turn that failed stands on a line of its own.
func (r *turnRun) run() (err error) {
	if r.judge != nil {
		defer closing(&err, r.judge)
	}
	err = r.read()
	if _, unwritten := errors.AsType[*pipeline.WriteError](err); err != nil && !unwritten && r.inLine {
		r.line = append(r.line[:0], '\n')
		err = errors.Join(err, r.flush())
	}
	return err
}

func (r *turnRun) read() error {
	buf := make([]byte, turnReadSize)
	var unread error // why there may be more, or io.EOF
	for !r.stopped && unread == nil {
		var n int
		if n, unread = r.ending.read(r.in, buf); n == 0 {
			continue
		}
		if err := r.a.Push(buf[:n]); err != nil {
			return err
		}
		if err := r.drain(); err != nil {
			return err
		}
	}
	r.a.End()
	if err := r.drain(); err != nil {
		return err
	}
	if unread != nil && unread != io.EOF {
		return unread
	}
	switch {
	case !r.result.Complete:
		return &incompleteTurn{r.why}
	case r.failOnBlock && r.result.Blocked > 0:
		return &blockedCalls{r.result.Blocked}
	}
	return nil
}

// drain writes the events that there are. What comes before a question to the judge is written
// before it is asked.
func (r *turnRun) drain() error {
	r.line = r.line[:0]
	for {
		e, ok := r.a.Next()
		if !ok {
			return r.flush()
		}
		switch e.Kind {
		case turn.Broke:
			r.why = whyBroke(&e)
		case turn.TurnEnded:
			r.result = e.Turn
			if err := r.record(); err != nil {
				return err
			}
		}
		const enough = 32 << 10
		asks := e.Kind == turn.AwaitVerdict || e.Kind == turn.InvalidCall && r.judge != nil
		if asks || len(r.line) > enough {
			if err := r.flush(); err != nil {
				return err
			}
		}
		r.line = r.format(r.line, &e)
		if e.Action == turn.Fail && r.a.Stopped() && !r.stopped {
			if err := r.stop(); err != nil {
				return err
			}
		}
	}
}

// stop closes standard input at once, before anything of the refusal is written, so that whoever
// writes to it stops, and is not paid for the rest.
func (r *turnRun) stop() error {
	r.stopped = true
	return r.in.Close()
}

func (r *turnRun) flush() error {
	if len(r.line) == 0 {
		return nil
	}
	_, err := r.out.Write(r.line)
	r.inLine = r.line[len(r.line)-1] != '\n'
	r.line = r.line[:0]
	if err != nil {
		return &pipeline.WriteError{Err: err}
	}
	return nil
}

// record puts on the ledger what the provider says that the turn cost.
func (r *turnRun) record() error {
	if r.session == nil {
		return nil
	}
	model := r.result.Model
	if model == "" {
		model = "unknown model"
	}
	described, err := described("turn " + model)
	if err != nil {
		return err
	}
	cost := r.result.Usage()
	if !cost.Reported {
		described += " (usage unreported)"
	}
	return r.session.Record(described, cost.Input, cost.Output)
}

// incompleteTurn is a turn that was refused, abandoned or cut off.
type incompleteTurn struct{ why string }

func (e *incompleteTurn) Error() string { return "the turn is not complete: " + e.why }

// blockedCalls is a turn of which calls were blocked, where that is a failure.
type blockedCalls struct{ count int }

func (e *blockedCalls) Error() string { return "calls were blocked: " + strconv.Itoa(e.count) }

// whyBroke is what an event of the kind turn.Broke says, in a line. Its message is redacted, the
// name of a tool is not yet.
func whyBroke(e *turn.Event) string {
	why := cmp.Or(e.Message, e.Code)
	if e.Name != "" {
		why += ": " + word(e.Name)
	}
	return why
}

// turnFormat appends what an event is on standard output.
type turnFormat func(dst []byte, e *turn.Event) []byte

func eventLines(dst []byte, e *turn.Event) []byte {
	if e.Kind == turn.AwaitVerdict {
		return dst
	}
	return append(e.AppendJSON(dst), '\n')
}

func onlyText(dst []byte, e *turn.Event) []byte {
	if e.Kind == turn.TextDelta && e.Choice == 0 {
		dst = append(dst, e.Text...)
	}
	return dst
}

func onlyTurn(dst []byte, e *turn.Event) []byte {
	if e.Kind == turn.TurnEnded {
		dst = append(e.Turn.AppendJSON(dst), '\n')
	}
	return dst
}

// turnFormats are the formats of a turn. The protocol that kfw was told matters where no chunk
// shows which it is.
func turnFormats() []option[func(told turn.Protocol) turnFormat] {
	always := func(f turnFormat) func(turn.Protocol) turnFormat {
		return func(turn.Protocol) turnFormat { return f }
	}
	return []option[func(told turn.Protocol) turnFormat]{{"events", always(eventLines)}, {"text", always(onlyText)},
		{"turn", always(onlyTurn)},
		{"chunks", func(told turn.Protocol) turnFormat { return (&encode.Encoder{Protocol: told}).Append }}}
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
