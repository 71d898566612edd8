package redact

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/kfw-dev/kfw/redact/internal/names"
)

// What a record gives does not depend on the names that records before it have, though
// those are known by then.
func TestNamesAreKnownForWhatTheyAre(t *testing.T) {
	values := []string{`"tr0ub4dor"`, `"plain words"`, `4012888888881881`, `["--token","q7Rm2xV9kLp4"]`,
		`{"name":"DB_PASSWORD","value":"x1"}`,
		`["-----BEGIN RSA PRIVATE KEY-----","note","-----END RSA PRIVATE KEY-----"]`}
	// none, if a letter stands before it
	phone := ("+1 212 555 0187" + strings.Repeat(" or none", names.MaxName))[:names.MaxName]
	sensitive := []string{"x" + phone, phone, `note`, `password`, `name`, `value`, `--token`, `q7Rm2xV9kLp4`,
		`api key`, `ord`,
		`pass\u0077ord`, `\u200bord`, `\u0025ord`, `a@b.cc`, `a%252540b.cc`, `a%40b.cc`,
		`ghp_7hQ2mX9kV47hQ2mX9kV47hQ2mX9kV47hQ2mX9`, ``}
	rules := compile(t, Options{Groups: All})
	var records []string
	for i, name := range sensitive {
		for j, value := range values {
			records = append(records, fmt.Sprintf(`{"%s":%s,"%s":["%s","%s",%s]}`+"\n",
				name, value, sensitive[(i+j)%len(sensitive)], sensitive[(i+j+1)%len(sensitive)], name, value))
		}
	}
	read := func(in io.Reader) string {
		out, err := io.ReadAll(NewReader(in, rules, JSON))
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	var single strings.Builder
	for _, record := range records {
		single.WriteString(read(strings.NewReader(record)))
	}
	text, want := strings.Repeat(strings.Join(records, ""), 2), strings.Repeat(single.String(), 2)
	if got := read(strings.NewReader(text)); got != want {
		t.Errorf("together\n%s\nin single\n%s", got, want)
	}
	if got := read(iotest.OneByteReader(strings.NewReader(text))); got != want {
		t.Errorf("byte by byte\n%s\nin single\n%s", got, want)
	}
}

// What a record gives depends neither on the records before it, nor on how many names there are and which of them are
// known still, nor on where the reads end.
func TestRecordsGiveTheSameInEveryOrder(t *testing.T) {
	value := `"q7Rm2xV9kLp4"`
	records := []string{`["password",` + value + `]`, `{"env":["PASSWORD=q7Rm2xV9kLp4"]}`,
		`{"cmd":["sh","-c","x --token q7Rm2xV9kLp4"]}`,
		`{"msg":"{\"password\":\"q7Rm2xV9kLp4\"}"}`, `{"log":"a\nb"}`, `{"level":"info","count":3}`, `[]`}
	for _, secret := range []string{"password", "DB_PASSWORD", "--token", "apiKey", "note", "Value", "key"} {
		for _, name := range []string{"name", "Name", "key", "Key", "variable"} {
			for _, given := range []string{"value", "Value", "values"} {
				records = append(records, fmt.Sprintf(`{"%s":"%s","%s":%s}`, name, secret, given, value),
					fmt.Sprintf(`{"%s":%s,"%s":"%s"}`, given, value, name, secret))
			}
		}
		records = append(records, fmt.Sprintf(`{"args":["%s",%s]}`, secret, value),
			fmt.Sprintf(`{"%s":%s}`, secret, value))
	}
	for i := range 2 * len(knownNames{}) {
		records = append(records, fmt.Sprintf(`{"field%d":"field%d","password%d":%s}`, i, i+1, i, value))
	}
	rules := compile(t, Options{Groups: All})
	read := func(in io.Reader) string {
		out, err := readAll(t, NewReader(in, rules, JSON))
		if err != io.EOF {
			t.Fatal(err)
		}
		return string(out)
	}
	single := make([]string, len(records))
	for i := range records {
		records[i] += "\n"
		single[i] = read(iotest.OneByteReader(strings.NewReader(records[i])))
	}
	rnd := rand.New(rand.NewPCG(7, 9))
	for range 50 {
		var in, want strings.Builder
		for range 2 {
			for _, i := range rnd.Perm(len(records)) {
				in.WriteString(records[i])
				want.WriteString(single[i])
			}
		}
		next := someOf(rnd.Uint64(), true)
		if got := read(&pieces{[]byte(in.String()), next, io.EOF}); got != want.String() {
			t.Fatalf("together\n%s\nin single\n%s", got, want.String())
		}
	}
}
