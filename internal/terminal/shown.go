package terminal

import (
	"strconv"
	"strings"
	"sync"

	"github.com/kfw-dev/kfw/redact"
)

// Described returns a text that may be stored: without all that any rule matches, whatever the flags say.
func Described(text string) (string, error) {
	describe, err := Describer()
	if err != nil {
		return "", err
	}
	return describe(text), nil
}

// DescribedCommand returns a command line that may be stored, or shown, in one line.
func DescribedCommand(argv []string) (string, error) {
	all, err := RulesOf(redact.All)
	if err != nil {
		return "", err
	}
	return strings.ReplaceAll(strings.Join(all.Arguments(argv), " "), "\n", " "), nil
}

// Describer returns a function that makes of a text a line that may be shown: without all that any rule matches.
func Describer() (func(string) string, error) {
	all, err := RulesOf(redact.All)
	if err != nil {
		return nil, err
	}
	return func(text string) string {
		line := strings.ReplaceAll(text, "\n", " ")
		return string(all.Value(nil, []byte(line), redact.Lines))
	}, nil
}

// Sayable returns text without what any rule matches, and without control characters. It may name a program or a file
// that was given.
func Sayable(text string) string {
	safe, err := Described(text)
	if err != nil {
		return "an error that can't be redacted"
	}
	return visible(safe)
}

// plainRules are the rules of groups and no others, by the groups.
var plainRules sync.Map

// RulesOf returns the rules of groups and no others. It compiles them once: a run may need them for its response, for
// the messages of a driver and for its command line.
func RulesOf(groups redact.Group) (*redact.Rules, error) {
	compile := sync.OnceValues(func() (*redact.Rules, error) {
		return redact.Compile(redact.Options{Groups: groups, Off: groups == redact.None})
	})
	first, _ := plainRules.LoadOrStore(groups, compile)
	return first.(func() (*redact.Rules, error))()
}

// Word returns a name that was typed, as a message shows it: redacted, without control characters, and not too long.
func Word(name string) string {
	const longest = 60 // characters
	if name == "" {
		return `""`
	}
	shown := []rune(Sayable(name))
	if len(shown) > longest {
		return string(shown[:longest]) + "..."
	}
	return string(shown)
}

// Counted returns a number of things: 1 chunk, 2 chunks.
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// Message returns the text of an error, as it may be shown.
func Message(err error) string { return Sayable(err.Error()) }
