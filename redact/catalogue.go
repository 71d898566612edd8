package redact

import (
	"slices"
	"strings"

	"github.com/kfw-dev/kfw/redact/lex"
	"github.com/kfw-dev/kfw/redact/names"
)

const (
	droppedField = "dropped_field"
	notARecord   = "not_a_record"
)

// catalogue returns the rules, each made anew, since some keep a compiled
// expression. The order decides which rule names a match that two rules begin
// at the same byte.
func catalogue(n *names.Names) []rule {
	name := func(name string, g names.Group, example string, phrases ...names.Phrase) rule {
		f := &names.Named{Names: n}
		x := rule{name: name, group: g, form: f, example: example, source: "usage"}
		for _, p := range phrases {
			for words := range strings.SplitSeq(p.Words, "|") {
				one := p
				one.Words = words
				f.Phrases = append(f.Phrases, one)
				x.anchors = append(x.anchors, names.AnchorsOf(words)...)
			}
		}
		return x
	}
	account := newAccountNumber()

	return slices.Concat([]rule{
		{anchors: []string{strings.ToLower(lex.MarkerStart)}, form: markerForm{}},
		{anchors: encoded{}.anchors(), form: encoded{}},
		{group: names.Secrets, anchors: programName{}.anchors(), form: programName{}},
		{group: names.Secrets, anchors: manifest{}.anchors(), form: manifest{}},
		{anchors: pairMark{}.anchors(), form: pairMark{}, saysOfLines: true, opens: true},
		{anchors: columnList{}.anchors(), form: columnList{n}, opens: true},
		{name: droppedField},
		{name: notARecord},

		// private keys
		{name: "private_key", group: names.Secrets, anchors: []string{"-----begin"}, form: keyHeader{},
			source:  "RFC 7468",
			example: "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIBnotakeyatall0123456789\n-----END EC PRIVATE KEY-----"},
		{name: "private_key", group: names.Secrets, anchors: []string{"putty-user-key-file-"},
			form: keyHeader{putty: true}, source: "PuTTY manual, appendix C",
			example: "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nAAAAIBnotakeyatall0123456789\nPrivate-MAC: 00ff00ff"},
	}, providerTokens(), serviceTokens(), walletKeys(), []rule{
		// what the text around tells
		{name: "url_password", group: names.Secrets, anchors: []string{"://"}, form: userInfo{},
			example: "postgres://app:tr0ub4dor@db.internal:5432/app", source: "RFC 3986 3.2.1"},
		{name: "user_password", group: names.Secrets, anchors: names.AnchorsOfFlags(true),
			form:    names.FlagValue{OfUsers: true},
			example: "curl -s -u mara:tr0ub4dor https://example.org/", refused: "docker run -u mara:tr0ub4dor x",
			source: "synopses"},
		{name: "password", group: names.Secrets, anchors: names.AnchorsOfFlags(false), form: names.FlagValue{},
			example: "mysql -u root -ptr0ub4dor shop", refused: "mkdir -ptr0ub4dor", source: "synopses"},
		{name: "password", group: names.Secrets, anchors: names.AnchorsOfOperands(), form: names.OperandValue{},
			example: "htpasswd -b users mara tr0ub4dor", refused: "git config --get password", source: "synopses"},
		{name: "user_password", group: names.Secrets, anchors: programName{}.anchors(),
			form:    argumentList{[]names.Form{names.FlagValue{OfUsers: true}}},
			example: `CMD ["curl", "-u", "mara:tr0ub4dor"]`, refused: `CMD ["curl", "-o", "mara:tr0ub4dor"]`,
			source: "synopses"},
		{name: "password", group: names.Secrets, anchors: programName{}.anchors(),
			form:    argumentList{[]names.Form{names.FlagValue{}, names.OperandValue{}}},
			example: `CMD ["docker", "login", "-p", "tr0ub4dor"]`, refused: `CMD ["docker", "run", "-p", "tr0ub4dor"]`,
			source: "synopses"},
		{name: "password", group: names.Secrets,
			anchors: []string{"sqlplus ", "jdbc:oracle:thin:", "jdbc:oracle:oci:", "jdbc:oracle:oci0:"},
			form:    logon{}, example: "sqlplus scott/tr0ub4dor@db", source: "SQL*Plus manual, Oracle JDBC manual"},
		{name: "password", group: names.Secrets,
			anchors: []string{"requirepass ", "bindpw ", "rootpw ", "psk=", "password 0 ", "secret 0 "},
			form:    directive{}, example: "\nrequirepass tr0ub4dor\n",
			source: "redis.conf, ldap.conf(5), wpa_supplicant.conf(5), Cisco IOS manual"},
		{name: "password", group: names.Secrets,
			anchors: []string{"identified by", "identified with", "set password for"}, form: statement{},
			example: "CREATE USER app IDENTIFIED BY 'tr0ub4dor'", source: "MySQL manual, 15.7.1"},
		{name: "password", group: names.Secrets, anchors: netrc{}.anchors(), form: netrc{n}, saysOfLines: true,
			example: "\nmachine example.org login mara password tr0ub4dor\n", source: "ftp(1)"},
		{name: "password", group: names.Secrets, anchors: pgpass{}.anchors(), form: pgpass{n},
			example: "\ndb.example.org:5432:shop:mara:tr0ub4dor\n", source: "PostgreSQL manual, 34.16"},
		{name: "bearer_token", group: names.Secrets, anchors: []string{"bearer"}, form: credentials{},
			example: "curl -H 'Authorization: Bearer " + made(24) + "'", source: "RFC 6750"},
		{name: "basic_auth", group: names.Secrets, anchors: []string{"basic"}, form: credentials{basic: true},
			example: "Basic YWxhZGRpbjpvcGVuc2VzYW1l", source: "RFC 7617"},
		name("authorization", names.Secrets, "Authorization: Token "+made(20),
			names.Phrase{Words: "authorization|proxy authorization", Whole: true, Want: names.AuthSecret}),
		name("password", names.Secrets, "export DB_PASSWORD=tr0ub4dor",
			names.Phrase{Words: "password|passwords|passwd|passphrase|pass phrase|pass word|passwort|passcode",
				Whole: true, AnyWord: true},
			names.Phrase{Words: "pwd", Whole: true, NotPath: true, Typed: true}), // the shell's working directory, too
		name("password", names.Secrets, "SMTP_PASS=letmein",
			names.Phrase{Words: "db pass|mysql pass|smtp pass|mail pass|email pass|ssh pass|become pass|admin pass|root pass|user pass|db pwd|mysql pwd|root pwd|admin pwd|user pwd", Whole: true, AnyWord: true}),
		name("password", names.Secrets, "pass=tr0ub4dor3x",
			names.Phrase{Words: "pass|pw", IsStatus: true, Typed: true, Want: names.LikelySecret}),
		name("private_key", names.Secrets, `private_key: "made up 4f9a"`,
			names.Phrase{Words: "private key|ssh key|signing key|encryption key|master key|pem key", Whole: true}),
		name("api_key", names.Secrets, `"api_key": "`+made(16)+`"`,
			names.Phrase{Words: "api key|api keys|api token|api secret|access key|account key|shared access key|subscription key|storage key|service key|license key|admin key|app key|application key|auth key|integration key|write key|deploy key", Whole: true}),
		name("secret", names.Secrets, "client_secret = "+made(20),
			names.Phrase{Words: "secret key|secret access key|client secret|app secret|application secret|consumer secret|shared secret|webhook secret|signing secret|jwt secret|cookie secret|session secret|oauth secret|bot secret|secret token|secret id|jenkins crumb", Whole: true}),
		name("secret", names.Secrets, "APP_SECRET_1="+made(20),
			names.Phrase{Words: "secret", Whole: true, Want: names.LikelySecret}),
		name("token", names.Secrets, "access_token="+made(20),
			names.Phrase{Words: "access token|auth token|refresh token|session token|bearer token|oauth token|id token|csrf token|xsrf token|bot token|personal access token|security token|deploy token|registration token|user token|jwt token", Whole: true}),
		name("token", names.Secrets, "--token "+made(20),
			names.Phrase{Words: "token", Whole: true, Want: names.LikelySecret}),
		name("credential", names.Secrets, "credentials: "+made(20),
			names.Phrase{Words: "credential|credentials|creds|auth", Want: names.LikelySecret, MayBeID: true}),
		name("cookie", names.Secrets, `"set-cookie": "sid=`+made(20)+`"`,
			names.Phrase{Words: "set cookie|session cookie|auth cookie", Whole: true},
			names.Phrase{Words: "session id|phpsessid|jsessionid|cookie", Want: names.LikelySecret, MayBeID: true},
			names.Phrase{Words: "session", Want: names.LikelySecret, MayBeID: true, IsLabel: true}),
		name("signature", names.Secrets, "?X-Amz-Signature="+madeHex(64),
			names.Phrase{Words: "signature|sig", Want: names.LikelySecret, Min: 16}),
		name("generic_key", names.Secrets, "ALGOLIA_KEY="+made(20),
			names.Phrase{Words: "key|salt", Want: names.LikelySecret, Qualified: true, MayBeID: true}),
		{name: "generic_secret", group: names.Secrets, anchors: []string{"secret", "token", "private", "credential"},
			form: &near{names: n}, example: "zenSECRET 4f9a01c7be4f9a01c7be4f9a01c7be4f", source: "usage"},
		{name: "generic_secret", group: names.Secrets,
			anchors: []string{"key", "access", "auth", "api=", "api =", "api:"}, form: &near{names: n, weak: true},
			example: "using key=" + made(24), source: "usage"},
		{name: "service_key", group: names.Secrets, anchors: services, form: &near{names: n, service: true},
			example: `cloudflare: "` + made(40) + `"`, source: "usage"},
	}, otherNames(n), nationalIDs(n), []rule{
		// persons
		{name: "email", group: names.PII, anchors: []string{"@"}, form: email{}, example: "mara.lind@example.org",
			source: "RFC 5321, RFC 6531"},
		{name: "us_ssn", group: names.PII, anchors: []string{"000-00-0000", "000 00 0000", "000.00.0000"},
			form: socialSecurity{}, example: "SSN 219-09-9991", source: "SSA, POMS RM 10201"},
		{name: "phone", group: names.PII, anchors: []string{"+0"}, form: internationalPhone{},
			example: "+44 20 7946 0958", source: "ITU-T E.123, E.164"},
		{name: "phone", group: names.PII, anchors: []string{"000-0000", "000.0000", "000 0000"}, form: nationalPhone{},
			example: "(212) 555-0187 ext. 12", source: "NANPA"},
		{name: "phone", group: names.PII, anchors: []string{"000 00", "00) 00"}, form: trunkPhone{},
			example: "(030) 9018 2055", source: "ITU-T E.123"},
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
			names.Phrase{Words: "street address|home address|postal address|mailing address|billing address|shipping address|address line", Whole: true, AnyWord: true}),
		name("national_id", names.PII, "national_id: 4029124586",
			names.Phrase{Words: "national id|national insurance number|driver license|drivers license|driver license number|license plate", Whole: true, AnyWord: true}),
		name("birth_date", names.PII, "dob=1984-02-29",
			names.Phrase{Words: "date of birth|birth date|birthdate|birthday|dob", Whole: true, Want: names.Number,
				Digits: [2]int{6, 8}}),
		name("tax_id", names.PII, "tax_number: 12-3456789",
			names.Phrase{Words: "tax number|tax id|taxpayer id|taxpayer number|itin", Whole: true, Want: names.Number,
				Digits: [2]int{8, 13}}),

		// payment
		{name: "card_number", group: names.PCI,
			anchors: []string{"000000000000", "0000 0000", "0000-0000", "0000 000000", "0000-000000"},
			form:    cardNumber{}, example: "4012 8888 8888 1881", source: "ISO/IEC 7812"},
		{name: "card_number", group: names.PCI, anchors: []string{"000000000000", "0000e0", "0000e+0", "0000e-0"},
			form: cardFloat{}, example: "4.012888888881881e15", source: "ISO/IEC 7812, RFC 8259 6"},
		{name: "card_track", group: names.PCI, anchors: []string{"%b00", ";000000000000"}, form: trackData{},
			example: "%B4012888888881881^LIND/MARA^29121011234567?", source: "ISO/IEC 7813"},
		{name: "iban", group: names.PCI, anchors: account.anchors(), form: account,
			example: "GB82 WEST 1234 5698 7654 32", source: "ISO 13616"},
		name("card_number", names.PCI, "card_number=4000 0000 0000",
			names.Phrase{Words: "card number|credit card|credit card number|debit card number|card no|cc number|cardnum",
				Whole: true, Want: names.Number, Digits: [2]int{12, 19}},
			names.Phrase{Words: "card", Want: names.Number, Digits: [2]int{13, 19}}),
		name("cvv", names.PCI, "cvv: 123",
			names.Phrase{Words: "cvv|cvc|csc|card verification value|card verification code|card security code|security code", Whole: true, Want: names.Number, Digits: [2]int{3, 4}}),
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
var services = strings.Fields(`algolia amplitude artifactory asana atlassian bitbucket blazemeter cloudflare codecov coinbase confluent
	cloudsmith contentful datadog discord docusign dropbox facebook fastly finnhub flickr freshdesk github gitlab gitter greptile heroku
	hubspot intercom jenkins jfrog jira linkedin mailchimp mailgun messagebird mixpanel newrelic okta openweather pagerduty
	paypal postmark pubnub rapidapi rollbar runscope salesforce segment sendbird sendgrid sentry shodan sonar splunk
	squarespace statuspage stripe sumologic telegram tmdb travis trello twilio twitch twitter vonage wandb zendesk zoom`)
