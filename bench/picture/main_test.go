package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"strings"
	"testing"
)

// TestPicture: the picture in docs is what a run of kfw gives. go -C bench run ./picture draws it anew.
func TestPicture(t *testing.T) {
	t.Chdir("..")
	want, err := picture(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../docs/before-after.svg")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/before-after.svg is of another kfw: go -C bench run ./picture")
	}
	if len(got) > 30_000 {
		t.Errorf("it has %d bytes", len(got))
	}
	for in := xml.NewDecoder(bytes.NewReader(got)); ; {
		if _, err := in.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestEscaped: a text stands in the picture as text, whatever it is.
func TestEscaped(t *testing.T) {
	hostile := `</text><script>alert(1)</script>&"'` + "\x00\x1b[31m"
	drawn := string(draw(panel{hostile, [][]piece{{{"bad", hostile}}, {{"", hostile}}}}))
	if strings.Contains(drawn, "<script") || strings.ContainsAny(drawn, "\x00\x1b") {
		t.Error(drawn)
	}
	in := xml.NewDecoder(strings.NewReader(drawn))
	for {
		if _, err := in.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestRemoved: what is marked is what redaction takes out.
func TestRemoved(t *testing.T) {
	raw := "a=secret b c=other\n"
	var got []string
	for _, s := range removed(raw, "a=[REDACTED:x] b c=[REDACTED:y]\n") {
		got = append(got, raw[s.from:s.to])
	}
	if strings.Join(got, ",") != "secret,other" {
		t.Errorf("%q", got)
	}
}
