// Command picture draws docs/before-after.svg, the picture of the README: what a tool said, and what a model gets of
// it. All words of both are from a run of kfw on testdata/samples/orders.ndjson.
//
//	go -C bench run ./picture
package main

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

func main() {
	if err := run("../docs/before-after.svg"); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func run(path string) error {
	dir, err := os.MkdirTemp("", "picture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	drawn, err := picture(dir)
	if err != nil {
		return err
	}
	return os.WriteFile(path, drawn, 0o644)
}

const (
	sample  = "../testdata/samples/orders.ndjson" // from bench
	budget  = "600"                               // tokens of the page, by the tokenizer
	counter = "o200k_base"                        // that tokenizer
	columns = 110                                 // characters of a line
	rawRows = 8                                   // lines of the response that are shown
)

// kfw runs kfw with a home of its own.
func kfw(dir string, stdin []byte, args ...string) (string, error) {
	c := exec.Command(filepath.Join(dir, "kfw"), args...)
	home := filepath.Join(dir, "home")
	c.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home)
	c.Stdin = bytes.NewReader(stdin)
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("kfw %s: %w", args[0], err)
	}
	return string(out), nil
}

// picture builds kfw in a directory, runs it, and returns the picture. It runs in the directory bench.
func picture(dir string) ([]byte, error) {
	build := exec.Command("go", "-C", "..", "build", "-o", filepath.Join(dir, "kfw"), ".")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("kfw does not build: %w: %s", err, out)
	}
	raw, err := os.ReadFile(sample)
	if err != nil {
		return nil, err
	}
	page, err := kfw(dir, raw, "stream", "--no-config", "--format", "text", "--tokenizer", counter,
		"--budget", budget)
	if err != nil {
		return nil, err
	}
	redacted, err := kfw(dir, raw, "redact", "--no-config")
	if err != nil {
		return nil, err
	}
	tokens := func(text string) (string, error) {
		count, err := kfw(dir, []byte(text), "count", "--no-config", "--tokenizer", counter)
		count = strings.TrimSpace(count)
		if n := len(count); n > 3 {
			count = count[:n-3] + "," + count[n-3:]
		}
		return count, err
	}
	before, err := tokens(string(raw))
	if err != nil {
		return nil, err
	}
	after, err := tokens(page)
	if err != nil {
		return nil, err
	}
	records := strings.Count(string(raw), "\n")
	return draw(
		panel{fmt.Sprintf("before: %d orders, %s tokens; %d secrets and pieces of personal data", records, before,
			strings.Count(redacted, "[REDACTED:")), wrapped(string(raw), removed(string(raw), redacted))},
		panel{fmt.Sprintf("after: kfw stream --budget %s: %s tokens, secrets and personal data redacted", budget, after),
			clipped(page)},
	), nil
}

// piece is a part of a line, in a class of the style sheet; empty for none.
type piece struct{ class, text string }

type panel struct {
	title string
	lines [][]piece
}

// span is a part of a text, in bytes.
type span struct{ from, to int }

var placeholder = regexp.MustCompile(`\[REDACTED:[a-z_]+\]`)

// removed returns what redaction took out of a text: what stands between the parts that it left.
func removed(raw, redacted string) (all []span) {
	at := 0
	for i, part := range placeholder.Split(redacted, -1) {
		next := at + strings.Index(raw[at:], part)
		if i > 0 {
			all = append(all, span{at, next})
		}
		at = next + len(part)
	}
	return all
}

// wrapped returns the first lines of a text, cut at columns, with spans of it marked.
func wrapped(text string, marked []span) (all [][]piece) {
	at := 0
	for range rawRows {
		end := min(at+columns, at+strings.IndexByte(text[at:], '\n'))
		var line []piece
		for from := at; from < end; {
			to, class := end, ""
			for _, s := range marked {
				if s.from <= from && from < s.to {
					to, class = min(end, s.to), "bad"
					break
				}
				if from < s.from && s.from < end {
					to = s.from
					break
				}
			}
			line, from = append(line, piece{class, text[from:to]}), to
		}
		if all, at = append(all, line), end; text[at] == '\n' {
			at++
		}
	}
	return append(all, []piece{{"dim", "…"}})
}

// clipped returns the lines of a page, each cut at columns.
func clipped(page string) (all [][]piece) {
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if r := []rune(line); len(r) > columns {
			line = string(r[:columns-1]) + "…"
		}
		class := ""
		switch {
		case strings.HasPrefix(line, "kfw:"), strings.HasPrefix(line, "…"):
			class = "dim"
		case strings.Contains(line, "level=error"), strings.Contains(line, "status=failed"):
			class = "key"
		}
		var pieces []piece
		at := 0
		for _, m := range placeholder.FindAllStringIndex(line, -1) {
			pieces = append(pieces, piece{class, line[at:m[0]]}, piece{"good", line[m[0]:m[1]]})
			at = m[1]
		}
		all = append(all, append(pieces, piece{class, line[at:]}))
	}
	return all
}

// Sizes in pixels.
const (
	charWidth  = 7.25
	lineHeight = 17
	margin     = 14
	titleSpace = 30
	gap        = 18
)

const style = `<style>
text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
text { fill: #1f2328; white-space: pre; }
.box { fill: #f6f8fa; stroke: #d0d7de; }
.title { font-weight: bold; }
.dim { fill: #59636e; } .bad { fill: #cf222e; font-weight: bold; } .good { fill: #1a7f37; } .key { fill: #953800; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; } .box { fill: #161b22; stroke: #30363d; }
.dim { fill: #9198a1; } .bad { fill: #ff7b72; } .good { fill: #3fb950; } .key { fill: #ffa657; }
}
</style>
`

// draw returns an SVG with one panel below the other.
func draw(panels ...panel) []byte {
	var body strings.Builder
	const width = columns*charWidth + 2*margin
	y := 0
	for i, p := range panels {
		if i > 0 {
			y += gap
		}
		height := titleSpace + lineHeight*len(p.lines) + margin/2
		fmt.Fprintf(&body, `<rect class="box" x="0.5" y="%d.5" width="%.1f" height="%d" rx="6"/>`+"\n", y, width-1, height)
		fmt.Fprintf(&body, `<text class="title" x="%d" y="%d">%s</text>`+"\n", margin, y+lineHeight+3, escaped(p.title))
		for n, line := range p.lines {
			fmt.Fprintf(&body, `<text x="%d" y="%d" xml:space="preserve">`, margin, y+titleSpace+lineHeight*(n+1)-5)
			for _, one := range line {
				if one.class == "" {
					body.WriteString(escaped(one.text))
				} else if one.text != "" {
					fmt.Fprintf(&body, `<tspan class="%s">%s</tspan>`, one.class, escaped(one.text))
				}
			}
			body.WriteString("</text>\n")
		}
		y += height + 1
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d" role="img" `+
		`aria-label="%s; %s">`+"\n", width, y+1, width, y+1, escaped(panels[0].title), escaped(panels[len(panels)-1].title))
	b.WriteString(style + body.String() + "</svg>\n")
	return b.Bytes()
}

// escaped returns a text as XML may have it.
func escaped(text string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError || r == 0x7F {
			return '\uFFFD'
		}
		return r
	}, text))
}
