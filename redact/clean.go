package redact

import "bytes"

// mayBeClean says whether to see if the next lines are clean. It is not worth it
// for each of them where lines before were not.
func (f *filter) mayBeClean() bool {
	if f.paths.current != nil {
		return false // it takes all brackets and names to know where the lexer stands
	}
	if f.carried.records > 0 {
		f.carried.records--
		return false
	}
	return f.clean.IsWorthIt()
}

// passClean takes the clean lines that begin at from in src, where f is fresh, up to one that ends
// limit or more after it, and returns where they end.
func (f *filter) passClean(src []byte, from, limit int) (at int) {
	at = from
	if f.mayBeClean() {
		if at, f.fresh = f.clean.WholeLines(src, from, limit, f.format == JSON, &f.lines); at > from {
			f.pass(src[from:at])
			if passed := src[from:at]; f.text.markers.HasKeys() && (passed[0] == '{' || passed[0] == '[' ||
				bytes.Contains(passed, []byte("\n{")) || bytes.Contains(passed, []byte("\n["))) {
				f.text.markers.NewRecord()
			}
			f.text.lines.ForgetRow()
			return at
		}
	}
	f.fresh = false
	return at
}
