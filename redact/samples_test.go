package redact

// unchanged holds nothing that a rule matches.
var unchanged = []string{
	"`password` {string|ArrayBuffer|Buffer}",
	"plain prose, with a comma; and a semicolon.",
	"4f9a01c7-be4f-9a01-c7be-4f9a01c7be4f",
	"c639ef79-ad56-47fa-a5b9-291c6fcbcc0d ee20a66f-4800-44ba-a7ad-0d5929eb61cb",
	"commit 4f9a01c7be4f9a01c7be4f9a01c7be4f9a01c7be",
	"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	"golang.org/x/term v0.47.0 h1:AhV5uEKsTTTBDkbSyTGuRVfKFgm1Cc7uFExMJP5Nv4Q=",
	"2026-04-01T07:33:22.123Z 10.123.231.12:8443 took 1234.5678 ms, 1767225600000",
	"v1.2.3-rc.1+build.5, total $1,234.56 (12 x 102.88)",
	"image: registry.local/app:v1.2.3@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	"uses: actions/checkout@v4, npm i left-pad@1.3.0, git@github.com:someone/thing.git",
	"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
	"max_tokens=4096 reached, token_count: 17, password_policy: strict, secretName: db",
	"password: ${DB_PASSWORD}, password = process.env.PASSWORD, password: null, PASSWORD=<password>",
	"PASS: gdb.base/step2-test.exp: continue to foo",
	"--- PASS: TestReadAll2 (0.00s)",
	"c := Config{PrivateKey: testRSA2048PrivateKey}",
	"if strings.HasPrefix(e, \"PASSWORD=\") { // 1",
	"log.Print(\"the private key: \", err1)",
	"func login(password string, token string) error",
	"password := os.Getenv(\"DB\")",
	"token refreshed for session; cache key miss; password policy loaded",
	"cache key 4f9a01c7be4f9a01c7be4f9a01c7be4f, partition_key=4f9a01c7-be4f-9a01-c7be-4f9a01c7be4f",
	"token refreshed for session, request_id=4f9a01c7be4f9a01c7be4f9a01c7be4f; next page token 4f9a01c7be",
	"pods api-9cb81564aa-lwnli auth-7d9f8b6c5d-x2x4z token-broker-7d9f8b6c5d-x2x4z ready",
	"key := sha256WithRSAEncryption, keys: base64EncodedPrivateKey1, key: utf8mb4_unicode_520_ci",
	"the key <https://example.com/4f9a01c7be4f9a01c7be>, access /var/lib/4f9a01c7be4f9a01c7be4f9a01c7be4f/log",
	"template hash 60301830e5 uid 4f9a01c7-be4f-9a01-c7be-0574369250e7 1234567e8",
	"hash_password: normalize the password prior to use; --password' option is not given, crypto_rnd_register2",
	"ClientAuth = RequireAndVerifyClientCert, f(GenerateKey1024, NewDecapsulationKey1024), pin(globalPtrToObj)",
	"uid 6d5ccd48-5243-434f-be93-5626b14ebda2-5626b14eba8e -4012888888881881, -5117116194870963097",
	"{\"request_id\":\"0d699981-e4f3-4be5-ada2-5626b14eba8e\"}",
	"fuzzer-4012888888881881 | Bin 0 -> 46 bytes, org-4012888888881881,bucket-4012888888881881:m",
	"see https://bugs.example/v2/detail/4012888888881881. https://lists.example/?l=kernel&m=122000000000003&w=2",
	"4584 4615 5446 5443 5433 5448 5442 541B 90FF\n0000000: 2e54 4820 5858 4420 3120 2241  .TH\n5FFB 6000 6003 6004 6005 6006 6211",
	"[]int64{4602025990114250980, 3615674634722404291,\n\t-7, 6559392774825876886, -1}, int64(6715870808026712034)",
	"+1.000000 +3.140000 (-1, +6073641856.9) 1:10~+20191229111838, sizes 500 600 700 800 900 1000 1095 1200",
	"Ciphers aes256-gcm@openssh.com,zlib@openssh.com sk-ecdsa-sha2-nistp256@openssh.com curve25519-sha256@libssh.org",
	"getty@tty1.service user@1000.service icon@2x.png icons-64x64@2.tar",
	"9D9B5FD88C3798A039A67993C5EC68B6326B132E647F67EACCA7F7AE7F718D85A0 EAAC3481FC612665CA112D3F889A0E5B7843EFFCEFACA24A01B6AC2B7DDE02F4",
	"rows 100-200 of 3000, 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20",
	"00000980: fe04 0000 1200 0000 0000 0000 0000 0000  ................",
	"http://localhost:8080/a@b https://example.com/path?x=1",
	"\x80\xff not UTF-8 \xc3(",
	"-----BEGIN CERTIFICATE-----\nMIIBhTCCASugAwIBAgIQ\n-----END CERTIFICATE-----",
}

// documents are inputs of a Reader: JSON of all kinds, and what only looks so.
var documents = []string{
	"[INFO] password=hunter2\n[1/3] mara.lind@example.org\n{\"password\":\"x\"}\n",
	`{"a":"x","b":{"c":[1,2,{"d":null}]},"items":[{"id":1,"x":"y"},{"id":2}]}`,
	`[{"a":1},{"a":2,"b":{"c":3,"d":4}}]` + "\n",
	"{\"password\":\"hunter2\",\"n\":4012888888881881,\"ok\":true}\n{\"secret\":{\"deep\":[1,{\"er\":\"x}\"}]},\"a\":1}\n",
	`{"password":"","passwd":null,"pwd":false,"cvv":123,"ssn":219099991,"pin":[1,2]}`,
	`{"mail":"mara.lind\u0040example.org","k":"\u0067hp_` + "0123456789abcdef0123456789abcdef0123" +
		`","s":"a\/b\n\ud83d\ude00\ud800"}`,
	`{"mara.lind@example.org":{"password" : [1, {"x":"]"}] , "b":2}}`,
	"{\"a\":\"raw\nnewline\",\"password\":\"x\"}\n{\"b\":1}\n",
	"{\"password\":\"two\nlines\",\"b\":\"c\"} tail\n{\"b\":1}\n",
	"{\"password\":\"two\nlines,\"b\n{\"password\":\"two\nlines\" \n{\"b\":1}",
	"{\"secret\":{\"a\":\"b\"\n{\"b\":1}\n{\"b\":2}\n",
	"{\"password\": hunter2, \"b\":1}\n{'password': 'hunter2'}\n{password: \"hunter2\"}\n",
	"env:\n  - name: DB_PASSWORD\n    value: hunter\n  - name: MODE\n    value: fast\n\xef\xbb\xbfname = \"API_TOKEN\"\r\nvalue = \"hunter23x\"\n",
	"{\"args\":[\"--password\",\"x y\",\"--password\" , \"hunter\"],\"b\":[\"--pin\",{\"c\":\"--password\"},\"d\"]}\n[\"--password\",\n\"hunter\"]",
	"- name: DB_PASSWORD\n{\"value\":\"x\"}\nvalue: x\n- name: password\n\nvalue: y\n- name: password\n# of\n",
	"text line\n{\"a\":\"b\"}\n  {\"password\":\"hunter2\"}\r\npassword: hunter2\r\n",
	"[INFO] started\n[WARN] password=hunter2x mara@example.org\n",
	"{\"log\":\"{\\\"password\\\":\\\"hunter2\\\"}\",\"key\":\"-----BEGIN PRIVATE KEY-----\\nMII\\n-----END PRIVATE KEY-----\\n\"}",
	"-----BEGIN PRIVATE KEY-----\nMIIabcdefghij0123456789klmnop\n-----END PRIVATE KEY-----\nafter\n",
	"{\"private_x\":\"-----BEGIN PRIVATE KEY-----\nMIIabcdefghij0123456789klmnop\n-----END PRIVATE KEY-----\"}\n{\"a\":1}\n",
	`{"n":[0,-1,1.5e10,12345678901234567890123456789012345678901234567890123456789,4012888888881881]}`,
	`{"n":01,"m":1.2.3.4,"t":2026-04-01}` + "\n" + `{"n":1}`,
	`[[[[[[]]]]]]{}[]{"a":{}}`,
	" \n\t {\"token\":\"abc\",\"auth\":\"a1b2c3d4e5f6g7\",\"phone\":5551230187}",
	`"just a string"` + "\n1234\n",
	"{\"a\":1}garbage{\"b\":2}\n{\"c\":\"d\\x\\u12\"}\n",
	"x\n[\"mara.lind\\u0040example.org\"]\ndata: {\"e\":\"mara\\u0040example.org\",\"password\":\"a\\u0022b\"}\n\"\\/\\\\/\\\\u00\\u004\"\\\n",
	`["{\"e\":\"mara\\u0040example.org\\/\\u0022\",\"pass\\u0077ord\":\"x\"} \u005c\u0075\u0030\u0030\u0034\u0031 \\\\\\\\u0041"]`,
	"\xef\xbb\xbf{\"password\":\"x\"}\n \xef\xbb\xbf{\"a\":1}\n\xef\xbb\n\xef\xbbx\n",
	"text\n\xef\xbb\xbf\xef\xbb\xbf {\"password\":\"x\"}\n\xef\xbc\x81\n",
	`{"n":[4012888888881881.0,4.012888888881881e15,40128888888818810e-1,4012888888881881.5],"a":1}`,
	"{\"password\" x \"hunter2\"}\n{\"password\" \"hunter2\"}\n{\"password\":,\"hunter2\"}\n{\"password\":\"hun\"ter2\"}\n{\"password\"::[1]}\n",
	`{"a":"the password policy\n\tof paths: cache key miss, api-1"}` + "\n" +
		`{"b":"pass: api-2, key of the path"}` + "\n" + `{"c":"password:\thunter2\n"}` + "\n",
	`{"env":[{"name":"DB_PASSWORD","value":"x"},{"name":"MODE","value":"fast"},{"key":"db_password" , "n":1,"value":[1]}]}` + "\n" + `{"name":"password","b":{"value":"y"},"value":"z"}`,
	"{\"m\":\"\\n\",\"t\":1700000000000\n}\n{\"m\":\"\\n\",\n\"k\":\"\\t\",\"password\n\":1}",
	`{"a":"password","b":["password","x"]} "password" "x" password` + "\n{\"password\"\n\n:\n\n1}",
}

// shipped are secrets as log shippers cut them: a record for every line.
var shipped = []string{
	`{"log":"-----BEGIN RSA PRIVATE KEY-----\n","n":1}` + "\n" +
		`{"log":"MIIEnotakeyatallnotakeyatallnotakeyatallnotakeyatall0123456789AB\n","n":2}` + "\n" +
		`{"other":"in between","log":"q8notakeyatall==\n","n":3}` + "\n" +
		`{"log":"-----END RSA PRIVATE KEY-----\n","n":4}` + "\n" + `{"log":"after"}` + "\n",
	`{"a":"x -----BEGIN PRIVATE KEY-----\nMIIEnotakeyatallnotakeyatallnotakeyatallnotakeyatall0123456789AB\n"}` + "\n" +
		`{"b":"not of it"}` + "\n" + `{"a":"q8notakeyatall==\n-----END PRIVATE KEY-----\nafter"}` + "\n" +
		`{"a":"after"}` + "\n",
	`{"log":"use ghp_7hQ2mX9kV47hQ2mX","n":1}` + "\n" + `{"log":"9kV47hQ2mX9kV47hQ2mX9kV4, then","n":2}` + "\n" +
		`{"log":"9kV47hQ2mX9kV47hQ2mX"}` + "\n",
	`{"log":"use ghp_7hQ2mX9kV47hQ2mX","n":1}` + "\n" + `{"log":"the next line"}` + "\n" +
		`{"log":"9kV47hQ2mX9kV47hQ2mX"}` + "\n",
	`{"a":"the words -----BEGIN PRIVATE KEY----- in a text"}` + "\n" + `{"a":"after"}` + "\n",
	`{"log":"private a1B2c3D4-ghp_7hQ2mX9kV47hQ2mX"}` + "\n" + `{"log":"9kV47hQ2mX9kV47hQ2mX9kV4, then"}` + "\n",
}
