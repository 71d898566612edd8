package structure

import (
	"bytes"

	"github.com/kfw-dev/kfw/internal/lex"
	"github.com/kfw-dev/kfw/redact/internal/names"
)

// KeyBody is the form of the begin of a private key without its first line: base64 of what only private keys begin with.
type KeyBody struct{}

// beginsOfKeys are what private keys begin with in base64: of some, the first letters tell how long the key is.
var beginsOfKeys = []struct {
	lead int    // how many letters stand before the text
	text string // as it is spelled
}{
	{6, "IBAAKCA"}, {6, "IBAAKBgQ"}, // RFC 8017 A.1.2
	{6, "IBADANBgkqhkiG9w0BAQEFAASC"},                        // RFC 5208 of RSA
	{4, "AgEAMBMGByqGSM49AgEG"}, {4, "AgEAMBAGByqGSM49AgEG"}, // the same of elliptic curves
	{0, "MC4CAQAwBQYDK2VwBCIE"},                            // RFC 8410
	{0, "MHcCAQEEI"}, {0, "MIGkAgEBBD"}, {0, "MIHcAgEBBE"}, // RFC 5915
	{0, "b3BlbnNzaC1rZXktdjE"}, // openssh-key-v1
}

// Anchors returns the anchors of the form, in lower case.
func (KeyBody) Anchors() []string {
	var anchors []string
	for _, k := range beginsOfKeys {
		anchor := bytes.ToLower([]byte(k.text))
		for i, c := range anchor {
			if lex.Digits.Has(c) {
				anchor[i] = '0'
			}
		}
		anchors = append(anchors, string(anchor))
	}
	return anchors
}

// Find implements names.Form.
func (KeyBody) Find(w names.Window, at, to int) names.Finding {
	const shortest, longest = 40, 76 // bytes of a line
	b := w.Text
	for _, k := range beginsOfKeys {
		start := at - k.lead
		if string(b[at:to]) != k.text || start < 0 || k.lead > 0 && string(b[start:start+2]) != "MI" ||
			!lex.Base64.Within(b[start:at]) || !names.Boundary(b, start) || start > 0 && (lex.Slash|lex.Plus).Has(b[start-1]) {
			continue
		}
		end := lex.Base64.Run(b, to, longest)
		switch {
		case end-start <= longest && w.Cut(end):
			return names.Finding{Verdict: names.Undecided, Start: start}
		case end-start > longest: // all of it is on this line
			return names.Finding{Verdict: names.OpenEnded, Start: start, End: end, Class: lex.Base64}
		case end-start >= shortest:
			return names.Finding{Verdict: names.OpeningBody, Start: start, End: to}
		}
	}
	return names.Finding{}
}
