package lineclass

import "testing"

func TestCutDiagnostic(t *testing.T) {
	for _, test := range []struct{ line, file, severity, code string }{
		{"main.go:12:7: undefined: x", "main.go", "", ""},
		{"./a/b.go:12: \t\treturn nil", "./a/b.go", "", ""},
		{"a/b.go:12:", "a/b.go", "", ""},
		{"a/b.go:12:x", "a/b.go", "", ""},
		{"a/b.go:12: return f (E1)", "a/b.go", "", "E1"},
		{"a/b.go:12:  return f (E1)", "a/b.go", "", ""},
		{"src/a.c:4:33: warning: unused variable 'n' [-Wunused-variable]", "src/a.c", "warning", "-Wunused-variable"},
		{"a.c:4:33: fatal error: x.h: No such file", "a.c", "fatal error", ""},
		{"src/a.ts(1,25): error TS2307: Cannot find module 'x'", "src/a.ts", "error", "TS2307"},
		{"A.cs(12): warning CS0168: The variable is declared (x)", "A.cs", "warning", "CS0168"},
		{"a.py:3:1: E501 line too long (88 > 79 characters)", "a.py", "", "E501"},
		{"a.py:3:0: C0114: Missing docstring (missing-docstring)", "a.py", "", "missing-docstring"},
		{"a.py:3: error: Incompatible types in assignment  [assignment]\t", "a.py", "error", "assignment"},
		{"x.go:195:2: should replace this if statement (S1017)", "x.go", "", "S1017"},
		{"a.js:1:2: Unexpected any. [Error/@typescript-eslint/no-any]", "a.js", "", "Error/@typescript-eslint/no-any"},
		{"a.go:1:2: errors: x", "a.go", "", ""},
		{"Gemfile:50:81: C: Line is too long. [83/80]", "Gemfile", "C", ""},
		{"bin/rails:2:10: W: Style/StringLiterals: Prefer single quotes", "bin/rails", "W", "Style/StringLiterals"},
		{"docker/Dockerfile:3: x", "docker/Dockerfile", "", ""},
		{"/usr/include/c++/string_view:96:7: note: candidate: none", "/usr/include/c++/string_view", "note", ""},
		{"a.go:1:2: A1 is none", "a.go", "", ""},
		{"  --> src/main.rs:3:5", "src/main.rs", "", ""},
		{"error[E0382]: borrow of moved value: `x`", "", "error", "E0382"},
		{"error TS18003: No inputs were found", "", "error", "TS18003"},
		{line: "error: could not compile"},
		{line: "warning: 3 warnings emitted"},
		{line: "2026-01-02 12:30:00: x"},
		{line: "12:30: x"},
		{line: "10.0.0.1:80: refused"},
		{line: "localhost:80: refused"},
		{line: "Failed:80:1: refused"},
		{line: "Profile:12: W: loaded"},
		{line: "org/image:12:7: x"},
		{line: "10.0.0.1/24:80:3: up"},
		{line: "example.com:443: connection refused"},
		{line: "db.internal:5432: connection reset"},
		{line: "10/Oct/2000:13:55:36 GET /x"},
		{line: "library/nginx:12: Pulling from x"},
		{line: "10.0.0.1/24:80: up"},
		{line: "4.txt:80: up"},
		{line: "http://x.org:80: refused"},
		{line: "main.go: 12: x"},
		{line: "main.go:x: 12"},
		{line: "main.go:12"},
		{line: "main.go(12"},
		{line: "main.go(12)"},
		{line: "main.go(12) x"},
		{line: "f(1,2): x"},
		{line: ":12: x"},
		{line: "(12): x"},
		{line: ""},
		{line: "--> "},
	} {
		d, ok := CutDiagnostic([]byte(test.line))
		if isOne := test.file+test.code != ""; ok != isOne || ok &&
			(string(d.File) != test.file || string(d.Severity) != test.severity || string(d.Code) != test.code) {
			t.Errorf("%q: %q, %q, %q, %t", test.line, d.File, d.Severity, d.Code, ok)
		}
	}
}
