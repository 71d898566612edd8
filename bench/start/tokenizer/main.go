// Tokenizer counts a line with tiktoken-go/tokenizer.
package main

import (
	"os"
	"strconv"

	"github.com/tiktoken-go/tokenizer"
)

func main() {
	encoding, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		panic(err)
	}
	tokens, err := encoding.Count("hello world\n")
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString(strconv.Itoa(tokens) + "\n")
}
