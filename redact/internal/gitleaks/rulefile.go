package gitleaks

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/detect"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// RuleFile is the rules of a gitleaks config and of the files that it extends,
// except those that are about the names of files alone or that report nothing.
type RuleFile struct {
	path   string
	Rules  []detect.Rule
	States int // bytes of its anchors
}

// RuleError is why a file of rules can't be used. It quotes nothing of the file
// but the id of a rule.
type RuleError struct {
	Path   string
	Line   int    // from 1; 0 if it is about the file
	Column int    // the same; 0 if it is about the line
	Rule   string // id, if it is about one
	Reason string
	Hint   string // what to do, or empty
}

// Error returns "path:line:column: rule ID: reason", of which only the path and the reason are
// always there. The hint is not in it.
func (e *RuleError) Error() string {
	where := e.Path
	if e.Line > 0 {
		where += fmt.Sprintf(":%d", e.Line)
	}
	if e.Column > 0 {
		where += fmt.Sprintf(":%d", e.Column)
	}
	if e.Rule != "" {
		where += ": rule " + e.Rule
	}
	return where + ": " + e.Reason
}

const (
	mostExtended   = 2 // files that extend one another, except the first
	mostFileRules  = 2000
	MostFileStates = 24 << 10 // bytes of anchors, of all files
	mostRuleErrors = 10       // that are told at once
	MaxRuleName    = 32       // bytes of it in a marker
)

// GitleaksConfig is what is read of a gitleaks config; what else it has is of no
// use to a stream.
type GitleaksConfig struct {
	Extend struct {
		Path          string   `toml:"path"`
		URL           string   `toml:"url"`
		DisabledRules []string `toml:"disabledRules"`
		UseDefault    bool     `toml:"useDefault"`
	} `toml:"extend"`
	Rules      []gitleaksRule      `toml:"rules"`
	Allowlist  *gitleaksAllowlist  `toml:"allowlist"`
	Allowlists []gitleaksAllowlist `toml:"allowlists"`
}

type gitleaksRule struct {
	ID          string              `toml:"id"`
	Regex       string              `toml:"regex"`
	Path        string              `toml:"path"`
	SecretGroup int                 `toml:"secretGroup"`
	Entropy     float64             `toml:"entropy"`
	Keywords    []string            `toml:"keywords"`
	SkipReport  bool                `toml:"skipReport"`
	Allowlist   *gitleaksAllowlist  `toml:"allowlist"`
	Allowlists  []gitleaksAllowlist `toml:"allowlists"`

	from  *ruleSource // of the expression
	index int         // in it
	lists []*allowlist
}

type gitleaksAllowlist struct {
	Condition   string   `toml:"condition"`
	RegexTarget string   `toml:"regexTarget"`
	Regexes     []string `toml:"regexes"`
	StopWords   []string `toml:"stopwords"`
	Paths       []string `toml:"paths"`
	Commits     []string `toml:"commits"`
	TargetRules []string `toml:"targetRules"`
}

// ruleLoader gathers the rules of a file and of those it extends.
type ruleLoader struct {
	read  func(path string) ([]byte, error)
	honor bool
	errs  []error
}

// ReadRules reads a gitleaks config, and by read the files that it extends, whose
// paths are relative to it. Its allowlists count only if they are to be honored,
// since what they do is to leave secrets alone. An error is one or more
// *RuleError, joined; one of read is in it as its reason.
func ReadRules(path string, read func(path string) ([]byte, error), honorAllowlists bool) (*RuleFile, error) {
	l := &ruleLoader{read: read, honor: honorAllowlists}
	all := l.load(path, 0)
	f := &RuleFile{path: path}
	for i := range all {
		r := &all[i]
		if r.Regex == "" || r.SkipReport {
			continue
		}
		form := l.pattern(r)
		if form == nil {
			continue
		}
		for _, a := range form.anchors {
			f.States += len(a)
		}
		f.Rules = append(f.Rules, detect.Rule{
			Name: MarkerName(r.ID), Group: names.All, Anchors: form.anchors, Form: form, Source: "file of rules",
		})
	}
	switch {
	case len(l.errs) > 0:
		return nil, errors.Join(l.errs[:min(len(l.errs), mostRuleErrors)]...)
	case len(f.Rules) > mostFileRules:
		return nil, &RuleError{Path: path, Reason: fmt.Sprintf("more than %d rules", mostFileRules)}
	case f.States > MostFileStates:
		return nil, f.TooManyKeywords()
	}
	return f, nil
}

// TooManyKeywords returns the *RuleError for a file whose anchors, with those of the files before
// it, are longer than MostFileStates.
func (f *RuleFile) TooManyKeywords() error {
	return &RuleError{Path: f.path, Reason: "too many keywords", Hint: "use fewer rules, or shorter keywords"}
}

// load returns the rules of a file and of those it extends, each id once.
func (l *ruleLoader) load(path string, depth int) []gitleaksRule {
	source := l.parse(path)
	if source == nil {
		return nil
	}
	config := &source.config
	rules := l.rules(source)
	if config.Extend.URL != "" {
		l.fail(source, "", "extend.url: nothing is fetched", "save it as a file, and name that with path", "extend",
			"url")
	}
	if config.Extend.Path != "" {
		if depth == mostExtended {
			l.fail(source, "", fmt.Sprintf("extend.path: more than %d files deep", mostExtended), "", "extend", "path")
			return rules
		}
		base := config.Extend.Path
		if !filepath.IsAbs(base) {
			base = filepath.Join(filepath.Dir(path), base)
		}
		rules = merged(rules, l.load(base, depth+1), config.Extend.DisabledRules)
	}
	lists := l.allowlists(source, "", config.Allowlist, config.Allowlists)
	for i := range rules {
		rules[i].lists = append(rules[i].lists, lists.of(rules[i].ID)...)
	}
	if depth == 0 && !config.Extend.UseDefault && len(l.errs) == 0 {
		for _, r := range rules {
			if r.Regex == "" && r.Path == "" {
				l.fail(r.from, r.ID, "no regex", "", "rules", r.index)
			}
		}
	}
	return rules
}

// parse returns nil if it fails.
func (l *ruleLoader) parse(path string) *ruleSource {
	data, err := l.read(path)
	if err != nil {
		l.errs = append(l.errs, &RuleError{Path: path, Reason: err.Error()})
		return nil
	}
	source := &ruleSource{path: path, data: bytes.TrimPrefix(data, []byte(lex.ByteOrderMark))}
	if err := toml.Unmarshal(source.data, &source.config); err != nil {
		bad := &RuleError{Path: path, Reason: "not valid TOML"}
		if at, ok := errors.AsType[*toml.DecodeError](err); ok {
			bad.Line, bad.Column = at.Position()
			if len(at.Key()) > 0 {
				bad.Reason = "a value of another type than this key has"
			}
		}
		l.errs = append(l.errs, bad)
		return nil
	}
	return source
}

// rules returns the rules that a file itself has.
func (l *ruleLoader) rules(source *ruleSource) []gitleaksRule {
	rules := source.config.Rules
	for i := range rules {
		r := &rules[i]
		r.from, r.index = source, i
		if strings.TrimSpace(r.ID) == "" {
			l.fail(source, "", "a rule without an id", "", "rules", i)
		}
		if math.IsNaN(r.Entropy) || r.Entropy < 0 {
			l.fail(source, r.ID, "entropy: not a number of bits", "", "rules", i, "entropy")
		}
		r.lists = l.allowlists(source, r.ID, r.Allowlist, r.Allowlists, "rules", i).all
	}
	return rules
}

// merged adds to rules those of base that are not disabled. Of a rule that is in
// both, what rules says counts.
func merged(rules, base []gitleaksRule, disabled []string) []gitleaksRule {
	for _, b := range base {
		if slices.Contains(disabled, b.ID) {
			continue
		}
		i := slices.IndexFunc(rules, func(r gitleaksRule) bool { return r.ID == b.ID })
		if i < 0 {
			rules = append(rules, b)
			continue
		}
		r := &rules[i]
		if r.Regex == "" {
			r.Regex, r.from, r.index = b.Regex, b.from, b.index
		}
		r.Path = cmp.Or(r.Path, b.Path)
		r.SecretGroup = cmp.Or(r.SecretGroup, b.SecretGroup)
		r.Entropy = cmp.Or(r.Entropy, b.Entropy)
		r.Keywords = slices.Concat(b.Keywords, r.Keywords)
		r.lists = slices.Concat(b.lists, r.lists)
	}
	return rules
}

// pattern returns how a rule is found, nil if it can't be.
func (l *ruleLoader) pattern(r *gitleaksRule) *Pattern {
	form, err := newPattern(r.Regex, r.SecretGroup, r.Keywords)
	if errors.Is(err, errNoAnchor) {
		l.fail(r.from, r.ID, "regex: it holds no text to find it by",
			"add keywords: words that stand in the match, or shortly before it", "rules", r.index, "regex")
		return nil
	}
	if err != nil {
		l.fail(r.from, r.ID, "regex: "+err.Error(), "", "rules", r.index, "regex")
		return nil
	}
	if groups := form.groups; r.SecretGroup < 0 || r.SecretGroup > groups {
		reason := fmt.Sprintf("secretGroup: the regex has %d groups", groups)
		l.fail(r.from, r.ID, reason, "", "rules", r.index, "secretgroup")
		return nil
	}
	form.entropy = r.Entropy
	form.allow(r.lists)
	return form
}

// fileAllowlists are those of a file: for all its rules, or for those that they name.
type fileAllowlists struct {
	all   []*allowlist
	named map[string][]*allowlist
}

func (f fileAllowlists) of(id string) []*allowlist { return slices.Concat(f.all, f.named[id]) }

// allowlists returns nothing unless they are honored. at is where they stand.
func (l *ruleLoader) allowlists(
	source *ruleSource, id string, one *gitleaksAllowlist, more []gitleaksAllowlist, at ...any,
) (f fileAllowlists) {
	if !l.honor {
		return f
	}
	f.named = make(map[string][]*allowlist)
	add := func(g *gitleaksAllowlist, at ...any) {
		a, key, reason := newAllowlist(g)
		if reason != "" {
			l.fail(source, id, strings.ToLower(key)+" of an allowlist: "+reason, "", append(at, key)...)
			return
		}
		if len(g.TargetRules) == 0 {
			f.all = append(f.all, a)
		}
		for _, target := range g.TargetRules {
			f.named[target] = append(f.named[target], a)
		}
	}
	if one != nil {
		add(one, append(slices.Clone(at), "allowlist")...)
	}
	for i := range more {
		add(&more[i], append(slices.Clone(at), "allowlists", i)...)
	}
	return f
}

// newAllowlist returns the key that is wrong, and why, if one is.
func newAllowlist(g *gitleaksAllowlist) (a *allowlist, key, reason string) {
	a = &allowlist{target: g.RegexTarget, sources: g.Regexes, elsewhere: len(g.Paths)+len(g.Commits) > 0}
	switch strings.ToLower(g.Condition) {
	case "", "or", "||":
	case "and", "&&":
		a.all = true
	default:
		return nil, "condition", "choose and, or"
	}
	switch g.RegexTarget {
	case "", "secret", "match", "line":
	default:
		return nil, "regextarget", "choose secret, match, line"
	}
	for _, source := range g.Regexes {
		if _, err := parseExpression(source); err != nil {
			return nil, "regexes", err.Error()
		}
	}
	for _, word := range g.StopWords {
		if word != "" {
			a.words = append(a.words, []byte(strings.ToLower(word)))
		}
	}
	return a, "", ""
}

// fail notes what is wrong with a file. at is the place: names of tables and keys
// in lower case, and indices of arrays.
func (l *ruleLoader) fail(source *ruleSource, id, reason, hint string, at ...any) {
	if len(l.errs) > mostRuleErrors {
		return
	}
	l.errs = append(l.errs, &RuleError{
		Path: source.path, Line: source.line(at...), Rule: shownID(id), Reason: reason, Hint: hint,
	})
}

// shownID returns an id as an error may show it.
func shownID(id string) string {
	const most = 64
	if len(id) > most || !(lex.Word | lex.Dash | lex.Dot | lex.Slash | lex.Blank).Within([]byte(id)) {
		return ""
	}
	return id
}

// MarkerName returns the id of a rule as it stands in a marker.
func MarkerName(id string) string {
	var name []byte
	for _, c := range []byte(id) {
		if c = lex.LowerByte(c); !lex.Alnum.Has(c) {
			if len(name) == 0 || name[len(name)-1] == '_' {
				continue
			}
			c = '_'
		}
		name = append(name, c)
	}
	return cmp.Or(strings.TrimRight(string(name[:min(len(name), MaxRuleName)]), "_"), "rule")
}
