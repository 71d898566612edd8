package redact

import (
	"io"
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
		stays(t, rules, text)
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
		stays(t, rules, text)
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

// TestHarmlessNames holds that what a name speaks about a secret stays, and the secret beside it goes.
func TestHarmlessNames(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, text := range []string{
		"session.secret-expiration-ms=86400000\npassword_expiry_utc=1790000000\npassword_last_changed: 2026-03-01\n",
		"password_attempts: 1234567\npassword_retries: 120400\naccessTokenLifespan=36000\nwpa_key_mgmt=WPA-PSK\n",
		"[user]\n\tsigningkey = 3AA5C34371567BD2\n[user]\n\tsigningkey = ~/.ssh/id_ed25519.pub\n",
		"{\"workDoneToken\":\"9f8e7d6c-1234-4abc-9def-0123456789ab\",\"partialResultToken\":12}\n",
		"      annotations:\n        checksum/secret: " + digest + "\n",
		"{\"annotations\":{\"checksum/secret\":\"" + digest + "\"}}\n",
		"MasterUserPassword: !Ref DBPassword\nMasterUserPassword: !ImportValue shared-DbPassword\n",
		"WARNING! Using --password via the CLI is insecure. Use --password-stdin.\n",
		"Could not load 'Acme, Version=1.0.0.0, PublicKeyToken=30ad4fe6b2a6aeed'\n" +
			"<assemblyIdentity name=\"Acme\" publicKeyToken=\"30ad4fe6b2a6aeed\" />\n",
		"Cache restored from key: Linux-node-" + digest + "\nCache saved with key: Linux-node-" + digest + "\n",
		"function f(s,a){return s.password===a.password?s.token:null}\n",
		"pub struct A {\n    secret_key: [u8; 32],\n}\n",
		"deploy:\n\tPASSWORD=$$(pass show db) run\n\tTOKEN=$${CI_TOKEN} run\n",
		".password-toggle::after { content: \"x\"; }\n.password::before, .b { color: #fff }\n",
		"ALTER ROLE app WITH PASSWORD :'app_password';\n",
		"PASSWORD_RE = r'^[a-z]{8,}$'\nt_PASSWORD = r'[a-zA-Z0-9!@#]+'\n",
		"PASSWORD_HASHERS = ['acme.contrib.hashers.Argon2PasswordHasher']\n",
		"{\"permissions\":{\"id-token\":\"write\"}}\n",
		"{\"dependencies\":{\"csrf-token\":\"workspace:*\",\"a-token\":\"github:acme/a-token#v1\"}}\n",
		"{\"dependencies\":{\"b-secret\":\"npm:b@^2.1.0\"}}\n",
		"{\"scripts\":{\"token\":\"node scripts/token.js --out x\"}}\n",
		"{\"StringEquals\":{\"aws:PrincipalTag/secret\":\"allowed\"}}\n",
		"{\"secret\":\"Geheimnis\",\"apiKey\":\"API-Schlüssel\"}\n",
		"password: **REDACTED**\n{\"password\":\"VALUE_SPECIFIED_IN_NO_LOG_PARAMETER\",\"token\":\"<hidden>\"}\n",
		"Message-ID: <20260301.ab12@mail.example.org>\nIn-Reply-To: <77c@mail.example.org>\n",
		"Private-Key: (2048 bit, 2 primes)\n",
	} {
		stays(t, rules, text)
		holdsInPieces(t, rules, text, text)
	}
	for _, text := range []string{
		"password_ms=%\n", "password_utc: %\n", "signingkey = %\n", "signing_key: %\n", "{\"sessionToken\":\"%\"}\n",
		"prod/secret: %\n", "checksum_secret: %\n", "MasterUserPassword: !Sub %\n", "--password %\n", "--password=% via\n",
		"SecretKeyToken=%\n", "restored with key: %\n", "if a.password === \"%\" { }\n", "secret_key: [%, 32]\n",
		"PASSWORD=$%\n", "WITH PASSWORD '%'\n", "PASSWORD = '^%$'\n", "PASSWORDS = ['%']\n", "{\"id-token\":\"%\"}\n",
		"{\"csrf-token\":\"workspace:%\"}\n", "{\"csrf-token\":\"github:acme/%\"}\n", "{\"token\":\"node %.js\"}\n",
		"{\"apiKey\":\"API-%\"}\n", "result_token=%\n", "{\"aws:PrincipalTag/secret\":\"%\"}\n",
		"{\"checksum/secret\":\"%\"}\n", "checksum/secret: %\n", "password: !Ref a#%\n", "password: ~/%.pub\n",
		"{\"apiKey\":\"npm:%\"}\n", "PublicKeyToken=0%\n", "Cache restored from key: a-%\n",
		"{\"password\":\"**%**\"}\n", "Private-Key: (%)\n",
	} {
		const secret = "xT5kQ9pLw2ZrVn8c"
		text = strings.Replace(text, "%", secret, 1)
		if got := string(redacted(t, rules, Auto, []byte(text))); strings.Contains(got, secret) {
			t.Errorf("stays: %s", text)
		}
	}
}

// holdsInPieces holds that text, byte by byte, gives want.
func holdsInPieces(t *testing.T, rules *Rules, text, want string) {
	t.Helper()
	if got, err := readAll(t, NewReader(&pieces{[]byte(text), one, io.EOF}, rules, Auto)); err != io.EOF ||
		string(got) != want {
		t.Errorf("byte by byte\n%sgives\n%s", text, got)
	}
}

// digest is the hash of a file.
const digest = "7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069"

// TestAroundSecrets holds that what stands around a secret stays, and the secret goes.
func TestAroundSecrets(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	const (
		word  = "Violet42Comet"
		token = "ghs_Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6"
		body  = "MIIEpAIBAAKCAQEA7v8sK3n2Qw9xZt4LmP6yRbC1dF5gH8jN0kS2uV7wXaYeZiOq\n"
		begin = "-----BEGIN RSA PRIVATE KEY-----\n"
		end   = "-----END RSA PRIVATE KEY-----\n"
		key   = "[REDACTED:private_key]\n"
	)
	for _, c := range [][2]string{
		{"https://x-access-token:" + token + "@github.com/acme/app.git\n",
			"https://x-access-token:[REDACTED:github_token]@github.com/acme/app.git\n"},
		{"ldap://cn=admin,dc=acme:" + word + "@ldap.example.org:389\n",
			"ldap://cn=admin,dc=acme:[REDACTED:url_password]@ldap.example.org:389\n"},
		{"http://acme,mail=mara@example.org\n", "http://acme,mail=[REDACTED:email]\n"},
		{"-[ RECORD 1 ]-+-----\npassword      | " + word + "\nname          | shop\n-[ RECORD 2 ]-+-----\n" +
			"name          | shop\npassword      | " + word + "\n-[ RECORD 3 ]-+-----\nname          | shop\n",
			"-[ RECORD 1 ]-+-----\npassword      | [REDACTED:password]\nname          | shop\n-[ RECORD 2 ]-+-----\n" +
				"name          | shop\npassword      | [REDACTED:password]\n-[ RECORD 3 ]-+-----\nname          | shop\n"},
		{"define('AUTH_KEY',         '`Q+>x9Kq2mVTr8wLp4sN6bJ7yR1cF3gH5:|kD?Z,{Tr8wLp4sN6');\n",
			"define('AUTH_KEY',         '`[REDACTED:generic_secret]');\n"},
		{"| user | password |\n|---|---|\n| mara | `" + word + "` |\n| ivo | " + word + " |\n",
			"| user | password |\n|---|---|\n| mara | `[REDACTED:password]` |\n| ivo | [REDACTED:password] |\n"},
		{"kind: Secret\napiVersion: v1\ndata:\n  hush: Vmlv\n\n   web-1  Running  0\n   other text\n  more: Vmlv\n",
			"kind: Secret\napiVersion: v1\ndata:\n  hush: \"[REDACTED:secret]\"\n\n   web-1  Running  0\n   other text\n" +
				"  more: \"[REDACTED:secret]\"\n"},
		{"first_name,last_name\nMara,Lind\nkind: ConfigMap\n",
			"first_name,last_name\n[REDACTED:person_name],[REDACTED:person_name]\nkind: ConfigMap\n"},
		// a key without an end, and one with lines of another program between its own
		{begin + body + "$ ls\napp.go\nThe key, and what follows it.\nname: value\n",
			key + "$ ls\napp.go\nThe key, and what follows it.\nname: value\n"},
		{begin + "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n" + body + body + "xY9=\n" + end + "x\n",
			key + "x\n"},
		{begin + body + "web-2 | GET / by mara@example.org\n" + body + "xY9=\n" + end + "x\n",
			key + "web-2 | GET / by [REDACTED:email]\n" + key + "x\n"},
		{"remote: " + begin + "remote: " + body + "remote: done with it\nremote: " + body + "remote: xY94\nremote: " + end + "x\n",
			"remote: " + key + "remote: done with it\n" + key + "x\n"},
	} {
		for _, format := range []Format{Auto, Lines} {
			if got := string(redacted(t, rules, format, []byte(c[0]))); got != c[1] {
				t.Errorf("%sgives\n%snot\n%s", c[0], got, c[1])
			}
		}
		holdsInPieces(t, rules, c[0], c[1])
		if got := string(whole(rules, []byte(c[0]))); strings.Contains(got, word) || strings.Contains(got, "MIIE") {
			t.Errorf("%sgives\n%s", c[0], got)
		}
	}
}
