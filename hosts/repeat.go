package hosts

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/lazy"
	"github.com/kfw-dev/kfw/internal/summarize/question"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
)

// Repeats is what the model is shown of a result that it has been shown before.
type Repeats uint8

const (
	RepeatsByHost Repeats = iota // Refer, but Show on a host that forgets unseen
	Show                         // the result, as if it were new
	Refer                        // a line that names the earlier one, or the lines in which it differs from that
)

// RepeatsNames returns the names of what a user can choose, in the order of the constants.
func RepeatsNames() []string { return []string{"show", "refer"} }

// ParseRepeats returns the choice with this name.
func ParseRepeats(name string) (Repeats, bool) {
	i := slices.Index(RepeatsNames(), name)
	return Repeats(i + 1), i >= 0
}

const (
	// leastRepeat is the size from which on a result is stored and compared, in tokens. A smaller
	// one costs little more than the line that refers to it, and its hook opens no handle.
	leastRepeat = 200
	// mostReference is the most that the line costs that stands in the place of an equal result, in
	// tokens.
	mostReference = 40
	// mostCompared is how large a result may be that is compared line by line, in bytes: it bounds
	// the time of a hook.
	mostCompared = 256 << 10
)

// repeat is a result that may be one that was shown before.
//
// Two results are equal if their redacted texts are, all that the model sees, in order, and if they
// ended in the same way. The tool makes no difference, since the line that refers to a result names
// it by its place and by its command: cat and head may say the same. Lines are compared only with
// the last result of the same tool, command and end, where both have one text with output: the last
// one is what the model most likely has in mind, and one comparison bounds the cost.
type repeat struct {
	door     *Door
	file     session.Session
	from     string
	event    *Event
	plain    []string // the texts, redacted
	redacted []string // the same as they are shown
	first    int      // the first text with output
	only     bool     // no other text has output
	shown    session.Shown
	last     *session.Earlier // the last result of the same call; nil if there is none

	asked   func() []byte // a hash of the question
	inPart  bool          // an equal result was shown in part, to another question
	memory  *memory       // of its lines
	isAgain bool          // what the model was shown of them is left out, even if the result fits
}

// repeatOf returns a result as one that may have been shown before; nil if it is not to be
// compared.
func (d *Door) repeatOf(
	file session.Session, from string, e *Event, policy Policy, plain, redacted []string, about func() *question.Question,
) *repeat {
	refers := d.Repeats == Refer || d.Repeats == RepeatsByHost && !d.Host.Traits().ForgetsUnseen
	if policy.Treatment != Full || d.IsOff || !refers || d.IsShared {
		return nil
	}
	r := &repeat{door: d, file: file, from: from, event: e, plain: plain, redacted: redacted,
		asked: sync.OnceValue(func() []byte { return about().Sum() })}
	count, cost := 0, 0
	for i := range e.Texts {
		if r.hasOutput(i) {
			if count == 0 {
				r.first = i
			}
			count++
			cost += d.Filter.cost(redacted[i])
		}
	}
	if cost < leastRepeat {
		return nil
	}
	r.only = count == 1
	r.shown = r.recognized()
	return r
}

func (r *repeat) hasOutput(i int) bool {
	t := &r.event.Texts[i]
	return t.IsBody && !t.IsUnseen && r.plain[i] != ""
}

// numbering is what hosts write around an output that is of the call and not of how it ended.
var numbering = lazy.Regexp(`(?:shellId|Process Group PGID|Background PIDs): *[0-9, ]+`)

// endings are the structural members of a response that say how a tool ended.
var endings = []string{"status", "resultType", "returnCodeInterpretation"}

// digest hashes a list of strings, each with its length.
type digest struct{ hash.Hash }

func (d digest) add(parts ...string) {
	for _, part := range parts {
		_, _ = fmt.Fprintf(d, "%d:%s", len(part), part) // a hash has no errors
	}
}

// recognized returns what a result is recognized by. How it ended is part of both hashes: the
// status, all that the host wrote around the output, and the members of the response that are true,
// false or one of endings.
func (r *repeat) recognized() session.Shown {
	f, e := r.door.Filter, r.event
	result, call := digest{sha256.New()}, digest{sha256.New()}
	for _, d := range []digest{result, call} {
		d.add(f.Rules.Groups().String(), e.Status)
		addEnding(gjson.ParseBytes(e.Response), d)
	}
	for i, t := range e.Texts {
		switch {
		case t.IsUnseen:
		case r.hasOutput(i):
			result.add("output", t.Key, r.plain[i])
			// A handle may add a line feed at the end of a text.
			call.add("output", t.Key, fmt.Sprint(strings.HasSuffix(r.plain[i], "\n")))
		default:
			rest := numbering().ReplaceAllString(r.plain[i], "")
			result.add("rest", t.Key, rest)
			call.add("rest", t.Key, rest)
		}
	}
	called := r.from // has the command, and not the model's remark on it
	if e.Command == "" {
		called = string(f.Whole.Value(nil, e.Input, redact.JSON))
	}
	call.add(e.Tool, called)
	return session.Shown{Result: result.Sum(nil), Call: call.Sum(nil)}
}

func addEnding(v gjson.Result, d digest) {
	v.ForEach(func(name, member gjson.Result) bool {
		switch {
		case member.Type == gjson.True, member.Type == gjson.False,
			member.Type == gjson.String && slices.Contains(endings, name.String()):
			d.add(name.Raw, member.Raw)
		case member.IsObject() || member.IsArray():
			addEnding(member, d)
		}
		return true
	})
}

// inPlace returns the texts with this one in the place of all that have output.
func (r *repeat) inPlace(text string) []string {
	texts := slices.Clone(r.redacted)
	for i := range texts {
		if r.hasOutput(i) {
			texts[i] = ""
		}
	}
	texts[r.first] = text
	return texts
}

// refer returns the texts of an equal result: a line that names the earlier one. It is nil if there
// is none, or if that was shown in part to another question. Else the session has been charged.
func (r *repeat) refer() (texts []string, err error) {
	last, isReferred, err := r.file.Again(r.shown, r.from, func(e *session.Earlier) int {
		if r.inPart = e.InPart && !bytes.Equal(e.Asked, r.asked()); r.inPart {
			return -1
		}
		line := r.door.Filter.reference(r.file.Path(), e.Info().ID, e.Info().From, e.Ago)
		if line == "" {
			return -1
		}
		texts = r.inPlace(line)
		return r.cost(texts)
	})
	if !isReferred {
		r.last = last
		return nil, err
	}
	return texts, nil
}

func (r *repeat) cost(texts []string) int { return r.door.Filter.cost(r.event.seen(texts)...) }

// reference is the line that names an earlier result, empty if none is short enough. It has the
// command that reads that result, as text or else as frames, then its name, as far as there is
// room. Without room for the command it has the handle.
func (f *Filter) reference(path, handle, name string, ago int) string {
	command := encode.TextOf(path, nil).ByProgram(f.Program).Command(handle)
	for _, reads := range []string{command, strings.TrimSuffix(command, encode.AsText), "handle " + handle} {
		for _, most := range []int{60, 20, 0} { // characters
			line := encode.OwnPrefix + "same as " + before(ago) + parenthesized(short(name, most)) + ": " + reads + "\n"
			if f.cost(line) <= mostReference {
				return line
			}
		}
	}
	return ""
}

// before is the place of an earlier result: 1 is the last one.
func before(ago int) string {
	if ago == 1 {
		return "1 result ago"
	}
	return fmt.Sprintf("%d results ago", ago)
}

func parenthesized(name string) string {
	if name == "" {
		return ""
	}
	return " (" + name + ")"
}

// short is the beginning of a name, on one line.
func short(name string, most int) string {
	name = strings.Join(strings.Fields(name), " ")
	if all := []rune(name); len(all) > most {
		name = string(all[:most])
		if most > 0 {
			name += "..."
		}
	}
	return name
}

// difference is a result as the lines in which it differs from an earlier one.
type difference struct {
	earlier *session.Earlier
	changes []change
	equal   int // lines
	lines   int // of the result
}

// compare compares a result with the last one of the same call. It returns nil if there is none
// that it can be compared with.
func (r *repeat) compare() *difference {
	newer := r.plain[r.first]
	if !r.only || r.last == nil || len(newer) > mostCompared || r.last.Info().Bytes > mostCompared+1 {
		return nil
	}
	var stored strings.Builder
	if _, err := r.last.WriteTo(&stored); err != nil {
		if _, isGone := errors.AsType[*session.Gone](err); !isGone {
			r.door.logError(err)
		}
		return nil
	}
	older := withFeed(stored.String())
	newer = withFeed(newer)
	d := &difference{earlier: r.last, changes: changes(older, newer), lines: strings.Count(newer, "\n")}
	if len(d.changes) == 0 {
		return nil
	}
	d.equal = d.lines
	for _, c := range d.changes {
		d.equal -= len(c.new)
	}
	// The rules may have changed since: lines that are gone must not show what is a secret now.
	if redacted, err := r.door.Filter.redacted(r.door.Filter.Rules, older); err != nil || redacted != older {
		r.door.logError(err)
		return nil
	}
	return d
}

// text is what is shown of a result that differs: a line that names the earlier result and says how
// to read all of this one, then the lines as diff -U0 writes them.
func (d *difference) text(f *Filter, path, handle string) string {
	name := d.earlier.Info().ID
	if from := short(d.earlier.Info().From, 60); from != "" {
		name += ": " + from
	}
	text := fmt.Appendf(nil, "%sas %s%s, %d of %d lines are equal; all of it: %s\n",
		encode.OwnPrefix, before(d.earlier.Ago), parenthesized(name), d.equal, d.lines,
		encode.TextOf(path, nil).ByProgram(f.Program).Command(handle))
	return string(appendChanges(text, d.changes))
}

// differing returns the texts of a result as the lines in which it differs, if that costs less than
// cost: else it returns nil. name gives the handle of the result.
func (r *repeat) differing(cost int, name func() (string, error)) (texts []string, less int, err error) {
	d := r.compare()
	if d == nil {
		return nil, 0, nil
	}
	f, most := r.door.Filter, r.door.Host.Traits().MostBytes
	if f.cost(d.text(f, r.file.Path(), "h")) >= cost { // without a name it needs no transaction
		return nil, 0, nil
	}
	handle, err := name()
	if err != nil {
		return nil, 0, err
	}
	text := d.text(f, r.file.Path(), handle)
	if less = f.cost(text); less >= cost || most > 0 && len(text) > most {
		return nil, 0, nil
	}
	return r.inPlace(text), less, nil
}

// whole returns the texts of a result that needs not be shortened, or the lines in which it differs
// from an earlier one. It stores the result for those that come later, and charges the session.
func (r *repeat) whole() []string {
	f := r.door.Filter
	texts, cost := r.redacted, r.cost(r.redacted)
	handle := r.file.NewHandle(r.from, f.Rules.Groups().String()).ShownAs(encode.FormatText)
	err := r.keep(handle)
	if err == nil {
		var other []string
		if other, _, err = r.differing(f.cost(r.redacted[r.first]), handle.Name); other != nil {
			texts = other
		}
	}
	if err == nil {
		err = r.commit(handle, r.cost(texts), texts, !slices.Equal(texts, r.redacted))
	}
	if err != nil {
		r.door.log("not stored: " + err.Error())
		r.door.logError(handle.Discard())
		if unusable, ok := errors.AsType[*session.Unusable](err); !ok || unusable.Full { // the ledger has room
			r.door.logError(charge(r.file, r.from, cost))
		}
		return r.redacted
	}
	return texts
}

// keep puts the texts with output behind a handle, as shorten does.
func (r *repeat) keep(handle *session.Handle) error {
	to := &pipeline.Firewall{Rules: r.door.Filter.Rules, Handle: session.NewShared(handle)}
	for i, t := range r.event.Texts {
		if !t.IsBody || t.Value == "" {
			continue
		}
		text := t.Value
		if i < len(r.event.Texts)-1 {
			text = withFeed(text)
		}
		if err := r.door.Filter.keep(to, text); err != nil {
			return err
		}
	}
	return nil
}

// instead returns, in the place of what was made of a result that was shortened, the lines in which
// it differs from an earlier one, if these cost less. They are data, so only where nothing asks for
// a stricter mode than raw.
func (r *repeat) instead(shortened []string, a *session.Allowance, handle *session.Shared) ([]string, error) {
	if _, total := a.Session(); total > 0 || r.door.Filter.Mode != budget.Raw {
		return shortened, nil
	}
	texts, less, err := r.differing(a.Spent(), handle.Name)
	if err != nil || texts == nil {
		return shortened, err
	}
	a.Instead(less)
	return texts, nil
}
