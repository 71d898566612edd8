package hosts

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/summarize/question"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/file"
)

// mostWait is how long a hook waits for others of its session. A result that can't be recorded then is redacted, and
// not shortened: the agent waits for the hook.
const mostWait = 2 * time.Second

// Door takes the events of one host.
type Door struct {
	Host     Host    // nil for the one that the event is from
	Filter   *Filter // nil if Broken
	Broken   error   // why there is no filter: every result is withheld
	Policies Policies
	Home     string // the user's home directory, where hosts keep transcripts; empty to read none
	State    string // directory of sessions and of the log; empty if there is none
	// Sessions returns the session of a name on a server; nil for files in State.
	Sessions func(name string, s session.Settings) session.Session
	IsShared bool                      // all sessions of Sessions are one: what the model of this event was shown is not known from it
	IsOff    bool                      // nothing is shortened
	Wraps    bool                      // the user has asked for commands in another form
	Words    []string                  // the command of this hook
	IsSelf   func(program string) bool // whether a shell would start this very program by that name; nil for never
	Keeps    bool                      // files of long outputs stay as they are
	Repeats  Repeats
	Log      Log
	Visible  func(string) string // makes a line that may be logged

	given func() // see Given
}

// Answer reads an event and returns the answer to it, nil for none. It never fails: what goes wrong is logged, and if
// the event can't be read or the result can't be redacted, the answer withholds the result.
func (d *Door) Answer(in io.Reader) []byte {
	event, isCut, err := readEvent(in)
	if d.Host == nil {
		d.Host = hostOf(event)
	}
	if err != nil {
		return d.unread(event, err)
	}
	return d.answer(event, isCut)
}

// Given says that the host has the last answer: what that shows counts as shown from then on. What is not recorded is
// shown again.
func (d *Door) Given() {
	if d.given != nil {
		d.given()
		d.given = nil
	}
}

func (d *Door) answer(event []byte, isCut bool) []byte {
	e := d.Host.Read(event)
	e.isChanged = isCut
	switch e.Kind {
	case Unknown:
		d.log(fmt.Sprintf("unknown event %q", e.shortName()))
	case Before:
		if p := e.Write.foreign(); p != "" && d.policy(&e).Treatment != Off {
			return d.Host.Deny(&e, refusal(p))
		}
		if d.Wraps {
			return d.Host.Rewrite(&e, d.pipe(&e))
		}
	case Forgot:
		d.reset(&e)
	case Result:
		answer := d.result(&e)
		if answer == nil && e.isPlugin {
			answer = []byte("{}\n")
		}
		return answer
	}
	return nil
}

// result returns the answer to the end of a tool.
func (d *Door) result(e *Event) []byte {
	texts, err := d.filtered(e)
	if err != nil {
		d.given = nil
		d.log("withheld a result: " + err.Error())
		return d.Host.Answer(e, d.withheld(e, err))
	}
	isSame := func() bool {
		if e.IsWhole || e.isChanged {
			return false
		}
		for i, t := range e.Texts {
			if texts[i] != t.Value {
				return false
			}
		}
		return true
	}
	if texts == nil || isSame() {
		return nil
	}
	return d.Host.Answer(e, texts)
}

// withheld is what stands in place of texts that can't be redacted: the reason in the first that the tool said, or in
// the first, and nothing in the others. Of a response that is answered in place the form is left.
func (d *Door) withheld(e *Event, why error) []string {
	texts := make([]string, len(e.Texts))
	isKept := make(map[int]bool)
	first := -1
	for i, t := range e.Texts {
		switch {
		case t.isUnread || e.InPlace && t.isHostWord():
			texts[i], isKept[t.leaf] = t.Value, true
		case t.Value != "" && !t.IsUnseen && (first < 0 || t.IsBody && !e.Texts[first].IsBody):
			first = i
		}
	}
	if first >= 0 {
		texts[first] = encode.OwnPrefix + "withheld: " + d.Visible(why.Error()) + "\n"
	}
	if e.InPlace {
		e.Response = emptied(e.Response, isKept)
	}
	return texts
}

// isEmpty reports whether a result holds only names and words of the host.
func (e *Event) isEmpty() bool {
	isKept := make(map[int]bool)
	for _, t := range e.Texts {
		if isKept[t.leaf] = e.InPlace && t.isHostWord(); t.Value != "" && !isKept[t.leaf] {
			return false
		}
	}
	return !e.InPlace || bytes.Equal(e.Response, emptied(e.Response, isKept))
}

// policy is what is done with the results of the event's tool.
func (d *Door) policy(e *Event) Policy {
	traits := d.Host.Traits()
	return d.Policies.For(e.Tool, slices.Contains(traits.Reads, e.Tool) || slices.Contains(traits.Writes, e.Tool))
}

// filtered returns what takes the place of the texts of a result, nil if they stay. An error means that they could not
// be redacted.
func (d *Door) filtered(e *Event) (texts []string, err error) {
	defer func() {
		if recover() != nil { // what it panics with may quote the result
			texts, err = nil, errors.New("kfw failed")
		}
	}()
	policy := d.policy(e)
	if policy.Treatment == Off {
		return nil, nil
	}
	if d.Broken != nil {
		if e.isEmpty() {
			return nil, nil
		}
		return nil, d.Broken
	}
	if err := d.Filter.asJSON(e); err != nil {
		return nil, err
	}
	d.takeSpill(e, policy)
	redacted, err := d.Filter.redactTexts(e, policy.Treatment)
	if err != nil {
		return nil, err
	}
	if e.Spill != nil && e.IsWhole {
		d.rewrite(e, redacted[e.Spill.Text])
	}
	if d.isOwn(e) {
		return redacted, nil // what it has shown is on the ledger
	}
	x := &draft{plain: redacted, shown: d.Filter.asShown(e, redacted, policy.Treatment)}
	if d.State == "" {
		return x.shown, nil
	}
	return d.fitted(e, policy, x)
}

// draft is a redacted result as it may be shown, and what that costs.
type draft struct {
	plain, shown []string // as it is, and as the host shows it
	cost         int      // in tokens
	mostBytes    int      // of the answer; 0: any size
}

// measure says what a draft costs.
func (d *Door) measure(e *Event, x *draft, tokens int) {
	x.cost = d.Filter.cost(e.seen(x.shown)...)
	x.mostBytes = d.mostBytes(e, x.shown, x.cost, tokens)
}

// fitted returns a result as the session allows it: whole, as a reference to what was shown before, or shortened.
func (d *Door) fitted(e *Event, policy Policy, x *draft) (texts []string, err error) {
	file := d.session(e)
	defer func() { d.logError(file.Close()) }()
	from := d.Filter.described(e)
	tokens := cmp.Or(policy.Budget, d.Filter.Budget)
	isShortened := policy.Treatment == Full && !d.IsOff
	d.measure(e, x, tokens)
	if isShortened && e.InPlace && !e.IsWhole {
		d.foldLong(e, policy, x, file, tokens)
	}
	isLong := isShortened && x.cost > policy.Floor
	about := sync.OnceValue(func() *question.Question { return d.question(e) })
	repeat := d.repeatOf(file, from, e, policy, x.plain, x.shown, about)
	if repeat != nil {
		texts, err := repeat.refer()
		if err == nil && texts == nil {
			err = repeat.recall()
		}
		if err != nil { // whatever else is asked of the session would wait as long
			return d.unrecorded(e, policy, x.shown, err)
		}
		if texts != nil {
			return texts, nil
		}
	}
	isAgain := repeat != nil && repeat.isAgain
	if fits := (isLong || isAgain) && d.fits(file, x.cost, tokens, x.mostBytes); isLong && !fits || isAgain && fits {
		rest := d.Filter.cost(e.around(x.shown)...)
		shorter, err := d.Filter.shorten(file, from, e.Texts, x.shown, about, tokens, rest, x.mostBytes, repeat)
		if err == nil {
			return shorter, nil
		}
		return d.unrecorded(e, policy, x.shown, err)
	}
	if repeat != nil {
		return repeat.whole(), nil
	}
	d.logError(charge(file, from, x.cost))
	return x.shown, nil
}

// foldLong folds the texts of a response that is answered in place into one if it is to be shortened.
func (d *Door) foldLong(e *Event, policy Policy, x *draft, file session.Session, tokens int) {
	traits, all := d.Host.Traits(), x.cost
	if traits.TakesAny { // names and numbers count, too
		all = max(all, d.Filter.cost(string(e.Response)))
	}
	if all <= policy.Floor || d.fits(file, all, tokens, x.mostBytes) {
		return
	}
	x.plain = e.fold(traits, x.plain)
	x.shown = d.Filter.asShown(e, x.plain, policy.Treatment)
	d.measure(e, x, tokens)
}

// unrecorded returns the texts of a result for which the session can't be used.
func (d *Door) unrecorded(e *Event, policy Policy, redacted []string, why error) ([]string, error) {
	d.given = nil
	d.log("not shortened: " + why.Error())
	if e.IsWhole { // too long to be shown whole
		return d.cut(e, policy)
	}
	return redacted, nil
}

// takeSpill takes the whole of a long output in place of its beginning, if that is to be shortened.
func (d *Door) takeSpill(e *Event, policy Policy) {
	if e.Spill == nil {
		return
	}
	whole, err := e.Spill.read(e.Took)
	if err == nil && len(whole) < len(e.Texts[e.Spill.Text].Value) { // it can't be what the text is a part of
		err = errNotOwnSpill
	}
	if err != nil {
		d.logError(err)
		return
	}
	if policy.Treatment == Full && !d.IsOff && d.State != "" && !d.isOwn(e) {
		e.beginning, e.IsWhole = e.Texts, true
		e.Texts = slices.Clone(e.Texts)
		for _, i := range e.Spill.Pointers {
			e.Texts[i].Value, e.Texts[i].isOther = "", true
		}
		t := &e.Texts[e.Spill.Text]
		t.Value, t.isOther = string(whole), true
		return
	}
	if !e.Spill.IsNamed {
		return
	}
	redacted, err := d.Filter.redacted(d.Filter.Whole, string(whole))
	d.logError(err)
	if err == nil {
		d.rewriteAs(e, string(whole), redacted)
	}
}

// rewrite redacts the file of a long output, whose redaction is clean.
func (d *Door) rewrite(e *Event, redacted string) {
	d.rewriteAs(e, e.Texts[e.Spill.Text].Value, redacted)
}

func (d *Door) rewriteAs(e *Event, whole, redacted string) {
	if e.Spill.IsNamed && !d.Keeps && redacted != whole {
		d.logError(e.Spill.rewrite(redacted))
	}
}

// cut returns the redaction of what the host shows of a long output, which could not be shortened.
func (d *Door) cut(e *Event, policy Policy) ([]string, error) {
	e.Texts, e.IsWhole = e.beginning, false
	return d.Filter.redactTexts(e, policy.Treatment)
}

// fits reports whether a result is shown whole in any case: it costs no more than its budget, and nothing asks for a
// stricter mode. A session that can't be read is one for whoever shortens to complain of.
func (d *Door) fits(file session.Session, cost, tokens, mostBytes int) bool {
	if d.Filter.Mode != budget.Raw || mostBytes > 0 || cost > tokens {
		return false
	}
	known, err := file.Settings()
	return errors.Is(err, fs.ErrNotExist) || err == nil && known.Total >= session.NoTotal
}

// mostBytes is how large the answer may be, 0 for any size. A result that needs no answer has no bound.
func (d *Door) mostBytes(e *Event, redacted []string, cost, tokens int) int {
	most, size, isSame := d.Host.Traits().MostBytes, 0, !e.isChanged
	for i, t := range e.Texts {
		if !t.IsUnseen {
			size += len(redacted[i])
		}
		isSame = isSame && redacted[i] == t.Value
	}
	if cost <= tokens && (isSame || size < most) {
		return 0
	}
	return most
}

// pipe is the command that takes the output of a shell command of this event.
func (d *Door) pipe(e *Event) string {
	line := shellLine(d.Words) + textFlag + encode.QuotedForShell(cmp.Or(e.Session, "-"))
	if e.Agent != "" {
		line += " --agent " + encode.QuotedForShell(e.Agent)
	}
	return line + " --tool " + encode.QuotedForShell(e.Tool)
}

// Text writes what the model is to see of a tool's text, of which only the session, the agent and the tool are known.
// It reads all of it in any case, and it never writes what has not been redacted.
func (d *Door) Text(e *Event, in io.Reader, out io.Writer) {
	err := d.text(e, in, out)
	if err != nil {
		d.log("text: " + err.Error())
	}
	_, _ = io.Copy(io.Discard, in) // or the command would die of a broken pipe
}

func (d *Door) text(e *Event, in io.Reader, out io.Writer) (err error) {
	defer func() {
		if recover() != nil { // what it panics with may quote the text
			err = errors.New("kfw failed")
			_, _ = io.WriteString(out, encode.OwnPrefix+"withheld: kfw failed\n")
		}
	}()
	policy := d.policy(e)
	switch {
	case d.Broken != nil:
		_, _ = io.WriteString(out, encode.OwnPrefix+"withheld: "+d.Visible(d.Broken.Error())+"\n")
		return d.Broken
	case policy.Treatment != Full || d.IsOff || d.State == "":
		_, err := io.Copy(out, redact.NewReader(in, d.Filter.Rules, redact.Auto))
		return err
	}
	file := d.session(e)
	defer func() { d.logError(file.Close()) }()
	return d.Filter.pipe(file, d.Filter.described(e), in, out, cmp.Or(policy.Budget, d.Filter.Budget),
		d.Host.Traits().MostBytes)
}

// session is the session of an event, which is made on its first use.
func (d *Door) session(e *Event) session.Session {
	return d.open(e, session.Settings{Total: session.NoTotal, TTL: d.Filter.TTL, StoreMax: d.Filter.StoreMax,
		Wait: mostWait, MakeDirectory: true})
}

func (d *Door) open(e *Event, s session.Settings) session.Session {
	if d.Sessions != nil {
		return d.Sessions(sessionName(d.Host.Name(), e), s)
	}
	return file.At(sessionPath(d.State, d.Host.Name(), e), s)
}

// reset begins the ledger of a session anew, as its results are no longer in the model's context.
func (d *Door) reset(e *Event) {
	if d.State == "" || d.IsShared {
		return
	}
	file := d.open(e, session.Settings{Wait: mostWait})
	err := file.Reset()
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	d.logError(err)
	d.logError(file.Close())
}

func (d *Door) logError(err error) {
	if err != nil {
		d.log(err.Error())
	}
}

func (d *Door) log(line string) {
	if d.Host != nil {
		line = d.Host.Name() + ": " + line
	}
	d.Log.Add(d.Visible(line))
}
