package summarize

import (
	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
	"github.com/kfw-dev/kfw/internal/summarize/mask"
)

// Lines that begin with a place in a file are those of compilers and linters (GNU Coding Standards, Formatting Error
// Messages), and of grep -n. What is counted of them is the file, and of a message how severe it is and its code. The
// line itself stays one with its form.
//
//	main.go:12:7: undefined: x
//	src/a.c:4:33: warning: unused variable 'n' [-Wunused-variable]
//	src/a.ts(1,25): error TS2307: Cannot find module 'x'
//	a.py:3:1: E501 line too long
//	cmd/x.go:195:2: should replace this if statement (S1017)
//	./cmd/x.go:167:		return nil
//	error[E0382]: borrow of moved value: `x`
//	  --> src/main.rs:3:5

// addDiagnostic takes in what a line has of a place in a file, and says whether it has one.
func (s *lineReader) addDiagnostic(line []byte) bool {
	d, ok := lineclass.CutDiagnostic(line[:min(len(line), mask.MaxLineLen)])
	if !ok {
		return false
	}
	if len(d.File) > 0 {
		s.addPair(lineclass.DiagnosticNames.File, d.File)
	}
	if len(d.Severity) > 0 {
		s.addPair(lineclass.DiagnosticNames.Severity, d.Severity)
	}
	if len(d.Code) > 0 {
		s.addPair(lineclass.DiagnosticNames.Code, d.Code)
	}
	return true
}
