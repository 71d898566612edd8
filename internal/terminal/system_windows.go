package terminal

import "golang.org/x/sys/windows"

// obeys makes a console take escape sequences, and reports whether it does. By default the console of Windows shows
// them as text.
func obeys(console uintptr) bool {
	var mode uint32
	if windows.GetConsoleMode(windows.Handle(console), &mode) != nil {
		return false
	}
	return mode&windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING != 0 ||
		windows.SetConsoleMode(windows.Handle(console), mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
