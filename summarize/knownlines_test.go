package summarize

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// That a line is known from those before it changes nothing but how soon its frequent words are counted.
func TestKnownLinesChangeNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 4))
	some := func(words ...string) string { return words[random.IntN(len(words))] }
	var text strings.Builder
	for i := range 6000 {
		switch random.IntN(300) {
		case 0:
			fmt.Fprintf(&text, "%s of shard %d\n", some("Compaction stalled", "lease lost", "disk nearly full"), i)
		case 1:
			fmt.Fprintf(&text, "2026-05-01 10:%02d:%02d INFO %d of %d jobs failed\n", i/60%60, i%60, random.IntN(2), random.IntN(9))
		case 2:
			fmt.Fprintf(&text, "2026-05-01 10:%02d:%02d INFO step%d%s left\n", i/60%60, i%60, i%7, some("done2", "failed3"))
		case 3, 4, 5, 6, 7, 8:
			fmt.Fprintf(&text, "2026-05-01 10:%02d:%02d INFO step%ddone2 left\n", i/60%60, i%60, i%7)
		case 9:
			fmt.Fprintf(&text, "GET /%s/%d/errors/x.json %d\n", some("a", "b"), random.IntN(9), 1000000*random.IntN(9))
		default:
			fmt.Fprintf(&text, "2026-05-01 10:%02d:%02d INFO %s %d %s in %dms, %s\n", i/60%60, i%60, some("read", "wrote"),
				random.IntN(50), some("rows", "pages", "/srv/data/"+some("a", "b", "c", "d")+"/part"), random.IntN(900), some("ok", "retried"))
		}
	}
	words := regexp.MustCompile(`,"words~":\{.*\}`)
	told := func(remembers bool) (facts string, notables []Notable, hits int) {
		s := NewWatchfulSummary()
		for _, r := range linesOf(text.String()) {
			s.Add(r)
			for i := range s.out.known.all {
				hits += int(s.out.known.all[i].unseen)
				if !remembers {
					s.out.known.all[i] = knownLine{}
				}
			}
		}
		notables, _ = s.Notables()
		return words.ReplaceAllString(string(s.Facts(func([]byte) bool { return true })), ""), notables, hits
	}
	facts, notables, hits := told(true)
	plain, plainNotables, none := told(false)
	if hits == 0 || none > 0 {
		t.Fatalf("%d and %d lines are known", hits, none)
	}
	if facts != plain {
		t.Errorf("%s\nwithout what is known:\n%s", facts, plain)
	}
	if !reflect.DeepEqual(notables, plainNotables) {
		t.Errorf("%+v\nwithout what is known:\n%+v", notables, plainNotables)
	}
}
