package mask

import "bytes"

// hidden is what the placeholders in a text leave of it.
type hidden uint8

const (
	notHidden    hidden = iota
	PartlyHidden        // values that read alike may differ in what was redacted
	AllHidden           // nothing is left but signs
)

// Hides returns what the placeholders in a text leave of it: "[REDACTED:email]" stands for any
// value that a rule redacts. One with a number stands for one value alone.
func Hides(text []byte) (how hidden) {
	isLeft := false
	for bytes.IndexByte(text, '[') >= 0 { // few do
		at := bytes.Index(text, []byte(Redacted))
		if at < 0 {
			break
		}
		isLeft = isLeft || PartsOf(text[:at])&(Letter|Digit) != 0
		text = text[at+len(Redacted):]
		end := bytes.IndexByte(text, ']')
		if end < 0 || bytes.IndexByte(text[:end], ':') < 0 {
			how = PartlyHidden
		}
		text = text[max(0, end):]
	}
	if how == PartlyHidden && !isLeft && PartsOf(text)&(Letter|Digit) == 0 {
		return AllHidden
	}
	return how
}
