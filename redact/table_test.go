package redact

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestTables shows which cells go, by the header of their table.
func TestTables(t *testing.T) {
	for name, c := range map[string]struct{ in, out string }{
		"csv": {
			"id,user,password,note\n1,mara,walnut-Tree93,x\n2,ed,\"hun\"\"ter,2\",y\n3,jo,,z\n",
			"id,user,password,note\n1,mara,[REDACTED:password],x\n2,ed,\"[REDACTED:password]\",y\n3,jo,,z\n",
		},
		"tabs, the first cell empty": {
			"\tapi_key\tplan\n\twalnut93TreeQx81\tfree\n\n\twalnut93TreeQx81\tfree\n",
			"\tapi_key\tplan\n\t[REDACTED:api_key]\tfree\n\n\twalnut93TreeQx81\tfree\n",
		},
		"psql": {
			" id | password \n----+---------------\n  1 | walnut-Tree93\n  2 | hunter2\n(2 rows)\n\nhunter2 | hunter2\n",
			" id | password \n----+---------------\n  1 | [REDACTED:password]\n  2 | [REDACTED:password]\n(2 rows)\n\nhunter2 | hunter2\n",
		},
		"markdown": {
			"| User | Password |\n|---|:--|\n| mara | walnut-Tree93 |\n",
			"| User | Password |\n|---|:--|\n| mara | [REDACTED:password] |\n",
		},
		"columns of blanks": {
			"NAME      PASSWORD        PORT\nmara      walnut-Tree93   5432\nünal      hunter2           80\n",
			"NAME      PASSWORD        PORT\nmara      [REDACTED:password]   5432\nünal      [REDACTED:password]           80\n",
		},
		"no value": {
			"user,password\nmara,none\ned,-\njo,yes\nal,${PASSWORD}\n",
			"user,password\nmara,none\ned,-\njo,yes\nal,${PASSWORD}\n",
		},
		"pairs in columns of blanks": {
			"KEY            VALUE\n---            -----\nDB_PASSWORD    hunter2\nMODE           hunter2\n",
			"KEY            VALUE\n---            -----\nDB_PASSWORD    [REDACTED:password]\nMODE           hunter2\n",
		},
		"pairs between bars": {
			"| Name | Value |\n|---|---|\n| `DB_PASSWORD` | hunter2 |\n| MODE | hunter2 |\n",
			"| Name | Value |\n|---|---|\n| `DB_PASSWORD` | [REDACTED:password] |\n| MODE | hunter2 |\n",
		},
		"pairs of csv": {
			"name,value\n\"DB_PASSWORD\",\"hunter2, twice\"\nMODE,hunter2\n",
			"name,value\n\"DB_PASSWORD\",\"[REDACTED:password]\"\nMODE,hunter2\n",
		},
		"a dump": {
			"COPY public.users (id, password) FROM stdin;\n1\thunter2\n2\t\\N\n\\.\n\n1\thunter2\n",
			"COPY public.users (id, password) FROM stdin;\n1\t[REDACTED:password]\n2\t\\N\n\\.\n\n1\thunter2\n",
		},
		"a dump of csv with one column": {
			"copy users (password) from stdin with (format csv);\nhunter2\n\\.\nhunter2\n",
			"copy users (password) from stdin with (format csv);\n[REDACTED:password]\n\\.\nhunter2\n",
		},
		"prose": {
			"Enter the name, the password, and go.\nThen wait, hunter2, or so.\n",
			"Enter the name, the password, and go.\nThen wait, hunter2, or so.\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := redactLines(t, c.in); got != c.out {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.out)
			}
			if again := redactLines(t, c.out); again != c.out {
				t.Errorf("again:\n%s", again)
			}
		})
	}
}

// TestLongCell: a value of any length goes, and nothing of what follows it.
func TestLongCell(t *testing.T) {
	for _, quotes := range []string{"", `"`} {
		long := strings.Repeat("walnutTree93", 400)
		got := redactLines(t, "id,password,note\n1,"+quotes+long+quotes+",x\n")
		if want := "id,password,note\n1," + quotes + "[REDACTED:password]" + quotes + ",x\n"; got != want {
			t.Errorf("%.200s", got)
		}
	}
}

// redactLines is the redaction of a text, which is the same however it is cut.
func redactLines(t *testing.T, in string) string {
	t.Helper()
	rules, err := Compile(Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := ""
	for _, size := range []int{len(in) + 1, 1, 3} {
		var b bytes.Buffer
		r := NewReader(&pieces{[]byte(in), func() int { return size }, io.EOF}, rules, Lines)
		if _, err := io.Copy(&b, r); err != nil {
			t.Fatal(err)
		}
		if out != "" && b.String() != out {
			t.Errorf("in pieces of %d:\n%s\nwhole:\n%s", size, b.String(), out)
		}
		out = b.String()
	}
	return out
}

// TestListsAreNoTables holds that a line of a list in columns, of the help of a program or of settings is no header:
// one before it has words in the same columns. What such a line stands first in is a table.
func TestListsAreNoTables(t *testing.T) {
	rules := compile(t, Options{Groups: Secrets})
	for _, text := range []string{
		"genpkey           genrsa            list              mac\n" +
			"nseq              ocsp              passwd            pkcs12\n" +
			"pkcs7             pkcs8             pkey2x            prime7\n" +
			"rand44            rehash            req5b             rsa9x\n",
		" -name val                  Hostname to use\n -psk_identity val          PSK identity\n" +
			" -session_in2 infile        File to read\n -other_one5 val             Another one\n",
		"password\trequisite\t\t\tpam_deny.so\nhere9is\tx\t\t\tpam_x.so\n",
		"     PASSPHRASE characters; some hashing\n     methods9x may have lower limits; x\n",
		"PSK-CHACHA20      TLSv1.2 Kx=PSK      Au=PSK      Enc=CHACHA20/POLY1305(256) Mac=AEAD\n",
	} {
		for _, prefix := range []string{"", "+", "    12\t"} {
			in := prefix + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+prefix) + "\n"
			if got := string(redacted(t, rules, Lines, []byte(in))); got != in {
				t.Errorf("%sgives\n%s", in, got)
			}
		}
	}
	table := "two accounts\nUSER       PASSWORD        SHELL\nmara       Walnut93xyz     bash\n" +
		"ivo        Walnut93xyz     zsh\nada        Walnut93xyz     zsh\n"
	if got := string(redacted(t, rules, Lines, []byte(table))); strings.Contains(got, "Walnut93") {
		t.Errorf("%sgives\n%s", table, got)
	}
}
