// Tiktoken counts a line with tiktoken-go.
package main

import (
	"os"
	"strconv"

	"github.com/pkoukk/tiktoken-go"
	tiktokenloader "github.com/pkoukk/tiktoken-go-loader"
)

func main() {
	tiktoken.SetBpeLoader(tiktokenloader.NewOfflineLoader())
	encoding, err := tiktoken.GetEncoding("o200k_base")
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString(strconv.Itoa(len(encoding.EncodeOrdinary("hello world\n"))) + "\n")
}
