package redact

import (
	"testing"
)

func TestPersons(t *testing.T) {
	const name = "[REDACTED:person_name]"
	rules := compile(t, Options{Groups: All})
	for text, want := range map[string]string{
		"full_name: Ada Q. Lindqvist":              `full_name: "` + name + `"`,
		"Full name: Ada Lindqvist, Manager":        "Full name: " + name + ", Manager",
		"full name: Dr. Ada van der Lind-Okoye\nx": "full name: " + name + "\nx",
		"FULL NAME = ADA LINDQVIST":                "FULL NAME = " + name,
		"last_name: O'Brady":                       `last_name: "` + name + `"`,
		"surname: de la Cruz":                      "surname: de la Cruz", // without a capital it may be prose
		"surname: De la Cruz":                      `surname: "` + name + `"`,
		"<fullName>Ada Lindqvist</fullName>":       "<fullName>" + name + "</fullName>",
		"first name: Åsa Élise Öberg (she/her)":    "first name: " + name + " (she/her)",
		"last name: Lindqvist.":                    "last name: " + name + ".",
		`FullName: "root"`:                         `FullName: "root"`,
		"full name: Ada Lindqvist is the one":      "full name: Ada Lindqvist is the one",
		"First name: Required field":               "First name: Required field",
		"First Name: Last Name: Email:":            "First Name: Last Name: Email:",
		"first name: The name as in the passport":  "first name: The name as in the passport",
	} {
		if got := string(redacted(t, rules, Lines, []byte(text))); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
