package redact

import (
	"strings"
	"testing"
)

// TestPrinted holds that a password or a key goes which a program prints in a sentence or on the line after one, and
// one that a program or a file has in something around it.
func TestPrinted(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	const password, made = "qA4xThgT5kz", "r0chNk3AXkN2o4Me4nFqGbhBK7DVc01Q"
	for _, in := range []string{
		"[Note] A temporary password is generated for root@localhost: " + password + "\n",
		"Password:\n" + password + "!\n\nDone\n",
		"API key:\n    " + made + "\n",
		"Password for the elastic user (reset with `bin/reset-password -u elastic`):\n  " + password + "\n",
		"Please use the following password to proceed to installation:\n\n4f9a01c7be4f9a01c7be4f9a01c7be4f\n\nx\n",
		"(2/3) your new password:\n" + password + "\n",
		"Step 2 - use the following password:\n" + password + "\n",
		"use password " + password + " for now\n",
		"{\"msg\":\"auth failed for bob with password " + password + " at db\"}\n",
		"jwt_secret = \"\"\"\n" + made + "\"\"\"\n",
		"    api_key: Some(\n        \"" + made + "\",\n    )\n",
		"password = (\n    \"" + password + "\"\n)\n",
		"password={noop}" + password + "\n",
		"{\"password\":\"{noop}" + password + "\"}\n",
		"spring.password='{cipher}4f9a01c7be4f9a01c7be4f9a01c7be4f'\n",
		"DB_PASSWORD={" + made + "=}\n",
		"{\"name\":\"Cookie\",\"value\":\"sid=" + made + "; lang=en\"}\n",
		"{\"Cookie\":\"lang=en; sid=" + made + "\"}\n",
	} {
		got := string(redacted(t, rules, Auto, []byte(in)))
		if strings.Contains(got, password) || strings.Contains(got, made) || strings.Contains(got, "4f9a01c7") {
			t.Errorf("%sgives\n%s", in, got)
		}
	}
}

// TestNotPrinted holds that sentences and programs stay that look alike and tell no password.
func TestNotPrinted(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, in := range []string{
		"Enter the password for root:\nLogin incorrect\n",
		"Failed password for invalid user: admin12\n",
		"the password encoder for users: BCrypt2Encoder\n",
		"use password OAuth2Token for now\nsee password base64Encoder2 and PBKDF2WithHmac\n",
		"def password(self):\n    return x12\nif not password:\n    raise\n",
		"Password:\n  required: true\n  min: 12\n",
		"Password:\nuser: mara\n",
		"PASSWORD_HELP = \"\"\"\nabc123def456\n\"\"\"\n",
		"password = input(\n    \"Enter2your\")\n",
		"PASSWORD = \"\"\"\nThe password is kept in a file.\n\"\"\"\n",
		"<Login password={password} user=\"{user}\"/>\n",
		"{\"Cookie\":\"lang=en; theme=dark\"}\n",
		"passwords for these users:\n  mara\n  ada\n",
	} {
		stays(t, rules, in)
	}
}
