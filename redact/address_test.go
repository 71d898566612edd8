package redact

import "testing"

// What has an @ in it is no address if it goes on with a version or is a file.
func TestNoAddress(t *testing.T) {
	rules := compile(t, Options{Groups: PII})
	const marker = markerStart + "email]"
	for in, want := range map[string]string{
		"org/toolchain@v0.0.1-go1.9.aix-ppc64":  "org/toolchain@v0.0.1-go1.9.aix-ppc64",
		"po/sr@latin.po, po/en@quot.header":     "po/sr@latin.po, po/en@quot.header",
		"f@.got.plt":                            "f@.got.plt",
		"mara@v2.example.org, mara@163.example": marker + ", " + marker,
		"mara@7even.example":                    marker,
		"mara@3.2.example.com, mara@umac.mo":    marker + ", " + marker,
	} {
		if got := string(whole(rules, []byte(in))); got != want {
			t.Errorf("%q gives %q", in, got)
		}
	}
}
