package catalogue

import (
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/commands"
	"github.com/kfw-dev/kfw/redact/internal/detect"
	"github.com/kfw-dev/kfw/redact/internal/names"
	"github.com/kfw-dev/kfw/redact/internal/structure"
)

const (
	// droppedField is the name of the rule that fields are counted under that were not asked for.
	droppedField = "dropped_field"
	// NotARecord is the name of the rule for what is withheld because it is no record.
	NotARecord = "not_a_record"
)

// Rules returns the rules, each made anew, since some keep a compiled
// expression. The order decides which rule names a match that two rules begin
// at the same byte.
func Rules(n *names.Names) []detect.Rule {
	name := func(name string, g names.Group, example string, phrases ...names.Phrase) detect.Rule {
		f := &names.Named{Names: n}
		x := detect.Rule{Name: name, Group: g, Form: f, Example: example, Source: "usage"}
		for _, p := range phrases {
			for words := range strings.SplitSeq(p.Words, "|") {
				one := p
				one.Words = words
				f.Phrases = append(f.Phrases, one)
				x.Anchors = append(x.Anchors, names.AnchorsOf(words)...)
			}
		}
		return x
	}
	account := detect.NewAccountNumber()

	return slices.Concat([]detect.Rule{
		{Anchors: []string{strings.ToLower(lex.MarkerStart)}, Form: detect.MarkerForm{}},
		{Anchors: detect.Encoded{}.Anchors(), Form: detect.Encoded{}},
		{Group: names.Secrets, Anchors: commands.ProgramName{}.Anchors(), Form: commands.ProgramName{}},
		{Group: names.Secrets, Anchors: structure.Manifest{}.Anchors(), Form: structure.Manifest{Names: n}},
		{Anchors: structure.PairMark{}.Anchors(), Form: structure.PairMark{}, SaysOfLines: true, Opens: true},
		{Group: names.Secrets, Anchors: structure.DeclaredMark{}.Anchors(), Form: structure.DeclaredMark{}, Opens: true},
		{Group: names.Secrets, Anchors: structure.KeyMemberMark{}.Anchors(), Form: structure.KeyMemberMark{}, Opens: true},
		{Anchors: structure.ColumnList{}.Anchors(), Form: structure.ColumnList{Names: n}, Opens: true},
		{Name: droppedField},
		{Name: NotARecord},

		// private keys
		{Name: "private_key", Group: names.Secrets, Anchors: []string{"-----begin"}, Form: structure.KeyHeader{},
			Source:  "RFC 7468",
			Example: "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIBnotakeyatall0123456789\n-----END EC PRIVATE KEY-----"},
		{Name: "private_key", Group: names.Secrets, Anchors: []string{"---- begin ssh"}, Form: structure.KeyHeader{SSH2: true},
			Source: "RFC 4716, manual of ssh.com", Example: "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n" +
				"P2/56wAAAgIAAAAmZGwtbW9kcHthisnokey0123456789\n---- END SSH2 ENCRYPTED PRIVATE KEY ----"},
		{Name: "private_key", Group: names.Secrets, Anchors: structure.KeyBody{}.Anchors(), Form: structure.KeyBody{},
			Example: "MIIEpAIBAAKCAQEA" + detect.Made(48), Refused: "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A",
			Source: "RFC 8017, RFC 5208, RFC 5915, RFC 8410, OpenSSH: PROTOCOL.key"},
		{Group: names.Secrets, Anchors: structure.KeyNumber{}.Anchors(), Form: structure.KeyNumber{}, SaysOfLines: true},
		{Name: "private_key", Group: names.Secrets, Anchors: []string{"putty-user-key-file-"},
			Form: structure.KeyHeader{Putty: true}, Source: "PuTTY manual, appendix C",
			Example: "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nAAAAIBnotakeyatall0123456789\n" +
				"Private-MAC: 00ff00ff"},
	}, detect.ProviderTokens(), detect.ServiceTokens(), detect.WalletKeys(), []detect.Rule{
		// what the text around tells
		{Name: "url_password", Group: names.Secrets, Anchors: []string{"://"}, Form: detect.UserInfo{},
			Example: "postgres://app:tr0ub4dor@db.internal:5432/app", Source: "RFC 3986 3.2.1"},
		{Name: "url_password", Group: names.Secrets, Anchors: []string{"@tcp(", "@unix("}, Form: detect.SourceName{},
			Example: "app:tr0ub4dor@tcp(db:3306)/shop", Refused: "app@tcp(db:3306)/shop",
			Source: "github.com/go-sql-driver/mysql, README"},
		{Name: "user_password", Group: names.Secrets, Anchors: names.AnchorsOfFlags(true),
			Form:    names.FlagValue{OfUsers: true},
			Example: "curl -s -u mara:tr0ub4dor https://example.org/", Refused: "docker run -u mara:tr0ub4dor x",
			Source: "synopses"},
		{Name: "password", Group: names.Secrets, Anchors: names.AnchorsOfFlags(false), Form: names.FlagValue{},
			Example: "mysql -u root -ptr0ub4dor shop", Refused: "mkdir -ptr0ub4dor", Source: "synopses"},
		{Name: "password", Group: names.Secrets, Anchors: names.AnchorsOfOperands(), Form: names.OperandValue{},
			Example: "htpasswd -b users mara tr0ub4dor", Refused: "git config --get password", Source: "synopses"},
		{Name: "user_password", Group: names.Secrets, Anchors: commands.ProgramName{}.Anchors(),
			Form:    commands.ArgumentList{Forms: []names.Form{names.FlagValue{OfUsers: true}}},
			Example: `CMD ["curl", "-u", "mara:tr0ub4dor"]`, Refused: `CMD ["curl", "-o", "mara:tr0ub4dor"]`,
			Source: "synopses"},
		{Name: "password", Group: names.Secrets, Anchors: commands.ProgramName{}.Anchors(),
			Form:    commands.ArgumentList{Forms: []names.Form{names.FlagValue{}, names.OperandValue{}}},
			Example: `CMD ["docker", "login", "-p", "tr0ub4dor"]`, Refused: `CMD ["docker", "run", "-p", "tr0ub4dor"]`,
			Source: "synopses"},
		{Name: "password", Group: names.Secrets,
			Anchors: []string{"sqlplus ", "connect ", "jdbc:oracle:thin:", "jdbc:oracle:oci:", "jdbc:oracle:oci0:"},
			Form:    detect.Logon{}, Example: "sqlplus scott/tr0ub4dor@db",
			Source: "SQL*Plus manual, Oracle JDBC manual"},
		{Name: "password", Group: names.Secrets,
			Anchors: []string{"requirepass ", "masterauth ", "bindpw ", "rootpw ", "psk=", "rootpw --plaintext "},
			Form:    detect.Directive{}, Example: "\nrequirepass tr0ub4dor\n",
			Source: "redis.conf, ldap.conf(5), wpa_supplicant.conf(5)"},
		{Name: "password", Group: names.Secrets, Anchors: detect.Piped{}.Anchors(), Form: detect.Piped{},
			Example: "echo 'app:tr0ub4dor' | chpasswd\n", Refused: "echo 'app:tr0ub4dor' | cat\n",
			Source: "chpasswd(8), docker-login(1), gh-auth-login(1), sudo(8)"},
		{Name: "password", Group: names.Secrets, Anchors: detect.Router{}.Anchors(), Form: detect.Router{},
			Example: "\nsnmp-server community tr0ub4dor RO\n", Refused: "snmp-server location rack4",
			Source: "manuals of Cisco IOS and NX-OS, Junos, VRP, FortiOS, snmpd.conf(5)"},
		{Name: "password", Group: names.Secrets, Anchors: detect.Protocol{}.Anchors(), Form: detect.Protocol{},
			Example: "127.0.0.1:6379> AUTH tr0ub4dor", Refused: "PASS tr0ub4dor", Source: "Redis, RFC 959, RFC 4954, RFC 9051"},
		{Name: "password_hash", Group: names.Secrets, Anchors: []string{":::"}, Form: detect.WindowsHash{},
			Example: "mara:1001:" + detect.MadeHex(32) + ":" + detect.MadeHex(32) + ":::", Refused: "a:b:::",
			Source: "pwdump, Samba: smbpasswd(5)"},
		{Name: "password", Group: names.Secrets, Anchors: []string{"wifi:"}, Form: detect.NetworkCode{},
			Example: "WIFI:T:WPA;S:home;P:tr0ub4dor;;", Refused: "WIFI: on", Source: "ZXing: barcode contents"},
		{Name: "cookie", Group: names.Secrets, Anchors: detect.CookieFile{}.Anchors(), Form: detect.CookieFile{},
			Example: ".example.org\tTRUE\t/\tTRUE\t1790000000\tsid\t" + detect.Made(24),
			Refused: "x\tTRUE\ty", Source: "curl: HTTP cookies, Netscape format"},
		{Name: "secret", Group: names.Secrets, Anchors: detect.Declared{}.Anchors(), Form: detect.Declared{Names: n},
			Example: "::add-mask::tr0ub4dor", Source: "GitHub Actions and Azure Pipelines: commands of workflows"},
		{Name: "password", Group: names.Secrets,
			Anchors: []string{"identified by", "identified with", "set password for"}, Form: detect.Statement{},
			Example: "CREATE USER app IDENTIFIED BY 'tr0ub4dor'", Source: "MySQL manual, 15.7.1"},
		{Name: "password", Group: names.Secrets, Anchors: detect.Netrc{}.Anchors(), Form: detect.Netrc{Names: n},
			SaysOfLines: true,
			Example:     "\nmachine example.org login mara password tr0ub4dor\n", Source: "ftp(1)"},
		{Name: "password", Group: names.Secrets, Anchors: detect.Pgpass{}.Anchors(), Form: detect.Pgpass{Names: n},
			Example: "\ndb.example.org:5432:shop:mara:tr0ub4dor\n", Source: "PostgreSQL manual, 34.16"},
		{Name: "secret", Group: names.Secrets, Anchors: []string{"akia", "asia"}, Form: detect.BesideKeyID{},
			Example: "AKIAQ7ZNOTAREALKEY00\t2024-05-01\t" + detect.Made(40), Refused: "AKIA or ASIA",
			Source: "AWS CLI: iam create-access-key, sts assume-role"},
		{Name: "private_key", Group: names.Secrets, Anchors: []string{"=\t"}, Form: detect.TunnelKeys{},
			Example: detect.Made(43) + "=\t" + detect.Made(43) + "=\t51820\toff\n",
			Refused: detect.Made(43) + "=\t" + detect.Made(43) + "=\t51820\tx\n", Source: "wg(8)"},
		{Name: "password", Group: names.Secrets, Anchors: detect.RelayLogin{}.Anchors(), Form: detect.RelayLogin{},
			Example: "\n[smtp.example.org]:587 mara:tr0ub4dor\n", Refused: "\n[smtp.example.org]:587 mara\n",
			Source: "Postfix: SASL_README"},
		{Name: "password", Group: names.Secrets, Anchors: detect.TunnelSecret{}.Anchors(), Form: detect.TunnelSecret{},
			Example: "\n: PSK \"tr0ub4dor\"\n", Refused: "\n: PSK file\n", Source: "ipsec.secrets(5)"},
		{Name: "password_hash", Group: names.Secrets, Anchors: detect.StoredPassword{}.Anchors(),
			Form:    detect.StoredPassword{},
			Example: "SCRAM-SHA-256$4096:" + detect.Made(24) + "$" + detect.Made(44) + ":" + detect.Made(44),
			Refused: "md5sum", Source: "PostgreSQL manual, 51.8"},
		{Name: "bearer_token", Group: names.Secrets, Anchors: []string{"bearer"}, Form: detect.Credentials{},
			Example: "curl -H 'Authorization: Bearer " + detect.Made(24) + "'", Source: "RFC 6750"},
		{Name: "basic_auth", Group: names.Secrets, Anchors: []string{"basic"}, Form: detect.Credentials{Basic: true},
			Example: "Basic YWxhZGRpbjpvcGVuc2VzYW1l", Source: "RFC 7617"},
		name("authorization", names.Secrets, "Authorization: Token "+detect.Made(20),
			names.Phrase{Words: "authorization|proxy authorization", Whole: true, Want: names.AuthSecret}),
		name("password", names.Secrets, "export DB_PASSWORD=tr0ub4dor",
			names.Phrase{Words: "password|passwords|passwd|passphrase|pass phrase|pass word|passwort|passcode|" +
				"requirepass|masterauth|primaryauth",
				Whole: true, AnyWord: true},
			names.Phrase{Words: "pwd", Whole: true, NotPath: true, Typed: true}, // the shell's working directory, too
			names.Phrase{Words: "psk|pre shared key|preshared key|wifi key|wpa key|network key", Whole: true},
			names.Phrase{Words: "authentication string", Want: names.LikelySecret}, // of MySQL's users
			names.Phrase{Words: "key content", Whole: true, AnyWord: true}),
		name("password", names.Secrets, "SMTP_PASS=letmein",
			names.Phrase{Words: "db pass|mysql pass|smtp pass|mail pass|email pass|ssh pass|become pass|admin pass|" +
				"root pass|user pass|db pwd|mysql pwd|root pwd|admin pwd|user pwd", Whole: true, AnyWord: true}),
		name("password", names.Secrets, "pass=tr0ub4dor3x",
			names.Phrase{Words: "pass|pw", IsStatus: true, Typed: true, Want: names.LikelySecret}),
		name("private_key", names.Secrets, `private_key: "made up 4f9a"`,
			names.Phrase{Words: "private key|ssh key|signing key|encryption key|master key|pem key", Whole: true}),
		name("api_key", names.Secrets, `"api_key": "`+detect.Made(16)+`"`,
			names.Phrase{Words: "api key|api keys|api token|api secret|access key|account key|shared access key|" +
				"subscription key|license key|auth key", Whole: true},
			names.Phrase{Words: "storage key|service key|admin key|app key|application key|integration key|write key|" +
				"deploy key",
				Whole: true, Want: names.LikelySecret},
			names.Phrase{Words: "primary key|secondary key", Want: names.LikelySecret, MayBeID: true, Min: 32}), // of Azure
		name("secret", names.Secrets, "client_secret = "+detect.Made(20),
			names.Phrase{Words: "secret key|secret access key|client secret|app secret|application secret|" +
				"consumer secret|shared secret|webhook secret|signing secret|jwt secret|cookie secret|" +
				"session secret|oauth secret|bot secret|secret token|secret id|jenkins crumb|code verifier|pkce verifier|oauth verifier", Whole: true}),
		name("secret", names.Secrets, "APP_SECRET_1="+detect.Made(20),
			names.Phrase{Words: "secret", Whole: true, Want: names.LikelySecret},
			names.Phrase{Words: "secrets", Want: names.LikelySecret, IsPlural: true}), // in reports and in settings, too
		name("secret", names.Secrets, "totp=JBSWY3DPEHPK3PXP",
			names.Phrase{Words: "totp|totp secret|totp key|otp secret|otp seed", Whole: true,
				Want: names.LikelySecret}),
		name("token", names.Secrets, "access_token="+detect.Made(20),
			names.Phrase{Words: "access token|auth token|refresh token|session token|bearer token|oauth token|" +
				"id token|identity token|csrf token|xsrf token|bot token|personal access token|security token|deploy token|" +
				"registration token|user token|jwt token", Whole: true}),
		name("token", names.Secrets, "--token "+detect.Made(20),
			names.Phrase{Words: "token", Whole: true, Want: names.LikelySecret},
			names.Phrase{Words: "tokens", Want: names.LikelySecret, IsPlural: true}), // of a text, too
		name("credential", names.Secrets, "credentials: "+detect.Made(20),
			names.Phrase{Words: "credential|credentials|creds|auth", Want: names.LikelySecret, MayBeID: true}),
		name("cookie", names.Secrets, `"set-cookie": "sid=`+detect.Made(20)+`"`,
			names.Phrase{Words: "set cookie|session cookie|auth cookie", Whole: true},
			names.Phrase{Words: "phpsessid|jsessionid|asp session id|connect sid", Whole: true, Want: names.LikelySecret},
			names.Phrase{Words: "session id|cookie", Want: names.LikelySecret, MayBeID: true},
			names.Phrase{Words: "session", Want: names.LikelySecret, MayBeID: true, IsLabel: true}),
		name("signature", names.Secrets, "?X-Amz-Signature="+detect.MadeHex(64),
			names.Phrase{Words: "signature|sig", Want: names.LikelySecret, Min: 16}),
		name("generic_key", names.Secrets, "ALGOLIA_KEY="+detect.Made(20),
			names.Phrase{Words: "key|salt", Want: names.LikelySecret, Qualified: true, MayBeID: true}),
		{Name: "generic_secret", Group: names.Secrets, Anchors: []string{"secret", "token", "private", "credential"},
			Form: &detect.Near{Names: n}, Example: "the zenSECRET 4f9a01c7be4f9a01c7be4f9a01c7be4f", Source: "usage"},
		{Name: "generic_secret", Group: names.Secrets,
			Anchors: []string{"key", "access", "auth", "api=", "api =", "api:"},
			Form:    &detect.Near{Names: n, Weak: true},
			Example: "using key=" + detect.Made(24), Source: "usage"},
		{Name: "service_key", Group: names.Secrets, Anchors: services, Form: &detect.Near{Names: n, Service: true},
			Example: `cloudflare: "` + detect.Made(40) + `"`, Source: "usage"},
	}, detect.OtherNames(n), detect.NationalIDs(n), []detect.Rule{
		// persons
		{Name: "email", Group: names.PII, Anchors: []string{"@"}, Form: detect.Email{},
			Example: "mara.lind@example.org",
			Source:  "RFC 5321, RFC 6531"},
		{Name: "us_ssn", Group: names.PII, Anchors: []string{"000-00-0000", "000 00 0000", "000.00.0000"},
			Form: detect.SocialSecurity{}, Example: "SSN 219-09-9991", Source: "SSA, POMS RM 10201"},
		{Name: "phone", Group: names.PII, Anchors: []string{"+0"}, Form: detect.InternationalPhone{},
			Example: "+44 20 7946 0958", Source: "ITU-T E.123, E.164"},
		{Name: "phone", Group: names.PII, Anchors: []string{"000-0000", "000.0000", "000 0000"},
			Form:    detect.NationalPhone{},
			Example: "(212) 555-0187 ext. 12", Source: "NANPA"},
		{Name: "phone", Group: names.PII, Anchors: []string{"000 00", "00) 00"}, Form: detect.TrunkPhone{},
			Example: "(030) 9018 2055", Source: "ITU-T E.123"},
		name("ssn", names.PII, `"ssn": "219099991"`,
			names.Phrase{Words: "ssn|social security number|social security", Whole: true, Want: names.Number,
				Digits: [2]int{9, 9}}),
		name("phone", names.PII, "mobile: 0171 5550187",
			names.Phrase{Words: "phone|telephone|phone number|mobile|mobile number|cell phone|tel|fax",
				Want:   names.Number,
				Digits: [2]int{7, 15}}),
		name("passport", names.PII, `passport_number: "C01X00T47"`,
			names.Phrase{Words: "passport number|passport no|passport", Whole: true, Want: names.LikelySecret}),
		name("person_name", names.PII, `"last_name": "Lind"`,
			names.Phrase{Words: "first name|last name|middle name|maiden name|family name|given name|surname",
				Whole: true, AnyWord: true, Proper: true},
			names.Phrase{Words: "full name", AnyWord: true, Proper: true},
			names.Phrase{Words: "cardholder name|card holder name|account holder name", AnyWord: true, Proper: true},
			names.Phrase{Words: "name on card", AnyWord: true, Proper: true}),
		name("address", names.PII, `street_address="12 Nowhere Row"`,
			names.Phrase{Words: "street address|home address|postal address|mailing address|billing address|" +
				"shipping address|address line", Whole: true, AnyWord: true}),
		name("national_id", names.PII, "national_id: 4029124586",
			names.Phrase{Words: "national id|national insurance number|driver license|drivers license|" +
				"driver license number|license plate", Whole: true, AnyWord: true}),
		name("birth_date", names.PII, "dob=1984-02-29",
			names.Phrase{Words: "date of birth|birth date|birthdate|birthday|dob", Whole: true, Want: names.Number,
				Digits: [2]int{6, 8}}),
		name("tax_id", names.PII, "tax_number: 12-3456789",
			names.Phrase{Words: "tax number|tax id|taxpayer id|taxpayer number|itin", Whole: true, Want: names.Number,
				Digits: [2]int{8, 13}}),

		// payment
		{Name: "card_number", Group: names.PCI,
			Anchors: []string{"000000000000", "0000 0000", "0000-0000", "0000 000000", "0000-000000"},
			Form:    detect.CardNumber{}, Example: "4012 8888 8888 1881", Source: "ISO/IEC 7812"},
		{Name: "card_number", Group: names.PCI, Anchors: []string{"000000000000", "0000e0", "0000e+0", "0000e-0"},
			Form: detect.CardFloat{}, Example: "4.012888888881881e15", Source: "ISO/IEC 7812, RFC 8259 6"},
		{Name: "card_track", Group: names.PCI, Anchors: []string{"%b00", ";000000000000"}, Form: detect.TrackData{},
			Example: "%B4012888888881881^LIND/MARA^29121011234567?", Source: "ISO/IEC 7813"},
		{Name: "iban", Group: names.PCI, Anchors: account.Anchors(), Form: account,
			Example: "GB82 WEST 1234 5698 7654 32", Source: "ISO 13616"},
		name("card_number", names.PCI, "card_number=4000 0000 0000",
			names.Phrase{Words: "card number|credit card|credit card number|debit card number|card no|cc number|" +
				"cardnum",
				Whole: true, Want: names.Number, Digits: [2]int{12, 19}},
			names.Phrase{Words: "card", Want: names.Number, Digits: [2]int{13, 19}}),
		name("cvv", names.PCI, "cvv: 123",
			names.Phrase{Words: "cvv|cvc|csc|card verification value|card verification code|card security code|" +
				"security code", Whole: true, Want: names.Number, Digits: [2]int{3, 4}}),
		name("pin", names.PCI, "pin=4711",
			names.Phrase{Words: "pin|pin code|pin number|card pin", Whole: true, Want: names.Number,
				Digits: [2]int{4, 12}}),
		name("iban", names.PCI, `iban: "XX0012345678"`,
			names.Phrase{Words: "iban", Whole: true, Want: names.LikelySecret}),
		name("bank_account", names.PCI, "account_number: 000123456789",
			names.Phrase{Words: "account number|bank account number|routing number|bank account|sort code", Whole: true,
				Want: names.Number, Digits: [2]int{6, 20}}),
	})
}

// services are names under which people keep a key with nothing more said.
var services = strings.Fields(`
	algolia amplitude artifactory asana atlassian bitbucket blazemeter cloudflare codecov coinbase confluent
	cloudsmith contentful datadog discord docusign dropbox facebook fastly finnhub flickr freshdesk github
	gitlab gitter greptile heroku hubspot intercom jenkins jfrog jira linkedin mailchimp mailgun messagebird
	mixpanel newrelic okta openweather pagerduty paypal postmark pubnub rapidapi rollbar runscope salesforce
	segment sendbird sendgrid sentry shodan sonar splunk squarespace statuspage stripe sumologic telegram tmdb
	travis trello twilio twitch twitter vonage wandb zendesk zoom`)
