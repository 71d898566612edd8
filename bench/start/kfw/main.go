// Kfw counts a line with kfw's own counter.
package main

import (
	"os"
	"strconv"

	"github.com/kfw-dev/kfw/budget"
)

func main() {
	counter, err := budget.NewCounter("o200k_base")
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString(strconv.Itoa(counter.Count([]byte("hello world\n"))) + "\n")
}
