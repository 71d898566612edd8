//go:build unix

package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/summarize/facts"
)

// TestSessionDocument holds docs/session.md to the schema: it names every table and every state of a handle.
func TestSessionDocument(t *testing.T) {
	schema, err := os.ReadFile("session/file/schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile("docs/session.md")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^CREATE TABLE (\w+)`).FindAllStringSubmatch(string(schema), -1)
	states := regexp.MustCompile(`(?s)state IN(.*?)\)\)`).FindString(string(schema))
	names = append(names, regexp.MustCompile(`'(\w+)'`).FindAllStringSubmatch(states, -1)...)
	if len(names) != 4+7 {
		t.Fatalf("the schema has %v", names)
	}
	for _, name := range names {
		if !strings.Contains(string(document), "\n| `"+name[1]+"` | ") {
			t.Errorf("nothing is said of %s", name[1])
		}
	}
}

// TestBudgetScript runs the script of docs/session.md: a tool within its grant, one that fails, and
// one for which nothing is left.
func TestBudgetScript(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	document, err := os.ReadFile("docs/session.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)\n```sh\n(.*?)```\n").FindAllStringSubmatch(string(document), -1)
	if len(blocks) != 1 {
		t.Fatalf("%d scripts", len(blocks))
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "budgeted"), []byte(blocks[0][1]), 0o700); err != nil {
		t.Fatal(err)
	}
	kfw(t, dir, "budget", "set", "1000", "--session", "s.kfw").run(t, 0)
	run := func(status int, asked, tool string) string {
		t.Helper()
		p := program(t, "sh", dir, "budgeted", asked, "sh", "-c", tool)
		p.Env = append(p.Env, "KFW_SESSION=s.kfw")
		return p.run(t, status)
	}
	account := func(want string) {
		t.Helper()
		if got := accountOf(t, dir); got != want {
			t.Errorf("the account is %s, want %s", got, want)
		}
	}
	const answer = "300 tokens for [REDACTED:email]\n" // 8 tokens
	if got := run(0, "300", "echo $MAX_TOKENS tokens for ada@example.com"); got != answer {
		t.Errorf("it wrote %q", got)
	}
	account("8 0 992")
	if got := run(7, "300", "echo no; exit 7"); got != "" {
		t.Errorf("a tool that failed wrote %q", got)
	}
	account("8 0 992")
	kfw(t, dir, "budget", "spend", "992", "--session", "s.kfw").run(t, 0)
	run(120, "300", "touch started")
	if _, err := os.Stat(filepath.Join(dir, "started")); err == nil {
		t.Error("a tool was started for which nothing is left")
	}
	const entry = "  spend: sh -c echo $MAX_TOKENS tokens for [REDACTED:email]\n"
	if list := kfw(t, dir, "budget", "--session", "s.kfw").run(t, 0); !strings.Contains(list, entry) {
		t.Errorf("the list is\n%s", list)
	}
}

// TestTurnDocument follows the walk-through of docs/turn.md: its answer and its judge give the events that it shows.
func TestTurnDocument(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("the judge is a script of Python")
	}
	document, err := os.ReadFile("docs/turn.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)\n```(?:python)?\n(.*?)```\n").FindAllStringSubmatch(string(document), -1)
	if len(blocks) != 3 {
		t.Fatalf("%d blocks, not an answer, a judge and events", len(blocks))
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "policy.py"), []byte(blocks[1][1]), 0o700); err != nil {
		t.Fatal(err)
	}
	p := kfw(t, dir, "turn", "--tools", "run,notify", "--judge", "./policy.py")
	p.Stdin = strings.NewReader(blocks[0][1])
	if got := p.run(t, 0); got != blocks[2][1] {
		t.Errorf("kfw turn says\n%s\nthe document\n%s", got, blocks[2][1])
	}
}

// TestTokenizersDocument runs the program of docs/tokenizers.md: it counts as the document says.
func TestTokenizersDocument(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("the counter is a script of Python")
	}
	document, err := os.ReadFile("docs/tokenizers.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)\n```python\n(.*?)```\n").FindSubmatch(document)
	if block == nil {
		t.Fatal("there is no program")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "count.py"), block[1], 0o600); err != nil {
		t.Fatal(err)
	}
	text := responses()["strange"]
	var counts [2]string
	for i, tokenizer := range []string{"chars", "cmd:python3 count.py"} {
		p := kfw(t, dir, "count", "--tokenizer", tokenizer)
		p.Stdin = strings.NewReader(text)
		counts[i] = p.run(t, 0)
	}
	if counts[0] != counts[1] {
		t.Errorf("it counts %s tokens, chars %s", counts[1], counts[0])
	}
}

// TestExitStatuses: the guide and kfw help exit say the same of each code.
func TestExitStatuses(t *testing.T) {
	guide, err := os.ReadFile("docs/guide.md")
	if err != nil {
		t.Fatal(err)
	}
	help := kfw(t, t.TempDir(), "help", "exit").run(t, 0)
	_, table, _ := strings.Cut(string(guide), "\n## Exit status\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var rows []string
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]*\d[^|]*) \| (.*) \|$`).FindAllStringSubmatch(table, -1) {
		rows = append(rows, fmt.Sprintf("  %-12s %s\n", row[1], strings.ReplaceAll(row[2], "`", "")))
	}
	if want := "Exit status:\n" + strings.Join(rows, ""); want != help {
		t.Errorf("the guide says\n%s\nthe help\n%s", want, help)
	}
}

// TestDocumentCommands runs every command of the blocks ```console of a document, in their order, in a home of its own:
// each prints the lines that stand below it there. There, a line that ends in "..." is the beginning of one, and a line
// "..." is any lines. The page of the README is one of these.
func TestDocumentCommands(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	samples, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	documents, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := map[string]int{}
	for _, name := range append(documents, "README.md") {
		document, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		blocks := regexp.MustCompile("(?s)\n```console\n(.*?)```\n").FindAllStringSubmatch(string(document), -1)
		if len(blocks) == 0 {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			home := t.TempDir()
			if err := os.Symlink(samples, filepath.Join(home, "testdata")); err != nil {
				t.Fatal(err)
			}
			standIns(t, home)
			for _, block := range blocks {
				for _, shown := range strings.Split("\n"+block[1], "\n$ ")[1:] {
					ran[name]++
					command, want, _ := strings.Cut(shown, "\n")
					p := program(t, shell, home, "-c", command)
					p.Env = append(p.Env, "PATH="+filepath.Join(home, "bin")+":"+os.Getenv("PATH"),
						"XDG_STATE_HOME="+filepath.Join(home, ".local/state"))
					p.Stderr = &p.out
					if err := p.Run(); p.ProcessState == nil {
						t.Fatal(err)
					}
					got := strings.ReplaceAll(p.out.String(), home, "/home/ann")
					if status := p.ProcessState.ExitCode(); status != 0 {
						got += fmt.Sprintf("[exit status %d]\n", status)
					}
					if problem := compareShown(want, got); problem != "" {
						t.Errorf("$ %s\n%s; it prints\n%s", command, problem, got)
					}
				}
			}
		})
	}
	for _, name := range []string{"README.md", "docs/guide.md", "docs/summaries.md", "docs/expand.md"} {
		if ran[name] < 4 {
			t.Errorf("%d commands of %s were run", ran[name], name)
		}
	}
}

// TestDocumentedFlags: each flag that the manual page has stands in a document, too, or is a key of docs/kfw.yaml.
func TestDocumentedFlags(t *testing.T) {
	manual := program(t, "kfw", t.TempDir(), "man")
	if err := manual.Run(); err != nil {
		t.Fatal(err)
	}
	documents, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var reported strings.Builder
	for _, name := range append(documents, "README.md") {
		document, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		reported.Write(document)
	}
	known := append(regexp.MustCompile(`--[a-z][a-z-]+`).FindAllString(reported.String(), -1),
		"--no-descriptions") // of a completion, which cobra adds
	configured, err := os.ReadFile("docs/kfw.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range regexp.MustCompile(`(?m)^#? ?([a-z_]+):`).FindAllSubmatch(configured, -1) {
		known = append(known, "--"+strings.ReplaceAll(string(key[1]), "_", "-"))
	}
	page := strings.ReplaceAll(manual.out.String(), `\-`, "-")
	flags := regexp.MustCompile(`(?m)^\.B "(?:-\w, )?(--[a-z][a-z-]+)`).FindAllStringSubmatch(page, -1)
	if len(flags) < 100 {
		t.Fatalf("the manual page has %d flags", len(flags))
	}
	for _, flag := range flags {
		if !slices.Contains(known, flag[1]) {
			t.Errorf("%s stands in no document", flag[1])
		}
	}
}

// TestReadme: the README has two commands to try, and the first is the one whose page it shows.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)\n## Try it\n.*?\n```sh\ngo run \\. (stream [^\n]*)\ngo test \\./\\.\\.\\.\n```\n").
		FindSubmatch(readme)
	if block == nil {
		t.Fatal("there are not two commands")
	}
	if !bytes.Contains(readme, append([]byte("\n```console\n$ kfw "), block[1]...)) {
		t.Errorf("the page of kfw %s is not shown", block[1])
	}
}

// standIns writes programs in place of those that a document names and that need more than this machine: they end at
// once, and npx is a server that says what it is told.
func standIns(t *testing.T, home string) {
	t.Helper()
	bin := filepath.Join(home, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "npx"), []byte("#!/bin/sh\nexec cat\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}

// compareShown compares what a document shows of an output with the output, and returns what is wrong.
func compareShown(want, got string) string {
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if got == "" {
		lines = nil
	}
	skips := false
	for line := range strings.Lines(want) {
		line = strings.TrimSuffix(line, "\n")
		if line == "..." {
			skips = true
			continue
		}
		prefix, isCut := strings.CutSuffix(line, "...")
		prefix = strings.TrimRight(prefix, " ")
		at := slices.IndexFunc(lines, func(l string) bool { return l == line || isCut && strings.HasPrefix(l, prefix) })
		if at < 0 || at > 0 && !skips {
			return fmt.Sprintf("%q is not the next line", line)
		}
		lines, skips = lines[at+1:], false
	}
	if len(lines) > 0 && !skips {
		return fmt.Sprintf("%q is not shown", lines[0])
	}
	return ""
}

// TestFactsDocument: the tables of facts in docs/facts.md are those of the list of kinds; -update writes them. The
// document names every reason by which something stands out, too, that internal/truth/statements.md has a form of.
// TestTruth holds that one to what kfw says.
func TestFactsDocument(t *testing.T) {
	const name = "docs/facts.md"
	document, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want := string(document)
	for scope, of := range map[facts.Scope]string{
		facts.Response: "a response", facts.Field: "a field", facts.Template: "a template",
	} {
		begin := "<!-- facts of " + of + " -->\n"
		before, after, found := strings.Cut(want, begin)
		_, after, isClosed := strings.Cut(after, "<!-- end -->\n")
		if !found || !isClosed {
			t.Fatalf("there is no %s in %s", strings.TrimSpace(begin), name)
		}
		want = before + begin + tableOfFacts(scope) + "<!-- end -->\n" + after
	}
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if string(document) != want {
		t.Errorf("the tables of facts in %s are not those of internal/summarize/facts; go test -run TestFactsDocument . -update "+
			"writes them", name)
	}
	statements, err := os.ReadFile("internal/truth/statements.md")
	if err != nil {
		t.Fatal(err)
	}
	forms := regexp.MustCompile("`(?:fact|field|template|why) ([^`]+)`").FindAllSubmatch(statements, -1)
	if len(forms) < 60 {
		t.Fatalf("%d forms", len(forms))
	}
	for _, form := range forms {
		name := regexp.QuoteMeta(string(form[1]))
		if !regexp.MustCompile("`" + name + "~?`").MatchString(want) {
			t.Errorf("nothing is said of %s", form[0])
		}
	}
}

// tableOfFacts is the table of the facts of a scope, in Markdown.
func tableOfFacts(of facts.Scope) string {
	table := "| name | says | bounds |\n|---|---|---|\n"
	for _, k := range facts.Kinds {
		if k.Scope == of {
			table += "| `" + k.Name + "` | " + k.Says + " | " + k.Bound + " |\n"
		}
	}
	return table
}

// TestLinks: every link of a document to a file of the project, and to a heading of one, leads somewhere.
func TestLinks(t *testing.T) {
	var documents []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "internal/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, found...)
	}
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	var links int
	for _, name := range documents {
		document, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range link.FindAllStringSubmatch(string(document), -1) {
			target, heading, _ := strings.Cut(found[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			links++
			file := name
			if target != "" {
				file = filepath.Join(filepath.Dir(name), target)
			}
			pointed, err := os.ReadFile(file)
			if info, statErr := os.Stat(file); statErr == nil && info.IsDir() {
				continue
			}
			if err != nil {
				t.Errorf("%s: %s leads nowhere", name, found[1])
				continue
			}
			if heading != "" && !slices.Contains(headings(string(pointed)), heading) {
				t.Errorf("%s: %s has no heading %s", name, file, heading)
			}
		}
	}
	if links < 40 {
		t.Errorf("%d links were found", links)
	}
}

// TestFilesInDocuments: every Go file that a document of how kfw is built names is there.
func TestFilesInDocuments(t *testing.T) {
	documents, err := filepath.Glob("docs/decisions/*.md")
	if err != nil {
		t.Fatal(err)
	}
	file := regexp.MustCompile(`[a-z_]{2,}(?:/[a-z_]+)*/[a-z_]+\.(?:go|txtar|sql)\b`)
	var files int
	for _, name := range append(documents, "docs/architecture.md", "CONTRIBUTING.md") {
		document, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range file.FindAllString(string(document), -1) {
			files++
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: there is no %s", name, path)
			}
		}
	}
	if files < 20 {
		t.Errorf("%d files were found", files)
	}
}

// TestNamesInContributing: what CONTRIBUTING.md says to stand in a file stands there.
func TestNamesInContributing(t *testing.T) {
	document, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	places := regexp.MustCompile("(?:`\\w+`, )?`(\\w+)` in ([\\w/]+\\.go)").FindAllStringSubmatch(string(document), -1)
	if len(places) < 20 {
		t.Errorf("%d names were found", len(places))
	}
	for _, place := range places {
		file, err := os.ReadFile(place[2])
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(`\b` + place[1] + `\b`).Match(file) {
			t.Errorf("%s has no %s", place[2], place[1])
		}
	}
}

// TestFrameKeys: every key of frames stands in docs/frames.md, those of facts in docs/facts.md.
func TestFrameKeys(t *testing.T) {
	var document []byte
	for _, name := range []string{"docs/frames.md", "docs/facts.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		document = append(document, text...)
	}
	keys := 0
	for _, name := range []string{"pipeline/encode/frame.go", "pipeline/encode/sections.go"} {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range regexp.MustCompile("[`{,]\"([a-z_]+)\":").FindAllStringSubmatch(string(source), -1) {
			keys++
			if !bytes.Contains(document, []byte("`"+key[1]+"`")) && !bytes.Contains(document, []byte(`"`+key[1]+`"`)) {
				t.Errorf("%s writes %s, which no document has", name, key[1])
			}
		}
	}
	if keys < 25 {
		t.Errorf("%d keys were found", keys)
	}
}

// TestExampleOfToken: the token that CONTRIBUTING.md shows stands so in the table.
func TestExampleOfToken(t *testing.T) {
	document, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile("redact/internal/detect/services.go")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(document)
	if example == nil || !bytes.Contains(table, example[1]) {
		t.Error("the table has no such token")
	}
}

// TestPackageMaps: every Go file that the comment of a package names is in that package, or below the root.
func TestPackageMaps(t *testing.T) {
	file := regexp.MustCompile(`[\w/]+\.go\b`)
	var files int
	visitGo(t, func(path string, parsed *ast.File) {
		if parsed.Doc == nil {
			return
		}
		for _, name := range file.FindAllString(parsed.Doc.Text(), -1) {
			files++
			_, errHere := os.Stat(filepath.Join(filepath.Dir(path), name))
			if _, err := os.Stat(name); errHere != nil && err != nil {
				t.Errorf("%s names %s", path, name)
			}
		}
	})
	if files < 100 {
		t.Errorf("%d files were found", files)
	}
}

// TestDocComments: a comment on a function, a type or a variable that begins with its name writes it as it is. Every
// exported name of a package has one; one on the group is enough, and so is one at the end of the line.
func TestDocComments(t *testing.T) {
	check := func(path string, doc *ast.CommentGroup, name string) {
		word, _, _ := strings.Cut(doc.Text(), " ")
		word = strings.TrimRight(word, ",.:\n")
		bare := word[strings.LastIndexByte(word, '.')+1:]
		if word != name && strings.EqualFold(bare, name) {
			t.Errorf("%s: the comment on %s begins with %s", path, name, word)
		}
	}
	need := func(path string, name *ast.Ident, comments ...*ast.CommentGroup) {
		has := slices.ContainsFunc(comments, func(c *ast.CommentGroup) bool { return c != nil })
		if name.IsExported() && !has {
			t.Errorf("%s: there is no comment on %s", path, name)
		}
	}
	visitGo(t, func(path string, parsed *ast.File) {
		for _, declared := range parsed.Decls {
			switch d := declared.(type) {
			case *ast.FuncDecl:
				check(path, d.Doc, d.Name.Name)
				if isOfExported(d) {
					need(path, d.Name, d.Doc)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						check(path, s.Doc, s.Name.Name)
						check(path, d.Doc, s.Name.Name)
						need(path, s.Name, d.Doc, s.Doc, s.Comment)
					case *ast.ValueSpec:
						check(path, s.Doc, s.Names[0].Name)
						for _, name := range s.Names {
							need(path, name, d.Doc, s.Doc, s.Comment)
						}
					}
				}
			}
		}
	})
}

// isOfExported reports whether a function is no method, or one of an exported type.
func isOfExported(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	receiver := d.Recv.List[0].Type
	for {
		switch of := receiver.(type) {
		case *ast.StarExpr:
			receiver = of.X
		case *ast.IndexExpr: // of a generic type
			receiver = of.X
		case *ast.IndexListExpr:
			receiver = of.X
		default:
			return receiver.(*ast.Ident).IsExported()
		}
	}
}

// visitGo calls visit with every Go file of the module that is no test.
func visitGo(t *testing.T, visit func(path string, parsed *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (path == "bench" || path != "." && strings.HasPrefix(entry.Name(), ".")):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err == nil {
			visit(path, parsed)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// headings returns the names under which the headings of a document can be linked to.
func headings(document string) []string {
	var names []string
	for _, line := range strings.Split(document, "\n") {
		if title := strings.TrimLeft(line, "#"); title != line && strings.HasPrefix(title, " ") {
			name := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(title)), " ", "-")
			names = append(names, regexp.MustCompile(`[^\p{L}\d_-]`).ReplaceAllString(name, ""))
		}
	}
	return names
}

// TestBlankLinesAroundExamples: without them an example and the paragraph beside it are shown as one.
func TestBlankLinesAroundExamples(t *testing.T) {
	documents, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(documents, "README.md", "CHANGELOG.md") {
		document, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fenced, before := false, ""
		for i, line := range strings.Split(string(document), "\n") {
			if strings.HasPrefix(line, "```") {
				fenced, before = !fenced, ""
				continue
			}
			example := strings.HasPrefix(line, "    ")
			if !fenced && line != "" && before != "" && example != strings.HasPrefix(before, "    ") {
				t.Errorf("%s:%d: no blank line before it", name, i+1)
			}
			before = line
		}
	}
}
