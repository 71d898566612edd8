package summarize

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

// TestAddresses: of addresses in lines it is shown in how many these are, how many there are, and which come most
// often, whatever is around them; versions, times and names with numbers in them are none.
func TestAddresses(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 1))
	forms := []string{
		"Failed password for root from %s port %d ssh2", "%s took %dms", "connect to [%s]:%d refused",
		"peer=%s, %d left", "Accepted %s:%d",
		"\"%s\" asked %d times",
	}
	none := []string{
		"version 1.2.3.4000 of %d", "library 1.18.300.7 is %d", "at 10:11:12 run %d ended", "v1.2.3.4 has %d users",
		"libx 1.2.5.1-3 of %d", "liby 1.2.5.1+dfsg of %d", "1.2.3.4.5 of %d",
		"std::vector of %d", "hardware 0a:1b:2c:3d:4e:5f:60:71 is %d", "host-10.0.0.7.example of %d",
		"no address in line %d", "7.1.2.3 Title of %d", "<h4 class=x>12.3.1.1. <b>Name</b> %d</h4>",
	}
	for round := range 20 {
		counts, lines := map[string]int{}, 0
		var text strings.Builder
		for i := range 600 {
			if random.IntN(3) == 0 {
				fmt.Fprintf(&text, none[random.IntN(len(none))]+"\n", i)
				continue
			}
			if random.IntN(9) == 0 { // four numbers that are no address, where others have one
				fmt.Fprintf(&text, forms[0]+"\n", fmt.Sprintf("12.4.%d.2", 256+random.IntN(90)), i)
				continue
			}
			address := fmt.Sprintf("10.%d.0.%d", random.IntN(4), random.IntN(1+3*round))
			fmt.Fprintf(&text, forms[random.IntN(len(forms))]+"\n", address, i)
			lines++
			counts[address]++
		}
		shown, ok := factsOf(t, watched(linesOf(text.String()))).Keys[mask.AnyAddress]
		if !ok || shown.In != lines || max(shown.Distinct, len(shown.Values), 1) != len(counts) {
			t.Fatalf("round %d: %+v, want %d lines with %d addresses", round, shown, lines, len(counts))
		}
		for address, n := range shown.Values {
			if counts[address] != n {
				t.Errorf("round %d: %s is told to come %d times, not %d", round, address, n, counts[address])
			}
		}
	}
}

// TestChapterTen: 10.1.2.3 at the beginning of a line is an address, unless chapter 9 came before.
func TestChapterTen(t *testing.T) {
	forms := []string{"%s Title %d", "%s <b>Name</b> %d", "%s Other names: %d"}
	for _, test := range []struct{ first, addresses int }{{9, 0}, {10, 15}, {8, 15}} {
		var text strings.Builder
		for i := range 60 {
			chapter := test.first
			if i >= 30 {
				chapter = 10
			}
			fmt.Fprintf(&text, forms[i%3]+"\n", fmt.Sprintf("%d.1.2.%d", chapter, 1+i%15), i)
		}
		shown, n := factsOf(t, watched(linesOf(text.String()))).Keys[mask.AnyAddress], 0
		if n = max(shown.Distinct, len(shown.Values)); n != test.addresses {
			t.Errorf("chapter %d: %d addresses, not %d", test.first, n, test.addresses)
		}
	}
}
