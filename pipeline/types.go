package pipeline

import (
	"github.com/kfw-dev/kfw/pipeline/encode"
	"github.com/kfw-dev/kfw/pipeline/fit"
	"github.com/kfw-dev/kfw/pipeline/split"
)

// What the stages hand on, and what they are asked for.
type (
	Chunk    = split.Chunk     // one unit of a response
	Warning  = split.Warning   // something about the response that a reader has to know
	Broken   = split.Broken    // JSON that is not
	Frame    = encode.Frame    // one thing that kfw says about a response
	Encoding = encode.Encoding // how frames are written
	Failure  = encode.Failure  // why a response is not whole
	Budget   = fit.Budget      // what one invocation may write
	Progress = fit.Progress    // how far a response is
	Source   = fit.Source      // what is known of a response while it is read
)

// MaxChunkDefault is how many bytes a value or a line may have to be one chunk.
const MaxChunkDefault = split.MaxChunkDefault
