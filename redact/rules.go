package redact

import (
	"iter"
	"strings"
	"sync"

	"github.com/kfw-dev/kfw/redact/internal/catalogue"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/selection"
)

// Rules is a compiled choice of rules. It is immutable, and safe for use by any
// number of goroutines.
type Rules struct {
	set     *catalogue.Set
	allowed *selection.Fields // nil: every field
	filters sync.Pool
}

// Compile prepares the rules that o asks for. It fails if a path of AllowFields
// is not one, or a name of RedactFields or KeepFields, with a *FieldError, or an entry
// of Allow, with an *AllowError; and if the files have too many keywords together, with
// a *RuleError.
func Compile(o Options) (*Rules, error) {
	set, err := catalogue.Compile(catalogue.Options(o))
	if err != nil {
		return nil, err
	}
	r := &Rules{set: set}
	r.filters.New = func() any { return newFilter(set, newText(set, false)) }
	r.allowed, err = selection.Parse(o.AllowFields)
	return r, err
}

var defaultRules = sync.OnceValues(func() (*Rules, error) { return Compile(Options{}) })

// String returns s with all that any rule finds redacted. It reads s as kfw redact reads a file: lines of text, of
// JSON, or of both. For a stream, or a choice of rules, see NewReader. It is safe for use by any number of goroutines.
func String(s string) string {
	rules, err := defaultRules()
	if err != nil {
		panic(err) // the rules of the package itself
	}
	var b strings.Builder
	if _, err := NewReader(strings.NewReader(s), rules, Auto).WriteTo(&b); err != nil {
		panic(err) // neither reads nor writes fail
	}
	return b.String()
}

// Groups returns the groups that were asked for.
func (r *Rules) Groups() names.Group { return r.set.Groups }

// List yields the rules that are on, in the order in which they are asked.
func (r *Rules) List() iter.Seq[Entry] { return r.set.List() }

// Value appends to dst the redaction of src: of one whole value if f is JSON, of
// one whole line without its end if f is Lines. It is for what comes from no
// stream of records: what has been stored, a command line, a message. AllowFields
// does not apply, so no field is dropped; counts are not kept, and no marker has
// a number.
func (r *Rules) Value(dst, src []byte, f Format) []byte {
	v := Values{r.set, nil}
	if !r.set.PassAll {
		v.filter = r.filters.Get().(*filter)
		defer r.filters.Put(v.filter)
	}
	return v.Append(dst, src, f)
}

// Values redacts many values, one after another, each as Rules.Value does, in memory of its own. It is for one
// goroutine.
type Values struct {
	rules  *catalogue.Set
	filter *filter
}

// Values returns a redactor of values.
func (r *Rules) Values() *Values { return &Values{r.set, newFilter(r.set, newText(r.set, false))} }

// Append appends to dst the redaction of src, as Rules.Value does.
func (v *Values) Append(dst, src []byte, f Format) []byte {
	if v.rules.PassAll {
		return append(dst, src...)
	}
	v.filter.text.isAlone = true
	v.filter.start(f)
	dst, _ = v.filter.feed(dst, src)
	return v.filter.finish(dst)
}
