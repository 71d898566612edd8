// Generate makes the tables that package budget counts with, from the vocabularies of tiktoken's encodings and from the
// categories of Unicode:
//
//	go generate ./budget
//
// The same vocabularies and categories give the same bytes; a test of this package holds the files to that.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/kfw-dev/kfw/budget/internal/pairs"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "generate: want the directory to write to")
		os.Exit(2)
	}
	files, err := tables()
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), content, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "generate:", err)
			os.Exit(1)
		}
	}
}

// tables returns every file by its name.
func tables() (map[string][]byte, error) {
	classes, err := classTable()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"classes.bin": classes}
	for name, layout := range map[string]pairs.Layout{"o200k_base": pairs.O200k(), "cl100k_base": pairs.CL100k(),
		"p50k_base": pairs.P50k()} {
		if files[name+".bin"], err = pairTable(name, layout); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return files, nil
}
