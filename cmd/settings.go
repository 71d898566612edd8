package cmd

import (
	"cmp"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// settings is where the values of a command's flags come from. Of the places that have a value the first one counts:
// flag, environment, session, kfw.yaml in the working directory if it is trusted, that of the user,
// default. One that is not trusted only tightens what the places after it say.
type settings struct {
	files   yamlFiles
	from    map[string]origin
	ignored []string // keys of a kfw.yaml that is not trusted, with flags of this command
}

// origin is where the value of one flag comes from. The zero value is its default.
type origin struct {
	kind place
	name string // of the variable, or of the session file
	at   string // in kfw.yaml: the file and the line
}

type place uint8

const (
	fromDefault place = iota
	fromFile
	fromSession
	fromEnvironment
	fromFlag
)

func (o origin) String() string {
	switch o.kind {
	case fromFlag:
		return "flag"
	case fromEnvironment:
		return "environment " + o.name
	case fromSession:
		return "session " + o.name
	case fromFile:
		return o.at
	}
	return "default"
}

// inSession are the flags that say how a session is made. Once it is, what it says counts and not kfw.yaml.
func inSession() []string { return []string{"total", "ttl", "store-max"} }

// settable returns the flags that kfw.yaml may give a value, with their defaults.
func settable() *pflag.FlagSet {
	c := &cobra.Command{}
	(&streamOptions{}).addFlags(c, nil)
	(&turnOptions{}).addPolicyFlags(c)
	return c.Flags()
}

// key is what kfw.yaml calls a flag.
func key(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// variable is the environment variable of a flag.
func variable(flag string) string { return "KFW_" + strings.ToUpper(key(flag)) }

// alone marks flags that have no variable and no key, as those of their name belong to a flag of other commands.
const alone = "kfw_flag_alone"

func flagAlone(flags *pflag.FlagSet, flag string) {
	if err := flags.SetAnnotation(flag, alone, nil); err != nil {
		panic(err) // the flag does not exist
	}
}

func isAlone(f *pflag.Flag) bool {
	_, marked := f.Annotations[alone]
	return marked
}

// name is what an error calls a flag: the place that its value comes from.
func (k *settings) name(flag string) string {
	switch o := k.from[flag]; o.kind {
	case fromEnvironment:
		return o.name
	case fromFile:
		return o.at + ": " + key(flag)
	}
	return "--" + flag
}

// given reports whether the caller gave the flag a value, on the command line or by the environment.
func (k *settings) given(flag string) bool { return k.from[flag].kind >= fromEnvironment }

// resolve gives every flag that was not given its value from the place that comes next, and remembers which that was.
func (k *settings) resolve(flags *pflag.FlagSet) error {
	k.from = make(map[string]origin)
	if err := k.readEnvironment(flags); err != nil {
		return err
	}
	known, wanted := settable(), false
	flags.VisitAll(func(f *pflag.Flag) { wanted = wanted || known.Lookup(f.Name) != nil })
	if !wanted {
		return nil
	}
	if noConfig := flags.Lookup(noConfigFlag); noConfig != nil && noConfig.Value.String() == "true" {
		k.readSession(flags)
		return nil
	}
	files, err := findYAML()
	if err != nil {
		return err
	}
	k.files = files
	if err := k.take(flags, "session", files.value("session")); err != nil {
		return err
	}
	k.readSession(flags)
	if err := k.takeAll(flags, files.user); err != nil {
		return err
	}
	if files.isTrusted {
		return k.takeAll(flags, files.here)
	}
	return k.tightenAll(flags, files.here)
}

// takeAll sets the flags that a file has values for, unless another place comes first. There may be no file.
func (k *settings) takeAll(flags *pflag.FlagSet, file *kfwYAML) error {
	if file == nil {
		return nil
	}
	for flag, v := range file.values {
		if err := k.take(flags, flag, v); err != nil {
			return err
		}
	}
	return nil
}

// readEnvironment sets the flags that were not given from KFW_* variables: KFW_MAX_CHUNK is --max-chunk.
func (k *settings) readEnvironment(flags *pflag.FlagSet) error {
	var errs []error
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			k.from[f.Name] = origin{kind: fromFlag}
			return
		}
		name := variable(f.Name)
		text, ok := os.LookupEnv(name)
		if !ok || isAlone(f) || f.Name == "help" || f.Name == "version" {
			return
		}
		if err := flags.Set(f.Name, text); err != nil {
			reason, hint := whyNot(f, unwrapped(err))
			errs = append(errs, usage(name+": "+reason, cmp.Or(hint, "it is the value of --"+f.Name)))
		}
		k.from[f.Name] = origin{kind: fromEnvironment, name: name}
	})
	return errors.Join(errs...)
}

// readSession leaves to a session that is there what it knows itself.
func (k *settings) readSession(flags *pflag.FlagSet) {
	session := flags.Lookup("session")
	if session == nil || session.Value.String() == "" {
		return
	}
	if info, err := os.Stat(session.Value.String()); err != nil || info.Size() == 0 {
		return // it is still to be made; or whoever opens it says what is wrong
	}
	for _, flag := range inSession() {
		if !k.given(flag) {
			k.from[flag] = origin{kind: fromSession, name: session.Value.String()}
		}
	}
}

// take sets a flag to what kfw.yaml says, unless another place comes first.
func (k *settings) take(flags *pflag.FlagSet, flag string, v yamlValue) error {
	f := flags.Lookup(flag)
	if f == nil || isAlone(f) || v.at == "" || k.from[flag].kind > fromFile {
		return nil
	}
	if err := setTo(f, v); err != nil {
		reason, hint := whyNot(f, err)
		return usage(v.at+": "+key(flag)+": "+reason, hint)
	}
	k.from[flag] = origin{kind: fromFile, at: v.at}
	return nil
}

// setTo sets a flag to a value of kfw.yaml, whatever it was before.
func setTo(f *pflag.Flag, v yamlValue) error {
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
