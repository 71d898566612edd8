package hosts

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/pipeline/split"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
)

// Filter is what the texts of a result go through.
type Filter struct {
	Rules    *redact.Rules
	Whole    *redact.Rules // Rules without a choice of fields, for policy redact
	Fields   []string      // that choice
	Counter  budget.Counter
	Counting string // what a session calls the counter
	Estimate bool
	Budget   int         // of a result, in tokens, where no policy says otherwise
	Mode     budget.Mode // the least strict one
	TTL      time.Duration
	StoreMax int64                            // bytes
	Program  string                           // path of kfw, for the commands that read on
	Explain  func(error) pipeline.Failure     // see fit.Options
	Describe func(line string) (clean string) // redacts a line that is stored, by all rules
}

// leastShare is the share of a budget that the texts after one keep, in percent, if they need it.
const leastShare = 25

// clean returns the texts of a result, redacted. lines says that their lines keep their numbers.
func (f *Filter) clean(all []Text, treatment Treatment) ([]string, error) {
	out := make([]string, len(all))
	for i, t := range all {
		var err error
		switch {
		case treatment == Redact && t.IsBody:
			out[i], err = redactedLines(f.Whole, t.Value)
		case t.IsBody:
			out[i], err = redacted(f.Rules, t.Value)
		default:
			out[i], err = f.member(t)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// member returns the redaction of a short member, whose name may say that it is a secret.
func (f *Filter) member(t Text) (string, error) {
	if t.Key == "" || strings.Contains(t.Value, "\n") {
		return redacted(f.Whole, t.Value)
	}
	object := append(append([]byte{'{'}, t.Key...), ':')
	object = append(append(object, quoted(t.Value)...), '}')
	clean := f.Whole.Value(nil, object, redact.JSON)
	value := ""
	count := 0
	gjson.ParseBytes(clean).ForEach(func(_, v gjson.Result) bool { // its name may have been redacted, too
		value = v.String()
		count++
		return true
	})
	if count != 1 {
		return "", errors.New("a member was lost")
	}
	return value, nil
}

// cost is what texts cost, in tokens.
func (f *Filter) cost(texts ...string) int {
	o := fit.Options{Counter: f.Counter}
	n := 0
	for _, t := range texts {
		n += o.Cost([]byte(t))
	}
	return n
}

// seen returns the texts that the model gets, the line about the status included.
func (e *Event) seen(texts []string) (shown []string) {
	for i, t := range e.Texts {
		if !t.IsUnseen {
			shown = append(shown, texts[i])
		}
	}
	return append(shown, e.statusLine())
}

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
// all. clean are the same texts redacted, which are taken where they cost no more. rest is what else the answer costs. r, unless
// it is nil, is the same result, which then is stored in any case.
func (f *Filter) shorten(
	file *session.File, from string, all []Text, clean []string, tokens, rest, mostBytes int, r *repeat,
) (out []string, err error) {
	firewall := f.firewall(file)
	if mostBytes > 0 {
		firewall.Counter = sized{f.Counter}
		tokens = min(tokens, mostBytes/bytesPerToken)
	}
	a, err := f.allocate(file, firewall, from, rest+max(tokens-rest, tokens/2))
	if err != nil {
		return nil, err
	}
	rest = a.setAside(rest)
	a.isOpen = r != nil
	handle := &shared{handle: file.NewHandle(from, f.Rules.Groups().String())}
	firewall.Handle = handle
	out, read, err := f.fitAll(firewall, a, all, clean)
	if err == nil && r != nil {
		if out, err = r.instead(out, a, handle); err == nil {
			err = handle.handle.CommitShown(r.shown, 0, from)
		}
	}
	if err == nil {
		err = a.Last(rest)
	}
	err = errors.Join(err, handle.close())
	if err == nil && a.isOpen {
		err = a.settle()
	}
	if a.grant != nil {
		err = errors.Join(err, a.grant.Close(read))
	}
	return out, err
}

// firewall is what a text of a result goes through.
func (f *Filter) firewall(file *session.File) *pipeline.Firewall {
	plan := fit.Digest()
	plan.Shares.Beginning, plan.Shares.First = 0, 0 // all is there from the start: the verdict comes first
	firewall := &pipeline.Firewall{
		Rules: f.Rules, Fields: f.Fields,
		Options: fit.Options{
			Plan:     plan,
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
func (f *Filter) pipe(file *session.File, from string, in io.Reader, out io.Writer, tokens, mostBytes int) error {
	firewall := f.firewall(file)
	if mostBytes > 0 {
		firewall.Counter = sized{f.Counter}
		tokens = min(tokens, mostBytes/bytesPerToken)
	}
	a, err := f.allocate(file, firewall, from, tokens)
	if err != nil {
		_, copied := io.Copy(out, redact.NewReader(in, f.Rules, redact.Auto))
		return errors.Join(err, copied)
	}
	handle := &shared{handle: file.NewHandle(from, f.Rules.Groups().String())}
	firewall.Handle, firewall.Ledger = handle, a
	read := &counted{Reader: in}
	a.begin(firewall, f.lessHeader(a.tokens, a.tokens+1))
	var text frames
	err = firewall.Run(read, &text)
	shown, failed := text.verdictFirst(a, firewall)
	_, written := io.WriteString(out, shown)
	err = errors.Join(err, failed, written, handle.close())
	if a.grant != nil {
		err = errors.Join(err, a.grant.Close((read.bytes+3)/4))
	}
	return err
}

// header stands before the beginning of a text that comes after its summary.
const header = encode.OwnPrefix + "the beginning\n"

// lessHeader is the share of a text that costs so much, less room for the header if it will not be shown whole.
func (f *Filter) lessHeader(share, cost int) int {
	if cost <= share {
		return share
	}
	return share - f.cost(header)
}

// frames keeps what a firewall writes, a frame at a time.
type frames struct {
	text []byte
	last int // where the last frame begins
}

// Write implements io.Writer.
func (w *frames) Write(b []byte) (int, error) {
	w.last = len(w.text)
	w.text = append(w.text, b...)
	return len(b), nil
}

// verdictFirst returns the frames with the last one, which is the summary of the whole, before all others: a reader who
// stops early has seen it, and so has a model whose host cuts the middle. A text that is shown whole has no summary.
func (w *frames) verdictFirst(a *allowance, firewall *pipeline.Firewall) (string, error) {
	rest, verdict := string(w.text[:w.last]), string(w.text[w.last:])
	if rest == "" || !strings.HasPrefix(verdict, encode.OwnPrefix) || !strings.HasSuffix(rest, "\n") {
		return string(w.text), nil
	}
	if !strings.HasPrefix(rest, encode.OwnPrefix) {
		if err := a.Last(firewall.Cost([]byte(header))); err != nil {
			return "", err
		}
		rest = header + rest
	}
	return verdict + rest, nil
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

// fitAll fits one text after another. Each leaves to those after it what they need, or at least a share. Those for which
// nothing is left are named in one line. read is what the response would have cost, in tokens.
func (f *Filter) fitAll(firewall *pipeline.Firewall, a *allowance, all []Text, clean []string) (out []string, read int, err error) {
	out = append(out, clean...)
	later := 0
	for i, t := range all {
		if t.IsBody {
			later += f.cost(clean[i])
			read += (len(t.Value) + 3) / 4
		}
	}
	firewall.Ledger = a
	kept := firewall.Handle.(*shared)
	encoding := firewall.Encoding
	room, skipped := a.tokens, 0
	var first *string // of those for which there was no room
	needs := later > room
	if needs {
		room -= firewall.Least()
	}
	for i, t := range all {
		if !t.IsBody || t.Value == "" {
			continue
		}
		later -= f.cost(clean[i])
		share := max(room-later, room-room*leastShare/100)
		share = f.lessHeader(share, f.cost(clean[i]))
		if share < firewall.Least() && f.cost(clean[i]) > share {
			out[i] = ""
			if skipped++; first == nil {
				first = &out[i]
			}
			if err := keep(firewall, withFeed(t.Value)); err != nil {
				return nil, read, err
			}
			continue
		}
		var text frames
		a.begin(firewall, share)
		before := a.spent
		firewall.Encoding = encode.NumberedFrom(encoding, kept.chunks)
		if err := firewall.Run(strings.NewReader(t.Value), &text); err != nil {
			return nil, read, err
		}
		out[i], err = text.verdictFirst(a, firewall)
		if err != nil {
			return nil, read, err
		}
		room -= a.spent - before
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
	frame := encode.Frame{Final: true, Handle: name, Warnings: append([]pipeline.Warning{{What: "texts of this result that are left out",
		Count: skipped}}, firewall.Standing...)}
	line := encoding.Append(nil, &frame)
	*first = string(line)
	return out, read, a.Last(firewall.Cost(line))
}

// keep puts a text behind the handle of the result, of which it shows nothing.
func keep(firewall *pipeline.Firewall, text string) error {
	clean := redact.NewReader(strings.NewReader(text), firewall.Rules, redact.Auto)
	for _, err := range pipeline.Keep(split.Chunks(clean, split.MaxChunkDefault, false, false), firewall.Handle) {
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

// allowance is what one result may cost. It is the ledger of each of its texts.
type allowance struct {
	grant  *session.Grant // nil if the session had nothing left, and what is written is recorded beyond that
	file   *session.File
	from   string
	tokens int
	least  int // of tokens
	spent  int
	isOpen bool // what is spent is not on the ledger before settle: something else may be shown

	sessionLeft, sessionTotal int // total is 0 for a session that has none
}

// allocate draws a result's budget from the session. A result is never refused: if nothing is left, it is written in
// mode handle_only, beyond the total.
func (f *Filter) allocate(file *session.File, firewall *pipeline.Firewall, from string, tokens int) (*allowance, error) {
	least := 2*firewall.Least() + f.cost(header) // for a text, and for those that are left out
	a := &allowance{file: file, from: from, tokens: max(tokens, least), least: least}
	file.CountBy(f.Counting)
	grant, err := file.Allocate(a.tokens, least, from)
	if exhausted, ok := errors.AsType[*session.Exhausted](err); ok {
		a.tokens, a.sessionLeft, a.sessionTotal = least, 0, max(exhausted.Total, 1)
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	a.grant, a.tokens = grant, grant.Tokens()
	if grant.SessionTotal() < session.NoTotal {
		a.sessionLeft, a.sessionTotal = grant.SessionLeft(), grant.SessionTotal()
	}
	return a, nil
}

// setAside takes what the texts around the output cost from the tokens of those that are fitted, and returns how much
// it has taken: there may be too little for all of it.
func (a *allowance) setAside(rest int) int {
	if a.grant == nil {
		return rest
	}
	rest = max(0, min(rest, a.tokens-a.least))
	a.tokens -= rest
	return rest
}

// begin gives the next text its share, in tokens.
func (a *allowance) begin(firewall *pipeline.Firewall, share int) {
	firewall.Budget.Tokens = share
	if a.sessionTotal > 0 {
		firewall.Budget.SessionLeft, firewall.Budget.SessionTotal = a.sessionLeft-a.spent, a.sessionTotal
	}
}

// Spend implements pipeline.Ledger.
func (a *allowance) Spend(tokens int) error {
	return a.record(tokens, func(g *session.Grant) error { return g.Spend(tokens) })
}

// Last implements pipeline.Ledger.
func (a *allowance) Last(tokens int) error {
	return a.record(tokens, func(g *session.Grant) error { return g.Last(tokens) })
}

func (a *allowance) record(tokens int, granted func(*session.Grant) error) error {
	a.spent += tokens
	switch {
	case a.isOpen:
		return nil
	case a.grant != nil:
		return granted(a.grant)
	}
	_, err := a.file.Spend(tokens, a.from)
	return err
}

// settle records what was spent while it was open.
func (a *allowance) settle() error {
	a.isOpen = false
	if a.grant != nil {
		return a.grant.Last(a.spent)
	}
	return charge(a.file, a.from, a.spent)
}

// shared is the one handle of a result. It stays if a text named it.
type shared struct {
	handle  *session.Handle
	isNamed bool
	chunks  int
}

// Keep implements pipeline.Handle.
func (s *shared) Keep(lead, source, path []byte, kind uint8) error {
	s.chunks++
	return s.handle.Keep(lead, source, path, kind)
}

// Tail implements pipeline.Handle.
func (s *shared) Tail(b []byte) error { return s.handle.Tail(b) }

// Name implements pipeline.Handle.
func (s *shared) Name() (string, error) {
	s.isNamed = true
	return s.handle.Name()
}

func (s *shared) close() error {
	if s.isNamed {
		return s.handle.Commit()
	}
	return s.handle.Discard()
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
func charge(file *session.File, from string, tokens int) error {
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
