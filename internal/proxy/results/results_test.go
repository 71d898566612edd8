package results

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/budget"
	"github.com/kfw-dev/kfw/pipeline"
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/redact"
	"github.com/kfw-dev/kfw/session"
	"github.com/kfw-dev/kfw/session/file"
)

func newRedactor(t *testing.T, tokens int, change func(*Options)) *Redactor {
	t.Helper()
	rules, err := redact.Compile(redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	counter, err := budget.NewCounter("chars")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Rules: rules, Whole: rules, Budget: tokens, Counter: counter, Encoding: encode.Text{},
		Explain: func(err error) pipeline.Failure { return pipeline.Failure{Code: "failed", Message: err.Error()} },
		Session: file.At(filepath.Join(t.TempDir(), "s.kfw"), session.Settings{Total: session.NoTotal}),
		Note:    func(line string) { t.Error(line) }}
	if change != nil {
		change(&o)
	}
	t.Cleanup(func() {
		if err := o.Session.Close(); err != nil {
			t.Error(err)
		}
	})
	return New(o)
}

func shown(t *testing.T, c *Redactor, text string) string {
	t.Helper()
	b, err := io.ReadAll(c.Result(strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func log(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "2026-03-04T05:06:%02d worker %d took a job from user%d@example.org\n", i%60, i%7, i)
	}
	return b.String()
}

// TestResultIsPure: a text has one page, whatever came before it and in whichever session, and one handle; what fits is
// as it was.
func TestResultIsPure(t *testing.T) {
	c := newRedactor(t, 300, func(o *Options) { o.Fitted = &Fitted{For: time.Hour} })
	other := newRedactor(t, 300, nil)
	first := shown(t, c, log(500))
	if !strings.HasPrefix(first, "kfw: 500 lines") || !strings.Contains(first, "kfw expand h") ||
		strings.Contains(first, "@example") {
		t.Fatal(first)
	}
	shown(t, other, log(400))
	for range 3 {
		if again, elsewhere := shown(t, c, log(500)), shown(t, other, log(500)); again != first || elsewhere != first {
			t.Errorf("%s\n\n%s\n\n%s", first, again, elsewhere)
		}
	}
	handles, err := other.Session.Handles()
	if err != nil || len(handles) != 2 {
		t.Errorf("%d handles, %v", len(handles), err)
	}
	for _, short := range []string{"", "one\n", "kfw: it imitates\n", first} {
		if got := shown(t, c, short); got != short {
			t.Errorf("%q has become %q", short, got)
		}
	}
}

// TestNumbersAreOfOneText: numbered placeholders begin again with each text.
func TestNumbersAreOfOneText(t *testing.T) {
	rules, err := redact.Compile(redact.Options{Numbered: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, tokens := range []int{0, 300} {
		c := newRedactor(t, tokens, func(o *Options) { o.Rules, o.Whole, o.Numbered = rules, rules, true })
		for _, who := range []string{"ann", "bob"} {
			if got, want := shown(t, c, "to "+who+"@example.org\n"), "to [REDACTED:email:1]\n"; got != want {
				t.Errorf("%q, not %q", got, want)
			}
		}
	}
}

// TestNotKept: a text that can't be kept is shown all the same, and says so.
func TestNotKept(t *testing.T) {
	noted := 0
	c := newRedactor(t, 300, func(o *Options) {
		o.Session = file.At(filepath.Join(t.TempDir(), "no", "where", "s.kfw"),
			session.Settings{Total: session.NoTotal})
		o.Note = func(string) { noted++ }
	})
	if got := shown(t, c, log(500)); !strings.Contains(got, "what is left out is not kept") || noted != 1 {
		t.Errorf("%d notes: %s", noted, got)
	}
}

// TestTextsOfAValue: the texts in a value are taken in while the value is read.
func TestTextsOfAValue(t *testing.T) {
	c := newRedactor(t, 300, nil)
	value := c.JSON(strings.NewReader(`{"password":"zqxabc1pw9","lines":["` + strings.Repeat("ann@example.org ", 9000) +
		`"]}`))
	begin := make([]byte, 100)
	if _, err := io.ReadFull(value, begin); err != nil {
		t.Fatal(err)
	}
	if got := shown(t, c, "bob@example.org\n"); got != "[REDACTED:email]\n" {
		t.Error(got)
	}
	rest, err := io.ReadAll(value)
	if err != nil || strings.Contains(string(begin)+string(rest), "zqxabc1pw9") ||
		!strings.HasSuffix(string(rest), `[REDACTED:email] "]}`) {
		t.Errorf("%v: %.100s ... %s", err, begin, rest[max(0, len(rest)-100):])
	}
}

// TestFittedIsRenewed: what is remembered counts for a while, so that the handle of a text is renewed.
func TestFittedIsRenewed(t *testing.T) {
	f, sum, now := &Fitted{For: time.Hour}, [32]byte{1}, time.Now()
	f.put(sum, []byte("page"), now)
	for after, want := range map[time.Duration]bool{0: true, time.Hour - 1: true, time.Hour: false} {
		if shown, ok := f.get(sum, now.Add(after)); ok != want || ok && string(shown) != "page" {
			t.Errorf("after %v: %q, %v", after, shown, ok)
		}
	}
}
