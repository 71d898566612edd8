package redact

import (
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
)

// A number with a sign, and a zone of time, are no phone: with the code 1 or 7 one has eleven digits.
func TestNumbersWithASign(t *testing.T) {
	rules := compile(t, Options{Groups: PII})
	for in, want := range map[string]string{
		"{+100000000, 1}":                     "{+100000000, 1}",
		"x[0]+1000000 < y":                    "x[0]+1000000 < y",
		"04 21:00:57 +1130 2010 x":            "04 21:00:57 +1130 2010 x",
		"call +1 212 555 0142 now":            "call [REDACTED:phone] now",
		"call +7 (495) 555-01-42, x":          "call [REDACTED:phone], x",
		"call +45 20 55 01 42":                "call [REDACTED:phone]",
		"drift +2147483647 ns":                "drift +2147483647 ns",
		"12 (+604800000) rows":                "12 (+604800000) rows",
		"Mara +60480000012 x":                 "Mara [REDACTED:phone] x",
		"Mara +604800000 x":                   "Mara +604800000 x",
		"Mara's mobile +604800000 x":          "Mara's mobile [REDACTED:phone] x",
		"Mara +33 6 12 34 56 7 x":             "Mara [REDACTED:phone] x",
		"Mara +60 480 0000 x":                 "Mara [REDACTED:phone] x",
		"Mara,+604800000,x":                   "Mara,[REDACTED:phone],x",
		`{"d": "+604800000"}`:                 `{"d": "[REDACTED:phone]"}`,
		"+604800000":                          "[REDACTED:phone]",
		"Mara +447911123456 x":                "Mara [REDACTED:phone] x",
		"Mara +4407911123456 x":               "Mara [REDACTED:phone] x",
		"Mara +44079111234567 x":              "Mara +44079111234567 x",
		"Mara +3606301234567 x":               "Mara [REDACTED:phone] x",
		"Mara +2341277270 x":                  "Mara [REDACTED:phone] x",
		"Mara +35312345678 x":                 "Mara [REDACTED:phone] x",
		"Mara +353123456 x":                   "Mara +353123456 x",
		"Mara +3361234567 x":                  "Mara +3361234567 x",
		"Mara +33612345678 x":                 "Mara [REDACTED:phone] x",
		"Mara\t+604800000 x":                  "Mara\t[REDACTED:phone] x",
		"    +604800000 x":                    "    [REDACTED:phone] x",
		"drift +604800000, Anrufe +604800000": "drift +604800000, Anrufe [REDACTED:phone]",
		"mobile: see the list of all that we have, and of those we do not: +604800000": "mobile: see the list of all that we have, and of those we do not: [REDACTED:phone]",
		"Mara +9991234567 x": "Mara +9991234567 x",
		// lines that a diff adds
		"+2031-05-06 up\n+2031-05-06T10:00:00Z\n+2031.05.06": "+2031-05-06 up\n+2031-05-06T10:00:00Z\n+2031.05.06",
		"+2031-05-06 10:20:30":                               "+2031-05-06 10:20:30",
		"+2031-05-06 10 20":                                  "[REDACTED:phone]",
		"+2031-05-0633":                                      "[REDACTED:phone]",
		"+2031-25-06 33":                                     "[REDACTED:phone]",
		"+2126-12-12-34-56":                                  "[REDACTED:phone]",
		"+2010.10.10 1234567":                                "[REDACTED:phone]",
		"Mara: +2126.12.12.34.56":                            "Mara: [REDACTED:phone]",
		"Mara: +2031-05-06 and another":                      "Mara: [REDACTED:phone] and another",
		"+20 31 05 06 33 1":                                  "[REDACTED:phone]",
	} {
		if got := string(whole(rules, []byte(in))); got != want {
			t.Errorf("%q gives %q", in, got)
		}
	}
}

// Rows of a table and the numbers of things that are counted are
// no phones; the same digits are where a text speaks of one.
func TestNumbersInRows(t *testing.T) {
	rules := compile(t, Options{Groups: PII})
	const marker = lex.MarkerStart + "phone]"
	for in, want := range map[string]string{
		"734 761.6 544 707.2 734 734 1006 734 598.4":     "734 761.6 544 707.2 734 734 1006 734 598.4",
		"967 979 992 1004 1017 1030 1043":                "967 979 992 1004 1017 1030 1043",
		"1000 1000 500 500 1000 1000":                    "1000 1000 500 500 1000 1000",
		"failed tests: 571 612 1056":                     "failed tests: 571 612 1056",
		"see pages 212 555 1042":                         "see pages 212 555 1042",
		"call about the tests: 571 612 1056":             "call about the tests: " + marker,
		"sales: 571 612 1056":                            "sales: " + marker,
		"Mara Lind 571 612 1056":                         "Mara Lind " + marker,
		"1 571 612 1056, 571 612 1057":                   marker + ", " + marker,
		"041 117 132\n041 118 132\n":                     marker + "\n" + marker + "\n",
		"    041 117 132\n":                              "    041 117 132\n",
		"as octal:\n\t 133 112 255\n\t 041 117 132":      "as octal:\n\t 133 112 255\n\t 041 117 132",
		"    041 417 132\n":                              "    " + marker + "\n",
		"    041 187 132\n":                              "    " + marker + "\n",
		"    041 117 132 or 133":                         "    " + marker + " or 133",
		"gsm  041 117 132":                               "gsm  " + marker,
		"030 112 345  and more":                          marker + "  and more",
		`{"contact":"030 112 345"}`:                      `{"contact":"` + marker + `"}`,
		"571 612 1056 571 612 1057 571 612 1058":         marker + " " + marker + " " + marker,
		"Room 1204 571 612 1056 1002":                    "Room 1204 " + marker + " 1002",
		"SMS failed: 571 612 1056, skipped 571 612 1057": "SMS failed: " + marker + ", skipped " + marker,
		"Room 204  (+4915123456789)":                     "Room 204  (" + marker + ")",
		"gsm 041 117 132":                                "gsm " + marker,
		"041 417 132\n041 118 132\n":                     marker + "\n" + marker + "\n",
		"< 010 000 010*2 000*7 010":                      "< 010 000 010*2 000*7 010",
		"Tel. +4930-12345":                               "Tel. " + marker,
		"+4930-123456":                                   marker,
		"+4975-12345":                                    marker,
		"Mara (+989121234567)":                           "Mara (" + marker + ")",
		"(+49) 30 901820":                                "(" + marker,
	} {
		if got := string(whole(rules, []byte(in))); got != want {
			t.Errorf("%q gives %q", in, got)
		}
	}
}

// Numbers that only a blank parts are found each for itself.
func TestNumbersSideBySide(t *testing.T) {
	rules := compile(t, Options{Groups: All})
	for in, want := range map[string]string{
		"Mara +44 20 7946 0958 4012 8888 8888 1881 x":  "Mara [REDACTED:phone] [REDACTED:card_number] x",
		"Mara +44 20 7946 0958 219-09-9991 x":          "Mara [REDACTED:phone] [REDACTED:us_ssn] x",
		"Mara +442079460958 4012888888881881":          "Mara [REDACTED:phone] [REDACTED:card_number]",
		"+420 7946 044 20 7995":                        "[REDACTED:phone]",
		"+33 79461 4012 8888 8888 1881":                "[REDACTED:phone]",
		"+33 7946 0 4012 8888 8888 1881":               "[REDACTED:phone]",
		"+33 7946 0 [REDACTED:card_number]":            "+33 7946 0 [REDACTED:card_number]",
		"+33 7946 0 [REDACTED":                         "[REDACTED:phone] [REDACTED",
		"+33 6 12 34 56 78 [REDACTED:card_number]":     "[REDACTED:phone] [REDACTED:card_number]",
		"+1 2 3 4 5 6 7 8 9 10 110 120 130":            "+1 2 3 4 5 6 7 8 9 10 110 120 130",
		"rows 4420 7946 0958 4012 8888 8888 1881 3000": "rows 4420 7946 0958 4012 8888 8888 1881 3000",
		"(+45 20 55 01 42) 4012 8888 8888 1881":        "([REDACTED:phone]) [REDACTED:card_number]",
		"1000 2000 4012 8888 8888 1881 3000":           "1000 2000 4012 8888 8888 1881 3000",
	} {
		if got := string(whole(rules, []byte(in))); got != want {
			t.Errorf("%q gives %q", in, got)
		}
		if got := string(inPieces(rules.Text(), []byte(in), one)); got != want {
			t.Errorf("byte by byte, %q gives %q", in, got)
		}
	}
}
