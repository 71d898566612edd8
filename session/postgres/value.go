package postgres

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
)

// The codes of the two formats in which PostgreSQL takes and returns values.
const (
	isText   int16 = 0
	isBinary int16 = 1
)

// allBinary asks for every column of a result in binary format. No setting, such as DateStyle or TimeZone, changes it,
// and the content of a block is not encoded as text.
var allBinary = []int16{isBinary}

// errUnreadable is the error for a result that is not what the statement returns.
var errUnreadable = errors.New("a result that can't be read")

// encode returns the arguments of a statement and the format of each. The server infers their types: int64 is a bigint,
// []int64 a bigint[], []byte a bytea. A nil is null, and so is a nil []byte.
func encode(args []any) (values [][]byte, formats []int16, err error) {
	values, formats = make([][]byte, len(args)), make([]int16, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case nil:
		case string:
			values[i] = []byte(arg)
		case *string:
			if arg != nil {
				values[i] = []byte(*arg)
			}
		case int64:
			values[i] = strconv.AppendInt(nil, arg, 10)
		case bool:
			values[i] = strconv.AppendBool(nil, arg)
		case []byte:
			values[i], formats[i] = arg, isBinary
		case []int64:
			values[i] = appendArray(nil, arg)
		default:
			return nil, nil, fmt.Errorf("argument %d is a %T, which no statement takes", i+1, arg)
		}
	}
	return values, formats, nil
}

// appendArray appends a bigint[] in text format: {1,2}.
func appendArray(b []byte, numbers []int64) []byte {
	b = append(b, '{')
	for i, n := range numbers {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, n, 10)
	}
	return append(b, '}')
}

// rowValues are the columns of a row in binary format, nil for null. They are valid until the next row is read.
type rowValues [][]byte

// scan writes each column to where its pointer points. For one that may be null that is another pointer, or bytes. What
// does not fit is an errUnreadable.
func (r rowValues) scan(to ...any) error {
	if len(r) != len(to) {
		return fmt.Errorf("%w: %d columns, not %d", errUnreadable, len(r), len(to))
	}
	for i, column := range r {
		if err := scan(column, to[i]); err != nil {
			return fmt.Errorf("column %d: %w", i+1, err)
		}
	}
	return nil
}

// lent is the bytes of a column as they lie in the buffer of the driver, valid as long as their row.
type lent []byte

func scan(value []byte, to any) (err error) {
	switch to := to.(type) {
	case **int64:
		return scanNullable(value, to)
	case **string:
		return scanNullable(value, to)
	case **time.Time:
		return scanNullable(value, to)
	case *[]byte:
		*to = nil
		if value != nil {
			*to = append([]byte{}, value...)
		}
		return nil
	case *lent:
		*to = value
		return nil
	}
	if value == nil {
		return fmt.Errorf("%w: a null for a %T", errUnreadable, to)
	}
	switch to := to.(type) {
	case *string:
		*to = string(value)
	case *int64:
		*to, err = bigint(value)
	case *int:
		var n int64
		if n, err = bigint(value); err == nil && int64(int(n)) != n {
			err = fmt.Errorf("%w: a number out of range", errUnreadable)
		}
		*to = int(n)
	case *bool:
		if len(value) != 1 || value[0] > 1 {
			return fmt.Errorf("%w: no boolean", errUnreadable)
		}
		*to = value[0] == 1
	case *time.Time:
		*to, err = timestamp(value)
	default:
		return fmt.Errorf("a column for a %T, which no statement returns", to)
	}
	return err
}

// scanNullable is scan for a column that may be null.
func scanNullable[T any](value []byte, to **T) error {
	*to = nil
	if value == nil {
		return nil
	}
	v := new(T)
	if err := scan(value, v); err != nil {
		return err
	}
	*to = v
	return nil
}

func bigint(value []byte) (int64, error) {
	if len(value) != 8 {
		return 0, fmt.Errorf("%w: no bigint", errUnreadable)
	}
	return int64(binary.BigEndian.Uint64(value)), nil
}

// epoch is the moment from which a timestamptz counts microseconds: 2000-01-01 UTC, in seconds of Unix.
const epoch = 946684800

// timestamp reads a timestamptz. Its infinities are errors: no function returns them.
func timestamp(value []byte) (time.Time, error) {
	n, err := bigint(value)
	if err != nil || n == math.MaxInt64 || n == math.MinInt64 {
		return time.Time{}, fmt.Errorf("%w: no timestamptz", errUnreadable)
	}
	const second = 1_000_000
	return time.Unix(epoch+n/second, n%second*1000), nil
}
