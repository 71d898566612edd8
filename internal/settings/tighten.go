package settings

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/internal/fault"
	"github.com/kfw-dev/kfw/redact"
)

// effect says what a key of kfw.yaml can do. A file in the working directory comes with what is there, often from
// somebody else: until the user trusts it, only what tightens counts.
type effect uint8

const (
	tightens    effect = 1 << iota // it counts without trust where it makes less pass
	runsProgram                    // it starts one, or names one that is started
	namesFile                      // it names a file that is read or written
	otherEffect                    // it changes what is written, or how
)

// effects has the effect of every key of kfw.yaml.
var effects = map[string]effect{
	"budget":           tightens,
	"total":            tightens,
	"mode":             tightens,
	"sensitivity":      tightens,
	"redact_fields":    tightens,
	"allow_fields":     tightens,
	"deny":             tightens,
	"allow":            otherEffect,
	"drivers":          runsProgram,
	"capabilities":     runsProgram,
	"judge":            runsProgram,
	"tokenizer":        runsProgram | namesFile,
	"session":          namesFile,
	"rules":            namesFile,
	"fail_on_block":    otherEffect,
	"flush_after":      otherEffect,
	"format":           otherEffect,
	"hidden":           otherEffect,
	"honor_allowlists": otherEffect,
	"hooks":            otherEffect,
	"input":            otherEffect,
	"judge_context":    otherEffect,
	"judge_timeout":    otherEffect,
	"keep_fields":      otherEffect,
	"max_chunk":        otherEffect,
	"on_invalid":       otherEffect,
	"placeholder":      otherEffect,
	"plan":             otherEffect,
	"progress":         otherEffect,
	"redact_args":      otherEffect,
	"repeats":          otherEffect,
	"spill":            otherEffect,
	"stderr":           otherEffect,
	"store_max":        otherEffect,
	"strict":           otherEffect,
	"token_factor":     otherEffect,
	"ttl":              otherEffect,
}

// TightenAll lets a file that is not trusted tighten flags, and remembers which of its keys are ignored. file may be
// nil.
func (k *Settings) TightenAll(flags *pflag.FlagSet, file *File) error {
	if file == nil {
		return nil
	}
	for _, flag := range slices.Sorted(maps.Keys(file.Values)) {
		isTaken, err := k.tighten(flags, flag, file.Values[flag])
		if err != nil {
			return err
		}
		if !isTaken {
			k.ignored = append(k.ignored, Key(flag))
		}
	}
	return nil
}

// Warn writes which keys of kfw.yaml are ignored.
func (k *Settings) Warn(to io.Writer) {
	if len(k.ignored) > 0 {
		fmt.Fprintf(to, "kfw: %s is not trusted: ignored %s\nhint: kfw trust makes it count\n", FileName,
			strings.Join(k.ignored, ", "))
	}
}

// tighten gives a flag the value of a file that is not trusted as far as less passes with it. It reports false if the
// value, or a part of it, would let more pass and has been left out. A flag that the caller gave stays as it is.
func (k *Settings) tighten(flags *pflag.FlagSet, flag string, v Value) (isTaken bool, err error) {
	f := flags.Lookup(flag)
	if f == nil || isAlone(f) || v.at == "" || k.From[flag].Kind > fromFile {
		return true, nil
	}
	if effects[Key(flag)]&tightens == 0 {
		return false, nil
	}
	tight, isTaken, err := tighter(f, v)
	if err != nil || tight == nil {
		return isTaken, err
	}
	return isTaken, k.take(flags, flag, Value{strings.Join(tight, ","), tight, v.at})
}

// tighter returns the value that lets less pass than both that of a flag and v; nil if the flag's does.
func tighter(f *pflag.Flag, v Value) (tight []string, isWhole bool, err error) {
	switch Key(f.Name) {
	case "budget", "total":
		now, err := strconv.Atoi(f.Value.String())
		if err != nil {
			return nil, false, err
		}
		wanted, err := strconv.Atoi(v.text)
		if err != nil || wanted >= now {
			return nil, wanted == now, err
		}
		return []string{v.text}, true, nil
	case "mode":
		names := budget.Modes()
		now, wanted := slices.Index(names, f.Value.String()), slices.Index(names, v.text)
		if wanted <= now {
			return nil, wanted == now, nil
		}
		return []string{v.text}, true, nil
	case "sensitivity":
		now, err := redact.ParseGroups(f.Value.String())
		if err != nil {
			return nil, false, err
		}
		wanted, err := redact.ParseGroups(v.text)
		if err != nil || now|wanted == now {
			return nil, now == wanted, err
		}
		return strings.Split((now | wanted).String(), ","), now|wanted == wanted, nil
	case "allow_fields":
		now := f.Value.(pflag.SliceValue).GetSlice()
		if len(now) == 0 {
			return v.list, true, nil
		}
		common := CommonFields(now, v.list)
		if len(common) == 0 { // which would keep all
			return nil, false, fault.Usage(v.at+
				": allow_fields: none of these fields is among those that your configuration allows", "")
		}
		return common, true, nil
	}
	now := f.Value.(pflag.SliceValue).GetSlice()
	return Union(now, v.list), true, nil
}
