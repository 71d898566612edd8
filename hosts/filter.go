package hosts

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/border"
	"github.com/kfw-dev/kfw/internal/summarize/question"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
)

// Filter is what the texts of a result go through.
type Filter struct {
	Rules       *redact.Rules
	Whole       *redact.Rules // Rules without a choice of fields, for policy redact
	Fields      []string      // that choice
	Counter     budget.Counter
	Counting    string // what a session calls the counter
	Estimate    bool
	Budget      int         // of a result, in tokens, where no policy says otherwise
	Mode        budget.Mode // the least strict one
	TTL         time.Duration
	StoreMax    int64                        // bytes
	Program     string                       // path of kfw, for the commands that read on
	Explain     func(error) pipeline.Failure // see fit.Options
	KeepsHidden bool                         // characters that people do not see stay as they are

	Describe func(line string) (redacted string) // redacts a line that is stored, by all rules

	readers map[*redact.Rules]*redact.Reader // see reader
}

// leastShare is the share of a budget that the texts after one keep, in percent, if they need it.
const leastShare = 25

// redactTexts returns the texts of a result, redacted. Of those with treatment Redact the lines keep their numbers.
func (f *Filter) redactTexts(e *Event, treatment Treatment) ([]string, error) {
	if err := f.asOne(e); err != nil {
		return nil, err
	}
	e.joinTexts()
	out := make([]string, len(e.Texts))
	for i, t := range e.Texts {
		isRest := e.InPlace && !t.isPlain // redacted with the response
		var err error
		switch {
		case t.isUnread:
			out[i] = t.Value
		case treatment == Redact && t.IsBody:
			out[i], err = redactedLines(f.Whole, t.Value)
		case t.IsBody:
			out[i], err = f.redacted(f.Rules, t.Value)
		case t.isJSON:
			out[i] = string(f.Whole.Value(nil, []byte(t.Value), redact.JSON))
		case isRest && !strings.Contains(t.Value, "\n"):
			out[i] = t.Value
		default:
			out[i], err = f.redacted(f.Whole, t.Value)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// asOne redacts the texts of content, which the model reads one after the other, as one text: a secret may begin in one
// and end in another.
func (f *Filter) asOne(e *Event) error {
	var of []int
	var texts []string
	for i, t := range e.Texts {
		if t.IsBody && t.Key == `"text"` && (t.isPlain || !e.InPlace) {
			of, texts = append(of, i), append(texts, t.Value)
		}
	}
	if len(of) < 2 {
		return nil
	}
	redacted, err := border.New(f.Whole).Redact(texts, 0)
	if err != nil {
		return err
	}
	for n, i := range of {
		if t := &e.Texts[i]; t.Value != redacted[n] {
			t.Value, t.isOther, e.isChanged = redacted[n], true, true
		}
	}
	return nil
}

// joinTexts joins many consecutive items, and the text between them, into one text. Otherwise each
// item would be shortened by itself. It applies if the answer is one text.
func (e *Event) joinTexts() {
	isItem := func(t Text) bool { return t.IsBody && t.isItem }
	n := 0
	for _, t := range e.Texts {
		if isItem(t) {
			n++
		}
	}
	if e.InPlace || e.Spill != nil || n <= mostItems {
		return
	}
	var all, after []Text // after the current run
	var run strings.Builder
	at := -1 // where in all the current run is
	end := func() {
		if at >= 0 {
			all[at].Value = run.String()
		}
		all = append(all, after...)
		at, after = -1, nil
		run.Reset()
	}
	add := func(t Text) {
		if (isItem(t) || t.isJSON) && run.Len() > 0 && !strings.HasSuffix(run.String(), "\n") {
			run.WriteByte('\n')
		}
		run.WriteString(t.Value)
	}
	for _, t := range e.Texts {
		switch {
		case t.IsUnseen:
			all = append(all, t)
		case isItem(t) && at < 0:
			at = len(all)
			all = append(all, t)
			add(t)
		case isItem(t):
			for _, between := range after {
				add(between)
			}
			after = nil
			add(t)
		case at >= 0 && !t.IsBody:
			after = append(after, t)
		default:
			end()
			all = append(all, t)
		}
	}
	end()
	e.Texts = all
}

// reader returns the reader by some rules, for a text. There is one for each choice of rules: there may be many texts.
func (f *Filter) reader(rules *redact.Rules, text string) *redact.Reader {
	if f.readers == nil {
		f.readers = make(map[*redact.Rules]*redact.Reader)
	}
	r := f.readers[rules]
	if r == nil {
		r = redact.NewReader(nil, rules, redact.Auto)
		f.readers[rules] = r
	}
	r.Reset(strings.NewReader(text), redact.Auto)
	return r
}

// redacted returns the redaction of a text.
func (f *Filter) redacted(rules *redact.Rules, text string) (string, error) {
	var b strings.Builder
	b.Grow(len(text))
	_, err := io.Copy(&b, f.reader(rules, text))
	return b.String(), err
}

// asShown returns texts as the model sees those that are shown whole: with policy Full, lines that imitate kfw's own
// are quoted.
func (f *Filter) asShown(e *Event, plain []string, treatment Treatment) []string {
	if treatment != Full {
		return plain
	}
	redacted := slices.Clone(plain)
	for i, t := range e.Texts {
		if t.IsBody {
			redacted[i] = string(encode.AppendWhole(nil, []byte(redacted[i]), f.KeepsHidden))
		}
	}
	return redacted
}

// cost is what texts cost, in tokens.
func (f *Filter) cost(texts ...string) int {
	o := fit.Options{Counter: f.Counter, Encoding: encode.Text{}}
	n := 0
	for _, t := range texts {
		n += o.Cost([]byte(t))
	}
	return n
}

// seen returns the texts that the model gets, the line about the status included.
func (e *Event) seen(texts []string) []string { return append(e.shown(texts), e.statusLine()) }

// around returns those of them that are not shortened.
func (e *Event) around(texts []string) (rest []string) {
	for i, t := range e.Texts {
		if !t.IsUnseen && !t.IsBody {
			rest = append(rest, texts[i])
		}
	}
	return append(rest, e.statusLine())
}

// shorten says as much of the texts as there is room for, and puts all of it behind one handle if that is less than
// all. clean are the same texts redacted, which are taken where they cost no more. rest is what else the answer
// costs. about returns what the reader wants to know. r, unless it is nil, is the same result, which then is stored in
// any case.
func (f *Filter) shorten(
	file session.Session, from string, all []Text, redacted []string, about func() *question.Question,
	tokens, rest, mostBytes int, r *repeat,
) (out []string, err error) {
	firewall := f.firewall(file)
	firewall.Question = about
	if mostBytes > 0 {
		firewall.Counter = sized{f.Counter}
		tokens = min(tokens, mostBytes/bytesPerToken)
	}
	a, err := f.allow(file, firewall, from, rest+max(tokens-rest, tokens/2))
	if err != nil {
		return nil, err
	}
	rest = a.SetAside(rest)
	stored := file.NewHandle(from, f.Rules.Groups().String()).ShownAs(encode.FormatText)
	handle := session.NewShared(stored)
	if r != nil {
		a.Hold()
	}
	firewall.Handle = handle
	if r != nil {
		firewall.Memory, firewall.Again = r.memory, r.isAgain
	}
	out, read, err := f.fitAll(firewall, a, all, redacted)
	if err == nil && r != nil {
		fitted := out
		if out, err = r.instead(fitted, a, handle); err == nil {
			err = r.commit(stored, 0, out, !slices.Equal(out, fitted))
		}
	}
	if err == nil {
		err = a.Last(rest)
	}
	err = errors.Join(err, handle.Close())
	if err == nil {
		err = a.Settle()
	}
	return out, errors.Join(err, a.Close(read))
}

// firewall is what a text of a result goes through.
func (f *Filter) firewall(file session.Session) *pipeline.Firewall {
	firewall := &pipeline.Firewall{
		Rules: f.Rules, Fields: f.Fields, KeepsHidden: f.KeepsHidden,
		Options: fit.Options{
			Plan:     fit.Digest,
			Budget:   fit.Budget{Mode: f.Mode},
			Counter:  f.Counter,
			Estimate: f.Estimate,
			Encoding: encode.TextOf(file.Path(), nil).ByProgram(f.Program),
			Explain:  f.Explain,
		},
	}
	if f.Rules.Groups() == redact.None {
		firewall.Standing = append(firewall.Standing, pipeline.Warning{What: "redaction is off"})
	}
	return firewall
}

// pipe writes as much of a text as there is room for. If the session can't be used, all of it is written.
func (f *Filter) pipe(file session.Session, from string, in io.Reader, out io.Writer, tokens, mostBytes int) error {
	firewall := f.firewall(file)
	if mostBytes > 0 {
		firewall.Counter = sized{f.Counter}
		tokens = min(tokens, mostBytes/bytesPerToken)
	}
	a, err := f.allow(file, firewall, from, tokens)
	if err != nil {
		_, copied := io.Copy(out, redact.NewReader(in, f.Rules, redact.Auto))
		return errors.Join(err, copied)
	}
	handle := session.NewShared(file.NewHandle(from, f.Rules.Groups().String()).ShownAs(encode.FormatText))
	firewall.Handle, firewall.Ledger = handle, a
	read := &counted{Reader: in}
	begin(firewall, a, a.Tokens(), true)
	err = firewall.Run(read, out)
	return errors.Join(err, handle.Close(), a.Close((read.bytes+3)/4))
}

// counted counts the bytes that were read.
type counted struct {
	io.Reader
	bytes int
}

// Read implements io.Reader.
func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.bytes += n
	return n, err
}

// fitAll fits one text after another. Each leaves to those after it what they need, or at least a share. Those for
// which nothing is left are named in one line. read is what the response would have cost, in tokens.
func (f *Filter) fitAll(
	firewall *pipeline.Firewall, a *session.Allowance, all []Text, redacted []string,
) (out []string, read int, err error) {
	out = append(out, redacted...)
	later := 0
	for i, t := range all {
		if t.IsBody {
			later += f.cost(redacted[i])
			read += (len(t.Value) + 3) / 4
		}
	}
	firewall.Ledger = a
	kept := firewall.Handle.(*session.Shared)
	encoding := firewall.Encoding
	room, skipped := a.Tokens(), 0
	var first *string // of those for which there was no room
	needs := later > room
	if needs {
		room -= firewall.Least()
	}
	for i, t := range all {
		if !t.IsBody || t.Value == "" {
			continue
		}
		later -= f.cost(redacted[i])
		share := max(room-later, room-room*leastShare/100)
		if share < firewall.Least() && f.cost(redacted[i]) > share {
			out[i] = ""
			if skipped++; first == nil {
				first = &out[i]
			}
			if err := f.keep(firewall, withFeed(t.Value)); err != nil {
				return nil, read, err
			}
			continue
		}
		if m, ok := firewall.Memory.(*memory); ok {
			m.text = i
		}
		var text strings.Builder
		begin(firewall, a, share, later == 0 && first == nil)
		before := a.Spent()
		firewall.Encoding = encode.NumberedFrom(encoding, kept.Chunks())
		if err := firewall.Run(strings.NewReader(t.Value), &text); err != nil {
			return nil, read, err
		}
		out[i] = text.String()
		room -= a.Spent() - before
		if !strings.HasSuffix(t.Value, "\n") && i < len(all)-1 {
			if err := firewall.Handle.Tail([]byte{'\n'}); err != nil {
				return nil, read, err
			}
		}
	}
	if first == nil {
		return out, read, nil
	}
	name, err := firewall.Handle.Name()
	if err != nil {
		return nil, read, err
	}
	frame := encode.Frame{Final: true, Handle: name,
		Warnings: append([]pipeline.Warning{{What: "texts of this result that are left out",
			Count: skipped}}, firewall.Standing...)}
	line := encoding.Append(nil, &frame)
	*first = string(line)
	return out, read, a.Last(firewall.Cost(line))
}

// keep puts a text behind the handle of the result, of which it shows nothing.
func (f *Filter) keep(firewall *pipeline.Firewall, text string) error {
	redacted := f.reader(firewall.Rules, text)
	for _, err := range pipeline.Keep(split.Chunks(redacted, split.MaxChunkDefault, false, false), firewall.Handle) {
		if err != nil {
			return err
		}
	}
	return nil
}

// withFeed is text with a line feed at its end.
func withFeed(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// allow draws a result's budget from the session.
func (f *Filter) allow(
	file session.Session, firewall *pipeline.Firewall, from string, tokens int,
) (*session.Allowance, error) {
	file.CountBy(f.Counting)
	least := 2 * firewall.Least() // for a text, and for those that are left out
	a, err := session.Allow(file, tokens, least, from)
	if _, isOther := errors.AsType[*session.OtherCounting](err); isOther {
		// The user changed the tokenizer while the session of the host goes on. An inexact ledger
		// costs less than a result that passes whole.
		file.CountBy("")
		return session.Allow(file, tokens, least, from)
	}
	return a, err
}

// begin gives the next text its share, in tokens. isLast says that nothing more of the result is shown.
func begin(firewall *pipeline.Firewall, a *session.Allowance, share int, isLast bool) {
	firewall.Budget.Tokens = share
	firewall.Budget.SessionLeft, firewall.Budget.SessionTotal = a.Session()
	firewall.GoesOn = !isLast
}

// bytesPerToken is how many bytes a host that limits what a hook says takes a token for.
const bytesPerToken = 4

// sized counts by another counter, but at least a token for every four bytes.
type sized struct{ budget.Counter }

// Count implements budget.Counter.
func (s sized) Count(line []byte) int {
	return max(s.Counter.Count(line), (len(line)+bytesPerToken-1)/bytesPerToken)
}

// Bounds implements budget.Counter.
func (s sized) Bounds(bytes int) (least, most int) {
	least, most = s.Counter.Bounds(bytes)
	return max(least, bytes/bytesPerToken), max(most, bytes)
}

// charge records what a result costs, in tokens, that is not shortened.
func charge(file session.Session, from string, tokens int) error {
	if tokens == 0 {
		return nil
	}
	_, err := file.Spend(tokens, from)
	return err
}

// described is what the ledger and the handle call a result.
func (f *Filter) described(e *Event) string {
	return f.Describe(strings.TrimSpace(fmt.Sprintf("%s %s", e.Tool, e.Command)))
}
