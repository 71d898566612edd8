package formats

import (
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
		var c Inserts
		c.Create([]byte(`CREATE TABLE IF NOT EXISTS t(id INTEGER PRIMARY KEY, "name" TEXT DEFAULT 'a,b)', size DECIMAL(9, 2) CHECK (size > 0));`))
		pairs, ok := c.Cut(nil, []byte(line))
		checkPairs(t, line, want, pairs, ok)
	}
}

func FuzzInserts(f *testing.F) {
	f.Add([]byte("CREATE TABLE t(a INT, b TEXT);\nINSERT INTO t VALUES(1,'x''y');"))
	f.Add([]byte("INSERT INTO `t` (a,[b c]) VALUES (f('(',1), NULL)"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var c Inserts
		for _, line := range strings.Split(string(text), "\n") {
			c.Create([]byte(line))
			pairs, ok := c.Cut(nil, []byte(line))
			for _, p := range pairs {
				if ok && (p.Value.From > p.Value.To || len(p.Name) == 0) {
					t.Errorf("%q: %q", line, p.Name)
				}
			}
		}
	})
}
