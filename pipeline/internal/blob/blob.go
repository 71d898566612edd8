// Package blob finds base64 in a response, and says what it is in the place of it: "[blob: image/png, 150 kB]".
//
// The content of chunks goes in, JSON or text; out it comes with a label in the place of each blob. A blob is a run of
// at least Shortest bytes of base64 in one alphabet (RFC 4648, 4 or 5), on one line or on lines of equal length, that
// looks like it (see run.isBlob). A data URL is part of it (RFC 2397). The size on a label is that of the decoded
// bytes. A name of a JSON object stays as it is: two names with one label would be one name.
package blob

import "github.com/kfw-dev/kfw/internal/ascii"

// Shortest is how many bytes a blob has at least, encoded.
const Shortest = 1 << 10

// shortestRun is the same without padding.
const shortestRun = Shortest - len("==")

// mostHeld is how many bytes may stand before a blob that goes on, so that a string of many blobs is not held.
const mostHeld = 64 << 10

// Labeler labels the blobs of one response. The zero value is ready.
//
// A string or a line that is larger than a chunk comes in parts, and a blob may go on from one to the next. Its size is
// known when it has ended: until then the Labeler holds what stands before it.
type Labeler struct {
	out    []byte // the chunk, or the parts since the blob that goes on began, with labels
	blobs  int    // labels in out
	run    run    // that the last part ends with, if it isGoing
	isOpen bool   // and is a blob
}

// Whole returns the content of a chunk that is no part of a larger one, with labels in the place of its blobs, and how
// many there are. The bytes are lent until the next call, and are content itself if there are none.
func (l *Labeler) Whole(content []byte) (labelled []byte, blobs int) {
	l.reset()
	if len(content) < Shortest {
		return content, 0
	}
	l.add(content, 0, false)
	if l.blobs == 0 {
		return content, 0
	}
	return l.out, l.blobs
}

// Part does the same for one part of a string or a line. isMore says that it goes on with the part before. If isOpen, a
// blob goes on past its end: what the next part, or End, returns speaks for this part as well.
func (l *Labeler) Part(content []byte, isMore bool) (labelled []byte, blobs int, isOpen bool) {
	if !isMore {
		l.reset()
	}
	wasOpen, from := l.isOpen, 0 // the run that goes on is a blob
	if !wasOpen {                // the part before was shown as it is
		l.out, l.blobs, l.run.carry = l.out[:0], 0, l.run.carry[:0]
	}
	if l.run.isGoing {
		n := l.run.feed(content)
		if !l.run.isGoing {
			from = l.run.finish(content, n)
			l.end(content[:from], wasOpen)
			wasOpen = false
		}
	}
	if !l.run.isGoing {
		l.add(content, from, true)
	}
	switch l.isOpen = l.run.isGoing && (wasOpen || l.run.isBlob()); {
	case l.isOpen && len(l.out) > mostHeld:
		labelled, blobs = l.End()
		return labelled, blobs, false
	case l.isOpen:
		return nil, 0, true
	case l.blobs == 0:
		return content, 0, false
	}
	return l.out, l.blobs, false
}

// IsOpen reports whether a blob goes on past the end of the part that came last.
func (l *Labeler) IsOpen() bool { return l.isOpen }

// End returns what stands for the parts since the blob that goes on began, if no part follows.
func (l *Labeler) End() (labelled []byte, blobs int) {
	l.run.finish(nil, 0)
	l.end(nil, true)
	l.isOpen, l.run.isGoing = false, false
	return l.out, l.blobs
}

// Alone returns the content of a part of which the others are not known. A blob that may go on before or after it is at
// least as large as what is there of it, and its label says no more. isFirst says that the part begins the string or
// line.
func (l *Labeler) Alone(content []byte, isFirst bool) (labelled []byte, blobs int) {
	l.reset()
	from := 0
	if !isFirst {
		l.run.begin(nil, 0)
		l.run.isHeadless, l.run.isPart = true, true
		if n := l.run.feed(content); !l.run.isGoing {
			from = l.run.finish(content, n)
			l.end(content[:from], false)
		}
	}
	if !l.run.isGoing {
		l.add(content, from, true)
	}
	if l.run.isGoing && l.run.isBlob() {
		l.run.isPart = true
		l.run.finish(nil, 0)
		l.end(nil, true)
	}
	if l.blobs == 0 {
		return content, 0
	}
	return l.out, l.blobs
}

func (l *Labeler) reset() {
	l.out, l.blobs, l.isOpen, l.run.isGoing = l.out[:0], 0, false, false
}

// end writes a run that has ended: its label if it is a blob, and what of the parts before has turned out not to be
// one; otherwise the text of it.
func (l *Labeler) end(text []byte, isOpen bool) {
	if !isOpen && !l.run.isBlob() {
		l.out = append(l.out, text...)
		return
	}
	l.out = l.run.appendLabel(l.out)
	l.out = append(l.out, l.run.carry...)
	l.blobs++
}

// add adds content from an offset on, with labels. If goesOn, the run that it ends with is under way, and if that is a
// blob, it is left out.
func (l *Labeler) add(content []byte, from int, goesOn bool) {
	copied := from
	for at := from; ; {
		start, end, isBlob := l.find(content, at, goesOn)
		if !isBlob {
			break
		}
		l.out = append(l.out, content[copied:start-dataURL(content[copied:start])]...)
		copied, at = end, end
		if l.run.isGoing {
			return
		}
		l.end(nil, true)
	}
	if goesOn || l.blobs > 0 {
		l.out = append(l.out, content[copied:]...)
	}
}

// find finds the next blob from an offset on. It looks at every shortestRun-th byte only, and around those that may be of
// one. If goesOn, the run that content ends with is under way, whatever its length.
func (l *Labeler) find(content []byte, from int, goesOn bool) (start, end int, isBlob bool) {
	l.run.isGoing = false
	for at := from + shortestRun - 1; ; at += shortestRun {
		if at >= len(content) {
			if at = len(content) - 1; !goesOn || at < from {
				return 0, 0, false
			}
		}
		if kinds[content[at]] != 0 {
			start, end = at, at+1
			for start > from && kinds[content[start-1]] != 0 {
				start--
			}
			for end < len(content) && kinds[content[end]] != 0 {
				end++
			}
			goesOn := goesOn && end == len(content)
			if start, blobEnd, isBlob := l.findIn(content, start, end, goesOn); isBlob || l.run.isGoing {
				return start, blobEnd, isBlob
			}
			at = end - 1
		}
		if at == len(content)-1 {
			return 0, 0, false
		}
	}
}

// findIn finds the first blob between two offsets, around which there is nothing of one.
func (l *Labeler) findIn(content []byte, from, upTo int, goesOn bool) (start, end int, isBlob bool) {
	for start = from; start < upTo && (goesOn || upTo-start >= shortestRun); {
		if n := between(content[start:]); n > 0 {
			start += n
			continue
		}
		l.run.begin(content, start)
		n := l.run.feed(content[start:])
		if l.run.isGoing && goesOn {
			return start, len(content), l.run.isBlob()
		}
		lastLine := l.run.lineStart
		end = start + l.run.finish(content[start:], n)
		switch {
		case l.run.isBlob() && !isName(content[end:]):
			return start, end, true
		case l.run.isBlob():
			start = end
		case lastLine > 0: // the first of others, perhaps
			start += lastLine
		default:
			start += max(1, n)
		}
	}
	return 0, 0, false
}

// between returns the length of the line break or the escape that text begins with, which no run does; 0 if it begins
// with none.
func between(text []byte) int {
	switch {
	case text[0] == '\n' || text[0] == '\r':
		return 1
	case text[0] != '\\' || len(text) > 1 && text[1] == '/':
		return 0
	case len(text) > 1 && text[1] == 'u':
		return len(`\u0000`)
	}
	return len(`\n`)
}

// isName reports whether a string that ends where text begins is a name in a JSON object.
func isName(text []byte) bool {
	if len(text) == 0 || text[0] != '"' {
		return false
	}
	for _, c := range text[1:] {
		if c != '\n' && !ascii.IsBlank(c) {
			return c == ':'
		}
	}
	return false
}
