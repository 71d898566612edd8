// Package results redacts the payloads of an MCP server, and fits the texts of a tool's result into the budget of that
// tool, behind one handle.
//
// Texts come in from package mcp, redacted texts go out, never more than the budget of a result, except where a policy
// says that it is not shortened. What a result costs is on the ledger of a session before it is shown.
//
//   - results.go: Filter: the redaction, and what each tool is granted
//   - measure.go: what the texts of a result cost
//   - result.go: Result: one result
package results

import (
	"cmp"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/hosts"
	"github.com/kfw-dev/kfw/internal/asked"
	"github.com/kfw-dev/kfw/internal/border"
	"github.com/kfw-dev/kfw/internal/summarize/question"
	"github.com/kfw-dev/kfw/mcp"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
)

// Options say what is done with results.
type Options struct {
	Rules    *redact.Rules
	Whole    *redact.Rules // Rules without a choice of fields: what policy redact keeps to
	Fields   []string      // that choice
	Policies hosts.Policies
	Prefix   string // before the name of a tool, where the policies call it by more than its name
	IsOff    bool   // nothing is shortened

	Counter  budget.Counter
	Counting string // what a session calls the counter
	Estimate bool
	Budget   int         // of a result, in tokens, where no policy says otherwise
	Mode     budget.Mode // the least strict one
	Encoding func() pipeline.Encoding
	Explain  func(error) pipeline.Failure // see fit.Options
	Describe func(string) string          // redacts what is stored, by all rules

	KeepsHidden bool // characters that people do not see stay as they are

	Session session.Session
	Total   int          // of the session, if the first result makes it; 0: none
	Note    func(string) // takes why a result is not kept, or not on the ledger
}

// Filter implements mcp.Redactor and mcp.Fitter. It is for one goroutine.
type Filter struct {
	Options
	idle     []*border.Redactor
	underWay []*border.Redactor // whose readers have not come to the end of their inputs, the oldest first
	measure  measure
	most     int // tokens of a result that some policy shows whole
}

// New returns a filter.
func New(o Options) *Filter {
	f := &Filter{Options: o}
	f.most = max(o.Budget, hosts.DefaultFloor)
	for _, p := range o.Policies {
		f.most = max(f.most, p.Budget, p.Floor)
	}
	return f
}

// Text implements mcp.Redactor.
func (f *Filter) Text(text io.Reader) io.Reader { return f.redacted(text, redact.Auto) }

// JSON implements mcp.Redactor.
func (f *Filter) JSON(value io.Reader) io.Reader { return f.redacted(value, redact.JSON) }

// Texts implements mcp.Redactor.
func (f *Filter) Texts(texts []string, before int) (redacted []string, err error) {
	if len(texts) > 1 {
		if texts, err = f.free().Redact(texts, before); err != nil {
			return nil, err
		}
	}
	for i, text := range texts {
		one := []byte(text)
		if i >= before {
			if one, err = io.ReadAll(f.Text(strings.NewReader(text))); err != nil {
				return nil, err
			}
		}
		redacted = append(redacted, string(one))
	}
	return redacted, nil
}

// mostUnderWay is how many redactions are under way at once: what is held of a list may be redacted while a value of the
// list is. One that is older was given up.
const mostUnderWay = 2

// free returns a redactor that is not busy, mostly the only one that there is: equal secrets have equal numbers, and a
// payload costs no memory of its own.
func (f *Filter) free() *border.Redactor {
	if len(f.underWay) == mostUnderWay {
		f.end(f.underWay[0])
	}
	if len(f.idle) == 0 {
		f.idle = append(f.idle, border.New(f.Whole))
	}
	return f.idle[0]
}

// end says that the redaction by a redactor is over.
func (f *Filter) end(by *border.Redactor) {
	if i := slices.Index(f.underWay, by); i >= 0 {
		f.underWay = slices.Delete(f.underWay, i, i+1)
		f.idle = append(f.idle, by)
	}
}

// redacted returns the redaction of in.
func (f *Filter) redacted(in io.Reader, format redact.Format) io.Reader {
	by := f.free()
	by.Reader().Reset(in, format)
	f.idle, f.underWay = f.idle[1:], append(f.underWay, by)
	return &redaction{f, by}
}

// redaction is one that is under way.
type redaction struct {
	of *Filter
	by *border.Redactor
}

func (r *redaction) Read(p []byte) (int, error) {
	n, err := r.by.Reader().Read(p)
	if err != nil {
		r.of.end(r.by)
	}
	return n, err
}

// counts returns how much was redacted so far, by rule.
func (f *Filter) counts() map[string]int {
	all := make(map[string]int)
	for _, by := range slices.Concat(f.idle, f.underWay) {
		for rule, n := range by.Reader().Counts() {
			all[rule] += n
		}
		by.Count(all)
	}
	return all
}

// policy returns that of a tool.
func (f *Filter) policy(tool string) hosts.Policy { return f.Policies.For(f.Prefix+tool, false) }

// Treatment implements mcp.Fitter.
func (f *Filter) Treatment(tool string) mcp.Treatment {
	switch f.policy(tool).Treatment {
	case hosts.Off:
		return mcp.Pass
	case hosts.Redact:
		return mcp.Redact
	}
	return mcp.Fit
}

// Begin implements mcp.Fitter.
func (f *Filter) Begin() mcp.Result { return &Result{f: f, before: f.counts()} }

// question returns what a call asks: its tool and its arguments. nil if that has no words.
func (f *Filter) question(c mcp.Call) *question.Question {
	a := asked.By(f.Whole)
	a.Call(c.Tool, c.Arguments)
	return a.Question()
}

// tokens is the budget of a result.
func (f *Filter) tokens(p hosts.Policy) int { return cmp.Or(p.Budget, f.Budget) }

// cost is what a text costs, in tokens.
func (f *Filter) cost(text []byte) int {
	o := fit.Options{Counter: f.Counter, Encoding: encode.Text{}}
	return o.Cost(text)
}

// source is what is known of a text that was redacted before it was read.
type source struct {
	*redact.Reader
	counts map[string]int
}

// Counts implements fit.Source.
func (s source) Counts() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for rule, n := range s.Reader.Counts() {
			s.counts[rule] += n
		}
		for _, rule := range sortedKeys(s.counts) {
			if !yield(rule, s.counts[rule]) {
				return
			}
		}
	}
}
