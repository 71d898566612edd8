// Package ascii classifies bytes of text, one at a time and eight at a time. A byte beyond ASCII has no class.
package ascii

// IsBlank reports whether c is a space, a tab or a carriage return, which stand between words of a line.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// IsDigit reports whether c is a decimal digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsUpper reports whether c is an upper-case letter.
func IsUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// IsLetter reports whether c is a letter.
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsAlphanumeric reports whether c is a letter or a digit.
func IsAlphanumeric(c byte) bool { return IsDigit(c) || IsLetter(c) }

// IsHexDigit reports whether c is a hexadecimal digit.
func IsHexDigit(c byte) bool { return IsDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// LeadingDigits returns how many digits b begins with.
func LeadingDigits(b []byte) int {
	n := 0
	for n < len(b) && IsDigit(b[n]) {
		n++
	}
	return n
}

// EndOfRun returns n if no letter or digit follows b[:n], 0 otherwise.
func EndOfRun(b []byte, n int) int {
	if n < len(b) && IsAlphanumeric(b[n]) {
		return 0
	}
	return n
}

// Matches reports whether b begins with the form, in which d stands for any digit.
func Matches(b []byte, pattern string) bool {
	if len(b) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		if pattern[i] == 'd' && !IsDigit(b[i]) || pattern[i] != 'd' && pattern[i] != b[i] {
			return false
		}
	}
	return true
}
