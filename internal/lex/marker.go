package lex

import "strconv"

const (
	// MaxNumbered is how many secrets have numbers. Those that come later have none,
	// so that memory does not grow with the input.
	MaxNumbered = 4096
	// maxMarkerNumber is the length of ":4096".
	maxMarkerNumber = 5
)

// IsMarkerNumber says whether b may be the number of a marker.
func IsMarkerNumber(b []byte) bool {
	if len(b) == 0 || len(b) >= maxMarkerNumber || b[0] == '0' || !Digits.Within(b) {
		return false
	}
	n, err := strconv.Atoi(string(b))
	return err == nil && n <= MaxNumbered
}

const (
	// MarkerStart is what every marker begins with: [REDACTED:name] or [REDACTED:name:number].
	MarkerStart = "[REDACTED:"
	// MaxMarker is the most bytes that a marker has, from MarkerStart to its bracket.
	MaxMarker = 48 + maxMarkerNumber
)
