package code

import (
	"strings"
	"testing"
)

// texts are of every kind, with the verdict about their last line.
var texts = []struct {
	kind string
	is   bool
	text string
}{
	{"Go", true, "func f() error {\n\tx := New(a)\n\tif err != nil {\n\t\treturn err\n\t}\n\towner := "},
	{"Go literal", true, "\tgot, err := Load(ctx, &Options{\n\t\tName:  \"x\",\n\t\tCount: 3,\n\t})\n" +
		"\trequire.NoError(t, err)\n\tMail: \""},
	{"Python", true, "import os\nfrom a.b import c\n\n\ndef main(x):\n    y = load(x)\n    mail = "},
	{"Java", true, "package org.acme;\n\nimport java.util.List;\n\n/**\n * A box.\n * @author "},
	{"PHP", true, "<?php\n\n/*\n * This file is part of x.\n *\n * (c) "},
	{"C", true, "#include <stdio.h>\n#define X 1\n\nint main(void)\n{\n\tchar *s = "},
	{"JavaScript", true, "const a = require('a');\n\nmodule.exports = function (b) {\n" +
		"  return b.map((c) => c.d);\n};\nconst e = '"},
	{"Ruby", true, "class A < B\n  def c(d)\n    e.f(d)\n  end\n\n  def g\n    h = "},
	{"Rust", true, "use std::io;\n\npub fn a(b: &str) -> String {\n    let c = b.to_string();\n    c == \""},
	{"through cat -n", true, "    12\tfunc f() {\n    13\t\tx := y(z)\n    14\t\tw = "},
	{"through a reader", true, "   12→func f() {\n   13→\tx := y(z)\n   14→\tw = "},
	{"through grep", true, "a/b.go:12:func f() {\na/b.go-13-\tx := y(z)\na/b.go-14-\tw = "},
	{"through a diff", true, "+func f() {\n+\tx := y(z)\n+\tw = "},

	{"environment", false, "A=1\nexport B=2\nC_D="},
	{"headings", false, "====== Path ======\na/b\n\n======= Metadata =======\nKey    Value\npassword    "},
	{"YAML", false, "users:\n  - name: a\n    kind: b\n  - name: c\n    mail: "},
	{"log", false, "2026-01-02T03:04:05Z INFO call(x) done;\n2026-01-02T03:04:06Z INFO a := b\n" +
		"2026-01-02T03:04:07Z x = f("},
	{"prose", false, "If you want to use this, import the keys and\nreturn the form to our office. Please write to\n"},
	{"mail", false, "From: a\nTo: b\nSubject: if (this) works;\n\nDear Mara,\n\nplease write to "},
	{"SQL", false, "INSERT INTO a VALUES (1, 'b');\nINSERT INTO a VALUES (2, 'c');\nINSERT INTO a VALUES (3, '"},
	{"CSV", false, "id,name,mail\n1,Mara,x\n2,Ada,"},
	{"JSON", false, "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"mail\": \""},
	{"HCL", false, "resource \"a\" \"b\" {\n  c = \"d\"\n  tags = {\n    owner = \""},
	{"nginx", false, "server {\n  listen 80;\n  location / {\n    root /srv;\n  }\n  server_admin "},
	{"shell", false, "#!/bin/sh\nset -e\ncd /srv\ncurl -u a https://example.org\ngit config user.email "},
	{"one line", false, "from "},
	{"nothing", false, ""},
}

// is is Is after a text.
func is(before string, line []byte, least int) bool {
	b := Before(before)
	return Is(&b, line, least)
}

func TestIs(t *testing.T) {
	for _, x := range texts {
		line := strings.LastIndexByte(x.text, '\n') + 1
		if got := is(x.text[:line], []byte(x.text[line:]), Among); got != x.is {
			t.Errorf("%s: %v", x.kind, got)
		}
	}
}

// TestBlock holds that a line that tells nothing is of what the block that it stands in is of.
func TestBlock(t *testing.T) {
	const program = "func f() error {\n\tx := New(a)\n\tif err != nil {\n\t\treturn err\n\t}\n"
	for before, want := range map[string]bool{
		"\ty := User{\n": true,
		"\ty := User{\n\n\t\t\t// a\n\t\tName: \"x\",\n": true,
		"\ty.add(\n":                              true,
		"users:\n\t- name: x\n":                   false,
		"{\n  \"users\": [\n\t{\n":                false,
		"\ty = new User\n\t{\n\t\tName: \"x\",\n": true,
		"\tlist();\n\t{\n":                        false,
		"\t\t\ty = load(x)\n":                     false,
		"\t    return y\n":                        false,
		"}\n\t\t\treturn y\n":                     false,
		"\n":                                      true,
	} {
		for _, line := range []string{"\t\tEmail: \"", "\t\ta, b, \""} {
			if got := is(program+before, []byte(line), Itself); got != want {
				t.Errorf("%q%q: %v", before, line, got)
			}
			prefixed := strings.ReplaceAll("\n"+program+before+line, "\n", "\n    12\t")
			at := strings.LastIndexByte(prefixed, '\n') + 1
			if got := is(prefixed[1:at], []byte(prefixed[at:]), Itself); got != want {
				t.Errorf("behind a number: %q%q: %v", before, line, got)
			}
		}
	}
}

// TestPartOfBlock holds that the lines of a part of a block, all of which are indented, tell of one another.
func TestPartOfBlock(t *testing.T) {
	for before, want := range map[string]bool{
		"\tx := New(a)\n\tif err != nil {\n\t\treturn err\n\t}\n\ta.Name = \"x\"\n": true,
		"  user: x\n  name: y\n  a: z\n":                                            false,
		"\tx := New(a)\n\tif err != nil {\n\t\treturn err\n\t}\nname: x\n":          false,
	} {
		if got := is(before, []byte("\ta.Email = \""), Itself); got != want {
			t.Errorf("%q: %v", before, got)
		}
	}
}

// TestItself holds that what follows a program is of one only if it has what only programs have.
func TestItself(t *testing.T) {
	const program = "func f() error {\n\tx := New(a)\n\tif err != nil {\n\t\treturn err\n\t}\n}\n"
	for line, want := range map[string]bool{
		"\ty := load(":                    true,
		"// by ":                          true,
		"DB_PASSWORD = ":                  false,
		"DB_PASSWORD=":                    false,
		"  password: ":                    false,
		"INFO login(user=mara, password=": false,
		"  \"mail\": \"":                  false,
		"":                                false,
	} {
		if got := is(program, []byte(line), Itself); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func FuzzIs(f *testing.F) {
	for _, x := range texts {
		f.Add(x.text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, at int) {
		at = min(max(at, 0), len(text))
		is(text[:at], []byte(text[at:]), Among)
	})
}
