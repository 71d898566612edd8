package redact

import (
	"errors"
	"strings"
	"testing"
)

func TestChosenFields(t *testing.T) {
	rules := compile(t, Options{
		Groups: Secrets | PII, RedactFields: []string{"customer_note", "shoeSize", "badge7", "pwd"},
		KeepFields: []string{"token", "pwd", "Nick-Name", "phone"},
	})
	for _, c := range []struct{ in, want string }{
		{`{"customer_note":{"a":[1]},"CustomerNote":1,"customer-note":null,"customernote":"x","shoe.size":44,"SHOE_SIZE":"4 4"}`,
			`{"customer_note":{"a":["[REDACTED:field]"]},"CustomerNote":"[REDACTED:field]","customer-note":null,"customernote":"[REDACTED:field]","shoe.size":"[REDACTED:field]","SHOE_SIZE":"[REDACTED:field]"}`},
		{`{"customer_note_count":3,"shoe":"x","badge":1,"order.badge7":2}`,
			`{"customer_note_count":3,"shoe":"x","badge":1,"order.badge7":"[REDACTED:field]"}`},
		{`{"token":"hunter2hunter2","access_token":"hunter2","nickname":"x","token":"ask mara@example.org","phone":"ext 55"}`,
			`{"token":"hunter2hunter2","access_token":"[REDACTED:token]","nickname":"x","token":"ask [REDACTED:email]","phone":"ext 55"}`},
		{`{"pwd":"kept and redacted"}`, `{"pwd":"[REDACTED:field]"}`},
		{"customer_note == customerNote, customer_note: see, badge7: map[string]int",
			"customer_note == [REDACTED:field], customer_note: [REDACTED:field], badge7: [REDACTED:field]"},
		{"customer_note=four shoe-size: 44, token=hunter2hunter2",
			"customer_note=[REDACTED:field] shoe-size: [REDACTED:field], token=hunter2hunter2"},
	} {
		got := string(redacted(t, rules, Auto, []byte(c.in)))
		if got != c.want {
			t.Errorf("%s\ngives %s\nnot   %s", c.in, got, c.want)
		}
		if again := string(redacted(t, rules, Auto, []byte(got))); again != got {
			t.Errorf("twice: %s", again)
		}
	}
}

func TestChosenFieldErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		want string
	}{
		{"", "field 2: an empty name"},
		{"_-", "field 2: an empty name"},
		{"na\u00efve", "field 2: a name has letters and digits of ASCII, _, -, . and spaces"},
		{"a\"b", "field 2: a name has letters and digits of ASCII, _, -, . and spaces"},
		{strings.Repeat("x", 65), "field 2: a name of more than 64 letters"},
	} {
		for _, kept := range []bool{false, true} {
			o := Options{Groups: All, RedactFields: []string{"a", c.name}}
			if kept {
				o.RedactFields, o.KeepFields = nil, o.RedactFields
			}
			_, err := Compile(o)
			field, ok := errors.AsType[*FieldError](err)
			if !ok || field.Kept != kept || err.Error() != c.want {
				t.Errorf("%q: %v, not %s", c.name, err, c.want)
			}
		}
	}
}
