package redact

import (
	"strings"
	"testing"
)

// TestHarmlessValues holds that a value which is no secret by its own form stays, whatever the name before it.
func TestHarmlessValues(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, text := range []string{
		"passwd 1:4.13+dfsg1-1+deb12u1\napt\tpasswd\t1:4.13+dfsg1-1+deb12u1\nUnpacking passwd (1:4.13-2) over (1:4.13-1) ...\n",
		"access_token: '1 hour'\nrefresh_token: 90m\nid_token: '2h45m'\n",
		"smtp_sasl_password_maps = hash:/etc/postfix/sasl_passwd\nauth_token: file:/run/secrets/token\n",
		"tool --private-key='private.backend.pem' --ca-private-key=ca.key\n[`Key::private_key`]: struct.Key.html#method.private_key\n",
		"{\"eos_token\":\"</s>\",\"unk_token\":\"<unk>\",\"stop_token\":\"<|eot|>\",\"sep_token\":\"[SEP]\"}\n",
		"{\"input_token\":\"NextToken\",\"output_token\":\"user_token\",\"access_token\":\"AccessTokenType\",\"id_token\":\"clientTokenType\"}\n",
		"{\"id_token_encryption_enc_values\":[\"A128CBC-HS256\",\"A256GCM\"]}\n",
		"API_KEY=your-api-key-here\nPRIVATE_KEY=$HOME/.ssh/id_ed25519\n: \"${ACCESS_TOKEN:?ACCESS_TOKEN is required}\"\n",
		"permissions:\n  id-token: 'write'\n  contents: read\n",
		"mara ALL=(ALL) NOPASSWD: ALL\n%wheel ALL=(ALL) NOPASSWD:ALL\n",
		"FR\t+4852-00220\tEurope/Paris\nUS\t+404251-0740023\tAmerica/New_York\nat +404251-0740023, north\n",
		"SESSION_COOKIE_SAMESITE = \"Lax\"\nupdate_password: on_create\n",
		"video/avs-video,avs\nvideo/h263,h263\nvideo/mj2,mj2\n",
		"{\n  \"New Password\": \"Neues Passwort\",\n  \"Old Password\": \"Kata Sandi Lama\",\n  \"Secret\": \"Geheimnis\",\n" +
			"  \"Security Key\": \"Sicherheitsschlüssel\",\n  \"Reset password?\": \"Jelszó-visszaállítás?\"\n}\n",
		"{\"claims\":{\"birthdate\":\"Date of birth\"}}\n",
		"# Copyright (C) 2020 Mara Lind <mara@example.org>\n;; Author: Mara Lind <mara@example.org>\n",
		"{\"token\":{\"shape\":\"Token\",\"location\":\"querystring\"}}\n",
	} {
		if got := string(redacted(t, rules, Auto, []byte(text))); got != text {
			t.Errorf("%sgives\n%s", text, got)
		}
	}
	const letter = "Author: Mara Lind <mara@example.org>\n"
	if got := string(redacted(t, rules, Auto, []byte(letter))); strings.Contains(got, "mara@") {
		t.Errorf("%sgives\n%s", letter, got)
	}
}

// TestTypesStay holds that types, constants, formats and the first line of a key alone stay in programs.
func TestTypesStay(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, text := range []string{
		"pub struct Req<'a> {\n    password: &'a str,\n    refresh_token: &'a RefreshToken,\n}\n",
		"class A(\n    val password: CharArray?,\n    val secret: Uint8Array;\n    caching_password: AuthPlugin<{\n",
		"    return {\n        \"token\": TEST_DATA_BASE64,\n        'password': TEST_PASSWORD,  # ignored\n    }\n",
		"failf(data, \"error parsing private key: (-0x%04X) %s\",\nprintf(\"password: %-20s token: %.*s\\n\", a, b);\n",
		"exports.ER_PASSWORD_NO_MATCH = 1133;\n",
		"# @param access_token [Doorkeeper::AccessToken] other token\n",
		"var ErrPassword = errors.New(\"password: too short\")\n",
		"return \"-----BEGIN OPENSSH PRIVATE KEY-----\\n\" .\n    chunk_split(base64_encode($key), 70, \"\\n\") .\n" +
			"    \"-----END OPENSSH PRIVATE KEY-----\\n\";\nreturn 1;\n",
		"$key = \"PuTTY-User-Key-File-2: ssh-rsa\\r\\nEncryption: \";\n$key .= $encryption;\n",
		"if uri.user || uri.password\n  params[:headers] ||= {}\n  user, pass = unescape(uri.user), unescape(uri.password)\n",
		"Loader(try_refresh_token=once,\n  refresh_token=refresh_token).load_and_set(configuration)\n",
	} {
		if got := string(redacted(t, rules, Auto, []byte(text))); got != text {
			t.Errorf("%sgives\n%s", text, got)
		}
	}
	const key = "KEY = (\"-----BEGIN PRIVATE KEY-----\\n\"\n  \"MIIEvwIBADANBgkqhkiG9w0BAQEFAASCBKkwggSlAgEAAoIBAQDcWWomvlNGyQhA\\n\"\n" +
		"  \"-----END PRIVATE KEY-----\\n\")\n"
	if got := string(redacted(t, rules, Auto, []byte(key))); strings.Contains(got, "MIIEvw") {
		t.Errorf("%sgives\n%s", key, got)
	}
}

// TestWordsOfData holds that what people think out is a secret in data, by the ways in which programs show it.
func TestWordsOfData(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	const word = "Violet42Comet"
	for _, text := range []string{
		"[security]\nsecret_key = " + word + "\n",
		"env:\n  API_TOKEN: " + word + "\n",
		" api_key: " + word + "\n",
		"Array\n(\n    [secret_key] => " + word + "\n)\n",
		"cfg: {Host:db Port:5432 APIKey:" + word + "}\n",
		"<conf><apiKey>" + word + "</apiKey></conf>\n",
		"<ns:apiKey a=\"b\">" + word + "</ns:apiKey>\n",
		"<key>APIKey</key><string>" + word + "</string>\n",
		"array(1) {\n  [\"password\"]=>\n  string(13) \"" + word + "\"\n}\n",
		"    DefaultPassword    REG_SZ    " + word + "\n",
		"mysql-server mysql-server/root_password password " + word + "\n",
		"- Password — " + word + "\n",
		"Dim password As String = \"" + word + "\"\n",
		"AUTH default " + word + "\n",
		"expdp mara/" + word + " directory=x\n",
		"{\"login\":{\"totp\":\"JBSWY3DPEHPK3PXP" + word + "\"}}\n",
		"{\"auths\":{\"reg\":{\"identitytoken\":\"" + word + "\"}}}\n",
	} {
		if got := string(redacted(t, rules, Auto, []byte(text))); strings.Contains(got, word) {
			t.Errorf("%sgives\n%s", text, got)
		}
	}
}
