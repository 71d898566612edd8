package tabulate

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/kfw-dev/kfw/internal/jsonx"
)

// AppendCell appends a JSON value of at most limit bytes: of a longer one what
// fits, cut between characters, elements or members, with a mark where it is cut.
// Only the mark can be longer.
func AppendCell(dst, value []byte, limit int, cut *int) []byte {
	before := len(dst)
	if value[0] == '"' {
		if len(value) <= limit {
			return append(dst, value...)
		}
		*cut++
		return appendCutString(dst, value, limit)
	}
	dst = jsonx.AppendMinified(dst, value)
	if len(dst)-before <= limit {
		return dst
	}
	*cut++
	return appendCut(dst[:before], value, limit)
}

func appendCutString(dst, value []byte, limit int) []byte {
	text := jsonx.Inside(value)
	room := limit - len(LeftOutCell)
	end := endOfName(text, room/3)
	dst = append(append(dst, '"'), jsonx.CutInside(text, room-len(end))...)
	return append(append(append(dst, jsonx.Ellipsis...), end...), '"')
}

// endOfName returns at most limit bytes of what a long name ends with, since names that begin alike
// differ there. Of a text with blanks or escapes it returns nothing: its beginning tells more. text
// may have been cut if it is longer than longestShown.
func endOfName(text []byte, limit int) []byte {
	if limit <= 0 || len(text) > longestShown || bytes.IndexByte(text, ' ') >= 0 || bytes.IndexByte(text, '\\') >= 0 {
		return nil
	}
	from := max(0, len(text)-limit)
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	return text[from:]
}

// appendCut appends what fits of a value that is too long: of an array or an
// object the first ones, and how many more there are.
func appendCut(dst, value []byte, limit int) []byte {
	c := jsonx.Cursor{Source: value}
	k := c.Kind()
	switch k {
	case jsonx.String:
		return appendCutString(dst, value, limit)
	case jsonx.Array, jsonx.Object:
	default:
		return append(dst, LeftOutCell...)
	}
	end := len(dst) + limit - len(`{"…":"99999 more"}`)
	dst = append(dst, value[c.At])
	opened := len(dst)
	c.Enter()
	more := 0
	for {
		name, ok := c.Entry(k == jsonx.Object)
		if !ok {
			break
		}
		part := c.Take()
		if more > 0 {
			more++
			continue
		}
		before := len(dst)
		if before > opened {
			dst = append(dst, ',')
		}
		if k == jsonx.Object {
			dst = append(append(append(dst, '"'), name...), `":`...)
		}
		from := len(dst)
		if dst = jsonx.AppendMinified(dst, part); len(dst) <= end {
			continue
		}
		if room := end - from; before == opened && room > leastOfPart {
			dst = appendCut(dst[:from], part, room)
			if !bytes.HasPrefix(dst[from+1:], []byte(`"`+jsonx.Ellipsis)) {
				continue
			}
		}
		dst = dst[:before]
		more++
	}
	if more > 0 {
		if len(dst) > opened {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		if k == jsonx.Object {
			dst = append(dst, jsonx.Ellipsis+`":"`...)
		} else {
			dst = append(dst, jsonx.Ellipsis+` `...)
		}
		dst = append(strconv.AppendInt(dst, int64(more), 10), ` more"`...)
	}
	if k == jsonx.Object {
		return append(dst, '}')
	}
	return append(dst, ']')
}

// leastOfPart is room in which a part of a first element tells something, in bytes.
const leastOfPart = 40

// appendTextCell appends a line of text as a JSON string.
func appendTextCell(dst, text []byte, limit int, cut *int) []byte {
	if len(text) <= limit {
		return jsonx.AppendCanonicalString(dst, text)
	}
	*cut++
	dst = jsonx.AppendCanonicalText(append(dst, '"'), jsonx.WholeCharacters(text, limit))
	return append(dst, jsonx.Ellipsis+`"`...)
}
