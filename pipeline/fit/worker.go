package fit

import (
	"runtime"

	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/summarize"
)

const (
	batches      = 8        // with fewer, one side often sleeps until the other wakes it
	batchBytes   = 64 << 10 // that one holds at most
	batchRecords = 512
)

// worker adds records to a summary in a goroutine of its own, while the response is read on. The summary is read at the
// end only. Records come in batches: one is filled while others are added. The batches are made when a response turns
// out to be longer than fits.
type worker struct {
	summary *summarize.Summary
	next    *batch      // nil until the first record
	full    chan *batch // nil until the first one
	free    chan *batch
}

// batch holds records and, in an arena that never moves, their bytes.
type batch struct {
	arena   []byte
	records []structure.Record
}

func newWorker(s *summarize.Summary) worker {
	return worker{summary: s, free: make(chan *batch, batches-1)}
}

// begin makes the batches, once. It takes their memory from the system at once: how many of them are under way
// depends on time, and how much memory is taken does not.
func (b *worker) begin() {
	if b.next != nil {
		return
	}
	newBatch := func() *batch {
		arena, records := make([]byte, batchBytes), make([]structure.Record, batchRecords)
		clear(arena)
		clear(records)
		return &batch{arena[:0], records[:0]}
	}
	b.next = newBatch()
	for range batches - 1 {
		b.free <- newBatch()
	}
}

func (b *batch) hold(lent []byte) []byte {
	from := len(b.arena)
	b.arena = append(b.arena, lent...)
	return b.arena[from:]
}

// add takes one record in, after all that came before it.
func (b *worker) add(r structure.Record) {
	b.begin()
	size := len(r.Path) + len(r.Value)
	if size > cap(b.next.arena)-len(b.next.arena) || len(b.next.records) == cap(b.next.records) {
		b.handOver()
	}
	if size > cap(b.next.arena) {
		b.wait()
		b.summary.Add(r)
		return
	}
	if len(r.Path) > 0 {
		r.Path = b.next.hold(r.Path)
	}
	r.Value = b.next.hold(r.Value)
	b.next.records = append(b.next.records, r)
}

// wait returns when all records have been taken in.
func (b *worker) wait() {
	if b.next == nil || b.full == nil && len(b.next.records) == 0 {
		return
	}
	b.handOver()
	var idle [batches - 1]*batch
	for i := range idle {
		idle[i] = <-b.free
	}
	for _, x := range idle {
		b.free <- x
	}
}

// handOver passes the batch on and waits for one that has been taken in.
func (b *worker) handOver() {
	if b.full == nil {
		b.full = make(chan *batch, batches-1)
		go takeIn(b.summary, b.full, b.free)
	}
	b.full <- b.next
	b.next = <-b.free
}

// end lets the goroutine end.
func (b *worker) end() {
	if b.full != nil {
		close(b.full)
	}
}

func takeIn(s *summarize.Summary, full <-chan *batch, free chan<- *batch) {
	for b := range full {
		for _, r := range b.records {
			s.Add(r)
		}
		b.arena, b.records = b.arena[:0], b.records[:0]
		free <- b
		runtime.Gosched() // as in Ahead.Read
	}
}
