package summarize

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/jsonx"
	"github.com/kfw-dev/kfw/internal/summarize/fields"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// textFacts are the facts of texts.
type textFacts struct {
	Forms     map[string]int
	MoreForms int `json:"more_forms"`
	MoreTexts int `json:"more_texts"`
	Values    map[string]int
	Top       map[string]int
}

func textFactsOf(t *testing.T, s *Summary, field string) textFacts {
	t.Helper()
	var facts struct{ Fields map[string]textFacts }
	decode(t, s.Facts(anyLength).JSON(), &facts)
	return facts.Fields[field]
}

func recordsWith(t *testing.T, messages []string) []structure.Record {
	t.Helper()
	var b strings.Builder
	for i, m := range messages {
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, `{"id":%d,"msg":%s}`+"\n", i, text)
	}
	return recordsOf([]byte(b.String()))
}

// TestForms: of the texts of a field, each is of one of the templates that are shown, or counted, and each template
// says how many are.
func TestForms(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	forms := []string{
		"request %d took %d.5ms in all", "cache has no key k%d at all", "said \"%d\" to C:\\%d twice",
		"no space left on volume\nstack of %d\nframe %d",
	}
	for range 20 {
		var messages []string
		counts := map[string]int{}
		before := random.IntN(3)
		for i := range 300 {
			if i < before {
				messages = append(messages, fmt.Sprint("up", i))
				continue
			}
			form := forms[min(random.IntN(6), 3)]
			counts[form]++
			message := fmt.Sprintf(form, random.IntN(200), random.IntN(100))
			if strings.Contains(message, "%!(EXTRA") {
				message = message[:strings.Index(message, "%!(EXTRA")]
			}
			messages = append(messages, message)
		}
		facts := textFactsOf(t, watched(recordsWith(t, messages)), "msg")
		if facts.MoreForms > 0 || facts.MoreTexts != before || len(facts.Forms) != len(counts) {
			t.Fatalf("%+v, want %v", facts, counts)
		}
		for shown, n := range facts.Forms {
			form, isCut := strings.CutSuffix(shown, " "+jsonx.Ellipsis)
			form, _ = withoutCounts(form)
			pattern, _ := patternOf(form)
			of := 0
			for _, m := range messages {
				first, _, more := strings.Cut(m, "\n")
				if pattern.MatchString(first) && more == isCut {
					of++
				}
			}
			if of != n {
				t.Fatalf("%d texts are of the form %q, want %d", of, shown, n)
			}
		}
	}
}

// TestAllTextsAreCounted: each string of a field is in a template or in more_texts, be it a number.
func TestAllTextsAreCounted(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		value := fmt.Sprintf("%q", fmt.Sprintf("no row %d", i))
		switch {
		case i == 20:
			value = "null"
		case i%4 == 1:
			value = fmt.Sprintf(`"%d"`, i)
		}
		fmt.Fprintf(&b, `{"msg":%s}`+"\n", value)
	}
	facts := textFactsOf(t, watched(recordsOf([]byte(b.String()))), "msg")
	total := facts.MoreTexts
	for _, n := range facts.Forms {
		total += n
	}
	if total != 59 || facts.MoreForms > 0 || len(facts.Forms) == 0 {
		t.Errorf("%d texts: %+v", total, facts)
	}
}

// TestFormsOfEscapes: a tab is a blank, a backslash none, and what is written in two ways is one.
func TestFormsOfEscapes(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, `{"msg":"r\u00f6w %d\thas\\tx \"y\""}`+"\n", i)
	}
	facts := textFactsOf(t, watched(recordsOf([]byte(b.String()))), "msg")
	if want := "röw <num 0..59> has\\tx \"y\""; facts.Forms[want] != 60 {
		t.Errorf("%+v, want %q", facts, want)
	}
}

// TestFormsReadDifferent: templates that read alike are one, as each is the name of a member.
func TestFormsReadDifferent(t *testing.T) {
	var messages []string
	for i := range 90 {
		messages = append(messages, fmt.Sprintf("%s%c says %d to all", strings.Repeat("long", 15), 'a'+i%3, i/3))
	}
	s := watched(recordsWith(t, messages))
	if n := strings.Count(string(s.Facts(anyLength).JSON()), "says"); n != 1 {
		t.Errorf("%d forms: %s", n, s.Facts(anyLength).JSON())
	}
}

// TestTimesInTextsAreNotRare: a text is not rare that differs from others in its times alone, be it among the first
// or not.
func TestTimesInTextsAreNotRare(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		reason := ""
		if i%15 == 3 {
			reason = fmt.Sprintf("stopped by hand (2031-05-%02d 10:%02d:07 GMT)", 1+i%28, i%60)
		}
		fmt.Fprintf(&b, `{"id":"i%d","reason":%q}`+"\n", i, reason)
	}
}

// TestFormOfARecord: a record that is a text is as rare as its template.
func TestFormOfARecord(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, `"user %d logged in from here"`+"\n", i)
	}
}

// TestNoForms: texts that are all alike or all different are shown by their values, and so are values of other types.
func TestNoForms(t *testing.T) {
	for name, message := range map[string]func(i int) string{
		"few":   func(i int) string { return fmt.Sprintf("the step %c is done", 'a'+i%3) },
		"prose": func(i int) string { return strings.Repeat(nameOf(i)+" ", 3+i) + "went home" },
		"names": func(i int) string { return fmt.Sprintf("name-%d", i) },
	} {
		var messages []string
		for i := range 100 {
			messages = append(messages, message(i))
		}
		if facts := textFactsOf(t, watched(recordsWith(t, messages)), "msg"); len(facts.Forms) > 0 ||
			facts.MoreForms+facts.MoreTexts > 0 {
			t.Errorf("%s: %+v", name, facts)
		}
	}
}

// TestFormsAreBounded: past the bounds, texts and fields are counted.
func TestFormsAreBounded(t *testing.T) {
	var messages []string
	for i := range 4000 {
		messages = append(messages, strings.Repeat("so ", 3+i%40)+fmt.Sprint("many times: ", i))
	}
	facts := textFactsOf(t, watched(recordsWith(t, messages)), "msg")
	total := facts.MoreTexts
	for _, n := range facts.Forms {
		total += n
	}
	if want := 100 * (fields.MaxTextTemplates - len(facts.Forms)); facts.MoreForms != fields.MaxTextTemplates-len(
		facts.Forms) || total+want != len(messages) {
		t.Errorf("%d texts, and %d forms more", total, facts.MoreForms)
	}
	var b strings.Builder
	for i := range 200 {
		b.WriteByte('{')
		for j := range 2 * fields.MaxTextFields {
			fmt.Fprintf(&b, `"m%d":"said %d to them",`, j, i*j)
		}
		b.WriteString(`"id":1}` + "\n")
	}
	s := watched(recordsOf([]byte(b.String())))
	with := 0
	for j := range 2 * fields.MaxTextFields {
		if len(textFactsOf(t, s, fmt.Sprint("m", j)).Forms) > 0 {
			with++
		}
	}
	if with == 0 || with > fields.MaxTextFields {
		t.Errorf("%d fields have forms", with)
	}
}
