package fields

import (
	"math"

	"github.com/kfw-dev/kfw/internal/summarize/lineclass"
)

// IsErrorLevel says whether a number is the level of an error, by the name of its field: systemd's journal has a
// PRIORITY, and loggers for Node.js have a level. Once there is a number that is no level of these, none is.
func (f *Field) IsErrorLevel(number float64, name []byte) bool {
	if f.Levels == lineclass.Unnamed {
		switch string(name) {
		case "PRIORITY":
			f.Levels = lineclass.SyslogLike
		case "level":
			f.Levels = lineclass.BunyanLike
		default:
			f.Levels = lineclass.NoLevels
		}
	}
	isLevel, isError := false, false
	switch level := int(number); f.Levels {
	case lineclass.SyslogLike:
		isLevel, isError = 0 <= level && level <= 7, level <= 3
	case lineclass.BunyanLike:
		isLevel, isError = level%10 == 0 && 10 <= level && level <= 60, level >= 50
	default:
		return false
	}
	if !isLevel || number != math.Trunc(number) {
		f.Levels, f.Errors = lineclass.NoLevels, 0
		return false
	}
	return isError
}
