package redact

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/internal/testdepth"
)

// machines are inputs in which a name is carried to a value that stands elsewhere, for each of the places where it may.
var machines = []struct{ place, text string }{
	{"CSV", "id,user,password,note\n1,mara,walnut-Tree93,x\n2,ed,\"hun\"\"ter,2\",y\n3,jo,,z\n"},
	{"CSV with quotes", "\"id\";\"api key\";\"mail\"\r\n\"1\";\"walnut93TreeQx81\";\"mara@example.org\"\r\n\"2\";\"\";\"\"\r\n"},
	{"tabs", "\tapi_key\tplan\n\twalnut93TreeQx81\tfree\n\n\twalnut93TreeQx81\tfree\n"},
	{"psql", " id | password \n----+---------------\n  1 | walnut-Tree93\n  2 | hunter2\n(2 rows)\n\nhunter2 | hunter2\n"},
	{"mysql", "+----+---------------+\n| id | password      |\n+----+---------------+\n|  1 | walnut-Tree93 |\n+----+---------------+\n"},
	{"Markdown", "| User | Password |\n|---|:--|\n| mara | walnut-Tree93 |\n| ed | |\n\ntext\n"},
	{"columns of blanks",
		"NAME      PASSWORD        PORT\nmara      walnut-Tree93   5432\nünal      hunter2           80\n"},
	{"COPY", "COPY users (id, login, password) FROM stdin;\n1\tmara\twalnut-Tree93\n2\ted\t\\N\n\\.\nhunter2\n"},
	{"INSERT", "INSERT INTO users (id, `password`) VALUES (7, 'hunter2'),(8,N'oak''Hill, 77'), (9, NULL);\nSELECT 'hunter2';\n"},
	{"INSERT over lines",
		"insert into users (\n  id,\n  password\n)\nvalues\n  (1, 'hunter2'),\n  (\n    2,\n    'hunter2'\n  );\n"},
	{"columns and rows", `{"columns":["id","password"],"rows":[[1,"hunter2"],[2,null],[3,""]],"n":["x","hunter2"]}`},
	{"columns with types",
		`{"columns":[{"name":"id","type":"int"},{"name":"password"}],"data":[[{"n":1},{"s":"hunter2"}]]}`},
	{"a sheet", "[[\"login\",\"pin\"],\n[\"mara\",4711],\n[\"ed\",\"4711\"]]\n"},
	{"pairs of JSON", `[{"name":"DB_PASSWORD","value":"hunter2"},{"value":4711,"more":{"a":[1]},"key":"pin"}]`},
	{"pairs of YAML", "- name: DB_PASSWORD\n  value: \"hunter2\"\n- value: 'hunter2'\n  name: API_KEY\n- value: hunter2\n  name: MODE\n"},
	{"keys of JSON", "{\"d\":\"aHVudGVyMg7hQ2mX9kV4abcd\",\n\"p\":\"aHVudGVyMg7hQ2mX9kV4abcd\",\"kty\":\"RSA\",\"k\":[\"dp\"],\n\"q\":\"p\"}\n{\"kty\":\"oct\",\"k\":\"aHVudGVyMg\"}\n"},
	{"Secret in YAML", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\nstringData:\n  hush: walnut-Tree93\ndata:\n  a: b2FrSGlsbDc3NzE=\n"},
	{"Secret after its data",
		"items:\n- apiVersion: v1\n  data:\n    hush: d2FsbnV0VHJlZTkz\n  kind: Secret\n- data:\n    a: b\n  kind: ConfigMap\n"},
	{"Secret in JSON", `{"items":[{"apiVersion":"v1","data":{"hush":"d2FsbnV0VHJlZTkz"},"kind":"Secret"},{"kind":"Secret","stringData":{"a":"x"}}]}`},
	{"list of YAML", "passwords:\n- hunter2\n- value: hunter3\n  name: mara\nport: 5432\npins: [4711, '4712']\n"},
	{"map of YAML", "secret:\n  db: walnut-Tree93\n  deep:\n    a: oak-Hill77x\n    b: {c: hunter2, d: [x, y]}\nport: 5432\n"},
	{"block of YAML", "secret: |\n  walnut-Tree93\n  oak-Hill77\npassword: >-\n\n  hunter2\nnote: |\n  walnut-Tree93\n"},
	{"anchor of YAML", "password: &main\n  walnut-Tree93\ntoken: !!str walnut-Tree93\ncopy: *main\n"},
	{"collections of YAML", "password: {c: hunter2, d: [x9y8, {e: 'oak''s'}],\n  f: \"hun\n  ter2\" # x\n}\ntoken:\n  {a: walnut93TreeQx81,\n  b: [walnut93TreeQx81]}\nport: 5432\n"},
	{"Secret in a collection",
		"apiVersion: v1\nkind: Secret\ndata: {hush: d2FsbnV0VHJlZTkz, a: [b]}\nstringData:\n  {hush: walnut\n    Tree}\n"},
	{"HCL", "variable \"db_password\" {\n  type    = string\n  default = \"hunter2\"\n}\n\nvariable \"mode\" {\n  default = \"x\"\n}\n"},
	{".netrc", "machine example.org\n  login mara\n  password hunterTwo\nmachine example.com login ed password hunterTwo\n"},
	{".pgpass", "# host:port\ndb.example.org:5432:shop:mara:hunter2\n*:*:*:ed:hun\\:ter\nx:*:y:z:w v\n"},
	{"form", "--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nwalnut-Tree93\r\n--x--\r\n"},
	{"command line", "mysql -u root -pwalnutTree93 shop\ncurl -u mara:hunter2 \\\n  https://db.example.org\nsshpass -p hunter2 ssh db\n"},
	{"list of arguments", `{"args":["sshpass","-p","hunter2","ssh"],"command":["docker","login","-p","hunter2"]}`},
	{"arguments of YAML", "args:\n- --admin-password\n- walnut-Tree93\n- docker\n- login\n- -p\n- hunter2\n"},
	{"connection string",
		"Driver={ODBC};Uid=sa;Pwd={hun;ter}}2};\nCREATE LOGIN svc WITH PASSWORD = N'hunter2', CHECK_POLICY=OFF\n"},
	{"plist", "<key>password</key>\n  <string>hunter2</string>\n<password><![CDATA[hunter2]]></password>\n"},
}

// read returns the redaction of an input that is read in pieces.
func read(t testing.TB, x *Reader, f Format, in []byte, next func() int) []byte {
	t.Helper()
	x.Reset(&pieces{in, next, io.EOF}, f)
	var out bytes.Buffer
	if _, err := x.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// cutInTwo gives the size of the first piece and then all there is.
func cutInTwo(at int) func() int {
	size := at
	return func() int {
		n := size
		size = 1 << 30
		return n
	}
}

// cutEverywhere reports whether an input gives the same however it is cut in two, and byte by byte.
func cutEverywhere(t testing.TB, x *Reader, name string, in []byte) {
	t.Helper()
	for _, format := range []Format{Auto, Lines} {
		want := read(t, x, format, in, cutInTwo(len(in)))
		for at := 1; at < len(in); at++ {
			if got := read(t, x, format, in, cutInTwo(at)); !bytes.Equal(got, want) {
				t.Fatalf("%s: cut at byte %d\n%s\nin one piece\n%s\nof\n%q", name, at, got, want, in)
			}
		}
		if got := read(t, x, format, in, one); !bytes.Equal(got, want) {
			t.Fatalf("%s: byte by byte\n%s\nin one piece\n%s\nof\n%q", name, got, want, in)
		}
	}
}

// TestMachinesCut: however an input is cut, a name comes to its value. One after another they come to no other.
func TestMachinesCut(t *testing.T) {
	x := NewReader(nil, compile(t, Options{}), Auto)
	for i := 0; i < len(machines); i += testdepth.Step() {
		m := machines[i]
		if out := read(t, x, Auto, []byte(m.text), one); !bytes.Contains(out, []byte(lex.MarkerStart)) {
			t.Errorf("%s: nothing is redacted in\n%s", m.place, out)
		}
		cutEverywhere(t, x, m.place, []byte(m.text))
		next := machines[(i+7)%len(machines)]
		cutEverywhere(t, x, m.place+" and "+next.place, []byte(m.text+next.text))
	}
	m := madeUp{rand.New(rand.NewPCG(13, 5))}
	for _, s := range testdepth.Some(slices.Concat(documents, shipped, unchanged)) {
		if len(s) < 1<<10 {
			cutEverywhere(t, x, "a document", []byte(s))
		}
	}
	for range testdepth.Cases(200) {
		cutEverywhere(t, x, "what is made up", m.lines())
	}
}

// markerInRow finds a marker in a cell. If that is one of a header, the header is none the next time.
var markerInRow = regexp.MustCompile(`[,;|\t][ "]*\[REDACTED:[a-z0-9_]+\]|\[REDACTED:[a-z0-9_]+\][ "]*[,;|\t]`)

// isOpenEnded reports whether a bracket of a text is not closed, or whether redaction removed one quote of a pair. The
// redacted text may then look as if the bracket or the string went on in the next line, so a second redaction differs.
func isOpenEnded(in, out []byte) bool {
	return bytes.Count(in, []byte("[")) != bytes.Count(in, []byte("]")) ||
		bytes.Count(in, []byte("{")) != bytes.Count(in, []byte("}")) ||
		bytes.Count(in, []byte("'"))%2 != bytes.Count(out, []byte("'"))%2
}

// staysSame reports whether an input gives the same however it is cut, whether its redaction gives itself, and whether
// JSON stays JSON of the same shape.
func staysSame(t *testing.T, x *Reader, in []byte, seed uint64) (out []byte) {
	t.Helper()
	for _, format := range []Format{Lines, Auto} {
		out = bytes.Clone(read(t, x, format, in, cutInTwo(len(in))))
		for _, next := range []func() int{one, someOf(seed, false), cutInTwo(int(seed % uint64(len(in)+1)))} {
			if got := read(t, x, format, in, next); !bytes.Equal(got, out) {
				t.Fatalf("in pieces (%d)\n%s\nin one piece\n%s\nof\n%q", seed, got, out, in)
			}
		}
		if again := read(t, x, format, out, cutInTwo(len(out))); !bytes.Equal(again, out) && !besideMarker.Match(out) &&
			!markerInRow.Match(out) && !isOpenEnded(in, out) {
			t.Fatalf("twice\n%s\nonce\n%s\nof\n%q", again, out, in)
		}
	}
	if want, err := jsonShape(in); err == nil && isJSON(in) && !hasTwins(in) {
		if got, err := jsonShape(out); err != nil || got != want {
			t.Fatalf("%v\n%s\nof\n%s\nshape %s, not %s", err, out, in, got, want)
		}
	}
	return out
}

// hasTwins reports whether an object has two members of one name, which a map has one of.
func hasTwins(in []byte) bool {
	var v any
	_ = json.Unmarshal(in, &v)
	plain, _ := json.Marshal(v)
	return bytes.Count(plain, []byte(`":`)) != bytes.Count(in, []byte(`":`))
}

// FuzzMachines looks at any text for what the seeds have.
func FuzzMachines(f *testing.F) {
	f.Add([]byte("token:\n  {a: walnut93TreeQx81*\n  b: [walnut93Tr"), uint64(17))
	f.Add([]byte("token:\n  {a: x1\n  b: walnut93Tr\n  c: [walnut93Tr]\n"), uint64(1))
	f.Add([]byte("{\"000A0000  PASS\\n0000      00000000AA\"00000000000000000000000000000000"), uint64(4))
	f.Add([]byte("INSERT INTO (,pAss)VALUES(,'\n[{\"0\"A!#00000A0"), uint64(8))
	f.Add([]byte("0\n{\"0000000\"0 \"00\"0\"pAsswort\":[A\n00"), uint64(10))
	f.Add([]byte("x\ninsert into t (\n  id,\n  password\n)\nvalues\n  (2,\n  ehunter2'\n  );\n"+
		"- name: DB_PASSWORD\n  value: \"hunt'r2\"\n- va"), uint64(2))
	for i, m := range machines {
		f.Add([]byte(m.text), uint64(i))
		f.Add([]byte(asStrings(m.text, 1)), uint64(i))
		f.Add([]byte("x\n"+m.text+machines[(i+5)%len(machines)].text), uint64(i))
	}
	x := NewReader(nil, compile(f, Options{}), Auto)
	f.Fuzz(func(t *testing.T, in []byte, seed uint64) { staysSame(t, x, in, seed) })
}

// FuzzTables looks at tables of any names and cells, which are separated by line feeds: CSV, lists in JSON, pairs.
func FuzzTables(f *testing.F) {
	for _, names := range []string{"id\npassword", "name\nvalue", "api key\nnote\nmail", "columns\ndata\nkind"} {
		for i, cells := range []string{"1\nhunter2\n2\nwalnut-Tree93", "DB_PASSWORD\nhunter2\nMODE\nfast",
			"\nmara@example.org\nx,y;z\n\"a\"\t|b",
			"Secret\nd2FsbnV0VHJlZTkz\n4012888888881881\n[REDACTED:password]",
			"password=walnut-Tree93\n-p\n--token\nwalnut93TreeQx81"} {
			f.Add(names, cells, uint64(i))
		}
	}
	x := NewReader(nil, compile(f, Options{}), Auto)
	f.Fuzz(func(t *testing.T, names, cells string, seed uint64) {
		header := strings.Split(strings.ToValidUTF8(names, ""), "\n")
		if len(header) > 8 || len(cells) > 2_000 {
			return
		}
		rows := slices.Collect(slices.Chunk(strings.Split(strings.ToValidUTF8(cells, ""), "\n"), len(header)))
		asCSV(t, x, header, rows, seed)
		asPairs(t, x, header, rows, seed)
	})
}

// asCSV writes a table as CSV, which keeps its columns.
func asCSV(t *testing.T, x *Reader, header []string, rows [][]string, seed uint64) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = []rune(",\t")[seed%2]
	numbered := [][]string{slices.Concat([]string{"id"}, header, []string{"amount"})}
	for i, row := range rows {
		numbered = append(numbered, slices.Concat([]string{strconv.Itoa(i)}, row, []string{"12.50"}))
	}
	if err := w.WriteAll(numbered); err != nil {
		t.Fatal(err)
	}
	widths := func(in []byte) (all []int, err error) {
		r := csv.NewReader(bytes.NewReader(in))
		r.FieldsPerRecord, r.Comma = -1, w.Comma
		rows, err := r.ReadAll()
		for _, row := range rows {
			all = append(all, len(row))
		}
		return all, err
	}
	in := b.Bytes()
	want, err := widths(in)
	if err != nil {
		t.Fatal(err)
	}
	out := staysSame(t, x, in, seed)
	if hasSigns(rows) {
		return
	}
	if got, err := widths(out); err != nil || !slices.Equal(got, want) {
		t.Fatalf("%v: %v columns, not %v\n%s\nof\n%s", err, got, want, out, in)
	}
}

// hasSigns reports whether a cell has a sign that a value may be in, or go on after.
func hasSigns(rows [][]string) bool {
	return slices.ContainsFunc(slices.Concat(rows...), func(cell string) bool {
		return strings.IndexFunc(cell, func(r rune) bool {
			return r < ' ' || r >= 0x7f || strings.ContainsRune("\"'`()[]{}<>\\%$#&|;,^~!?*", r)
		}) >= 0
	})
}

// asPairs writes a table as lists beside a list of names, as objects, and as pairs of a name and a value.
func asPairs(t *testing.T, x *Reader, header []string, rows [][]string, seed uint64) {
	var objects, pairs []any
	for _, row := range rows {
		o := make(map[string]any)
		for i, cell := range row {
			o[header[i]] = cell
			pairs = append(pairs, map[string]any{[]string{"name", "key"}[seed%2]: header[i], "value": cell})
		}
		objects = append(objects, o)
	}
	for _, v := range []any{map[string]any{"columns": header, "rows": rows}, map[string]any{"items": objects}, pairs} {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(seed%3 == 0)
		if seed%5 == 0 {
			e.SetIndent("", "  ")
		}
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		staysSame(t, x, b.Bytes(), seed)
	}
}
