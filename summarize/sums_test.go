package summarize

import (
	"encoding/json"
	"testing"
)

// Numbers of some names are amounts; sums of the others tell nothing, nor do those of numbers that count the records.
func TestSumsOfAmounts(t *testing.T) {
	wants := map[string]bool{
		"size": true, "total.Bytes": true, "took_ms": true, "users": true, "paid": true, "errors": true,
		"id": false, "userId": false, "user_id": false, "http.status": false, "pid": false, "PORT": false,
		"%CPU": false,
		"Use%": false, "$3": false, "cpu_percent": false, "nth": false,
	}
	var records []byte
	for i := range 40 {
		record := make(map[string]int)
		for name := range wants {
			record[name] = i * i % 37
		}
		record["nth"] = i
		line, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		records = append(append(records, line...), '\n')
	}
	for name, of := range fieldsOf(t, recordsOf(records), "") {
		if _, isShown := of["sum"]; isShown != wants[name] {
			t.Errorf("the sum of numbers called %s is told: %t", name, isShown)
		}
	}
}
