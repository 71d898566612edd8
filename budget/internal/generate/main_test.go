package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	tiktokenloader "github.com/pkoukk/tiktoken-go-loader"

	"github.com/kfw-dev/kfw/budget/internal/pairs"
)

// The files are what the vocabularies and the categories make.
func TestGenerated(t *testing.T) {
	files, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", "..", "tables", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what go generate makes: run go generate ./budget", name)
		}
	}
	entries, err := os.ReadDir(filepath.Join("..", "..", "tables"))
	if err != nil || len(entries) != len(files) {
		t.Errorf("%d files in tables, %d are generated: %v", len(entries), len(files), err)
	}
}

// The table of a vocabulary finds each of its pairs, and no other.
func TestPairTable(t *testing.T) {
	layout := pairs.CL100k()
	file, err := pairTable("cl100k_base", layout)
	if err != nil {
		t.Fatal(err)
	}
	table, err := pairs.New(layout, string(file))
	if err != nil {
		t.Fatal(err)
	}
	ranks, err := tiktokenloader.NewOfflineLoader().LoadTiktokenBpe("cl100k_base.tiktoken")
	if err != nil {
		t.Fatal(err)
	}
	tokens := make([]string, len(ranks))
	for token, rank := range ranks {
		tokens[rank] = token
	}
	for token, rank := range ranks {
		if len(token) == 1 {
			if got := table.OfByte(token[0]); got != uint32(rank) {
				t.Fatalf("byte %#x: got %d, want %d", token, got, rank)
			}
			continue
		}
		left, right, err := halves(ranks, token)
		if err != nil {
			t.Fatal(err)
		}
		if got := table.Of(left, right); got != uint32(rank) {
			t.Fatalf("%d and %d: got %d, want %d", left, right, got, rank)
		}
		// What comes of any other pair is a token that these are the halves of.
		if got := table.Of(left+1, right); got != pairs.None && tokens[got] != tokens[left+1]+tokens[right] {
			t.Fatalf("%d and %d: got %d", left+1, right, got)
		}
	}
	if _, err := pairs.New(layout, string(file[1:])); err == nil {
		t.Error("a table that is too short was taken")
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

// The vocabulary of r50k_base is what that of p50k_base begins with, so one table is enough for both.
func TestOneTableForTwo(t *testing.T) {
	loader := tiktokenloader.NewOfflineLoader()
	small, err := loader.LoadTiktokenBpe("r50k_base.tiktoken")
	if err != nil {
		t.Fatal(err)
	}
	large, err := loader.LoadTiktokenBpe("p50k_base.tiktoken")
	if err != nil {
		t.Fatal(err)
	}
	for token, rank := range large {
		if of, ok := small[token]; ok != (rank < int(pairs.R50k().Tokens)) || ok && of != rank {
			t.Errorf("%q is %d of p50k_base, %d of r50k_base", token, rank, of)
		}
	}
	if len(small) != int(pairs.R50k().Tokens) {
		t.Errorf("r50k_base has %d tokens", len(small))
	}
}
