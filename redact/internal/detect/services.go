package detect

import (
	"bytes"
	b64 "encoding/base64"
	"strings"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/candidate"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// ServiceTokens are the tokens of further services with a fixed part. Each entry has a text that
// looks like a token and is none.
func ServiceTokens() []Rule {
	return []Rule{
		tok("x_bearer_token", Token{prefix: []string{strings.Repeat("A", 21)},
			body: lex.Base64 | lex.Percent, Min: 70, max: 140, common: true, check: checkFunc(isXBearer)},
			strings.Repeat("A", 22)+Made(40)+"%3D"+Made(50), "X API documentation: app-only bearer tokens").
			unlike(strings.Repeat("A", 120)),
		tok("wandb_key", Token{prefix: []string{"wandb_v1_"}, body: lex.Word, Min: 40, check: checkFunc(isMixedCase)},
			"wandb_v1_"+Made(77), "Weights & Biases documentation: API keys").
			unlike("wandb_v1_settings_of_the_run_and_of_its_artifacts_and_tables"),
		tok("snyk_token", Token{prefix: []string{"snyk_uat.", "snyk_sat."}, body: lex.Base64URL | lex.Dot, Min: 30},
			"snyk_uat."+Made(8)+"."+Made(70), "Snyk documentation: service accounts, tokens").
			unlike("snyk_uat.test"),
		tok("bitbucket_token", Token{prefix: []string{"BBDC-"}, body: lex.Base64 | lex.Underscore | lex.Dash, Min: 36},
			"BBDC-"+Made(44), "Bitbucket Data Center documentation: HTTP access tokens").
			unlike("BBDC-10234"),
		tok("kong_token", Token{prefix: []string{"kpat_", "spat_"}, body: lex.Alnum, Min: 40},
			"kpat_"+Made(50), "Kong Konnect documentation: personal and system account tokens").
			unlike("kpat_rotation_interval"),
		tok("paseto", Token{prefix: pasetoHeaders("v", "local", "public"), body: lex.Base64URL | lex.Dot, Min: 40,
			check: checkFunc(hasUpper)},
			"v4.local."+Made(100), "PASETO specification, 01-Protocol-Versions").
			unlike("v4.public.api.example.internal.services.of-the-cluster.local"),
		tok("paserk", Token{prefix: pasetoHeaders("k", "local", "secret", "local-wrap", "secret-wrap", "local-pw",
			"secret-pw", "seal"),
			body: lex.Base64URL | lex.Dot, Min: 40, check: checkFunc(hasUpper)},
			"k4.secret."+Made(86), "PASERK specification: types").
			unlike("k4.lid.iVtYQDjr5gEijCSjJC3fQaJm7nCeQSeaty0Jixy8dbsk"),
		Rule{Name: "asana_token", Group: names.Secrets, Anchors: []string{"0/0000000000000"}, Form: asanaToken{},
			Example: "2/1201234567890123/1209876543210987:" + MadeHex(32),
			Source:  "Asana developer documentation: personal access tokens"}.
			unlike("/1/1201234567890123:80"),
		tok("k3s_token", Token{prefix: []string{"K10"},
			body: lex.Alnum | lex.Colon | lex.Dot | lex.Dash | lex.Underscore, Min: 70,
			check: &expr{source: `K10[0-9a-f]{64}::`}},
			"K10"+MadeHex(64)+"::server:"+MadeHex(32), "K3s documentation: k3s token").
			unlike("K10" + MadeHex(64)),
		tok("rancher_token", Token{prefix: []string{"token-", "kubeconfig-u"}, plain: true,
			body: lex.Lower | lex.HexLower | lex.Digits | lex.Dash | lex.Colon, Min: 60, max: 120,
			check: &expr{source: `(?:token|kubeconfig-u[a-z0-9-]{1,30})-[a-z0-9]{5,10}:[a-z0-9]{54}$`}},
			"token-x7k2p:"+madeLower(54), "Rancher documentation: API keys").
			unlike("token-x7k2p"),
		tok("trigger_key", Token{prefix: []string{"tr_prod_", "tr_dev_", "tr_stg_", "tr_preview_", "tr_pat_"},
			body: lex.Alnum, Min: 18, check: checkFunc(candidate.HasDigit)},
			"tr_prod_"+Made(20), "Trigger.dev documentation: API keys").
			unlike("tr_dev_environmentvariables"),
		tok("neon_password", Token{prefix: []string{"npg_"}, body: lex.Alnum, Min: 10, max: 24,
			check: checkFunc(isMixedCase)},
			"npg_"+Made(12), "Neon documentation: passwords of roles").
			unlike("npg_connection12"),
		tok("aws_bedrock_key", Token{prefix: []string{"bedrock-api-key-"}, body: lex.Base64 | lex.Percent, Min: 40},
			"bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t"+Made(200), "Amazon Bedrock User Guide: short-term API keys").
			unlike("bedrock-api-key-rotation"),
		tok("aws_sso_token", Token{prefix: []string{"aoaAAAAA", "aorAAAAA"},
			body: lex.Base64 | lex.Dash | lex.Underscore | lex.Colon, Min: 60, common: true},
			"aoaAAAAA"+Made(120), "AWS IAM Identity Center OIDC API reference: CreateToken").
			unlike("aoaAAAAAgA"),
		tok("google_oauth", Token{prefix: []string{"4/0A"}, body: lex.Base64URL, Min: 40,
			check: checkFunc(isMixedCase)},
			"4/0A"+Made(69), "Google Identity: authorization codes of OAuth 2.0").
			unlike("4/0ABC"),
		tok("google_fcm_key", Token{prefix: []string{":APA91b"}, Lead: lex.Base64URL, Leads: [2]int{11, 11},
			body: lex.Base64URL, Min: 100, check: &expr{source: `AAAA`}},
			"AAAA"+Made(7)+":APA91b"+Made(134), "Firebase documentation: server keys of Cloud Messaging").
			unlike("AAAA" + Made(7) + ":APA91b"),
		tok("cursor_key", Token{prefix: []string{"key_", "crsr_"}, plain: true, body: lex.LowerHex, Min: 64, max: 64},
			"key_"+MadeHex(64), "Cursor documentation: API keys").
			unlike("key_" + MadeHex(12)),
		tok("modal_secret", Token{prefix: []string{"as-"}, plain: true, body: lex.Alnum, Min: 22, max: 22,
			check: checkFunc(isMixedCase)},
			"as-"+Made(22), "Modal documentation: tokens").
			unlike("as-internationalization1"),
		tok("voyage_key", Token{prefix: []string{"pa-"}, plain: true, body: lex.Base64URL, Min: 43, max: 43,
			check: checkFunc(isMixedCase)},
			"pa-"+Made(43), "Voyage AI documentation: API keys").
			unlike("pa-" + madeUUID),
		tok("lambda_key", Token{prefix: []string{"secret_"}, plain: true, body: lex.Word | lex.Dot, Min: 80,
			check: &expr{source: `secret_\w{16,32}_[0-9a-f]{32}\.\w{32}`}},
			"secret_"+Made(20)+"_"+MadeHex(32)+"."+Made(32), "Lambda Cloud API documentation: keys").
			unlike("secret_of_the_second_service.properties"),
		tok("turbopuffer_key", Token{prefix: []string{"tpuf_"}, body: lex.Alnum, Min: 24},
			"tpuf_"+Made(32), "turbopuffer documentation: authentication").
			unlike("tpuf_namespace"),
		tok("context7_key", Token{prefix: []string{"ctx7sk-"}, body: lex.LowerHex | lex.Dash, Min: 30},
			"ctx7sk-"+madeUUID, "Context7 documentation: API keys").
			unlike("ctx7sk-docs"),
		tok("pagerduty_token", Token{prefix: []string{"u+"}, plain: true, body: lex.Base64URL | lex.Plus, Min: 18,
			max:   18,
			check: checkFunc(isMixedCase)},
			"u+"+Made(18), "PagerDuty documentation: API access keys").
			unlike("u+1F600 u+0041-u+005A"),
		tok("datadog_key", Token{prefix: []string{"ddpat_", "ddapp_"}, body: lex.Word, Min: 30,
			check: checkFunc(candidate.HasDigit)},
			"ddapp_"+Made(34), "Datadog documentation: API and application keys").
			unlike("ddapp_monitor"),
		tok("elastic_key", Token{prefix: []string{"essu_"}, body: lex.Base64 | lex.Dash | lex.Underscore, Min: 40},
			"essu_"+Made(80), "Elastic Cloud documentation: API keys").
			unlike("essu_deployments"),
		tok("paypal_token", Token{prefix: []string{"A21AA"}, body: lex.Base64URL, Min: 60, common: true,
			check: checkFunc(isNoHash)},
			"A21AA"+Made(90), "PayPal developer documentation: access tokens").
			unlike("A21AA" + strings.ToUpper(MadeHex(75))),
		tok("adyen_key", Token{prefix: []string{"AQE"}, body: lex.Base64 | lex.Dash, Min: 100, max: 300, common: true,
			check: checkFunc(isAdyenKey)},
			"AQEyhmfxK7hQ"+Made(80)+"abcdefghijklnoprstuvwyzABCDEFGHIJKLMNOPRSTUWYZ1"+"==-"+Made(40),
			"Adyen documentation: API credentials").
			unlike("AQE" + strings.Repeat("BAQE", 30)),
		tok("alchemy_token", Token{prefix: []string{"alcht_"}, body: lex.Alnum, Min: 24},
			"alcht_"+Made(30), "Alchemy documentation: auth tokens").
			unlike("alcht_webhook"),
		tok("macaroon", Token{prefix: []string{"Y2F0aW9u"}, Lead: lex.Base64URL, Leads: [2]int{8, 8},
			body: lex.Base64 | lex.Dash | lex.Underscore, Min: 60,
			check: checkFunc(isMacaroon)},
			"MDAyMWxvY2F0aW9uIGh0dHBzOi8vZXhhbXBsZS5vcmcK"+Made(120), "libmacaroons: format of packets").
			unlike("YXBwbGljY2F0aW9u" + Made(80)),
		tok("lnd_macaroon", Token{prefix: []string{"0201036c6e64", "0201036C6E64"}, body: lex.Hexadecimal, Min: 80},
			"0201036c6e64"+MadeHex(200), "Lightning Network Daemon documentation: macaroons").
			unlike("0201036c6e64" + MadeHex(20)),
		tok("statsig_key", Token{prefix: []string{"secret-"}, plain: true, body: lex.Alnum, Min: 40, max: 60,
			check: checkFunc(isMixedCase)},
			"secret-"+Made(44), "Statsig documentation: server secret keys").
			unlike("secret-of-the-second-namespace"),
		tok("aikido_key", Token{prefix: []string{"AIK_CI_", "AIK_SECRET_"}, body: lex.Alnum, Min: 20},
			"AIK_SECRET_"+Made(64), "Aikido documentation: API tokens").
			unlike("AIK_CI_TOKEN"),
		tok("brave_key", Token{prefix: []string{"BSA"}, body: lex.Base64URL, Min: 24, max: 40, common: true,
			check: checkFunc(isMixedCase)},
			"BSA"+Made(27), "Brave Search API documentation: keys").
			unlike("BSA-2024-00123-advisory-for-the-editors"),
		tok("cloudsmith_key", Token{prefix: []string{"csa_"}, body: lex.Alnum, Min: 36, max: 36,
			check: checkFunc(candidate.HasDigit)},
			"csa_"+MadeHex(30)+Made(6), "Cloudsmith documentation: API keys").
			unlike("csa_certificate"),
		tok("canva_secret", Token{prefix: []string{"cnvca"}, body: lex.Base64URL, Min: 45},
			"cnvca"+Made(51), "Canva developer documentation: client secrets").
			unlike("cnvca-integration"),
		tok("gcnotify_key", Token{prefix: []string{"gcntfy-"}, body: lex.Word | lex.Dash, Min: 73,
			check: checkFunc(candidate.HasDigit)},
			"gcntfy-app-"+madeUUID+"-"+madeUUID, "GC Notify documentation: API keys").
			unlike("gcntfy-app-settings"),
		tok("configcat_key", Token{prefix: []string{"configcat-sdk-1/"}, body: lex.Base64URL | lex.Slash, Min: 40},
			"configcat-sdk-1/"+Made(22)+"/"+Made(22), "ConfigCat documentation: SDK keys").
			unlike("configcat-sdk-1/README.md"),
		tok("astra_token", Token{prefix: []string{"AstraCS:"}, body: lex.Alnum | lex.Colon, Min: 20,
			check: checkFunc(candidate.HasDigit)},
			"AstraCS:"+Made(24)+":"+MadeHex(64), "DataStax Astra DB documentation: application tokens").
			unlike("AstraCS:ApplicationTokenPrefix"),
		tok("devcycle_key", Token{prefix: []string{"dvc_server_"}, body: lex.Word, Min: 16,
			check: checkFunc(candidate.HasDigit)},
			"dvc_server_"+Made(32), "DevCycle documentation: SDK and API keys").
			unlike("dvc_server_initialization_options"),
		tok("devin_key", Token{prefix: []string{"cog_"}, body: lex.Lower | lex.HexLower | lex.Digits, Min: 52, max: 52,
			check: checkFunc(candidate.HasDigit)},
			"cog_"+strings.Repeat("k7m2p", 11)[:52], "Devin API documentation: service users").
			unlike("cog_wheel"),
		tok("lichess_token", Token{prefix: []string{"lip_", "lio_"}, body: lex.Alnum, Min: 20, max: 60,
			check: checkFunc(isMixedCase)},
			"lip_"+Made(20), "Lichess API documentation: personal access tokens").
			unlike("lip_synchronisation2track"),
		tok("mercury_token", Token{prefix: []string{"mercury_production_", "mercury_sandbox_"}, body: lex.Word, Min: 40,
			check: checkFunc(candidate.HasDigit)},
			"mercury_production_rma_"+Made(44)+"_yrucrem", "Mercury API documentation: tokens").
			unlike("mercury_production_accounts"),
		tok("onesignal_key", Token{prefix: []string{"os_v2_app_", "os_v2_org_"},
			body: lex.Lower | lex.HexLower | lex.Digits,
			Min:  80},
			"os_v2_app_"+madeLower(103), "OneSignal documentation: keys").
			unlike("os_v2_app_identifier"),
		tok("pinterest_token", Token{prefix: []string{"pina_", "pinr_"}, body: lex.Base64URL, Min: 30,
			check: checkFunc(isMixedCase)},
			"pina_"+Made(60), "Pinterest API documentation: authentication").
			unlike("pina_colada_recipe_for_the_whole_family_2"),
		tok("thunderstore_token", Token{prefix: []string{"tss_"}, body: lex.Base64URL, Min: 20, max: 80,
			check: checkFunc(isMixedCase)},
			"tss_"+Made(32), "Thunderstore documentation: service accounts").
			unlike("tss_segment_descriptor_x86"),
		tok("upcloud_token", Token{prefix: []string{"ucat_"}, body: lex.Alnum, Min: 24},
			"ucat_"+Made(26), "UpCloud API documentation: tokens").
			unlike("ucat_zone"),
		tok("valtown_token", Token{prefix: []string{"vtwn_"}, body: lex.Base64URL, Min: 20},
			"vtwn_"+Made(28), "Val Town documentation: API tokens").
			unlike("vtwn_handler"),
		tok("adafruit_key", Token{prefix: []string{"aio_"}, plain: true, body: lex.Alnum, Min: 28, max: 28,
			check: checkFunc(IsMixed)},
			"aio_"+Made(28), "Adafruit IO documentation: keys").
			unlike("aio_readv"),
		tok("flexport_token", Token{prefix: []string{"shltm_"}, body: lex.Base64URL, Min: 36},
			"shltm_"+Made(40), "Flexport logistics API documentation").
			unlike("shltm_order"),
		tok("nightfall_key", Token{prefix: []string{"NF-"}, plain: true, body: lex.Alnum, Min: 32, max: 32,
			check: checkFunc(IsMixed)},
			"NF-"+Made(32), "Nightfall documentation: API keys").
			unlike("NF-C15-106"),
		tok("sourcegraph_token", Token{prefix: []string{"slk_"}, body: lex.LowerHex, Min: 64, max: 64},
			"slk_"+MadeHex(64), "Sourcegraph documentation: license keys").
			unlike("slk_buffer_size"),
		tok("fullstory_key", Token{prefix: []string{"na1.", "eu1."}, plain: true, body: lex.Base64, Min: 80,
			check: checkFunc(isMixedCase)},
			"na1."+Made(100), "FullStory developer guide: API keys").
			unlike("na1.example.org"),
		tok("databento_key", Token{prefix: []string{"db-"}, plain: true, body: lex.Alnum, Min: 29, max: 29,
			check: checkFunc(isMixedCase)},
			"db-"+Made(29), "Databento documentation: API keys").
			unlike("db-" + MadeHex(29)),
		tok("aiven_password", Token{prefix: []string{"AVNS_"}, body: lex.Base64URL, Min: 15},
			"AVNS_"+Made(19), "Aiven documentation: service passwords").
			unlike("AVNS_PORT"),
		tok("endorlabs_key", Token{prefix: []string{"endr+"}, body: lex.Alnum, Min: 14},
			"endr+"+Made(16), "Endor Labs documentation: API keys").
			unlike("endr+1"),
		tok("openvsx_token", Token{prefix: []string{"ovsxat_", "ovsxp_"}, body: lex.Base64URL, Min: 30},
			"ovsxat_"+madeUUID, "Open VSX wiki: access tokens").
			unlike("ovsxat_expiry"),
		tok("bitrise_token", Token{prefix: []string{"bitpat_", "bitwat_"}, body: lex.Base64URL, Min: 30},
			"bitpat_"+Made(80), "Bitrise documentation: access tokens").
			unlike("bitpat_owner"),
		tok("chief_tools_token", Token{prefix: []string{"ctp_"}, body: lex.Alnum, Min: 36, max: 48,
			check: checkFunc(candidate.HasDigit)},
			"ctp_"+Made(36), "Chief Tools documentation: personal access tokens").
			unlike("ctp_plate_setter"),
		tok("volcengine_key_id",
			Token{prefix: []string{"AKLT"}, body: lex.Alnum | lex.Dash | lex.Underscore, Min: 36, max: 64,
				common: true, check: checkFunc(isMixedCase)},
			"AKLT"+Made(43), "Volcengine documentation: access keys").
			unlike("AKLT-report-of-the-second-quarter-and-of-its-budget"),
		tok("jdcloud_key_id", Token{prefix: []string{"JDC_"}, body: lex.Upper | lex.HexUpper | lex.Digits, Min: 28,
			max: 28},
			"JDC_"+strings.ToUpper(Made(28)), "JD Cloud documentation: access keys").
			unlike("JDC_REGION"),
		tok("midtrans_key", Token{prefix: []string{"Mid-server-"}, body: lex.Base64URL, Min: 20,
			check: checkFunc(isMixedCase)},
			"SB-Mid-server-"+Made(24), "Midtrans documentation: access keys").
			unlike("Mid-server-configuration-of-2024"),
		tok("sindri_key", Token{prefix: []string{"sindri_"}, plain: true, body: lex.Alnum, Min: 32, max: 32,
			check: checkFunc(candidate.HasDigit)},
			"sindri_"+Made(32), "Sindri documentation: API keys").
			unlike("sindri_circuits"),
		tok("pangea_token", Token{prefix: []string{"pts_"}, plain: true,
			body: lex.Lower | lex.HexLower | lex.Digits, Min: 32,
			max: 32, check: checkFunc(candidate.HasDigit)},
			"pts_"+madeLower(32), "Pangea documentation: service tokens").
			unlike("pts_offset"),
		tok("iterative_token", Token{prefix: []string{"isat_"}, body: lex.Alnum, Min: 40},
			"isat_"+Made(52), "DVC Studio documentation: client access tokens").
			unlike("isat_terminal"),
		tok("mergify_key", Token{prefix: []string{"mka_"}, body: lex.Base64URL, Min: 36,
			check: checkFunc(candidate.HasDigit)},
			"mka_"+Made(48), "Mergify documentation: application keys").
			unlike("mka_queue"),
		tok("inngest_key", Token{prefix: []string{"signkey-"}, body: lex.Alnum | lex.Dash, Min: 40,
			check: checkFunc(candidate.HasDigit)},
			"signkey-prod-"+MadeHex(64), "Inngest documentation: signing keys").
			unlike("signkey-of-the-branch-environment-and-its-rotation"),
		tok("mem0_key", Token{prefix: []string{"m0-"}, plain: true, body: lex.Alnum, Min: 40, max: 40,
			check: checkFunc(isMixedCase)},
			"m0-"+Made(40), "Mem0 documentation: API keys").
			unlike("m0-" + MadeHex(40)),
		tok("twitch_token", Token{prefix: []string{"oauth:"}, plain: true,
			body: lex.Lower | lex.HexLower | lex.Digits, Min: 30,
			max: 30, check: checkFunc(candidate.HasDigit)},
			"oauth:"+madeLower(30), "Twitch documentation: chat authentication").
			unlike("oauth:callback"),
		tok("matrix_token", Token{prefix: []string{"syt_", "syl_"}, body: lex.Word, Min: 26,
			check: checkFunc(isMixedCase)},
			"syt_bWFyYQ_"+Made(20)+"_"+Made(6), "Synapse documentation: access tokens").
			unlike("syt_of_the_homeserver_settings"),
		tok("matrix_token", Token{prefix: []string{"mct_", "mcr_"}, body: lex.Alnum | lex.Underscore, Min: 36, max: 40,
			check: &expr{source: `mc[tr]_[A-Za-z0-9]{30}_[A-Za-z0-9]{6}`}},
			"mct_"+Made(30)+"_"+Made(6), "Matrix Authentication Service documentation: compatibility tokens").
			unlike("mct_test_case"),
		tok("netbird_token", Token{prefix: []string{"nbp_"}, body: lex.Alnum, Min: 36, max: 36,
			check: checkFunc(candidate.HasDigit)},
			"nbp_"+Made(36), "NetBird documentation: personal access tokens").
			unlike("nbp_peers"),
		tok("cloudflare_tunnel_token", Token{prefix: []string{"eyJhIjoi"}, body: lex.Base64, Min: 100,
			check: checkFunc(isTunnelToken)},
			b64.StdEncoding.EncodeToString([]byte(`{"a":"`+MadeHex(32)+`","t":"`+madeUUID+`","s":"`+Made(32)+`"}`)),
			"Cloudflare documentation: tunnel tokens").
			unlike(b64.StdEncoding.EncodeToString([]byte(`{"a":"` + strings.Repeat("of the table ", 9) + `"}`))),
		tok("pubnub_key", Token{prefix: []string{"sec-c-"}, plain: true, body: lex.Alnum | lex.Dash, Min: 36},
			"sec-c-"+Made(48), "PubNub documentation: secret keys").
			unlike("sec-c-level"),
		tok("tines_webhook", Token{prefix: []string{".tines.com/webhook/"}, body: lex.Alnum | lex.Slash, Min: 40,
			after: len(".tines.com/webhook/")},
			"https://acme.tines.com/webhook/"+MadeHex(32)+"/"+MadeHex(32), "Tines documentation: webhooks").
			unlike("https://docs.tines.com/webhook/actions"),
		tok("make_webhook", Token{prefix: []string{"hook.eu1.make.com/", "hook.eu2.make.com/", "hook.us1.make.com/",
			"hook.us2.make.com/",
			"hook.integromat.com/"}, body: lex.Alnum, Min: 24, after: len("hook.eu1.make.com/")},
			"https://hook.eu1.make.com/"+madeLower(32), "Make help center: webhooks").
			unlike("https://hook.eu1.make.com/help"),
		tok("ifttt_key", Token{prefix: []string{"with/key/"}, plain: true, body: lex.Base64URL, Min: 20,
			after: len("with/key/"), check: checkFunc(candidate.HasDigit)},
			"https://maker.ifttt.com/trigger/door/with/key/"+Made(22), "IFTTT help: webhooks").
			unlike("with/key/of-the-second-argument"),
		tok("mattermost_webhook",
			Token{prefix: []string{"hooks/"}, plain: true, body: lex.Lower | lex.HexLower | lex.Digits,
				Min: 26, max: 26,
				after: len("hooks/"), check: checkFunc(isMattermostID)},
			"https://chat.example.org/hooks/"+strings.Repeat("k7m2p", 6)[:26],
			"Mattermost documentation: incoming webhooks").
			unlike("hooks/pre2receivechecksallcommit"),
		tok("lark_webhook", Token{prefix: []string{"/open-apis/bot/v2/hook/"}, body: lex.Alnum | lex.Dash, Min: 30,
			after: len("/open-apis/bot/v2/hook/")},
			"https://open.feishu.cn/open-apis/bot/v2/hook/"+madeUUID, "Lark documentation: custom bots").
			unlike("/open-apis/bot/v2/hook/"),
		tok("wecom_webhook", Token{prefix: []string{"/cgi-bin/webhook/send?key="}, body: lex.Alnum | lex.Dash, Min: 30,
			after: len("/cgi-bin/webhook/send?key=")},
			"https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key="+madeUUID, "WeCom documentation: group robots").
			unlike("/cgi-bin/webhook/send?key="),
		tok("honeybadger_key", Token{prefix: []string{"hbp_"}, body: lex.Alnum, Min: 30, max: 48,
			check: checkFunc(candidate.HasDigit)},
			"hbp_"+Made(36), "Honeybadger documentation: API keys").
			unlike("hbp_notice"),
		tok("checkly_key", Token{prefix: []string{"cu_"}, body: lex.LowerHex, Min: 32, max: 32},
			"cu_"+MadeHex(32), "Checkly documentation: API keys").
			unlike("cu_" + MadeHex(8)),
		tok("telnyx_key", Token{prefix: []string{"KEY0"}, body: lex.Word | lex.Dash, Min: 40,
			check: &expr{source: `KEY[0-9A-Za-z]{20,40}_[0-9A-Za-z_-]{16,}`}},
			"KEY017"+strings.ToUpper(Made(30))+"_"+Made(22), "Telnyx documentation: API keys").
			unlike("KEY01_OF_THE_SECOND_TABLE_OF_THE_DATABASE_X"),
		tok("minisign_key", Token{prefix: []string{"RWRTY0Iy", "RWRCS"}, body: lex.Base64, Min: 120},
			"RWRTY0Iy"+Made(204), "minisign: format of secret keys, signify(1)").
			unlike("RWRTY0Iy" + Made(40)),
		tok("yandex_key", Token{prefix: []string{"y0_", "y1_", "y2_", "y3_"}, body: lex.Base64URL, Min: 50,
			check: checkFunc(isMixedCase)},
			"y0_"+Made(58), "Yandex ID documentation: OAuth tokens").
			unlike("y0_of_the_first_axis_and_of_the_second_one_in_the_chart"),
		tok("vk_token", Token{prefix: []string{"vk1.a."}, body: lex.Base64URL, Min: 80},
			"vk1.a."+Made(190), "VK ID documentation: access tokens").
			unlike("vk1.a.example.org"),
		tok("newrelic_key", Token{prefix: []string{"FFFFNRAL"}, Lead: lex.Alnum, Leads: [2]int{32, 36}},
			"eu01xx"+MadeHex(30)+"FFFFNRAL", "New Relic documentation: license keys").
			unlike("FFFFNRAL"),
		tok("tableau_token", Token{prefix: []string{"==:"}, Lead: lex.Alnum | lex.Plus | lex.Slash, Leads: [2]int{22, 22},
			body: lex.Alnum, Min: 32, max: 32},
			Made(22)+"==:"+Made(32), "Tableau Server documentation: personal access tokens").
			unlike(Made(22) + "==:name"),
		tok("authress_key", Token{prefix: []string{".acc-", ".acc_"}, Lead: lex.Word | lex.Dot, Leads: [2]int{12, 48},
			body: lex.Base64 | lex.Underscore | lex.Dash | lex.Dot, Min: 40,
			check: &expr{source: `(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.`}},
			"sc_"+madeLower(20)+".4f9a.acc-"+madeLower(16)+"."+Made(48), "Authress documentation: service clients").
			unlike("sc_name.4f9a.acc-of-the-other-department.example.internal.org"),
		tok("packagist_token", Token{prefix: []string{"packagist_out_", "packagist_uut_", "packagist_ort_",
			"packagist_ack_"}, body: lex.Alnum, Min: 40},
			"packagist_uut_"+MadeHex(68), "Private Packagist documentation: authentication tokens").
			unlike("packagist_out_file"),
	}
}

// pasetoHeaders returns the headers of the versions of PASETO or PASERK with the given purposes.
func pasetoHeaders(letter string, purposes ...string) []string {
	var a []string
	for _, version := range "1234" {
		for _, purpose := range purposes {
			a = append(a, letter+string(version)+"."+purpose+".")
		}
	}
	return a
}

// isMixedCase says whether tok has digits, small letters and capitals, and changes between them
// more often than names put together do.
func isMixedCase(tok []byte) bool {
	in := lex.ClassOf(tok)
	if in&lex.Digits == 0 || in&(lex.Lower|lex.HexLower) == 0 || in&(lex.Upper|lex.HexUpper) == 0 {
		return false
	}
	changes := 0
	for i := 1; i < len(tok); i++ {
		if x, y := candidate.CaseOf[tok[i-1]], candidate.CaseOf[tok[i]]; x != y && x != 0 && y != 0 {
			changes++
		}
	}
	return changes*4 >= len(tok)
}

// isGraphToken says whether tok is an access token of Facebook: base62 that begins with the
// number of an app, which is not small.
func isGraphToken(tok []byte) bool {
	const app = len("EAA")
	return tok[app] != 'A' && lex.Letters.Has(tok[app]) && isMixedCase(tok)
}

// isXBearer says whether tok is more than zeros in base64.
func isXBearer(tok []byte) bool {
	const zeros = 22
	return tok[zeros+1] != 'A' && isMixedCase(tok[zeros:])
}

// isAdyenKey says whether tok has a second part behind the end of base64, and more different
// characters than a pattern that repeats.
func isAdyenKey(tok []byte) bool {
	const least = 30
	return candidate.IsVaried(tok, least) && isMixedCase(tok) && bytes.Contains(tok, []byte("=-"))
}

// isMattermostID reports whether tok has as many digits as a row of its alphabet by chance, which
// has eight of them among 32 signs.
func isMattermostID(tok []byte) bool {
	const fewest = 2
	n := 0
	for _, c := range tok {
		if lex.Digits.Has(c) {
			n++
		}
	}
	return n >= fewest
}

// isTunnelToken says whether tok is the JSON of a tunnel in base64: its account, its number, its
// secret.
func isTunnelToken(tok []byte) bool {
	const head, tail = `{"a":"`, `","t":"`
	var plain [48]byte
	n, _ := b64.StdEncoding.Decode(plain[:], tok[:64]) // what comes before an error counts
	account := lex.Hexadecimal.Run(plain[:n], len(head), n)
	return account > len(head) && bytes.HasPrefix(plain[account:n], []byte(tail))
}

// isMacaroon says whether tok begins, in base64, with the packet that has the location: its
// length in four hexadecimal digits and the word.
func isMacaroon(tok []byte) bool {
	var plain [15]byte
	n, _ := b64.RawURLEncoding.Decode(plain[:], tok[:20]) // what comes before an error counts
	return n > 4 && lex.Hexadecimal.Within(plain[:4]) && bytes.HasPrefix(plain[4:n], []byte("location "))
}

// asanaToken is the form of Asana's personal access tokens: a version, the number of the user and
// of the token, a colon and 32 digits of hexadecimal.
type asanaToken struct{}

func (asanaToken) Find(w names.Window, at, to int) names.Finding {
	const longest, size = 20, 32
	b := w.Text
	if b[at] > '2' || !names.StartsWord(b, at) || at > 0 && b[at-1] == '/' {
		return names.Finding{}
	}
	end := lex.Digits.Run(b, to, longest)
	if end < len(b) && b[end] == '/' {
		end = lex.Digits.Run(b, end+1, longest)
	}
	if w.Cut(end) {
		return names.Finding{Verdict: names.Undecided, Start: at}
	}
	if end == len(b) || b[end] != ':' {
		return names.Finding{}
	}
	key := end + 1
	end = lex.Hexadecimal.Run(b, key, size)
	switch {
	case w.Cut(end):
		return names.Finding{Verdict: names.Undecided, Start: at}
	case end-key < size || !names.EndsWord(b, end):
		return names.Finding{}
	}
	return names.Finding{Verdict: names.Match, Start: at, End: end}
}

// Excludes implements Excluder.
func (f asanaToken) Excludes(b []byte, at, to int) bool { return findsNothing(f, b, at, to) }
