package formats

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/ascii"
	"github.com/kfw-dev/kfw/internal/summarize/value"
)

// Listings of files are records: what ls -l prints (POSIX.1-2024, ls, STDOUT), with a number and blocks before it as
// of find -ls, and what tar tv prints. Numbers that are of the file system alone, as that of links, are no field.
//
//	-rw-r--r--   1 ann  staff   2048 Jan  2 15:04 notes.txt
//	377810   4 drwxr-xr-x   2 root  root   4096 Feb 19  2023 /usr/lib
//	-rw-r--r-- ann/staff  2048 2026-01-02 15:04 notes.txt

// fileNames are those of the fields of a file.
var fileNames = struct{ mode, owner, group, size, device, modified, name []byte }{
	[]byte("mode"), []byte("owner"), []byte("group"), []byte("size"), []byte("device"), []byte("modified"),
	[]byte("name"),
}

// CutListing cuts a line of a listing of files into pairs.
func CutListing(dst []Pair, line []byte) (pairs []Pair, ok bool) {
	l := listing{line: line, pairs: dst}
	l.next()
	for range 2 { // its number and its blocks
		if l.isNumber() {
			l.next()
		}
	}
	if !isFileMode(l.word.Of(line)) {
		return dst, false
	}
	l.put(fileNames.mode, l.word)
	l.next()
	hasLinks := l.isNumber()
	if hasLinks {
		l.next()
	}
	l.put(fileNames.owner, l.word)
	l.next()
	if hasLinks && !l.isSize() { // ls -o has no group
		l.put(fileNames.group, l.word)
		l.next()
	}
	if !l.size() || !l.time() || l.at == len(line) {
		return dst, false
	}
	l.put(fileNames.name, ascii.Span{From: l.at, To: len(line)})
	return l.pairs, true
}

// listing steps through the words of a line.
type listing struct {
	line  []byte
	word  ascii.Span
	at    int // where the next word begins
	pairs []Pair
}

func (l *listing) next() { l.word, l.at = wordAt(l.line, l.at) }

func (l *listing) put(name []byte, value ascii.Span) {
	l.pairs = append(l.pairs, Pair{Name: name, Value: value, As: AsText})
}

func (l *listing) isNumber() bool {
	word := l.word.Of(l.line)
	return len(word) > 0 && ascii.LeadingDigits(word) == len(word)
}

// isSize says whether a word begins with a digit, as sizes do and the numbers of devices, and what follows is no size.
func (l *listing) isSize() bool {
	word := l.word.Of(l.line)
	isFollowed := l.at < len(l.line) && ascii.IsDigit(l.line[l.at])
	return len(word) > 0 && ascii.IsDigit(word[0]) && !isFollowed
}

// size takes a size, or the two numbers of a device.
func (l *listing) size() bool {
	word := l.word.Of(l.line)
	if len(word) == 0 || !ascii.IsDigit(word[0]) {
		return false
	}
	if word[len(word)-1] == ',' {
		from := l.word.From
		l.next()
		l.put(fileNames.device, ascii.Span{From: from, To: l.word.To})
		return l.isNumber()
	}
	if l.put(fileNames.size, l.word); IsPlainNumber(word) {
		l.pairs[len(l.pairs)-1].As = AsNumber
	}
	return true
}

// time takes when a file was modified: in the last months "Jan _2 15:04", before that "Jan _2 2006", or "2006-01-02
// 15:04" with perhaps the seconds and the zone.
func (l *listing) time() bool {
	l.next()
	from := l.word.From
	word := l.word.Of(l.line)
	switch {
	case ascii.Matches(word, "dddd-dd-dd"):
		l.next()
		if !ascii.Matches(l.word.Of(l.line), "dd:dd") {
			return false
		}
		if zone, end := wordAt(l.line, l.at); zone.To-zone.From == len("+0100") &&
			ascii.Matches(zone.Of(l.line)[1:], "dddd") {
			l.word, l.at = zone, end
		}
	case len(word) == len("Jan"):
		if _, ok := value.MonthOf(word); !ok {
			return false
		}
		l.next()
		if !l.isNumber() {
			return false
		}
		l.next()
		if when := l.word.Of(l.line); !ascii.Matches(when, "dd:dd") && !(len(when) == len("2006") && l.isNumber()) {
			return false
		}
	default:
		return false
	}
	l.put(fileNames.modified, ascii.Span{From: from, To: l.word.To})
	return true
}

// isFileMode says whether a word is the type of a file and who may do what with it: -rwxr-xr-x.
func isFileMode(word []byte) bool {
	const rights = len("rwxrwxrwx")
	if len(word) < 1+rights || len(word) > 1+rights+len("+") || bytes.IndexByte([]byte("-bcdlps"), word[0]) < 0 {
		return false
	}
	for i, c := range word[1 : 1+rights] {
		if c != '-' && c != "rwx"[i%3] && (i%3 != 2 || bytes.IndexByte([]byte("sStT"), c) < 0) {
			return false
		}
	}
	return len(word) == 1+rights || bytes.IndexByte([]byte(".+@"), word[1+rights]) >= 0
}
