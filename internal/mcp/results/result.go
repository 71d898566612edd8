package results

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/summarize/question"
	"github.com/kfw-dev/kfw/mcp"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/pipeline/query"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
)

// leastShare is the share of a budget that the texts after one keep, in percent, if they need it.
const leastShare = 25

// maxTexts is how many texts of a result are shown. A result with more of them shows none of the others.
const maxTexts = 128

// Result is one result of a tool. It implements mcp.Result.
type Result struct {
	f      *Filter
	before map[string]int // what was redacted before it
	texts  []measured     // the first maxTexts
	others measured       // the sum of the others
	count  int

	from     string
	question func() *question.Question // what the call asks
	isWhole  bool                      // all is shown
	next     int                       // text that is fitted next
	later    int                       // tokens that the texts after it would cost
	room     int                       // tokens left for them

	firewall *pipeline.Firewall // nil if nothing is shortened
	handle   *session.Shared
	grant    *session.Allowance
	unkept   bytes.Buffer // texts of which nothing is shown, not behind the handle yet
	isSaid   bool         // the texts that are not shown were counted
}

// Measure implements mcp.Result.
func (r *Result) Measure() io.Writer {
	r.f.measure.f = r.f
	r.count++
	r.f.measure.end()
	if r.count > maxTexts {
		r.others.tokens++ // at least
		one := &measured{}
		r.f.measure.begin(one)
		return &r.f.measure
	}
	if len(r.texts) == cap(r.texts) { // those that are measured do not move
		grown := make([]measured, len(r.texts), max(4, 2*len(r.texts)))
		copy(grown, r.texts)
		r.texts = grown
	}
	r.texts = append(r.texts, measured{})
	r.f.measure.begin(&r.texts[len(r.texts)-1])
	return &r.f.measure
}

// Decide implements mcp.Result.
func (r *Result) Decide(answers mcp.Call) (asIs bool) {
	r.f.measure.end()
	policy := r.f.policy(answers.Tool)
	tokens := r.f.tokens(policy)
	r.from = r.f.Describe("mcp " + answers.Tool)
	r.question = sync.OnceValue(func() *question.Question { return r.f.question(answers) })
	total, isLarge, isQuoted := 0, r.count > maxTexts, len(r.f.Fields) > 0
	for _, t := range r.texts {
		total += t.tokens
		isLarge = isLarge || t.isLarge
		isQuoted = isQuoted || t.isQuoted
	}
	if total == 0 && !isLarge {
		return true
	}
	r.isWhole = r.f.IsOff || !isLarge &&
		(total <= policy.Floor || total <= tokens && r.f.Mode == budget.Raw && !r.hasTotal())
	if r.isWhole {
		if _, err := r.f.Session.Spend(total, r.from); err != nil {
			r.f.note("not on the ledger", err)
		}
		return r.f.IsOff || !isQuoted
	}
	r.later = total + r.others.tokens
	if err := r.begin(tokens); err != nil {
		r.f.note("not kept", err)
		r.beginAlone(tokens)
	}
	return false
}

func (f *Filter) note(what string, err error) {
	f.Note("mcp: a result is " + what + ": " + err.Error())
}

// hasTotal reports whether the session has a total, which is a ceiling. One that can't be read is one for whoever
// shortens to complain of.
func (r *Result) hasTotal() bool {
	known, err := r.f.Session.Settings()
	if errors.Is(err, fs.ErrNotExist) {
		return 0 < r.f.Total && r.f.Total < session.NoTotal
	}
	return err != nil || known.Total < session.NoTotal
}

// begin sets up what shortens the texts: one budget, and one handle for all.
func (r *Result) begin(tokens int) (err error) {
	r.setUp()
	r.f.Session.CountBy(r.f.Counting)
	if r.grant, err = session.Allow(r.f.Session, tokens, r.least(), r.from); err != nil {
		return err
	}
	r.handle = session.NewShared(r.f.Session.NewHandle(r.from, r.f.Rules.Groups().String()).ShownAs(encode.FormatText))
	r.firewall.Handle, r.firewall.Ledger = r.handle, r.grant
	r.setRoom()
	return nil
}

// beginAlone is begin without a session: what is left out is lost, and the text says how much that is.
func (r *Result) beginAlone(tokens int) {
	r.setUp()
	r.grant = session.Unrecorded(max(tokens, r.least()))
	r.handle = &session.Shared{}
	r.firewall.Handle, r.firewall.Ledger = r.handle, r.grant
	r.firewall.Standing = append(r.firewall.Standing, pipeline.Warning{What: "what is left out is not kept"})
	r.setRoom()
}

// least is what a result costs at least, in tokens: for a text, and for those that are left out.
func (r *Result) least() int { return 2 * r.firewall.Least() }

func (r *Result) setUp() {
	f := r.f
	r.firewall = &pipeline.Firewall{
		Rules: f.Rules, Fields: f.Fields, KeepsHidden: f.KeepsHidden,
		Options: fit.Options{
			Plan: fit.Digest, Budget: fit.Budget{Mode: f.Mode}, Counter: f.Counter, Estimate: f.Estimate,
			Encoding: f.Encoding(), Explain: f.Explain, Question: r.question,
		},
	}
	if f.Rules.Groups() == redact.None {
		r.firewall.Standing = append(r.firewall.Standing, pipeline.Warning{What: "redaction is off"})
	}
}

func (r *Result) setRoom() {
	if r.room = r.grant.Tokens(); r.later > r.room {
		r.room -= r.firewall.Least() // for the line that counts those that are not shown
	}
}

// Fit implements mcp.Result. Each text leaves to those after it what they need, or at least a share. Those for which
// nothing is left are kept, and counted in one line.
func (r *Result) Fit(open func() (io.Reader, error), out io.Writer) error {
	text, err := open()
	if err != nil {
		return err
	}
	i := r.next
	r.next++
	if r.isWhole {
		return r.show(text, out)
	}
	isOther := i >= maxTexts
	one := measured{tokens: 1}
	if !isOther {
		one = r.texts[i]
	}
	if one.bytes == 0 && !isOther {
		return nil
	}
	r.later -= one.tokens
	share := max(r.room-r.later, r.room-r.room*leastShare/100)
	if isOther || r.isSaid || share < r.firewall.Least() && one.tokens > share {
		return r.leaveOut(text, out)
	}
	return r.fit(text, open, out, share)
}

// IsOver implements mcp.Result.
func (r *Result) IsOver() bool { return r.isSaid && r.next >= maxTexts }

// fit shortens a text. If the handle fails, or the ledger, it does so without them.
func (r *Result) fit(text io.Reader, open func() (io.Reader, error), out io.Writer, share int) error {
	var shown bytes.Buffer
	before := r.grant.Spent()
	err := r.shorten(text, &shown, share)
	if err == nil && r.next < r.count {
		err = r.handle.EndLine()
	}
	if err != nil {
		r.f.note("not kept", errors.Join(err, r.end()))
		r.beginAlone(r.grant.Tokens())
		before = 0
		shown.Reset()
		if text, err = open(); err == nil {
			err = r.shorten(text, &shown, max(share, r.firewall.Least()))
		}
		if err != nil {
			return err
		}
	}
	r.room -= r.grant.Spent() - before
	_, err = out.Write(shown.Bytes())
	return err
}

// show shows a text whole, except that lines that imitate kfw's own are quoted. It is small.
func (r *Result) show(text io.Reader, out io.Writer) error {
	if len(r.f.Fields) > 0 {
		text = redact.NewReader(text, r.f.Rules, redact.Auto)
	}
	all, err := io.ReadAll(text)
	if err != nil {
		return err
	}
	_, err = out.Write(encode.AppendWhole(nil, all, r.f.KeepsHidden))
	return err
}

// shorten says as much of a text as there is room for. If the handle fails, or the ledger, the text is not shown.
func (r *Result) shorten(text io.Reader, out io.Writer, share int) error {
	w := *r.firewall
	w.Budget.Tokens = share
	w.Budget.SessionLeft, w.Budget.SessionTotal = r.grant.Session()
	w.Encoding = encode.NumberedFrom(w.Encoding, r.handle.Chunks())
	redacted := redact.NewReader(text, w.Rules, redact.Auto) // for the fields that are chosen; else it finds nothing more
	from := source{redacted, r.redacted()}
	chunks := split.Chunks(redacted, w.MaxChunk, false, false)
	chunks = query.Missing(chunks, w.Fields, w.Rules)
	chunks = pipeline.Keep(chunks, w.Handle)
	w.GoesOn = r.later > 0
	return w.Write(out, w.Fit(chunks, from))
}

// redacted returns what was redacted in the result, by rule: once, with the first text that is not shown whole.
func (r *Result) redacted() map[string]int {
	counts := make(map[string]int)
	if r.before == nil {
		return counts
	}
	for rule, n := range r.f.counts() {
		if n -= r.before[rule]; n > 0 {
			counts[rule] = n
		}
	}
	r.before = nil
	return counts
}

// leaveOut keeps a text of which nothing is shown. The first of them has the line that counts them.
func (r *Result) leaveOut(text io.Reader, out io.Writer) error {
	if err := r.keep(text); err != nil || r.isSaid {
		return err
	}
	r.isSaid = true
	name, err := r.handle.Name()
	if err != nil {
		return err
	}
	frame := encode.Frame{Final: true, Handle: name,
		Warnings: append([]pipeline.Warning{{What: "texts of this result that are left out",
			Count: r.count - r.next + 1}}, r.firewall.Standing...)}
	line := r.firewall.Encoding.Append(nil, &frame)
	if err := r.grant.Last(r.firewall.Cost(line)); err != nil {
		return err
	}
	_, err = out.Write(line)
	return err
}

// maxUnkept is how much of texts that are left out is kept at once, in bytes: there may be many small ones.
const maxUnkept = 64 << 10

// keep keeps a text of which nothing is shown, with others before it.
func (r *Result) keep(text io.Reader) error {
	_, err := io.CopyN(&r.unkept, text, maxUnkept)
	if err == nil { // there may be more of it
		if err = r.keepAll(io.MultiReader(&r.unkept, text)); err == nil {
			err = r.handle.EndLine()
		}
		return err
	}
	if err != io.EOF {
		return err
	}
	if all := r.unkept.Bytes(); len(all) > 0 && all[len(all)-1] != '\n' {
		r.unkept.WriteByte('\n')
	}
	if r.unkept.Len() < maxUnkept {
		return nil
	}
	return r.keepAll(&r.unkept)
}

// keepAll puts a text behind the handle.
func (r *Result) keepAll(text io.Reader) error {
	redacted := redact.NewReader(text, r.firewall.Rules, redact.Auto)
	for _, err := range pipeline.Keep(split.Chunks(redacted, split.MaxChunkDefault, false, false), r.handle) {
		if err != nil {
			return err
		}
	}
	r.unkept.Reset()
	return nil
}

// Close implements mcp.Result.
func (r *Result) Close() error {
	r.f.measure.end()
	if r.firewall == nil {
		return nil
	}
	if err := r.end(); err != nil {
		return fmt.Errorf("a result is not kept: %w", err)
	}
	return nil
}

// end ends the handle and the allowance.
func (r *Result) end() error {
	var err error
	if r.unkept.Len() > 0 {
		err = r.keepAll(&r.unkept)
	}
	read := 0
	for _, t := range r.texts {
		read += t.tokens
	}
	return errors.Join(err, r.handle.Close(), r.grant.Close(read))
}
