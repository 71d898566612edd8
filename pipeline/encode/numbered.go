package encode

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"
)

// NumberedFrom returns an encoding whose pages number units from before+1 on. It is for one of several texts that
// share a handle: the handle holds the units of the earlier texts too.
func NumberedFrom(e Encoding, before int) Encoding { return numberedFrom{e, before} }

type numberedFrom struct {
	Encoding
	before int // chunks
}

// Append implements Encoding.
func (n numberedFrom) Append(dst []byte, f *Frame) []byte {
	if f.Excerpt == nil || f.Excerpt.Page == nil {
		return n.Encoding.Append(dst, f)
	}
	shifted, e := *f, *f.Excerpt
	e.Page = e.Page.Shifted(n.before)
	shifted.Excerpt = &e
	return n.Encoding.Append(dst, &shifted)
}

// Selected is how Text writes a chunk of a selection: as a line that begins with its number, so that no data can
// imitate a line of kfw's.
type Selected struct {
	Gap    int      // chunks between it and the one before on the page
	Names  [][]byte // of its fields, as JSON strings, if it is the row of a table
	Begins bool     // the table begins with it
}

// appendSelected appends a chunk of a selection: how many are left out before it, its number, where it stood if its
// number does not say that, and the data. The rows of a table have a row of names above them and no gaps.
func appendSelected(dst []byte, f *Frame) []byte {
	if f.Names != nil {
		return appendFields(dst, f)
	}
	if f.Gap > 0 {
		noun := "record"
		if f.IsText {
			noun = "line"
		}
		dst = append(append(append(dst, "… "...), counted(f.Gap, noun)...), '\n')
	}
	dst = appendNumber(dst, f.First)
	if len(f.Path) > 0 && !isPlaceOf(f.Path, f.First) {
		dst = append(appendUnbrokenLine(dst, f.Path), ": "...)
	}
	return append(appendUnbrokenLine(dst, f.Data), '\n')
}

// appendFields appends the fields of a chunk as a row of a table.
func appendFields(dst []byte, f *Frame) []byte {
	if f.Begins {
		dst = append(dst, "= "...)
		for i, name := range f.Names {
			if i > 0 {
				dst = append(dst, '\t')
			}
			dst = appendUnbrokenLine(dst, appendCell(nil, name))
		}
		dst = append(dst, '\n')
	}
	dst = appendNumber(dst, f.First)
	cells := make([][]byte, len(f.Names))
	for name, value := range members(f.Data) {
		if i := slices.IndexFunc(f.Names, func(c []byte) bool { return bytes.Equal(c, name) }); i >= 0 {
			cells[i] = value
		}
	}
	for i, cell := range cells {
		if i > 0 {
			dst = append(dst, '\t')
		}
		dst = appendUnbrokenLine(dst, appendCell(nil, cell))
	}
	return append(dst, '\n')
}

func appendNumber(dst []byte, seq int) []byte {
	return append(strconv.AppendInt(dst, int64(seq), 10), ": "...)
}

// isPlaceOf reports whether a path leads through one array, to the element with that number, from 1.
func isPlaceOf(path []byte, number int) bool {
	parts := bytes.Split(path, []byte{'.'})
	isElement := false
	for i, part := range parts {
		index, err := strconv.ParseUint(string(part), 10, 63)
		if err != nil {
			continue
		}
		if isElement || i < len(parts)-1 || int(index) != number-1 {
			return false
		}
		isElement = true
	}
	return isElement
}

// appendUnbrokenLine appends data with escapes in the place of line breaks of any kind.
func appendUnbrokenLine(dst, data []byte) []byte {
	for len(data) > 0 {
		at := bytes.IndexAny(data, "\n\v\f\r\u0085\u2028\u2029")
		if at < 0 {
			return append(dst, data...)
		}
		r, n := utf8.DecodeRune(data[at:])
		quoted := strconv.QuoteRuneToASCII(r)
		dst = append(append(dst, data[:at]...), quoted[1:len(quoted)-1]...)
		data = data[at+n:]
	}
	return dst
}
