package answers

import (
	"bytes"
	"encoding/binary"
)

// cutters maps the content type of a stream to the function that finds the end of its last complete
// event. The first known bytes of b are known to contain no end.
var cutters = map[string]func(b []byte, known int) int{
	"text/event-stream":                  eventsEnd,
	"application/x-ndjson":               linesEnd,
	"application/jsonl":                  linesEnd,
	"application/stream+json":            linesEnd,
	"application/vnd.amazon.eventstream": framesEnd,
}

// eventsEnd returns the end of the last server-sent event, which is an empty line.
func eventsEnd(b []byte, known int) int {
	end := 0
	for _, mark := range []string{"\n\n", "\r\n\r\n", "\r\r"} {
		from := max(0, known-len(mark)+1)
		if i := bytes.LastIndex(b[from:], []byte(mark)); i >= 0 {
			end = max(end, from+i+len(mark))
		}
	}
	return end
}

func linesEnd(b []byte, known int) int {
	if i := bytes.LastIndexByte(b[known:], '\n'); i >= 0 {
		return known + i + 1
	}
	return 0
}

// framesEnd returns the end of the last frame of an AWS event stream.
func framesEnd(b []byte, _ int) int {
	const least = 16 // bytes
	end := 0
	for len(b)-end >= least {
		size := int(binary.BigEndian.Uint32(b[end:]))
		if size < least || len(b)-end < size {
			break
		}
		end += size
	}
	return end
}
