package cmd

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/internal/manual"
)

// TestFlagGroups: every flag that is not hidden is in one group of its command. One in a group that is unknown would
// be in none.
func TestFlagGroups(t *testing.T) {
	for _, c := range manual.VisibleCommands(root(streams{}, nil)) {
		shown := make(map[string]int)
		for _, g := range manual.FlagGroups(c) {
			g.Flags.VisitAll(func(f *pflag.Flag) { shown[f.Name]++ })
		}
		check := func(f *pflag.Flag) {
			if f.Hidden {
				return
			}
			if shown[f.Name] != 1 {
				t.Errorf("%s: --%s is shown %d times", c.CommandPath(), f.Name, shown[f.Name])
			}
		}
		c.LocalFlags().VisitAll(check)
		c.InheritedFlags().VisitAll(check)
	}
}

// TestCalledAlone: a command has the same usage whether it is made alone or with all others, and man has all of them.
func TestCalledAlone(t *testing.T) {
	all := manual.VisibleCommands(root(streams{}, nil))
	for _, c := range all[1:] {
		words := strings.Fields(c.CommandPath())[1:]
		alone, rest, err := root(streams{}, words).Find(words)
		if err != nil || len(rest) > 0 {
			t.Errorf("%s: %v, %q are left", c.CommandPath(), err, rest)
			continue
		}
		alone.InheritedFlags() // as VisibleCommands does
		if got, want := alone.UsageString(), c.UsageString(); got != want {
			t.Errorf("%s: called alone\n%s\nnot\n%s", c.CommandPath(), got, want)
		}
	}
	if got := len(manual.VisibleCommands(root(streams{}, []string{"man"}))); got != len(all) {
		t.Errorf("the manual page is made of %d commands, not %d", got, len(all))
	}
}

// TestChoices: what a flag offers is what it takes, its text names it, and it says so of what it
// does not take.
func TestChoices(t *testing.T) {
	type named interface{ Names() []string }
	found := 0
	for _, c := range manual.VisibleCommands(root(streams{}, nil)) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			value, ok := f.Value.(named)
			if !ok {
				return
			}
			found++
			if err := f.Value.Set("no such"); err == nil || f.Value.String() != f.DefValue {
				t.Errorf("%s --%s takes what is none", c.CommandPath(), f.Name)
			}
			complete, ok := c.GetFlagCompletionFunc(f.Name)
			if !ok {
				t.Errorf("%s --%s is not completed", c.CommandPath(), f.Name)
				return
			}
			offered, _ := complete(c, nil, "")
			if !slices.Equal(offered, value.Names()) {
				t.Errorf("%s --%s offers %v, takes %v", c.CommandPath(), f.Name, offered, value.Names())
			}
			for _, name := range value.Names() {
				if err := f.Value.Set(name); err != nil || f.Value.String() != name {
					t.Errorf("%s --%s %s: %v", c.CommandPath(), f.Name, name, err)
				}
			}
		})
	}
	if found < 15 {
		t.Errorf("%d choices", found)
	}
}
