package hosts

import (
	"io"
	"strings"

	"github.com/kfw-dev/kfw/redact"
)

// marker begins what stands in the place of a match.
const marker = "[REDACTED:"

// redactedLines returns the redaction of a text with its line numbers: a match that has line feeds, such as a private
// key, is followed by as many empty lines.
func redactedLines(rules *redact.Rules, text string) (string, error) {
	var b strings.Builder
	var lines []int // before each match, in order
	r := redact.NewReader(strings.NewReader(text), rules, redact.Auto)
	r.Observe(func(_ string, at redact.Place) { lines = append(lines, int(at.Line)-1) })
	if _, err := io.Copy(&b, r); err != nil {
		return "", err
	}
	redacted := b.String()
	missing := strings.Count(text, "\n") - strings.Count(redacted, "\n")
	if missing <= 0 {
		return redacted, nil
	}
	return withLines(redacted, lines, missing), nil
}

// withLines adds the line feeds that are missing: after each marker as many as the next one needs to stand on its line,
// after the last one the rest. A marker that the text had before is the place of no match and gets none, unless the
// matches can't be distinguished from it: then all stand after the first one.
func withLines(redacted string, lines []int, missing int) string {
	var b strings.Builder
	isComplete := strings.Count(redacted, marker) == len(lines)
	feeds, line := 0, 0 // added, and before the current marker
	for n := 0; ; n++ {
		at := strings.Index(redacted, marker)
		end := at + strings.IndexByte(redacted[max(at, 0):], ']') + 1
		if at < 0 || end <= at {
			break
		}
		line += strings.Count(redacted[:at], "\n")
		add := missing - feeds
		if isComplete && n+1 < len(lines) {
			next := strings.Index(redacted[end:], marker)
			between := strings.Count(redacted[end:end+max(next, 0)], "\n")
			add = min(max(lines[n+1]-(line+feeds+between), 0), add)
		}
		b.WriteString(redacted[:end])
		b.WriteString(strings.Repeat("\n", add))
		feeds += add
		redacted = redacted[end:]
	}
	b.WriteString(redacted)
	return b.String()
}
