package redact

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// What a record gives does not depend on the names that records before it have, though
// those are known by then.
func TestNamesAreKnownForWhatTheyAre(t *testing.T) {
	values := []string{`"tr0ub4dor"`, `"plain words"`, `4012888888881881`, `["--token","q7Rm2xV9kLp4"]`,
		`{"name":"DB_PASSWORD","value":"x1"}`, `["-----BEGIN RSA PRIVATE KEY-----","note","-----END RSA PRIVATE KEY-----"]`}
	phone := ("+1 212 555 0187" + strings.Repeat(" or none", maxName))[:maxName] // none, if a letter stands before it
	names := []string{"x" + phone, phone, `note`, `password`, `name`, `value`, `--token`, `q7Rm2xV9kLp4`, `api key`, `ord`,
		`pass\u0077ord`, `\u200bord`, `\u0025ord`, `a@b.cc`, `a%252540b.cc`, `a%40b.cc`,
		`ghp_7hQ2mX9kV47hQ2mX9kV47hQ2mX9kV47hQ2mX9`, ``}
	rules := compile(t, Options{Groups: All})
	var records []string
	for i, name := range names {
		for j, value := range values {
			records = append(records, fmt.Sprintf(`{"%s":%s,"%s":["%s","%s",%s]}`+"\n",
				name, value, names[(i+j)%len(names)], names[(i+j+1)%len(names)], name, value))
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
