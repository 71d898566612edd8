// Package results redacts the results of tools and fits each text into a budget.
//
// The output depends on the text and the options alone, so that a text that every request of a
// conversation repeats keeps its bytes. A shortened text is stored under a handle that is named by its
// content.
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
	Numbered bool          // placeholders are numbered, anew in each text

	Budget      int         // tokens for each text; 0: no limit
	Mode        budget.Mode // the least strict one
	Counter     budget.Counter
	Estimate    bool
	Encoding    pipeline.Encoding
	Explain     func(error) pipeline.Failure // see fit.Options
	KeepsHidden bool                         // characters that people do not see stay as they are

	Session session.Session // stores the handles; nil stores nothing
	Fitted  *Fitted         // cache of pages; may be nil
	Note    func(string)    // reports why a text could not be stored
}

// Redactor implements proxy.Redactor. It is for one goroutine.
type Redactor struct {
	Options
	text, json *redact.Reader
}

// New returns a Redactor.
func New(o Options) *Redactor { return &Redactor{Options: o} }

// Text implements proxy.Redactor.
func (c *Redactor) Text(text io.Reader) io.Reader { return c.redacted(&c.text, text, redact.Auto) }

// JSON implements proxy.Redactor.
func (c *Redactor) JSON(value io.Reader) io.Reader { return c.redacted(&c.json, value, redact.JSON) }

// redacted returns a reader of the redacted text. It reuses one reader, except for numbered
// placeholders: those count anew in each text.
func (c *Redactor) redacted(by **redact.Reader, in io.Reader, format redact.Format) io.Reader {
	if *by == nil || c.Numbered {
		*by = redact.NewReader(in, c.Whole, format)
	} else {
		(*by).Reset(in, format)
	}
	return *by
}

// Result implements proxy.Redactor.
func (c *Redactor) Result(text io.Reader) io.Reader {
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

// written begins a page of kfw. A text with that beginning, as from a hook, stays whole up to
// mostWritten times the budget.
const (
	written     = "kfw: "
	mostWritten = 4
)

// fit returns the text if it fits the budget, and a page of it otherwise.
func (c *Redactor) fit(text io.Reader) ([]byte, error) {
	redacted := spool.New("")
	defer redacted.Close()
	hash := sha256.New()
	if _, err := io.Copy(io.MultiWriter(hash, redacted), c.Text(text)); err != nil {
		return nil, err
	}
	var sum [sha256.Size]byte
	hash.Sum(sum[:0])
	shown, ok := c.Fitted.get(sum, time.Now())
	if ok {
		return shown, nil
	}
	shown, err := c.whole(redacted)
	if err == nil && shown == nil {
		shown, err = c.page(redacted, c.Session != nil)
	}
	if err == nil {
		c.Fitted.put(sum, shown, time.Now())
	}
	return shown, err
}

// whole returns a text that fits, or nil.
func (c *Redactor) whole(redacted *spool.Spool) ([]byte, error) {
	if redacted.Size() > int64(mostWritten*c.Budget*bytesOfToken) {
		return nil, nil
	}
	all, err := io.ReadAll(redacted.From(0, redacted.Size()))
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

// bytesOfToken is the longest average token, in bytes: a text with more for each token of the
// budget is not counted.
const bytesOfToken = 16

// page returns a page of a text. If the text can't be stored, the page says so.
func (c *Redactor) page(redacted *spool.Spool, isKept bool) ([]byte, error) {
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
	err := firewall.Run(redacted.From(0, redacted.Size()), &shown)
	if err = errors.Join(err, handle.Close()); err != nil && isKept {
		c.Note("a result is not kept: " + err.Error())
		return c.page(redacted, false)
	}
	return shown.Bytes(), err
}

// origin is the command that the listing of handles shows.
const origin = "proxy"

// mostFitted bounds the cache, in bytes.
const mostFitted = 8 << 20

// Fitted caches the pages of texts. It is safe for use by several goroutines; nil caches nothing.
type Fitted struct {
	For time.Duration // lifetime of an entry; after it the handle is renewed

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
