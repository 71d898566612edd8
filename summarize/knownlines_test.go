package summarize

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
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
	told := func(remembers, recognizes bool) (facts string, notables []Notable, hits, recognized int) {
		s := NewWatchfulSummary()
		for _, r := range linesOf(text.String()) {
			s.Add(r)
			if s.line.isRecognized {
				recognized++
			}
			if !recognizes {
				s.out.matchers.clear()
			}
			for i := range s.out.known.all {
				hits += int(s.out.known.all[i].unseen)
				if !remembers {
					s.out.known.all[i] = knownLine{}
				}
			}
		}
		notables, _ = s.Notables()
		return string(s.Facts(func([]byte) bool { return true })), notables, hits, recognized
	}
	facts, notables, hits, recognized := told(true, true)
	cut, cutNotables, _, unrecognized := told(true, false)
	plain, plainNotables, none, _ := told(false, false)
	if hits == 0 || none > 0 || recognized < 3000 || unrecognized > 0 {
		t.Fatalf("%d and %d lines are known, %d and %d recognized", hits, none, recognized, unrecognized)
	}
	if facts != cut || !reflect.DeepEqual(notables, cutNotables) {
		t.Errorf("%s\n%+v\ncut into words:\n%s\n%+v", facts, notables, cut, cutNotables)
	}
	facts, plain = words.ReplaceAllString(facts, ""), words.ReplaceAllString(plain, "")
	if facts != plain {
		t.Errorf("%s\nwithout what is known:\n%s", facts, plain)
	}
	if !reflect.DeepEqual(notables, plainNotables) {
		t.Errorf("%+v\nwithout what is known:\n%+v", notables, plainNotables)
	}
}

// Words that read alike may be a number in one line and none in the other, which is another line then.
func TestLinesDifferByWhatIsANumber(t *testing.T) {
	one, other := newMaskedLine(), newMaskedLine()
	one.set([]byte("read deadbeef1"))
	other.set([]byte("read 0xab"))
	if string(one.word(1)) != string(other.word(1)) || one.words[1].number.isNone() == other.words[1].number.isNone() {
		t.Fatalf("%s %+v and %s %+v", one.word(1), one.words[1], other.word(1), other.words[1])
	}
	if one.hash == other.hash {
		t.Error("they are the same line")
	}
}
