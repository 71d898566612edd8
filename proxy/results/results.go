// Package results redacts what tools have answered, and fits each of their texts into a budget.
//
// Texts come in from package proxy; what goes out depends on the text and the options alone, so that a text that is
// sent with every request of a conversation is the same bytes every time. All of a text that was shortened is behind a
// handle that is named by what is in it.
package results

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/spool"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
)

// Options say what is done with texts.
type Options struct {
	Rules    *redact.Rules
	Whole    *redact.Rules // Rules without a choice of fields
	Fields   []string      // that choice
	Numbered bool          // placeholders have numbers, of each text its own

	Budget      int         // of a text, in tokens; 0 shows all of it
	Mode        budget.Mode // the least strict one
	Counter     budget.Counter
	Estimate    bool
	Encoding    pipeline.Encoding
	Explain     func(error) pipeline.Failure // see fit.Options
	KeepsHidden bool                         // characters that people do not see stay as they are

	Session *session.File // where handles are; nil keeps nothing
	Fitted  *Fitted       // what is known of texts that came before
	Note    func(string)  // takes why a text is not kept
}

// Cleaner implements proxy.Cleaner. It is for one goroutine.
type Cleaner struct {
	Options
	text, json *redact.Reader
}

// New returns a cleaner.
func New(o Options) *Cleaner { return &Cleaner{Options: o} }

// Text implements proxy.Cleaner.
func (c *Cleaner) Text(text io.Reader) io.Reader { return c.redacted(&c.text, text, redact.Auto) }

// JSON implements proxy.Cleaner.
func (c *Cleaner) JSON(value io.Reader) io.Reader { return c.redacted(&c.json, value, redact.JSON) }

// redacted returns the redaction of in, by a reader that is used again, unless it would number what is in several
// texts.
func (c *Cleaner) redacted(by **redact.Reader, in io.Reader, format redact.Format) io.Reader {
	if *by == nil || c.Numbered {
		*by = redact.NewReader(in, c.Whole, format)
	} else {
		(*by).Reset(in, format)
	}
	return *by
}

// Result implements proxy.Cleaner.
func (c *Cleaner) Result(text io.Reader) io.Reader {
	if c.Budget == 0 {
		return c.Text(text)
	}
	shown, err := c.fit(text)
	if err != nil {
		return failing{err}
	}
	return bytes.NewReader(shown)
}

// failing is a reader that has failed.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// written begins what kfw wrote before, as behind a hook. It is as short as it can be, up to so many times the budget.
const (
	written     = "kfw: "
	mostWritten = 4
)

// fit returns as much of a text as there is room for.
func (c *Cleaner) fit(text io.Reader) ([]byte, error) {
	clean := spool.New("")
	defer clean.Close()
	hash := sha256.New()
	if _, err := io.Copy(io.MultiWriter(hash, clean), c.Text(text)); err != nil {
		return nil, err
	}
	var sum [sha256.Size]byte
	hash.Sum(sum[:0])
	shown, ok := c.Fitted.get(sum, time.Now())
	if ok {
		return shown, nil
	}
	shown, err := c.whole(clean)
	if err == nil && shown == nil {
		shown, err = c.page(clean, c.Session != nil)
	}
	if err == nil {
		c.Fitted.put(sum, shown, time.Now())
	}
	return shown, err
}

// whole returns a text that is shown as it is, or nil.
func (c *Cleaner) whole(clean *spool.Spool) ([]byte, error) {
	if clean.Size() > int64(mostWritten*c.Budget*bytesOfToken) {
		return nil, nil
	}
	all, err := io.ReadAll(clean.From(0, clean.Size()))
	if err != nil {
		return nil, err
	}
	room := c.Budget
	if bytes.HasPrefix(all, []byte(written)) {
		room *= mostWritten
	}
	if len(all) > 0 && c.Counter.Count(all) > room {
		return nil, nil
	}
	return append([]byte{}, all...), nil
}

// bytesOfToken is how many bytes a token has at most in a text that is worth counting.
const bytesOfToken = 16

// page returns a page of a text. If all of the text can't be kept, the page says so.
func (c *Cleaner) page(clean *spool.Spool, isKept bool) ([]byte, error) {
	firewall := &pipeline.Firewall{
		Rules: c.Rules, Fields: c.Fields, KeepsHidden: c.KeepsHidden,
		Options: fit.Options{
			Plan: fit.Digest, Budget: fit.Budget{Tokens: c.Budget, Mode: c.Mode}, Counter: c.Counter,
			Estimate: c.Estimate,
			Encoding: c.Encoding, Explain: c.Explain,
		},
	}
	if c.Rules.Groups() == redact.None {
		firewall.Standing = append(firewall.Standing, pipeline.Warning{What: "redaction is off"})
	}
	handle := &session.Shared{}
	if isKept {
		handle = session.NewShared(c.Session.NewHandle(origin, c.Rules.Groups().String()).ShownAs(encode.FormatText).
			NamedByContent())
	} else {
		firewall.Standing = append(firewall.Standing, pipeline.Warning{What: "what is left out is not kept"})
	}
	firewall.Handle = handle
	var shown bytes.Buffer
	err := firewall.Run(clean.From(0, clean.Size()), &shown)
	if err = errors.Join(err, handle.Close()); err != nil && isKept {
		c.Note("a result is not kept: " + err.Error())
		return c.page(clean, false)
	}
	return shown.Bytes(), err
}

// origin is what handles of the proxy say they come from.
const origin = "proxy"

// mostFitted is how much is known of texts that came before, in bytes.
const mostFitted = 8 << 20

// Fitted remembers what is shown of texts, so that one that comes again costs little. It is safe for use by several
// goroutines; nil remembers nothing.
type Fitted struct {
	For time.Duration // so long; the handle is used again then

	mu     sync.Mutex
	bytes  int
	now    map[[sha256.Size]byte]fitted
	before map[[sha256.Size]byte]fitted
}

type fitted struct {
	shown []byte
	at    time.Time
}

func (f *Fitted) get(sum [sha256.Size]byte, now time.Time) (shown []byte, ok bool) {
	if f == nil {
		return nil, false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	one, ok := f.now[sum]
	if !ok {
		one, ok = f.before[sum]
	}
	return one.shown, ok && now.Sub(one.at) < f.For
}

func (f *Fitted) put(sum [sha256.Size]byte, shown []byte, now time.Time) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.now == nil || f.bytes > mostFitted/2 {
		f.before, f.now, f.bytes = f.now, make(map[[sha256.Size]byte]fitted), 0
	}
	f.now[sum] = fitted{shown, now}
	f.bytes += len(shown) + sha256.Size
}
