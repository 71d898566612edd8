package mcp

import (
	"hash/maphash"
	"strings"
	"sync"

	"github.com/tidwall/gjson"
)

const (
	// maxSchema is how large a schema may be that is read, in bytes. A larger one limits every string.
	maxSchema = 64 << 10
	// maxTools is of how many tools it is known which strings their schemas limit. Those of others limit every string.
	maxTools = 1024
)

// limitedNames are the names of members whose strings a schema limits: to change one may break the schema.
type limitedNames struct {
	all   bool
	names map[string]bool
}

// limits are the limited names by tool. It may be used from several goroutines.
type limits struct {
	mu    sync.Mutex
	tools map[string]limitedNames
}

func (l *limits) set(tool string, names limitedNames) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tools == nil {
		l.tools = make(map[string]limitedNames)
	}
	if _, isThere := l.tools[tool]; !isThere && len(l.tools) >= maxTools {
		return
	}
	l.tools[tool] = names
}

// of returns what the schemas of the tools limit that one of these requests may be for.
func (l *limits) of(calls []call) (union limitedNames) {
	l.mu.Lock()
	defer l.mu.Unlock()
	union.names = make(map[string]bool)
	for _, one := range calls {
		names, isKnown := l.tools[one.Tool]
		union.all = union.all || names.all || !isKnown && len(l.tools) >= maxTools
		for name := range names.names {
			union.names[name] = true
		}
	}
	return union
}

// limitedBy returns what a schema limits; nil is one that was too large.
func limitedBy(schema []byte) limitedNames {
	l := limitedNames{all: schema == nil, names: make(map[string]bool)}
	l.add(gjson.ParseBytes(schema), "")
	return l
}

// add looks for limits of the strings that stand under a name; the empty one is that of the whole value.
func (l *limitedNames) add(schema gjson.Result, name string) {
	if schema.IsArray() {
		schema.ForEach(func(_, one gjson.Result) bool {
			l.add(one, name)
			return true
		})
	}
	if !schema.IsObject() {
		return
	}
	schema.ForEach(func(key, value gjson.Result) bool {
		switch key.String() {
		case "enum", "const", "pattern", "format", "minLength", "maxLength", "contentEncoding", "contentMediaType",
			"uniqueItems":
			l.all = l.all || name == ""
			l.names[name] = true
		case "properties":
			value.ForEach(func(member, one gjson.Result) bool {
				l.add(one, member.String())
				return true
			})
		case "items", "prefixItems", "contains", "unevaluatedItems", "allOf", "anyOf", "oneOf", "not", "if", "then",
			"else":
			l.add(value, name)
		case "additionalProperties", "patternProperties", "propertyNames", "unevaluatedProperties", "dependentSchemas",
			"$defs", "definitions":
			l.addAnywhere(value)
		case "$ref", "$dynamicRef":
			ref := value.String()
			isLocal := ref == "#" || strings.HasPrefix(ref, "#/$defs/") || strings.HasPrefix(ref, "#/definitions/")
			l.all = l.all || !isLocal
		}
		return true
	})
}

// addAnywhere looks for limits in schemas that may hold for any name.
func (l *limitedNames) addAnywhere(schemas gjson.Result) {
	schemas.ForEach(func(_, one gjson.Result) bool {
		l.add(one, "")
		return true
	})
	l.add(schemas, "")
}

// skeleton hashes all of a JSON value, except for the strings that may be redacted in place: if it is the same before
// and after the redaction, the value keeps to its schema. What is written to it is JSON.
type skeleton struct {
	limited limitedNames
	hash    maphash.Hash
	levels  []level

	inString  bool
	isName    bool // the string is a name
	isEscape  bool // the next byte belongs to an escape
	wantsName bool // the next string is a name
	isLimited bool // the current value must stay as it is
	name      []byte
}

// level is an object or array around the current value.
type level struct{ isObject, isLimited bool }

func newSkeleton(limited limitedNames, seed maphash.Seed) *skeleton {
	s := &skeleton{limited: limited, isLimited: limited.all}
	s.hash.SetSeed(seed)
	return s
}

func (s *skeleton) sum() uint64 { return s.hash.Sum64() }

// Write implements io.Writer.
func (s *skeleton) Write(b []byte) (int, error) {
	for _, c := range b {
		if s.inString {
			s.string(c)
		} else {
			s.structure(c)
		}
	}
	return len(b), nil
}

func (s *skeleton) keep(c byte) { _ = s.hash.WriteByte(c) } // it never fails

func (s *skeleton) string(c byte) {
	isEnd := c == '"' && !s.isEscape
	s.isEscape = c == '\\' && !s.isEscape
	if s.isName || s.isLimited || isEnd {
		s.keep(c)
	}
	if s.isName && !isEnd && len(s.name) < maxWord {
		s.name = append(s.name, c)
	}
	if !isEnd {
		return
	}
	s.inString = false
	if s.isName {
		around := s.levels[len(s.levels)-1].isLimited
		s.isLimited = around || s.limited.names[string(s.name)] || len(s.name) == maxWord
	}
}

func (s *skeleton) structure(c byte) {
	switch c {
	case ' ', '\t', '\r', '\n':
		return
	case '"':
		s.inString, s.isName, s.wantsName = true, s.wantsName, false
		if s.isName {
			s.name = s.name[:0]
		}
	case '{', '[':
		s.levels = append(s.levels, level{c == '{', s.isLimited})
		s.wantsName = c == '{'
	case '}', ']':
		s.levels = s.levels[:len(s.levels)-1]
		s.wantsName = false
	case ',':
		top := s.levels[len(s.levels)-1]
		s.wantsName, s.isLimited = top.isObject, top.isLimited
	}
	s.keep(c)
}
