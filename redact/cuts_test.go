package redact

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// made up draws texts of what rules look for and at, in every order: names, signs between, values, markers, numbers.
type madeUp struct{ *rand.Rand }

func (m madeUp) of(all ...string) string { return all[m.IntN(len(all))] }

func (m madeUp) value() string {
	const alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	v := make([]byte, 4+m.IntN(40))
	for i := range v {
		v[i] = alphabet[m.IntN(len(alphabet))]
	}
	if m.IntN(8) == 0 {
		const signs = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ aZ1\n"
		v = v[:1+m.IntN(4)]
		for i := range v {
			v[i] = signs[m.IntN(len(signs))]
		}
		return string(v)
	}
	if m.IntN(300) == 0 { // longer than what is looked at
		v = bytes.Repeat(v, 20+m.IntN(300))
	}
	return m.of("", "", "ghp_", "glpat-", "sk_live_", "tskey-", "pcsk_", "AKIA", "eyJ") + string(v)
}

func (m madeUp) name() string {
	return m.of("", "", "db", "y", "algolia", "cache", "client", "the", "X") +
		m.of("", " ", "_", "-", ".", "=", ":", "/") +
		m.of("password", "key", "token", "secret", "api_key", "session", "auth", "private", "Authorization",
			"full name", "pin", "name", "value")
}

func (m madeUp) sign() string {
	return m.of("=", ": ", " = ", " ", ":", "='", `="`, "'", `"`, " => ", "_", "-", ".", " is ", "\t", ", ", "(",
		"[", "' | '", "&", "?",
		";", "/", `\`, "%20", "\u00a0", "\u200b", " + ", "#", "@", "${", "}", "<", ">", "  ", "          = ",
		":\t\t          ", ": |\n  ",
		`<ns:password x="y">`, "<password><![CDATA[", "]]></", "</", "</key>\n <string>", `="""`,
		`<input type="password" `, ` value="`)
}

func (m madeUp) text() string {
	var b strings.Builder
	for range 1 + m.IntN(7) {
		switch m.IntN(9) {
		case 0, 1, 2:
			b.WriteString(m.name())
		case 3, 4:
			b.WriteString(m.sign())
		case 5, 6:
			b.WriteString(m.value())
		case 7:
			b.WriteString(m.of("+604800000", "\n+2031-05-06", "+2147483647 ns", "+44 20 7946 0958",
				"4012888888881881", "219-09-9991", "571 612 1056", "1 2 3", " 4012 8888 8888 1881", "+33 6 12 34 ",
				" 12 ", "030 112 345 "))
		case 8:
			b.WriteString(m.of("mara@example.org", "https://u:p4ss@db", "[REDACTED:token]", "Basic YTpi",
				"-----BEGIN PRIVATE KEY-----", "words of prose", "0x1f",
				"docker login -p ", "redis-cli -a ", "smbclient -U x%", "xfreerdp /p:", "sqlplus -S x/",
				"jdbc:oracle:thin:x/", "@db",
				"\nrequirepass ", "psk=", "enable secret 5 ", "\n password 7 ", `" -> "`, `" { default = "`,
				"{:password, \""))
		}
	}
	return b.String()
}

func (m madeUp) row() string {
	separator := m.of(",", ";", "\t", "|", " | ", "  ", "    ")
	cells := []string{m.of("", "id", "1")}
	for range 1 + m.IntN(3) {
		cells = append(cells, m.of(m.name(), m.value(), `"`+m.value()+`"`, "", "---"))
	}
	return strings.Join(cells, separator)
}

// command is a command line as a script, a list or YAML has it.
func (m madeUp) command() string {
	argv := append([]string{}, lineOf(&names.Synopses()[m.IntN(len(names.Synopses()))])...)
	for range m.IntN(3) {
		argv = slices.Insert(argv, m.IntN(len(argv)+1), m.of("-v", "--", "x y", "login", "-p", "-u", "mysql", "use",
			m.value()))
	}
	quote := m.of(`"`, "'")
	switch m.IntN(4) {
	case 0:
		return strings.Join(argv, m.of(" ", " ", " \\\n", " \\\r\n  ", " `\n", "; ", " | ")) +
			m.of("", " x", " && true")
	case 1:
		return m.of("CMD [", "run([") + quote + strings.Join(argv, quote+m.of(",", ", ", " , ")+quote) + quote +
			m.of("]",
				"", ", x])")
	case 2:
		indent := m.of("", "  ")
		return "args:\n" + indent + "- " + m.of("", quote) + strings.Join(argv,
			m.of("", quote)+"\n"+indent+"- "+m.of("", quote)) + "\nname: x"
	}
	line, _ := json.Marshal(argv)
	return m.of("", `{"a":`) + string(line) + m.of("", "}")
}

func (m madeUp) line() string {
	blanks := m.of("", "", "", " ", "  ", "\t", "\xef\xbb\xbf", "\xef\xbb\xbf ")
	switch m.IntN(16) {
	case 14, 15:
		return blanks + m.command()
	case 12: // of a table, and one more of it
		return blanks + m.row() + "\n" + m.row()
	case 13: // which says what the next one is
		next := m.of("", "  ", "- ", "  - ", "\n", "value: ") + m.of("", `"`) + m.value() + m.of("", `"`, " # x")
		return blanks + m.of("", "- ", "  ") + m.of(m.name()+":", m.name()+": |", "name: "+m.name(), "- --"+m.name(),
			`Content-Disposition: form-data; name="`+m.name()+`"`) +
			"\n" + m.of("", "\n", "  ") + next
	case 9: // in a string
		return blanks + m.of(`{"body":`, `["x",`) +
			asString(m.of("", "", "text\n", m.text())+m.of(m.line(), m.valueOf(3), m.broken(m.valueOf(3)))) +
			m.of("}", "]", "")
	case 11: // that begins as a value does
		return blanks + m.of(`{"body":`, `["x",`) +
			asString(m.of("", "", "text\n")+m.of("[", "{", "[ ", "{ 2 ", "[1, ")+m.text()) + m.of("}", "]", "")
	case 10: // in a line of text
		return blanks + m.of("data: ", "[INFO] ", m.text()) + m.of(m.valueOf(3), m.broken(m.valueOf(3))) + m.text()
	case 7: // broken, after one that is clean
		return m.of(`{"name":1}`, `{"value":[]}`, `{"log":"a"}`) + "\n" + m.of(":", "{:", "[1:", ",:") +
			m.of(asString(m.name())+`,"value":`, "") + asString(m.text()) +
			m.of("}", "]", "", `,"log":`+asString(m.value()))
	case 8: // of pairs
		if m.IntN(3) == 0 {
			return blanks + m.of(`[`, `{"a":[`, "{\"a\":1,\"cmd\":[\n") +
				asString(m.of("curl", "/usr/bin/mysql", "docker", "sshpass", "redis-cli", "x")) +
				m.of(",", "\n,", ",\n") +
				m.of("", `"login",`, `"-h","db",`, `1,`) + asString(m.of("-p", "-u", "-a", "-pa1b2c3", "--token")) +
				m.of(",", "\n, ", ",{},") + asString(m.of("", "", "mara:")+m.value()) + m.of("]", "]}", "")
		}
		return blanks + m.of(`{"x":[[`, `[`, `{"name":`, `{"a":1,"Key":`, `{"ParameterKey":`) + m.of("", "\n") +
			asString(m.name()) +
			m.of(`,`, `,"b":{"x":1},`, `,"b":[{"y":[]}`, "\n,", `,"name":"x"},{`) +
			m.of(`"value":`, `"Value": `, `"ParameterValue":`, "") + asString(m.value()) +
			m.of("}", "]", "]]}", "},\n", "")
	case 5: // of a log shipper
		text := []byte(asString(m.text()))
		if len(text) > 3 {
			text = append(text[:1+m.IntN(len(text)-2)], '"')
		}
		return blanks + `{"log":` + string(text) + m.of("}", "}", "", `,"b":["x `+m.value()+`"]}`)
	case 6:
		return blanks + m.of(`{"a":[`, `{"log":{`, `["x",`, `{`) + m.of("", "\n ", "\n") + asString(m.name()) +
			m.of(":", " :\n", ",", "\n,") + asString(m.text()) +
			m.of("", "\n") + m.of("]}", "}}", "]", ",\n\"b\":1}", "}")
	case 0, 1:
		return blanks + m.text()
	case 2:
		return blanks + `{` + asString(m.name()) + m.of(":", ": ", "") + asString(m.text()) + m.of("}", "", ",", " x}")
	case 3:
		return blanks + `{"a":` + m.of("1", "[1, +604800000]", "+604800000", "tru", `"b"`) + `,` +
			asString(m.of("name", "key", "log")) + `:` +
			asString(m.name()) + `,"value":` + asString(m.value()) + m.of("}", "}", "} "+m.text())
	}
	return blanks + m.of(m.of("name: ", "- name: ", "key = ")+m.name(), "<key>"+m.name()+"</key>", m.name()+": |")
}

// broken takes a byte out of a value, or puts one in.
func (m madeUp) broken(value string) string {
	at := m.IntN(len(value))
	return value[:at] + m.of("", "", "x", "{", "\"", "$", "\n", ": ", "[REDACTED:pin]", ":[REDACTED:token:3]",
		"\uff02", "%22") + value[min(len(value), at+m.IntN(2)):]
}

// However an input is cut, what comes out is the same, where a line is passed as clean in one piece.
func TestCutsOfSome(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, in := range []string{
		"password: mara internationalizationalists",
		"{\"log\":\"a\"}\n{:\"x ghp_7hQ2mX9kV47hQ2mX\"}\n{\"log\":\"9kV47hQ2mX9kV47hQ2mX9kV4\"}\n",
		"{\"log\":\"a\"}\n[:\"x ghp_7hQ2mX9kV47hQ2mX\"]\n{\"log\":\"9kV47hQ2mX9kV47hQ2mX9kV4\"}\n",
		"{\"log\":\"a\"}\n{\"b\" \"x ghp_7hQ2mX9kV47hQ2mX\"}\n{\"log\":\"9kV47hQ2mX9kV47hQ2mX9kV4\"}\n",
		"{\"log\":\"a\"}\n:\"x ghp_7hQ2mX9kV47hQ2mX\"\n{\"log\":\"9kV47hQ2mX9kV47hQ2mX9kV4\"}\n",
		"{\"name\":1}\n:\"password\",\"value\":\"tr0ub4dor\"}\n",
		"{\"name\":1}\n{:\"password\",\"value\":\"tr0ub4dor\"}\n",
		"a\n\xef\xbb\xbf +604800000\n",
		"{\"e\"\"value\":\"\"\n\ufeff\"pin\"x\n",
		"{\"id\":1,\"value\":\"tr0ub4dor\",\"sub\":{\"a\":1},\n\"name\":\"password\"}\n",
		"\"0A\",\"B keY\"\nA000  PW,     0000000A00",
		"id\t0A\tpAssw00d\tamount\n0\t0\t12.50\n",
		"{\"columns\":[\"id\",\"passw80d\"],\"rows\":[[\"\",\"0\"]]}\n",
	} {
		want := redacted(t, rules, Auto, []byte(in))
		got, err := readAll(t, NewReader(&pieces{[]byte(in), one, io.EOF}, rules, Auto))
		if err != io.EOF || !bytes.Equal(got, want) {
			t.Errorf("byte by byte\n%s\nin one piece\n%s", got, want)
		}
	}
}

// However an input is cut, what comes out is the same, of all that looks like secrets and is not.
func TestCutsOfWhatIsMadeUp(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	whole, cut := NewReader(nil, rules, Auto), NewReader(nil, rules, Auto)
	m := madeUp{rand.New(rand.NewPCG(3, 5))}
	redact := func(x *Reader, in io.Reader, f Format) []byte {
		x.Reset(in, f)
		var out bytes.Buffer
		if _, err := x.WriteTo(&out); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	for range testdepth.Cases(15_000) {
		var in []byte
		for range 1 + m.IntN(4) {
			in = append(append(in, m.line()...), '\n')
		}
		for _, format := range []Format{Auto, Lines} {
			want := redact(whole, bytes.NewReader(in), format)
			for how, next := range map[string]func() int{"byte by byte": one, "in pieces": someOf(m.Uint64(), false)} {
				if got := redact(cut, &pieces{in, next, io.EOF}, format); !bytes.Equal(got, want) {
					t.Fatalf("%s\n%s\nin one piece\n%s\nof\n%s\n%q", how, got, want, in, in)
				}
			}
		}
	}
}
