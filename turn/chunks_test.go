package turn_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/turn"
)

// again is the turn that the chunks say that are made of a stream.
func again(t *testing.T, stream []byte) (first, second turn.Turn, chunks []byte) {
	t.Helper()
	a := turn.New(turn.Options{})
	if err := a.Push(stream); err != nil {
		t.Fatal(err)
	}
	first, err := a.Close()
	if err != nil {
		t.Fatal(err)
	}
	var x turn.Encoder
	for {
		e, ok := a.Next()
		if !ok {
			break
		}
		chunks = x.Append(chunks, &e)
	}
	second, _ = assembled(t, turn.Options{}, chunks, len(chunks)+1)
	return first, second, chunks
}

// TestChunks: the chunks that a turn is written in are read as the same turn.
func TestChunks(t *testing.T) {
	for protocol, stream := range samples() {
		t.Run(string(protocol), func(t *testing.T) { sameTurn(t, []byte(stream)) })
	}
}

// TestRecordedChunks is TestChunks for recorded streams.
func TestRecordedChunks(t *testing.T) {
	for path := range recorded(t, "turn") {
		stream, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(path[strings.LastIndex(path, "/")+1:], func(t *testing.T) { sameTurn(t, stream) })
	}
}

func sameTurn(t *testing.T, stream []byte) {
	first, second, chunks := again(t, stream)
	if first.Complete != second.Complete {
		t.Fatalf("complete is %t, was %t: %s\n%s", second.Complete, first.Complete, second.Error, chunks)
	}
	if !first.Complete {
		return
	}
	for _, said := range []struct{ what, first, second string }{
		{"text", first.Text, second.Text},
		{"refusal", first.Refusal, second.Refusal},
		{"finish reason", first.FinishReason, second.FinishReason},
		{"class", string(first.Class), string(second.Class)},
		{"id", first.ID, second.ID},
		{"reasoning", thoughts(first), thoughts(second)},
		{"signatures", wantedBack(first, stream), wantedBack(second, stream)},
		{"calls", calls(first), calls(second)},
	} {
		if said.first != said.second {
			t.Errorf("%s: %q, was %q\n%s", said.what, said.second, said.first, chunks)
		}
	}
}

func thoughts(t turn.Turn) (all string) {
	for _, r := range t.Reasoning {
		all += r.Text + r.Redacted
	}
	return strings.ReplaceAll(all, "\n\n", "")
}

// wantedBack is what a provider wants to see again with the next request.
func wantedBack(t turn.Turn, stream []byte) string {
	all := []string{t.TextSignature}
	for _, r := range t.Reasoning {
		if r.Signature != "" && bytes.Contains(stream, []byte(r.Signature)) {
			r.Signature = "one of the provider's" // which may sign again what it restates
		}
		if r.Signature != "" {
			all = append(all, r.Signature)
		}
	}
	for _, c := range t.Calls {
		all = append(all, c.Signature)
	}
	return strings.Join(all, "|")
}

func calls(t turn.Turn) (all string) {
	for _, c := range t.Calls {
		all += c.Name + "(" + c.Arguments + ")"
		if !c.Minted {
			all += c.ID
		}
	}
	return all
}
