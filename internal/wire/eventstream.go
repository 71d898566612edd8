package wire

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/tidwall/gjson"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// A frame of https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html, which all event streams of
// AWS have: the length of all and of the headers and their checksum, the headers, the payload, and the checksum of
// all.
const (
	preludeSize   = 12 // bytes
	checksumSize  = 4
	headersMax    = 128 << 10
	stringHeader  = 7 // the type of a header whose value is a text
	eventType     = ":event-type"
	exceptionType = ":exception-type"
	errorCode     = ":error-code"
	errorMessage  = ":error-message"
)

// ExceptionEvent is the event of frames that tell a failure.
const ExceptionEvent = "exception"

func isPrelude(b []byte) bool {
	return len(b) >= preludeSize && crc32.ChecksumIEEE(b[:8]) == binary.BigEndian.Uint32(b[8:])
}

// frame returns the next binary frame.
func (f *Reader) frame() (Item, bool) {
	rest := f.buf[f.start:]
	if passed := min(f.skip, int64(len(rest))); passed > 0 { // of a frame that is too long
		f.skip -= passed
		f.start += int(passed)
		rest = f.buf[f.start:]
	}
	if len(rest) < preludeSize {
		return f.cutFrame(len(rest))
	}
	size, headers := int64(binary.BigEndian.Uint32(rest)), int64(binary.BigEndian.Uint32(rest[4:]))
	least := int64(preludeSize + checksumSize)
	switch {
	case !isPrelude(rest), headers > headersMax, size < least+headers:
		return f.lost()
	case size > int64(f.maxLine):
		f.skip = size
		f.lines++
		return f.drop(), true
	case int64(len(rest)) < size:
		return f.cutFrame(len(rest))
	}
	frame := rest[:size]
	body := frame[:size-checksumSize]
	if crc32.ChecksumIEEE(body) != binary.BigEndian.Uint32(frame[size-checksumSize:]) {
		return f.lost()
	}
	f.framing = BinaryFrames
	f.start += int(size)
	f.lines++
	f.event.name = ""
	next := f.headers(body[preludeSize:preludeSize+headers], string(body[preludeSize+headers:]))
	f.event.name = ""
	return next, true
}

// AppendFrame appends a frame: an event, or a failure, with its payload.
func AppendFrame(dst []byte, event string, failure bool, payload []byte) []byte {
	kind, name := "event", eventType
	if failure {
		kind, name = ExceptionEvent, exceptionType
	}
	var headers []byte
	for _, header := range [][2]string{{name, event}, {":content-type", "application/json"}, {":message-type", kind}} {
		headers = append(append(headers, byte(len(header[0]))), header[0]...)
		headers = binary.BigEndian.AppendUint16(append(headers, stringHeader), uint16(len(header[1])))
		headers = append(headers, header[1]...)
	}
	from := len(dst)
	dst = binary.BigEndian.AppendUint32(dst, uint32(preludeSize+len(headers)+len(payload)+checksumSize))
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(headers)))
	dst = binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[from:]))
	dst = append(append(dst, headers...), payload...)
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[from:]))
}

// headers makes an item of a frame.
func (f *Reader) headers(headers []byte, payload string) Item {
	var failure, code, message string
	for len(headers) > 0 {
		name, rest, ok := lengthAndText(headers, 1)
		if !ok || len(rest) == 0 || rest[0] != stringHeader {
			break // headers of other types come after those that are looked for, if at all
		}
		value, rest, ok := lengthAndText(rest[1:], 2)
		if !ok {
			break
		}
		switch name {
		case eventType:
			f.event.name = value
		case exceptionType:
			failure = value
		case errorCode:
			code = value
		case errorMessage:
			message = value
		}
		headers = rest
	}
	switch {
	case code != "":
		quoted := exceptionJSON(code, message)
		return Item{Event: ExceptionEvent, JSON: quoted, At: f.lines}
	case failure != "":
		text := gjson.Get(payload, "message").String()
		quoted := exceptionJSON(failure, text)
		return Item{Event: ExceptionEvent, JSON: quoted, At: f.lines}
	}
	return f.item(payload)
}

// exceptionJSON is the payload of an item that tells a failure.
func exceptionJSON(kind, message string) string {
	out := jsonx.AppendString([]byte(`{"type":`), kind)
	if message != "" {
		out = jsonx.AppendString(append(out, `,"message":`...), message)
	}
	return string(append(out, '}'))
}

// lengthAndText reads a text that has its length, of so many bytes, before it.
func lengthAndText(b []byte, bytes int) (text string, rest []byte, ok bool) {
	if len(b) < bytes {
		return "", nil, false
	}
	size := int(b[0])
	if bytes == 2 {
		size = size<<8 | int(b[1])
	}
	if len(b) < bytes+size {
		return "", nil, false
	}
	return string(b[bytes : bytes+size]), b[bytes+size:], true
}

// cutFrame is a frame that is not there yet, or never will be.
func (f *Reader) cutFrame(size int) (Item, bool) {
	if f.ended && size > 0 {
		return f.lost()
	}
	return Item{}, false
}

// lost ends the stream: where the next frame begins is not known.
func (f *Reader) lost() (Item, bool) {
	f.kind = lostFrames
	f.buf, f.start = nil, 0
	f.lines++
	return Item{At: f.lines, Fault: Corrupt}, true
}
