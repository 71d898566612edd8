package summarize

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/summarize/tabulate"
)

// TestCutNamesDiffer: names that begin alike and differ at the end are distinguished where they are
// cut, whatever the limit, and a cut cell stays valid JSON of at most that many bytes.
func TestCutNamesDiffer(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 7))
	begins := []string{"checkout-service-deployment-7d9f8b6c5d-",
		"/srv/data/projects/archive/2026/03/exports/customer-", "com.example.shop.checkout.internal.handlers.",
		"größe-überlänge-straße-äöü-"}
	for round := range 300 {
		begin := begins[random.IntN(len(begins))] + strings.Repeat("x", random.IntN(40))
		limit := tabulate.ShortestCut + random.IntN(60)
		seen := map[string]bool{}
		n := 2 + random.IntN(30)
		for i := range n {
			value, _ := json.Marshal(fmt.Sprintf("%s%s%02d", begin, nameOf(i), i))
			cut := 0
			cell := tabulate.AppendCell(nil, value, limit, &cut)
			if !json.Valid(cell) || !utf8.Valid(cell) || len(cell) > max(limit, len(tabulate.LeftOutCell)) {
				t.Fatalf("round %d: %s, of %s and limit %d", round, cell, value, limit)
			}
			seen[string(cell)] = true
		}
		if len(seen) != n {
			t.Errorf("round %d: %d of %d names that begin with %q differ at limit %d", round, len(seen), n, begin,
				limit)
		}
	}
}
