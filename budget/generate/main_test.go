package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The files are what the vocabularies and the categories make.
func TestGenerated(t *testing.T) {
	files, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", "tables", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what go generate makes: run go generate ./budget", name)
		}
	}
	entries, err := os.ReadDir(filepath.Join("..", "tables"))
	if err != nil || len(entries) != len(files) {
		t.Errorf("%d files in tables, %d are generated: %v", len(entries), len(files), err)
	}
}

// A vocabulary that can't be told by pairs alone is refused.
func TestHalves(t *testing.T) {
	ranks := map[string]int{"a": 0, "b": 1, "c": 2, "ab": 3, "abc": 4, "cab": 5, "cbb": 6}
	left, right, err := halves(ranks, "abc")
	if err != nil || left != 3 || right != 2 {
		t.Errorf("abc: got %d and %d, %v", left, right, err)
	}
	if _, _, err := halves(ranks, "cbb"); err == nil {
		t.Error("cbb, which nothing makes, was taken")
	}
}
