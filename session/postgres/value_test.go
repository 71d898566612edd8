//go:build unix

package postgres

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/kfw-dev/kfw/internal/testpg"
)

// randomValue returns a bigint, its extremes among them, a text with what needs quotes somewhere, and bytes.
func randomValue(r *rand.Rand) (number int64, text string, content []byte) {
	number = []int64{0, 1, -1, math.MaxInt64, math.MinInt64, int64(r.Uint64())}[r.IntN(6)]
	characters := []rune("a'\"\\{},\n\t\x01é€😀$1")
	var b strings.Builder
	for range r.IntN(20) {
		b.WriteRune(characters[r.IntN(len(characters))])
	}
	content = make([]byte, r.IntN(1<<r.IntN(18)))
	for i := range content {
		content[i] = byte(r.Uint32())
	}
	return number, b.String(), content
}

// TestValues: what is sent comes back, whatever format the server would give it as text, also through a pool.
func TestValues(t *testing.T) {
	s := server(t)
	odd := []string{"datestyle", "German", "timezone", "Asia/Kathmandu"}
	for name, url := range map[string]string{
		"by itself": s.URL(""),
		"odd":       s.URL("", append(odd, "bytea_output", "escape", "intervalstyle", "sql_standard")...),
		"pool":      testpg.URL(testpg.User, testpg.Pool(t).Dir, "", odd...),
	} {
		c := connection(t, url)
		t.Cleanup(func() { _ = c.Close(context.Background()) })
		ask := func(sql string, args []any, to ...any) error { return asking(sql, args, to)(context.Background(), c) }
		r := rand.New(rand.NewPCG(7, 7))
		for range 100 {
			number, text, content := randomValue(r)
			isTrue := r.IntN(2) == 0
			numbers := make([]int64, r.IntN(4))
			for i := range numbers {
				numbers[i], _, _ = randomValue(r)
			}
			at := time.Date(1+r.IntN(9999), 1, r.IntN(366), 0, 0, r.IntN(86400), r.IntN(1_000_000)*1000, time.UTC)
			var gotNumber int64
			var gotText, gotNumbers string
			var gotContent []byte
			var gotTrue bool
			var gotAt time.Time
			check(t, ask(`SELECT $1::bigint, $2::text, $3::bytea, $4::boolean, array_to_string($5::bigint[], ' '),
				$6::text::timestamptz`, []any{number, text, content, isTrue, numbers, at.Format(time.RFC3339Nano)},
				&gotNumber, &gotText, &gotContent, &gotTrue, &gotNumbers, &gotAt))
			if gotNumber != number || gotText != text || !bytes.Equal(gotContent, content) || gotTrue != isTrue ||
				gotNumbers != strings.Trim(fmt.Sprint(numbers), "[]") || !gotAt.Equal(at) {
				t.Fatalf("%s: %d, %q, %d bytes, %v, %v, %v came back as %d, %q, %d bytes, %v, %v, %v", name, number, text,
					len(content), isTrue, numbers, at, gotNumber, gotText, len(gotContent), gotTrue, gotNumbers, gotAt)
			}
		}
		number, text, at := new(int64), new(string), new(time.Time)
		content := []byte("before")
		check(t, ask("SELECT $1::bigint, $2::text, $3::bytea, NULL::timestamptz", []any{nil, (*string)(nil), []byte(nil)},
			&number, &text, &content, &at))
		if number != nil || text != nil || content != nil || at != nil {
			t.Errorf("%s: nulls came back as %v, %v, %q, %v", name, number, text, content, at)
		}
		full := "text"
		check(t, ask("SELECT 7::bigint, $1::text, $2::bytea, $3::boolean", []any{&full, []byte{}, true}, &number, &text,
			&content, new(bool)))
		if *number != 7 || *text != full || content == nil {
			t.Errorf("%s: %d, %q, empty bytes are nil: %v", name, *number, *text, content == nil)
		}
		for sql, to := range map[string]any{
			"SELECT NULL::bigint": new(int64), "SELECT NULL::text": new(string), "SELECT 1": new(int64),
			"SELECT 'infinity'::timestamptz": new(time.Time), "SELECT now()::date": &at, "SELECT 'no'": new(bool),
			"SELECT 1::bigint WHERE false": new(int64), "SELECT 1::bigint, 2::bigint": new(int64),
		} {
			err := ask(sql, nil, to)
			said := must[*Place](t)(Parse(url)).explain(err, time.Second)
			if !errors.Is(err, errUnreadable) || !strings.Contains(said.Error(), "can't read") {
				t.Errorf("%s: %s: %v, which means %v", name, sql, err, said)
			}
		}
		if err := ask("SELECT $1", []any{1}, new(string)); err == nil || !strings.Contains(err.Error(), "argument 1") {
			t.Errorf("an argument of another type: %v", err)
		}
		if err := ask("SELECT 1::bigint", nil, new(float64)); err == nil {
			t.Error("a column of another type is no error")
		}
	}
}

// FuzzScan: a column from a server is what it says, or an error.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{"", "\x00", "\x01", "\x02", "text", "\x00\x00\x00\x07",
		"\x00\x00\x00\x00\x00\x00\x00\x07", "\x7f\xff\xff\xff\xff\xff\xff\xff",
		"\x80\x00\x00\x00\x00\x00\x00\x00", "\xff\xff\xff\xff\xff\xff\xff\xff",
		"\x00\x02\xf9\xd5\x2b\x9c\x1d\x07", "123456789"} {
		f.Add([]byte(seed))
	}
	bigint := func(n int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }
	timestamptz := func(t time.Time) []byte {
		return bigint((t.Unix()-epoch)*1_000_000 + int64(t.Nanosecond()/1000))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		var number, maybe int64
		var whole int
		var isTrue bool
		var text string
		var content []byte
		var block lent
		var at time.Time
		pointer := &maybe
		isBigint := len(value) == 8
		isMoment := isBigint && !bytes.Equal(value, bigint(math.MaxInt64)) && !bytes.Equal(value, bigint(math.MinInt64))
		for _, c := range []struct {
			to      any
			isValid bool
			again   func() []byte
		}{
			{&number, isBigint, func() []byte { return bigint(number) }},
			{&whole, isBigint, func() []byte { return bigint(int64(whole)) }},
			{&pointer, isBigint, func() []byte { return bigint(*pointer) }},
			{&isTrue, len(value) == 1 && value[0] < 2, func() []byte {
				if isTrue {
					return []byte{1}
				}
				return []byte{0}
			}},
			{&at, isMoment, func() []byte { return timestamptz(at) }},
			{&text, true, func() []byte { return []byte(text) }},
			{&content, true, func() []byte { return content }},
			{&block, true, func() []byte { return block }},
		} {
			buffer := append([]byte{}, value...)
			err := rowValues{buffer}.scan(c.to)
			if _, isLent := c.to.(*lent); !isLent {
				clear(buffer) // as the driver does with the next row
			}
			if _, isInt := c.to.(*int); isInt && math.MaxInt == math.MaxInt32 && err != nil {
				continue // it has no room for each bigint
			}
			switch {
			case c.isValid && err != nil || !c.isValid && !errors.Is(err, errUnreadable):
				t.Errorf("%x for a %T: %v", value, c.to, err)
			case err == nil && !bytes.Equal(c.again(), value):
				t.Errorf("%x for a %T is %v", value, c.to, reflect.ValueOf(c.to).Elem())
			}
			if err := (rowValues{value, value}).scan(c.to); !errors.Is(err, errUnreadable) {
				t.Errorf("two columns for one: %v", err)
			}
		}
	})
}
