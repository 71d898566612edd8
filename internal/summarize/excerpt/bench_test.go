package excerpt

import (
	"fmt"
	"testing"
)

// BenchmarkRecords measures both passes over records of JSON.
func BenchmarkRecords(b *testing.B) {
	var units []Unit
	size := 0
	for i := range 2000 {
		record := fmt.Appendf(nil, `{"id":%d,"state":%q,"note":"order %d of the gardener","at":{"bed":%d,"row":%d}}`, i,
			[]string{"open", "shut"}[i%2], i, i%7, i%90)
		units = append(units, Unit{N: i + 1, Text: record, IsRecord: true})
		size += len(record)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		e := New(nil, 1000, nil, nil)
		for _, u := range units {
			e.Watch(u)
		}
		for _, u := range units {
			e.Choose(u)
		}
	}
}

// BenchmarkLines measures both passes over lines of a log.
func BenchmarkLines(b *testing.B) {
	var units []Unit
	size := 0
	for i := range 2000 {
		line := fmt.Appendf(nil, "2026-03-02 10:%02d:%02d INFO posted booking bk_%d amount=%d.%02d EUR in %d ms", i/60%60, i%60, i*7919%9000,
			i%90, i%100, i*37%60)
		units = append(units, Unit{N: i + 1, Text: line})
		size += len(line)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		e := New(nil, 1000, nil, nil)
		for _, u := range units {
			e.Watch(u)
		}
		for _, u := range units {
			e.Choose(u)
		}
	}
}
