package redact

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kfw-dev/kfw/internal/lex"
)

// A table of numbers holds no card, whatever its rows hold; a card in a text, or beside
// other cards, is one.
func TestCardsAndRows(t *testing.T) {
	rules := compile(t, Options{Groups: PCI})
	rnd := rand.New(rand.NewPCG(3, 3))
	for range 1000 {
		groups := strings.Fields("4012 8888 8888 1881")
		for n := 3 + rnd.IntN(6); n > 0; n-- { // no card begins with a 7
			group := fmt.Sprint(7000 + rnd.IntN(1000))
			if rnd.IntN(2) == 0 {
				groups = append(groups, group)
			} else {
				groups = append([]string{group}, groups...)
			}
		}
		row := strings.Join(groups, " ")
		if got := string(whole(rules, []byte(row))); got != row {
			t.Errorf("%q gives %q", row, got)
		}
	}
	const long = "6202519195673762413"
	for _, text := range []string{"17,%s,-3.50", "1700000000000000000,%s", "%s, -3.50",
		"VALUES (1234567890123456, %s)"} {
		want := fmt.Sprintf(text, lex.MarkerStart+"card_number]")
		if got := string(whole(rules, fmt.Appendf(nil, text, long))); got != want {
			t.Errorf("%s gives %q", fmt.Sprintf(text, long), got)
		}
	}
	for _, sep := range []string{"", " ", "-"} {
		card := strings.Join([]string{"4012", "8888", "8888", "1881"}, sep)
		other := strings.Join([]string{"5500", "0000", "0000", "0004"}, sep)
		for _, text := range []string{"%s", "card %s, lost", "%s 123", "%s 12/27 123", "%s 1227 123", "in 2024 %s",
			"[%s]",
			"card-%s", "Kreditkarte-%s", "pan=%s&x=1", "https://pay.example/cards/%s/x", "https://pay.example/?card=%s",
			"%s 1227 90210", "17,%s,1700000000000000000", "https://x.example/v1/payment-methods/%s",
			"https://x.example/wallets/%s"} {
			want := fmt.Sprintf(text, lex.MarkerStart+"card_number]")
			if got := string(whole(rules, fmt.Appendf(nil, text, card))); got != want {
				t.Errorf("%s gives %q", fmt.Sprintf(text, card), got)
			}
		}
		for _, between := range []string{" ", ", ", ",", "\n", " and "} {
			want := strings.Join([]string{lex.MarkerStart + "card_number]", lex.MarkerStart + "card_number]", ""},
				between)
			if got := string(whole(rules, []byte(card+between+other+between))); got != want {
				t.Errorf("%q gives %q", card+between+other+between, got)
			}
		}
	}
}

// A number of a program, an assembler or a table is no card, whatever its digits say.
func TestNumbersOfPrograms(t *testing.T) {
	rules := compile(t, Options{Groups: PCI})
	const marker = lex.MarkerStart + "card_number]"
	for in, want := range map[string]string{
		`{"$4012888888881881.0", "$(4012888888881881.0)"}`:   `{"$4012888888881881.0", "$(4012888888881881.0)"}`,
		`{"amount":"$4012888888881881"} US$4012888888881881`: `{"amount":"$` + marker + `"} US$` + marker,
		"total: 1234567890123.45, 4012888888881881":          "total: 1234567890123.45, " + marker,
		"\tADDW\tR1, R2  // 4012888888881881\n":              "\tADDW\tR1, R2  // 4012888888881881\n",
		"scale = 401288888888188191  // of 1/3":              "scale = 401288888888188191  // of 1/3",
		"{4012888888881880.5, 4012888888881881},":            "{4012888888881880.5, 4012888888881881},",
		"7000 7001 4012 8888 8888 1881 7002 7003 70045":      "7000 7001 4012 8888 8888 1881 7002 7003 70045",
		"	card := x // 4012888888881881\n":                   "	card := x // " + marker + "\n",
		"INFO charged 4012888888881881":                      "INFO charged " + marker,
		"7, 4012888888881881.0, x":                           "7, " + marker + ", x",
		"7.5, 4012888888881881":                              "7.5, " + marker,
		"1234567890123.00, 4012888888881881":                 "1234567890123.00, " + marker,
		"paid with 401288888888188191":                       "paid with " + marker,
		"card_no = 401288888888188191":                       "card_no = " + marker,
		"card 401288888888188191 was lost":                   "card " + marker + " was lost",
		`{"a":4012888888881881}`:                             `{"a":"` + marker + `"}`,
	} {
		if got := string(redacted(t, rules, Auto, []byte(in))); got != want {
			t.Errorf("%q gives %q", in, got)
		}
	}
}
