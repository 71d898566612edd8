package redact

import (
	"bytes"
	b64 "encoding/base64"
	"strings"

	"github.com/kfw-dev/kfw/redact/candidate"
	"github.com/kfw-dev/kfw/redact/lex"
	"github.com/kfw-dev/kfw/redact/names"
)

// serviceTokens are the tokens of further services with a fixed part. Each entry has a text that
// looks like a token and is none.
func serviceTokens() []rule {
	return []rule{
		tok("x_bearer_token", token{prefix: []string{strings.Repeat("A", 21)},
			body: lex.Base64 | lex.Percent, min: 70, max: 140, common: true, check: checkFunc(isXBearer)},
			strings.Repeat("A", 22)+made(40)+"%3D"+made(50), "X API documentation: app-only bearer tokens").
			unlike(strings.Repeat("A", 120)),
		tok("wandb_key", token{prefix: []string{"wandb_v1_"}, body: lex.Word, min: 40, check: checkFunc(isMixedCase)},
			"wandb_v1_"+made(77), "Weights & Biases documentation: API keys").
			unlike("wandb_v1_settings_of_the_run_and_of_its_artifacts_and_tables"),
		tok("snyk_token", token{prefix: []string{"snyk_uat.", "snyk_sat."}, body: lex.Base64URL | lex.Dot, min: 30},
			"snyk_uat."+made(8)+"."+made(70), "Snyk documentation: service accounts, tokens").
			unlike("snyk_uat.test"),
		tok("bitbucket_token", token{prefix: []string{"BBDC-"}, body: lex.Base64 | lex.Underscore | lex.Dash, min: 36},
			"BBDC-"+made(44), "Bitbucket Data Center documentation: HTTP access tokens").
			unlike("BBDC-10234"),
		tok("kong_token", token{prefix: []string{"kpat_", "spat_"}, body: lex.Alnum, min: 40},
			"kpat_"+made(50), "Kong Konnect documentation: personal and system account tokens").
			unlike("kpat_rotation_interval"),
		tok("paseto", token{prefix: pasetoHeaders("v", "local", "public"), body: lex.Base64URL | lex.Dot, min: 40,
			check: checkFunc(hasUpper)},
			"v4.local."+made(100), "PASETO specification, 01-Protocol-Versions").
			unlike("v4.public.api.example.internal.services.of-the-cluster.local"),
		tok("paserk", token{prefix: pasetoHeaders("k", "local", "secret", "local-wrap", "secret-wrap", "local-pw",
			"secret-pw", "seal"),
			body: lex.Base64URL | lex.Dot, min: 40, check: checkFunc(hasUpper)},
			"k4.secret."+made(86), "PASERK specification: types").
			unlike("k4.lid.iVtYQDjr5gEijCSjJC3fQaJm7nCeQSeaty0Jixy8dbsk"),
		rule{name: "asana_token", group: names.Secrets, anchors: []string{"0/0000000000000"}, form: asanaToken{},
			example: "2/1201234567890123/1209876543210987:" + madeHex(32),
			source:  "Asana developer documentation: personal access tokens"}.
			unlike("/1/1201234567890123:80"),
		tok("k3s_token", token{prefix: []string{"K10"},
			body: lex.Alnum | lex.Colon | lex.Dot | lex.Dash | lex.Underscore, min: 70,
			check: &expr{source: `K10[0-9a-f]{64}::`}},
			"K10"+madeHex(64)+"::server:"+madeHex(32), "K3s documentation: k3s token").
			unlike("K10" + madeHex(64)),
		tok("rancher_token", token{prefix: []string{"token-", "kubeconfig-u"}, plain: true,
			body: lex.Lower | lex.HexLower | lex.Digits | lex.Dash | lex.Colon, min: 60, max: 120,
			check: &expr{source: `(?:token|kubeconfig-u[a-z0-9-]{1,30})-[a-z0-9]{5,10}:[a-z0-9]{54}$`}},
			"token-x7k2p:"+madeLower(54), "Rancher documentation: API keys").
			unlike("token-x7k2p"),
		tok("trigger_key", token{prefix: []string{"tr_prod_", "tr_dev_", "tr_stg_", "tr_preview_", "tr_pat_"},
			body: lex.Alnum, min: 18, check: checkFunc(candidate.HasDigit)},
			"tr_prod_"+made(20), "Trigger.dev documentation: API keys").
			unlike("tr_dev_environmentvariables"),
		tok("neon_password", token{prefix: []string{"npg_"}, body: lex.Alnum, min: 10, max: 24,
			check: checkFunc(isMixedCase)},
			"npg_"+made(12), "Neon documentation: passwords of roles").
			unlike("npg_connection12"),
		tok("aws_bedrock_key", token{prefix: []string{"bedrock-api-key-"}, body: lex.Base64 | lex.Percent, min: 40},
			"bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t"+made(200), "Amazon Bedrock User Guide: short-term API keys").
			unlike("bedrock-api-key-rotation"),
		tok("aws_sso_token", token{prefix: []string{"aoaAAAAA", "aorAAAAA"},
			body: lex.Base64 | lex.Dash | lex.Underscore | lex.Colon, min: 60, common: true},
			"aoaAAAAA"+made(120), "AWS IAM Identity Center OIDC API reference: CreateToken").
			unlike("aoaAAAAAgA"),
		tok("google_oauth", token{prefix: []string{"4/0A"}, body: lex.Base64URL, min: 40,
			check: checkFunc(isMixedCase)},
			"4/0A"+made(69), "Google Identity: authorization codes of OAuth 2.0").
			unlike("4/0ABC"),
		tok("google_fcm_key", token{prefix: []string{":APA91b"}, lead: lex.Base64URL, leads: [2]int{11, 11},
			body: lex.Base64URL, min: 100, check: &expr{source: `AAAA`}},
			"AAAA"+made(7)+":APA91b"+made(134), "Firebase documentation: server keys of Cloud Messaging").
			unlike("AAAA" + made(7) + ":APA91b"),
		tok("cursor_key", token{prefix: []string{"key_", "crsr_"}, plain: true, body: lex.LowerHex, min: 64, max: 64},
			"key_"+madeHex(64), "Cursor documentation: API keys").
			unlike("key_" + madeHex(12)),
		tok("modal_secret", token{prefix: []string{"as-"}, plain: true, body: lex.Alnum, min: 22, max: 22,
			check: checkFunc(isMixedCase)},
			"as-"+made(22), "Modal documentation: tokens").
			unlike("as-internationalization1"),
		tok("voyage_key", token{prefix: []string{"pa-"}, plain: true, body: lex.Base64URL, min: 43, max: 43,
			check: checkFunc(isMixedCase)},
			"pa-"+made(43), "Voyage AI documentation: API keys").
			unlike("pa-" + madeUUID),
		tok("lambda_key", token{prefix: []string{"secret_"}, plain: true, body: lex.Word | lex.Dot, min: 80,
			check: &expr{source: `secret_\w{16,32}_[0-9a-f]{32}\.\w{32}`}},
			"secret_"+made(20)+"_"+madeHex(32)+"."+made(32), "Lambda Cloud API documentation: keys").
			unlike("secret_of_the_second_service.properties"),
		tok("turbopuffer_key", token{prefix: []string{"tpuf_"}, body: lex.Alnum, min: 24},
			"tpuf_"+made(32), "turbopuffer documentation: authentication").
			unlike("tpuf_namespace"),
		tok("context7_key", token{prefix: []string{"ctx7sk-"}, body: lex.LowerHex | lex.Dash, min: 30},
			"ctx7sk-"+madeUUID, "Context7 documentation: API keys").
			unlike("ctx7sk-docs"),
		tok("pagerduty_token", token{prefix: []string{"u+"}, plain: true, body: lex.Base64URL | lex.Plus, min: 18,
			max:   18,
			check: checkFunc(isMixedCase)},
			"u+"+made(18), "PagerDuty documentation: API access keys").
			unlike("u+1F600 u+0041-u+005A"),
		tok("datadog_key", token{prefix: []string{"ddpat_", "ddapp_"}, body: lex.Alnum, min: 30},
			"ddapp_"+made(34), "Datadog documentation: API and application keys").
			unlike("ddapp_monitor"),
		tok("elastic_key", token{prefix: []string{"essu_"}, body: lex.Base64 | lex.Dash | lex.Underscore, min: 40},
			"essu_"+made(80), "Elastic Cloud documentation: API keys").
			unlike("essu_deployments"),
		tok("paypal_token", token{prefix: []string{"A21AA"}, body: lex.Base64URL, min: 60, common: true,
			check: checkFunc(isNoHash)},
			"A21AA"+made(90), "PayPal developer documentation: access tokens").
			unlike("A21AA" + strings.ToUpper(madeHex(75))),
		tok("adyen_key", token{prefix: []string{"AQE"}, body: lex.Base64 | lex.Dash, min: 100, max: 300, common: true,
			check: checkFunc(isAdyenKey)},
			"AQEyhmfxK7hQ"+made(80)+"abcdefghijklnoprstuvwyzABCDEFGHIJKLMNOPRSTUWYZ1"+"==-"+made(40),
			"Adyen documentation: API credentials").
			unlike("AQE" + strings.Repeat("BAQE", 30)),
		tok("alchemy_token", token{prefix: []string{"alcht_"}, body: lex.Alnum, min: 24},
			"alcht_"+made(30), "Alchemy documentation: auth tokens").
			unlike("alcht_webhook"),
		tok("macaroon", token{prefix: []string{"Y2F0aW9u"}, lead: lex.Base64URL, leads: [2]int{8, 8},
			body: lex.Base64 | lex.Dash | lex.Underscore, min: 60,
			check: checkFunc(isMacaroon)},
			"MDAyMWxvY2F0aW9uIGh0dHBzOi8vZXhhbXBsZS5vcmcK"+made(120), "libmacaroons: format of packets").
			unlike("YXBwbGljY2F0aW9u" + made(80)),
		tok("lnd_macaroon", token{prefix: []string{"0201036c6e64", "0201036C6E64"}, body: lex.Hexadecimal, min: 80},
			"0201036c6e64"+madeHex(200), "Lightning Network Daemon documentation: macaroons").
			unlike("0201036c6e64" + madeHex(20)),
		tok("statsig_key", token{prefix: []string{"secret-"}, plain: true, body: lex.Alnum, min: 40, max: 60,
			check: checkFunc(isMixedCase)},
			"secret-"+made(44), "Statsig documentation: server secret keys").
			unlike("secret-of-the-second-namespace"),
		tok("aikido_key", token{prefix: []string{"AIK_CI_", "AIK_SECRET_"}, body: lex.Alnum, min: 20},
			"AIK_SECRET_"+made(64), "Aikido documentation: API tokens").
			unlike("AIK_CI_TOKEN"),
		tok("brave_key", token{prefix: []string{"BSA"}, body: lex.Base64URL, min: 24, max: 40, common: true,
			check: checkFunc(isMixedCase)},
			"BSA"+made(27), "Brave Search API documentation: keys").
			unlike("BSA-2024-00123-advisory-for-the-editors"),
		tok("cloudsmith_key", token{prefix: []string{"csa_"}, body: lex.Alnum, min: 36, max: 36,
			check: checkFunc(candidate.HasDigit)},
			"csa_"+madeHex(30)+made(6), "Cloudsmith documentation: API keys").
			unlike("csa_certificate"),
		tok("canva_secret", token{prefix: []string{"cnvca"}, body: lex.Base64URL, min: 45},
			"cnvca"+made(51), "Canva developer documentation: client secrets").
			unlike("cnvca-integration"),
		tok("gcnotify_key", token{prefix: []string{"gcntfy-"}, body: lex.Word | lex.Dash, min: 73,
			check: checkFunc(candidate.HasDigit)},
			"gcntfy-app-"+madeUUID+"-"+madeUUID, "GC Notify documentation: API keys").
			unlike("gcntfy-app-settings"),
		tok("configcat_key", token{prefix: []string{"configcat-sdk-1/"}, body: lex.Base64URL | lex.Slash, min: 40},
			"configcat-sdk-1/"+made(22)+"/"+made(22), "ConfigCat documentation: SDK keys").
			unlike("configcat-sdk-1/README.md"),
		tok("astra_token", token{prefix: []string{"AstraCS:"}, body: lex.Alnum | lex.Colon, min: 20,
			check: checkFunc(candidate.HasDigit)},
			"AstraCS:"+made(24)+":"+madeHex(64), "DataStax Astra DB documentation: application tokens").
			unlike("AstraCS:ApplicationTokenPrefix"),
		tok("devcycle_key", token{prefix: []string{"dvc_server_"}, body: lex.Word, min: 20,
			check: checkFunc(candidate.HasDigit)},
			"dvc_server_"+made(32), "DevCycle documentation: SDK and API keys").
			unlike("dvc_server_initialization_options"),
		tok("devin_key", token{prefix: []string{"cog_"}, body: lex.Lower | lex.HexLower | lex.Digits, min: 52, max: 52,
			check: checkFunc(candidate.HasDigit)},
			"cog_"+strings.Repeat("k7m2p", 11)[:52], "Devin API documentation: service users").
			unlike("cog_wheel"),
		tok("lichess_token", token{prefix: []string{"lip_", "lio_"}, body: lex.Alnum, min: 20, max: 60,
			check: checkFunc(isMixedCase)},
			"lip_"+made(20), "Lichess API documentation: personal access tokens").
			unlike("lip_synchronisation2track"),
		tok("mercury_token", token{prefix: []string{"mercury_production_", "mercury_sandbox_"}, body: lex.Word, min: 40,
			check: checkFunc(candidate.HasDigit)},
			"mercury_production_rma_"+made(44)+"_yrucrem", "Mercury API documentation: tokens").
			unlike("mercury_production_accounts"),
		tok("onesignal_key", token{prefix: []string{"os_v2_app_", "os_v2_org_"},
			body: lex.Lower | lex.HexLower | lex.Digits,
			min:  80},
			"os_v2_app_"+madeLower(103), "OneSignal documentation: keys").
			unlike("os_v2_app_identifier"),
		tok("pinterest_token", token{prefix: []string{"pina_", "pinr_"}, body: lex.Base64URL, min: 30,
			check: checkFunc(isMixedCase)},
			"pina_"+made(60), "Pinterest API documentation: authentication").
			unlike("pina_colada_recipe_for_the_whole_family_2"),
		tok("thunderstore_token", token{prefix: []string{"tss_"}, body: lex.Base64URL, min: 20, max: 80,
			check: checkFunc(isMixedCase)},
			"tss_"+made(32), "Thunderstore documentation: service accounts").
			unlike("tss_segment_descriptor_x86"),
		tok("upcloud_token", token{prefix: []string{"ucat_"}, body: lex.Alnum, min: 24},
			"ucat_"+made(26), "UpCloud API documentation: tokens").
			unlike("ucat_zone"),
		tok("valtown_token", token{prefix: []string{"vtwn_"}, body: lex.Base64URL, min: 20},
			"vtwn_"+made(28), "Val Town documentation: API tokens").
			unlike("vtwn_handler"),
		tok("adafruit_key", token{prefix: []string{"aio_"}, plain: true, body: lex.Alnum, min: 28, max: 28,
			check: checkFunc(isMixed)},
			"aio_"+made(28), "Adafruit IO documentation: keys").
			unlike("aio_readv"),
		tok("flexport_token", token{prefix: []string{"shltm_"}, body: lex.Base64URL, min: 36},
			"shltm_"+made(40), "Flexport logistics API documentation").
			unlike("shltm_order"),
		tok("nightfall_key", token{prefix: []string{"NF-"}, plain: true, body: lex.Alnum, min: 32, max: 32,
			check: checkFunc(isMixed)},
			"NF-"+made(32), "Nightfall documentation: API keys").
			unlike("NF-C15-106"),
		tok("sourcegraph_token", token{prefix: []string{"slk_"}, body: lex.LowerHex, min: 64, max: 64},
			"slk_"+madeHex(64), "Sourcegraph documentation: license keys").
			unlike("slk_buffer_size"),
		tok("fullstory_key", token{prefix: []string{"na1.", "eu1."}, plain: true, body: lex.Base64, min: 80,
			check: checkFunc(isMixedCase)},
			"na1."+made(100), "FullStory developer guide: API keys").
			unlike("na1.example.org"),
		tok("databento_key", token{prefix: []string{"db-"}, plain: true, body: lex.Alnum, min: 29, max: 29,
			check: checkFunc(isMixedCase)},
			"db-"+made(29), "Databento documentation: API keys").
			unlike("db-" + madeHex(29)),
		tok("aiven_password", token{prefix: []string{"AVNS_"}, body: lex.Base64URL, min: 15},
			"AVNS_"+made(19), "Aiven documentation: service passwords").
			unlike("AVNS_PORT"),
		tok("endorlabs_key", token{prefix: []string{"endr+"}, body: lex.Alnum, min: 14},
			"endr+"+made(16), "Endor Labs documentation: API keys").
			unlike("endr+1"),
		tok("openvsx_token", token{prefix: []string{"ovsxat_", "ovsxp_"}, body: lex.Base64URL, min: 30},
			"ovsxat_"+madeUUID, "Open VSX wiki: access tokens").
			unlike("ovsxat_expiry"),
		tok("bitrise_token", token{prefix: []string{"bitpat_", "bitwat_"}, body: lex.Base64URL, min: 30},
			"bitpat_"+made(80), "Bitrise documentation: access tokens").
			unlike("bitpat_owner"),
		tok("chief_tools_token", token{prefix: []string{"ctp_"}, body: lex.Alnum, min: 36, max: 48,
			check: checkFunc(candidate.HasDigit)},
			"ctp_"+made(36), "Chief Tools documentation: personal access tokens").
			unlike("ctp_plate_setter"),
		tok("volcengine_key_id",
			token{prefix: []string{"AKLT"}, body: lex.Alnum | lex.Dash | lex.Underscore, min: 36, max: 64,
				common: true, check: checkFunc(isMixedCase)},
			"AKLT"+made(43), "Volcengine documentation: access keys").
			unlike("AKLT-report-of-the-second-quarter-and-of-its-budget"),
		tok("jdcloud_key_id", token{prefix: []string{"JDC_"}, body: lex.Upper | lex.HexUpper | lex.Digits, min: 28,
			max: 28},
			"JDC_"+strings.ToUpper(made(28)), "JD Cloud documentation: access keys").
			unlike("JDC_REGION"),
		tok("midtrans_key", token{prefix: []string{"Mid-server-"}, body: lex.Base64URL, min: 20,
			check: checkFunc(isMixedCase)},
			"SB-Mid-server-"+made(24), "Midtrans documentation: access keys").
			unlike("Mid-server-configuration-of-2024"),
		tok("sindri_key", token{prefix: []string{"sindri_"}, plain: true, body: lex.Alnum, min: 32, max: 32,
			check: checkFunc(candidate.HasDigit)},
			"sindri_"+made(32), "Sindri documentation: API keys").
			unlike("sindri_circuits"),
		tok("pangea_token", token{prefix: []string{"pts_"}, plain: true,
			body: lex.Lower | lex.HexLower | lex.Digits, min: 32,
			max: 32, check: checkFunc(candidate.HasDigit)},
			"pts_"+madeLower(32), "Pangea documentation: service tokens").
			unlike("pts_offset"),
		tok("iterative_token", token{prefix: []string{"isat_"}, body: lex.Alnum, min: 40},
			"isat_"+made(52), "DVC Studio documentation: client access tokens").
			unlike("isat_terminal"),
		tok("mergify_key", token{prefix: []string{"mka_"}, body: lex.Base64URL, min: 36,
			check: checkFunc(candidate.HasDigit)},
			"mka_"+made(48), "Mergify documentation: application keys").
			unlike("mka_queue"),
		tok("inngest_key", token{prefix: []string{"signkey-"}, body: lex.Alnum | lex.Dash, min: 40,
			check: checkFunc(candidate.HasDigit)},
			"signkey-prod-"+madeHex(64), "Inngest documentation: signing keys").
			unlike("signkey-of-the-branch-environment-and-its-rotation"),
		tok("mem0_key", token{prefix: []string{"m0-"}, plain: true, body: lex.Alnum, min: 40, max: 40,
			check: checkFunc(isMixedCase)},
			"m0-"+made(40), "Mem0 documentation: API keys").
			unlike("m0-" + madeHex(40)),
		tok("twitch_token", token{prefix: []string{"oauth:"}, plain: true,
			body: lex.Lower | lex.HexLower | lex.Digits, min: 30,
			max: 30, check: checkFunc(candidate.HasDigit)},
			"oauth:"+madeLower(30), "Twitch documentation: chat authentication").
			unlike("oauth:callback"),
		tok("matrix_token", token{prefix: []string{"syt_", "syl_"}, body: lex.Word, min: 26,
			check: checkFunc(isMixedCase)},
			"syt_bWFyYQ_"+made(20)+"_"+made(6), "Synapse documentation: access tokens").
			unlike("syt_of_the_homeserver_settings"),
		tok("matrix_token", token{prefix: []string{"mct_", "mcr_"}, body: lex.Alnum | lex.Underscore, min: 36, max: 40,
			check: &expr{source: `mc[tr]_[A-Za-z0-9]{30}_[A-Za-z0-9]{6}`}},
			"mct_"+made(30)+"_"+made(6), "Matrix Authentication Service documentation: compatibility tokens").
			unlike("mct_test_case"),
		tok("netbird_token", token{prefix: []string{"nbp_"}, body: lex.Alnum, min: 36, max: 36,
			check: checkFunc(candidate.HasDigit)},
			"nbp_"+made(36), "NetBird documentation: personal access tokens").
			unlike("nbp_peers"),
		tok("cloudflare_tunnel_token", token{prefix: []string{"eyJhIjoi"}, body: lex.Base64, min: 100,
			check: checkFunc(isTunnelToken)},
			b64.StdEncoding.EncodeToString([]byte(`{"a":"`+madeHex(32)+`","t":"`+madeUUID+`","s":"`+made(32)+`"}`)),
			"Cloudflare documentation: tunnel tokens").
			unlike(b64.StdEncoding.EncodeToString([]byte(`{"a":"` + strings.Repeat("of the table ", 9) + `"}`))),
		tok("pubnub_key", token{prefix: []string{"sec-c-"}, plain: true, body: lex.Alnum | lex.Dash, min: 36},
			"sec-c-"+made(48), "PubNub documentation: secret keys").
			unlike("sec-c-level"),
		tok("tines_webhook", token{prefix: []string{".tines.com/webhook/"}, body: lex.Alnum | lex.Slash, min: 40,
			after: len(".tines.com/webhook/")},
			"https://acme.tines.com/webhook/"+madeHex(32)+"/"+madeHex(32), "Tines documentation: webhooks").
			unlike("https://docs.tines.com/webhook/actions"),
		tok("make_webhook", token{prefix: []string{"hook.eu1.make.com/", "hook.eu2.make.com/", "hook.us1.make.com/",
			"hook.us2.make.com/",
			"hook.integromat.com/"}, body: lex.Alnum, min: 24, after: len("hook.eu1.make.com/")},
			"https://hook.eu1.make.com/"+madeLower(32), "Make help center: webhooks").
			unlike("https://hook.eu1.make.com/help"),
		tok("ifttt_key", token{prefix: []string{"with/key/"}, plain: true, body: lex.Base64URL, min: 20,
			after: len("with/key/"), check: checkFunc(candidate.HasDigit)},
			"https://maker.ifttt.com/trigger/door/with/key/"+made(22), "IFTTT help: webhooks").
			unlike("with/key/of-the-second-argument"),
		tok("mattermost_webhook",
			token{prefix: []string{"hooks/"}, plain: true, body: lex.Lower | lex.HexLower | lex.Digits,
				min: 26, max: 26,
				after: len("hooks/"), check: checkFunc(isMattermostID)},
			"https://chat.example.org/hooks/"+strings.Repeat("k7m2p", 6)[:26],
			"Mattermost documentation: incoming webhooks").
			unlike("hooks/pre2receivechecksallcommit"),
		tok("lark_webhook", token{prefix: []string{"/open-apis/bot/v2/hook/"}, body: lex.Alnum | lex.Dash, min: 30,
			after: len("/open-apis/bot/v2/hook/")},
			"https://open.feishu.cn/open-apis/bot/v2/hook/"+madeUUID, "Lark documentation: custom bots").
			unlike("/open-apis/bot/v2/hook/"),
		tok("wecom_webhook", token{prefix: []string{"/cgi-bin/webhook/send?key="}, body: lex.Alnum | lex.Dash, min: 30,
			after: len("/cgi-bin/webhook/send?key=")},
			"https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key="+madeUUID, "WeCom documentation: group robots").
			unlike("/cgi-bin/webhook/send?key="),
		tok("honeybadger_key", token{prefix: []string{"hbp_"}, body: lex.Alnum, min: 30, max: 48,
			check: checkFunc(candidate.HasDigit)},
			"hbp_"+made(36), "Honeybadger documentation: API keys").
			unlike("hbp_notice"),
		tok("checkly_key", token{prefix: []string{"cu_"}, body: lex.LowerHex, min: 32, max: 32},
			"cu_"+madeHex(32), "Checkly documentation: API keys").
			unlike("cu_" + madeHex(8)),
		tok("telnyx_key", token{prefix: []string{"KEY0"}, body: lex.Word | lex.Dash, min: 40,
			check: &expr{source: `KEY[0-9A-Za-z]{20,40}_[0-9A-Za-z_-]{16,}`}},
			"KEY017"+strings.ToUpper(made(30))+"_"+made(22), "Telnyx documentation: API keys").
			unlike("KEY01_OF_THE_SECOND_TABLE_OF_THE_DATABASE_X"),
		tok("minisign_key", token{prefix: []string{"RWRTY0Iy", "RWRCS"}, body: lex.Base64, min: 120},
			"RWRTY0Iy"+made(204), "minisign: format of secret keys, signify(1)").
			unlike("RWRTY0Iy" + made(40)),
		tok("yandex_key", token{prefix: []string{"y0_", "y1_", "y2_", "y3_"}, body: lex.Base64URL, min: 50,
			check: checkFunc(isMixedCase)},
			"y0_"+made(58), "Yandex ID documentation: OAuth tokens").
			unlike("y0_of_the_first_axis_and_of_the_second_one_in_the_chart"),
		tok("vk_token", token{prefix: []string{"vk1.a."}, body: lex.Base64URL, min: 80},
			"vk1.a."+made(190), "VK ID documentation: access tokens").
			unlike("vk1.a.example.org"),
		tok("packagist_token", token{prefix: []string{"packagist_out_", "packagist_uut_", "packagist_ort_",
			"packagist_ack_"}, body: lex.Alnum, min: 40},
			"packagist_uut_"+madeHex(68), "Private Packagist documentation: authentication tokens").
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

// excludes implements excluder.
func (f asanaToken) excludes(b []byte, at, to int) bool { return findsNothing(f, b, at, to) }
