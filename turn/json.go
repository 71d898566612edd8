package turn

import (
	"strconv"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// members are those of an object that is written.
type members struct{ *jsonx.Parts }

func (m members) text(name, text string) {
	m.Name(name)
	m.String(text)
}

// nonEmpty writes a member if it has a text.
func (m members) nonEmpty(name, text string) {
	if text != "" {
		m.text(name, text)
	}
}

// orNull writes a member: a text, or null if there is none.
func (m members) orNull(name, text string) {
	if text == "" {
		m.raw(name, "null")
		return
	}
	m.text(name, text)
}

// flag writes a member that is true, or nothing.
func (m members) flag(name string, set bool) {
	if set {
		m.raw(name, "true")
	}
}

func (m members) bool(name string, set bool) { m.raw(name, strconv.FormatBool(set)) }

func (m members) raw(name, json string) {
	m.Name(name)
	m.Raw(json)
}

func (m members) number(name string, n int64) {
	m.Name(name)
	m.B = strconv.AppendInt(m.B, n, 10)
}

// count writes a member if it is not 0.
func (m members) count(name string, n int) {
	if n != 0 {
		m.number(name, int64(n))
	}
}

func (m members) strings(name string, texts []string) {
	m.list(name, len(texts), func(i int) { m.String(texts[i]) })
}

// list writes a member that is a list of n elements.
func (m members) list(name string, n int, element func(i int)) {
	m.Name(name)
	m.Raw("[")
	for i := range n {
		m.Comma()
		element(i)
	}
	m.Raw("]")
}

// arguments writes the arguments of a call: the value if it is valid JSON, a string otherwise.
func (m members) arguments(name, arguments string, valid bool) {
	if valid {
		m.raw(name, OneLine(arguments))
		return
	}
	m.text(name, arguments)
}
