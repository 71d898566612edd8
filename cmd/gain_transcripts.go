package cmd

import (
	"bytes"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/gain"
	"github.com/kfw-dev/kfw/internal/proxy/results"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/redact"
)

// replayer estimates what a hook would have done to a result. It knows neither the question nor
// earlier results.
type replayer struct {
	redactor *results.Redactor
	rules    *redact.Rules
	counter  budget.Counter
}

// Redacted implements gain.Judge.
func (r *replayer) Redacted(text string) (redacted string, found map[string]int, err error) {
	in := redact.NewReader(strings.NewReader(text), r.rules, redact.Auto)
	var b strings.Builder
	if _, err := io.Copy(&b, in); err != nil {
		return "", nil, err
	}
	for rule, n := range in.Counts() {
		if found == nil {
			found = make(map[string]int)
		}
		found[rule] = n
	}
	return b.String(), found, nil
}

// Tokens implements gain.Judge.
func (r *replayer) Tokens(text string) (read, given int, err error) {
	shown, err := io.ReadAll(r.redactor.Result(strings.NewReader(text)))
	if err != nil {
		return 0, 0, err
	}
	return r.counter.Count([]byte(strings.ToValidUTF8(text, "\uFFFD"))),
		r.counter.Count(bytes.ToValidUTF8(shown, []byte("\uFFFD"))), nil
}

// replay reports what kfw would have done to recorded sessions.
func (o *gainOptions) replay(s streams) (err error) {
	if o.session != "" || o.days != 0 || o.html != "" {
		return fault.Usage("--transcripts goes with --json and nothing else", "")
	}
	known := settings.New(settable)
	var stream streamOptions
	flags := &cobra.Command{}
	stream.addFlags(flags, known)
	if err := known.Resolve(flags.Flags()); err != nil {
		return err
	}
	defer closing(&err, &stream.budgeting)
	rules, err := stream.redaction.rules(known)
	if err != nil {
		return err
	}
	if known.IsDefault("tokenizer") {
		stream.tokenizer = hostTokenizer
	}
	if err := stream.counting.open(s.err, rules, known.Name("tokenizer")); err != nil {
		return err
	}
	by := &replayer{rules: rules, counter: budget.Scaled(stream.counting.opened.Counter(), stream.factor)}
	by.redactor = results.New(results.Options{Rules: rules, Whole: rules, Budget: stream.tokens, Counter: by.counter,
		Encoding: encode.Text{}, Explain: failure, Note: func(string) {}})
	found, err := gain.ReadTranscripts(o.transcripts, by)
	if err != nil {
		return err
	}
	var b strings.Builder
	if o.asJSON {
		err = found.JSON(&b)
	} else {
		err = found.Text(&b, stream.tokens)
	}
	if err != nil {
		return err
	}
	return writeText(s.out, b.String())
}
