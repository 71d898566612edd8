package redact

import (
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/redact/internal/detect"
)

// TestRowsWithoutNames holds that a secret is found in the rows of programs and files whose cells have no names. What
// stands between # is one.
func TestRowsWithoutNames(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	made, key, other := detect.Made(40), detect.Made(43)+"=", "x"+detect.Made(42)+"="
	const id = "AKIAQ7ZNPT3LQUARRY27"
	for _, c := range []string{
		"ACCESSKEY\t" + id + "\t2024-05-01T10:00:00+00:00\t#" + made + "#\tActive\tdeploy\n",
		"keys: " + id + " / #" + made + "#, old\n",
		"user,id,secret\nmara," + id + ",#" + made + "#\n",
		"wg0\t#" + key + "#\t" + other + "\t51820\toff\n",
		"#" + key + "#\t" + other + "\t51820\t0xca6c\n",
		"wg0\t" + other + "\t#" + key + "#\t10.1.2.3:51820\t10.0.0.2/32\t1714550000\t1234\t5678\t25\n",
		"||  AccessKeyId     |  " + id + "                   ||\n||  SecretAccessKey |  #5kTq8RzLp3YdNcXb/HVsGfJwAoUeTpViMhZtKQLB#   ||\n",
		"|  api_key  |  #" + made + "#  |\n",
		"PARAMETER\tarn:aws:ssm:x\ttext\t2024-05-01\t/db/password\tSecureString\t#Correct-Horse!Battery#\t1\n",
		"[smtp.example.org]:587 mara:#tr0ub4dor!#\n[smtp.example.com]:25\tmara@example:#Correct-Horse#\n",
		"    12\t[smtp.example.org]:465    mara:#tr0ub4dor!#\n",
		": PSK \"#Correct-Horse!Bat#\"\n10.0.0.1 %any : PSK \"#tr0ub4dor#\"\ncarol : EAP \"#tr0ub4dor#\"\n",
		"@moon : RSA moonKey.pem \"#tr0ub4dor#\"\n",
		"\"app\" \"#md5" + detect.MadeHex(32) + "#\"\n",
		"mara | #SCRAM-SHA-256$4096:" + detect.Made(22) + "==$" + key + ":" + other + "#\n",
		"db.example.org:5432:shop:mara:#tr0ub4dor#\n     2\tdb.example.org:5432:shop:ed:#Correct-Horse#\n",
		"conf/pgpass:3:db.example.org:5432:shop:mara:#tr0ub4dor#\n",
	} {
		text := strings.ReplaceAll(c, "#", "")
		got := string(redacted(t, rules, Auto, []byte(text)))
		for i, part := range strings.Split(c, "#") {
			if i%2 == 1 && strings.Contains(got, part) {
				t.Errorf("%q is in\n%s", part, got)
			}
		}
		if n := strings.Count(c, "#") / 2; strings.Count(got, "[REDACTED:") < n {
			t.Errorf("%s gives\n%s", text, got)
		}
	}
	for _, text := range []string{
		"commit " + detect.MadeHex(40) + "\nkey " + detect.MadeHex(40) + " of AKIA\n",
		"a\t" + key + "\t" + other + "\n" + key + "\t" + other + "\t51820\n" + key + "\t" + other + "\t7\tx\n",
		"[smtp.example.org]:587 is up\n[host.example.org]:2222 ssh-ed25519 AAAAC3Nz\nto [smtp.example.org]:587 a:b\n",
		"[::1]:587 a:b\n[1]:587 a:b\n",
		"types: PSK \"x\"\n: RSA key.pem\nA : B \"tr0ub4dor\"\n",
		"\"md5\" \"md5-" + detect.MadeHex(32) + "\"\nmd5" + detect.MadeHex(32) + " x\nSCRAM-SHA-256$4096:<salt>$<key>:<key>\n",
		"types: String\tStringList\tSecureString\nSecureString\t\t1\n",
		"x db.example.org:5432:shop:mara:note\n",
	} {
		stays(t, rules, text)
	}
}

// TestKeysOfAccounts holds that a key of an account is a secret where its name is one such as key1, and that other
// values beside such a name stay.
func TestKeysOfAccounts(t *testing.T) {
	made := detect.Made(86) + "=="
	for name, c := range map[string]struct{ in, out string }{
		"JSON": {`{"keyName":"key1","permissions":"FULL","value":"` + made + `"}` + "\n",
			`{"keyName":"key1","permissions":"FULL","value":"[REDACTED:api_key]"}` + "\n"},
		"JSON over lines": {"[\n  {\n    \"keyName\": \"key1\",\n    \"value\": \"" + made + "\"\n  }\n]\n",
			"[\n  {\n    \"keyName\": \"key1\",\n    \"value\": \"[REDACTED:api_key]\"\n  }\n]\n"},
		"a table": {"KeyName    Permissions    Value\n---------  -------------  -----\nkey1       FULL           " + made + "\n",
			"KeyName    Permissions    Value\n---------  -------------  -----\nkey1       FULL           [REDACTED:api_key]\n"},
		"two keys": {`{"primaryKey":"` + detect.Made(43) + `=","secondaryKey":"` + detect.Made(52) + `"}` + "\n",
			`{"primaryKey":"[REDACTED:api_key]","secondaryKey":"[REDACTED:api_key]"}` + "\n"},
		"users of MySQL": {"| User | authentication_string |\n| root | *2470C0C06DEE42FD1618BBB99005ADCA2EC9D1E9 |\n",
			"| User | authentication_string |\n| root | [REDACTED:password] |\n"},
		"other keys": {`[{"keyName":"Enter","value":"Return"},{"keyName":"user:1","value":"mara"},{"primaryKey":"id"}]` + "\n" +
			"KeyName  Value\nEnter    Return\nprimary_key: true\nprimaryKey: " + detect.MadeHex(40) + "\n", ""},
	} {
		if c.out == "" {
			c.out = c.in
		}
		if got := redactLines(t, c.in); got != c.out {
			t.Errorf("%s: got:\n%s\nwant:\n%s", name, got, c.out)
		}
		if got := redactLines(t, c.out); got != c.out {
			t.Errorf("%s, again:\n%s", name, got)
		}
	}
}
