package redact

import (
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/redact/internal/detect"
)

// TestKeyBodies holds that a private key is one without its first line, as tail and diff show it, and that what is
// public stays.
func TestKeyBodies(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	line := "qN" + detect.Made(60) + "Zx"
	for _, begin := range []string{
		"MIIEpAIBAAKCAQEA" + detect.Made(48), "MIICXQIBAAKBgQ" + detect.Made(50), "MHcCAQEEI" + detect.Made(55),
		"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC" + detect.Made(13),
		"MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg" + detect.Made(16), "MC4CAQAwBQYDK2VwBCIEI" + detect.Made(43),
		"b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW",
	} {
		for layout, text := range map[string]string{
			"lines":      begin + "\n" + line + "\n" + line[:20] + "==\n-----END PRIVATE KEY-----\nafter it\n",
			"a diff":     "@@ -1,3 +0,0 @@\n-" + begin + "\n-" + line + "\n-" + line[:20] + "==\n after it\n",
			"grep -n":    "2:" + begin + "\n3:" + line + "\n4:" + line[:20] + "==\nafter it\n",
			"a string":   `{"text":"` + begin + `\n` + line + `\n","note":"after it"}` + "\n",
			"one string": `{"text":"` + begin + line + `","note":"after it"}` + "\n",
		} {
			got := string(redacted(t, rules, Auto, []byte(text)))
			if strings.Contains(got, begin[len(begin)-12:]) || strings.Contains(got, line[2:14]) || !strings.Contains(got, "after it") {
				t.Errorf("%s:\n%s\ngives\n%s", layout, text, got)
			}
		}
	}
	const alone = "MIIEpAIBAAKCAQEAqN7hQ2mX9kV47hQ2mX9kV47hQ2mX9kV47hQ2mX9kV47hQ2mX9kV47hQ2mX9kV47hQ2mX9kV4\"\n" +
		"raw, _ := x509.ParsePKCS8PrivateKey(b)\n"
	if got := string(redacted(t, rules, Auto, []byte("k := \""+alone))); got != "k := \"[REDACTED:private_key]"+alone[strings.IndexByte(alone, '"'):] {
		t.Errorf("%s", got)
	}
	const labelled = "MIIEpAIBAAKCAQEAqN7hQ2mX9kV47hQ2mX9kV47hQ2mX9kV4\n-----END TESTING KEY-----`))\n\nfunc f() {}\n"
	if got := string(redacted(t, rules, Auto, []byte(labelled))); !strings.HasSuffix(got, "`))\n\nfunc f() {}\n") {
		t.Errorf("%s", got)
	}
	for _, text := range []string{
		"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA" + line[:20] + "\n" + line + "\nwIDAQAB\n",
		"MIIDXTCCAkWgAwIBAgIJAKoK" + line[:40] + "\n" + line + "\n",
		"the key begins with MIIEpAIBAAKCAQEA, or with MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n",
		"ssh-keygen writes b3BlbnNzaC1rZXktdjE= first\n",
		"blob " + line[:30] + "MIIEpAIBAAKCAQEA" + line[:10] + "\n",
	} {
		stays(t, rules, text)
	}
}
