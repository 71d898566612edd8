package main

import (
	"fmt"
	"regexp"
	"strings"
)

// people are those who wrote the sessions of a repository. What names them is replaced, the same everywhere.
type people struct {
	names    map[string]string // by the name
	order    []string
	replacer *regexp.Regexp // nil until it is needed
	mails    map[string]string
	keys     map[string]string
}

func newPeople() *people {
	return &people{names: make(map[string]string), mails: make(map[string]string), keys: make(map[string]string)}
}

// leastName is how long a name is that is replaced wherever it stands as a word.
const leastName = 4

// notNames are names of programs, and words that a text needs.
var notNames = map[string]bool{"unknown": true, "entire": true, "test": true, "local": true, "noreply": true,
	"github": true, "users": true, "shared": true, "root": true, "home": true, "user": true, "dev": true, "runner": true,
	"username": true, "testuser": true, "example": true}

func (p *people) name(name string) {
	if len(name) < leastName || notNames[strings.ToLower(name)] || p.names[name] != "" {
		return
	}
	p.names[name] = fmt.Sprintf("person%d", len(p.order)+1)
	p.order = append(p.order, name)
	p.replacer = nil
}

// authors takes lines with the names and addresses of authors.
func (p *people) authors(lines string) {
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if local, _, isMail := strings.Cut(line, "@"); isMail {
			_, login, isNumbered := strings.Cut(local, "+")
			if !isNumbered {
				login = local
			}
			p.name(login)
			continue
		}
		for _, part := range strings.Fields(line) {
			p.name(part)
		}
	}
}

var (
	folderForm = regexp.MustCompile(`/(?:Users|home)/([A-Za-z][A-Za-z0-9_.-]*)`)
	// folderNameForm is the name that a host gives to the folder of a project.
	folderNameForm = regexp.MustCompile(`-(Users|home)-([A-Za-z0-9_.]+)`)
	mailForm       = regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`)
	exampleForm    = regexp.MustCompile(
		`(?i)@(?:[a-z0-9-]+\.)*(?:example\.(?:com|org|net)|test\.com|test|local|localhost)$|^git@`)
	keyForm = regexp.MustCompile(
		`\b(gh[pousr]_|github_pat_|sk-ant-|sk-|xox[baprs]-|AKIA|glpat-|lin_api_|phc_)[A-Za-z0-9_-]{12,}`)
)

// folders takes the users whose folders a text names.
func (p *people) folders(text string) {
	for _, m := range folderForm.FindAllStringSubmatch(text, -1) {
		p.name(m[1])
	}
}

// replace returns a text without the names, addresses and keys.
func (p *people) replace(text string) string {
	text = folderForm.ReplaceAllString(text, "/home/dev")
	text = folderNameForm.ReplaceAllString(text, "-$1-dev")
	text = mailForm.ReplaceAllStringFunc(text, func(mail string) string {
		if exampleForm.MatchString(mail) {
			return mail
		}
		if p.mails[mail] == "" {
			p.mails[mail] = fmt.Sprintf("mail%d@mail-of-people.net", len(p.mails)+1)
		}
		return p.mails[mail]
	})
	text = keyForm.ReplaceAllStringFunc(text, func(key string) string {
		if p.keys[key] == "" {
			prefix := keyForm.FindStringSubmatch(key)[1]
			made := strings.Repeat(hashed(fmt.Sprint("key ", len(p.keys))), len(key)/12+1)
			p.keys[key] = prefix + made[:len(key)-len(prefix)]
		}
		return p.keys[key]
	})
	if p.replacer == nil && len(p.order) > 0 {
		var all []string
		for _, name := range p.order {
			all = append(all, regexp.QuoteMeta(name))
		}
		p.replacer = regexp.MustCompile(`\b(?:` + strings.Join(all, "|") + `)\b`)
	}
	if p.replacer != nil {
		text = p.replacer.ReplaceAllStringFunc(text, func(name string) string { return p.names[name] })
	}
	return text
}
