package outline

import (
	"bytes"
	"strings"

	"github.com/kfw-dev/kfw/internal/ascii"
)

// language is a row of the table of languages: how lines declare what others can use.
type language struct {
	name          string
	files         string   // what their names end with, with a blank after each
	comments      []string // what lines of comments begin with
	imports       []string // what lines begin with that bring in others
	importsWithin bool     // also where they are indented
	modifiers     []string // words before the word that declares
	visibility    bool     // a modifier may have parentheses: pub(crate)
	heads         []head
	style         style
	ends          string // what lines of code end with, beside those that are indented
	isOwn         func(name []byte) bool
	docAfter      string    // a text that documents follows the declaration
	begins        [256]bool // the first bytes of the words above
}

// head is a word that declares a name.
type head struct {
	word        string
	tells       float64
	onlyAtStart bool   // of a line: elsewhere it is of a function
	opens       string // what may follow instead of a name
}

// onlyCalls says that no name may follow: the word is that of a function which is called with what it declares.
const onlyCalls = "("

const endsOfBraces = ";{}(),:=+|&[]<>*/"

func beginsLow(name []byte) bool {
	for len(name) > 0 && name[0] == '(' { // a receiver
		for len(name) > 0 && name[0] != ')' {
			name = name[1:]
		}
		for len(name) > 0 && (name[0] == ')' || name[0] == ' ') {
			name = name[1:]
		}
	}
	return len(name) > 0 && !ascii.IsUpper(name[0])
}

func beginsWithUnderscore(name []byte) bool {
	return len(name) > 0 && name[0] == '_' && (len(name) < 2 || name[1] != '_')
}

// languages are those that are known. Of two that as many lines declare something in, the first one has the text.
var languages = [...]language{
	{
		name: "Go", files: ".go ",
		comments: []string{"//", "/*"}, imports: []string{"import"}, ends: endsOfBraces + `"`,
		heads: []head{
			{"package", tellsPackage, true, ""}, {"type", tellsType, true, ""}, {"func", tellsFunction, true, "(["},
			{"const", tellsValue, true, ""}, {"var", tellsValue, true, ""},
		},
		isOwn: beginsLow,
	},
	{
		name: "Python", files: ".py .pyi ",
		comments: []string{"#"}, imports: []string{"import", "from"}, docAfter: `"`,
		modifiers: []string{"async"}, ends: ":()[]{},=\"'\\",
		heads: []head{{"class", tellsType, false, ""}, {"def", tellsFunction, false, ""}},
		isOwn: beginsWithUnderscore,
	},
	{
		name: "TypeScript", files: ".ts .tsx .js .jsx .mjs .cjs .vue ",
		comments: []string{"//", "/*"}, imports: []string{"import"}, style: asMethod, ends: endsOfBraces + "`'",
		modifiers: []string{"export", "default", "declare", "abstract", "async", "public", "private",
			"protected", "static",
			"readonly", "override", "get", "set"},
		heads: []head{
			{"class", tellsType, false, ""}, {"interface", tellsType, false, ""}, {"type", tellsType, true, ""},
			{"enum", tellsType, false, ""}, {"namespace", tellsType, false, ""}, {"function", tellsFunction,
				false, "*"},
			{"const", tellsValue + .3, true, "{"}, {"let", tellsValue, true, ""}, {"var", tellsValue, true, ""},
			{"module.exports", tellsValue, true, "=."}, {"exports", tellsValue, true, "."},
			{"describe", tellsValue, false, onlyCalls}, {"it", tellsValue, false, onlyCalls}, {"test",
				tellsValue, false, onlyCalls},
		},
		isOwn: beginsWithUnderscore,
	},
	{
		name: "Rust", files: ".rs ",
		comments: []string{"//", "/*", "#["}, imports: []string{"use", "extern crate"}, ends: endsOfBraces,
		modifiers: []string{"pub", "async", "unsafe", "const", "default", `extern "C"`}, visibility: true,
		heads: []head{
			{"fn", tellsFunction, false, ""}, {"struct", tellsType, false, ""}, {"enum", tellsType, false, ""},
			{"trait", tellsType, false, ""}, {"impl", tellsType * .7, false, "<"}, {"mod", tellsValue, false, ""},
			{"type", tellsValue, false, ""}, {"const", tellsValue, false, ""}, {"static", tellsValue, true, ""},
			{"macro_rules!", tellsFunction, true, ""}, {"union", tellsType, true, ""},
		},
	},
	{
		name: "Java", files: ".java ",
		comments: []string{"//", "/*", "@"}, imports: []string{"import"}, style: inType, ends: endsOfBraces,
		modifiers: []string{"public", "private", "protected", "static", "final", "abstract",
			"synchronized", "native",
			"default", "sealed", "non-sealed", "strictfp"},
		heads: []head{
			{"package", tellsPackage, true, ""}, {"class", tellsType, false, ""}, {"interface", tellsType,
				false, ""},
			{"enum", tellsType, false, ""}, {"record", tellsType, false, ""}, {"@interface", tellsType, false, ""},
		},
	},
	{
		name: "C", files: ".c .h ",
		comments: []string{"//", "/*"}, imports: []string{"#include", "# include"}, style: atStart, ends: endsOfBraces,
		modifiers: []string{"static", "inline", "extern", "const", "typedef"},
		heads: []head{
			{"struct", tellsType, true, "{"}, {"union", tellsType, true, "{"}, {"enum", tellsType, true, "{"},
			{"#define", tellsValue * .7, true, ""},
		},
	},
	{
		name: "C++", files: ".cc .cpp .cxx .hpp .hh ",
		comments: []string{"//", "/*"}, imports: []string{"#include", "using"}, style: atStart, ends: endsOfBraces,
		modifiers: []string{"static", "inline", "extern", "const", "constexpr", "virtual", "explicit", "typedef"},
		heads: []head{
			{"class", tellsType, false, ""}, {"struct", tellsType, false, ""}, {"namespace", tellsPackage,
				false, "{"},
			{"enum", tellsType, false, ""}, {"template", tellsValue, false, "<"}, {"union", tellsType, false, ""},
			{"#define", tellsValue * .7, true, ""},
		},
	},
	{
		name: "C#", files: ".cs ",
		comments: []string{"//", "/*", "["}, imports: []string{"using"}, style: inType, ends: endsOfBraces,
		modifiers: []string{"public", "private", "protected", "internal", "static", "sealed", "abstract", "partial",
			"readonly", "virtual", "override", "async", "unsafe"},
		heads: []head{
			{"namespace", tellsPackage, false, ""}, {"class", tellsType, false, ""}, {"interface",
				tellsType, false, ""},
			{"struct", tellsType, false, ""}, {"enum", tellsType, false, ""}, {"record", tellsType, false, ""},
			{"delegate", tellsFunction, false, ""},
		},
	},
	{
		name: "Kotlin", files: ".kt .kts ",
		comments: []string{"//", "/*", "@"}, imports: []string{"import"}, ends: endsOfBraces,
		modifiers: []string{"public", "private", "protected", "internal", "open", "abstract", "sealed",
			"data", "enum",
			"override", "suspend", "inline", "companion", "lateinit", "const", "operator", "infix", "tailrec"},
		heads: []head{
			{"package", tellsPackage, true, ""}, {"class", tellsType, false, ""}, {"interface", tellsType,
				false, ""},
			{"object", tellsType, false, "{"}, {"fun", tellsFunction, false, "<"}, {"val", tellsValue, true, ""},
			{"var", tellsValue, true, ""}, {"typealias", tellsValue, true, ""},
		},
	},
	{
		name: "Swift", files: ".swift ",
		comments: []string{"//", "/*", "@"}, imports: []string{"import"}, ends: endsOfBraces,
		modifiers: []string{"public", "private", "fileprivate", "internal", "open", "static", "final", "override",
			"mutating", "class func", "indirect", "convenience", "required", "async"}, visibility: true,
		heads: []head{
			{"class", tellsType, false, ""}, {"struct", tellsType, false, ""}, {"enum", tellsType, false, ""},
			{"protocol", tellsType, false, ""}, {"extension", tellsType, false, ""}, {"actor", tellsType,
				false, ""},
			{"func", tellsFunction, false, ""}, {"init", tellsFunction, false, onlyCalls}, {"let",
				tellsValue, true, ""},
			{"var", tellsValue, true, ""}, {"typealias", tellsValue, true, ""},
		},
	},
	{
		name: "Ruby", files: ".rb ",
		comments: []string{"#"}, imports: []string{"require", "require_relative"}, ends: "|,(){}[]",
		modifiers: []string{"private", "protected"},
		heads: []head{
			{"module", tellsType, false, ""}, {"class", tellsType, false, ""}, {"def", tellsFunction, false, ""},
			{"attr_accessor", tellsValue, false, ":"}, {"attr_reader", tellsValue, false, ":"},
		},
	},
	{
		name: "PHP", files: ".php ",
		comments: []string{"//", "/*", "#"}, imports: []string{"use", "require", "require_once", "include"},
		ends:      endsOfBraces,
		modifiers: []string{"public", "private", "protected", "static", "final", "abstract", "readonly"},
		heads: []head{
			{"<?php", tellsValue, true, ""}, {"namespace", tellsPackage, true, ""}, {"class", tellsType, false, ""},
			{"interface", tellsType, false, ""}, {"trait", tellsType, false, ""}, {"enum", tellsType, false, ""},
			{"function", tellsFunction, false, "&"}, {"const", tellsValue, false, ""},
		},
	},
	{
		name: "Perl", files: ".pl .pm ",
		comments: []string{"#"}, imports: []string{"use", "require"}, ends: ";{}(),",
		heads: []head{
			{"package", tellsType, true, ""}, {"sub", tellsFunction, true, ""}, {"our", tellsValue, true, "($@%"},
		},
		isOwn: beginsWithUnderscore,
	},
	{
		name: "shell", files: ".sh .bash ",
		comments: []string{"#"}, imports: []string{"source", "."}, style: asShell, ends: ";{}()\\&|\"'",
		modifiers: []string{"export", "readonly", "local"},
		heads:     []head{{"function", tellsFunction, true, ""}},
	},
	{
		name: "SQL", files: ".sql ",
		comments: []string{"--", "/*"}, ends: ";(),",
		heads: []head{
			{"CREATE", tellsType, true, ""}, {"create", tellsType, true, ""}, {"ALTER", tellsFunction, true, ""},
			{"alter", tellsFunction, true, ""}, {"DROP", tellsFunction, true, ""}, {"drop", tellsFunction,
				true, ""},
		},
	},
}

func init() {
	for i := range languages {
		g := &languages[i]
		for _, words := range [][]string{g.imports, g.modifiers} {
			for _, word := range words {
				g.begins[word[0]] = true
			}
		}
		for _, h := range g.heads {
			g.begins[h.word[0]] = true
		}
	}
}

// languageOf returns the language of a file by the ending of its name, nil if none is known.
func languageOf(path []byte) *language {
	at := bytes.LastIndexByte(path, '.')
	if at < 0 || bytes.IndexByte(path[at:], '/') >= 0 || len(path)-at > 8 {
		return nil
	}
	ending := path[at:]
	for i := range languages {
		files := languages[i].files
		for len(files) > 0 {
			end := strings.IndexByte(files, ' ')
			if files[:end] == string(ending) {
				return &languages[i]
			}
			files = files[end+1:]
		}
	}
	return nil
}
