package cmd

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/kfw-dev/kfw/internal/manual"
)

// TestManPage: the page has what --help says of every command: its texts, each paragraph in one
// piece, and its flags.
func TestManPage(t *testing.T) {
	tree := root(streams{}, nil)
	page := manual.Page(tree, manDate, exitStatuses())
	if again := manual.Page(root(streams{}, nil), manDate, exitStatuses()); page != again {
		t.Error("two pages differ")
	}
	if strings.Contains(page, "`") {
		t.Error("a backquote is literal")
	}
	lines := make(map[string]bool)
	for line := range strings.Lines(page) {
		lines[strings.TrimSuffix(line, "\n")] = true
	}
	for _, c := range manual.VisibleCommands(tree) {
		if heading := `.SS "` + strings.ReplaceAll(manual.Escaped(c.UseLine()), `"`, `\(dq`) + `"`; c != tree &&
			!lines[heading] {
			t.Errorf("%s: no section", c.CommandPath())
		}
		for _, text := range []string{c.Short, c.Long, c.Example} {
			if c == tree && text == c.Short {
				continue // is in the name of the page
			}
			for paragraph := range strings.SplitSeq(text, "\n\n") {
				var filled []string
				for line := range strings.SplitSeq(strings.Trim(paragraph, "\n"), "\n") {
					if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
						if !lines[manual.Escaped(line)] {
							t.Errorf("%s: not as it is: %s", c.CommandPath(), line)
						}
						continue
					}
					filled = append(filled, line)
				}
				if sentence := strings.Join(filled, " "); sentence != "" && !lines[manual.Escaped(sentence)] {
					t.Errorf("%s: not in one piece: %s", c.CommandPath(), sentence)
				}
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if _, text := pflag.UnquoteUsage(f); !f.Hidden && !strings.Contains(page, manual.Escaped(text)) {
				t.Errorf("%s: nothing of --%s", c.CommandPath(), f.Name)
			}
		})
	}
	for _, s := range exitStatuses() {
		if !lines[`.B "`+manual.Escaped(s.Status)+`"`] || !lines[manual.Escaped(s.Meaning)] {
			t.Errorf("no exit status %s", s.Status)
		}
	}
}

// TestManPageDate: the date is that of the source, never today's.
func TestManPageDate(t *testing.T) {
	if date, err := dateOfPage(); err != nil || date != manDate {
		t.Errorf("%s, %v", date, err)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "86400")
	if date, err := dateOfPage(); err != nil || date != "1970-01-02" {
		t.Errorf("%s, %v", date, err)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "yesterday")
	if date, err := dateOfPage(); err == nil {
		t.Error(date)
	}
}

// TestManPageIsRoff lets groff, where there is one, find what is wrong with the page.
func TestManPageIsRoff(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff")
	}
	check := exec.Command(groff, "-man", "-ww", "-z", "-Tutf8")
	check.Stdin = strings.NewReader(manual.Page(root(streams{}, nil), manDate, exitStatuses()))
	var said bytes.Buffer
	check.Stderr = &said
	if err := check.Run(); err != nil || said.Len() > 0 {
		t.Errorf("%v: %s", err, said.String())
	}
}
