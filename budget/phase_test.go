package budget

import (
	"math"
	"math/big"
	"testing"
)

func TestPhase(t *testing.T) {
	for _, test := range []struct {
		left, total int
		want        Mode
	}{
		{4000, 4000, Raw},
		{2401, 4000, Raw},
		{2400, 4000, Table}, // exactly 60 %
		{2399, 4000, Table},
		{1201, 4000, Table},
		{1200, 4000, Summary}, // exactly 30 %
		{1199, 4000, Summary},
		{401, 4000, Summary},
		{400, 4000, Summary}, // exactly 10 %
		{399, 4000, HandleOnly},
		{1, 4000, HandleOnly},
		{0, 4000, HandleOnly},
		{-1, 4000, HandleOnly},
		{5000, 4000, Raw},

		// Totals that no boundary divides.
		{601, 1001, Raw},
		{600, 1001, Table},
		{301, 1001, Table},
		{300, 1001, Summary},
		{101, 1001, Summary},
		{100, 1001, HandleOnly},
		{1, 1, Raw},
		{2, 3, Raw},
		{1, 3, Table},
		{2, 7, Summary},
		{1, 9, Summary},
		{1, 11, HandleOnly},

		{math.MaxInt, math.MaxInt, Raw},
		{math.MaxInt / 2, math.MaxInt, Table},
		{math.MaxInt / 5, math.MaxInt, Summary},
		{math.MaxInt / 11, math.MaxInt, HandleOnly},

		{0, 0, HandleOnly},
		{1, 0, HandleOnly},
		{1, -1, HandleOnly},
	} {
		if got := Phase(test.left, test.total); got != test.want {
			t.Errorf("%d of %d: got %v, want %v", test.left, test.total, got, test.want)
		}
	}
}

func TestSessionPhase(t *testing.T) {
	for _, test := range []struct {
		left, total int
		want        [HandleOnly + 1]Mode // by what was asked
	}{
		{100000, 100000, [...]Mode{Raw, Table, Summary, HandleOnly}},
		{50001, 100000, [...]Mode{Raw, Table, Summary, HandleOnly}},
		{50000, 100000, [...]Mode{Table, Table, Summary, HandleOnly}}, // exactly 50 %
		{49999, 100000, [...]Mode{Table, Table, Summary, HandleOnly}},
		{20001, 100000, [...]Mode{Table, Table, Summary, HandleOnly}},
		{20000, 100000, [...]Mode{Summary, Summary, Summary, HandleOnly}}, // exactly 20 %
		{19999, 100000, [...]Mode{Summary, Summary, Summary, HandleOnly}},
		{5001, 100000, [...]Mode{Summary, Summary, Summary, HandleOnly}},
		{5000, 100000, [...]Mode{Summary, Summary, Summary, HandleOnly}}, // exactly 5 %
		{4999, 100000, [...]Mode{HandleOnly, HandleOnly, HandleOnly, HandleOnly}},
		{0, 100000, [...]Mode{HandleOnly, HandleOnly, HandleOnly, HandleOnly}},
		{-1, 100000, [...]Mode{HandleOnly, HandleOnly, HandleOnly, HandleOnly}},

		{501, 1001, [...]Mode{Raw, Table, Summary, HandleOnly}},
		{500, 1001, [...]Mode{Table, Table, Summary, HandleOnly}},
		{201, 1001, [...]Mode{Table, Table, Summary, HandleOnly}},
		{200, 1001, [...]Mode{Summary, Summary, Summary, HandleOnly}},
		{51, 1001, [...]Mode{Summary, Summary, Summary, HandleOnly}},
		{50, 1001, [...]Mode{HandleOnly, HandleOnly, HandleOnly, HandleOnly}},

		{math.MaxInt, math.MaxInt, [...]Mode{Raw, Table, Summary, HandleOnly}},
		{0, 0, [...]Mode{HandleOnly, HandleOnly, HandleOnly, HandleOnly}},
	} {
		for asked, want := range test.want {
			if got := SessionPhase(test.left, test.total, Mode(asked)); got != want {
				t.Errorf("%d of %d, asked %v: got %v, want %v", test.left, test.total, Mode(asked), got, want)
			}
		}
	}
}

// FuzzPhase holds the arithmetic to that of rational numbers, and a phase to never loosen as a budget drains.
func FuzzPhase(f *testing.F) {
	for _, seed := range [][2]int{{0, 0}, {2400, 4000}, {400, 4000}, {5, 100}, {math.MaxInt, math.MaxInt},
		{1, math.MaxInt}, {-1, 1}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, left, total int) {
		if left > 0 && total > 0 {
			share := big.NewRat(int64(left), int64(total))
			for _, percent := range []uint64{5, 10, 20, 30, 50, 60} {
				want := share.Cmp(big.NewRat(int64(percent), 100))
				if got := compareShare(left, total, percent); got != want {
					t.Errorf("%d of %d against %d %%: got %d, want %d", left, total, percent, got, want)
				}
			}
		}
		if left == math.MinInt {
			return
		}
		if before, after := Phase(left, total), Phase(left-1, total); after < before {
			t.Errorf("%d of %d: %v, and with one less %v", left, total, before, after)
		}
		for asked := Raw; asked <= HandleOnly; asked++ {
			before, after := SessionPhase(left, total, asked), SessionPhase(left-1, total, asked)
			if after < before || before < asked {
				t.Errorf("%d of %d, asked %v: %v, and with one less %v", left, total, asked, before, after)
			}
		}
	})
}
