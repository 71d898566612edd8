package outline

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// html is a page of HTML: lines with headings, the title, links and forms.
type html struct {
	list
	unsettled
	section
	isPage bool // it begins as one
	tags   int  // lines that begin with one
}

func newHTML() *html { return &html{} }

func (h *html) name() Shape    { return Document }
func (h *html) outline() *list { return &h.list }

func (h *html) totals(to []Total) []Total { return to }

func (h *html) reset() {
	h.list.reset()
	*h = html{list: h.list}
}

func (h *html) isSure(lines int) bool { return h.isPage && 3*h.tags >= lines }

// tagsOfHTML are those of lines that tell most, by what they tell.
var tagsOfHTML = [...]struct {
	tag   string
	level int // of a heading, 0 if it is none
	tells float64
}{
	{"title", 1, tellsTitle}, {"h1", 1, tellsTitle}, {"h2", 2, tellsHeading}, {"h3", 3, tellsHeading * shareOfLevel},
	{"h4", 4, tellsHeading * shareOfLevel * shareOfLevel}, {"form", 0, tellsOption}, {"input", 0, tellsCommand},
	{"button", 0, tellsCommand}, {"table", 0, tellsCommand}, {"a", 0, tellsLink}, {"script", 0, tellsLink},
	{"link", 0, tellsLink}, {"meta", 0, tellsLink}, {"section", 0, tellsLink},
}

func (h *html) add(l *line) {
	if l.isBlank() {
		return
	}
	if l.number <= 8 && !h.isPage {
		h.isPage = hasTag(l.body, "!doctype") || hasTag(l.body, "html")
	}
	if l.body[0] != '<' {
		return
	}
	h.tags++
	for i := range tagsOfHTML {
		t := &tagsOfHTML[i]
		if !hasTag(l.body, t.tag) {
			continue
		}
		if t.level > 0 {
			h.section = section{level: t.level}
			h.list.add(l.number, l.body, t.tells)
		} else {
			h.list.add(l.number, l.body, h.section.tells(t.tells, l.body))
		}
		return
	}
}

// hasTag reports whether a line begins with a tag of that name, or has it after one other.
func hasTag(body []byte, name string) bool {
	for range 2 {
		if len(body) < 1 || body[0] != '<' {
			return false
		}
		if is := len(body) > len(name)+1 && bytes.EqualFold(body[1:1+len(name)], []byte(name)); is &&
			!ascii.IsAlphanumeric(body[1+len(name)]) {
			return true
		}
		at := bytes.IndexByte(body, '>')
		if at < 0 {
			return false
		}
		body = body[at+1:]
	}
	return false
}
