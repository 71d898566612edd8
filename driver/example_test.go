//go:build unix

package driver_test

import (
	"fmt"
	"io"

	"github.com/kfw-dev/kfw/driver"
)

func Example() {
	process, err := driver.Start([]string{"sh", "-c", "echo to be read; exit 3"}, driver.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	response, err := io.ReadAll(process) // the end of it is the driver's, too
	fmt.Printf("%s%v\n", response, err)
	if err := process.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// to be read
	// sh: failed: exit status 3
}
