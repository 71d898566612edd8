package ascii

// Span is a part of a text, by the indexes where it begins and ends.
type Span struct{ From, To int }

// Of returns that part of b.
func (s Span) Of(b []byte) []byte { return b[s.From:s.To] }
