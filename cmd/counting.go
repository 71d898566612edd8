package cmd

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/internal/manual"
	"github.com/kfw-dev/kfw/internal/process"
	"github.com/kfw-dev/kfw/internal/safefile"
	"github.com/kfw-dev/kfw/internal/settings"
	"github.com/kfw-dev/kfw/internal/terminal"
	"github.com/kfw-dev/kfw/internal/tokenizer"
	"github.com/kfw-dev/kfw/internal/tokenizer/coprocess"
	"github.com/kfw-dev/kfw/redact"
)

// answerTimeout is how long a program that counts may take for an answer.
const answerTimeout = 10 * time.Second

// counting is what --tokenizer and --token-factor choose.
type counting struct {
	tokenizer string
	factor    float64
	opened    *tokenizer.Tokenizer // nil until it is needed
	caught    chan os.Signal       // nil if there is no program, or others catch the signals
}

func (o *counting) addFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.Var(settings.NewParsed(&o.tokenizer, budget.Encodings()[0], settings.KindText, tokenizerName), "tokenizer",
		"what counts tokens: "+strings.Join(budget.Encodings(), ", ")+
			"; a model (gpt-5); FILE.json; or cmd:PROGRAM ARG... "+
			"(docs/tokenizers.md). chars is characters / 4: of JSON 0.7 of what a model counts")
	flags.Var(settings.NewParsed(&o.factor, "1", settings.KindFactor, tokenFactor), "token-factor",
		"what the count is multiplied by, for a model whose tokenizer is not public; it is called an estimate then")
	manual.Group(c, manual.GroupBudget, "tokenizer", "token-factor")
	settings.Complete(c, "tokenizer", budget.Encodings())
}

// tokenizerName checks a name as far as that goes without a file or a program.
func tokenizerName(name string) (string, error) {
	err := tokenizer.Check(name)
	if err == nil {
		return name, nil
	}
	if _, isProgram := tokenizer.Program(name); isProgram {
		return "", fault.WithHint(err, "cmd:PROGRAM ARG..., split at blanks")
	}
	known := append(budget.Encodings(), tokenizer.Models()...)
	best := fault.Nearest(name, known, 1)[0]
	if len(name) <= 2*len(best) && levenshtein.ComputeDistance(name, best) <= (len(best)+3)/4 {
		return "", fault.WithHint(err, "did you mean "+best+"?")
	}
	return "", fault.WithHint(err, "for a model without a public tokenizer give --token-factor with an exact one: "+
		"--tokenizer o200k_base --token-factor 1.2")
}

// tokenFactor reads what the tokens of a tokenizer are multiplied by.
func tokenFactor(text string) (float64, error) {
	const most = 100
	factor, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || math.IsNaN(factor):
		return 0, errors.New(settings.NotOfKind(settings.KindFactor))
	case factor <= 0:
		return 0, errors.New("must be positive")
	case factor > most:
		return 0, fmt.Errorf("%d is the largest", most)
	}
	return factor, nil
}

// readJSON reads a file of JSON of at most so many bytes.
func readJSON(path string, most int) ([]byte, error) {
	return safefile.Read(path, safefile.Limit{Bytes: most, Syntax: safefile.JSON})
}

// open makes what counts, and starts a program if that does it. Close ends it. stderrRules are for
// what the program says on its standard error; name is what an error calls the setting.
func (o *counting) open(stderr *os.File, stderrRules *redact.Rules, name string) error {
	_, isProgram := tokenizer.Program(o.tokenizer)
	if isProgram {
		o.caught = make(chan os.Signal, 1)
		process.CatchEndings(o.caught)
	}
	opened, err := tokenizer.Open(o.tokenizer,
		tokenizer.Resources{ReadFile: readJSON, Programs: coprocess.Options{
			Timeout:      answerTimeout,
			Grace:        process.Grace,
			StderrTo:     stderr,
			StderrFilter: func(in io.Reader) io.Reader { return redact.NewReader(in, stderrRules, redact.Lines) },
		}})
	if file, ok := errors.AsType[*tokenizer.FileError](err); ok {
		return fault.Usage(name+": "+file.Error(), "docs/tokenizers.md says which files there can be")
	}
	if notStarted, ok := errors.AsType[*coprocess.NotStarted](err); ok {
		return fault.WithHint(notStarted,
			"the command line after cmd: is split at blanks, without a shell; a program without a slash is looked for in PATH")
	}
	if err != nil {
		return err
	}
	if o.opened = opened; isProgram {
		go o.obeySignals(o.caught)
	}
	return nil
}

// Close ends a program that counts.
func (o *counting) Close() error {
	defer o.leaveSignals()
	if o.opened == nil {
		return nil
	}
	return o.opened.Close()
}

// kill ends a program that counts at once, as kfw is about to end.
func (o *counting) kill() {
	if o.opened != nil {
		o.opened.Kill()
	}
}

// obeySignals makes a signal that is to end kfw, caught from before the program was started, end
// that as well: it may not listen.
func (o *counting) obeySignals(caught <-chan os.Signal) {
	for ending := range caught {
		o.kill()
		os.Exit(process.ExitSignal + int(ending.(syscall.Signal)))
	}
}

// leaveSignals leaves the signals to whoever catches them now, and calls kill in the end.
func (o *counting) leaveSignals() {
	if o.caught != nil {
		signal.Stop(o.caught)
		close(o.caught)
		o.caught = nil // or it would be closed again
	}
}

// String is how a session remembers what its tokens are counted by. It may be shown and stored.
func (o *counting) String() string {
	name := o.tokenizer
	if o.opened != nil {
		name = terminal.Printable(terminal.Sayable(o.opened.Name()))
	}
	if !o.isEstimate() {
		return name
	}
	return name + timesFactor + strconv.FormatFloat(o.factor, 'g', -1, 64) + calledEstimate
}

const (
	timesFactor    = " * "
	calledEstimate = " (estimate)"
)

// countedBy takes apart what String has made. It is not ok for a program or a file: a session does
// not know all of their names, and is not to say which program is started.
func countedBy(text string) (encoding, factor string, ok bool) {
	encoding, factor, found := strings.Cut(strings.TrimSuffix(text, calledEstimate), timesFactor)
	if !found {
		factor = "1"
	}
	known, err := tokenizer.Encoding(encoding)
	return encoding, factor, err == nil && known == encoding
}

// isEstimate reports whether counts are to be called estimates.
func (o *counting) isEstimate() bool { return o.factor != 1 }
