package redact

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/detect"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// randomID returns a number in a layout of names.IdForm, without separators.
func randomID(r *rand.Rand, layout string) string {
	var b strings.Builder
	for _, kind := range layout {
		switch kind {
		case 'd':
			b.WriteByte(byte('0' + r.IntN(10)))
		case 'L':
			b.WriteByte(byte('A' + r.IntN(26)))
		case 'X':
			b.WriteByte("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[r.IntN(36)])
		case '_':
		default:
			b.WriteRune(kind)
		}
	}
	return b.String()
}

// Each form takes more numbers without a checksum than with one, and none that goes on.
func TestIDForms(t *testing.T) {
	const tries = 60000
	r := rand.New(rand.NewPCG(1, 2))
	for _, x := range detect.NationalIDs(names.NewNames()) {
		f, isNamed := x.Form.(*names.Named)
		if !isNamed {
			continue
		}
		for _, form := range f.Phrases[0].Formats {
			taken, summed := 0, 0
			for range tries {
				id := []byte(randomID(r, form.Layout))
				if n := form.Read(id, false); n > 0 {
					taken++
					if n != len(id) {
						t.Fatalf("%s: %s: %d bytes are read", x.Name, id, n)
					}
					if forms := []*names.IDFormat{form}; names.ReadID(forms, append(id, '7'), 0, false) > 0 ||
						names.ReadID(forms,
							append(id, "-7"...), 0, false) > 0 {
						t.Fatalf("%s: %s is read where it goes on", x.Name, id)
					}
				}
				if form.Read(id, true) > 0 {
					summed++
				}
			}
			if form.Sum == nil && summed > 0 || form.Sum != nil && (summed == 0 && taken > 400 || summed*5 > tries) {
				t.Errorf("%s: of %d, %d have the form %s and %d the checksum", x.Name, tries, taken, form.Layout,
					summed)
			}
		}
	}
}

// A change of one digit is seen in what is found without a name, nearly always.
func TestBareIDs(t *testing.T) {
	rules := compile(t, Options{Groups: PII})
	for _, x := range detect.NationalIDs(names.NewNames()) {
		if _, isBare := x.Form.(detect.NationalID); !isBare {
			continue
		}
		found, all := 0, 0
		for i, c := range []byte(x.Example) {
			for _, d := range "0123456789" {
				if !lex.Digits.Has(c) || byte(d) == c {
					continue
				}
				changed := []byte(x.Example)
				changed[i] = byte(d)
				all++
				if bytes.Contains(whole(rules, changed), []byte(x.Name)) {
					found++
				}
			}
		}
		if found*10 > all {
			t.Errorf("%s: %d of %d changes are not seen", x.Name, found, all)
		}
	}
}

// Numbers of logs, dumps and tables are no numbers of persons.
func TestOrdinaryNumbers(t *testing.T) {
	all := compile(t, Options{Groups: All})
	r := rand.New(rand.NewPCG(3, 4))
	ids := make(map[string]bool)
	for _, x := range detect.NationalIDs(names.NewNames()) {
		ids[x.Name] = true
	}
	lines := []func() string{
		func() string {
			return fmt.Sprintf("%08x: %04x %04x %04x %04x %04x %04x %04x %04x", r.IntN(1<<30), r.IntN(1<<16),
				r.IntN(1<<16), r.IntN(1<<16), r.IntN(1<<16),
				r.IntN(1<<16), r.IntN(1<<16), r.IntN(1<<16), r.IntN(1<<16))
		},
		func() string { return fmt.Sprintf("%x %X", r.Uint64(), r.Uint64()) },
		func() string {
			return fmt.Sprintf("20%02d%02d%02d-%02d%02d%02d build %d of %d", r.IntN(30), 1+r.IntN(12), 1+r.IntN(28),
				r.IntN(24), r.IntN(60), r.IntN(60), r.IntN(1e6), r.IntN(1e9))
		},
		func() string {
			return fmt.Sprintf("%d %d %d", 1700000000000+r.Int64N(1e11), 1700000000+r.Int64N(1e8),
				1700000000000000+r.Int64N(1e14))
		},
		func() string {
			return fmt.Sprintf("id=%d parent=%d", r.Int64N(1e11), 100000000000000000+r.Int64N(8e17))
		},
		func() string { return fmt.Sprintf("%d\t%d\t%d rows", r.IntN(1e9), r.IntN(1e9), r.IntN(1e6)) },
		func() string { return fmt.Sprintf("%d.%d.%d-%d", r.IntN(30), r.IntN(999), r.IntN(999), r.IntN(100)) },
		func() string {
			return fmt.Sprintf("part %s of lot %s", randomID(r, "LLLLLddddL"), randomID(r, "ddddddddL"))
		},
	}
	const each = 3000
	found := 0
	for _, line := range lines {
		for range each {
			text := line()
			got := whole(all, []byte(text))
			for _, part := range bytes.Split(got, []byte(lex.MarkerStart))[1:] {
				if name, _, _ := bytes.Cut(part, []byte{']'}); ids[string(name)] {
					found++
					t.Logf("%q gives %q", text, got)
				}
			}
		}
	}
	if found > 0 {
		t.Errorf("%d of %d lines have a number of a person", found, each*len(lines))
	}
}

func TestForms(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, c := range []struct{ in, want string }{
		{`{"cpf":"038.298.099-99","name":"x"}`, `{"cpf":"[REDACTED:br_cpf]","name":"x"}`},
		{`{"aadhaar_number":286167039464}`, `{"aadhaar_number":[REDACTED:in_aadhaar]}`},
		{"<dni>34183595Y</dni>", "<dni>[REDACTED:es_dni]</dni>"},
		{"codice_fiscale = 'rssmra85t10a562s'", "codice_fiscale = '[REDACTED:it_codice_fiscale]'"},
		{"ИНН: 500100732259, СНИЛС 112-233-445 95", "ИНН: [REDACTED:ru_inn], СНИЛС [REDACTED:ru_snils]"},
		{"NIR 258077570612332 ok", "NIR [REDACTED:fr_nir] ok"},
		{"NIR 258077570612333 ok", "NIR 258077570612333 ok"},
		{"pan: ABCPL1234KX, span_id: ABCPL1234K, pan 12", "pan: ABCPL1234KX, span_id: ABCPL1234K, pan 12"},
		{"device: dni, nie: null, cpf: string, pan: true", "device: dni, nie: null, cpf: string, pan: true"},
		{"expand ABCPL1234K", "expand ABCPL1234K"},
		{"85.13.30-033.70 build, 85.27.30-033.71", "85.13.30-033.70 build, [REDACTED:be_nrn]"},
	} {
		if got := string(whole(rules, []byte(c.in))); got != c.want {
			t.Errorf("%q\ngives %q\n not %q", c.in, got, c.want)
		}
	}
}
