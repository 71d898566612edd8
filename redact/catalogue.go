package redact

import (
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/redact/lex"
)

const (
	droppedField = "dropped_field"
	notARecord   = "not_a_record"
)

// catalogue returns the rules, each made anew, since some keep a compiled
// expression. The order decides which rule names a match that two rules begin
// at the same byte.
func catalogue(n *names) []rule {
	name := func(name string, g Group, example string, phrases ...phrase) rule {
		f := &named{names: n}
		x := rule{name: name, group: g, form: f, example: example, source: "usage"}
		for _, p := range phrases {
			for words := range strings.SplitSeq(p.words, "|") {
				one := p
				one.words = words
				f.phrases = append(f.phrases, one)
				x.anchors = append(x.anchors, anchorsOf(words)...)
			}
		}
		return x
	}
	account := newAccountNumber()

	return slices.Concat([]rule{
		{anchors: []string{strings.ToLower(lex.MarkerStart)}, form: markerForm{}},
		{anchors: encoded{}.anchors(), form: encoded{}},
		{group: Secrets, anchors: programName{}.anchors(), form: programName{}},
		{group: Secrets, anchors: manifest{}.anchors(), form: manifest{}},
		{anchors: pairMark{}.anchors(), form: pairMark{}, saysOfLines: true, opens: true},
		{anchors: columnList{}.anchors(), form: columnList{n}, opens: true},
		{name: droppedField},
		{name: notARecord},

		// private keys
		{name: "private_key", group: Secrets, anchors: []string{"-----begin"}, form: keyHeader{}, source: "RFC 7468",
			example: "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIBnotakeyatall0123456789\n-----END EC PRIVATE KEY-----"},
		{name: "private_key", group: Secrets, anchors: []string{"putty-user-key-file-"},
			form: keyHeader{putty: true}, source: "PuTTY manual, appendix C",
			example: "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nAAAAIBnotakeyatall0123456789\nPrivate-MAC: 00ff00ff"},
	}, providerTokens(), serviceTokens(), walletKeys(), []rule{
		// what the text around tells
		{name: "url_password", group: Secrets, anchors: []string{"://"}, form: userInfo{},
			example: "postgres://app:tr0ub4dor@db.internal:5432/app", source: "RFC 3986 3.2.1"},
		{name: "user_password", group: Secrets, anchors: anchorsOfFlags(true), form: flagValue{ofUsers: true},
			example: "curl -s -u mara:tr0ub4dor https://example.org/", refused: "docker run -u mara:tr0ub4dor x",
			source: "synopses"},
		{name: "password", group: Secrets, anchors: anchorsOfFlags(false), form: flagValue{},
			example: "mysql -u root -ptr0ub4dor shop", refused: "mkdir -ptr0ub4dor", source: "synopses"},
		{name: "password", group: Secrets, anchors: anchorsOfOperands(), form: operandValue{},
			example: "htpasswd -b users mara tr0ub4dor", refused: "git config --get password", source: "synopses"},
		{name: "user_password", group: Secrets, anchors: programName{}.anchors(),
			form:    argumentList{[]form{flagValue{ofUsers: true}}},
			example: `CMD ["curl", "-u", "mara:tr0ub4dor"]`, refused: `CMD ["curl", "-o", "mara:tr0ub4dor"]`,
			source: "synopses"},
		{name: "password", group: Secrets, anchors: programName{}.anchors(),
			form:    argumentList{[]form{flagValue{}, operandValue{}}},
			example: `CMD ["docker", "login", "-p", "tr0ub4dor"]`, refused: `CMD ["docker", "run", "-p", "tr0ub4dor"]`,
			source: "synopses"},
		{name: "password", group: Secrets,
			anchors: []string{"sqlplus ", "jdbc:oracle:thin:", "jdbc:oracle:oci:", "jdbc:oracle:oci0:"},
			form:    logon{}, example: "sqlplus scott/tr0ub4dor@db", source: "SQL*Plus manual, Oracle JDBC manual"},
		{name: "password", group: Secrets,
			anchors: []string{"requirepass ", "bindpw ", "rootpw ", "psk=", "password 0 ", "secret 0 "},
			form:    directive{}, example: "\nrequirepass tr0ub4dor\n",
			source: "redis.conf, ldap.conf(5), wpa_supplicant.conf(5), Cisco IOS manual"},
		{name: "password", group: Secrets,
			anchors: []string{"identified by", "identified with", "set password for"}, form: statement{},
			example: "CREATE USER app IDENTIFIED BY 'tr0ub4dor'", source: "MySQL manual, 15.7.1"},
		{name: "password", group: Secrets, anchors: netrc{}.anchors(), form: netrc{n}, saysOfLines: true,
			example: "\nmachine example.org login mara password tr0ub4dor\n", source: "ftp(1)"},
		{name: "password", group: Secrets, anchors: pgpass{}.anchors(), form: pgpass{n},
			example: "\ndb.example.org:5432:shop:mara:tr0ub4dor\n", source: "PostgreSQL manual, 34.16"},
		{name: "bearer_token", group: Secrets, anchors: []string{"bearer"}, form: credentials{},
			example: "curl -H 'Authorization: Bearer " + made(24) + "'", source: "RFC 6750"},
		{name: "basic_auth", group: Secrets, anchors: []string{"basic"}, form: credentials{basic: true},
			example: "Basic YWxhZGRpbjpvcGVuc2VzYW1l", source: "RFC 7617"},
		name("authorization", Secrets, "Authorization: Token "+made(20),
			phrase{words: "authorization|proxy authorization", whole: true, want: authSecret}),
		name("password", Secrets, "export DB_PASSWORD=tr0ub4dor",
			phrase{words: "password|passwords|passwd|passphrase|pass phrase|pass word|passwort|passcode",
				whole: true, anyWord: true},
			phrase{words: "pwd", whole: true, notPath: true, typed: true}), // the shell's working directory, too
		name("password", Secrets, "SMTP_PASS=letmein",
			phrase{words: "db pass|mysql pass|smtp pass|mail pass|email pass|ssh pass|become pass|admin pass|root pass|user pass|db pwd|mysql pwd|root pwd|admin pwd|user pwd", whole: true, anyWord: true}),
		name("password", Secrets, "pass=tr0ub4dor3x",
			phrase{words: "pass|pw", isStatus: true, typed: true, want: likelySecret}),
		name("private_key", Secrets, `private_key: "made up 4f9a"`,
			phrase{words: "private key|ssh key|signing key|encryption key|master key|pem key", whole: true}),
		name("api_key", Secrets, `"api_key": "`+made(16)+`"`,
			phrase{words: "api key|api keys|api token|api secret|access key|account key|shared access key|subscription key|storage key|service key|license key|admin key|app key|application key|auth key|integration key|write key|deploy key", whole: true}),
		name("secret", Secrets, "client_secret = "+made(20),
			phrase{words: "secret key|secret access key|client secret|app secret|application secret|consumer secret|shared secret|webhook secret|signing secret|jwt secret|cookie secret|session secret|oauth secret|bot secret|secret token|secret id|jenkins crumb", whole: true}),
		name("secret", Secrets, "APP_SECRET_1="+made(20),
			phrase{words: "secret", whole: true, want: likelySecret}),
		name("token", Secrets, "access_token="+made(20),
			phrase{words: "access token|auth token|refresh token|session token|bearer token|oauth token|id token|csrf token|xsrf token|bot token|personal access token|security token|deploy token|registration token|user token|jwt token", whole: true}),
		name("token", Secrets, "--token "+made(20),
			phrase{words: "token", whole: true, want: likelySecret}),
		name("credential", Secrets, "credentials: "+made(20),
			phrase{words: "credential|credentials|creds|auth", want: likelySecret, mayBeID: true}),
		name("cookie", Secrets, `"set-cookie": "sid=`+made(20)+`"`,
			phrase{words: "set cookie|session cookie|auth cookie", whole: true},
			phrase{words: "session id|phpsessid|jsessionid|cookie", want: likelySecret, mayBeID: true},
			phrase{words: "session", want: likelySecret, mayBeID: true, isLabel: true}),
		name("signature", Secrets, "?X-Amz-Signature="+madeHex(64),
			phrase{words: "signature|sig", want: likelySecret, min: 16}),
		name("generic_key", Secrets, "ALGOLIA_KEY="+made(20),
			phrase{words: "key|salt", want: likelySecret, qualified: true, mayBeID: true}),
		{name: "generic_secret", group: Secrets, anchors: []string{"secret", "token", "private", "credential"},
			form: &near{names: n}, example: "zenSECRET 4f9a01c7be4f9a01c7be4f9a01c7be4f", source: "usage"},
		{name: "generic_secret", group: Secrets,
			anchors: []string{"key", "access", "auth", "api=", "api =", "api:"}, form: &near{names: n, weak: true},
			example: "using key=" + made(24), source: "usage"},
		{name: "service_key", group: Secrets, anchors: services, form: &near{names: n, service: true},
			example: `cloudflare: "` + made(40) + `"`, source: "usage"},
	}, otherNames(n), nationalIDs(n), []rule{
		// persons
		{name: "email", group: PII, anchors: []string{"@"}, form: email{}, example: "mara.lind@example.org",
			source: "RFC 5321, RFC 6531"},
		{name: "us_ssn", group: PII, anchors: []string{"000-00-0000", "000 00 0000", "000.00.0000"},
			form: socialSecurity{}, example: "SSN 219-09-9991", source: "SSA, POMS RM 10201"},
		{name: "phone", group: PII, anchors: []string{"+0"}, form: internationalPhone{},
			example: "+44 20 7946 0958", source: "ITU-T E.123, E.164"},
		{name: "phone", group: PII, anchors: []string{"000-0000", "000.0000", "000 0000"}, form: nationalPhone{},
			example: "(212) 555-0187 ext. 12", source: "NANPA"},
		{name: "phone", group: PII, anchors: []string{"000 00", "00) 00"}, form: trunkPhone{},
			example: "(030) 9018 2055", source: "ITU-T E.123"},
		name("ssn", PII, `"ssn": "219099991"`,
			phrase{words: "ssn|social security number|social security", whole: true, want: number,
				digits: [2]int{9, 9}}),
		name("phone", PII, "mobile: 0171 5550187",
			phrase{words: "phone|telephone|phone number|mobile|mobile number|cell phone|tel|fax", want: number,
				digits: [2]int{7, 15}}),
		name("passport", PII, `passport_number: "C01X00T47"`,
			phrase{words: "passport number|passport no|passport", whole: true, want: likelySecret}),
		name("person_name", PII, `"last_name": "Lind"`,
			phrase{words: "first name|last name|middle name|maiden name|family name|given name|surname",
				whole: true, anyWord: true, proper: true},
			phrase{words: "full name", anyWord: true, proper: true},
			phrase{words: "cardholder name|card holder name|account holder name", anyWord: true, proper: true},
			phrase{words: "name on card", anyWord: true, proper: true}),
		name("address", PII, `street_address="12 Nowhere Row"`,
			phrase{words: "street address|home address|postal address|mailing address|billing address|shipping address|address line", whole: true, anyWord: true}),
		name("national_id", PII, "national_id: 4029124586",
			phrase{words: "national id|national insurance number|driver license|drivers license|driver license number|license plate", whole: true, anyWord: true}),
		name("birth_date", PII, "dob=1984-02-29",
			phrase{words: "date of birth|birth date|birthdate|birthday|dob", whole: true, want: number,
				digits: [2]int{6, 8}}),
		name("tax_id", PII, "tax_number: 12-3456789",
			phrase{words: "tax number|tax id|taxpayer id|taxpayer number|itin", whole: true, want: number,
				digits: [2]int{8, 13}}),

		// payment
		{name: "card_number", group: PCI,
			anchors: []string{"000000000000", "0000 0000", "0000-0000", "0000 000000", "0000-000000"},
			form:    cardNumber{}, example: "4012 8888 8888 1881", source: "ISO/IEC 7812"},
		{name: "card_number", group: PCI, anchors: []string{"000000000000", "0000e0", "0000e+0", "0000e-0"},
			form: cardFloat{}, example: "4.012888888881881e15", source: "ISO/IEC 7812, RFC 8259 6"},
		{name: "card_track", group: PCI, anchors: []string{"%b00", ";000000000000"}, form: trackData{},
			example: "%B4012888888881881^LIND/MARA^29121011234567?", source: "ISO/IEC 7813"},
		{name: "iban", group: PCI, anchors: account.anchors(), form: account,
			example: "GB82 WEST 1234 5698 7654 32", source: "ISO 13616"},
		name("card_number", PCI, "card_number=4000 0000 0000",
			phrase{words: "card number|credit card|credit card number|debit card number|card no|cc number|cardnum",
				whole: true, want: number, digits: [2]int{12, 19}},
			phrase{words: "card", want: number, digits: [2]int{13, 19}}),
		name("cvv", PCI, "cvv: 123",
			phrase{words: "cvv|cvc|csc|card verification value|card verification code|card security code|security code", whole: true, want: number, digits: [2]int{3, 4}}),
		name("pin", PCI, "pin=4711",
			phrase{words: "pin|pin code|pin number|card pin", whole: true, want: number, digits: [2]int{4, 12}}),
		name("iban", PCI, `iban: "XX0012345678"`,
			phrase{words: "iban", whole: true, want: likelySecret}),
		name("bank_account", PCI, "account_number: 000123456789",
			phrase{words: "account number|bank account number|routing number|bank account|sort code", whole: true,
				want: number, digits: [2]int{6, 20}}),
	})
}

// services are names under which people keep a key with nothing more said.
var services = strings.Fields(`algolia amplitude artifactory asana atlassian bitbucket blazemeter cloudflare codecov coinbase confluent
	cloudsmith contentful datadog discord docusign dropbox facebook fastly finnhub flickr freshdesk github gitlab gitter greptile heroku
	hubspot intercom jenkins jfrog jira linkedin mailchimp mailgun messagebird mixpanel newrelic okta openweather pagerduty
	paypal postmark pubnub rapidapi rollbar runscope salesforce segment sendbird sendgrid sentry shodan sonar splunk
	squarespace statuspage stripe sumologic telegram tmdb travis trello twilio twitch twitter vonage wandb zendesk zoom`)
