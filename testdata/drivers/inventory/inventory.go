// Package inventory is a driver that answers all at once. Main is what its func main would be; the tests run it as a
// program of the name inventory.
package inventory

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

type request struct {
	Operation string `json:"operation"`
	Params    struct {
		Color string `json:"color"`
	} `json:"params"`
	Constraints struct {
		AllowedFields []string `json:"allowed_fields"`
	} `json:"constraints"`
}

type item struct {
	ID     int    `json:"id"`
	Color  string `json:"color"`
	Keeper string `json:"keeper"`
}

// Main reads one request from standard input and writes an array of items to standard output. It leaves out what
// would be taken out of its answer anyhow; kfw takes it out in any case.
func Main() {
	var r request
	if err := json.NewDecoder(os.Stdin).Decode(&r); err != nil {
		fail(65, "the request is not what was expected")
	}
	if r.Operation != "list" {
		fail(64, "unknown operation")
	}
	answer := []item{}
	for i, color := range []string{"red", "green", "blue", "red"} {
		if r.Params.Color != "" && r.Params.Color != color {
			continue
		}
		found := item{ID: i + 1, Color: color}
		if fields := r.Constraints.AllowedFields; len(fields) == 0 || slices.Contains(fields, "keeper") {
			found.Keeper = color + "@example.com"
		}
		answer = append(answer, found)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		fail(74, "the answer can't be written")
	}
}

func fail(status int, why string) {
	fmt.Fprintln(os.Stderr, "inventory:", why)
	os.Exit(status)
}
