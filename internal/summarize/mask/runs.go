package mask

// NextRun finds the next run of letters and digits in what of a text begins at from; it is empty if there is none. A
// name is one without digits.
func NextRun(text []byte, from int) (start, end int, isName bool) {
	for from < len(text) && Parts[text[from]]&(Digit|Letter) == 0 {
		from++
	}
	has := Part(0)
	for end = from; end < len(text) && Parts[text[end]]&(Digit|Letter) != 0; end++ {
		has |= Parts[text[end]]
	}
	return from, end, has&Digit == 0
}
