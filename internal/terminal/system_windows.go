package terminal

import "golang.org/x/sys/windows"

// obeys reports whether a console takes escape sequences, and makes it take them: by itself that of Windows shows them.
func obeys(console uintptr) bool {
	var mode uint32
	if windows.GetConsoleMode(windows.Handle(console), &mode) != nil {
		return false
	}
	return mode&windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING != 0 ||
		windows.SetConsoleMode(windows.Handle(console), mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
