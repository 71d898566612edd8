package process

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/kfw-dev/kfw/pipeline"
)

// Bounds of the memory of a run on top of what its set-up took, in bytes.
const (
	memoryOfRun   = 12 << 20 // at budgets of up to tokensOfRun
	tokensOfRun   = 200_000
	memoryOfToken = 100 // what a digest holds, and lays out as a table, for each token of the budget
	chunksOfRun   = 16  // buffers that have room for the largest chunk, or for several
)

// How far the heap grows between collections, in percent.
const (
	shortGCPercent = 200 // garbage is rare, and memory is bounded by BoundMemory
	longGCPercent  = 15  // memory counts more than time, and must not depend on how long the response is
)

// CollectLess makes the garbage collector run as seldom as a response that fits allows. GOGC of the user counts.
func CollectLess() { setGCPercent(shortGCPercent) }

// CollectMore makes the garbage collector run as often as a response needs that is known not to fit. GOGC of the user
// counts.
func CollectMore() { setGCPercent(longGCPercent) }

func setGCPercent(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// BoundMemory tells the garbage collector how much memory a run may take: near that it collects more often than GOGC
// says. Rules and tokenizers have been set up, and what they took is not part of the bound. A GOMEMLIMIT of the user
// counts.
func BoundMemory(tokens, maxChunk int) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	limit := int64(now.Sys-now.HeapReleased) + memoryOfRun
	limit += int64(max(0, tokens-tokensOfRun)) * memoryOfToken
	limit += int64(max(0, maxChunk-pipeline.MaxChunkDefault)) * chunksOfRun
	debug.SetMemoryLimit(limit)
}
