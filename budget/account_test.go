package budget

import (
	"math"
	"testing"
)

func TestAccount(t *testing.T) {
	for _, c := range []struct {
		name             string
		account          Account
		left, ask, grant int
	}{
		{"empty", Account{}, 0, 10, 0},
		{"fresh", Account{Total: 100}, 100, 40, 40},
		{"asks for all", Account{Total: 100}, 100, 100, 100},
		{"asks for one too many", Account{Total: 100}, 100, 101, 100},
		{"used and reserved count", Account{Total: 100, Used: 30, Reserved: 50}, 20, 40, 20},
		{"one left", Account{Total: 100, Used: 99}, 1, 2, 1},
		{"all reserved", Account{Total: 100, Reserved: 100}, 0, 1, 0},
		{"total lowered below use", Account{Total: 100, Used: 150, Reserved: 10}, 0, 1, 0},
		{"asks for nothing", Account{Total: 100}, 100, 0, 0},
		{"asks for less than nothing", Account{Total: 100}, 100, -5, 0},
		{"debts add nothing", Account{Total: 100, Used: -20, Reserved: -20}, 100, 200, 100},
		{"greatest numbers", Account{Total: math.MaxInt, Used: math.MaxInt, Reserved: math.MaxInt}, 0, math.MaxInt, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.account.Left(); got != c.left {
				t.Errorf("Left() = %d, want %d", got, c.left)
			}
			if got := c.account.Grant(c.ask); got != c.grant {
				t.Errorf("Grant(%d) = %d, want %d", c.ask, got, c.grant)
			}
		})
	}
}
