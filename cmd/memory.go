package cmd

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/kfw-dev/kfw/pipeline"
)

// Bounds of the memory of a run on top of what its set-up took, in bytes.
const (
	memoryOfRun   = 14 << 20 // at budgets of up to tokensOfRun
	tokensOfRun   = 200_000
	memoryOfToken = 100 // what a digest holds, and lays out as a table, for each token of the budget
	chunksOfRun   = 16  // buffers that have room for the largest chunk, or for several
)

// boundMemory tells the garbage collector how much memory a run may take: near that it collects more often than GOGC
// says. Rules and tokenizers have been set up, and what they took is not part of the bound. A GOMEMLIMIT of the user
// counts.
func boundMemory(tokens, maxChunk int) {
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
