package candidate

import "testing"

// TestScrambled: a random key without a digit is told from names and words put together, also after a prefix.
func TestScrambled(t *testing.T) {
	for text, want := range map[string]bool{
		"CbgbUPYrUyhnNoBZNXyeEXnYzMPQikVT":          true,
		"tok_live_FesQytDQUnxysAUbNJnxKvPHdLjTDKDr": true,
		"FesQytDQUnxy":                     false, // too short to tell
		"getUserCredentialsFromVault":      false,
		"your_secret_access_key_goes_here": false,
		"MAXIMUMNUMBEROFCONNECTIONS":       false,
		"correctHorseBatteryStaple":        false,
	} {
		if got := HasScrambled([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
