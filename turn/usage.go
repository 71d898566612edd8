package turn

import (
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/turn/internal/protocol"
)

// usageNamesMax bounds how many counters of one object are kept.
const usageNamesMax = 256

// usage is what a provider says a turn cost: counters by name, some of them in groups. Of each counter the last value
// that is not null counts; values are never summed.
type usage struct {
	names  []string
	raw    map[string]string // of counters, as JSON
	groups map[string]*usage
}

func (u *usage) merge(counters gjson.Result) {
	counters.ForEach(func(name, value gjson.Result) bool {
		u.set(name.String(), value)
		return true
	})
}

// count is merge for the numbers alone, and groups of them.
func (u *usage) count(counters gjson.Result) {
	counters.ForEach(func(name, value gjson.Result) bool {
		if countsAlone(value) {
			u.set(name.String(), value)
		}
		return true
	})
}

// countsAlone reports whether a value is a number, or a group of such values and of nulls.
func countsAlone(value gjson.Result) bool {
	if !value.IsObject() {
		return value.Type == gjson.Number
	}
	alone := true
	value.ForEach(func(_, member gjson.Result) bool {
		alone = member.Type == gjson.Null || countsAlone(member)
		return alone
	})
	return alone
}

func (u *usage) set(name string, value gjson.Result) {
	if value.IsObject() {
		group := u.groups[name]
		if group == nil {
			group = &usage{}
		}
		group.merge(value)
		if group.empty() {
			return // it says nothing
		}
		if u.groups == nil {
			u.groups = make(map[string]*usage)
		}
		if u.named(name) {
			u.groups[name] = group
			delete(u.raw, name)
		}
		return
	}
	if u.groups[name] != nil && value.Type == gjson.Null {
		return
	}
	if _, known := u.raw[name]; known && value.Type == gjson.Null {
		return
	}
	if u.raw == nil {
		u.raw = make(map[string]string)
	}
	if u.named(name) {
		u.raw[name] = strings.Clone(strings.ToValidUTF8(value.Raw, string(utf8.RuneError)))
		delete(u.groups, name)
	}
}

// named remembers a name, if there is room for one more.
func (u *usage) named(name string) bool {
	_, counter := u.raw[name]
	if counter || u.groups[name] != nil {
		return true
	}
	if len(u.names) == usageNamesMax {
		return false
	}
	u.names = append(u.names, strings.Clone(name))
	return true
}

func (u *usage) empty() bool { return len(u.names) == 0 }

// appendJSON appends the counters in the order that they were first named in, or null if there are none.
func (u *usage) appendJSON(dst []byte) []byte {
	if u.empty() {
		return append(dst, "null"...)
	}
	dst = append(dst, '{')
	for i, name := range u.names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonx.AppendString(dst, name), ':')
		if group := u.groups[name]; group != nil {
			dst = group.appendJSON(dst)
		} else {
			dst = append(dst, u.raw[name]...)
		}
	}
	return append(dst, '}')
}

// tally counts the cost of a turn, and the parts of the stream that are not part of the turn.
type tally struct {
	usage     usage
	hosted    []string       // types of the items that the provider's own tools made
	others    map[string]int // items by type
	excluded  bool           // some of them had content of the assistant
	malformed int            // lines that were no JSON
}

// takeUsage takes in a report of usage.
func (t *tally) takeUsage(s *protocol.Step) {
	switch {
	case s.Name != "":
		t.usage.set(s.Name, s.JSON)
	case s.Text == protocol.WholeUsage:
		t.usage = usage{}
		t.usage.merge(s.JSON)
	case s.Text == protocol.OnlyCounters:
		t.usage.count(s.JSON)
	default:
		t.usage.merge(s.JSON)
	}
}

// usageJSON returns the usage so far as JSON, or null if there is none.
func (t *tally) usageJSON() string { return string(t.usage.appendJSON(nil)) }

// addHosted records an item of the provider's own tools.
func (t *tally) addHosted(kind string) {
	if len(t.hosted) < hostedMax {
		t.hosted = append(t.hosted, kind)
	}
}

// count counts an item that is not part of the turn. Past typesMax types it counts as "other".
func (t *tally) count(kind string) Event {
	if t.others == nil {
		t.others = make(map[string]int)
	}
	if _, known := t.others[kind]; !known && len(t.others) == typesMax {
		kind = "other"
	}
	t.others[kind]++
	return Event{Kind: OtherItem, Other: Other{Type: kind, Count: t.others[kind]}}
}
