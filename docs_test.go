package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestSessionDocument holds docs/session.md to the schema: it names every table and every state of a handle.
func TestSessionDocument(t *testing.T) {
	schema, err := os.ReadFile("session/schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile("docs/session.md")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^CREATE TABLE (\w+)`).FindAllStringSubmatch(string(schema), -1)
	states := regexp.MustCompile(`(?s)state IN(.*?)\)\)`).FindString(string(schema))
	names = append(names, regexp.MustCompile(`'(\w+)'`).FindAllStringSubmatch(states, -1)...)
	if len(names) != 4+7 {
		t.Fatalf("the schema has %v", names)
	}
	for _, name := range names {
		if !strings.Contains(string(document), "\n| `"+name[1]+"` | ") {
			t.Errorf("nothing is said of %s", name[1])
		}
	}
}
