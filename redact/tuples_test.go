package redact

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestTuples shows which values of an INSERT go for the names in its list of columns.
func TestTuples(t *testing.T) {
	for name, c := range map[string]struct{ in, out string }{
		"rows": {
			"INSERT INTO users (id, login, `password`) VALUES (7, 'ada', 'hunter2'),(8,'ed',N'oak''Hill, 77');\nSELECT 'hunter2';\n",
			"INSERT INTO users (id, login, `password`) VALUES (7, 'ada', '[REDACTED:password]'),(8,'ed',N'[REDACTED:password]');\nSELECT 'hunter2';\n",
		},
		"over lines": {
			"insert into users (\n  id,\n  password\n)\nvalues\n  (1, 'hunter2'),\n  (\n    2,\n    'hunter2'\n  );\nselect 'hunter2';\n",
			"insert into users (\n  id,\n  password\n)\nvalues\n  (1, '[REDACTED:password]'),\n  (\n    2,\n    '[REDACTED:password]'\n  );\nselect 'hunter2';\n",
		},
		"no value": {
			"INSERT INTO users (id, password) VALUES (1, NULL), (2, $1), (3, ?), (4, ''), (5, :password);\n",
			"INSERT INTO users (id, password) VALUES (1, NULL), (2, $1), (3, ?), (4, ''), (5, :password);\n",
		},
		"a function and a cast": {
			"INSERT INTO users (password, id) VALUES (crypt('hunter2', gen_salt('bf')), 1), ('hunter2'::text, 2);\n",
			"INSERT INTO users (password, id) VALUES (crypt('[REDACTED:password]', gen_salt('bf')), 1), ('[REDACTED:password]'::text, 2);\n",
		},
		"a query": {
			"INSERT INTO users (id, pin) SELECT 1, 4711;\n",
			"INSERT INTO users (id, pin) SELECT 1, [REDACTED:pin];\n",
		},
		"no list of columns": {
			"INSERT INTO users VALUES (1, 'hunter2');\nINSERT INTO password_resets (id) VALUES ('hunter2');\n",
			"INSERT INTO users VALUES (1, 'hunter2');\nINSERT INTO password_resets (id) VALUES ('hunter2');\n",
		},
		"a value over lines": {
			"INSERT INTO users (password, id) VALUES ('hunter2\nhunter3', 1);\n",
			"INSERT INTO users (password, id) VALUES ('[REDACTED:password]\n[REDACTED:password]', 1);\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := redactLines(t, c.in); got != c.out {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.out)
			}
			if again := redactLines(t, c.out); again != c.out {
				t.Errorf("again:\n%s", again)
			}
			in, err := json.Marshal(map[string]string{"text": c.in})
			if err != nil {
				t.Fatal(err)
			}
			var out struct{ Text string }
			if err := json.Unmarshal([]byte(redactLines(t, string(in)+"\n")), &out); err != nil {
				t.Fatal(err)
			}
			// In a string a value over lines is one value.
			if want := strings.ReplaceAll(c.out, "]\n[REDACTED:password]", "]"); out.Text != want {
				t.Errorf("in a string:\n%s\nwant:\n%s", out.Text, want)
			}
		})
	}
}

// TestLongLiteral: a value of any length goes, and nothing of what follows it.
func TestLongLiteral(t *testing.T) {
	got := redactLines(t, "INSERT INTO users (password, note) VALUES ('"+strings.Repeat("walnutTree93", 400)+
		"', 'x');\n")
	if want := "INSERT INTO users (password, note) VALUES ('[REDACTED:password]', 'x');\n"; got != want {
		t.Errorf("%.200s", got)
	}
}
