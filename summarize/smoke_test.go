package summarize

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"testing"
)

func TestSmoke(t *testing.T) {
	f, err := os.Open(os.Getenv("SMOKE"))
	if err != nil {
		t.Skip()
	}
	s := NewSummary()
	sc := bufio.NewScanner(f)
	sc.Buffer(make([]byte, 1<<20), 1<<26)
	n := 0
	whys := 0
	var recs []Record
	for sc.Scan() {
		n++
		b := sc.Bytes()
		txt := len(b) == 0 || b[0] != '{'
		r := Record{Seq: n, Value: bytes.Clone(b), IsText: txt}
		if w := s.Add(r); w != "" {
			whys++
			if whys < 40 {
				fmt.Println(n, w)
			}
		}
		if len(recs) < 200 {
			recs = append(recs, r)
		}
	}
	fmt.Println("n", n, "whys", whys)
	for _, lim := range []int{400, 2000, 8000, 1 << 20} {
		c := 0
		b := s.Facts(func(x []byte) bool { c++; return len(x) <= lim })
		fmt.Println(lim, c, len(b))
		if lim < 1<<20 || os.Getenv("ALL") != "" {
			fmt.Println(string(b))
		}
	}
	for _, lim := range []int{500, 4000, 16000} {
		c := 0
		tb, ok := Tabulate(recs, n, func(x Table) bool { c++; return len(x.Columns)+len(x.Rows) <= lim })
		fmt.Println(lim, c, ok, tb.Omitted)
		if lim < 5000 {
			fmt.Println(string(tb.Columns), string(tb.Rows))
		}
	}
}
