package fields

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestErrorLevels: numbers count as levels of errors as long as all of their field are levels of its kind.
func TestErrorLevels(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 5))
		name := []string{"PRIORITY", "level", "priority"}[r.IntN(3)]
		var f Field
		errors, areLevels := 0, true
		for range 1 + r.IntN(8) {
			number := float64(r.IntN(8))
			if name == "level" {
				number = float64(10 * (1 + r.IntN(6)))
			}
			if r.IntN(8) == 0 {
				number = []float64{-1, 8, 0.5, 25, 70, 0, 10.5, 1e300}[r.IntN(8)]
			}
			isLevel, isError := false, false
			switch name {
			case "PRIORITY":
				isLevel, isError = number >= 0 && number <= 7, number <= 3
			case "level":
				isLevel, isError = number >= 10 && number <= 60 && math.Mod(number, 10) == 0, number >= 50
			}
			areLevels = areLevels && isLevel && number == math.Trunc(number)
			got, want := f.IsErrorLevel(number, []byte(name)), areLevels && isError
			if got != want {
				t.Fatalf("seed %d: %s %v is the level of an error: %v, want %v", seed, name, number, got, want)
			}
			if got {
				f.Errors++
			}
			if want {
				errors++
			}
			if !areLevels {
				errors = 0
			}
			if f.Errors != errors {
				t.Fatalf("seed %d: %s: %d errors after %v, want %d", seed, name, f.Errors, number, errors)
			}
		}
	}
}
