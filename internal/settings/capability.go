package settings

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// Declare gives flags the values of a capability where the caller has not given one. The flags in fixed are set
// whatever the caller gave: to the value of the capability, of kfw.yaml, or the default. A capability of a file that
// is not trusted only tightens.
func (k *Settings) Declare(wanted *Capability, isTrusted bool, flags *pflag.FlagSet, fixed []string) error {
	for _, flag := range fixed {
		v := k.Files.value(flag)
		if own, ok := wanted.values[flag]; ok && isTrusted {
			v = own
		}
		if v.at == "" {
			v = Value{text: k.settable().Lookup(flag).DefValue}
		}
		if err := setTo(flags.Lookup(flag), v); err != nil {
			return err
		}
	}
	if here := k.Files.here; here != nil && !k.Files.isTrusted {
		unasked := New(k.settable) // the caller can't loosen what it tightens
		for _, flag := range fixed {
			if _, err := unasked.tighten(flags, flag, here.Values[flag]); err != nil {
				return err
			}
		}
	}
	for flag, v := range wanted.values {
		if isTrusted {
			if err := k.take(flags, flag, v); err != nil {
				return err
			}
			continue
		}
		if _, err := k.tighten(flags, flag, v); err != nil {
			return err
		}
	}
	return nil
}

// Union returns what is in a or in b, once.
func Union(a, b []string) []string {
	both := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(both, x) {
			both = append(both, x)
		}
	}
	return both
}

// CommonFields returns the paths that are in both lists, or below a path of the other.
func CommonFields(a, b []string) (common []string) {
	for _, pair := range [][2][]string{{a, b}, {b, a}} {
		for _, path := range pair[0] {
			for _, above := range pair[1] {
				if (path == above || strings.HasPrefix(path, above+".")) && !slices.Contains(common, path) {
					common = append(common, path)
				}
			}
		}
	}
	return common
}
