package formats

// FieldsDirective begins a line that names the fields of those after it.
const FieldsDirective = "#fields"

// IsDirective says whether a line among the rows of such a table tells of it.
func IsDirective(line []byte) bool { return len(line) > 0 && line[0] == '#' }
