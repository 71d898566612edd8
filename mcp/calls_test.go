package mcp_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/mcp"
)

// recorder is a fitter that shows all, and keeps which calls it was told of.
type recorder struct {
	mcp.Fitter
	shown []string
}

func (r *recorder) Begin() mcp.Result { return recorded{r} }

type recorded struct{ *recorder }

func (r recorded) Measure() io.Writer { return io.Discard }
func (r recorded) Decide(c mcp.Call) bool {
	r.shown = append(r.shown, c.Tool+string(c.Arguments))
	return true
}
func (r recorded) Fit(func() (io.Reader, error), io.Writer) error { return nil }
func (r recorded) IsOver() bool                                   { return false }
func (r recorded) Close() error                                   { return nil }

func withArguments(id int, arguments string) string {
	return request(id, "tools/call", fmt.Sprintf(`{"name":"t","arguments":%s}`, arguments))
}

func answering(ids ...string) string {
	var all strings.Builder
	for _, id := range ids {
		all.WriteString(`{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"x"}]}}` + "\n")
	}
	return all.String()
}

// TestAnswers: what fits a result is told the call that it answers, by its ID, with arguments of a bounded size.
func TestAnswers(t *testing.T) {
	long := `{"q":"` + strings.Repeat("x", 16<<10) + `"}`
	for _, c := range []struct {
		name, client, server string
		want                 []string
	}{
		{"by ID", withArguments(1, `{"q":1}`) + withArguments(2, `{"q": [2]}`) + request(3, "tools/call", `{"name":"u"}`),
			answering("2", "3", "1"), []string{`t{"q": [2]}`, "u", `t{"q":1}`}},
		{"equal IDs", withArguments(1, `{"q":1}`), answering("1.0"), []string{`t{"q":1}`}},
		{"once", withArguments(1, `{"q":1}`), answering("1", "1"), []string{`t{"q":1}`, ""}},
		{"cancelled", withArguments(1, `{"q":1}`) +
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n",
			answering("1"), []string{""}},
		{"too long", withArguments(1, long), answering("1"), []string{"t"}},
		{"an ID that is used again", withArguments(1, `{"q":1}`) + withArguments(1, `{"q":2}`), answering("1"),
			[]string{"t"}},
		{"a batch of calls", "[" + strings.TrimSpace(withArguments(1, `{"q":1}`)) + "," +
			strings.TrimSpace(withArguments(2, `{"q":2}`)) + "]\n", answering("2", "1"),
			[]string{`t{"q":2}`, `t{"q":1}`}},
		{"of another method", request(1, "prompts/get", `{"name":"t","arguments":{"q":1}}`), answering("1"), nil},
		{"a member twice", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","name":"u","arguments":{"q":1}}}` +
			"\n", answering("1"), []string{""}},
	} {
		p, _ := newProxy(t, nil)
		r := &recorder{Fitter: p.Fitter}
		p.Fitter = r
		exchange(t, p, c.client, strings.NewReader(c.server))
		if !slices.Equal(r.shown, c.want) {
			t.Errorf("%s: %q, want %q", c.name, r.shown, c.want)
		}
	}
}

// TestManyCalls: of calls that wait at once only the last ones have their arguments; those that
// are answered make room.
func TestManyCalls(t *testing.T) {
	const waiting, kept = 300, 256
	p, _ := newProxy(t, nil)
	r := &recorder{Fitter: p.Fitter}
	p.Fitter = r
	p.Open(io.Discard)
	for range 3 {
		r.shown = nil
		var ids []string
		for i := range waiting {
			if err := p.ToServer(strings.NewReader(withArguments(i, fmt.Sprintf(`[%d]`, i))), io.Discard); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, fmt.Sprint(i))
		}
		if err := p.ToClient(strings.NewReader(answering(ids...))); err != nil {
			t.Fatal(err)
		}
		for i, shown := range r.shown {
			want := "t"
			if i >= waiting-kept {
				want = fmt.Sprintf("t[%d]", i)
			}
			if shown != want {
				t.Fatalf("answer %d is to %q, want %q", i, shown, want)
			}
		}
		if len(r.shown) != waiting {
			t.Errorf("%d results", len(r.shown))
		}
	}
}
