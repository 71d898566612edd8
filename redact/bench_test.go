package redact

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// cleanLogs is a million bytes of records that hold nothing.
var cleanLogs = func() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, `{"ts":"2026-04-01T%02d:%02d:%02d.%03dZ","level":"info","service":"orders","msg":"request %d handled in %d ms, cache key miss","request_id":"%08x-4f9a-41c7-be4f-%012x","status":200}`+"\n",
			i/3600%24, i/60%60, i%60, i%1000, i, i%700, i*2654435761%(1<<32), i*40503%(1<<40))
	}
	return b.Bytes()
}()

// denseLogs is full of matches.
var denseLogs = []byte(strings.Repeat(
	`{"user":"mara.lind@example.org","phone":"+44 20 7946 0958","card":4012888888881881,"password":"x","log":"token=7hQ2mX9kV47hQ2mX9kV4 \u0067hp_`+
		strings.Repeat("7hQ2mX9kV4", 4)+`"}`+"\n", 4000))

// settings are lines of which each gives a secret to a name.
var settings = []byte(strings.Repeat("DB_PASSWORD=tr0ub4dor7hQ2m\nexport AWS_SECRET_ACCESS_KEY=\""+
	strings.Repeat("7hQ2mX9kV4", 4)+
	"\"\n  api_key: 4f9a01c7be4f9a01c7be4f9a01c7be4f\nDATABASE_URL=postgres://app:tr0ub4dor@db.internal:5432/shop\nGITHUB_TOKEN=ghp_"+
	strings.Repeat("7hQ2mX9kV4", 4)+"\n", 4000))

// persons is a table of who they are, how they pay and where to call them.
var persons = []byte(strings.Repeat(
	"4711,Mara,Lind,mara.lind@example.org,(212) 555-0187,4012 8888 8888 1881,219-09-9991\n"+
		"4712,Olga,Weber,olga@example.org,+44 20 7946 0958,4012888888881881,219-09-9992\n", 6000))

func benchmarkReader(b *testing.B, input []byte, f Format) {
	rules := compile(b, Options{Groups: All})
	source := bytes.NewReader(input)
	x := NewReader(nil, rules, f)
	buf := make([]byte, 32<<10)
	b.SetBytes(int64(len(input)))
	b.ReportAllocs()
	for b.Loop() {
		source.Reset(input)
		x.in, x.err, x.ended = source, nil, false
		for {
			if _, err := x.Read(buf); err == io.EOF {
				break
			}
		}
	}
}

func BenchmarkReaderClean(b *testing.B) { benchmarkReader(b, cleanLogs, JSON) }
func BenchmarkReaderDense(b *testing.B) { benchmarkReader(b, denseLogs, JSON) }

func BenchmarkReaderSettings(b *testing.B) { benchmarkReader(b, settings, Lines) }
func BenchmarkReaderPersons(b *testing.B)  { benchmarkReader(b, persons, Lines) }

// One line has no end at which whole lines could be passed on.
func BenchmarkReaderOneLine(b *testing.B) {
	benchmarkReader(b, bytes.ReplaceAll(cleanLogs, []byte("\n"), []byte(",")), JSON)
}

func BenchmarkTextClean(b *testing.B) {
	x := compile(b, Options{Groups: All}).Text()
	var out []byte
	b.SetBytes(int64(len(cleanLogs)))
	b.ReportAllocs()
	for b.Loop() {
		for part := cleanLogs; len(part) > 0; part = part[min(len(part), 4096):] {
			out = x.Append(out[:0], part[:min(len(part), 4096)])
		}
		out = x.Flush(out[:0])
	}
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		compile(b, Options{Groups: All})
	}
}

// A line of JSON costs as much per byte, however long it is and however many
// anchors without a match it has: to be read beside the same of a text.
func BenchmarkAnchors(b *testing.B) {
	rules := compile(b, Options{Groups: All})
	for _, kind := range []struct{ name, head, anchor, tail string }{
		{"JSON", `{"a":"`, "@ password ", `"}`},
		{"a key", `{"a":"`, "the password ", `"` + strings.Repeat(" ", 20<<10) + `,"b":1}`},
		{"strings", `{"a":["@"`, `,"password policy"`, `]}`},
		{"text", "a ", "@ password ", ""},
	} {
		for _, size := range []int{500, 5000, 50000} {
			line := []byte(kind.head + strings.Repeat(kind.anchor, size/len(kind.anchor)) + kind.tail + "\n")
			f := newFilter(rules.set, rules.Text())
			f.start(Lines)
			b.Run(fmt.Sprintf("%s of %d", kind.name, size), func(b *testing.B) {
				b.SetBytes(int64(len(line)))
				for b.Loop() {
					f.clean.Begin(line)
					if end, _ := f.clean.WholeLines(line, 0, len(line), false, &f.lines); end == 0 {
						b.Fatal("not clean")
					}
				}
			})
		}
	}
}

// A match costs as much, however many others and however many escapes it stands among.
func BenchmarkMatches(b *testing.B) {
	x := compile(b, Options{Groups: All})
	for _, size := range []int{500, 2000, 8000} {
		line := []byte(`["` + strings.Repeat(`a@b.cc\u0020`, size/12) + `"]`)
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			var out []byte
			for b.Loop() {
				out = x.Value(out[:0], line, JSON)
			}
		})
	}
}

// commandsAlone are programs and flags without a value.
var commandsAlone = []byte(strings.Repeat("mysql -p ", 20_000) + "\n" + strings.Repeat("curl -u ", 20_000) + "\n")

func BenchmarkReaderCommands(b *testing.B) { benchmarkReader(b, commandsAlone, Lines) }
