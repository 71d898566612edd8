package redact

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/internal/testdepth"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// However a name and a secret are put together, what a machine made by chance and what
// people choose is found; the words that programs and texts have there are not.
func TestNamedValues(t *testing.T) {
	const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	rules := compile(t, Options{Groups: Secrets})
	rnd := rand.New(rand.NewPCG(5, 5))
	made := func() string {
		v := make([]byte, 28)
		for i := range v {
			v[i] = letters[rnd.IntN(len(letters))]
		}
		return "k1" + string(v)
	}
	column := strings.Repeat(" ", names.MaxAlign/2)
	names := strings.Fields(
		"password DB_PASSWORD user.password self.apiKey client_secret accessToken X-Api-Key signing_key")
	for _, form := range []string{"N=V", "N = V", "N: V", "N := \"V\"", "\"N\": \"V\"", "N == \"V\"", "N != V", "--N V",
		"--N=V", "set(\"N\", \"V\")", "log(\"x\", \"N\", \"V\")", "<N>V</N>", "f(x, N=V)", "N(\"V\")",
		"host,N=V,ssl=True",
		"A=b;N=V;C=d", "N=V psql -h x", "N \"V\"", "?a=b&N=V&c=d",
		"N" + column + "= \"V\"", "N:" + column + "V", "\"N\":" + column + "\"V\"", "      + N" + column + "= \"V\"",
		"<ns:N>V</ns:N>", "<N algo=\"x\">V</N>", "<ns:N Type=\"x\"><![CDATA[V]]></ns:N>", "<N><![CDATA[V]]></N>",
		"<key>N</key>\n\t<string>V</string>",
		"<input type=\"N\" name=\"x\" value=\"V\">", "N = \"\"\"V\"\"\"", "N='''V'''", "N: |\n  V\n",
		"  N: >-\n    V\n"} {
		for _, name := range names {
			for _, value := range []string{made(), "tr0ub4dor&3x", "Sup3rS3cret!"} {
				text := strings.NewReplacer("N", name, "V", value).Replace(form)
				if got := string(whole(rules, []byte(text))); strings.Contains(got, value[:4]) {
					t.Errorf("%s gives %s", text, got)
				}
			}
		}
	}
	for _, text := range strings.Split(strings.TrimSpace(mentions), "\n") {
		if got := string(whole(rules, []byte(text))); got != text {
			t.Errorf("%s\ngives %s", text, got)
		}
	}
}

// Values of signs are secrets or none, and nothing worse.
func TestValuesOfSigns(t *testing.T) {
	const signs = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ aZ1"
	rules := compile(t, Options{Groups: All})
	x := rules.Text()
	var out []byte
	for _, form := range []string{"DB_PASSWORD=V", `token: "V"`, "--secret V x", "Authorization: V", "full name: V",
		"key('V')", "zenTOKEN V", "https://u:V@h/", "pin V"} {
		before, after, _ := strings.Cut(form, "V")
		for i := 0; i < len(signs)*len(signs)*len(signs); i += testdepth.Step() {
			v := []byte{signs[i%len(signs)], signs[i/len(signs)%len(signs)], signs[i/len(signs)/len(signs)]}
			out = x.Append(out[:0], []byte(before))
			out = x.Append(out, v)
			out = x.Flush(x.Append(out, []byte(after)))
			if len(out) == 0 {
				t.Fatalf("%s%s%s gives nothing", before, v, after)
			}
		}
	}
	for _, v := range []string{"-_.", "._", "--_"} {
		if got := string(whole(rules, []byte(`DB_PASSWORD="`+v+`"`))); strings.Contains(got, v) {
			t.Errorf("%s gives %s", v, got)
		}
	}
}

// What people choose for a password is found where only data or an argument can stand,
// also if it could be a word, a name or a program's.
func TestChosenPasswords(t *testing.T) {
	rules := compile(t, Options{Groups: Secrets})
	for _, form := range []string{"DB_PASSWORD=V", "MYSQL_PWD=V", "export API_SECRET_PASSWORD=\"V\"",
		"tool --password V --host db",
		"tool --password=V", "ansible_ssh_pass: \"V\"", "db.password = \"V\"", "{\"db_password\":\"V\"}",
		"x;Password=V;y=z"} {
		for _, value := range strings.Fields(
			"Summer2025 P4ssw0rd! new_password1 user_password2 Secr3tKey9 dbpassword1 correct-horse-battery9") {
			text := strings.ReplaceAll(form, "V", value)
			if got := string(redacted(t, rules, Auto, []byte(text))); strings.Contains(got, value) {
				t.Errorf("%s gives %s", text, got)
			}
		}
	}
	for _, text := range strings.Split(strings.TrimSpace(chosen), "\n") {
		if got := string(whole(rules, []byte(text))); strings.Count(got, lex.MarkerStart) != 1 {
			t.Errorf("%s gives %s", text, got)
		}
	}
}

// chosen are lines with one secret each that could be taken for a word.
const chosen = `
tool --password HUNTER
tool --passphrase MONKEY
DB_PASSWORD=dbpassword
export DB_PASSWORD="dbpassword"
DB_PASSWORD=db_password
JWT_SECRET=my_jwt_secret_2024
MYSQL_PWD=Secr3tKey
INFO login user=mara password="hunter" ip=x
please login mara, password: hunter
the password is hunter2, and nobody knows
Your password was Summer2025.
your password is: Margarita.
**Password:** hunter
**Password**: hunter
- *Password*: ` + "`hunter`" + `
SMTP_PASS=letmein
MYSQL_PWD=hunter mysqldump shop
run(["tool", "--password", "hunter", "-v"])
mysql -u root -phunter shop
/usr/bin/mysqldump -uroot -p'hunter and more' shop > x
sshpass -p hunter ssh db
docker login -u mara -p hunter registry.example.org
sudo podman login -p 'hunter and more' -u mara registry.example.org
az login --service-principal -u mara -p hunter
mongodump --host db -u mara -p hunter --out x
redis-cli -h db -a hunter ping
ldapsearch -x -D cn=mara -w hunter -b dc=example
smbclient -U mara%hunter //db/share
xfreerdp /u:mara /p:hunter /v:db
sqlplus -S mara/hunter@db
jdbc:oracle:thin:mara/hunter@//db:1521/x
requirepass hunter
	bindpw   "hunter"
psk="hunter"
psk=hunter22
username mara privilege 15 secret 5 $1$mERr$hx5rVt7rPNoS4wqbXKX7m0
enable password 7 0822455D0A16
 password 7 0822455D0A16
variable "db_password" { default = "hunter" }
opts = [{:password, "hunter"}]
CREATE USER mara IDENTIFIED BY 'hunter';
alter user 'mara'@'%' identified with mysql_native_password by "hunter";
SET PASSWORD FOR 'mara'@'%' = PASSWORD('hunter');
const secret = process.env.DB_PASSWORD || 'hunter'
config.password ?? "hunter"
<entry key="password">hunter2</entry>
ds.setPassword("hunter"); ds.setPassword(other)
auth: { user: "mara", pass: "hunter2" }
`

// Where a plan tells what a password was and what it is to be, neither is seen.
func TestChangedPassword(t *testing.T) {
	rules := compile(t, Options{Groups: Secrets})
	const want = `  ~ password = "[REDACTED:password]" -> "[REDACTED:password]" # in place`
	if got := string(whole(rules, []byte(`  ~ password = "hunter" -> "hunter two" # in place`))); got != want {
		t.Error(got)
	}
}

// mentions are lines that name a secret and do not tell it.
const mentions = `
print "Set-Cookie: sid=$Cookie{'sid'}; path=$ENV{SCRIPT_NAME}\n";
the headers "set-cookie: a" and "set-cookie: b". Then more of it
vkey := "MaraLind+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TX"
var rsaPrivateKey = test1024Key
PrivateKey: testEd25519PrivateKey, PrivateKey: brokenSigner{testRSAPrivateKey},
if sig := b.uint32(); sig != directory64EndSignature {
if user.password != previous_password or token.type == jwt.encode.kind:
self.password = default; self.master_user_password = master_user_password
password=new_password, api_key=creds['key'], secret: payload["value"]
client = connect(host, password=proposed_password)
token = oauth2.Token{}
expected[secretToken] = struct{}{}
type statelessResetToken [statelessResetTokenLen]byte
access_key: *resp.Credentials.AccessKey, session = (&Config{}).EncryptTicket
sub auth { shift->command("AUTH", @_)->response() }
req.Header.Set("Authorization", "Basic " + basicAuth(user))
headers["Authorization"] = "Bearer %s" % token
case "Authorization", "Www-Authenticate", "Cookie", "X-Other":
'CPSession', 'CPSessionConfiguration', 'ENTemporaryKey', 'EntityRotationGestureRecognizer',
result_key = "AttachedManagedPolicies"; REFRESH_TOKEN = "REFRESH_TOKEN"; envKey := "MY_API_KEY"
r'(?P<password>[^\s/]*)@' and https://<user>:<password>@host
Bearer realm=example.com, Bearer resource_metadata="https://example.com"
const secretValue = 0x53c237_53c237; token.New(-0b101010)
optional_auth_key = '-----BEGIN CERTIFICATE-----
PWD="/home/somebody/project" ssh_key: /etc/ssh/keys/server
readFile('/etc/passwd', 'utf8'), secret: arn:aws:secretsmanager:eu:1:secret:db-x1y2
	* agent/preset-passphrase.c: Ditto. src/passwd.c: Use the new name. pwd.h:48:1: error
	gpg: Fix the --passphrase-repeat option, document the --password options.
	WakeOnLanPassword= setting in [Link]; --root-password= but accepts others
	gtlspassword: Fix g-i annotation; null_password: Added.
gpg --change-passphrase user-id; mysql --password PASSWORD --passwd=FILE
tool --password NEW_PASSWORD --passphrase NEWPASSPHRASE --root-password ROOT_PW
The password is base64-encoded, the passphrase was SHA256-hashed, the password is wrong, the password is: required
mysql -u root -p shop; mysql -p$PASS; mysql -pPASSWORD; mysql -p[password]; docker run -d mysql -p3306:3306
docker run -p 8080:80 login; docker login -u mara --password-stdin; mongo -u mara -p --host db; redis-cli -p 6379 -a "$PASS"
redis-cli -a <password> ping; ldapsearch -w PASSWORD; smbclient -U mara -W group; tar -a x; grep -w hunter; smbclient -U %; az login -p -u x
sqlplus / as sysdba; sqlplus /nolog; sqlplus and/or others; sqlplus <user>/<password>@db; jdbc:oracle:thin:@//db:1521/x; jdbc:oracle:thin:user/password@db
# requirepass foobared
requirepass <password>
The directive requirepass foo is
psk = derive(psk, label)
    psk=psk1,
the bindpw of it
Password 8 characters
add_error(changeset, :password, "is too short"); [:password, "hunter"]
sshpass -p "$PASS" ssh db; mkdir -p/srv/mysql; set password for root; objects are identified by 'name' here
if (!password || "no password") env.PASSWORD || "not-set"; setPassword("password") <string name="password">Passwort</string> <b id="password">y</b>
char **password, *passphrase; password:*word; password** 2
DB_PASSWORD = "db_password"; JWT_SECRET=OTHER_SECRET
login_name:passwd:UID:GID:user_name:directory:shell
\fB--passphrase\fR \fIstring\fR
type Http2Session::Clear(); Cookie::expiryDate2DeltaSeconds
Add new upstream signing key 19882D92DDA4C400C22C0D56CC2AF4472167BE03
uses: actions/create-app-token@64ab729a6294000f5aa4a4bc0b73d1f32bc45510
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx xoxb-xxxxxxxxx-xxxxxxxxxx 2018-xoxo-someplace-photo-1.jpg
`

// A full name is a project's or a type's as well, and neither is a person.
func TestFullNames(t *testing.T) {
	rules := compile(t, Options{Groups: PII})
	for in, want := range map[string]string{
		`{"full_name":"Mara Lind"}`:                    `{"full_name":"[REDACTED:person_name]"}`,
		`{"full_name":"octo/spoon","first_name":"M"}`:  `{"full_name":"octo/spoon","first_name":"[REDACTED:person_name]"}`,
		`{"full_name":{"first":"Mara","last":"Lind"}}`: `{"full_name":{"first":"[REDACTED:person_name]","last":"[REDACTED:person_name]"}}`,
		`full_name: Mara`:                              `full_name: "[REDACTED:person_name]"`,
		`FullName = "google.protobuf.Any"`:             `FullName = "google.protobuf.Any"`,
		`fullName := pkg + "." + name`:                 `fullName := pkg + "." + name`,
	} {
		if got := string(redacted(t, rules, Auto, []byte(in))); got != want {
			t.Errorf("%s gives %s", in, got)
		}
	}
}

// TestToldIn holds that a secret goes that a sentence, a table of lines, a function or a pipe gives, and that what
// looks like one of these and gives none stays.
func TestToldIn(t *testing.T) {
	rules := compile(t, Options{Groups: Secrets})
	for in, want := range map[string]string{
		"The password for the staging server is Marigold77-otter.\n": "The password for the staging server is [REDACTED:password].\n",
		"Das Passwort lautet: Marigold77-otter\n":                    "Das Passwort lautet: [REDACTED:password]\n",
		"config:\n  x:dbPassword: walnutbreeze\n":                    "config:\n  x:dbPassword: [REDACTED:password]\n",
		"define('DB_PASSWORD', 'walnutbreeze');\n":                   "define('DB_PASSWORD', '[REDACTED:password]');\n",
		"os.Setenv(\"DB_PASSWORD\", \"walnutbreeze\")\n":             "os.Setenv(\"DB_PASSWORD\", \"[REDACTED:password]\")\n",
		"new NetworkCredential(\"mara\", \"walnutbreeze\");\n":       "new NetworkCredential(\"mara\", \"[REDACTED:credential]\");\n",
		"auth=HTTPBasicAuth('mara', 'walnutbreeze')\n":               "auth=HTTPBasicAuth('mara', '[REDACTED:credential]')\n",
		"mara:Marigold77-otter@tcp(db:3306)/shop\n":                  "mara:[REDACTED:url_password]@tcp(db:3306)/shop\n",
		"RUN echo \"root:walnut breeze\" | sudo chpasswd\n":          "RUN echo \"root:[REDACTED:password]\" | sudo chpasswd\n",
		"rootpw --plaintext walnutbreeze\n":                          "rootpw --plaintext [REDACTED:password]\n",
		"twine upload -u m -p walnutbreeze dist/*\n":                 "twine upload -u m -p [REDACTED:password] dist/*\n",
		"┌──────┬──────────────┐\n│ user │ password     │\n├──────┼──────────────┤\n│ mara │ walnutbreeze │\n└──────┴──────────────┘\n": "┌──────┬──────────────┐\n" +
			"│ user │ password     │\n├──────┼──────────────┤\n│ mara │ [REDACTED:password] │\n└──────┴──────────────┘\n",
		"password: \x1b]8;;http://x\x1b\\Marigold77-otter\x1b]8;;\x1b\\\n": "password: \x1b]8;;http://x\x1b\\[REDACTED:password]\x1b]8;;\x1b\\\n",
		"ghp_R7hQ2mX9kV47hQ2\x1b]8;;\x07mX9kV4ZbT5wLqN8sYdCfG\n":           "[REDACTED:github_token]\n",
		"ghp_R7hQ2mX9kV47hQ2\u009b31mmX9kV4ZbT5wLqN8sYdCfG\n":              "[REDACTED:github_token]\n",
	} {
		if got := string(redacted(t, rules, Lines, []byte(in))); got != want {
			t.Errorf("%sgives\n%s", in, got)
		}
	}
	for in, want := range map[string]string{
		"echo -n 'Marigold77' | docker login -u m --password-stdin\n":         "echo -n '[REDACTED:password]' | docker login -u m --password-stdin\n",
		"printf '%s' \"walnut breeze\" | docker secret create x -\n":          "printf '%s' \"[REDACTED:password]\" | docker secret create x -\n",
		"gh auth login --with-token <<< walnutbreeze\n":                       "gh auth login --with-token <<< [REDACTED:password]\n",
		"default login mara password walnutbreeze\n":                          "default login mara password [REDACTED:password]\n",
		"##vso[task.setvariable variable=DbPassword]walnutbreeze\n":           "##vso[task.setvariable variable=DbPassword][REDACTED:secret]\n",
		"SQL> connect scott/Marigold77@orcl\n":                                "SQL> connect scott/[REDACTED:password]@orcl\n",
		"JWT_SECRET=walnutbreeze\n":                                           "JWT_SECRET=[REDACTED:secret]\n",
		"12:JWT_SECRET=walnutbreeze\n":                                        "12:JWT_SECRET=[REDACTED:secret]\n",
		"Credentials: admin / Marigold77-otter\n":                             "Credentials: admin / [REDACTED:credential]\n",
		"hey, pw is Marigold77-otter\n":                                       "hey, pw is [REDACTED:password]\n",
		"$1 = {user = 0x1 \"m\", password = 0x2f \"walnutbreeze\"}\n":         "$1 = {user = 0x1 \"m\", password = 0x2f \"[REDACTED:password]\"}\n",
		"x += Credentials(\"Realm\", \"host\", \"mara\", \"walnutbreeze\")\n": "x += Credentials(\"Realm\", \"host\", \"mara\", \"[REDACTED:credential]\")\n",
		"    Key Content            : walnutbreeze\n":                         "    Key Content            : [REDACTED:password]\n",
	} {
		if got := string(redacted(t, rules, Lines, []byte(in))); got != want {
			t.Errorf("%sgives\n%s", in, got)
		}
	}
	for _, text := range []string{
		"echo \"$TOKEN\" | docker login -u m --password-stdin\n",
		"echo Marigold77 | tee x\n",
		"cat <<< Marigold77\n",
		"JWT_SECRET=changeme_please\nAPI_KEY=xxxxxxxxxxxx\nSECRET_KEY=your_secret_here\n",
		"##vso[task.setvariable variable=BuildName]walnutbreeze\n",
		"connect owner/repository@v1.2 to it, and git connect a/b@c\n",
		"Credentials: see the vault / ask Mara\n",
		".x.org\tTRUE\t/\tFALSE\t0\tlang\ten\n",
		"The password for the staging server is kept in the vault.\n",
		"  --password) password=\"$2\"; shift 2 ;;\n",
		"<input v-model=\"form.password\" :type=\"isShown ? 'text' : 'password'\">\n",
		"{\"password\":\"Passwort\",\"sep_token\":\"[SEP]\"}\n",
		"t(\"INVALID_PASSWORD\", \"walnutbreeze\")\n",
		"new ApiCredentials(\"mara\", key);\n",
		"echo \"root:x\" | cat\n",
		"AuthScope.of(\"basic\", \"walnutbreeze\")\n",
		"├── auth\n│   ├── password.go\n│   └── token_test.go\n",
	} {
		if got := string(redacted(t, rules, Lines, []byte(text))); got != text {
			t.Errorf("%sgives\n%s", text, got)
		}
	}
}
