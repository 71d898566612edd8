package turn

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
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
		u.raw[name] = strings.Clone(value.Raw)
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
