package redact

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/internal/testdepth"
)

func TestReader(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, c := range []struct{ name, in, want string }{
		{"any type", `{"password":"x","pwd":12,"passwd":{"a":[1]},"secret":[{"b":2}],"c":3}`,
			`{"password":"[REDACTED:password]","pwd":"[REDACTED:password]","passwd":{"a":["[REDACTED:password]"]},"secret":[{"b":"[REDACTED:secret]"}],"c":3}`},
		{"a value of two lines",
			"{\"password\":\"two\nlines\"\n,\"pin\":1234,\"password\":{\"a\":\"hunter2\"}}\n{\"password\":\"two\nlines\" hunter2}\n",
			"{\"password\":\"[REDACTED:password]\"\n,\"pin\":\"[REDACTED:pin]\",\"password\":{\"a\":\"[REDACTED:password]\"}}\n{\"password\":\"[REDACTED:password]\" \n"},
		{"nothing to hide", `{"password":"","pwd":null,"passwd":false}`, `{"password":"","pwd":null,"passwd":false}`},
		{"a name and a value on lines", "{\n\"name\":\"password\",\n\"value\":\"hunter2\"\n}\n",
			"{\n\"name\":\"password\",\n\"value\":\"[REDACTED:password]\"\n}\n"},
		{"a key in an array of lines", `["-----BEGIN PRIVATE KEY-----","MIIEnotakeyatall0123456789"]`,
			`["[REDACTED:private_key]","[REDACTED:private_key]"]`},
		{"a key with other signs", `{"user[password]":"hunter2"}` + "\n",
			`{"user[password]":"[REDACTED:password]"}` + "\n"},
		{"a name after an escape", `{"log":"{\"m\":\"x\\npin: 4711\"}"}` + "\n",
			`{"log":"{\"m\":\"x\\npin: [REDACTED:pin]\"}"}` + "\n"},
		{"a name and a value", `{"env":[{"name":"DB_PASSWORD","value":"x y"},{"name":"MODE","value":"fast"}],"value":"1"}` + "\n", `{"env":[{"name":"DB_PASSWORD","value":"[REDACTED:password]"},{"name":"MODE","value":"fast"}],"value":"1"}` + "\n"},
		{"a name on a line, its value on the next", "{\"a\":[]}\n{\"name\":\"DB_PASSWORD\",\n\"value\":\"x y\"}\n",
			"{\"a\":[]}\n{\"name\":\"DB_PASSWORD\",\n\"value\":\"[REDACTED:password]\"}\n"},
		{"a name on a line of YAML",
			"env:\n  - name: \"DB_PASSWORD\"\n    value: hunter\n  - name: MODE\n    value: fast\n",
			"env:\n  - name: \"DB_PASSWORD\"\n    value: \"[REDACTED:password]\"\n  - name: MODE\n    value: fast\n"},
		{"a name on a line of HCL", "  name  = \"API_KEY\"\r\n  value = \"made-up4f9a\"\r\n}\n",
			"  name  = \"API_KEY\"\r\n  value = \"[REDACTED:api_key]\"\r\n}\n"},
		{"a name on a line, but no value on the next",
			"- name: password\n  in: query\n- name: password\n{\"value\":\"x\"}\nvalue: fast\n",
			"- name: password\n  in: query\n- name: password\n{\"value\":\"x\"}\nvalue: fast\n"},
		{"a name and a value of a property list", "<key>db_password</key>\r\n  <string>hunter22</string>\n",
			"<key>db_password</key>\r\n  <string>[REDACTED:password]</string>\n"},
		{"a block of YAML", "  db_password: >-\n    hunter\n  api_key: |\n    7hQ2mX9kV4\n",
			"  db_password: >-\n    [REDACTED:password]\n  api_key: |\n    [REDACTED:api_key]\n"},
		{"a name and a value, and more between",
			`{"a":[{"name":"DB_PASSWORD","from":{"x":[1,{"value":"y"}]},"value":"x y"},{"value":"z"}],"value":"1"}` + "\n", `{"a":[{"name":"DB_PASSWORD","from":{"x":[1,{"value":"y"}]},"value":"[REDACTED:password]"},{"value":"z"}],"value":"1"}` + "\n"},
		{"a pair in a pair", `{"name":"x","a":{"name":"api_key","value":"x"},"value":"z"}{"name":"pwd","a":{"name":"y","value":"x"},"value":"z"}`, `{"name":"x","a":{"name":"api_key","value":"[REDACTED:api_key]"},"value":"z"}{"name":"pwd","a":{"name":"y","value":"x"},"value":"[REDACTED:password]"}`},
		{"a parameter of a template", `{"ParameterKey":"DBPassword","ParameterValue":"hunter"}`,
			`{"ParameterKey":"DBPassword","ParameterValue":"[REDACTED:password]"}`},
		{"a row", `{"headers":[["accept","a1b2c3d4e5"],["authorization","a1b2c3d4e5"],["token", "created_at", "sha256"],["x","token","a1b2c3d4e5"],["token", "a1b2c3d4e5"]]}`, `{"headers":[["accept","a1b2c3d4e5"],["authorization","[REDACTED:authorization]"],["token", "created_at", "sha256"],["x","token","a1b2c3d4e5"],["token", "[REDACTED:token]"]]}`},
		{"arguments of programs",
			`{"cmd":["/usr/bin/sshpass","-p","hunter two","ssh","-p","2222"],"a":["sudo","mysql","-uroot","-phunter","shop"],"b":["docker","login","-u","mara","-p","hunter"]}` + "\n", `{"cmd":["/usr/bin/sshpass","-p","[REDACTED:password]","ssh","-p","2222"],"a":["sudo","mysql","-uroot","-p[REDACTED:password]","shop"],"b":["docker","login","-u","mara","-p","[REDACTED:password]"]}` + "\n"},
		{"arguments of programs on lines", "[\n\"curl\",\n\"-u\",\n\"mara:hunter\"\n]\n",
			"[\n\"curl\",\n\"-u\",\n\"[REDACTED:user_password]\"\n]\n"},
		{"arguments of others", `{"a":["docker","run","-p","8080:80","x"],"b":["mysql","x"],"c":["-p","hunter"],"mysql":"-phunter","d":["curl",{"a":"-u"},"mara:hunter"]}` + "\n", `{"a":["docker","run","-p","8080:80","x"],"b":["mysql","x"],"c":["-p","hunter"],"mysql":"-phunter","d":["curl",{"a":"-u"},"mara:hunter"]}` + "\n"},
		{"arguments", `{"args":["x","--password","hunter","--token","--verbose"],"a":["--password","one of these","-p","x"]}` + "\n", `{"args":["x","--password","[REDACTED:password]","--token","--verbose"],"a":["--password","one of these","-p","x"]}` + "\n"},
		{"arguments on lines", "[\n\"--db-password\",\n\"hunter\",\n\"--password\",\n4,\n\"x\"\n]\n",
			"[\n\"--db-password\",\n\"[REDACTED:password]\",\n\"--password\",\n4,\n\"x\"\n]\n"},
		{"a name without a value", `{"name":"opened-password","a":{"b":["x"]}}` + "\n",
			`{"name":"opened-password","a":{"b":["x"]}}` + "\n"},
		{"escapes stay", `{"a":"\u00e9\/\n \ud83d\ude00 mara\u0040example.org\t"}`,
			`{"a":"\u00e9\/\n \ud83d\ude00 [REDACTED:email]\t"}`},
		{"keys", `{"mara@example.org":1,"\u0070assword":"x"}`,
			`{"[REDACTED:email]":1,"\u0070assword":"[REDACTED:password]"}`},
		{"numbers", `[4012888888881881,1234567890123,-1.5e3]`, `["[REDACTED:card_number]",1234567890123,-1.5e3]`},
		{"white space stays", "{ \"password\" : \"x\" ,\r\n \"a\" : 1 }\n\n",
			"{ \"password\" : \"[REDACTED:password]\" ,\r\n \"a\" : 1 }\n\n"},
		{"a key over lines", "{\"password\"\n:\n\"x\"}", "{\"password\"\n:\n\"[REDACTED:password]\"}"},
		{"weak names", `{"auth":"a1b2c3d4e5f6g7","auth":"basic","phone":5551230187}`,
			`{"auth":"[REDACTED:credential]","auth":"basic","phone":"[REDACTED:phone]"}`},
		{"broken: bare words", "{\"a\": password: hunter2}\n{\"a\":1}",
			"{\"a\": password: [REDACTED:password]}\n{\"a\":1}"},
		{"broken: bare value", "{\"password\": hunter2}\n{\"a\":1}",
			"{\"password\": \"[REDACTED:password]\"}\n{\"a\":1}"},
		{"of a program", "{\n\"api_key\": API_KEY,\n\"token\": `${TOKEN}`,\n\"a\":1}",
			"{\n\"api_key\": API_KEY,\n\"token\": `${TOKEN}`,\n\"a\":1}"},
		{"broken: a line end in a string", "{\"a\":\"b\nc\",\"password\":\"x y\"}\n{\"a\":1}",
			"{\"a\":\"b\nc\",\"password\":\"[REDACTED:password]\"}\n{\"a\":1}"},
		{"broken: a container without end", "{\"secret\":{\"a\":1\n{\"b\":\"x\"}\n{\"c\":1}",
			"{\"secret\":{\"a\":\"[REDACTED:secret]\"\n\"[REDACTED:secret]\"\n{\"c\":1}"},
		{"text", "# log\npassword: hunter2\r\n{\"password\":\"x\"}\nmara@example.org",
			"# log\npassword: \"[REDACTED:password]\"\r\n{\"password\":\"[REDACTED:password]\"}\n[REDACTED:email]"},
		{"a key block over lines",
			"x\n-----BEGIN PRIVATE KEY-----\nMII\n{\"a\":1}\n-----END PRIVATE KEY-----\n{\"a\":1}\n",
			"x\n[REDACTED:private_key]\n{\"a\":1}\n"},
		{"escapes in a text", "x\n[\"mara\\u0040example.org\"]\n", "x\n[\"[REDACTED:email]\"]\n"},
		{"escapes in a string that is a line", "x\n\"mara\\u0040example.org\"\n", "x\n\"[REDACTED:email]\"\n"},
		{"escapes after a prefix", `data: {"e":"mara\u0040example.org \u00e9"}`,
			`data: {"e":"[REDACTED:email] \u00e9"}`},
		{"escapes after a time", `2026-01-01 INFO {"e":"https:\/\/mara:hunter2@db\/x\/y"}`,
			`2026-01-01 INFO {"e":"https:\/\/mara:[REDACTED:url_password]@db\/x\/y"}`},
		{"escapes after what is broken", `{"a":1}x{"e":"mara\u0040example.org"}`, `{"a":1}x{"e":"[REDACTED:email]"}`},
		{"JSON in JSON", `["{\"e\":\"mara\\u0040example.org \\u00e9 \\u0022\"}"]`,
			`["{\"e\":\"[REDACTED:email] \\u00e9 \\u0022\"}"]`},
		{"JSON in JSON in a text", `x {"e":"{\"e\":\"mara\\u0040example.org\"}"}`,
			`x {"e":"{\"e\":\"[REDACTED:email]\"}"}`},
		{"JSON in JSON in JSON", `["mara\\\\u0040example.org mara\u005cu0040example.org"]`,
			`["[REDACTED:email] [REDACTED:email]"]`},
		{"a name in JSON in JSON", `["{\"pass\\u0077ord\":\"hun\\u0074er2\"}"]`,
			`["{\"pass\\u0077ord\":\"[REDACTED:password]\"}"]`},
		{"an escaped quote is of its string", `data: {"password":"hun\u0022ter2\u000ax","a":1}`,
			`data: {"password":"[REDACTED:password]","a":1}`},
		{"escaped quotes around all", `data: {\u0022password\u0022:\u0022hunter2\u0022,\u0022a\u0022:1}`,
			`data: {\u0022password\u0022:\u0022[REDACTED:password]\u0022,\u0022a\u0022:1}`},
		{"an escape that ends nowhere", "a\\u00\nb\\u004\\u0040\\\n\\\\\\/", "a\\u00\nb\\u004\\u0040\\\n\\\\\\/"},
		{"a byte order mark", "\xef\xbb\xbf{\"e\":\"mara\\u0040example.org\",\"password\":\"x y\"}",
			"\xef\xbb\xbf{\"e\":\"[REDACTED:email]\",\"password\":\"[REDACTED:password]\"}"},
		{"one before a line", "x\n\xef\xbb\xbf {\"password\":\"x y\"}\n\xef\xbbx\n",
			"x\n\xef\xbb\xbf {\"password\":\"[REDACTED:password]\"}\n\xef\xbbx\n"},
		{"one before a value", "{}\n\xef\xbb\xbf{\"password\":\"x y\"}\n",
			"{}\n\xef\xbb\xbf{\"password\":\"[REDACTED:password]\"}\n"},
		{"floats", `[4012888888881881.0,4.012888888881881e15,4.012888888881881E+15,40128888888818810e-1,40128888.88881881e8,4012888888881881.00]`, `["[REDACTED:card_number]","[REDACTED:card_number]","[REDACTED:card_number]","[REDACTED:card_number]","[REDACTED:card_number]","[REDACTED:card_number]"]`},
		{"floats that are no cards",
			`[4012888888881881.5,4.012888888881881e14,4.012888888881881e-15,4012888888881882.0,0.0000e999]`,
			`[4012888888881881.5,4.012888888881881e14,4.012888888881881e-15,4012888888881882.0,0.0000e999]`},
		{"floats in a text", "a;4012888888881881.0;4.012888888881881e15;v4012888888881881.0.1\n4012888888881881.",
			"a;[REDACTED:card_number];[REDACTED:card_number];v4012888888881881.0.1\n[REDACTED:card_number]."},
		{"broken: no colon", "{\"password\" x \"hunter2\"}\n{\"a\":1}",
			"{\"password\" \"[REDACTED:password]\"\n{\"a\":1}"},
		{"broken: no colon, a string", "{\"a\":1,\"password\" \"hunter2\"}\n{\"a\":1}",
			"{\"a\":1,\"password\" \"[REDACTED:password]\"\n{\"a\":1}"},
		{"broken: no colon, a number", "{\"password\" 12 \"hunter2\"}\n{\"a\":1}",
			"{\"password\" \"[REDACTED:password]\"\n{\"a\":1}"},
		{"broken: no colon, an object", "{\"password\" {\"x\":\"hunter2\"}}\n{\"a\":1}",
			"{\"password\" \"[REDACTED:password]\"\n{\"a\":1}"},
		{"broken: another sign", "{\"password\"=\"hunter2\"}\n{\"a\":1}",
			"{\"password\"\"[REDACTED:password]\"\n{\"a\":1}"},
		{"broken: two colons", `{"password"::"hunter2","a":1}`, `{"password"::"[REDACTED:password]","a":1}`},
		{"broken: a comma too many", "{\"password\":,\"hunter2\"}\n{\"a\":1}",
			"{\"password\":\"[REDACTED:password]\"\n{\"a\":1}"},
		{"broken: a quote in the value", "{\"password\":\"hun\"ter2\",\"a\":1}\n{\"a\":1}",
			"{\"password\":\"[REDACTED:password]\"\n{\"a\":1}"},
		{"broken: after a number", "{\"pin\":1234 5678}\n{\"a\":1}", "{\"pin\":\"[REDACTED:pin]\" \n{\"a\":1}"},
		{"a value that would be a key", "{\"a\":\"password\",\"b\":[\"password\",\"x\"]}{\"a\":\"password\"}\n",
			"{\"a\":\"password\",\"b\":[\"password\",\"x\"]}{\"a\":\"password\"}\n"},
		{"a log that begins with a bracket", "[INFO] password=hunter2\n[REDACTED:email] x\n",
			"[INFO] password=[REDACTED:password]\n[REDACTED:email] x\n"},
	} {
		if got := string(redacted(t, rules, Auto, []byte(c.in))); got != c.want {
			t.Errorf("%s:\n%s\ngives\n%s\nnot\n%s", c.name, c.in, got, c.want)
		}
	}
}

func TestValue(t *testing.T) {
	rules := compile(t, Options{Groups: All, AllowFields: []string{"nothing"}})
	for _, c := range []struct {
		format   Format
		in, want string
	}{
		{JSON, `{"password":"x"}`, `{"password":"[REDACTED:password]"}`},
		{JSON, `"mara\u0040example.org"`, `"[REDACTED:email]"`},
		{JSON, `4012888888881881`, `"[REDACTED:card_number]"`},
		{JSON, `{"a":1}`, `{"a":1}`},
		{JSON, ``, ``},
		{Lines, `password: hunter2`, `password: [REDACTED:password]`},
		{Lines, `4012888888881881`, `[REDACTED:card_number]`},
		{Lines, `["mara\u0040example.org"]`, `["[REDACTED:email]"]`},
		{Lines, `[INFO] password=hunter2`, `[INFO] password=[REDACTED:password]`},
		{Lines, `"x" password=hunter2`, `"x" password=[REDACTED:password]`},
		{Lines, ` {"password":"x y"}`, ` {"password":"[REDACTED:password]"}`},
		{Lines, "\xef\xbb", "\xef\xbb"},
	} {
		for range 2 {
			if got := string(rules.Value([]byte("> "), []byte(c.in), c.format)); got != "> "+c.want {
				t.Errorf("%s gives %s", c.in, got)
			}
		}
	}
}

func TestAllowFields(t *testing.T) {
	rules := compile(t, Options{Groups: All, AllowFields: []string{"a", "b.c", "items.id"}})
	for _, c := range []struct{ name, in, want string }{
		{"fields", `{"x":1,"a":{"y":[1,2]},"b":{"c":3,"d":4},"z":"}"}`, `{"a":{"y":[1,2]},"b":{"c":3}}`},
		{"arrays", `{"items":[{"id":1,"x":2},{"x":3},[{"id":4}],5],"a":1}`, `{"items":[{"id":1},{},[{"id":4}]],"a":1}`},
		{"records of an array", `[{"a":1,"x":2},{"x":3}]`, `[{"a":1},{}]`},
		{"lines", "{\"x\":1}\n{\"a\":2}\n", "{}\n{\"a\":2}\n"},
		{"not an object", `{"b":1,"items":"x"} 12 ["s"]`, `{} "[REDACTED:not_a_record]" ["[REDACTED:not_a_record]"]`},
		{"escaped keys", `{"\u0061":1,"x\"":2}`, `{"\u0061":1}`},
		{"still redacted", `{"a":"mara@example.org"}`, `{"a":"[REDACTED:email]"}`},
		{"a byte order mark", "\xef\xbb\xbf{\"x\":1,\"a\":2}", "\xef\xbb\xbf{\"a\":2}"},
		{"text", "{\"a\":1}\nplain text\n{\"a\":2}\n", "{\"a\":1}\n[REDACTED:not_a_record]\n{\"a\":2}\n"},
		{"broken", "{\"a\":1 \"x\":\"y\"}\n{\"a\":2}\n", "{\"a\":1 [REDACTED:not_a_record]\n{\"a\":2}\n"},
	} {
		if got := string(redacted(t, rules, Auto, []byte(c.in))); got != c.want {
			t.Errorf("%s:\n%s\ngives\n%s\nnot\n%s", c.name, c.in, got, c.want)
		}
	}
	for _, bad := range []string{"", "a.", ".a", strings.Repeat("x.", 40) + "x", strings.Repeat("x", 400)} {
		if _, err := Compile(Options{AllowFields: []string{"ok", bad}}); err == nil {
			t.Errorf("%.20q is taken for a path", bad)
		}
	}
}

// What is read is passed on before more is asked for.
func TestAtOnce(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, c := range []struct{ in, want string }{
		{"{\"a\":\"x\"}\n", "{\"a\":\"x\"}\n"},
		{"{\"a\":\"x\"}", "{\"a\":\"x\"}"},
		{"{\"mail\":\"mara@example.org\"}\n", "{\"mail\":\"[REDACTED:email]\"}\n"},
		{"password: hunter2\n", "password: \"[REDACTED:password]\"\n"},
		{"words of prose and a p", "words of prose and a "},
		{"{\"log\":\"words of prose, ", "{\"log\":\"words of prose, "},
	} {
		x := NewReader(&pieces{rest: []byte(c.in), next: func() int { return len(c.in) }}, rules, Auto)
		got := make([]byte, 200)
		n, err := x.Read(got)
		if err != nil || string(got[:n]) != c.want {
			t.Errorf("%q: %q, %v", c.in, got[:n], err)
		}
		if n, err := x.Read(got); n != 0 || err != nil {
			t.Errorf("%q: then %d bytes, %v", c.in, n, err)
		}
	}
}

// A Read of the source that gives nothing ends the Read, and no more is asked of
// it while there is something to pass on.
func TestIdle(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	reads := 0
	source := readerFunc(func(p []byte) (int, error) {
		reads++
		if reads%2 == 1 {
			return copy(p, "{\"a\":1}\n"), nil
		}
		return 0, nil
	})
	x := NewReader(source, rules, Auto)
	buf := make([]byte, 5)
	for _, want := range []int{5, 3, 0, 5, 3, 0} {
		if n, err := x.Read(buf); n != want || err != nil {
			t.Fatalf("%d bytes, %v; not %d", n, err, want)
		}
	}
	if reads != 4 {
		t.Errorf("%d reads of the source", reads)
	}
}

// A Read asks the source once, whatever it holds back of what that gave; who
// copies does not notice.
func TestHeldBack(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, in := range []string{
		"-----BEGIN PRIVATE KEY-----\nMIIabcdefghij0123456789klmnop\n",
		"ghp_0123456789abcdef0123456789abcdef01",
		"\\u0040",
		"{\"password\":\"hunter two\"}",
	} {
		reads := 0
		source := &pieces{rest: []byte(in), next: one, err: io.EOF}
		x := NewReader(readerFunc(func(p []byte) (int, error) { reads++; return source.Read(p) }), rules, Auto)
		buf, empty := make([]byte, 100), 0
		for {
			before := reads
			n, err := x.Read(buf)
			if err == io.EOF {
				break
			}
			if err != nil || reads > before+1 {
				t.Fatalf("%q: %d reads of the source in one, %v", in, reads-before, err)
			}
			if n == 0 {
				empty++
			}
		}
		if empty == 0 {
			t.Errorf("%q: nothing was held back", in)
		}
		var out bytes.Buffer
		if _, err := io.Copy(&out,
			NewReader(&pieces{rest: []byte(in), next: one, err: io.EOF}, rules, Auto)); err != nil ||
			!bytes.Equal(out.Bytes(), redacted(t, rules, Auto, []byte(in))) {
			t.Errorf("%q is copied as %q, %v", in, out.Bytes(), err)
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestErrorIsKept(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	exit := errors.New("exit status 3")
	x := NewReader(io.MultiReader(strings.NewReader("password: hunter2"),
		readerFunc(func([]byte) (int, error) { return 0, exit })), rules, Auto)
	got, err := readAll(t, x)
	if string(got) != `password: "[REDACTED:password]"` || err != exit {
		t.Fatalf("%q, %v", got, err)
	}
	if n, err := x.Read(make([]byte, 1)); n != 0 || err != exit {
		t.Error("then", n, err)
	}
	broken := NewReader(readerFunc(func(p []byte) (int, error) { return len(p) + 1, nil }), rules, Auto)
	if _, err := broken.Read(make([]byte, 1)); err == nil || err == io.EOF {
		t.Error("a source that lies:", err)
	}
}

func TestCounts(t *testing.T) {
	rules := compile(t, Options{Groups: All, AllowFields: []string{"a"}})
	in := "{\"a\":\"mara@example.org, mara@example.org\",\"b\":1,\"c\":2}\ntext\n{\"a\":{\"password\":\"x\",\"n\":4012888888881881}}\n"
	x := NewReader(strings.NewReader(in), rules, Auto)
	if x.Format() != Auto {
		t.Error("a format before the first byte")
	}
	if _, err := readAll(t, x); err != io.EOF {
		t.Fatal(err)
	}
	got := maps.Collect(x.Counts())
	want := map[string]int{"email": 2, "dropped_field": 2, "not_a_record": 1, "password": 1, "card_number": 1}
	if !maps.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	if x.Format() != JSON || x.BytesRead() != int64(len(in)) {
		t.Error(x.Format(), x.BytesRead())
	}
}

// Memory does not grow with the input: nothing is allocated after the first of
// each, whatever its shape.
func TestNoGrowth(t *testing.T) {
	all := compile(t, Options{Groups: All})
	numbered := compile(t, Options{Groups: All, Numbered: true})
	few := compile(t, Options{Groups: All, Numbered: true, AllowFields: []string{"id", "a.name", "x"}})
	for name, block := range map[string]string{
		"records":        "{\"id\":12,\"name\":\"user\",\"note\":\"nothing to see\",\"ok\":true}\n",
		"escapes":        `"\u0041\u00e9\n\/"`,
		"nested escapes": `\\u0041\\\\u0022\u005c\u0075\u0030\u0030\u0034\u0031\\/\\\\\\\\\\\\\\\\\\\\`,
		"brackets":       "[[[[[[[[[[[[[[[[",
		"one string":     "lorem ipsum \\n dolor ",
		"keys":           "password=password=",
		"emails":         "mara@example.org ",
		"unended":        "{\"secret\":{\"a\":[",
		"secrets":        "{\"secret\":{\"a\":[1]},\"password\":\"\\u0041\",\"pin\":4711}\n",
		"a long address": "a@a.",
	} {
		heads := []string{"{\"x\":\"", "[", "text ", "", "{}\n"}
		for i, head := range heads {
			if i != len(block)%len(heads) && !testdepth.All() {
				continue
			}
			rules := []*Rules{numbered, all, numbered, few, few}[i]
			input := strings.Repeat(block, 1+(64<<10)/len(block))
			idle := false
			x := NewReader(io.MultiReader(strings.NewReader(head), readerFunc(func(p []byte) (int, error) {
				if idle = !idle; idle {
					return 0, nil
				}
				return copy(p, input), nil
			})), rules, Auto)
			if rules == numbered {
				x.Observe(func(string, Place) {})
			}
			buf := make([]byte, 32<<10)
			read := func() {
				for range 40 {
					if _, err := x.Read(buf); err != nil {
						t.Fatal(err)
					}
				}
			}
			read()
			if n := testing.AllocsPerRun(5, read); n != 0 {
				t.Errorf("%s, begun with %q: %v allocations", name, head, n)
			}
			if cap(x.outBuf) != outputBuffer || x.selector != nil && cap(x.chosenBuf) != chosenBuffer {
				t.Errorf("%s: the output grew", name)
			}
		}
	}
}

func TestTextAllocates(t *testing.T) {
	x := compile(t, Options{Groups: All}).Text()
	in := []byte("an ordinary line of 12 words, with a password policy and 4f9a01c7 in it")
	out := make([]byte, 0, 1<<10)
	if n := testing.AllocsPerRun(100, func() { out = x.Flush(x.Append(out[:0], in)) }); n != 0 {
		t.Error(n, "allocations")
	}
	if !bytes.Equal(out, in) {
		t.Errorf("%q", out)
	}
}

// A secret that a log shipper made several records of is gone from all of them.
func TestShipped(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for i, want := range []string{
		`{"log":"[REDACTED:private_key]\n","n":1}` + "\n" + `{"log":"[REDACTED:private_key]","n":2}` + "\n" +
			`{"other":"in between","log":"[REDACTED:private_key]","n":3}` + "\n" +
			`{"log":"[REDACTED:private_key]\n","n":4}` + "\n" +
			`{"log":"after"}` + "\n",
		`{"a":"x [REDACTED:private_key]"}` + "\n" + `{"b":"not of it"}` + "\n" +
			`{"a":"[REDACTED:private_key]\nafter"}` + "\n" +
			`{"a":"after"}` + "\n",
		`{"log":"use [REDACTED:github_token]","n":1}` + "\n" + `{"log":"[REDACTED:github_token], then","n":2}` +
			"\n" + `{"log":"9kV47hQ2mX9kV47hQ2mX"}` + "\n",
		`{"log":"use [REDACTED:github_token]","n":1}` + "\n" + `{"log":"the next line"}` + "\n" +
			`{"log":"9kV47hQ2mX9kV47hQ2mX"}` + "\n",
		`{"a":"the words -----BEGIN PRIVATE KEY----- in a text"}` + "\n" + `{"a":"after"}` + "\n",
		`{"log":"private [REDACTED:generic_secret]"}` + "\n" + `{"log":"[REDACTED:github_token], then"}` + "\n",
	} {
		if got := string(redacted(t, rules, Auto, []byte(shipped[i]))); got != want {
			t.Errorf("%s\ngives\n%s\nnot\n%s", shipped[i], got, want)
		}
	}
}

// A label in brackets begins a text, and nothing that may be JSON does, however it is cut.
func TestFormatOfBrackets(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for in, want := range map[string]Format{
		"[INFO] Scanning for projects...\n":              Lines,
		"[    0.014938] pci 0000:00: found\n":            Lines,
		"[1/300] Building a.o":                           Lines,
		"[2026-05-01 10:00:00] start\n":                  Lines,
		"[4000] worker\n":                                Lines,
		"\n  [section]\nkey=value\n":                     Lines,
		"[section]":                                      Lines,
		"[2026-05-01 10:00:00,519: INFO/Main] start\n":   Lines,
		"[worker \"a\"] up\n":                            Lines,
		"[a {1}] up\n":                                   Lines,
		"[1 {2}] up\n":                                   Lines,
		"[1 2, 3]":                                       Lines,
		"[2026-05-01T10:00:00.206+0000][0.038s][info] a": Lines,
		"[10:00:00] {\"a\":1}\n":                         Lines,
		"[info] [main] up\n":                             Lines,
		"[4000][info] up\n":                              Lines,
		"[4000] [ 7] [info, gc] up\n":                    Lines,
		"[4000] {\"a\":1}\n":                             JSON,
		"[4000][7][1]\n":                                 JSON,
		"[4000][\"a\"]\n":                                JSON,
		"[4000][":                                        JSON,
		"[null , 1]":                                     JSON,
		"[-1.5e3,":                                       JSON,
		"[, ":                                            JSON,
		"[" + strings.Repeat("x", lex.LongestLabel) + "]": Lines,
		"[unclosed\n]": Lines,
		"[null\n]":     JSON,
		"[" + strings.Repeat("1", lex.LongestLabel): JSON,
		"[]":                JSON,
		"[ ] x":             JSON,
		"[1]":               JSON,
		"[1]\n[2]\n":        JSON,
		"[1] [2]\n":         JSON,
		"[true]\n":          JSON,
		"[1, 2] x\n":        JSON,
		"[\n{\"a\":1}\n]\n": JSON,
		"[\"a]\"] x":        JSON,
		"[[1] 2]":           JSON,
		"[{\"a\":[0]} ]":    JSON,
		"[":                 JSON,
		"[0":                JSON,
		"{worker} up\n":     JSON,
	} {
		for _, next := range []func() int{one, someOf(1, true), func() int { return 1 << 10 }} {
			x := NewReader(&pieces{[]byte(in), next, io.EOF}, rules, Auto)
			got, err := readAll(t, x)
			if err != io.EOF || string(got) != in || x.Format() != want || x.BytesRead() != int64(len(in)) {
				t.Errorf("%q gives %q and %v, is of format %v, and %d bytes", in, got, err, x.Format(), x.BytesRead())
			}
		}
	}
}
