package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/summarize/fields"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
)

// That a line is known from those before it changes nothing but how soon its frequent words are counted, and that it is
// recognized without being cut into words changes nothing at all.
func TestKnownLinesChangeNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 4))
	some := func(words ...string) string { return words[random.IntN(len(words))] }
	var text strings.Builder
	for i := range 6000 {
		switch random.IntN(300) {
		case 0:
			fmt.Fprintf(&text, "%s of shard %d\n", some("Compaction stalled", "lease lost", "disk nearly full"), i)
		case 1:
			fmt.Fprintf(&text, "2026-05-01 10:%02d:%02d INFO %d of %d jobs failed\n", i/60%60, i%60, random.IntN(2),
				random.IntN(9))
		case 2:
			fmt.Fprintf(&text, "2026-05-01 10:%02d:%02d INFO step%d%s left\n", i/60%60, i%60, i%7,
				some("done2", "failed3"))
		case 3, 4, 5, 6, 7, 8:
			fmt.Fprintf(&text, "2026-05-01 10:%02d:%02d INFO step%ddone2 left\n", i/60%60, i%60, i%7)
		case 9:
			fmt.Fprintf(&text, "GET /%s/%d/errors/x.json %d\n", some("a", "b"), random.IntN(9), 1000000*random.IntN(9))
		default:
			fmt.Fprintf(&text, "2026-05-01 10:%02d:%02d INFO %s %d %s in %dms, %s\n", i/60%60, i%60,
				some("read", "wrote"),
				random.IntN(50), some("rows", "pages", "/srv/data/"+some("a", "b", "c", "d")+"/part"),
				random.IntN(900), some("ok", "retried"))
		}
	}
	shown := func(remembers, recognizes bool) (facts string, recognized int) {
		s := NewWholeSummary()
		for _, r := range linesOf(text.String()) {
			s.Add(r)
			if s.text.Line.IsRecognized {
				recognized++
			}
			if !recognizes {
				s.text.Whole.Matchers.Clear()
			}
			if !remembers {
				clear(s.text.Whole.Known.All)
			}
		}
		return string(s.Facts(anyLength).JSON()), recognized
	}
	facts, recognized := shown(true, true)
	cut, unrecognized := shown(true, false)
	plain, _ := shown(false, false)
	if recognized < 3000 || unrecognized > 0 {
		t.Fatalf("%d and %d lines are recognized", recognized, unrecognized)
	}
	if facts != cut {
		t.Errorf("%s\ncut into words:\n%s", facts, cut)
	}
	if facts != plain {
		t.Errorf("%s\nwithout what is known:\n%s", facts, plain)
	}
}

// That the template of a text is known changes nothing of what is shown.
func TestKnownTextsChangeNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	some := func(words ...string) string { return words[random.IntN(len(words))] }
	var records strings.Builder
	for i := range 5000 {
		text := fmt.Sprintf("request %d took %dms, cache %s", i, random.IntN(900), some("hit", "miss"))
		switch random.IntN(200) {
		case 0:
			text = fmt.Sprintf("%s on shard %d", some("compaction stalled", "lease lost", "disk nearly full"),
				random.IntN(9))
		case 1:
			text = fmt.Sprintf("%d of %d jobs failed", random.IntN(2), random.IntN(9))
		case 2:
			text = fmt.Sprintf("step%d%s is left", i%7, some("done2", "failed3"))
		case 3:
			text = fmt.Sprintf("session %08x-0000-4000-8000-%012x opened by %s\\nfrom %s", random.Uint32(), i,
				some("ann", "bob"), some("a", "b", "c"))
		case 4, 5, 6:
			text = fmt.Sprintf("read /srv/%s/part%d again", some("a", "b", "errors"), i)
		case 7, 8:
			text = "nothing to do here"
		}
		if i > 1000 && i%3 == 0 {
			text = fmt.Sprintf("quorum lost peers rejoined after %d ms", 7+max(0, i-1020))
		}
		rare := string([]byte{'q', 'a' + byte(i/1000), 'a' + byte(i/200%5)}) // comes once or twice
		switch i % 200 {
		case 10, 30:
			text = "read /srv/" + rare + "p/part again"
		case 11, 31:
			text = "nothing to do here\\nbut " + rare + "l"
		case 12, 13:
			text = "nothing to do here\\nas it is done: " + some("x", "y")
		case 14, 34 + i/200%2:
			text = fmt.Sprintf("request %d took 5ms, cache %sx", i, rare)
		}
		fmt.Fprintf(&records, `{"at":"2026-05-01T10:%02d:%02dZ","text":"%s"}`+"\n", i/60%60, i%60, text)
	}
	shown := func(remembers bool) (facts string, hits int) {
		s := NewWholeSummary()
		for i, line := range strings.Split(strings.TrimSpace(records.String()), "\n") {
			s.Add(structure.Record{Seq: i + 1, Value: []byte(line)})
			x := s.places.Fields[len(s.places.Fields)-1].Texts
			if known := x.Slot(s.text.Line.Hash); known.Hash == s.text.Line.Hash {
				hits++
			}
			if !remembers {
				x.Known = [fields.MaxKnownTexts]fields.KnownText{}
			}
		}
		return string(s.Facts(anyLength).JSON()), hits
	}
	facts, hits := shown(true)
	plain, _ := shown(false)
	if hits < 4000 {
		t.Fatalf("%d texts are known", hits)
	}
	if facts != plain {
		t.Errorf("%s\nwithout what is known:\n%s", facts, plain)
	}
}
