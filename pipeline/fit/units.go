package fit

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"io"
	"iter"
	"slices"

	"github.com/kfw-dev/kfw/internal/spool"
	"github.com/kfw-dev/kfw/internal/summarize/structure"
	"github.com/kfw-dev/kfw/pipeline/encode"
)

// units are the units of a response in the order in which they came, to be read as often as needed.
type units struct {
	kept  *spool.Spool
	count int
	texts int
	// areUneven says that a unit is several lines, or a part of one.
	areUneven bool
	err       error // why units after the first ones are not kept
	encoded   []byte
}

const (
	unitIsText = 1 << iota
	unitGoesOn
)

// unit is a record of the response, and how it stood there.
type unit struct {
	structure.Record
	index  int    // in the order of the units, from 1
	source []byte // on one line; nil if Value says the same, or it had more lines
}

// add keeps a unit. After an error no more are kept.
func (u *units) add(r unit) {
	u.count++
	flags := uint64(0)
	if r.IsText {
		u.texts++
		flags |= unitIsText
	}
	if r.GoesOn {
		flags |= unitGoesOn
	}
	u.areUneven = u.areUneven || r.GoesOn || !r.IsText && r.source == nil
	if u.err != nil {
		return
	}
	e := u.encoded[:0]
	for _, n := range [...]uint64{uint64(r.Seq), uint64(r.Top), flags, uint64(len(r.Path)), uint64(len(r.Value)),
		uint64(len(r.source))} {
		e = binary.AppendUvarint(e, n)
	}
	u.encoded = append(append(append(e, r.Path...), r.Value...), r.source...)
	_, u.err = u.kept.Write(u.encoded)
}

// noun returns what the units are called.
func (u *units) noun() string {
	switch {
	case u.areRecords():
		return encode.Record
	case u.areUneven:
		return encode.Chunk
	}
	return encode.Line
}

// areRecords reports whether no unit is a line.
func (u *units) areRecords() bool { return u.texts == 0 && u.count > 0 }

// all yields the units that are kept. Their bytes are lent until the next one.
func (u *units) all() iter.Seq[unit] {
	return func(yield func(unit) bool) {
		in := bufio.NewReaderSize(u.kept.From(0, u.kept.Size()), unitBlock)
		var lent []byte
		for index := 1; ; index++ {
			r, err := readUnit(in, &lent)
			r.index = index
			if err != nil {
				if err != io.EOF {
					u.err = cmp.Or(u.err, err)
				}
				return
			}
			if !yield(r) {
				return
			}
		}
	}
}

const unitBlock = 64 << 10 // bytes that are read at once

// readUnit reads a unit, whose bytes are in lent. At the end the error is io.EOF.
func readUnit(in *bufio.Reader, lent *[]byte) (r unit, err error) {
	var numbers [6]uint64
	for i := range numbers {
		if numbers[i], err = binary.ReadUvarint(in); err != nil {
			return r, err
		}
	}
	path := int(numbers[3])
	value := path + int(numbers[4])
	n := value + int(numbers[5])
	*lent = slices.Grow((*lent)[:0], n)[:n]
	if _, err := io.ReadFull(in, *lent); err != nil {
		return r, io.ErrUnexpectedEOF
	}
	r.Record = structure.Record{Seq: int(numbers[0]), Top: int(numbers[1]), IsText: numbers[2]&unitIsText != 0,
		GoesOn: numbers[2]&unitGoesOn != 0, Path: (*lent)[:path], Value: (*lent)[path:value]}
	if n > value {
		r.source = (*lent)[value:]
	}
	return r, nil
}

// close removes the spool.
func (u *units) close() {
	if err := u.kept.Close(); err != nil && u.err == nil {
		u.err = err
	}
}
