package redact

import (
	"bytes"
	b64 "encoding/base64"
	"strings"
)

const (
	droppedField = "dropped_field"
	notARecord   = "not_a_record"
)

// catalogue returns the rules, each made anew, since some keep a compiled
// expression. The order decides which rule names a match that two rules begin
// at the same byte.
func catalogue(n *names) []rule {
	const docs = "provider's documentation"
	tok := func(name string, f token, example, source string) rule {
		return rule{name: name, group: Secrets, anchors: f.anchors(), form: &f, example: example, source: source}
	}
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
	rest := func(n int) string { return strings.Repeat("7hQ2mX9kV4", n/10+1)[:n] }
	hex := func(n int) string { return strings.Repeat("4f9a01c7be", n/10+1)[:n] }
	lowered := func(n int) string { return strings.Repeat("7hq2mx9kv4", n/10+1)[:n] }
	account := newAccountNumber()

	return []rule{
		{anchors: []string{strings.ToLower(markerStart)}, form: markerForm{}},
		{name: droppedField},
		{name: notARecord},

		// private keys
		{name: "private_key", group: Secrets, anchors: []string{"-----begin"}, form: keyHeader{}, source: "RFC 7468",
			example: "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIBnotakeyatall0123456789\n-----END EC PRIVATE KEY-----"},
		{name: "private_key", group: Secrets, anchors: []string{"putty-user-key-file-"}, form: keyHeader{putty: true}, source: "PuTTY manual, appendix C",
			example: "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nAAAAIBnotakeyatall0123456789\nPrivate-MAC: 00ff00ff"},

		// tokens with a fixed part
		tok("aws_access_key_id", token{prefix: []string{"AKIA", "ASIA", "ABIA", "ACCA"}, body: upper | hexUpper | digits, min: 16, max: 16, common: true},
			"AKIAQ7ZNOTAREALKEY00"[:20], "IAM identifiers"),
		tok("aws_session_token", token{prefix: []string{"FwoGZXIvYXdz", "IQoJb3JpZ2lu"}, body: base64 | percent, min: 50}, "IQoJb3JpZ2lu"+rest(90), "STS"),
		tok("aws_bedrock_key", token{prefix: []string{"ABSK"}, body: base64, min: 100, common: true}, "ABSK"+rest(110), docs),
		tok("github_token", token{prefix: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, body: word, min: 30}, "ghp_"+rest(36), "GitHub: token formats"),
		tok("github_token", token{prefix: []string{"github_pat_"}, body: word, min: 20}, "github_pat_"+rest(22)+"_"+rest(59), "GitHub: token formats"),
		tok("gitlab_token", token{prefix: []string{"glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-", "glcbt-", "glsoat-", "glffct-", "glrtr-"}, body: base64URL | dot, min: 15},
			"glpat-"+rest(20), "GitLab: token prefixes"),
		tok("gitlab_token", token{prefix: []string{"GR1348941"}, body: base64URL, min: 20}, "GR1348941"+rest(20), "GitLab"),
		tok("slack_token", token{prefix: []string{"xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-"}, body: alnum | dash | percent | slash | plus | dot, min: 12}, "xoxb-1234567890-"+rest(24), "Slack: token types"),
		tok("slack_token", token{prefix: []string{"xapp-"}, body: alnum | dash, min: 20, check: &expr{source: `xapp-\d-[A-Za-z0-9]+-\d+-[A-Za-z0-9]+`}}, "xapp-1-A0B1C2D3-1234567890-"+hex(64), "Slack: token types"),
		tok("slack_webhook", token{prefix: []string{"hooks.slack.com/"}, body: alnum | slash, min: 12, after: len("hooks.slack.com/"), check: &expr{source: `hooks\.slack\.com/(?:services|workflows|triggers)/.*`}},
			"https://hooks.slack.com/services/T00000000/B00000000/"+rest(24), "Slack: incoming webhooks"),
		tok("discord_webhook", token{prefix: []string{"discord.com/api/webhooks/", "discordapp.com/api/webhooks/"}, body: base64URL | slash, min: 40, after: len("discord.com/api/webhooks/")}, "https://discord.com/api/webhooks/123456789012345678/"+rest(68), docs),
		tok("stripe_key", token{prefix: []string{"sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_", "pk_live_", "pk_test_"}, body: alnum, min: 10}, "sk_live_"+rest(24), "Stripe: API keys"),
		tok("stripe_webhook_secret", token{prefix: []string{"whsec_"}, body: base64, min: 24}, "whsec_"+rest(32), "Stripe: webhooks"),
		tok("anthropic_key", token{prefix: []string{"sk-ant-"}, body: base64URL, min: 20}, "sk-ant-api03-"+rest(80), docs),
		tok("openai_key", token{prefix: []string{"sk-"}, body: base64URL, min: 19, check: checkFunc(hasDigit)}, "sk-proj-"+rest(48), docs),
		tok("openai_key", token{prefix: []string{"sess-"}, body: alnum, min: 32, check: checkFunc(hasDigit)}, "sess-"+rest(40), docs),
		tok("google_api_key", token{prefix: []string{"AIza"}, body: base64URL, min: 30, max: 40}, "AIza"+rest(35), docs),
		tok("google_oauth", token{prefix: []string{"ya29."}, body: base64URL | dot, min: 20}, "ya29."+rest(60), docs),
		tok("google_oauth", token{prefix: []string{"GOCSPX-"}, body: base64URL, min: 20}, "GOCSPX-"+rest(28), docs),
		tok("google_oauth", token{prefix: []string{"1//0"}, body: base64URL, min: 30}, "1//0"+rest(60), docs),
		tok("huggingface_token", token{prefix: []string{"hf_", "api_org_"}, body: alnum, min: 30, max: 40}, "hf_"+rest(34), docs),
		tok("npm_token", token{prefix: []string{"npm_"}, body: alnum, min: 30}, "npm_"+rest(36), "npm: access tokens"),
		tok("pypi_token", token{prefix: []string{"pypi-AgE"}, body: base64URL, min: 50}, "pypi-AgEIcHlwaS5vcmc"+rest(80), "PyPI: macaroons"),
		tok("rubygems_key", token{prefix: []string{"rubygems_"}, body: lowerHex, min: 40}, "rubygems_"+hex(48), docs),
		tok("clojars_token", token{prefix: []string{"CLOJARS_"}, fold: true, body: alnum, min: 45}, "CLOJARS_"+lowered(60), docs),
		tok("nuget_key", token{prefix: []string{"oy2"}, body: lowerHex | lower, min: 43, max: 43, common: true, check: checkFunc(hasDigit)}, "oy2"+lowered(43), docs),
		tok("crates_io_token", token{prefix: []string{"cio"}, body: alnum, min: 32, max: 32, common: true, check: checkFunc(hasDigit)}, "cio"+rest(32), docs),
		tok("docker_token", token{prefix: []string{"dckr_pat_", "dckr_oat_"}, body: base64URL, min: 20}, "dckr_pat_"+rest(27), docs),
		tok("digitalocean_token", token{prefix: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, body: lowerHex, min: 48}, "dop_v1_"+hex(64), docs),
		tok("shopify_token", token{prefix: []string{"shpat_", "shpca_", "shppa_", "shpss_", "shpka_"}, body: alnum, min: 24}, "shpat_"+hex(32), docs),
		tok("square_token", token{prefix: []string{"sq0atp-", "sq0csp-", "sq0idp-"}, body: base64URL, min: 20}, "sq0atp-"+rest(22), docs),
		tok("square_token", token{prefix: []string{"EAAA"}, body: base64URL | plus | equals, min: 40, max: 64, common: true, check: checkFunc(hasDigit)}, "EAAA"+rest(60), docs),
		tok("facebook_token", token{prefix: []string{"EAAC", "EAAM", "EAAB"}, body: alnum, min: 60, common: true, check: checkFunc(hasDigit)}, "EAAM"+rest(150), docs),
		tok("sendgrid_key", token{prefix: []string{"SG."}, fold: true, body: base64URL | dot | equals, min: 50, max: 72, common: true, check: checkFunc(hasDigit)}, "SG."+rest(22)+"."+rest(43), docs),
		tok("mailgun_key", token{prefix: []string{"key-"}, body: lowerHex, min: 32, max: 32}, "key-"+hex(32), docs),
		tok("brevo_key", token{prefix: []string{"xkeysib-", "xsmtpsib-"}, body: alnum | dash, min: 60}, "xkeysib-"+hex(64)+"-"+rest(16), docs),
		tok("mailersend_token", token{prefix: []string{"mlsn."}, body: lowerHex, min: 48}, "mlsn."+hex(64), docs),
		tok("twilio_key", token{prefix: []string{"SK", "AC"}, body: hexadecimal, min: 32, max: 32, common: true}, "SK"+hex(32), docs),
		tok("telegram_token", token{prefix: []string{":AA"}, lead: digits, leads: [2]int{8, 10}, body: base64URL, min: 32, max: 34}, "110201543:AA"+rest(33), "Telegram: bot API"),
		tok("atlassian_token", token{prefix: []string{"ATATT3", "ATCTT3"}, body: base64URL | equals, min: 20}, "ATATT3"+rest(180), docs),
		tok("atlassian_token", token{prefix: []string{"ATBB"}, body: alnum, min: 28, max: 40, common: true, check: checkFunc(hasDigit)}, "ATBB"+rest(32), docs),
		tok("vault_token", token{prefix: []string{"hvs.", "hvb.", "hvr."}, body: base64URL, min: 20}, "hvs."+rest(90), "HashiCorp Vault: tokens"),
		tok("terraform_token", token{prefix: []string{".atlasv1."}, fold: true, lead: alnum, leads: [2]int{14, 14}, body: base64URL | equals, min: 50}, rest(14)+".atlasv1."+rest(67), docs),
		tok("grafana_token", token{prefix: []string{"glc_"}, body: base64, min: 32}, "glc_"+rest(60), docs),
		tok("grafana_token", token{prefix: []string{"glsa_"}, body: word, min: 30}, "glsa_"+rest(32)+"_"+hex(8), docs),
		tok("newrelic_key", token{prefix: []string{"NRAK-", "NRII-", "NRJS-", "NRRA-", "NRAA-"}, fold: true, body: alnum | dash, min: 19}, "NRAK-"+rest(27), docs),
		tok("dynatrace_token", token{prefix: []string{"dt0c01.", "dt0s01.", "dt0s02.", "dt0s08.", "dt0s16."}, fold: true, body: alnum | dot, min: 60}, "dt0c01."+rest(24)+"."+rest(64), docs),
		tok("sentry_token", token{prefix: []string{"sntrys_", "sntryu_"}, body: base64 | underscore | dash, min: 40}, "sntrys_"+rest(80), docs),
		tok("pulumi_token", token{prefix: []string{"pul-"}, body: lowerHex, min: 40, max: 40}, "pul-"+hex(40), docs),
		tok("planetscale_token", token{prefix: []string{"pscale_tkn_", "pscale_pw_", "pscale_oauth_"}, fold: true, body: base64URL | dot | equals, min: 24}, "pscale_tkn_"+rest(43), docs),
		tok("figma_token", token{prefix: []string{"figd_", "figo_", "figu_", "figoh_", "figor_"}, body: base64URL, min: 30}, "figd_"+rest(40), docs),
		tok("linear_key", token{prefix: []string{"lin_api_", "lin_oauth_", "lin_wh_"}, body: alnum, min: 30}, "lin_api_"+rest(40), docs),
		tok("notion_token", token{prefix: []string{"ntn_"}, body: alnum, min: 40}, "ntn_"+rest(46), docs),
		tok("notion_token", token{prefix: []string{"secret_"}, body: alnum, min: 40, max: 60, check: checkFunc(hasDigit)}, "secret_"+rest(43), docs),
		tok("postman_key", token{prefix: []string{"PMAK-", "PMAT-"}, fold: true, body: alnum | dash, min: 20}, "PMAK-"+hex(24)+"-"+hex(34), docs),
		tok("doppler_token", token{prefix: []string{"dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."}, body: base64URL | dot, min: 40}, "dp.pt."+rest(43), docs),
		tok("supabase_key", token{prefix: []string{"sbp_", "sb_secret_"}, body: base64URL, min: 20, check: checkFunc(hasDigit)}, "sbp_"+hex(40), docs),
		tok("vercel_token", token{prefix: []string{"vercel_blob_rw_", "vcp_", "vca_", "vck_", "vci_", "vcr_"}, body: word, min: 24, check: checkFunc(hasDigit)}, "vcp_"+rest(56), docs),
		tok("netlify_token", token{prefix: []string{"nfp_"}, body: alnum, min: 30}, "nfp_"+rest(36), docs),
		tok("flyio_token", token{prefix: []string{"fo1_"}, body: base64URL, min: 40}, "fo1_"+rest(43), docs),
		tok("flyio_token", token{prefix: []string{"fm1_", "fm2_", "fm1a_", "fm1r_"}, body: base64 | underscore | dash | comma, min: 80}, "fm2_"+rest(120), docs),
		tok("render_key", token{prefix: []string{"rnd_"}, body: alnum, min: 28, max: 40, check: checkFunc(hasDigit)}, "rnd_"+rest(32), docs),
		tok("heroku_key", token{prefix: []string{"HRKU-"}, body: base64URL, min: 30}, "HRKU-"+rest(60), docs),
		tok("databricks_token", token{prefix: []string{"dapi"}, body: lowerHex | dash, min: 32, max: 34}, "dapi"+hex(32), docs),
		tok("easypost_key", token{prefix: []string{"EZAK", "EZTK"}, body: alnum, min: 54, max: 54, common: true}, "EZAK"+rest(54), docs),
		tok("flutterwave_key", token{prefix: []string{"FLWSECK", "FLWPUBK"}, fold: true, body: word | dash, min: 12}, "FLWSECK_TEST-"+hex(32)+"-X", docs),
		tok("shippo_token", token{prefix: []string{"shippo_live_", "shippo_test_"}, body: lowerHex, min: 30}, "shippo_live_"+hex(40), docs),
		tok("razorpay_key", token{prefix: []string{"rzp_live_", "rzp_test_"}, body: alnum, min: 14}, "rzp_live_"+rest(14), docs),
		tok("plaid_token", token{prefix: []string{"access-sandbox-", "access-development-", "access-production-"}, body: lowerHex | dash, min: 30}, "access-sandbox-4f9a01c7-be4f-9a01-c7be-4f9a01c7be4f", docs),
		tok("braintree_token", token{prefix: []string{"access_token$production$", "access_token$sandbox$"}, body: alnum | dollar, min: 40}, "access_token$production$"+lowered(16)+"$"+hex(32), docs),
		tok("duffel_token", token{prefix: []string{"duffel_test_", "duffel_live_"}, body: base64URL | equals, min: 32}, "duffel_live_"+rest(43), docs),
		tok("artifactory_key", token{prefix: []string{"AKCp"}, body: alnum, min: 60, max: 80, common: true}, "AKCp"+rest(69), docs),
		tok("sonar_token", token{prefix: []string{"squ_", "sqp_", "sqa_"}, body: lowerHex, min: 40, max: 40}, "squ_"+hex(40), docs),
		tok("sourcegraph_token", token{prefix: []string{"sgp_", "sgd_"}, body: word, min: 40, check: checkFunc(hasDigit)}, "sgp_"+hex(40), docs),
		tok("buildkite_token", token{prefix: []string{"bkua_", "bkct_", "bkr_"}, body: alnum, min: 30}, "bkua_"+hex(40), docs),
		tok("circleci_token", token{prefix: []string{"CCIPAT_", "CCIPPRJ_", "CCIPPJT_"}, body: word, min: 40}, "CCIPAT_"+rest(22)+"_"+hex(40), docs),
		tok("launchdarkly_key", token{prefix: []string{"api-", "sdk-", "mob-"}, body: lowerHex | dash, min: 36, max: 36}, "sdk-4f9a01c7-be4f-9a01-c7be-4f9a01c7be4f", docs),
		tok("adobe_secret", token{prefix: []string{"p8e-"}, fold: true, body: alnum, min: 32, max: 32}, "p8e-"+lowered(32), docs),
		tok("alibaba_key_id", token{prefix: []string{"LTAI"}, fold: true, body: alnum, min: 12, max: 22, common: true, check: checkFunc(hasDigit)}, "LTAI5t"+rest(18), docs),
		tok("tencent_key_id", token{prefix: []string{"AKID"}, body: alnum, min: 32, max: 40, common: true, check: checkFunc(hasDigit)}, "AKID"+rest(32), docs),
		tok("yandex_key", token{prefix: []string{"AQVN", "YCA", "YCM"}, body: base64URL, min: 35, max: 38, common: true, check: checkFunc(hasDigit)}, "AQVN"+rest(36), docs),
		tok("onepassword_token", token{prefix: []string{"ops_eyJ"}, body: base64, min: 100}, "ops_eyJ"+rest(250), docs),
		tok("onepassword_key", token{prefix: []string{"A3-"}, body: upper | hexUpper | digits | dash, min: 26, check: &expr{source: `A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}`}}, "A3-ABC123-DEF456GHI78-JKL90-MNO12-PQR34", docs),
		tok("age_secret_key", token{prefix: []string{"AGE-SECRET-KEY-1"}, fold: true, body: alnum, min: 50}, "AGE-SECRET-KEY-1"+strings.ToUpper(strings.Repeat("qpzry9x8gf", 6)[:58]), "age-encryption.org/v1"),
		tok("tailscale_key", token{prefix: []string{"tskey-"}, body: alnum | dash, min: 10}, "tskey-auth-"+rest(30), docs),
		tok("groq_key", token{prefix: []string{"gsk_"}, body: alnum, min: 40}, "gsk_"+rest(52), docs),
		tok("xai_key", token{prefix: []string{"xai-"}, body: alnum, min: 40}, "xai-"+rest(80), docs),
		tok("replicate_token", token{prefix: []string{"r8_"}, body: alnum, min: 30}, "r8_"+rest(37), docs),
		tok("perplexity_key", token{prefix: []string{"pplx-"}, body: alnum, min: 30}, "pplx-"+rest(48), docs),
		tok("cerebras_key", token{prefix: []string{"csk-"}, body: alnum, min: 30}, "csk-"+lowered(48), docs),
		tok("nvidia_key", token{prefix: []string{"nvapi-"}, body: base64URL, min: 30}, "nvapi-"+rest(64), docs),
		tok("together_key", token{prefix: []string{"tgp_v1_"}, body: base64URL, min: 30}, "tgp_v1_"+rest(43), docs),
		tok("langsmith_key", token{prefix: []string{"lsv2_pt_", "lsv2_sk_"}, body: word, min: 24}, "lsv2_pt_"+hex(32)+"_"+hex(10), docs),
		tok("posthog_key", token{prefix: []string{"phc_", "phx_", "phs_"}, body: base64URL, min: 24, check: checkFunc(hasDigit)}, "phc_"+rest(43), docs),
		tok("pinecone_key", token{prefix: []string{"pcsk_"}, body: base64URL, min: 24}, "pcsk_"+rest(60), docs),
		tok("apify_token", token{prefix: []string{"apify_api_"}, body: alnum, min: 24}, "apify_api_"+rest(36), docs),
		tok("ory_token", token{prefix: []string{"ory_at_", "ory_rt_", "ory_pat_"}, body: base64URL | dot, min: 24}, "ory_at_"+rest(43), docs),
		tok("asaas_token", token{prefix: []string{"$aact_prod_", "$aact_hmlg_"}, body: base64, min: 20}, "$aact_prod_"+rest(60), docs),
		tok("typeform_token", token{prefix: []string{"tfp_"}, body: base64URL | dot | equals, min: 40}, "tfp_"+rest(59), docs),
		tok("contentful_token", token{prefix: []string{"CFPAT-"}, body: base64URL, min: 40}, "CFPAT-"+rest(43), docs),
		tok("frameio_token", token{prefix: []string{"fio-u-"}, body: base64URL | equals, min: 50}, "fio-u-"+rest(64), docs),
		tok("infracost_key", token{prefix: []string{"ico-"}, body: alnum, min: 32, max: 32}, "ico-"+rest(32), docs),
		tok("prefect_key", token{prefix: []string{"pnu_", "pnb_"}, body: alnum, min: 30, max: 36}, "pnu_"+rest(36), docs),
		tok("readme_key", token{prefix: []string{"rdme_"}, body: alnum, min: 32}, "rdme_"+lowered(70), docs),
		tok("rootly_key", token{prefix: []string{"rootly_"}, body: lowerHex, min: 48}, "rootly_"+hex(64), docs),
		tok("scalingo_token", token{prefix: []string{"tk-us-"}, body: base64URL, min: 40}, "tk-us-"+rest(48), docs),
		tok("mapbox_token", token{prefix: []string{"sk.eyJ", "pk.eyJ", "tk.eyJ"}, body: base64URL | dot, min: 40}, "sk.eyJ"+rest(60)+"."+rest(22), docs),
		tok("airtable_token", token{prefix: []string{"pat"}, body: alnum | dot, min: 79, max: 79, common: true, check: &expr{source: `pat[A-Za-z0-9]{14}\.[a-f0-9]{64}`}}, "pat"+rest(14)+"."+hex(64), docs),
		tok("hubspot_token", token{prefix: []string{"pat-na0-", "pat-eu0-", "pat-ap0-", "pat-na1-", "pat-eu1-", "pat-ap1-", "pat-na2-"}, fold: true, body: lowerHex | dash, min: 36, max: 36}, "pat-na1-4f9a01c7-be4f-9a01-c7be-4f9a01c7be4f", docs),
		tok("cloudflare_key", token{prefix: []string{"v1.0-"}, body: lowerHex | dash, min: 140}, "v1.0-"+hex(24)+"-"+hex(146), docs),
		tok("azure_client_secret", token{prefix: []string{"0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~", "6Q~", "7Q~", "8Q~", "9Q~"}, lead: word | tilde | dot, leads: [2]int{3, 3}, body: word | tilde | dot | dash, min: 31, max: 34}, "abc8Q~"+rest(34), docs),
		tok("openshift_token", token{prefix: []string{"sha256~"}, body: base64URL, min: 43, max: 43}, "sha256~"+rest(43), docs),
		tok("wakatime_key", token{prefix: []string{"waka_"}, body: lowerHex | dash, min: 36}, "waka_4f9a01c7-be4f-9a01-c7be-4f9a01c7be4f", docs),
		tok("jwt", token{prefix: []string{"eyJ"}, body: base64URL | dot | equals | plus | slash, min: 20, check: checkFunc(isJWT)},
			"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJub2JvZHkifQ."+rest(43), "RFC 7519"),
		tok("password_hash", token{prefix: []string{"$2a$", "$2b$", "$2x$", "$2y$"}, body: alnum | dollar | dot | slash, min: 50}, "$2b$12$"+rest(53), "crypt(5)"),
		tok("password_hash", token{prefix: []string{"$argon2id$", "$argon2i$", "$argon2d$", "$pbkdf2-sha", "$6$", "$5$", "$y$"}, body: base64 | dollar | dot | comma | dash, min: 30}, "$6$saltsalt$"+rest(86), "crypt(5)"),

		// what the text around tells
		{name: "url_password", group: Secrets, anchors: []string{"://"}, form: userInfo{}, example: "postgres://app:tr0ub4dor@db.internal:5432/app", source: "RFC 3986 3.2.1"},
		{name: "bearer_token", group: Secrets, anchors: []string{"bearer"}, form: credentials{}, example: "curl -H 'Authorization: Bearer " + rest(24) + "'", source: "RFC 6750"},
		{name: "basic_auth", group: Secrets, anchors: []string{"basic"}, form: credentials{basic: true}, example: "Basic YWxhZGRpbjpvcGVuc2VzYW1l", source: "RFC 7617"},
		name("authorization", Secrets, "Authorization: Token "+rest(20),
			phrase{words: "authorization|proxy authorization", whole: true, want: authSecret}),
		name("password", Secrets, "export DB_PASSWORD=tr0ub4dor",
			phrase{words: "password|passwords|passwd|passphrase|pass phrase|pass word|passwort|passcode", whole: true, anyWord: true},
			phrase{words: "pwd", whole: true, notPath: true}), // the shell's working directory, too
		name("password", Secrets, "pass=tr0ub4dor3x",
			phrase{words: "pass|pw", want: likelySecret}),
		name("private_key", Secrets, `private_key: "made up 4f9a"`,
			phrase{words: "private key|ssh key|signing key|encryption key|master key|pem key", whole: true}),
		name("api_key", Secrets, `"api_key": "`+rest(16)+`"`,
			phrase{words: "api key|api keys|api token|api secret|access key|account key|shared access key|subscription key|storage key|service key|license key|admin key|app key|application key|auth key|integration key|write key|deploy key", whole: true}),
		name("secret", Secrets, "client_secret = "+rest(20),
			phrase{words: "secret key|secret access key|client secret|app secret|application secret|consumer secret|shared secret|webhook secret|signing secret|jwt secret|cookie secret|session secret|oauth secret|bot secret|secret token", whole: true}),
		name("secret", Secrets, "APP_SECRET_1="+rest(20),
			phrase{words: "secret", whole: true, want: likelySecret}),
		name("token", Secrets, "access_token="+rest(20),
			phrase{words: "access token|auth token|refresh token|session token|bearer token|oauth token|id token|csrf token|xsrf token|bot token|personal access token|security token|deploy token|registration token|user token|jwt token", whole: true}),
		name("token", Secrets, "--token "+rest(20),
			phrase{words: "token", whole: true, want: likelySecret}),
		name("credential", Secrets, "credentials: "+rest(20),
			phrase{words: "credential|credentials|creds|auth", want: likelySecret, mayBeID: true}),
		name("cookie", Secrets, `"set-cookie": "sid=`+rest(20)+`"`,
			phrase{words: "set cookie|session cookie|auth cookie", whole: true},
			phrase{words: "session id|session|phpsessid|jsessionid|cookie", want: likelySecret, mayBeID: true}),
		name("signature", Secrets, "?X-Amz-Signature="+hex(64), phrase{words: "signature|sig", want: likelySecret}),
		name("generic_key", Secrets, "ALGOLIA_KEY="+rest(20),
			phrase{words: "key|salt", want: likelySecret, qualified: true, mayBeID: true}),
		{name: "generic_secret", group: Secrets, anchors: []string{"secret", "token", "private", "credential"}, form: &near{names: n}, example: "zenSECRET 4f9a01c7be4f9a01c7be4f9a01c7be4f", source: "usage"},
		{name: "generic_secret", group: Secrets, anchors: []string{"key", "access", "auth", "api"}, form: &near{names: n, weak: true}, example: "using key=" + rest(24), source: "usage"},
		{name: "service_key", group: Secrets, anchors: services, form: &near{names: n, service: true}, example: `cloudflare: "` + rest(40) + `"`, source: "usage"},

		// persons
		{name: "email", group: PII, anchors: []string{"@"}, form: email{}, example: "mara.lind@example.org", source: "RFC 5321, RFC 6531"},
		{name: "us_ssn", group: PII, anchors: []string{"000-00-0000", "000 00 0000", "000.00.0000"}, form: socialSecurity{}, example: "SSN 219-09-9991", source: "SSA, POMS RM 10201"},
		{name: "phone", group: PII, anchors: []string{"+0"}, form: internationalPhone{}, example: "+44 20 7946 0958", source: "ITU-T E.123, E.164"},
		{name: "phone", group: PII, anchors: []string{"000-0000", "000.0000", "000 0000"}, form: nationalPhone{}, example: "(212) 555-0187 ext. 12", source: "NANPA"},
		{name: "phone", group: PII, anchors: []string{"000 00", "00) 00"}, form: trunkPhone{}, example: "(030) 9018 2055", source: "ITU-T E.123"},
		name("ssn", PII, `"ssn": "219099991"`,
			phrase{words: "ssn|social security number|social security", whole: true, want: number, digits: [2]int{9, 9}}),
		name("phone", PII, "mobile: 0171 5550187",
			phrase{words: "phone|telephone|phone number|mobile|mobile number|cell phone|tel|fax", want: number, digits: [2]int{7, 15}}),
		name("passport", PII, `passport_number: "C01X00T47"`,
			phrase{words: "passport number|passport no|passport", whole: true, want: likelySecret}),
		name("person_name", PII, `"last_name": "Lind"`,
			phrase{words: "first name|last name|full name|middle name|maiden name|family name|given name|surname", whole: true, anyWord: true}),
		name("address", PII, `street_address="12 Nowhere Row"`,
			phrase{words: "street address|home address|postal address|mailing address|billing address|shipping address|address line", whole: true, anyWord: true}),
		name("national_id", PII, "national_id: 4029124586",
			phrase{words: "national id|national insurance number|driver license|drivers license|driver license number|license plate", whole: true, anyWord: true}),
		name("birth_date", PII, "dob=1984-02-29",
			phrase{words: "date of birth|birth date|birthdate|birthday|dob", whole: true, want: number, digits: [2]int{6, 8}}),
		name("tax_id", PII, "tax_number: 12-3456789",
			phrase{words: "tax number|tax id|taxpayer id|taxpayer number|itin", whole: true, want: number, digits: [2]int{8, 13}}),

		// payment
		{name: "card_number", group: PCI, anchors: []string{"000000000000", "0000 0000", "0000-0000", "0000 000000", "0000-000000"}, form: cardNumber{}, example: "4012 8888 8888 1881", source: "ISO/IEC 7812"},
		{name: "card_number", group: PCI, anchors: []string{"000000000000", "0000e0", "0000e+0", "0000e-0"}, form: cardFloat{}, example: "4.012888888881881e15", source: "ISO/IEC 7812, RFC 8259 6"},
		{name: "card_track", group: PCI, anchors: []string{"%b00", ";000000000000"}, form: trackData{}, example: "%B4012888888881881^LIND/MARA^29121011234567?", source: "ISO/IEC 7813"},
		{name: "iban", group: PCI, anchors: account.anchors(), form: account, example: "GB82 WEST 1234 5698 7654 32", source: "ISO 13616"},
		name("card_number", PCI, "card_number=4000 0000 0000",
			phrase{words: "card number|credit card|credit card number|debit card number|card no|cc number|cardnum", whole: true, want: number, digits: [2]int{12, 19}}),
		name("cvv", PCI, "cvv: 123",
			phrase{words: "cvv|cvc|csc|card verification value|card verification code|card security code|security code", whole: true, want: number, digits: [2]int{3, 4}}),
		name("pin", PCI, "pin=4711",
			phrase{words: "pin|pin code|pin number|card pin", whole: true, want: number, digits: [2]int{4, 12}}),
		name("iban", PCI, `iban: "XX0012345678"`,
			phrase{words: "iban", whole: true, want: likelySecret}),
		name("bank_account", PCI, "account_number: 000123456789",
			phrase{words: "account number|bank account number|routing number|bank account|sort code", whole: true, want: number, digits: [2]int{6, 20}}),
	}
}

// services are names under which people keep a key with nothing more said.
var services = strings.Fields(`algolia amplitude artifactory asana atlassian bitbucket cloudflare codecov coinbase confluent
	contentful datadog discord docusign dropbox facebook fastly finnhub flickr freshdesk github gitlab gitter greptile heroku
	hubspot intercom jenkins jfrog jira linkedin mailchimp mailgun messagebird mixpanel newrelic okta openweather pagerduty
	paypal postmark pubnub rapidapi rollbar runscope salesforce segment sendbird sendgrid sentry shodan sonar splunk
	squarespace statuspage stripe sumologic telegram tmdb travis trello twilio twitch twitter vonage zendesk zoom`)

// isJWT says whether tok, or what is known of it, is a JSON Web Token: a header
// and a payload in base64url, where the header is a JSON object.
func isJWT(tok []byte) bool {
	header, rest, found := bytes.Cut(tok, []byte("."))
	if found {
		return len(header) >= 10 && len(rest) >= 4
	}
	var plain [96]byte
	n, _ := b64.RawURLEncoding.Decode(plain[:], tok[:min(len(tok), 128)])
	for _, field := range []string{`"alg"`, `"typ"`, `"kid"`, `"enc"`, `"x5c"`} {
		if len(tok) >= maxLook && bytes.Contains(plain[:n], []byte(field)) {
			return true
		}
	}
	return false
}
