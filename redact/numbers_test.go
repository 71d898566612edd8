package redact

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
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
	for _, text := range []string{"17,%s,-3.50", "1700000000000000000,%s", "%s, -3.50", "VALUES (1234567890123456, %s)"} {
		want := fmt.Sprintf(text, markerStart+"card_number]")
		if got := string(whole(rules, fmt.Appendf(nil, text, long))); got != want {
			t.Errorf("%s gives %q", fmt.Sprintf(text, long), got)
		}
	}
	for _, sep := range []string{"", " ", "-"} {
		card := strings.Join([]string{"4012", "8888", "8888", "1881"}, sep)
		other := strings.Join([]string{"5500", "0000", "0000", "0004"}, sep)
		for _, text := range []string{"%s", "card %s, lost", "%s 123", "%s 12/27 123", "%s 1227 123", "in 2024 %s", "[%s]",
			"card-%s", "Kreditkarte-%s", "pan=%s&x=1", "https://pay.example/cards/%s/x", "https://pay.example/?card=%s",
			"%s 1227 90210", "17,%s,1700000000000000000", "https://x.example/v1/payment-methods/%s", "https://x.example/wallets/%s"} {
			want := fmt.Sprintf(text, markerStart+"card_number]")
			if got := string(whole(rules, fmt.Appendf(nil, text, card))); got != want {
				t.Errorf("%s gives %q", fmt.Sprintf(text, card), got)
			}
		}
		for _, between := range []string{" ", ", ", ",", "\n", " and "} {
			want := strings.Join([]string{markerStart + "card_number]", markerStart + "card_number]", ""}, between)
			if got := string(whole(rules, []byte(card+between+other+between))); got != want {
				t.Errorf("%q gives %q", card+between+other+between, got)
			}
		}
	}
}

// A number with a sign, and a zone of time, are no phone: with the code 1 or 7 one has eleven digits.
func TestNumbersWithASign(t *testing.T) {
	rules := compile(t, Options{Groups: PII})
	for in, want := range map[string]string{
		"{+100000000, 1}":            "{+100000000, 1}",
		"x[0]+1000000 < y":           "x[0]+1000000 < y",
		"04 21:00:57 +1130 2010 x":   "04 21:00:57 +1130 2010 x",
		"call +1 212 555 0142 now":   "call [REDACTED:phone] now",
		"call +7 (495) 555-01-42, x": "call [REDACTED:phone], x",
		"call +45 20 55 01 42":       "call [REDACTED:phone]",
	} {
		if got := string(whole(rules, []byte(in))); got != want {
			t.Errorf("%q gives %q", in, got)
		}
	}
}
