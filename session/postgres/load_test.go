//go:build unix

package postgres

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/session"
)

// BenchmarkRuns is a load of 64 clients, each with a connection of its own, that share 1 or 16 sessions. A run is a
// grant and its end, and for "draws" three draws between them; each is on disk before it returns. In the end the
// ledger has exactly what was spent, and no more than its total.
func BenchmarkRuns(b *testing.B) {
	const clients = 64
	for _, kind := range []struct {
		name   string
		spends int
	}{{"fits", 1}, {"draws", 4}} {
		for _, sessions := range []int{1, 16} {
			b.Run(fmt.Sprintf("%s/sessions=%d", kind.name, sessions), func(b *testing.B) {
				s := server(b)
				var all [clients]*Session
				prefix := named(b)
				for i := range all {
					all[i] = at(b, s.URL(fmt.Sprint(prefix, i%sessions)), session.Settings{Total: 1 << 40, Wait: 30 * time.Second})
					_, err := all[i].Spend(0, "connect")
					check(b, err)
				}
				var left, spent atomic.Int64
				left.Store(int64(b.N))
				var mu sync.Mutex
				var took []time.Duration
				b.ResetTimer()
				var wait sync.WaitGroup
				for _, f := range all {
					wait.Go(func() {
						for left.Add(-1) >= 0 {
							begin := time.Now()
							if err := run(f, kind.spends); err != nil {
								b.Error(err)
								return
							}
							spent.Add(int64(kind.spends) * 1000)
							mu.Lock()
							took = append(took, time.Since(begin))
							mu.Unlock()
						}
					})
				}
				wait.Wait()
				b.StopTimer()
				slices.Sort(took)
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
				b.ReportMetric(float64(took[len(took)/2].Milliseconds()), "p50-ms")
				b.ReportMetric(float64(took[len(took)*99/100].Milliseconds()), "p99-ms")
				used := 0
				for i := range sessions {
					status := must[session.Status](b)(all[i].Status())
					used += status.Used
					if status.Reserved != 0 || status.Used > status.Total {
						b.Errorf("%+v", status)
					}
				}
				if used != int(spent.Load()) {
					b.Errorf("%d tokens were spent, the ledgers say %d", spent.Load(), used)
				}
			})
		}
	}
}

// run takes a grant of 4000 tokens and spends so many thousands of it.
func run(f *Session, spends int) error {
	g, err := f.Allocate(4000, 0, "run")
	if err != nil {
		return err
	}
	for range spends {
		if err := g.Spend(1000); err != nil {
			return err
		}
	}
	return g.Close(9000)
}
