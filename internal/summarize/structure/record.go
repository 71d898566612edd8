package structure

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// Record is one chunk as a summary sees it. Its bytes are lent for the call.
type Record struct {
	Seq int // number of the chunk, from 1
	// number of the value at the top, or of the element of an array there, that it is or is in, from 1; 0 if that is
	// unknown
	Top    int
	Path   []byte // gjson path of where it stood when its parent was opened; often empty
	Value  []byte // one valid JSON value, or one line of valid UTF-8 without its newline when IsText
	IsText bool
	GoesOn bool // a text that goes on with the line before, which is too long for one chunk
}

// ParentOf is a path without its last part.
func ParentOf(path []byte) []byte {
	if len(path) == 0 {
		return nil
	}
	return bytes.TrimSuffix(path[:len(path)-len(LastOf(path))], []byte{'.'})
}

// LastOf returns the last part of a path, "0" for none: the elements of a top-level array have their index.
func LastOf(path []byte) []byte {
	if len(path) == 0 {
		return []byte{'0'}
	}
	for at := len(path) - 1; at > 0; at-- {
		if path[at] == '.' && path[at-1] != '\\' {
			return path[at+1:]
		}
	}
	return path
}

// PlaceIn returns the common prefix of the paths of an array's elements. Any other path is returned
// unchanged.
func PlaceIn(path []byte) []byte {
	last := LastOf(path)
	if _, isElement := value.ParseDigits(last); isElement && len(path) > 0 {
		return path[:len(path)-len(last)]
	}
	return path
}
