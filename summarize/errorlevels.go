package summarize

import "math"

// levelScale is what the numbers of a field say of how severe something is.
type levelScale uint8

const (
	unnamed    levelScale = iota // the name has not been looked at
	noLevels                     // nothing
	syslogLike                   // 0 to 7, of which those up to 3 are errors (RFC 5424, 6.2.1)
	bunyanLike                   // tens up to 60, of which those from 50 on are errors (bunyan, pino)
)

// isErrorLevel says whether a number is the level of an error, by the name of its field: systemd's journal has a PRIORITY, and loggers for
// Node.js have a level. Once there is a number that is no level of these, none is.
func (f *field) isErrorLevel(number float64, name []byte) bool {
	if f.levels == unnamed {
		switch string(name) {
		case "PRIORITY":
			f.levels = syslogLike
		case "level":
			f.levels = bunyanLike
		default:
			f.levels = noLevels
		}
	}
	isLevel, isError := false, false
	switch level := int(number); f.levels {
	case syslogLike:
		isLevel, isError = 0 <= level && level <= 7, level <= 3
	case bunyanLike:
		isLevel, isError = level%10 == 0 && 10 <= level && level <= 60, level >= 50
	default:
		return false
	}
	if !isLevel || number != math.Trunc(number) {
		f.levels, f.errors = noLevels, 0
		return false
	}
	return isError
}
