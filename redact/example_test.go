package redact_test

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/kfw-dev/kfw/redact"
)

func ExampleString() {
	fmt.Println(redact.String("login of ada@example.com, password: tr0ub4dor"))
	// Output:
	// login of [REDACTED:email], password: [REDACTED:password]
}

func Example() {
	rules, err := redact.Compile(redact.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	in := strings.NewReader("login of ada@example.com\n{\"user\":\"ada\",\"api_key\":\"3f9c2b71d8\"}\n")
	if _, err := io.Copy(os.Stdout, redact.NewReader(in, rules, redact.Auto)); err != nil {
		fmt.Println(err)
	}
	// Output:
	// login of [REDACTED:email]
	// {"user":"ada","api_key":"[REDACTED:api_key]"}
}
