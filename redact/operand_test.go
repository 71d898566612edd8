package redact

import (
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
)

// A place where the value of a name would be, but has none: nothing is changed.
func TestNamesWithoutValue(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, text := range strings.Split(strings.TrimSpace(withoutValue), "\n") {
		text = strings.ReplaceAll(text, `\n2)`, "\n2)")
		if got := string(redacted(t, rules, Auto, []byte(text))); got != text {
			t.Errorf("%s\ngives %s", text, got)
		}
	}
}

// What is near to such a place in its form and has a secret: each line has one.
func TestValuesLikeMentions(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, text := range strings.Split(strings.TrimSpace(withValue), "\n") {
		text = strings.ReplaceAll(text, `\n`, "\n")
		if got := string(redacted(t, rules, Auto, []byte(text))); strings.Count(got, lex.MarkerStart) != 1 ||
			strings.Contains(got, "unt") {
			t.Errorf("%s\ngives %s", text, got)
		}
	}
}

// In withValue, each secret has the letters unt, and nothing else has.
const withValue = `
user=bob | password=hunterx | ip=1
password=HuntERX | ok
auth_token=huntABCDEF123456 | x
mysql --password=Sommerhunt | gzip
vault kv put s password=hunter || exit 1
msg="login password=hunter99x+"
msg="login password=hunterxyz+"
params[:password] = 'hunter2hunter2'
user[:password] = "s3cr3thunter"
client_secret: correct-hunter-battery-staple and then some more
# db password: Sommer-hunt for all hosts
api_token: https://api.example.com/v1?key=hunter99xyzzy12
webhook_secret: https://hooks.example.com/unt2b3c4d5e6f7a8b9c0
authorization_code=huntabcdef
code=x&authorization_code=SplxlOhunt
const DB_PASSWORD = 87654321;
db_password = 8765,
passwd: [hunt3r
password: 1.5.1990
bob@secret:hunter22xyz
--password SUPER-HUNTER-KEY
password: abc:x:hunter99
Password: hunter1,
{Password: hunter12}
password is "hunter.2"
the password is "Alias.hunt3r"
Password: hunter16,
{user: mara, password: hunter16}
config = {"password": hunter16}
DB_PASSWORD = hunter2,
user = mara, password = hunter2
user:password=hunter2
login:password: hunter22
// password = Hunter-2! for all
# password = hunter
password = "hunter|2"
password: hunter|2
secret/db/password: hunter2
"secret/db/password": "hunter"
"https://vault.example/v1/password": {"password": "hunter"}
setToken("huntera1b2c3d4e5f6g7h8")
setPassword("unt17")
token("hunt01c7be4f9a01c7be4f9a")
Authorization: Token hunt01c7be4f9a01c7
Authorization: huntQxZvKpLmWsRtYbNc
Authorization: hunterandsomemore
Authorization: Token hunter
-H 'Authorization: hunter' -v
-H "X-Authorization: hunt3r22"
authorization_token=hunt01c7be4f9a01c7
users[full_name]=Untel
user["full_name"] = "Mara Hunt"
full_name = "Mara Hunt"
full_name: hunt
{"full_name":"mara hunt"}
FullName: "hunt"
first_name = "hunt"
family_name "Hunt"
\fBpassword=hunt3r\fR
tool --password hunter\fR
tool \-\-password=hunter
‘--password=hunter2’
password: “hunter2”
mysql --passwd=HUNTER
password = "***hunter***"
password=%hunter%2
PASS hunt01c7be4f9a01c7be4f9a
password = "!hunter"
password=!hunter2
db_password = "is hunter2"
token=hunt{f3e1b2c9a01c7be}
const key = ` + "`" + `hunt01c7be4f9a01c7be:${name}` + "`" + `
ftp://mara:hunter@db.example/
ftp://[mara:hunter@db.example/
ftp://mara:hunter]@db.example/
secret: "hunt::4f9a01c7be4f9a01c7"
Basic bWFyYTpodW50ZXI=
Bearer: "=\"=hunt01c7be4f9a01c7be
private 'hunt01c7be4f9a01c7be4f9a01' (>= 1.2)
token "https'hunt01c7be4f9a01c7be4f9a"
national_id: 756.1234.5678.97
dob: 1.2.1984
snmp-server community hunter RO 99
rocommunity hunter 10.0.0.0/8
rwcommunity6 hunter default
  createUser mara SHA "hunter-22"
set password ENC hunter22x
    set passphrase hunter-22
wpa psk set-key ascii 0 hunter22
masterauth hunter!
| DbPassword | hunter22Quill |
|  SecretAccessKey |  9p4mpON7hunteD435eLhiCIeXYM/HVbvAaTpXYzgZUKB   |
set service snmp community hunt77trace authorization 'ro'
+snmp-server host 10.0.0.5 version 2c hunter config
  key-string hunter.22
 ppp chap password 0 hunter
tacacs-server host 10.0.0.1 key hunter
radius-server host x key 7 0822455D0Aunt544541
username mara privilege 15 secret 9 $9$hunter$22
 neighbor 10.0.0.1 password 7 hunter22x
   12→enable secret 5 $1$mERr$hunter22
acl setuser svc on +@all ~* >hunter-22
user svc on >hunter-22 ~* +@all
1764057600.123456 [0 10.0.0.1:5000] "AUTH" "hunter"
1764057600.123456 [0 10.0.0.1:5000] "HELLO" "3" "AUTH" "default" "hunter"
127.0.0.1:6379> auth default hunter
INFO:client:PASS hunter-22
[2026-11-25 10:00:01] > PASS hunter-22
C: PASS hunter22
line="AUTH PLAIN AHN2YwBuntZWx2ZXQtT3R0ZXI0MXgx"
a1 LOGIN mara hunter
PRIVMSG NickServ :IDENTIFY hunter22
::add-mask::hunter
##vso[task.setvariable variable=docDb;issecret=true]hunter
{"size":{"sensitive":true,"type":"string","value":"hunter"},"zone":{"sensitive":false,"value":"eu-west-1"}}
{"value":"hunter","masked":true,"name":"x"}
{"Name":"/app/prod/x","Type":"SecureString","Value":"hunter","Version":3}
{"label":"x","type":"CONCEALED","value":"hunter"}
{"key":"password","val":"hunter"}
id       | 1\npassword | hunter-22\nb        | c
1) "requirepass"\n2) "hunter"
doppler secrets set --project x SMTP_PASS hunter-2x
gizmo config:set --plain db_password hunter-2x
password hunter-2x
   12→password hunter-2x
SECRETARY_PASS=hunter-2x
CLIENT_SECRET=Hunter42Comet node x.js
grant_type=x&client_secret=Hunter42Comet
Set-Item -Path Env:CLIENT_SECRET -Value Hunter42Comet
gizmo env add --name CLIENT_SECRET --value Hunter42Comet
Login { user: "ada", password: Some("hunter"), id: 1 }
Login { user: "ada", password: Some(\"hunter\"), id: 1 }
Login(user=ada, password=Optional[hunter-22])
let password = SecretString::new("hunter-22x");
{user,"ada"},{admin_password,"hunter"}
[{password,<<"hunter">>}]
Map(a.b -> c, db.PASSWORD -> hunter-2x, d -> e)
ArrayBuffer((a.b,c), (db.PASSWORD,hunter-2x), (d,e))
<property><name>db.password</name><value>hunter2</value></property>
<name>db.password</name>\n     <value>hunter2</value>
<Password><Value>hunter</Value><PlainText>true</PlainText></Password>
<password>\n  hunter-22\n</password>
1,build,"{""user"":""ada"",""password"":""hunter""}"
1,build,"Mail { user: ""ada"", password: ""hunter"" }"
802-11-wireless-security.psk:            hunter.2x
    Key Content            : hunter2
`

const withoutValue = `
set password: a new one
password | Password of the user
token  | string | yes
| token | string |
| password | The password of the user |
| password | user2 |
| token | 1.2.3 |
set passphrase for the key
the rocommunity directive takes a name
1) "password"\n2) not "this" one
public partial class UserPassword : Migration
private record PlanPasswords : PasswordPlan
Shared_secret_cnt uint64
	token := jwt.New(jwt.SigningMethodHS256, nil)
AuthType.Password -> Kind.PASSWORD2X
assert_eq!(password, "hunter-22");
  user.PrivateKey = _mockEncryptedType7String;
test "requires authorization", %{conn: conn} do
auth_cookie = %Web.Cookie.Auth{
  message.map[entry2.key] = entry2.value;
"Server=x;User Id=sa;Password=$DB_PASSWORD;Encrypt=True"
PASS src/login2.test.ts
  PASS TestLogin2x (0.01s)
AUTH PLAIN
AUTH failed for user2x
> auth
snmp-server location rack4
snmp-server location rack4 "" "
snmp-server host 10.0.0.5 version 3 auth user2x
the key 7 of the list and the password 8 below it
neighbor 10.0.0.1 remote-as 65001
the cipher suite42 is used
::add-mask::$TOKEN
##vso[task.setvariable variable=docDb;issecret=false]eu-west-1
{"sensitive":true,"name":"x"},{"value":"y"}
{"type":"string","value":"y","secret":false}
update token version of x
if !check(password, "wrong") {
auth(user, password, sha256)
x = f(password, token2)
password -> this.password
	password -> encode(password)
password := Secret(name)
password: Some(password)
	api_key: Some(config.api_key),
let token = Token::new("name");
password text
<password></password>
<name>password</name><type>string</type>
<key>token</key><true/>
password="" and so on
LAST_PASS=true
    psk=psk_1,
tokens := []Token{rawToken("17"), rawToken("-123456789.987654321E+0123456789"), rawToken("9007199254740993")}
info := User{Password: password16, Name: name16}
// user:password:GID and host:port:user:password:base_dn:flags
	// challengePassword = ignored challenge
Get "https://mara:***@db.example/password": dial failed
reasons[fullName] = "unknown reason"
if fullname != "pip" { fullname = parent.__name__+'.'+name }
protocol-authorization-data: LISTofBYTE, authorization-protocols: LISTofAUTH
authorization-protocol-data: STRING8
if grant in ('authorization_code', 'implicit', 'openid'):
usage: x <token> [file|stdin|env] token: [soft|hard]
ask_password = on/off, password.toHashes = true|false
the keystore password is "Alias.password", password: "Alias#password"
    PWD = "'` + "`pwd`" + `'"
{"x":"it has \"set-cookie: a\" and \"set-cookie: b\"\n  const server = x"}
paths := []string{"artifact1.sig", "linux/artifact1.sig"}
base\-passwd package, reset\-windows\-password my\-instance
\fB\-\-passwd=DATEI\fP and \-\-passwd=\fIFILE\fP
‘--password=PASSWORD’ and ‘--private-key=FILE’
  NO_PASSPHRASE = 177, BAD_PASSWORD = ERROR_BASE + 15,
const ERROR_WRONG_PASSWORD = 1323
type P_PASSWORD_CREDENTIALSW = uintptr
const OID_USER_PASSWORD = "1.2.840.113549"
const PCP_PASSWORD_REQUIRED_PROPERTY = "PCP_PASSWORD_REQUIRED"
#define X520_SURNAME "2.5.4.4"
#define GENL_FAMILY_NAME "thermal"
username, password = split
scheme://[user:passwd@]proxy, ftp://[[user][:pass]@]host, http://(user:passwd@)host
user_pass = '%s:%s' % (user, pw)
[RootPassword]: https://docs.example/password.html
AppCheckToken *GoogleFirebaseAppcheckV1betaAppCheckToken ` + "`json:\"accessToken,omitempty\"`" + `
AuthorizationCode *AuthorizationCode ` + "`json:\"authorizationCode,omitempty\"`" + `
xAuth = (*Tsqlite3)(unsafe.Pointer(db)).FxAuth
type ExtensionApi = ExtensionApi1
Depends: libkf5private5-22.12, libkf5private5abi2 (>= 4:22.12.3), libx1private2 (= 1)
Basic Operators, Basic Operation, Basic SFNT/TrueType
curl --pinnedpubkey 'sha256//ce118b51897f4452dc' https://example.com
#define CFG_SIGNATURE 0x51454d5520434647ULL
Package: libxapp-gtk3-module
` + "`Authorization`: The request signature." + `
x [{"token":"'s","logprob":-0.1234567,"bytes":[39,115],"top_logprobs":[]}]
Keys{KeyA: "x", KeyB: "https://api.example.com/v1?e=a%40b&l=5#x"}
passwd:         compat
passwd:		files
	WinAccountKeyAdminsSid                        = 113
	ETHTOOL_FAMILY_NAME                         = "ethtool"
	"fortune_cookie":                       "\U0001f960", "old_key": "\U0001f5dd\ufe0f",
      --password               Choose what opens the door
PASSWORD            STATUS      hunter
<Password label="x"/> <user:password>@host <password strength="low"></password> <ns:password/> <key>password</key><string>Passwort</string>
<input type="password" placeholder="Password" value=""> <input type="password"><input name="x" value="hunter22">
password = """""" token='''''' | password: | x
PASS src/cart/render1.test.ts (6.1 s)
PASS packages/use-context2.selector/index3.spec.tsx
token=Token{f3e1b2c ActivityRecord{a81c2d4e u0 com.example/.Main t12}}
this._noAuthorization = !req.headers.authorization;
exports.Socks5Auth = exports.Socks4Response = exports.X;
	const key = ` + "`" + `security-advisory:${name}:${id}` + "`" + `; const cacheKey = ` + "`" + `user-session2:${name}:${id}:x` + "`" + `
createToken("PRERELEASEIDENTIFIERLOOSE", x)
def f(private_key: "_RSAPrivateKey"): pass
errors: {password: "is too short"}, x: {password: "can't be blank", token: "must be at least 8 characters"}
{"gpio_pin":4,"ledPin":13,"nextPageToken":"CAUQAA9xQMQ1VDGceR","sync_token":"CPDAlvWDx70CEPDAlvWDx70CGAU="}
eli:x: /etc/passwd:eli:x:2098:1000:Eli Smith:/home/eli:/bin/bash
`

// A carriage return within a line ends the configuration of a router there.
func TestReturnInLine(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for _, text := range []string{"snmp-server location \rrack4\n", "snmp-server \r\r\n", "key-string \"\r\" \r x\n"} {
		if got := string(redacted(t, rules, Auto, []byte(text))); got != text {
			t.Errorf("%q gives %q", text, got)
		}
	}
}
