package jsonx

// Valid reports whether text is one JSON value, and nested no deeper than maxDepth. Strings need be no UTF-8.
func Valid[T []byte | string](text T, maxDepth int) bool {
	s := scanner{maxDepth: maxDepth}
	b := []byte(text)
	n, reason := s.feed(b)
	for n < len(b) && signOf[b[n]] == space {
		n++
	}
	return reason == "" && s.finish() && n == len(b)
}

// deepestObject is how deep the values in a string may be nested for it to be a container: gjson
// takes stack for each level.
const deepestObject = 64

// IsObject says whether a text is a JSON object that is not empty, with no white space around it,
// and not nested too deeply to be told as one.
func IsObject(text []byte) bool {
	return len(text) >= len(`{"":1}`) && text[0] == '{' && IsContainer(text)
}

// IsContainer says whether a text is a JSON object or array, with no white space around it, and not
// nested too deeply to be told as one.
func IsContainer(text []byte) bool {
	return len(text) >= len("{}") && (text[0] == '{' || text[0] == '[') && text[len(text)-1] == text[0]+('}'-'{') &&
		Valid(text, deepestObject)
}
