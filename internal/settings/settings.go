// Package settings finds the value of each flag, and where it comes from: the command line, the environment, a
// session, a kfw.yaml, or the default.
//
// In go the flags of a command, and a function that makes those that kfw.yaml may give a value. Out come the flags
// with their values, the origin of each, and what else a kfw.yaml declares: drivers, capabilities, and what hooks do.
// A value is understood when it is set, by the parser that its flag has. A kfw.yaml in the working directory that the
// user does not trust only tightens. No error repeats a value or what stands in a file.
package settings

import (
	"cmp"
	"errors"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/internal/fault"
)

// Settings is where the values of a command's flags come from. Of the places that have a value the first one counts:
// flag, environment, session, kfw.yaml in the working directory if it is trusted, that of the user, default. One that
// is not trusted only tightens what the places after it say.
type Settings struct {
	settable func() *pflag.FlagSet // the flags that kfw.yaml may give a value, with their defaults
	Files    Files
	From     map[string]Origin
	ignored  []string // keys of a kfw.yaml that is not trusted, with flags of this command
}

// New returns the settings of a command whose flags have no values yet. settable returns the flags that kfw.yaml may
// give a value, with their defaults: each call makes them anew, as a value is tried by setting it.
func New(settable func() *pflag.FlagSet) *Settings {
	return &Settings{settable: settable, From: make(map[string]Origin)}
}

// Origin is where the value of one flag comes from. The zero value is its default.
type Origin struct {
	Kind Place
	Name string // of the variable, or of the session file
	at   string // in kfw.yaml: the file and the line
}

// Place is where a value comes from. Of two the larger one counts.
type Place uint8

// The places that a value comes from.
const (
	fromDefault Place = iota
	fromFile
	FromSession
	fromEnvironment
	FromFlag
)

// String names the place for a reader: "flag", "environment " and the variable, "session " and the
// file, the file and line of a kfw.yaml, or "default".
func (o Origin) String() string {
	switch o.Kind {
	case FromFlag:
		return "flag"
	case fromEnvironment:
		return "environment " + o.Name
	case FromSession:
		return "session " + o.Name
	case fromFile:
		return o.at
	}
	return "default"
}

// inSession returns the flags that say how a session is made. Once it is made, its values count and not kfw.yaml.
func inSession() []string { return []string{"total", "ttl", "store-max"} }

// Key is what kfw.yaml calls a flag.
func Key(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// variable is the environment variable of a flag.
func variable(flag string) string { return "KFW_" + strings.ToUpper(Key(flag)) }

// alone is the annotation of a flag that has no variable and no key: they belong to a flag of that name of other
// commands.
const alone = "kfw_flag_alone"

// MarkAlone gives a flag neither a variable nor a key of kfw.yaml.
func MarkAlone(flags *pflag.FlagSet, flag string) {
	if err := flags.SetAnnotation(flag, alone, nil); err != nil {
		panic(err) // the flag does not exist
	}
}

func isAlone(f *pflag.Flag) bool {
	_, marked := f.Annotations[alone]
	return marked
}

// Name is what an error calls a flag: the place that its value comes from.
func (k *Settings) Name(flag string) string {
	switch o := k.From[flag]; o.Kind {
	case fromEnvironment:
		return o.Name
	case fromFile:
		return o.at + ": " + Key(flag)
	}
	return "--" + flag
}

// Given reports whether the caller gave the flag a value, on the command line or by the environment.
func (k *Settings) Given(flag string) bool { return k.From[flag].Kind >= fromEnvironment }

// IsDefault reports whether the flag has its default value.
func (k *Settings) IsDefault(flag string) bool { return k.From[flag].Kind == fromDefault }

// Resolve gives every flag that was not given its value from the place that comes next, and remembers which that was.
func (k *Settings) Resolve(flags *pflag.FlagSet) error {
	k.From = make(map[string]Origin)
	if err := k.readEnvironment(flags); err != nil {
		return err
	}
	known, wanted := k.settable(), false
	flags.VisitAll(func(f *pflag.Flag) { wanted = wanted || known.Lookup(f.Name) != nil })
	if !wanted {
		return nil
	}
	if noConfig := flags.Lookup(NoConfigFlag); noConfig != nil && noConfig.Value.String() == "true" {
		k.ReadSession(flags)
		return nil
	}
	files, err := Find(k.settable)
	if err != nil {
		return err
	}
	k.Files = files
	if err := k.take(flags, "session", files.value("session")); err != nil {
		return err
	}
	k.ReadSession(flags)
	if err := k.TakeAll(flags, files.user); err != nil {
		return err
	}
	if files.isTrusted {
		return k.TakeAll(flags, files.here)
	}
	return k.TightenAll(flags, files.here)
}

// TakeAll sets the flags that a file has values for, unless another place comes first. file may be nil.
func (k *Settings) TakeAll(flags *pflag.FlagSet, file *File) error {
	if file == nil {
		return nil
	}
	for flag, v := range file.Values {
		if err := k.take(flags, flag, v); err != nil {
			return err
		}
	}
	return nil
}

// readEnvironment sets the flags that were not given from KFW_* variables: KFW_MAX_CHUNK is --max-chunk.
func (k *Settings) readEnvironment(flags *pflag.FlagSet) error {
	var errs []error
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			k.From[f.Name] = Origin{Kind: FromFlag}
			return
		}
		name := variable(f.Name)
		text, ok := os.LookupEnv(name)
		if !ok || isAlone(f) || f.Name == "help" || f.Name == "version" {
			return
		}
		if err := flags.Set(f.Name, text); err != nil {
			reason, hint := WhyNot(f, unwrapped(err))
			errs = append(errs, fault.Usage(name+": "+reason, cmp.Or(hint, "it is the value of --"+f.Name)))
		}
		k.From[f.Name] = Origin{Kind: fromEnvironment, Name: name}
	})
	return errors.Join(errs...)
}

// ReadSession gives the flags that a session has values for the session as their origin, if its file is there.
func (k *Settings) ReadSession(flags *pflag.FlagSet) {
	session := flags.Lookup("session")
	if session == nil || session.Value.String() == "" {
		return
	}
	if info, err := os.Stat(session.Value.String()); err != nil || info.Size() == 0 {
		return // it is still to be made; or whoever opens it says what is wrong
	}
	for _, flag := range inSession() {
		if !k.Given(flag) {
			k.From[flag] = Origin{Kind: FromSession, Name: session.Value.String()}
		}
	}
}

// take sets a flag to what kfw.yaml says, unless another place comes first.
func (k *Settings) take(flags *pflag.FlagSet, flag string, v Value) error {
	f := flags.Lookup(flag)
	if f == nil || isAlone(f) || v.at == "" || k.From[flag].Kind > fromFile {
		return nil
	}
	if err := setTo(f, v); err != nil {
		reason, hint := WhyNot(f, err)
		return fault.Usage(v.at+": "+Key(flag)+": "+reason, hint)
	}
	k.From[flag] = Origin{Kind: fromFile, at: v.at}
	return nil
}

// setTo sets a flag to a value of kfw.yaml, whatever it was before.
func setTo(f *pflag.Flag, v Value) error {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.Replace(v.list)
	}
	return f.Value.Set(v.text)
}

// unwrapped is the error of a flag's value, without what pflag says of it.
func unwrapped(err error) error {
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return invalid.Unwrap()
	}
	return err
}
