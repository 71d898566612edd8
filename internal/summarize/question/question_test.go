package question

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// found returns the identifiers of a line in which words of a question are, each with the weight of its word.
func found(about, line string) string {
	q := Parse([]byte(about))
	var all []string
	for _, p := range q.Find(nil, []byte(line)) {
		all = append(all, fmt.Sprintf("%s:%.2g", line[p.Start:p.End], q.Weight(p.Word)))
	}
	return strings.Join(all, " ")
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ about, line, want string }{
		{"", "retry the payment", ""},
		{"why is the", "why is the", ""},
		{"retry", "RETRY Retry retry", "RETRY:1"},
		{"retryCount", "the count of a retry", "count:1 retry:1"},
		{"retry", "retryCount = parseHTTPRetry(x)", "retryCount:1"},
		{"http", "parseHTTPHeader", "parseHTTPHeader:1"},
		{"sku_37", "sku_37: 5", "sku_37:1 sku_37:1"},
		{"port 8443", "10.8.3.17:8443", "8443:1"},
		{"[old] alpha\n[new] beta", "alpha beta", "alpha:0.8 beta:1"},
		{"[old] alpha\n[new] alpha", "alpha", "alpha:1"},
		{"[1] gamma\n[2] x\n[3] y", "gamma", "gamma:0.64"},
		{"größe", "Die größe ist", "größe:1"},
	} {
		if got := found(c.about, c.line); got != c.want {
			t.Errorf("%q in %q: got %q, want %q", c.about, c.line, got, c.want)
		}
	}
}

func TestParseReadsTheEnd(t *testing.T) {
	long := "first " + strings.Repeat("filler ", MaxText/7) + "last"
	q := Parse([]byte(long))
	if got := len(q.Find(nil, []byte("first last"))); got != 1 {
		t.Errorf("found %d words of a text that is too long, want that at its end alone", got)
	}
	var many strings.Builder
	for i := range 3 * MaxWords {
		fmt.Fprintf(&many, "[w%dx\n", i)
	}
	if n := Parse([]byte(many.String())).Len(); n > MaxWords {
		t.Errorf("a question has %d words, at most %d are promised", n, MaxWords)
	}
}

// TestOf: blocks are read whole, whatever their lines begin with; the oldest of too many are left
// out, and of too long ones their end is read.
func TestOf(t *testing.T) {
	q := Of([]byte("alpha\n[x] beta"), []byte("gamma"))
	for i, want := range []float64{1, 0.8, 0.8} { // the words of the newest block come first
		if got := q.Weight(i); got != want {
			t.Errorf("word %d weighs %v, want %v", i, got, want)
		}
	}
	var many [][]byte
	for i := range 2 * MaxBlocks {
		many = append(many, fmt.Appendf(nil, "w%dx", 1000+i))
	}
	if n := Of(many...).Len(); n != MaxBlocks {
		t.Errorf("%d words of %d blocks of one", n, len(many))
	}
	if got := len(Blocks(bytes.Repeat([]byte("[x\n"), 2*MaxBlocks))); got != MaxBlocks {
		t.Errorf("%d blocks", got)
	}
	long := []byte("first " + strings.Repeat("filler ", MaxText/7) + "last")
	if got := len(Of([]byte("older"), long).Find(nil, []byte("older first last"))); got != 1 {
		t.Errorf("found %d words of blocks that are too long, want that at their end alone", got)
	}
}

// TestSum: questions of the same words have one sum, whatever their order and age; others have another.
func TestSum(t *testing.T) {
	sum := func(about string) string { return string(Parse([]byte(about)).Sum()) }
	for _, c := range []struct {
		a, b   string
		isSame bool
	}{
		{"", "the", true}, {"alpha beta", "beta ALPHA alpha", true}, {"[old] alpha\n[new] beta",
			"[new] alpha [old] beta", true},
		{"alpha", "alpha beta", false}, {"alpha", "", false}, {"alpha", "beta", false},
	} {
		if (sum(c.a) == sum(c.b)) != c.isSame {
			t.Errorf("%q and %q: want %v", c.a, c.b, c.isSame)
		}
	}
}

func TestFindDoesNotAllocate(t *testing.T) {
	q := Parse([]byte("retry count of the payment gateway"))
	line := []byte(strings.Repeat("payment retryCount=5 gateway refused; ", 20))
	places := make([]Place, 0, 16)
	if n := testing.AllocsPerRun(100, func() { places = q.Find(places[:0], line) }); n > 0 {
		t.Errorf("Find allocates %v times for a line", n)
	}
}

func BenchmarkFind(b *testing.B) {
	q := Parse([]byte("retry count of the payment gateway, error in bookings, ledger.PostingService"))
	line := []byte("2026-03-02T08:00:02Z INFO 1 --- [ledger] c.e.ledger.BankClient : bank answered 200 for transfer tr_c9 after 252 ms")
	b.SetBytes(int64(len(line)))
	var places []Place
	for b.Loop() {
		places = q.Find(places[:0], line)
	}
}

func FuzzFind(f *testing.F) {
	f.Add([]byte("[a] retryCount\n[b] HTTP_PROXY"), []byte("http retry"))
	f.Fuzz(func(t *testing.T, about, line []byte) {
		q := Parse(about)
		seen := map[int]bool{}
		for _, p := range q.Find(nil, line) {
			if p.Start < 0 || p.Start >= p.End || p.End > len(line) || p.Word >= q.Len() || seen[p.Word] {
				t.Fatalf("found %+v among %d words in %d bytes, seen %v", p, q.Len(), len(line), seen[p.Word])
			}
			seen[p.Word] = true
			if w := q.Weight(p.Word); w <= 0 || w > 1 {
				t.Fatalf("weight %v", w)
			}
		}
	})
}
