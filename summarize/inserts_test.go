package summarize

import (
	"fmt"
	"strings"
	"testing"
)

func TestCutInsert(t *testing.T) {
	for line, want := range map[string]string{
		`INSERT INTO t VALUES(1,'a b',2.5,NULL,'');`:                      "t.id:1 t.name:a b t.size:2.5 $5: ",
		`insert into t values (1, 'it''s, ok (x)' , -2e3 ) ;`:             "t.id:1 t.name:it''s, ok (x) t.size:-2e3 ",
		"INSERT INTO `u` (`a`,`b`) VALUES (1,'x')":                        "u.a:1 u.b:x ",
		`INSERT INTO public."u" ("a b", c) VALUES (true, '2')`:            "",
		`INSERT INTO public.u (a, c) VALUES (true, '2');`:                 "public.u.a:true public.u.c:2 ",
		`INSERT INTO u VALUES (now(), replace('a,b', ',', ''), X'00ff');`: "$1:now() $2:replace('a,b', ',', '') $3:X'00ff' ",
		`INSERT INTO t VALUES(1),(2);`:                                    "",
		`INSERT INTO t SELECT 1;`:                                         "",
		`INSERT INTO t VALUES(1,'a);`:                                     "",
		`INSERT INTO t VALUES(1,);`:                                       "",
		`INSERT INTO t VALUES();`:                                         "",
		`INSERT INTO t VALUES(1) RETURNING id;`:                           "",
		`INSERT INTO t VALUES(NULL);`:                                     "",
		`INSERT INTO t (a, VALUES(1);`:                                    "",
		`INSERT INTO (1);`:                                                "",
		`INSERTED INTO t VALUES(1);`:                                      "",
		`INSERT INTO`:                                                     "",
		``:                                                                "",
	} {
		var c insertCutter
		c.create([]byte(`CREATE TABLE IF NOT EXISTS t(id INTEGER PRIMARY KEY, "name" TEXT DEFAULT 'a,b)', size DECIMAL(9, 2) CHECK (size > 0));`))
		pairs, ok := c.cut(nil, []byte(line))
		checkPairs(t, line, want, pairs, ok)
	}
}

// TestDump: the rows of a dump have the facts of the columns of their tables.
func TestDump(t *testing.T) {
	var b strings.Builder
	b.WriteString("BEGIN TRANSACTION;\nCREATE TABLE item(id INTEGER, state TEXT, cost REAL);\n")
	for i := range 60 {
		fmt.Fprintf(&b, "INSERT INTO item VALUES(%d,'%s',%d.5);\nINSERT INTO log (id, note) VALUES (%d, 'it''s %s');\n", i, []string{"new", "old"}[i%3/2], i*i%90, i%7, nameOf(i%3))
	}
	b.WriteString("COMMIT;\n")
	fields := factsOf(t, watched(linesOf(b.String()))).Fields
	if fields["item.state"].Values["new"] != 40 || fields["item.cost"].In != 60 || fields["item.cost"].Max != "85.5" || fields["log.id"].In != 60 ||
		fields["log.note"].Values["it's "+nameOf(1)] != 20 {
		t.Errorf("%+v", fields)
	}
}

func FuzzInserts(f *testing.F) {
	f.Add([]byte("CREATE TABLE t(a INT, b TEXT);\nINSERT INTO t VALUES(1,'x''y');"))
	f.Add([]byte("INSERT INTO `t` (a,[b c]) VALUES (f('(',1), NULL)"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var c insertCutter
		for _, line := range strings.Split(string(text), "\n") {
			c.create([]byte(line))
			pairs, ok := c.cut(nil, []byte(line))
			for _, p := range pairs {
				if ok && (p.value.From > p.value.To || len(p.name) == 0) {
					t.Errorf("%q: %q", line, p.name)
				}
			}
		}
	})
}
