package summarize

import "github.com/kfw-dev/kfw/internal/summarize/lineclass"

// namesOfNames are the fields whose value is the name of something, so that an error word in it
// says nothing of the record.
var namesOfNames = [...]string{
	"name", "path", "file", "filename", "fullname", "full_name", "title", "url", "uri", "href", "package", "module",
	"function", "func", "symbol", "test",
	"suite", "command", "cmd", "cmdline", "args", "image", "branch", "permission", "directory", "dir", "folder",
	"target",
}

// isNameField reports whether a field has the name of something for a value.
func isNameField(name []byte) bool {
	for _, of := range namesOfNames {
		if lineclass.IsWord(name, of) {
			return true
		}
	}
	return false
}
